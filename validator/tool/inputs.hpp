// From the names on the command line to the files that are checked.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "validator/source.hpp"

namespace tracelint {

// Stands for no index of a folder.
inline constexpr size_t kNoFolder = ~size_t{0};

struct InputFile {
    std::string name;            // as named on the command line, or within the folder `parent`; "-" is standard input
    size_t parent = kNoFolder;   // index of the folder that it was found in; kNoFolder: it was named
    std::string failure = {};    // why a folder could not be listed; then there is nothing to check
    std::optional<size_t> walk;  // index of the named folder that it was found in or stands for
};

// The inputs in the order of the command line. A named folder stands for the regular files in it and in its subfolders,
// sorted by path, and for what cannot be told to be none: links without a target, folders that cannot be listed. Links
// to folders are not followed.
//
// A path is put together when it is needed: a folder's name is kept once, however many files lie below it.
class Inputs {
  public:
    explicit Inputs(const std::vector<std::string>& names);

    size_t size() const { return list_.size(); }
    const InputFile& operator[](size_t index) const { return list_[index]; }
    auto begin() const { return list_.begin(); }
    auto end() const { return list_.end(); }
    // As the user would name it.
    std::string path_of(const InputFile& input) const;
    // The folders that were named.
    const std::vector<std::string>& walks() const { return walks_; }
    // Removes the inputs for which `condition(input)` holds.
    template <class Condition>
    void erase_if(Condition condition) {
        std::erase_if(list_, condition);
    }

  private:
    friend class FolderWalk;
    struct Folder {
        std::string name;
        size_t parent;  // kNoFolder: it was named
    };

    std::vector<InputFile> list_;
    std::vector<Folder> folders_;  // all that were walked through
    std::vector<std::string> walks_;
};

// Opens a file, or standard input for "-". Never null, see open_file().
std::unique_ptr<Source> open_input(const std::string& path);

}  // namespace tracelint
