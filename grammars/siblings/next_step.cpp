// What to do about a pair (section 4.7).
#include <algorithm>

#include "grammars/siblings/rules.hpp"

namespace tracelint::siblings {
namespace {

bool is_plain(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           std::string_view("/._-+=:,@%").find(c) != std::string_view::npos;
}

bool is_packed(std::string_view path) { return path.ends_with(".gz") || path.ends_with(".zst"); }

std::string unpacking(std::string_view path) { return is_packed(path) ? "unpack the recording and " : ""; }

// What perf inject must be given: the recording as it was before it was packed.
std::string recording_for_perf(std::string_view path) {
    if (path == "-") return "FILE";
    return shell_word(is_packed(path) ? path.substr(0, path.rfind('.')) : path);
}

// The name that the README has: perf.data becomes perf.jit.data.
std::string injected_name(std::string_view path) {
    if (path == "-") return "FILE.jit.data";
    if (is_packed(path)) path = path.substr(0, path.rfind('.'));
    if (path.ends_with(".data")) path.remove_suffix(5);
    return shell_word(std::string(path) + ".jit.data");
}

// perf opens the dump by its path in the recording.
std::string where_dump_is_read(const Pair& pair) {
    if (pair.marker == nullptr) return {};
    const std::string_view recorded = pair.recording.facts.path(*pair.marker);
    if (recorded.empty() || recorded == pair.check.members[pair.member].path) return {};
    return ", which reads the dump as " + shell_word(recorded);
}

std::string inject(const Pair& pair) {
    const std::string_view path = pair.check.members[pair.recording.member].path;
    return unpacking(path) + "run `perf inject -j -i " + recording_for_perf(path) + " -o " + injected_name(path) + '`' +
           where_dump_is_read(pair);
}

std::string inject_stream(const Pair& pair) {
    const std::string_view path = pair.check.members[pair.recording.member].path;
    return unpacking(path) + "run `perf inject -j < " + recording_for_perf(path) + " | perf report -i -`" +
           where_dump_is_read(pair);
}

}  // namespace

std::string shell_word(std::string_view path) {
    if (!path.empty() && std::ranges::all_of(path, is_plain)) return std::string(path);
    std::string quoted = "'";
    for (const char c : path) quoted += c == '\'' ? "'\\''" : std::string(1, c);
    return quoted + "'";
}

std::string next_step(const Pair& pair) {
    switch (pair.step) {
        case Step::record_times: return "record again with `perf record -k mono` and without --no-timestamp";
        case Step::record_monotonic: return "record again with `perf record -k mono`";
        case Step::dump_monotonic:
            return "record again with `env -u JITDUMP_USE_ARCH_TIMESTAMP perf record -k mono COMMAND`";
        case Step::clear_flag: return "let the runtime clear ARCH_TIMESTAMP in the dump, and record again";
        case Step::map_dump:
            return "look for the dump in `perf script --show-mmap-events`, and start the runtime with `perf record -k "
                   "mono COMMAND`; it must map its dump with PROT_EXEC";
        case Step::name_dump: return "let the runtime name its dump jit-PID.dump, and record again";
        case Step::record_inside:
            return "run `perf record -k mono` in the container, where the process is " +
                   std::to_string(pair.named_pid.value_or(pair.dump.pid)) + ", or use samply";
        case Step::write_pids:
            return "let each process write a dump of its own, with the pid that `perf script -F pid,comm` shows";
        case Step::take_monotonic:
            return "let the runtime take its times from CLOCK_MONOTONIC, and record again with `perf record -k mono`";
        case Step::delete_stale: return "delete the dump, and record again";
        case Step::write_earlier:
            return "let the runtime take the CLOCK_MONOTONIC time of a function before its code runs, and record again";
        case Step::dump_again: return "use samply, or let the runtime dump the function again after the mapping";
        case Step::inject_original: return "run `perf inject -j` again, on the original recording with its own dump";
        case Step::record_plain: return "record again without -z, as perf inject does not read compressed records";
        case Step::is_injected: return "already injected: perf report shows the names";
        case Step::inject_stream: return inject_stream(pair);
        case Step::inject: return inject(pair);
        case Step::none: break;
    }
    return {};
}

}  // namespace tracelint::siblings
