// nettrace, sections 3.9, 3.10 and 4.5: metadata rows, and what they say of events.
#pragma once

#include "grammars/nettrace/checks/limits.hpp"
#include "grammars/nettrace/checks/part_reader.hpp"
#include "grammars/nettrace/checks/payload.hpp"
#include "validator/memory/hash_table.hpp"

namespace tracelint::nettrace {

// The metadata that events refer to.
class MetadataTable {
  public:
    struct Entry {
        enum class State : uint8_t { vacant, defined, undefined };
        uint32_t key = 0;  // the id; in versions 1 and 2 the offset of the row's event, modulo 2^32
        State state = State::vacant;
        bool has_payload_finding = false;
        uint32_t first_step = 0, steps = 0;  // of the layout of payloads; no steps: nothing is judged
        bool is_vacant() const { return state == State::vacant; }
    };

    MetadataTable(ValidationContext& context, Tracking& tracking, bool& lost)
        : entries_(context.budget, context.work), steps_(context.budget), tracking_(tracking), lost_(lost) {}

    // What is known of the id; null: nothing. Valid until the next call that adds something.
    Entry* find(uint64_t id) {
        if (last_ != nullptr && last_->key == id) [[likely]]
            return last_;
        last_ = entries_.find(static_cast<uint32_t>(id));
        return last_;
    }
    // Whether the table exceeds the processor's caches; then announce() prefetches an id that comes soon.
    bool is_large() const { return entries_.size() >= kLargeTable; }
    [[gnu::always_inline]] void announce(uint32_t id) const { entries_.prefetch(id); }
    bool is_defined(uint64_t id) {
        const Entry* const known = find(id);
        return known != nullptr && known->state == Entry::State::defined;
    }
    // Defines the id, or notes that it was missed.
    void add(uint64_t id, Entry::State state, uint64_t offset);
    // Gives a defined id its layout.
    void set_layout(uint64_t id, PayloadSteps steps, uint64_t offset);
    PayloadSteps layout_of(const Entry& entry) const {
        return PayloadSteps(steps_.begin(), steps_.size()).subspan(entry.first_step, entry.steps);
    }
    // A layout is missing for want of memory.
    void end_tracking(uint64_t offset);
    // Whether references to metadata that is not defined are missed.
    bool is_lost() const { return lost_; }
    void forget();

  private:
    static constexpr size_t kLargeTable = size_t{1} << 15;  // ids

    HashTable<Entry> entries_;
    BudgetedVector<PayloadStep, PagedVector<PayloadStep>> steps_;
    Tracking& tracking_;
    bool& lost_;
    Entry* last_ = nullptr;
};

// Reads metadata rows.
class MetadataRows {
  public:
    MetadataRows(ValidationContext& context, Findings& findings, MetadataTable& table)
        : findings_(findings), table_(table), builder_(context.budget) {}

    // A row of versions 1 to 5, the payload of an event. `event_offset` is its id in versions 1 and 2. False: a framing
    // fault, which the reader holds.
    bool read(PartReader& row, uint16_t version, uint64_t event_offset);
    // One of version 6, behind its size.
    bool read_plain(PartReader& row);

  private:
    struct Numbers {
        uint64_t event_id = 0, version = 0, level = 0;
    };
    void begin(bool is_plain);
    bool read_id(PartReader& row, bool is_wide_field);
    void define(uint64_t id, const Place& place);
    void check_range(const Place& place, uint64_t value, uint64_t most);
    bool read_signed(PartReader& row, const Field& field, uint64_t& value);
    bool read_ranged(PartReader& row, const Field& field, uint64_t most);
    bool read_old_definition(PartReader& row, uint16_t version);
    bool read_modern(PartReader& row);
    bool read_provider(PartReader& row);
    // Fields of versions 1 to 5.
    bool read_count(PartReader& part, const Field& field, uint64_t least, uint64_t& count);
    bool read_fields(PartReader& part, unsigned depth, uint64_t& count);
    bool read_tags(PartReader& row, bool has_fields);
    bool read_tag(PartReader& row, bool has_fields, std::array<bool, 256>& met);
    bool read_array_fields(PartReader& tag, unsigned depth);
    bool read_type(PartReader& part, unsigned depth, bool is_in_tag);
    bool add_type(PartReader& part, uint64_t code, const Place& place);
    bool too_deep(const Place& place, unsigned depth);
    // Fields of version 6.
    bool read_plain_fields(PartReader& part, unsigned depth);
    bool read_plain_type(PartReader& part, unsigned depth, bool& is_fixed);
    bool read_optional(PartReader& row);
    bool read_optional_item(PartReader& items, uint64_t kind);
    void finish(PartReader& row);

    Findings& findings_;
    MetadataTable& table_;
    PayloadBuilder builder_;
    bool is_plain_ = false;       // of version 6
    bool is_defining_ = false;    // the id was new and valid
    bool has_layout_ = false;     // the fields can be used
    bool stops_reading_ = false;  // fields nest too deep to go on
    uint64_t id_ = 0;
    uint64_t at_ = 0;  // offset of the id
};

extern const RuleList kMetadataRules, kMetadataFieldRules;

}  // namespace tracelint::nettrace
