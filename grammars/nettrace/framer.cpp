// nettrace, section 3: finds the records of a file without judging them.
#include "grammars/nettrace/checks/part_reader.hpp"
#include "grammars/nettrace/nettrace.hpp"
#include "grammars/nettrace/walk_event_header.hpp"
#include "validator/tables/decode.hpp"
#include "validator/tables/view.hpp"

namespace tracelint::nettrace {
namespace {

// How long an event is.
struct EventExtent {
    uint64_t header = 0;  // bytes
    uint32_t payload = 0;
    uint64_t padding = 0;
};

// Of the event at the start of the bytes; nothing if its header cannot be read. `payload_size`: of the event before.
std::optional<EventExtent> compressed_extent(Bytes bytes, bool is_plain, uint32_t payload_size) {
    if (bytes.empty()) return std::nullopt;
    EventFields fields{.payload_size = payload_size};
    HeaderReader<false> read(bytes.data(), bytes.data() + bytes.size(), fields);
    if (!read.read(is_plain)) return std::nullopt;
    return EventExtent{read.size(), fields.payload_size, 0};
}

std::optional<EventExtent> uncompressed_extent(Bytes bytes, bool is_plain) {
    const uint64_t size = fixed_size(kPlainEvent, is_plain ? kPlainLayout : kNettraceLayout);
    if (bytes.size() < size) return std::nullopt;
    const auto payload = static_cast<uint32_t>(load(bytes.data() + size - 4, 4, ByteOrder::little));
    return EventExtent{size, payload, is_plain ? 0 : (0 - uint64_t{payload}) & 3};
}

class NettraceFramer final : public Framer {
  public:
    Frame next(Bytes bytes) override {
        if (bytes.empty()) return {};
        if (state_ == State::done) return {&kTrailing, std::min<uint64_t>(bytes.size(), kDetectionBytes)};
        const Position before = position_;
        const State state = state_;
        const Frame frame = in_block() ? content(bytes) : outside(bytes);
        if (frame.needs != 0) {
            position_ = before;
            state_ = state;
            return frame;
        }
        at_ += frame.length;
        if (state == State::block) position_.left -= std::min(position_.left, frame.length);
        if (state_ == State::block && position_.left == 0) state_ = is_plain() ? State::object : State::end;
        return frame;
    }

  private:
    enum class State : uint8_t { header, object, trace, block_start, block, old_file, end, done };
    // What comes next in a block.
    enum class Part : uint8_t { front, event, row, payload, old_stack, item };
    struct Position {
        Kind kind = Kind::unknown;
        uint64_t left = 0;  // bytes of the block
        Part part = Part::front;
        uint32_t payload_size = 0;
        uint64_t threads = 0;  // that are left of a sequence point
        bool is_compressed = true;
    };

    bool is_plain() const { return layout_.version == kPlainBlocks; }
    bool in_block() const { return state_ == State::block || state_ == State::old_file; }

    Frame outside(Bytes bytes) {
        switch (state_) {
            case State::header: return header(bytes);
            case State::trace: return trace(bytes);
            case State::block_start: return block_start(bytes);
            case State::end: return end(bytes);
            default: return is_plain() ? plain_block(bytes) : object(bytes);
        }
    }

    Frame header(Bytes bytes) {
        is_nettrace_ = as_text(bytes).starts_with(kMagic);
        layout_.version = is_nettrace_ ? kNettrace4 : kNetperf3;
        const bool is_plain_file =
            is_nettrace_ && bytes.size() >= 16 && load(bytes.data() + 12, 4, ByteOrder::little) == 6;
        if (is_plain_file) layout_.version = kPlainBlocks;
        state_ = State::object;
        return {&kHeader, fixed_size(kHeader, layout_)};
    }

    // --- Objects

