// Files in memory that are checked as one group, and the oracle for such groups. Tests and the fuzz target share them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fuzz/oracles.hpp"
#include "validator/group.hpp"

namespace tracelint {

struct GroupFile {
    std::string name;
    Bytes bytes;
};

struct GroupLimits {
    uint64_t memory = Limits{}.memory;  // of the facts and the tables of the judges
    Limits walk{};                      // of the walk over each file
    bool is_found = false;              // as in GroupCheck
};

// A group that was judged. The files must outlive it.
struct JudgedGroup {
    std::vector<std::unique_ptr<Outcome>> outcomes;  // of each file, in the order of the files
    std::vector<GroupCheck::Paired> pairings;
    bool limit_hit = false;
    uint64_t facts = 0;        // in all tables
    uint64_t work = 0;         // of the judges; counted in builds with agreement checks
    uint64_t walk_work = 0;    // of the walks, and of their facts; counted in the same way
    uint64_t most_taken = 0;   // from the budget, of `memory`; counted in the same way
    uint64_t most_walk = 0;    // from the budget of a walk
    bool is_returned = false;  // all that was taken from it
};

// `kept_per_rule`: as in ReportOptions.
JudgedGroup judge_files(const std::vector<GroupFile>& files, const GroupLimits& limits = {}, size_t kept_per_rule = 0);

// Files in one input: a name up to a line feed, four bytes of length, least significant first, and as many bytes of the
// file, or as there are. Four files at most.
std::vector<GroupFile> files_in(Bytes input);
// The input that files_in() takes apart.
std::string framed(const std::vector<GroupFile>& files);

// Judging ends within a bound on its work, every finding is in its files, their order does not matter, and within
// limits no finding is new and a missing one is explained. `seed` chooses whether the files were found in one folder,
// and the limits: of the walks, of what is compared, or of both.
Complaint group_holds(const std::vector<GroupFile>& files, uint64_t seed);
// Only the last of these, for given limits.
Complaint limits_make_up(const JudgedGroup& without, const std::vector<GroupFile>& files, const GroupLimits& limits);

// One of the files changed, by a mutation of its format or in one byte. The result owns all bytes.
struct MutatedGroup {
    std::vector<std::string> bytes;
    std::vector<GroupFile> files;
};
MutatedGroup mutated(const std::vector<GroupFile>& files, uint64_t seed);

// What a group takes.
struct GroupCost {
    uint64_t bytes = 0;  // of all files
    uint64_t files = 0;
    uint64_t work = 0;      // of the walks and the judges; counted in builds with agreement checks
    uint64_t memory = 0;    // of the facts and the judges; counted in the same way
    uint64_t pairings = 0;  // lines that always come
    bool limit_hit = false;
};
GroupCost group_cost(const std::vector<GroupFile>& files, bool is_found);
// Whether work, memory and pairings are within their bounds, which are linear in the size of all files and their
// number.
Complaint fault_of(const GroupCost& cost);
// The same, and whether work grew faster than the files from `smaller` on, or from half of its bound.
Complaint fault_of(const GroupCost& cost, const GroupCost& smaller);

// The most work for facts of this number: each process is gone through once for each of the code files, and sorted.
uint64_t most_work(uint64_t facts, size_t files);

}  // namespace tracelint
