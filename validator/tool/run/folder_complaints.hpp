// Files in the walked folders that were not checked, and the messages about them: a gate that checked nothing, or not
// everything, must not look like one that did. And what the name of a file says of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "validator/tool/inputs/inputs.hpp"
#include "validator/tool/options/check_options.hpp"

namespace tracelint {

// Whether an input is skipped: it was found in a folder and is not a trace, whatever container it is in, and nothing
// expects it to be one. `path`: as messages name it.
bool is_skipped(const Choices& given, const InputFile& input, const std::string& path, const Outcome& outcome);

class FolderComplaints {
  public:
    // `inputs` must outlive it.
    explicit FolderComplaints(const Inputs& inputs) : inputs_(inputs), folders_(inputs.walks().size()) {}

    void add_checked(const InputFile& input);
    void add_skipped(const InputFile& input, const std::string& path, const Outcome& outcome);

    // The folders without a file that was checked, but for those that are part of another one.
    std::vector<std::string> without_traces() const;
    // On standard error.
    void complain_of_all() const;

  private:
    // The files of one walked folder.
    struct Folder {
        uint64_t checked = 0;
        uint64_t skipped = 0;  // the next two among them
        uint64_t empty = 0;
        uint64_t hidden = 0;    // of the empty ones, by their names
        uint64_t pointers = 0;  // of Git LFS
    };
    static std::string content_of(const Folder& folder, uint64_t excluded);
    static std::string unchecked_in(const Folder& folder);
    bool has_no_traces(size_t walk) const { return folders_[walk].checked == 0 && !inputs_.repeats(walk); }

    const Inputs& inputs_;
    std::vector<Folder> folders_;
};

// Whether writers give their traces such names, also if they are compressed: a.dump, xray-log.x, perf.data.gz.
bool is_named_like_trace(std::string_view path);

// Whether the name begins with a dot, as that of a file which keeps an empty folder in git.
bool is_hidden(std::string_view path);

}  // namespace tracelint
