// mlpd: finds the records of a file without checking them: the header, and the buffers with their events.
#include <utility>

#include "grammars/mlpd/mlpd.hpp"
#include "validator/tables/decode.hpp"
#include "validator/tables/view.hpp"

namespace tracelint::mlpd {
namespace {

class MlpdFramer final : public Framer {
  public:
    explicit MlpdFramer(const Settings& settings) : settings_(settings) {}

    Frame next(Bytes bytes) override {
        if (bytes.empty()) return {};
        if (!header_known_) return file_header(bytes);
        if (left_ == 0) return buffer_header(bytes);
        return event(bytes);
    }

  private:
    Frame file_header(Bytes bytes) {
        if (bytes.size() < kOpening) return {};
        layout_ = {.version = header_layout_of(bytes)};
        const Frame frame = whole(kHeader, bytes);
        if (frame.needs != 0) return frame;
        header_known_ = true;
        const View<kHeader> header(bytes.data(), 0, ByteOrder::little, kNone);
        facts_.version = static_cast<uint16_t>(header.get<"format">());
        facts_.word_size = header.get<"ptrsize">() == 4 ? 4 : 8;
        return frame;
    }

    Frame buffer_header(Bytes bytes) {
        const View<kBuffer> header(bytes.data(), 0, ByteOrder::little, kNone);
        if (bytes.size() >= 4 && header.get<"id">() == kHeaderId) return file_header(bytes);
        layout_ = {.word_size = facts_.word_size, .version = layout_version(facts_, settings_)};
        next_ = layout_;
        if (bytes.size() < kBufferHeaderSize) return {&kBuffer, kBufferHeaderSize};
        if (header.get<"id">() != kBufferId) {
            const uint64_t end = kBufferHeaderSize + header.get<"len">();
            const bool may_be_buffer = header.get<"len">() <= kLargestBuffer;
            if (may_be_buffer && bytes.size() < end + kIdSize && !std::exchange(wants_rest_, true))
                return {nullptr, 0, end + kIdSize};
            wants_rest_ = false;
            if (!may_be_buffer || !leads_on(bytes, end)) return to_next_buffer(bytes);
        }
        left_ = header.get<"len">();
        if (left_ >= kFirstNegative) left_ = 0;  // what follows is searched for a buffer (section 4.1)
        next_.bases = {0, header.get<"ptr_base">(), header.get<"obj_base">(), header.get<"method_base">()};
        return {&kBuffer, kBufferHeaderSize};
    }

    Frame event(Bytes bytes) {
        layout_ = next_;
        const bool is_all = bytes.size() >= left_;
        const Bytes here = bytes.first(static_cast<size_t>(std::min<uint64_t>(bytes.size(), left_)));
        Frame frame{&kUnknownEvent, left_};
        if (const Record* record = record_of(here)) {
            const Frame known = whole(*record, here);
            if (known.needs != 0 && !is_all) return known;
            if (known.needs == 0) frame = known;
        }
        // The rest of the buffer is skipped, if the file has all of it. Else its len is the fault (section 4.1).
        if (frame.record == &kUnknownEvent && !is_all) {
            if (!std::exchange(wants_rest_, true)) return {&kUnknownEvent, left_, left_};
            frame = to_next_buffer(here);
        }
        wants_rest_ = false;
        left_ = frame.record == nullptr ? 0 : left_ - std::min(left_, frame.length);
        return frame;
    }

    // The record of the event that begins here; null if it is unknown.
    const Record* record_of(Bytes bytes) const {
        const OpMeaning meaning = meaning_of(bytes[0], facts_.version);
        if (!meaning.is_metadata) return meaning.record;
        uint64_t mtype = 0;
        const bool read =
            decode(kMetadata, bytes, layout_, false, [&](const Leaf& leaf) { mtype = leaf.number; }).complete;
        const Record* record = read ? metadata_record(mtype, facts_.version) : nullptr;
        return record != nullptr && metadata_row(*record, bytes[0], facts_.version) != nullptr ? record : nullptr;
    }

    // The frame of a record at the start of `bytes`, if all of it is there.
    Frame whole(const Record& record, Bytes bytes) {
        const Decoding decoding = decode(record, bytes, layout_, false, [](const Leaf&) {});
        if (!decoding.complete) return {&record, bytes.size(), 2 * bytes.size()};
        next_ = decoding.after;
        return {&record, decoding.length};
    }

    // Whether a buffer with a damaged id ends at `end` (section 4.1): the file ends there, or another buffer begins.
    static bool leads_on(Bytes bytes, uint64_t end) {
        if (bytes.size() <= end) return bytes.size() == end;
        return bytes.size() >= end + kIdSize && load(bytes.data() + end, kIdSize, ByteOrder::little) == kBufferId;
    }

    // Bytes that are not a record, up to what may be the next buffer.
    static Frame to_next_buffer(Bytes bytes) {
        const size_t found = as_text(bytes).find(std::string_view("\x01LPM", kIdSize), 1);
        if (found != std::string_view::npos) return {nullptr, found};
        return {nullptr, 0, 2 * bytes.size()};
    }

    static constexpr size_t kIdSize = 4;
    static constexpr size_t kOpening = 8;  // bytes that decide the layout of the header and the data version

    const Settings settings_;
    bool header_known_ = false;
    HeaderFacts facts_;
    Layout next_;              // of the next event
    uint64_t left_ = 0;        // bytes left in the buffer
    bool wants_rest_ = false;  // whether it asked for all of a buffer
};

}  // namespace

std::unique_ptr<Framer> make_framer(const Settings& settings) { return std::make_unique<MlpdFramer>(settings); }

}  // namespace tracelint::mlpd
