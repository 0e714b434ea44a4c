// Reads lists of files. A list may come from a stranger, or be no list at all.
#include "validator/tool/inputs/file_list.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace tracelint {

void trim_line(std::string& line, bool is_first) {
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (is_first && line.starts_with(kByteOrderMark)) line.erase(0, kByteOrderMark.size());
    if (line.ends_with('\r')) line.pop_back();
}

bool FileList::take(std::string_view piece) {
    while (!piece.empty() && fault_.empty()) {
        const size_t end = piece.find(end_);
        if (!add(piece.substr(0, end))) break;
        if (end == piece.npos) break;
        end_name();
        ++line_;
        piece.remove_prefix(end + 1);
    }
    return fault_.empty();
}

bool FileList::add(std::string_view part) {
    if (part.find('\0') != part.npos) return fail("has a NUL; use -0 for a list whose names end with NUL");
    // One more for the carriage return.
    if (part.size() > kLongestListedName + 1 - name_.size())
        return fail(fmt::format("is longer than a path may be, which is {} bytes; is this a list of files?",
                                kLongestListedName));
    name_ += part;
    return true;
}

void FileList::end_name() {
    if (!fault_.empty()) return;
    if (end_ == '\n') trim_line(name_, line_ == 1);
    if (name_.empty()) return;
    if (names_.size() == kMostListedNames || name_.size() > kLargestFileList - size_) {
        fail(fmt::format("is one too many: a list holds up to {} names of {} MiB; divide it", kMostListedNames,
                         kLargestFileList >> 20));
        return;
    }
    size_ += name_.size();
    names_.push_back(std::move(name_));
    name_.clear();
}

bool FileList::fail(std::string_view what) {
    fault_ = fmt::format("{} {} {}", end_ == '\n' ? "line" : "name", line_, what);
    return false;
}

void read_file_list(Source& source, FileList& list) {
    std::string buffer(size_t{64} << 10, '\0');
    while (const size_t got = source.read(reinterpret_cast<uint8_t*>(buffer.data()), buffer.size()))
        if (!list.take(std::string_view(buffer).substr(0, got))) return;
    list.finish();
}

}  // namespace tracelint
