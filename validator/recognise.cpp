// Which format a file has, and what a file of another kind looks like.
#include "validator/recognise.hpp"

namespace tracelint {
namespace {

struct ForeignFormat {
    std::string_view first_bytes;
    std::string_view hint;
};

// Files that people hand over in the place of a trace.
// clang-format off
constexpr ForeignFormat kForeignFormats[] = {
    {"heap profile:",     "this is a gperftools heap profile: text, not checked here"},
    {"--- ",              "this is a text profile of gperftools, not checked here"},
    {"PERFILE2",          "this is a perf.data file, not the dump of a JIT"},
    {"\x7f" "ELF",        "this is an ELF file"},
    {"\x28\xb5\x2f\xfd",  "this is compressed with zstd; decompress it first"},
    {"\xfd" "7zXZ",       "this is compressed with xz; decompress it first"},
    {"BZh",               "this is compressed with bzip2; decompress it first"},
    {"\x04\x22\x4d\x18",  "this is compressed with lz4; decompress it first"},
    {"PK\x03\x04",        "this is a zip archive; unpack it first"},
    {"\x1f\x8b",          "this was compressed with gzip twice; decompress it once"},
};
// clang-format on

}  // namespace

const Format* recognise(std::span<const Format* const> candidates, const Opening& opening) {
    const Format* best = nullptr;
    int surest = 0;
    for (const Format* format : candidates) {
        const int sure = format->recognise(opening);
        if (sure <= surest) continue;
        surest = sure;
        best = format;
    }
    return best;
}

std::string_view foreign_format_hint(Bytes opening) {
    if (opening.empty()) return "the file is empty";
    for (const ForeignFormat& known : kForeignFormats)
        if (as_text(opening).starts_with(known.first_bytes)) return known.hint;
    return {};
}

}  // namespace tracelint
