// pprof, sections 5.3 and 5.4: mappings, locations and functions, and what refers to them.
#pragma once

#include "grammars/pprof/checks/strings.hpp"

namespace tracelint::pprof {

// One of the three tables whose entries have ids.
class IdTable {
  public:
    struct Rules {
        uint32_t number;  // of the table in the Profile
        const Message* message;
        const Rule *id_zero, *id_duplicate, *not_sequential, *dangling, *unused;
        const Member* reference;  // what refers to the table
    };
    IdTable(const Rules& rules, ValidationContext& context, Aggregates& aggregates, Certainty& certainty)
        : rules_(rules),
          context_(context),
          aggregates_(aggregates),
          certainty_(certainty),
          defined_(context.budget, context.work),
          awaited_(context.budget, context.work),
          referenced_(context.budget),
          duplicates_(context.budget) {}

    // The next entry of the table. Whether it is the first with its id.
    bool define(const Contents& entry, uint64_t record);
    // An entry that was not read at all.
    void define_unread() { ++entries_, has_unknown_ = true; }
    // A reference other than 0.
    void refer(uint64_t id, const Mark& place) {
        if (!is_referenced(id)) refer_first(id, place);
    }
    // Whether the id was met before; false: or is not known to be.
    bool is_referenced(uint64_t id) const { return referenced_.find(id); }
    bool are_referenced(uint64_t a, uint64_t b, uint64_t c) const {
        return std::max({a, b, c}) < referenced_.size() && referenced_[a] && referenced_[b] && referenced_[c];
    }

    uint64_t entries() const { return entries_; }
    // Whether an id that has no entry is missing: none of the entries may be meant by it.
    bool is_sound() const {
        return !has_zero_ && !has_unknown_ && duplicates_.empty() && !certainty_.is_unread(rules_.number);
    }
    // The number of the first entry with the id, from 0, among those that were the first; kNone: there is none yet.
    uint64_t number_of(uint64_t id) { return defined_.position_of(id); }

    void finish();

  private:
    // The first entry with an id.
    struct Defined {
        uint64_t key;
        uint64_t offset : 56;
        uint64_t is_referenced : 1;  // if that is not in referenced_
        uint32_t length, record;

        static constexpr uint64_t kLargestOffset = (uint64_t{1} << 56) - 1;
        Mark place() const { return {offset, length, record}; }
    };
    // The first reference to an id that no entry has yet. Entries that follow do not look here: ids mostly come in
    // order in their table and without order in references.
    struct Awaited {
        uint64_t key;
        Mark place;
    };
    struct Duplicate {
        uint64_t id;
        Mark place;
        uint64_t first;  // the offset of the first entry
    };
    void refer_first(uint64_t id, const Mark& place);
    const Member& id_member() const { return *rules_.message->find(1); }
    void report_dangling();
    void report_unused();

    const Rules& rules_;
    ValidationContext& context_;
    Aggregates& aggregates_;
    Certainty& certainty_;
    OrderedTable<Defined> defined_;
    OrderedTable<Awaited> awaited_;
    DenseTable<bool> referenced_;
    BudgetedVector<Duplicate> duplicates_;
    uint64_t entries_ = 0;
    bool has_zero_ = false, has_unknown_ = false;
};

class Entries {
  public:
    Entries(ValidationContext& context, Aggregates& aggregates, Certainty& certainty, Strings& strings);

    void read_mapping(const Contents& mapping, uint64_t record);
    void read_location(const Contents& location, uint64_t record);
    void read_line(const Contents& line, uint64_t record);
    void read_function(const Contents& function, uint64_t record);
    void define_unread(uint32_t number);

    uint64_t mappings() const { return mappings_.entries(); }
    uint64_t locations() const { return locations_.entries(); }
    uint64_t functions() const { return functions_.entries(); }

    bool is_referenced_location(uint64_t id) const { return locations_.is_referenced(id); }
    bool are_referenced_locations(uint64_t a, uint64_t b, uint64_t c) const {
        return locations_.are_referenced(a, b, c);
    }
    // By a sample.
    void refer_to_location(uint64_t id, const Mark& place) { locations_.refer(id, place); }

    void finish();

  private:
    struct MappingRow {
        uint64_t id, start, limit, build_id;
        Mark message, has_functions, build_id_place;
        bool is_range;       // start < limit, and all three are known
        bool is_symbolized;  // has_functions
        bool is_incomplete;  // but a location in it has an address and no line
    };
    struct LocationRow {
        uint64_t mapping, address;
        uint64_t offset;  // of the address in the file
        uint32_t record;
        uint8_t length;  // of the address
        bool has_line, is_known;
    };
    // Addresses outside of their mapping.
    struct Outside {
        uint64_t count = 0;
        Mark first;
        uint64_t address = 0, mapping = 0, limit = 0;
    };
    void check_range(const Contents& mapping, uint64_t record);
    void check_negative(const Contents& message, uint32_t member, uint64_t record) {
        if (message.number(member) >> 63 != 0) report_negative(message, member, record);
    }
    void report_negative(const Contents& message, uint32_t member, uint64_t record);
    bool check_address(const LocationRow& location);
    void check_addresses();
    void check_overlaps();
    void check_build_ids();

    ValidationContext& context_;
    Aggregates& aggregates_;
    Certainty& certainty_;
    Strings& strings_;
    IdTable mappings_, locations_, functions_;
    LongVector<MappingRow> mapping_rows_;    // in file order
    LongVector<uint32_t> row_of_mapping_;    // by the number that mappings_ gives to an id
    LongVector<LocationRow> location_rows_;  // with an address, and a mapping that was not met yet, in file order
    Outside outside_;
};

extern const RuleList kEntryRules;
extern const RuleList kReferenceRules;

}  // namespace tracelint::pprof
