// XRay, section 3.6: compares the paths of one block of a profile with each other.
#pragma once

#include <vector>

#include "grammars/xray/records.hpp"
#include "validator/memory/limits.hpp"

namespace tracelint::xray {

class ProfilePaths {
  public:
    struct Path {
        uint32_t start;  // offset in the block
        uint32_t ids;    // how many
    };
    // A path that is at fault.
    struct Fault {
        uint64_t key;   // two ids of it, for sorting
        uint32_t path;  // its number in the block
        bool is_twice;  // xray/profile-duplicate-path; otherwise xray/profile-orphan-path
    };

    ProfilePaths(Budget& budget, WorkCounter& work) : budget_(budget), work_(work) {}
    ProfilePaths(const ProfilePaths&) = delete;
    ProfilePaths& operator=(const ProfilePaths&) = delete;
    ~ProfilePaths() { budget_.give_back(paths_.capacity() * sizeof(Path)); }

    // Adds a path. False: the budget is spent.
    [[nodiscard]] bool add(const Path& path);
    // Compares all paths of the block. False: the budget is spent.
    [[nodiscard]] bool compare(Bytes block);
    // What compare() found, in the order of the block.
    const std::vector<Fault>& faults() const { return faults_; }
    const Path& operator[](size_t number) const { return paths_[number]; }
    void clear();

  private:
    // The faults [begin, end), whose paths have the first `steps` ids from the root in common.
    struct Group {
        uint32_t begin, end;
        uint32_t steps;
    };

    uint32_t id_from_root(const Path& path, size_t step) const;
    size_t common(const Path& a, const Path& b) const;
    void sort_by_next(const Group& group);
    void sort();
    void judge();

    Budget& budget_;
    WorkCounter& work_;
    Bytes block_;
    std::vector<Path> paths_;
    std::vector<Fault> faults_;  // all paths, until compare() has judged them
};

}  // namespace tracelint::xray
