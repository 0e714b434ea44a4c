// pprof, section 5: findings that are reported once for all places in a file, and what decides at the end of the file
// whether a rule is asked at all (section 4.3).
#pragma once

#include <vector>

#include "grammars/pprof/records.hpp"
#include "validator/format.hpp"

namespace tracelint::pprof {

using protobuf::Contents, protobuf::Member, protobuf::Part;

// A place that is remembered.
struct Mark {
    uint64_t offset = 0;
    uint32_t length = 0;
    uint32_t record = 0;  // the index of the record; kNoRecord: none, or one beyond 32 bits

    static constexpr uint32_t kNoRecord = 0xffffffff;
};

inline Mark mark_of(Part part, uint64_t record) {
    return {part.at, static_cast<uint32_t>(std::min<uint64_t>(part.size, 0xffffffff)),
            record < Mark::kNoRecord ? static_cast<uint32_t>(record) : Mark::kNoRecord};
}

// The place of a finding about a member of a message, or about the message itself. Its names are looked up once it is
// reported.
struct Spot {
    Mark mark;
    const Member* member = nullptr;

    operator Place() const;  // NOLINT(google-explicit-constructor): what reports take
};
inline Spot place_of(const Mark& mark, const Member* member = nullptr) { return {mark, member}; }

// Rules that are reported at their first place, with the number of all places (the third number of the message).
class Aggregates {
  public:
    explicit Aggregates(ValidationContext& context) : context_(context) {}

    void add(const Rule& rule, const Spot& place, std::initializer_list<uint64_t> numbers = {},
             std::string_view text = {}) {
        add_many(rule, 1, place, numbers, text);
    }
    // The same for several places, the first of which is `place`.
    void add_many(const Rule& rule, uint64_t count, const Spot& place, std::initializer_list<uint64_t> numbers,
                  std::string_view text = {});
    // The same for a rule that is reported once for each member of a message.
    void add_for(const Member& member, const Rule& rule, uint64_t count, const Spot& place) {
        tally(rule, &member, count, place, {}, member.path);
    }
    // Reports what was added.
    void finish();

  private:
    struct Found {
        const Member* member;  // null: of any
        Diagnostic first;
        uint64_t count = 0;
    };
    void tally(const Rule& rule, const Member* member, uint64_t count, const Spot& place,
               std::initializer_list<uint64_t> numbers, std::string_view text);

    ValidationContext& context_;
    std::vector<Found> found_;  // by rule and member: bounded by the tables
};

// What is not known at the end of the file.
struct Certainty {
    bool is_stopped = false;       // the walk ended before the end of the file
    bool has_gap = false;          // a run of zeros was stepped over
    bool is_concatenated = false;  // two profiles
    bool has_wire_fault = false;
    uint32_t unread = 0;  // the bit of each top-level number of which a field was not read
    // The index of a string may mean another one than was meant.
    bool are_indexes_shifted = false;

    bool knows_all() const { return !is_stopped && !has_gap && !is_concatenated; }
    bool is_unread(uint32_t number) const { return (unread >> number & 1) != 0; }
    void lose(uint64_t number) {
        if (number < 32) unread |= uint32_t{1} << number;
    }
};

// A limit leaves something out: the note says so once, and what depends on the whole file is not asked any more.
void note_limit(ValidationContext& context, uint64_t offset);

extern const RuleList kFindingRules;

}  // namespace tracelint::pprof
