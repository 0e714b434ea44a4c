// A map of a file: which kinds of records are where, and when they were written, in a bounded number of stretches and
// of cells for each kind, however many records there are. All of it takes linear time.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "validator/format.hpp"

namespace tracelint {

class RecordMap {
  public:
    // All records of one type.
    struct Kind {
        std::string_view name;
        uint64_t records = 0, bytes = 0;
    };
    // A part of the file: one record, or several that are next to each other and together short.
    struct Stretch {
        uint64_t length = 0;
        uint64_t records = 0;
        size_t kind = 0;          // that most of its bytes belong to, if any does; kNoRecord for a gap
        uint64_t weight = 0;      // by how many bytes that kind leads (Boyer and Moore's majority vote)
        uint64_t moment = kNone;  // when one of its first records was written; kNone: unknown
    };
    // Parts of the file that are next to each other, and as full of one kind of record.
    struct Run {
        size_t skipped = 0;  // cells without that kind since the run before
        size_t cells = 0;
        unsigned sixteenths = 0;  // of the bytes of each cell, rounded up: 1 to 16
    };
    static constexpr size_t kNoRecord = static_cast<size_t>(-1);
    static constexpr size_t kMostStretches = 2048;
    static constexpr size_t kCells = 512;

    // What comes next in the file: a record of `length` bytes.
    void add(std::string_view kind, uint64_t length);
    // Bytes that are not a record.
    void add_gap(uint64_t length);
    // Whether the moment of the record that was added last is of use, since its stretch has none.
    bool wants_moment() const { return !stretches_.empty() && stretches_.back().moment == kNone; }
    // Moments on another clock than the first one are ignored.
    void set_moment(const Framer::Moment& moment);
    // The file ends at `size`; what reaches beyond is cut.
    void finish(uint64_t size);

    const std::vector<Kind>& kinds() const { return kinds_; }
    const std::vector<Stretch>& stretches() const { return stretches_; }
    // Whether each stretch is one record or gap.
    bool is_exact() const { return width_ == 1; }
    // The clock of the moments.
    Quantity clock() const { return clock_; }
    // The cells that have records of a kind; kNoRecord: those that have bytes which are not a record.
    std::vector<Run> runs_of(size_t kind) const;
    uint64_t cell_width() const { return cell_width_; }  // bytes

  private:
    // The bytes of one kind in each cell.
    using Cells = std::array<uint64_t, kCells>;

    void append(const Stretch& stretch);
    static void merge(Stretch& into, const Stretch& from);
    size_t kind_of(std::string_view name);
    void fill_cells();

    std::vector<Kind> kinds_;  // as many as the format has records
    std::vector<Stretch> stretches_;
    uint64_t end_ = 0;                  // of the last stretch
    uint64_t width_ = 1;                // neighbours that are not longer together become one stretch
    Quantity clock_ = Quantity::plain;  // none yet
    std::vector<Cells> cells_{1};       // of gaps, then by kind
    uint64_t cell_width_ = 1;
    // What was added last is in no cell yet: its length may be a claim that the file does not keep.
    uint64_t pending_ = 0;  // bytes, up to end_
    size_t pending_cells_ = 0;
    size_t last_kind_ = kNoRecord;
    bool ends_in_record_ = false;
};

}  // namespace tracelint
