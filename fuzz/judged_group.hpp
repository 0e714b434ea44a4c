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
    bool is_found = false;              // as in GroupCheck
};

// A group that was judged. The files must outlive it.
struct JudgedGroup {
    std::vector<std::unique_ptr<Outcome>> outcomes;  // of each file, in the order of the files
    std::vector<GroupCheck::Paired> pairings;
    bool limit_hit = false;
    uint64_t facts = 0;        // in all tables
    uint64_t work = 0;         // of the judges; counted in builds with agreement checks
    uint64_t most_taken = 0;   // from the budget, of `memory`; counted likewise
    bool is_returned = false;  // all that was taken from it
};

JudgedGroup judge_files(const std::vector<GroupFile>& files, const GroupLimits& limits = {});

// Files in one input: a name up to a line feed, four bytes of length, least significant first, and as many bytes of the
// file, or as there are. Four files at most.
std::vector<GroupFile> files_in(Bytes input);
// The input that files_in() takes apart.
std::string framed(const std::vector<GroupFile>& files);

// Judging ends within a bound on its work, every finding lies in its files, their order does not matter, and with less
// memory no finding is new and none is missing without a word. `seed` chooses whether the files were found in one
// folder, and how much memory there is.
Complaint group_holds(const std::vector<GroupFile>& files, uint64_t seed);

// The most work for facts of this number: each process is gone through once for each of the code files, and sorted.
uint64_t most_work(uint64_t facts, size_t files);

}  // namespace tracelint
