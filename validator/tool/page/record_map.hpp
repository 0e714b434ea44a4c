// A map of a file: which kinds of records are where, in a bounded number of stretches, however many records there are.
#pragma once

#include <string_view>
#include <vector>

#include "validator/tables/bytes.hpp"

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
        size_t kind = 0;      // that most of its bytes belong to, if any does; kNoRecord for a gap
        uint64_t weight = 0;  // by how many bytes that kind leads (Boyer and Moore's majority vote)
    };
    static constexpr size_t kNoRecord = static_cast<size_t>(-1);
    static constexpr size_t kMostStretches = 2048;

    // What comes next in the file: a record of `length` bytes.
    void add(std::string_view kind, uint64_t length);
    // Bytes that are not a record.
    void add_gap(uint64_t length);
    // The file ends at `size`; what reaches beyond is cut.
    void finish(uint64_t size);

    const std::vector<Kind>& kinds() const { return kinds_; }
    const std::vector<Stretch>& stretches() const { return stretches_; }

  private:
    void append(const Stretch& stretch);
    static void merge(Stretch& into, const Stretch& from);
    size_t kind_of(std::string_view name);

    std::vector<Kind> kinds_;  // as many as the format has records
    std::vector<Stretch> stretches_;
    uint64_t end_ = 0;    // of the last stretch
    uint64_t width_ = 1;  // neighbours that are not longer together become one stretch
    size_t last_kind_ = kNoRecord;
    bool ends_in_record_ = false;
};

}  // namespace tracelint
