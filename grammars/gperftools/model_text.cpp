// The texts of generated profiles.
#include "grammars/gperftools/model_text.hpp"

#include <array>
#include <cstdio>

namespace tracelint::gperftools {
namespace {

constexpr uint64_t kPage = 4096;
constexpr size_t kPathColumn = 73;  // to which the kernel pads its lines

constexpr std::string_view kPaths[] = {
    "/usr/bin/program",
    "/usr/lib/x86_64-linux-gnu/libc.so.6",
    "/usr/lib/jvm/lib/server/libjvm.so",
    "/home/me/my program",
    "/opt/app/plugin.so (deleted)",
    "",
    "[heap]",
    "[stack]",
    "[vdso]",
    "//anon",
    "anon_inode:[perf_event]",
    "C:\\Windows\\System32\\ntdll.dll",
    "/srv/\xc3\xbc/lib.so",
};
constexpr std::string_view kOtherLines[] = {
    "\n", "   \n", "# mapped objects\n", "MAPPED_LIBRARIES:\n", "some text, nothing else\n",
};

template <class... Values>
std::string printed(const char* format, Values... values) {
    std::array<char, 256> text;
    const int length = std::snprintf(text.data(), text.size(), format, values...);
    return {text.data(), static_cast<size_t>(length)};
}

using Number = unsigned long long;

std::string line_of(const Mapping& mapping, LineStyle style) {
    const Number start = mapping.start, end = mapping.end, offset = mapping.file_offset, inode = mapping.inode;
    const char* permissions = mapping.permissions.c_str();
    std::string line;
    switch (style) {
        case LineStyle::verbatim:
            line = printed("%08llx-%08llx %s %08llx 08:01 %llu ", start, end, permissions, offset, inode);
            if (!mapping.path.empty() && line.size() < kPathColumn) line.resize(kPathColumn, ' ');
            break;
        case LineStyle::cooked: line = printed("  %llx-%llx: ", start, end); break;
        case LineStyle::of_2_16:
            line = printed("%08llx-%08llx %s %08llx 00:00 %-11llu", start, end, permissions, offset, inode);
            break;
        case LineStyle::until_2_15:
            line = printed("%08llx-%08llx %s %08llx 00:00 %-11llu ", start, end, permissions, offset, inode);
            break;
        case LineStyle::since_2_17:
            line = printed("%08llx-%08llx %s %08llx 00:00 %llu ", start, end, permissions, offset, inode);
            break;
    }
    return line + mapping.path + '\n';
}

}  // namespace

std::vector<Mapping> draw_mappings(Random& random, const Layout& layout) {
    std::vector<Mapping> mappings;
    const uint64_t lowest = layout.word_size == 4 ? 0x08048000 : pick<uint64_t>(random, {0x400000, 0x555555554000});
    uint64_t next = lowest;
    for (uint64_t left = between(random, 1, 8); left > 0; --left) {
        Mapping mapping;
        mapping.start = next + kPage * below(random, 16);
        mapping.end = mapping.start + kPage * between(random, 1, 64);
        mapping.permissions = pick<std::string>(random, {"r-xp", "r-xp", "r--p", "rw-p", "--xp", "rwx-"});
        mapping.file_offset = one_in(random, 2) ? kPage * below(random, 100) : 0;
        mapping.inode = one_in(random, 4) ? 0 : between(random, 1, 9'999'999);
        mapping.path = pick_of(random, kPaths);
        next = mapping.end;
        mappings.push_back(std::move(mapping));
    }
    mappings[below(random, mappings.size())].permissions = "r-xp";
    return mappings;
}

std::vector<std::string> lines_of(const std::vector<Mapping>& mappings, LineStyle style, bool build, Random& random) {
    std::vector<std::string> lines;
    if (build) lines.push_back(pick<std::string>(random, {"build=/home/me/build\n", "  build=/x\n", "build=\n"}));
    for (Mapping mapping : mappings) {
        if (build && one_in(random, 2)) mapping.path = pick<std::string>(random, {"$build/bin/program", "/a/$build"});
        lines.push_back(line_of(mapping, style));
        if (one_in(random, 12)) lines.emplace_back(pick_of(random, kOtherLines));
    }
    return lines;
}

std::vector<std::string> location_lines(const std::vector<uint64_t>& ids, Random& random) {
    std::vector<std::string> lines;
    if (!one_in(random, 8)) lines.emplace_back("\n");
    for (const uint64_t id : ids) {
        const Number number = id;
        const char* rest =
            pick(random, {"com.example.Main.run (Main.java:42)", "GC", "VM", "java.lang.Object.wait (:-1)",
                          "memcpy (/usr/lib/libc.so.6)", "generated stub/JIT"});
        const char* format = pick(random, {"0x%08llx %s\n", " 0x%llx\t%s\n", "\t0x%016llx  %s\n"});
        lines.push_back(printed(format, number, rest));
    }
    if (one_in(random, 6)) lines.emplace_back("a line that says nothing\n");
    return lines;
}

}  // namespace tracelint::gperftools
