// The oracle for lists of files: any bytes are names or a fault with its line, however they are divided; and whatever
// the patterns, what is in an excluded folder below their base is excluded. A header of its own, since only tests and
// fuzz targets link the tool.
#pragma once

#include <algorithm>
#include <filesystem>

#include "fuzz/oracles.hpp"
#include "validator/generator/record_values.hpp"
#include "validator/tool/inputs/exclusions.hpp"
#include "validator/tool/inputs/file_list.hpp"
#include "validator/tool/json/text.hpp"

namespace tracelint {

// The names, found in the plainest way. The text has no fault.
inline std::vector<std::string> plainly_listed(std::string_view text, char end) {
    std::vector<std::string> names(1);
    for (const char c : text) {
        if (c == end)
            names.emplace_back();
        else
            names.back() += c;
    }
    if (end == '\n' && names[0].starts_with("\xef\xbb\xbf")) names[0].erase(0, 3);
    for (std::string& name : names)
        if (end == '\n' && name.ends_with('\r')) name.pop_back();
    std::erase(names, "");
    return names;
}

inline Complaint excludes_contents_of_folders(const std::vector<std::string>& names) {
    constexpr size_t kMostPatterns = 4, kMostPaths = 16;
    std::vector<std::string> patterns;
    for (const std::string& name : names)
        if (patterns.size() < kMostPatterns && PathPattern::fault_of(name).empty()) patterns.push_back(name);
    const Exclusions exclusions("/base", patterns);
    for (const std::string& name : std::span(names).first(std::min(names.size(), kMostPaths))) {
        const std::string path = "/base/x/" + name;
        // Outside of the base a pattern without a slash is compared only with the last name.
        if (!std::filesystem::path(path).lexically_normal().string().starts_with("/base/")) continue;
        if (exclusions.covers(path) && !path.ends_with("..") && !exclusions.covers(path + "/y"))
            return "what lies in an excluded folder is not excluded: " + tracelint::quoted(path);
    }
    return std::nullopt;
}

inline Complaint file_list(std::string_view text, uint64_t seed) {
    Random random(seed);
    const char end = one_in(random, 2) ? '\n' : '\0';
    FileList whole(end), divided(end);
    if (whole.take(text)) whole.finish();
    for (std::string_view rest = text; !rest.empty();) {
        const size_t piece = between(random, 1, 1 + rest.size() / 4);
        if (!divided.take(rest.substr(0, piece))) break;
        rest.remove_prefix(piece);
    }
    divided.finish();
    if (whole.names() != divided.names() || whole.fault() != divided.fault()) return "how the list is divided matters";
    if (printable(whole.fault()) != whole.fault()) return "the fault has unprintable characters: " + whole.fault();
    if (whole.fault().size() > 1000) return "the fault is long: " + whole.fault();
    if (whole.fault().empty() && whole.names() != plainly_listed(text, end)) return "the names are wrong";
    if (!whole.fault().empty() && text.find('\0') == text.npos && text.size() <= kLongestListedName)
        return "a fault in a short list of names: " + whole.fault();
    return excludes_contents_of_folders(whole.names());
}

}  // namespace tracelint