    Frame object(Bytes bytes) {
        if (bytes[0] == kNullReference && !looks_like_object(bytes)) {
            state_ = State::done;
            return {&kStreamEnd, 1};
        }
        if (bytes.size() <= kFixedHeader) return {&kObject, kFixedHeader + 1};
        const Bytes names = bytes.subspan(kFixedHeader);
        if (const ObjectName* known = known_name(names, is_nettrace_)) return named(bytes, *known);
        const uint64_t length = View<kObject>(bytes.data(), 0, ByteOrder::little, 0).get<"name_length">();
        const bool is_foreign = looks_like_object(bytes) && length >= 1 && length <= kLongestName &&
                                names.size() > length && names[length] == kEndObject;
        if (!is_foreign) return to_next_object(bytes);
        state_ = State::block_start;
        position_ = {.kind = Kind::unknown};
        return {&kObject, kFixedHeader + length + 1};
    }

    // Whether at most one of the first tags is wrong.
    bool looks_like_object(Bytes bytes) const {
        const uint8_t begin = is_nettrace_ ? kBeginNettrace : kBeginNetperf;
        return bytes.size() >= 3 && (bytes[0] == begin) + (bytes[1] == begin) + (bytes[2] == kNullReference) >= 2;
    }

    Frame named(Bytes bytes, const ObjectName& known) {
        if (!looks_like_object(bytes)) return to_next_object(bytes);
        position_ = {.kind = known.kind};
        if (known.kind == Kind::trace) {
            const uint64_t version = View<kObject>(bytes.data(), 0, ByteOrder::little, 0).get<"version">();
            if (known.name == kFileName) layout_.version = version == 1 ? 1 : 2;
            state_ = State::trace;
        } else {
            state_ = State::block_start;
        }
        return {&kObject, kFixedHeader + known.name.size() + 1};
    }

    Frame to_next_object(Bytes bytes) const {
        for (size_t at = 1; at < bytes.size(); ++at)
            if (undamaged_header(bytes.subspan(at), is_nettrace_)) return {nullptr, at};
        return {nullptr, 0, 2 * bytes.size()};
    }

    Frame trace(Bytes) {
        if (layout_.version < kNetperf3) {
            state_ = State::old_file;
            position_ = {.kind = Kind::events, .left = kNone, .part = Part::event};
        } else {
            state_ = State::end;
        }
        return {&kTrace, fixed_size(kTrace, layout_)};
    }

    Frame block_start(Bytes bytes) {
        const uint64_t padding = padding_at(at_ + 4);
        const uint64_t size =
            bytes.size() < 4 ? 0 : View<kBlockStart>(bytes.data(), 0, ByteOrder::little, 0).get<"size">();
        const bool is_negative = static_cast<int64_t>(size) < 0;
        position_.left = is_negative ? 0 : size;
        position_.part = layout_.version == kNetperf3 ? Part::event : Part::front;
        state_ = is_negative ? State::object : size == 0 ? State::end : State::block;
        return {&kBlockStart, is_negative ? 4 : 4 + padding};
    }

    Frame end(Bytes bytes) {
        state_ = State::object;
        return bytes[0] == kEndObject ? Frame{&kObjectEnd, 1} : object(bytes);
    }

    // --- Version 6

    Frame plain_block(Bytes bytes) {
        constexpr uint64_t kSize = fixed_size(kPlainBlock, kPlainLayout);
        if (bytes.size() < kSize) return {&kPlainBlock, kSize};
        const View<kPlainBlock, kPlainLayout> header(bytes.data(), 0, ByteOrder::little, 0);
        const uint64_t kind = header.get<"kind">(), size = header.get<"size">();
        position_ = {.kind = kind < static_cast<uint64_t>(Kind::unknown) ? static_cast<Kind>(kind) : Kind::unknown,
                     .left = size};
        const bool is_end = kind == 0;
        state_ = is_end ? State::done : size == 0 ? State::object : State::block;
        return {&kPlainBlock, kSize};
    }

    // --- The content of blocks

