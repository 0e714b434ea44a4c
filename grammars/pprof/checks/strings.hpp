// pprof, section 5.2: the string table, and the indexes into it.
#pragma once

#include "grammars/pprof/checks/findings.hpp"
#include "grammars/pprof/checks/registers.hpp"
#include "validator/memory/delay_queue.hpp"

namespace tracelint::pprof {

class Strings {
  public:
    Strings(ValidationContext& context, Aggregates& aggregates, Certainty& certainty)
        : context_(context),
          aggregates_(aggregates),
          certainty_(certainty),
          entries_(context.budget),
          uses_(context.budget, context.work),
          used_(context.budget),
          hashes_(context.budget, context.work) {}

    // An entry of the table. `field`: of the whole entry, `text`: its content, which begins at `offset`.
    void add(Bytes text, uint64_t offset, const Mark& field);
    // An entry that was not read.
    void add_unread() { ++unread_; }
    // An index that some message has.
    void use(uint64_t index, const Member& member, Part value, uint64_t record) {
        if (index != 0 && !used_.find(index)) use_first(index, member, mark_of(value, record));
    }

    uint64_t size() const { return entries_.size() + unread_; }
    // Whether there is a table, and whether its entries are known.
    bool is_missing() const { return size() == 0 && !certainty_.is_unread(OfProfile::string_table); }

    // What an index means; only if the rules about content are asked (may_be_read()).
    bool may_be_read() const {
        return !certainty_.is_unread(OfProfile::string_table) && !is_missing() && !certainty_.are_indexes_shifted &&
               unread_ == 0;
    }
    bool has(uint64_t index) const { return index < entries_.size(); }
    bool is_empty(uint64_t index) const { return entries_[index].text_size == 0; }
    bool has_one_byte(uint64_t index) const { return entries_[index].text_size == 1; }
    bool is_name(uint64_t index) const { return entries_[index].is_name; }
    uint64_t hash_of(uint64_t index) const { return entries_[index].hash; }

    void finish(uint64_t size);
    // The strings that wait to be compared with the others; before finish().
    void settle();

  private:
    struct Entry {
        uint64_t hash;
        uint64_t offset : 56;    // of the field
        uint64_t text_size : 7;  // bytes; 2: or more
        uint64_t is_name : 1;
        uint32_t length, record;  // of the field

        static constexpr uint64_t kLargestOffset = (uint64_t{1} << 56) - 1;
        Mark field() const { return {offset, length, record}; }
    };
    // The first use of an index. Files may have millions.
    struct Use {
        uint64_t key;          // the index
        uint64_t offset : 56;  // of the value
        uint64_t length : 8;
        uint32_t record;
        uint32_t member;  // the position in members_, from 1; 0: none yet

        Mark value() const { return {offset, static_cast<uint32_t>(length), record}; }
    };
    static constexpr size_t kMostMembers = 16;  // more than the messages have that are indexes
    struct Hash {
        uint64_t key;  // not 0
        bool is_vacant() const { return key == 0; }
    };
    // Until the slot of its hash is in the cache.
    struct DelayedText {
        uint64_t hash, index, offset;
    };
    void look_up(const DelayedText& text);
    void use_first(uint64_t index, const Member& member, const Mark& value);
    uint32_t position_of(const Member& member);
    void check_text(Bytes text, uint64_t offset, const Mark& field);
    void report_unused();

    ValidationContext& context_;
    Aggregates& aggregates_;
    Certainty& certainty_;
    LongVector<Entry> entries_;
    OrderedTable<Use> uses_;                             // of indexes other than 0
    DenseTable<bool> used_;                              // which of them are there
    std::array<const Member*, kMostMembers> members_{};  // that had an index, in the order in which they came
    HashTable<Hash> hashes_;
    DelayQueue<DelayedText, 8> waiting_;
    const uint64_t seed_ = hash_seed();
    uint64_t unread_ = 0;
    uint64_t duplicates_ = 0;  // and the first of them
    uint64_t first_duplicate_ = 0;
};

extern const RuleList kStringRules;

}  // namespace tracelint::pprof
