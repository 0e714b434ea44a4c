// From the names on the command line to the files that are checked.
#pragma once

#include <sys/types.h>
#include <optional>
#include <string>
#include <vector>

#include "validator/input/source.hpp"
#include "validator/tool/inputs/exclusions.hpp"
#include "validator/tool/inputs/manifest.hpp"

namespace tracelint {

class Seen;

// Stands for no index of a folder.
inline constexpr size_t kNoFolder = ~size_t{0};

struct InputFile {
    std::string name;            // as named on the command line, or within the folder `parent`; "-" is standard input
    size_t parent = kNoFolder;   // index of the folder that it was found in; kNoFolder: it was named
    std::string failure = {};    // why a folder could not be listed; then there is nothing to check
    std::optional<size_t> walk;  // index of the named folder that it was found in or stands for
    bool is_named = false;       // a file that was found in a folder was also named
};

// Whether there is a folder of this name, or a link to one.
bool is_folder(const std::string& path);

// The inputs in the order of the command line. A named folder stands for the regular files in it and in its subfolders,
// sorted by path. It also lists what may be a file but cannot be opened: dangling links, folders that cannot be listed.
// Links to folders are not followed.
//
// A file is checked once, however often it is named, on its own or by folders that hold it: services drop findings that
// come twice. A link and the file that it leads to are two.
//
// A path is put together when it is needed: a folder's name is kept once, however many files are below it.
class Inputs {
  public:
    // Excluded names and excluded contents of folders are left out; a folder that was named is not.
    explicit Inputs(const std::vector<std::string>& names, const Exclusions* exclusions = nullptr);

    // Those of a manifest. What it names is a file, even if it is a folder, which cannot be read. URLs are read from
    // the folder `fetched`; empty: they are paths like others.
    explicit Inputs(std::vector<ManifestEntry> entries, std::string fetched);

    size_t size() const { return list_.size(); }
    const InputFile& operator[](size_t index) const { return list_[index]; }
    auto begin() const { return list_.begin(); }
    auto end() const { return list_.end(); }
    // As the user would name it.
    std::string path_of(const InputFile& input) const;
    // Where it is opened: its path, or, if it is a URL, where it was fetched to.
    std::string place_of(const InputFile& input) const;
    // Why it was not fetched, as a file next to its place says; empty if nothing does.
    std::string fetch_failure(const InputFile& input) const;
    // The sum of their sizes, in bytes; 0: one is not a regular file, or cannot be read.
    uint64_t total_size() const;
    // Opens it, see open_input(). A file that was found must still be a regular file; one that was named may be
    // anything.
    std::unique_ptr<Source> open(const InputFile& input) const;
    // What the manifest says of it, but for its path; null if there is no manifest.
    const ManifestEntry* entry_of(const InputFile& input) const {
        return entries_.empty() ? nullptr : &entries_[static_cast<size_t>(&input - list_.data())];
    }
    // The folders that were named.
    const std::vector<std::string>& walks() const { return walks_; }
    // Files that were named and excluded.
    uint64_t excluded() const { return excluded_; }
    // Files and folders that were found in a named folder and excluded.
    uint64_t excluded_in(size_t walk) const { return excluded_in_[walk]; }
    // Whether a folder, or one within it, was walked through for a name before, so that its files are not its own.
    bool repeats(size_t walk) const { return repeats_[walk]; }
    // Removes the inputs for which `condition(input)` holds. Those of a manifest stay.
    template <class Condition>
    void erase_if(Condition condition) {
        if (entries_.empty()) std::erase_if(list_, condition);
    }

  private:
    friend class FolderWalk;
    void remove_repeated();
    struct Folder {
        std::string name;
        size_t parent;  // kNoFolder: it was named
    };

    std::vector<InputFile> list_;
    std::vector<ManifestEntry> entries_;  // of list_; empty: there is no manifest
    std::string fetched_;
    std::vector<Folder> folders_;  // all that were walked through
    std::vector<std::string> walks_;
    std::vector<uint64_t> excluded_in_;  // by walk
    std::vector<bool> repeats_;          // by walk
    uint64_t excluded_ = 0;
    const Exclusions* exclusions_ = nullptr;  // in the constructor only; null: none
    Seen* seen_ = nullptr;                    // in the constructor only; null: there is one name
};

// Opens a file, or standard input for "-". Never null, see open_file().
std::unique_ptr<Source> open_input(const std::string& path);

struct FileIdentity {
    dev_t device = 0;
    ino_t number = 0;  // of the inode

    bool operator==(const FileIdentity&) const = default;
};

// Empty for anything but a regular file: a pipe or a terminal can be input and output at once.
std::optional<FileIdentity> regular_file(int descriptor);
// The file that an input is read from; "-" is standard input.
std::optional<FileIdentity> regular_file(const std::string& path);

}  // namespace tracelint