    Frame content(Bytes bytes) {
        const bool is_all = bytes.size() >= position_.left;
        const Bytes here = bytes.first(static_cast<size_t>(std::min<uint64_t>(bytes.size(), position_.left)));
        if (state_ == State::old_file && bytes.size() == kEndLabelSize && bytes[0] == kEndObject) {
            state_ = State::done;
            return {&kEndLabel, kEndLabelSize};
        }
        const Frame frame = item(here, is_all);
        if (frame.needs != 0) return frame;
        const bool fits = frame.record != nullptr && frame.length != 0 && frame.length <= position_.left;
        if (fits) return frame;
        if (state_ == State::old_file) {
            state_ = State::done;
            return {&kOpaque, bytes.size()};
        }
        return {&kOpaque, position_.left};
    }

    Frame item(Bytes here, bool is_all) {
        switch (position_.kind) {
            case Kind::trace: return by_tables(kTrace, here, is_all, position_.left);
            case Kind::events: return event_part(here, is_all);
            case Kind::metadata: return is_plain() ? plain_metadata(here) : event_part(here, is_all);
            case Kind::stacks: return stack(here);
            case Kind::sequence_point: return point(here, is_all);
            case Kind::threads: return sized(kThread, here);
            case Kind::removed_threads: return by_tables(kThreadNumber, here, is_all, 0);
            case Kind::labels: return label(here, is_all);
            default: return {};
        }
    }

    // A record whose tables say how long it is; or, if `length` is not 0, which they have to fill.
    Frame by_tables(const Record& record, Bytes here, bool is_all, uint64_t length) const {
        const Bytes bytes =
            length == 0 ? here : here.first(static_cast<size_t>(std::min<uint64_t>(here.size(), length)));
        const bool is_there = length != 0 ? bytes.size() == length : is_all;
        const Decoding decoding = decode(record, bytes, layout_, length != 0, [](const Leaf&) {});
        if (decoding.complete) return {&record, decoding.length};
        if (!is_there) return {&record, length, 2 * std::max<uint64_t>(bytes.size(), kDetectionBytes)};
        return {};
    }

    Frame front(const Record& record, uint64_t size) {
        position_.part = Part::item;
        return {&record, size};
    }

    Frame stack(Bytes here) {
        if (position_.part == Part::front) return front(kStackBlock, fixed_size(kStackBlock));
        if (here.size() < 4) return {};
        return {&kStack, 4 + load(here.data(), 4, ByteOrder::little)};
    }

    Frame point(Bytes here, bool is_all) {
        const uint64_t size = fixed_size(kSequencePoint, layout_);
        if (position_.part == Part::front) {
            if (here.size() >= size) position_.threads = load(here.data() + size - 4, 4, ByteOrder::little);
            return front(kSequencePoint, size);
        }
        if (position_.threads == 0) return {};
        --position_.threads;
        return by_tables(kThreadNumber, here, is_all, 0);
    }

    Frame label(Bytes here, bool is_all) {
        if (position_.part == Part::front) return front(kLabelBlock, fixed_size(kLabelBlock));
        return by_tables(kLabel, here, is_all, 0);
    }

    Frame plain_metadata(Bytes here) {
        if (here.size() < 2) return {};
        const uint64_t size = 2 + load(here.data(), 2, ByteOrder::little);
        if (position_.part == Part::front) return front(kMetadataStart, size);
        return sized(kPlainMetadata, here);
    }

    // A row behind its size.
    Frame sized(const Record& record, Bytes here) {
        if (here.size() < 2) return {};
        const uint64_t size = 2 + load(here.data(), 2, ByteOrder::little);
        if (size > position_.left) return {};
        const Frame frame = by_tables(record, here, false, size);
        return frame.needs != 0 || frame.record != nullptr ? frame : Frame{&kOpaque, size};
    }

    // --- Events

    Frame event_part(Bytes here, bool) {
        switch (position_.part) {
            case Part::front: return block_header(here);
            case Part::row: return row(here);
            case Part::payload: return old_payload(here);
            case Part::old_stack: return old_stack(here);
            default: return layout_.version <= kNetperf3 ? old_event(here) : event(here);
        }
    }

