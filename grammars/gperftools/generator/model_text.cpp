// The texts of generated profiles.
#include "grammars/gperftools/generator/model_text.hpp"

#include <array>
#include <charconv>

namespace tracelint::gperftools {
namespace {

constexpr uint64_t kPage = 4096;
constexpr size_t kPathColumn = 73;    // the column of paths printed by the kernel
constexpr size_t kInodeColumns = 11;  // the width of inodes printed by gperftools

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

// The number in hexadecimal, with at least `width` digits.
std::string hex_digits(uint64_t value, size_t width = 1) {
    std::array<char, 16> digits;
    const char* end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
    const auto length = static_cast<size_t>(end - digits.data());
    return std::string(saturating_sub(width, length), '0').append(digits.data(), length);
}

// The text, followed by blanks up to `width` characters.
std::string padded(std::string text, size_t width) {
    if (text.size() < width) text.resize(width, ' ');
    return text;
}

std::string line_of(const MappedObject& mapping, LineStyle style) {
    if (style == LineStyle::cooked)
        return "  " + hex_digits(mapping.start) + '-' + hex_digits(mapping.end) + ": " + mapping.path + '\n';
    const std::string front = hex_digits(mapping.start, 8) + '-' + hex_digits(mapping.end, 8) + ' ' +
                              mapping.permissions + ' ' + hex_digits(mapping.file_offset, 8);
    const std::string inode = std::to_string(mapping.inode);
    std::string line;
    switch (style) {
        case LineStyle::verbatim:
            line = front + " 08:01 " + inode + ' ';
            if (!mapping.path.empty()) line = padded(std::move(line), kPathColumn);
            break;
        case LineStyle::of_2_16: line = front + " 00:00 " + padded(inode, kInodeColumns); break;
        case LineStyle::until_2_15: line = front + " 00:00 " + padded(inode, kInodeColumns) + ' '; break;
        default: line = front + " 00:00 " + inode + ' '; break;
    }
    return line + mapping.path + '\n';
}

}  // namespace

std::vector<MappedObject> draw_mappings(Random& random, const Layout& layout) {
    std::vector<MappedObject> mappings;
    const uint64_t lowest = layout.word_size == 4 ? 0x08048000 : pick<uint64_t>(random, {0x400000, 0x555555554000});
    const uint64_t libraries = layout.word_size == 4 ? 0xf7c00000 : 0x7f1c2d3c0000;
    uint64_t next = lowest;
    for (uint64_t left = between(random, 1, 8); left > 0; --left) {
        MappedObject mapping;
        if (one_in(random, 4)) next = std::max(next, libraries);
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

std::vector<std::string> lines_of(const std::vector<MappedObject>& mappings, LineStyle style, bool build,
                                  Random& random) {
    std::vector<std::string> lines;
    if (build) lines.push_back(pick<std::string>(random, {"build=/home/me/build\n", "  build=/x\n", "build=\n"}));
    for (MappedObject mapping : mappings) {
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
        const char* rest =
            pick(random, {"com.example.Main.run (Main.java:42)", "GC", "VM", "java.lang.Object.wait (:-1)",
                          "memcpy (/usr/lib/libc.so.6)", "generated stub/JIT"});
        const size_t digits = pick<size_t>(random, {1, 8, 16});
        const auto indent = pick<std::string>(random, {"", " ", "\t"});
        const auto gap = pick<std::string>(random, {" ", "\t", "  "});
        lines.push_back(indent + "0x" + hex_digits(id, digits) + gap + rest + '\n');
    }
    if (one_in(random, 6)) lines.emplace_back("a line that says nothing\n");
    return lines;
}

}  // namespace tracelint::gperftools
