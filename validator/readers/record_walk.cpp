// The loop over the records of a trace.
#include "validator/readers/record_walk.hpp"

namespace tracelint {
namespace {

// The bytes looked at, and one for the visit. Bits share the bytes of their number.
uint64_t work_of(const Leaf& leaf) {
    const bool is_in_number = leaf.field != nullptr && !ends_its_number(*leaf.field);
    return 1 + (is_in_number ? 0 : leaf.length);
}

class RecordWalk {
  public:
    RecordWalk(Window& window, Framer& framer, DumpContext& context, RecordVisitor& visitor)
        : window_(window), framer_(framer), context_(context), visitor_(visitor) {}

    uint64_t run() {
        while (!visitor_.is_done(offset_, index_)) {
            const Bytes opening = window_.view(offset_, kDetectionBytes);
            if (opening.empty()) break;
            const Framer::Frame frame = next_frame(opening);
            if (frame.record != nullptr && frame.length != 0)
                record(*frame.record, frame.length);
            else
                gap(frame.length == 0 ? kNone : frame.length);
            // Without a length, the next record cannot be found.
            if (frame.length == 0 || is_end_unknown_) break;
            offset_ = saturating_add(offset_, frame.length);
        }
        return index_;
    }

  private:
    // Frames what begins here, with as many bytes in view as the framer asks for.
    Framer::Frame next_frame(Bytes opening) {
        Framer::Frame frame = framer_.next(opening);
        while (frame.needs > opening.size()) {
            const size_t before = opening.size();
            opening = window_.view(offset_, most_in_view(frame.needs));
            context_.work.add(opening.size());
            frame = framer_.next(opening);
            if (opening.size() == before) {
                // Else the trace ends here, or the framer has found another way.
                is_end_unknown_ = frame.needs > before && before >= most_in_view(frame.needs);
                note_limit(frame.needs);
                break;
            }
        }
        return frame;
    }

    // As many of `wanted` bytes as the limits allow to be in view.
    size_t most_in_view(uint64_t wanted) const {
        return static_cast<size_t>(window_.affordable(std::min(wanted, context_.limits.record)));
    }

    void record(const Record& record, uint64_t length) {
        SeenRecord seen;
        seen.record = &record;
        seen.offset = offset_;
        seen.length = length;
        seen.next_index = index_;
        if (record.numbered) seen.index = index_++;
        if (!visitor_.wants(seen)) return;
        const size_t most = most_in_view(length);
        const Bytes bytes = window_.view(offset_, most);
        seen.bytes = bytes.first(std::min(bytes.size(), most));
        seen.framer = &framer_;
        seen.ends_early = seen.bytes.size() < most;
        visitor_.begin(seen);
        if (visitor_.wants_leaves())
            decode(record, seen.bytes, framer_.layout(), true, [&](const Leaf& leaf) {
                context_.work.add(work_of(leaf));
                visitor_.leaf(seen, leaf);
            });
        visitor_.end(seen);
        if (!seen.is_whole() && !seen.ends_early) note_limit(length);
    }

    void gap(uint64_t length) {
        GapBytes bytes(window_);
        visitor_.gap({offset_, length, index_}, bytes);
    }

    // A record of which `wanted` bytes should be in view is not shown as a whole if a limit is below that.
    void note_limit(uint64_t wanted) {
        if (wanted > context_.limits.record)
            context_.leave_out(is_end_unknown_ ? "the end of a record is not found: --max-record"
                                               : "not all of a record is shown: --max-record");
        else if (most_in_view(wanted) < wanted)
            context_.leave_out(is_end_unknown_ ? "the end of a record is not found: --max-memory"
                                               : "not all of a record is shown: --max-memory");
    }

    Window& window_;
    Framer& framer_;
    DumpContext& context_;
    RecordVisitor& visitor_;
    uint64_t offset_ = 0;
    uint64_t index_ = 0;           // of the next numbered record
    bool is_end_unknown_ = false;  // of a record that is longer than a limit; it may have none
};

}  // namespace

uint64_t walk_records(Window& window, Framer& framer, DumpContext& context, RecordVisitor& visitor) {
    return RecordWalk(window, framer, context, visitor).run();
}

}  // namespace tracelint
