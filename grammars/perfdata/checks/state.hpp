// perf.data: what all checks of a file share, a record as they see it, and the regions of the file.
#pragma once

#include <array>
#include <string_view>

#include "grammars/perfdata/records.hpp"
#include "validator/format.hpp"
#include "validator/memory/vectors.hpp"
#include "validator/tables/view.hpp"

namespace tracelint::perfdata {

// What all checks of a file share, and a record as they see it.

struct State {
    explicit State(ValidationContext& with) : context(with), report(with.report) {}

    ValidationContext& context;
    Report& report;
    ByteOrder order = ByteOrder::little;
    bool is_pipe = false;

    // Tracking stops here because the memory is spent or, if there is a hint, for the reason in the hint. Reported
    // once.
    void hit_limit(const Place& place, std::string_view hint = {});

  private:
    bool is_limit_hit_ = false;
};

// A record, and where findings about it are placed: in a record of the file at their bytes, in one inside of
// compressed records at the whole record that holds it (section 3.9).
struct RecordInFile {
    Bytes bytes;           // the whole record
    ByteOrder order;       // of the file
    uint64_t offset = 0;   // of the record that is in the file
    uint64_t index = 0;    // its number
    uint64_t length = 0;   // its bytes
    const Record* record;  // its table
    bool is_inside = false;

    uint64_t number(uint64_t at, unsigned width) const { return load(bytes.data() + at, width, order); }
    uint32_t type() const { return static_cast<uint32_t>(number(0, 4)); }
    uint16_t misc() const { return static_cast<uint16_t>(number(4, 2)); }
    uint64_t size() const { return bytes.size(); }
    // `length` bytes at `at`, of the field if one is named.
    Place place(uint64_t at, uint64_t bytes_there, std::string_view field = {}) const {
        if (is_inside) return whole();
        return {.offset = offset + at,
                .length = bytes_there,
                .record = record,
                .field = field.empty() ? nullptr : record->find(field),
                .record_index = index};
    }
    Place whole() const { return {.offset = offset, .length = length, .record = record, .record_index = index}; }
    template <const auto& R, Layout L = Layout{}>
    View<R, L> view() const {
        return {bytes.data(), offset, order, index};
    }
};

extern const RuleList kStateRules;

// perf.data, section 5.2: the regions of a file, which may not overlap.

// A part of the file that something points to.
struct Region {
    enum class Kind : uint8_t { header, attrs, data, event_types, ids, feature_table, feature };

    uint64_t start = 0, end = 0;
    uint64_t pointer = 0;  // where the file says where it is: the offset of 16 bytes
    uint64_t number = 0;   // of its attribute, or of its entry in the feature table
    Kind kind = Kind::header;
    bool is_blamed = false;
};

// The regions that the header points to, and the header itself.
class HeaderRegions {
  public:
    // A region that is empty counts for nothing. Call at most four times.
    void add(const Region& region);
    // As that of Regions. Returns whether the attributes are blamed.
    bool judge(State& state, bool is_reported);
    std::span<const Region> all() const { return std::span(regions_).first(count_); }

  private:
    std::array<Region, 4> regions_;
    size_t count_ = 0;
};

// All regions of a file.
class Regions {
  public:
    explicit Regions(State& state) : state_(state), regions_(state.context.budget) {}

    // A region that is empty counts for nothing.
    void add(const Region& region);
    // Blames each pointer to a region that overlaps one before it, once, and reports it. Call if all are known.
    void judge();
    // Whether all of them could be remembered.
    bool is_complete() const { return is_complete_; }
    // The greatest end.
    uint64_t end() const { return end_; }

  private:
    State& state_;
    BudgetedVector<Region> regions_;
    uint64_t end_ = 0;
    bool is_complete_ = true;
};

}  // namespace tracelint::perfdata
