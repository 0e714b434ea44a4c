// perf.data, section 3.1: the header of a file.
#pragma once

#include "grammars/perfdata/checks/state.hpp"

namespace tracelint::perfdata {

// A section of the file, as the header says. An end above 2^64 counts as 2^64 - 1, which no file has.
struct Section {
    uint64_t offset = 0, size = 0;
    uint64_t end() const { return saturating_add(offset, size); }
};

inline bool intersect(const Section& a, const Section& b) {
    return a.size != 0 && b.size != 0 && a.offset < b.end() && b.offset < a.end();
}

struct FileHeader {
    uint64_t claimed_size = 0;  // its size, as it says
    uint64_t size = 0;          // 72 or 104
    uint64_t attr_size = 0;
    Section attrs, data, event_types;
    std::array<uint64_t, 4> features{};

    // Whether attr_size can be that of attributes.
    bool has_attr_size() const { return attr_size >= 80 && attr_size <= 4096 && attr_size % 8 == 0; }
    // The entries of attrs.
    uint64_t attr_count() const { return has_attr_size() ? attrs.size / attr_size : 0; }
    bool is_unfinished() const { return attr_size == 0 && attrs.size == 0 && data.size == 0; }
    // The whole entries.
    Section attr_entries() const { return {attrs.offset, has_attr_size() ? attrs.size - attrs.size % attr_size : 0}; }
};

// `bytes`: those that the header has, 72 or 104.
FileHeader read_header(Bytes bytes, ByteOrder order);

// Checks the header of a file of `file_size` bytes.
void check_header(State& state, const FileHeader& header, uint64_t file_size);

extern const RuleList kHeaderRules;

}  // namespace tracelint::perfdata
