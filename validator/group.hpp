// Files that belong together, and the grammars that judge them. grammars/groups.hpp lists those.
#pragma once

#include <string>
#include <vector>

#include "validator/facts.hpp"
#include "validator/format.hpp"
#include "validator/pairing.hpp"

namespace tracelint {

// A file of a group, when its own walk is over.
struct GroupMember {
    std::string_view path;     // as given by the user; outlives all reports
    Facts* facts = nullptr;    // of this file; their order may change
    Report* report = nullptr;  // what the group's rules find in this file
};

// A place in another file of the group.
struct RelatedPlace {
    uint64_t offset = kNone;  // kNone: the file as a whole
    uint64_t length = 0;
};
inline RelatedPlace related_to(const Place& place) { return {place.offset, place.length}; }

// The work on one group.
class GroupCheck {
  public:
    // All must outlive the check. Tables of the judges take their memory from `budget`, which holds the facts, too.
    GroupCheck(std::span<GroupMember> with, Budget& from, uint64_t most) : members(with), budget(from), memory(most) {}

    std::span<GroupMember> members;
    Budget& budget;
    uint64_t memory;  // bytes, for messages
    WorkCounter work;
    bool is_found = false;   // the files lay in one folder, and nobody said that they belong together
    bool is_mixed = false;   // files of several runs may be among them: what belongs together is to be chosen
    bool limit_hit = false;  // a limit left something unchecked
    struct Paired {
        size_t code;  // the member with the functions
        Pairing pairing;
    };
    std::vector<Paired> pairings;

    // Reports a finding in the member `in`, which the member `with` is the other file of.
    template <const Rule& R, size_t N>
    void add(size_t in, size_t with, const Place& place, const uint64_t (&numbers)[N], RelatedPlace related = {},
             std::string_view hint = {}) {
        static_assert(R.message.numbers == N, "the rule's message needs another count of numbers");
        add(R, in, with, place, std::span<const uint64_t>(numbers), related, hint);
    }
    template <const Rule& R>
    void add(size_t in, size_t with, const Place& place, RelatedPlace related = {}, std::string_view hint = {}) {
        static_assert(R.message.numbers == 0, "the rule's message needs numbers");
        add(R, in, with, place, std::span<const uint64_t>(), related, hint);
    }

  private:
    void add(const Rule& rule, size_t in, size_t with, const Place& place, std::span<const uint64_t> numbers,
             RelatedPlace related, std::string_view hint);
};

// A grammar of groups.
struct GroupGrammar {
    const Grammar* grammar;
    void (*judge)(GroupCheck& check);
};

// All of them, in the order of grammars/groups.hpp.
std::span<const GroupGrammar* const> group_grammars();

// Asks all of them. May throw std::bad_alloc.
void judge_group(GroupCheck& check);

}  // namespace tracelint
