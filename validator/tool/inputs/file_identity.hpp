// Tells whether two names, or a name and an open file, are one file.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace tracelint {

struct FileIdentity {
    dev_t device = 0;
    ino_t number = 0;  // of the inode

    bool operator==(const FileIdentity&) const = default;
};

// Nothing for what is no regular file: a pipe or a terminal can be input and output at once.
std::optional<FileIdentity> regular_file(int descriptor);
// The file that an input is read from; "-" is standard input.
std::optional<FileIdentity> regular_file(const std::string& path);

}  // namespace tracelint