    Frame block_header(Bytes here) {
        const uint64_t fixed = fixed_size(kEventBlock, layout_);
        if (here.size() < fixed) return {};
        const View<kEventBlock, kNettraceLayout> header(here.data(), 0, ByteOrder::little, 0);
        const uint64_t size = header.get<"header_size">();
        position_.is_compressed = (header.get<"flags">() & 1) != 0;
        position_.part = Part::event;
        return size < fixed ? Frame{} : Frame{&kEventBlock, size};
    }

    Frame event(Bytes here) {
        const bool has_rows = position_.kind == Kind::metadata;
        const std::optional<EventExtent> extent = position_.is_compressed
                                                      ? compressed_extent(here, is_plain(), position_.payload_size)
                                                      : uncompressed_extent(here, is_plain());
        if (!extent) return {};
        position_.payload_size = extent->payload;
        if (has_rows && extent->payload != 0) position_.part = Part::row;
        padding_ = extent->padding;
        if (has_rows) return {&either(position_.is_compressed, kRowHeader, kPlainRowHeader), extent->header};
        return {&either(position_.is_compressed, kEvent, kPlainEvent),
                extent->header + extent->payload + extent->padding};
    }

    Frame row(Bytes here) {
        const uint64_t size = uint64_t{position_.payload_size} + padding_;
        if (size > position_.left) return {};
        const Frame frame = metadata(here, size);
        if (frame.needs == 0) position_.part = Part::event;
        return frame;
    }

    // A metadata row, if its fields do not nest deeper than the tables do.
    Frame metadata(Bytes here, uint64_t size) const {
        if (here.size() < size) return {&kMetadata, size, size};
        bool is_flat = true;
        const Decoding decoding = decode(kMetadata, here.first(size), layout_, true, [&](const Leaf& leaf) {
            if (leaf.kind == Leaf::Kind::raw) is_flat = false;
            if (leaf.record == &kDeepField && leaf.kind == Leaf::Kind::value && leaf.field->is_fixed() &&
                leaf.number == kObjectType)
                is_flat = false;
        });
        return {&either(decoding.complete && is_flat, kMetadata, kOpaque), size};
    }

    Frame old_event(Bytes here) {
        constexpr uint64_t kSize = fixed_size(kOldEvent, {.version = kNetperf3});
        if (here.size() < kSize) return state_ == State::old_file ? Frame{&kOldEvent, kSize} : Frame{};
        const View<kOldEvent, Layout{.version = kNetperf3}> header(here.data(), 0, ByteOrder::little, 0);
        const uint64_t size = header.get<"payload_size">(), event_size = header.get<"event_size">();
        if (size > 0x7fffffff || event_size > 0x7fffffff || event_size < kSize + size) return {};
        position_.payload_size = static_cast<uint32_t>(size);
        position_.part = size == 0 ? Part::old_stack : Part::payload;
        is_row_ = header.get<"metadata_id">() == 0;
        padding_ = 4 + event_size - kSize - size;  // of the stack with its size
        return {is_row_ ? &kOldRowHeader : &kOldEvent, kSize};
    }

    Frame old_payload(Bytes here) {
        const Frame frame = is_row_ ? metadata(here, position_.payload_size) : Frame{&kPayload, position_.payload_size};
        if (frame.needs == 0) position_.part = Part::old_stack;
        return frame;
    }

    Frame old_stack(Bytes here) {
        if (here.size() < 4) return state_ == State::old_file ? Frame{&kOldStack, 4} : Frame{};
        position_.part = Part::event;
        const uint64_t stack = load(here.data(), 4, ByteOrder::little);
        return 4 + stack > padding_ ? Frame{} : Frame{&kOldStack, padding_};
    }

    static constexpr uint64_t kEndLabelSize = fixed_size(kEndLabel, {.version = 1});

    State state_ = State::header;
    Position position_;
    uint64_t at_ = 0;  // of the cursor
    uint64_t padding_ = 0;
    bool is_nettrace_ = true;
    bool is_row_ = false;
};

}  // namespace

std::unique_ptr<Framer> make_framer(const Settings&) { return std::make_unique<NettraceFramer>(); }

}  // namespace tracelint::nettrace
