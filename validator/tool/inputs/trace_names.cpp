// The names of traces. .pre-commit-hooks.yaml has the same, as a regular expression.
#include "validator/tool/inputs/trace_names.hpp"

#include <algorithm>

namespace tracelint {
namespace {

std::string_view name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string_view without_container(std::string_view name) {
    for (const std::string_view ending : {".gz", ".zst"})
        if (name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
    return name;
}

// perf-PID.map
bool is_perf_map(std::string_view name) {
    constexpr std::string_view kStart = "perf-", kEnd = ".map";
    if (name.size() <= kStart.size() + kEnd.size() || !name.starts_with(kStart) || !name.ends_with(kEnd)) return false;
    const std::string_view pid = name.substr(kStart.size(), name.size() - kStart.size() - kEnd.size());
    return std::ranges::all_of(pid, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

bool is_named_like_trace(std::string_view path) {
    const std::string_view name = without_container(name_of(path));
    constexpr std::string_view kEndings[] = {".dump", ".mlpd", ".prof", ".xray"}, kLog = "xray-log.";
    if (std::ranges::any_of(kEndings, [&](std::string_view ending) { return name.ends_with(ending); })) return true;
    const bool is_log = name_of(path).starts_with(kLog) && name_of(path).size() > kLog.size();
    return is_log || is_perf_map(name) || (name.starts_with("perf") && name.ends_with(".data"));
}

bool is_hidden(std::string_view path) { return name_of(path).starts_with('.'); }

}  // namespace tracelint
