// Walks over the records of a trace without judging them: finds each with the framer of the format, brings it into view
// and splits it into leaves, which a visitor receives. The renderers of dump are visitors, and so is whatever else
// names bytes.
#pragma once

#include "validator/format.hpp"
#include "validator/tables/decode.hpp"

namespace tracelint {

// The limits of a walk, and its own state.
struct DumpContext {
    explicit DumpContext(const Limits& with) : limits(with), budget(with.memory) {}

    // Remembers what the first limit that was reached left out.
    void leave_out(std::string_view what) {
        if (left_out.empty()) left_out = what;
    }

    Limits limits;
    Budget budget;
    WorkCounter work;           // bytes that are looked at, those that the window reads aside
    std::string_view left_out;  // empty: nothing
};

// A record as the framer finds it, before all of its bytes are read.
struct FramedRecord {
    const Record* record = nullptr;  // never null when it is passed to a visitor
    uint64_t index = kNone;          // the n of records[n], as in findings; kNone: not numbered, like a header
    uint64_t offset = 0;             // in the trace
    uint64_t length = 0;             // may exceed the trace
    uint64_t next_index = 0;         // the n of the next numbered record, from this one on
};

// A record whose bytes are in view. Valid from the call of begin() to that of end().
struct SeenRecord : FramedRecord {
    Bytes bytes;  // fewer than `length` if the trace ends inside of the record, or if a limit cuts it
    const Framer* framer = nullptr;  // that found it
    bool ends_early = false;         // the trace ends inside of the record

    const Layout& layout() const { return framer->layout(); }
    bool is_whole() const { return bytes.size() == length; }
};

// Bytes that are not a record.
struct Gap {
    uint64_t offset = 0;
    uint64_t length = kNone;  // kNone: no record can be found after them
    uint64_t next_index = 0;  // the n of the next numbered record
};

// Reads bytes of a gap. Each call must ask for a higher or the same offset, and none below that of the gap.
class GapBytes {
  public:
    explicit GapBytes(Window& window) : window_(window) {}
    // Up to `count` bytes; fewer if the trace ends.
    Bytes read(uint64_t offset, size_t count) {
        const Bytes bytes = window_.view(offset, count);
        return bytes.first(std::min(bytes.size(), count));
    }

  private:
    Window& window_;
};

// Receives the records of a trace in the order of the file.
class RecordVisitor {
  public:
    virtual ~RecordVisitor() = default;
    // Called before each record or gap; the walk ends when it is true.
    virtual bool is_done(uint64_t offset, uint64_t next_index) {
        (void)offset, (void)next_index;
        return false;
    }
    // Called for every record. Only if it returns true are the bytes of the record read and the next functions called.
    virtual bool wants(const FramedRecord& record) = 0;
    virtual void begin(const SeenRecord& record) { (void)record; }
    // Whether the record that begin() was called with is to be decoded; else it has no leaves.
    virtual bool wants_leaves() { return true; }
    // A leaf of the record. Its offset counts from the start of the record.
    virtual void leaf(const SeenRecord& record, const Leaf& leaf) { (void)record, (void)leaf; }
    virtual void end(const SeenRecord& record) { (void)record; }
    // Bytes between records, or those after which no record can be found.
    virtual void gap(const Gap& gap, GapBytes& bytes) { (void)gap, (void)bytes; }
};

// Walks from the start of the window to its end, until the visitor is done, or until no record can be found any more.
// Returns how many numbered records it met.
uint64_t walk_records(Window& window, Framer& framer, DumpContext& context, RecordVisitor& visitor);

}  // namespace tracelint
