// Inputs that are checked together: those that --with names with the others, files of one folder that go by names of
// files that belong together, and a recording with the dump or map that is found for it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "validator/group.hpp"
#include "validator/tool/inputs/inputs.hpp"
#include "validator/tool/run/partners.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {

struct CheckLine;

// The files of a folder that are paired with each other, at most; the rest are checked by themselves.
inline constexpr size_t kMostPaired = 1000;

class FileGroups {
  public:
    // `inputs` must not change any more.
    FileGroups(const CheckLine& line, const Inputs& inputs);

    bool has(const InputFile& input) const { return places_.contains(&input); }
    // The outcome of an input of a group. The first call for a group checks all of its files, by `check_one`, while
    // calls for the others wait. Null if there was no memory for it. For each input once; from any thread.
    using CheckOne = std::function<std::unique_ptr<Outcome>(const InputFile&, Facts*)>;
    std::unique_ptr<Outcome> take(const InputFile& input, const CheckOne& check_one);
    // What was found for a recording. Call when it was taken.
    const Partners& partners_of(const InputFile& input) const;
    // Whether a file that was found in a folder, in a run with --with, belongs to no other file. Call when it was
    // taken.
    bool is_stranger(const InputFile& input) const;

  private:
    struct Group {
        std::vector<const InputFile*> inputs;
        std::vector<std::string> paths;  // findings refer to them
        bool is_found = false;           // in a folder
        bool is_mixed = false;           // some were, or all
        bool seeks_partners = false;     // of its one recording
        Partners partners;
        std::vector<bool> is_paired;
        std::mutex mutex;
        bool is_checked = false;
        std::vector<std::unique_ptr<Outcome>> outcomes;
    };
    struct InGroup {
        Group* group = nullptr;
        size_t at = 0;
    };

    Group& start(bool is_found);
    void join(Group& group, const InputFile& input);
    void join_all();
    void find_in_folders();
    void seek_partners();
    void check(Group& group, const CheckOne& check_one) const;
    void check_with_partners(Group& group, const CheckOne& check_one) const;
    // A file of a group, by its path, and its facts.
    struct Member {
        const std::string& path;
        Facts* facts;
        Outcome* outcome;  // null: there was no memory for it
    };
    void judge(Group& group, const std::vector<Member>& all, Budget& budget) const;
    void try_to_judge(Group& group, const std::vector<Member>& all, Budget& budget) const;

    const CheckLine& line_;
    const Inputs& inputs_;
    std::vector<std::unique_ptr<Group>> groups_;
    std::map<const InputFile*, InGroup> places_;
};

}  // namespace tracelint
