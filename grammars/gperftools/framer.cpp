// Finds the records of a profile and the lines after them, without judging them.
#include "grammars/gperftools/recognise.hpp"

#include <utility>

#include "grammars/gperftools/checks/line.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint::gperftools {
namespace {

// Bytes up to and including the next LF; all of them without an LF.
size_t line_length(Bytes bytes) {
    const uint64_t to_end = length_to('\n', bytes);
    return to_end == kNone ? bytes.size() : to_end + 1;
}

class GperftoolsFramer final : public Framer {
  public:
    Frame next(Bytes bytes) override {
        if (stage_ == Stage::start) stage_ = opens_wrapper(bytes) ? Stage::wrapper : Stage::header;
        if (stage_ == Stage::wrapper) return wrapper(bytes);
        if (stage_ == Stage::header) return header(bytes);
        return with_layout(number_,
                           [&]<Layout L>() { return stage_ == Stage::records ? record<L>(bytes) : line<L>(bytes); });
    }

  private:
    enum class Stage : uint8_t { start, wrapper, header, records, text };

    static bool opens_wrapper(Bytes bytes) { return as_text(bytes).starts_with(kWrapperStart); }

    Frame wrapper(Bytes bytes) {
        for (size_t length = 0; length < bytes.size();) {
            const Bytes line = bytes.subspan(length, line_length(bytes.subspan(length)));
            length += line.size();
            if (!ends_wrapper(as_text(line))) continue;
            stage_ = Stage::header;
            layout_ = kLayouts[identify([after = bytes.subspan(length)](size_t) { return after; })];
            return {&kWrapper, length};
        }
        return {&kWrapper, bytes.size(), 2 * bytes.size()};
    }

    Frame header(Bytes bytes) {
        size_t requested = 0;
        const auto look = [&](size_t size) {
            requested = std::max(requested, size);
            return bytes;
        };
        number_ = identify(look);
        layout_ = kLayouts[number_];
        const Frame frame = with_layout(number_, [&]<Layout L>() {
            if (bytes.size() >= header_size(L))
                version_ = View<kHeader, L>(bytes.data(), 0, L.order, kNone).template get<"format_version">();
            return Frame{&kHeader, header_length<L>(look)};
        });
        // With many extra words, the bytes after them decide. A caller that has no more bytes shows the same again.
        const bool may_be_all = bytes.size() < kDetectionBytes || bytes.size() == seen_;
        seen_ = bytes.size();
        if (requested > bytes.size() && !may_be_all) return {&kHeader, frame.length, requested};
        stage_ = Stage::records;
        return frame;
    }

    template <Layout L>
    Frame record(Bytes bytes) {
        const View<kTrailer, L> trailer(bytes.data(), 0, L.order, 0);
        if (bytes.size() >= trailer_size(L)) {
            const Bytes after = bytes.subspan(trailer_size(L));
            const bool last = after.empty() || is_text_opening(after, version_);
            const int wrong = wrong_slots(trailer);
            if (wrong == 0 || (wrong == 1 && last)) {
                stage_ = Stage::text;
                return {&kTrailer, trailer_size(L)};
            }
        }
        if (bytes.size() < front_size(L)) return {};
        const uint64_t pcs = View<kRecord, L>(bytes.data(), 0, L.order, 0).template get<"num_pcs">();
        if (pcs > (bytes.size() - front_size(L)) / L.word_size && is_text_opening(bytes, version_)) {
            stage_ = Stage::text;
            return line<L>(bytes);
        }
        if (pcs == 0) return without_pcs<L>(bytes);
        if (pcs > kReaderDepth) return to_trailer<L>(bytes, {nullptr, 0, 2 * bytes.size()});
        const Frame frame{&kRecord, record_size(L, pcs)};
        const bool is_there = bytes.size() >= frame.length;
        if (!is_there && !std::exchange(wants_chain_, true)) return {frame.record, frame.length, frame.length};
        wants_chain_ = false;
        return is_there ? frame : to_trailer<L>(bytes, frame);  // the chain exceeds the file
    }

    // A record without PCs, or a block of zeros (section 4.1).
    template <Layout L>
    Frame without_pcs(Bytes bytes) const {
        const uint64_t front = front_size(L);
        const auto is_zero = [&](uint64_t at) { return all_zero(bytes.subspan(at, front)); };
        uint64_t zeros = 0;
        while (bytes.size() - zeros >= front && is_zero(zeros)) zeros += front;
        if (zeros == 0) return {&kRecord, front};
        return {nullptr, zeros};
    }

    // Bytes that are not a record, up to the next trailer (resync, section 4.1); `otherwise` if none is in view.
    template <Layout L>
    static Frame to_trailer(Bytes bytes, const Frame& otherwise) {
        for (uint64_t at = L.word_size; at + trailer_size(L) <= bytes.size(); at += L.word_size)
            if (is_trailer_before_text<L>(bytes.subspan(at))) return {nullptr, at};
        return otherwise;
    }

    template <Layout L>
    Frame line(Bytes bytes) {
        if (bytes.empty()) return {};
        if (begins_profile<L>(bytes)) return header(bytes);
        const size_t length = line_length(bytes);
        return {&kLine, length, bytes[length - 1] == '\n' ? 0 : 2 * length};
    }

    Stage stage_ = Stage::start;
    size_t number_ = 0;  // of the layout in kLayouts
    size_t seen_ = 0;    // bytes shown when it last read a header
    uint64_t version_ = kNativeVersion;
    bool wants_chain_ = false;  // whether it asked for all of a record
};

}  // namespace

std::unique_ptr<Framer> make_framer(const Settings&) { return std::make_unique<GperftoolsFramer>(); }

}  // namespace tracelint::gperftools
