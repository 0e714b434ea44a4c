// Files that belong together, and the grammars that judge them. grammars/groups.hpp lists those.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "validator/facts.hpp"
#include "validator/format.hpp"
#include "validator/tables/rule.hpp"

namespace tracelint {

struct Outcome;

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
    // All must outlive the check. Tables of the judges take their memory from `budget`, like the facts.
    GroupCheck(std::span<GroupMember> with, Budget& from, uint64_t most) : members(with), budget(from), memory(most) {}
    GroupCheck(const GroupCheck&) = delete;
    GroupCheck& operator=(const GroupCheck&) = delete;
    ~GroupCheck() { budget.give_back(charged_); }

    std::span<GroupMember> members;
    Budget& budget;
    uint64_t memory;  // bytes, for messages
    WorkCounter work;
    bool is_found = false;    // the files were found in one folder, and the user did not say that they belong together
    bool is_mixed = false;    // files of several runs may be among them: what belongs together is to be chosen
    bool is_partial = false;  // for want of memory, not all files of the group are members
    bool limit_hit = false;   // a limit left something unchecked
    struct Paired {
        size_t code;  // the member with the functions
        Pairing pairing;
    };
    std::vector<Paired> pairings;  // by keep()

    // Whether a file of the group may be something else than it seems, for a limit. Asked for each file, looked for
    // once.
    bool is_incomplete();
    // Whether the facts of both members are complete as far as the rule needs them.
    bool can_check(const Rule& rule, size_t one, size_t other) const {
        return (rule.needs & (members[one].facts->missing() | members[other].facts->missing())) == 0;
    }

    // Reports a finding in the member `in`, which the member `with` is the other file of. False, and nothing is
    // reported, if facts that the rule needs are incomplete.
    template <const Rule& R, size_t N>
    bool add(size_t in, size_t with, const Place& place, const uint64_t (&numbers)[N], RelatedPlace related = {},
             std::string_view hint = {}) {
        static_assert(R.message.numbers == N, "the rule's message needs another count of numbers");
        return add<R>(in, with, place, std::span<const uint64_t>(numbers), related, hint);
    }
    template <const Rule& R>
    bool add(size_t in, size_t with, const Place& place, RelatedPlace related = {}, std::string_view hint = {}) {
        static_assert(R.message.numbers == 0, "the rule's message needs numbers");
        return add<R>(in, with, place, std::span<const uint64_t>(), related, hint);
    }
    // Keeps a pairing, which takes its memory from the budget after the first kFreePairings. False: that does not allow
    // for it.
    [[nodiscard]] bool keep(size_t code, Pairing pairing);

  private:
    template <const Rule& R>
    bool add(size_t in, size_t with, const Place& place, std::span<const uint64_t> numbers, RelatedPlace related,
             std::string_view hint) {
        static_assert(R.needs != 0 || is_tracking_limit(R), "a rule about several files names the facts it needs");
        if (!can_check(R, in, with)) return false;
        add(R, in, with, place, numbers, related, hint);
        return true;
    }
    void add(const Rule& rule, size_t in, size_t with, const Place& place, std::span<const uint64_t> numbers,
             RelatedPlace related, std::string_view hint);

    static constexpr size_t kFreePairings = 256;
    uint64_t charged_ = 0;                 // for pairings
    std::optional<bool> is_kind_missing_;  // of a member; empty: not looked for yet
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

// A file whose check is over.
struct JoinedFile {
    std::string_view path;       // as given by the user; outlives all reports
    Facts* facts = nullptr;      // that its check fills
    Outcome* outcome = nullptr;  // null: there was no memory for it
    ReportOptions report{};      // as its check had them
};

// How the files came together.
struct Joining {
    bool is_found = false;  // as in GroupCheck
    bool is_mixed = false;  // the same
};

// Adds what the files say of each other to their outcomes: findings, and the pairings to those with the functions.
// `budget` is that of the facts, `memory` all of it, for messages. Returns of each file whether it was compared with
// another one. A file that could not be read to its end says too little of the others, and is left out. Throws nothing:
// without memory, the outcomes say that a limit was hit.
std::vector<bool> judge_joined(std::vector<JoinedFile> files, const Joining& joining, Budget& budget, uint64_t memory);

}  // namespace tracelint
