// What a walk tells about a file for the checks between files.
#include "validator/facts.hpp"

#include <algorithm>

namespace tracelint {
namespace {

constexpr size_t kLongestBaseName = 255;  // NAME_MAX of Linux; no file has a longer one

constexpr std::string_view kDroppedNames[] = {"//anon", "[anon:", "/memfd:"};
constexpr std::string_view kKeptNames[] = {"/dev/zero", "/anon_hugepage", "/SYSV", "[heap]", "[stack"};

Mapping::Kind kind_of(std::string_view name) {
    const auto begins = [&](std::string_view start) { return name.starts_with(start); };
    if (std::ranges::any_of(kDroppedNames, begins)) return Mapping::Kind::dropped_anonymous;
    return std::ranges::any_of(kKeptNames, begins) ? Mapping::Kind::kept_anonymous : Mapping::Kind::file;
}

}  // namespace

void Recording::see(uint32_t pid, uint64_t time) {
    if (time != 0) {
        first_time = std::min(first_time, time);
        last_time = std::max(last_time, time);
    }
    if (pid == last_seen_ || pid == 0 || pid == ~uint32_t{0}) return;
    last_seen_ = pid;
    if (pids_.find_or_insert({pid}) == nullptr) is_cut_ = true;
}

void Recording::add_mapping(Mapping mapping, std::string_view name) {
    mapping.kind = kind_of(name);
    const std::string_view base = name.substr(name.rfind('/') + 1);
    mapping.base_name = names_.size();
    mapping.base_name_length = 0;
    if (base.size() <= kLongestBaseName && mapping.kind == Mapping::Kind::file) {
        if (names_.reserve(names_.size() + base.size())) {
            for (const char c : base) (void)names_.push_back(c);  // there is room
            mapping.base_name_length = static_cast<uint16_t>(base.size());
        } else {
            is_cut_ = true;
        }
    }
    mappings.add(mapping);
}

}  // namespace tracelint
