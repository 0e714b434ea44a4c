// Lists of files, as --files-from reads them: names that each end in a newline, or in a NUL.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "validator/input/source.hpp"

namespace tracelint {

inline constexpr size_t kLongestListedName = 4095;             // bytes; Linux opens no longer path
inline constexpr size_t kMostListedNames = size_t{1} << 20;    // in one list
inline constexpr size_t kLargestFileList = size_t{256} << 20;  // bytes of all names of a list

// Removes what a line of a list has if it was written on Windows: a byte order mark before the first one, and a
// carriage return at the end.
void trim_line(std::string& line, bool is_first);

// Takes a list in pieces, however it is divided. Empty names are left out. Names that end in newlines are
// trimmed.
class FileList {
  public:
    // `end`: '\n' or '\0'.
    explicit FileList(char end) : end_(end) {}

    // False: the list is faulty.
    bool take(std::string_view piece);
    // After the last piece: the last name needs no end.
    void finish() { end_name(); }

    const std::vector<std::string>& names() const { return names_; }
    // What is wrong with the list, and in which line; empty if nothing is.
    const std::string& fault() const { return fault_; }

  private:
    bool add(std::string_view part);
    void end_name();
    bool fail(std::string_view what);

    char end_;
    std::string name_;  // as far as it is known
    size_t line_ = 1;
    size_t size_ = 0;  // of all names
    std::vector<std::string> names_;
    std::string fault_;
};

// Reads `source` into the list, up to its first fault.
void read_file_list(Source& source, FileList& list);

}  // namespace tracelint
