// Recognises formats, and names common files that are not traces.
#include "validator/recognise.hpp"

namespace tracelint {
namespace {

struct ForeignFormat {
    std::string_view first_bytes;
    std::string_view hint;
};

// Files that are commonly mistaken for a trace.
// clang-format off
constexpr ForeignFormat kForeignFormats[] = {
    {"heap profile:",     "this is a gperftools heap profile, which is text; it is not supported"},
    {"--- ",              "this is a gperftools text profile; it is not supported"},
    {"PERFILE2",          "this is a perf.data file, not a jitdump"},
    {"\x7f" "ELF",        "this is an ELF file"},
    {"\x28\xb5\x2f\xfd",  "this is compressed with zstd; decompress it first"},
    {"\xfd" "7zXZ",       "this is compressed with xz; decompress it first"},
    {"BZh",               "this is compressed with bzip2; decompress it first"},
    {"\x04\x22\x4d\x18",  "this is compressed with lz4; decompress it first"},
    {"PK\x03\x04",        "this is a zip archive; unpack it first"},
    {"\x1f\x8b",          "this is compressed with gzip twice; decompress it once"},
};
// clang-format on

}  // namespace

Opening opening_of(Bytes file, std::string_view path) {
    return {file.first(std::min(file.size(), kDetectionBytes)), path.substr(path.rfind('/') + 1)};
}

Opening opening_of(Window& window, std::string_view path) { return opening_of(window.view(0, kDetectionBytes), path); }

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
