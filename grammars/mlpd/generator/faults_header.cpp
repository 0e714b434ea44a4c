// Planted faults of the file header: rules 1 to 11.
#include "grammars/mlpd/generator/faults.hpp"
#include "validator/generator/bad_bytes.hpp"

namespace tracelint::mlpd::faults {
namespace {

constexpr uint64_t kLargestInt = 0x7fffffff;

struct Text {
    std::string_view size, bytes;
};
constexpr Text kTexts[] = {{"args_size", "args"}, {"arch_size", "arch"}, {"os_size", "os"}};

bool has_texts(const File& file) { return file.front().find("args") != nullptr; }

// Number of the value in the header.
size_t value_of(const File& file, std::string_view field) {
    return static_cast<size_t>(file.front().find(field) - file.front().values.data());
}

}  // namespace

// Cut in a field that is no text, or in front of one.
std::optional<Planted> truncated_header(File& file, Random& random) {
    const RecordValues& header = file.front();
    const size_t value = below(random, header.values.size());
    if (header.values[value].is_text()) return std::nullopt;
    const uint64_t offset = offset_of(header, value), size = offset_of(header, value + 1) - offset;
    const uint64_t left = below(random, size);
    cut(file, 0, offset + left);
    if (file.empty()) file.push_back(raw_draft({}));
    return at_bytes(0, offset, left);
}

std::optional<Planted> bad_magic(File& file, Random& random) {
    const std::optional<Planted> planted = plant_check<kHeader, kBadMagic>(file, random);
    constexpr uint64_t gzip = 0x8b1f;  // would open a container instead
    if (file.front().number("id") % 0x10000 == gzip) return std::nullopt;
    return planted;
}

std::optional<Planted> unsupported_data_version(File& file, Random& random) {
    file.front().set("format", one_in(random, 2) ? 0 : between(random, kNewestVersion + 1, 255));
    return at_field(0, "format");
}

// The layout of major version 3 is taken for it.
std::optional<Planted> unknown_major_version(File& file, Random& random) {
    if (layout_of(file).version != kTwoClocks) return std::nullopt;
    return plant_check<kHeader, kUnknownMajorVersion>(file, random);
}

// 8 is taken for it.
std::optional<Planted> bad_pointer_size(File& file, Random& random) {
    if (file.front().number("ptrsize") != 8) return std::nullopt;
    return plant_check<kHeader, kBadPointerSize>(file, random);
}

std::optional<Planted> header_flags_nonzero(File& file, Random& random) {
    return plant_check<kHeader, kHeaderFlagsNonzero>(file, random);
}

std::optional<Planted> header_string_overruns_file(File& file, Random& random) {
    if (!has_texts(file)) return std::nullopt;
    const Text& text = pick_of(random, kTexts);
    const uint64_t rest =
        tracelint::size_of(file, 0, file.size()) - offset_of(file.front(), value_of(file, text.bytes));
    const uint64_t least = pick<uint64_t>(random, {rest + 1, between(random, rest + 1, kLargestInt)});
    file.front().set(text.size, one_in(random, 2) ? least : between(random, kLargestInt + 1, 2 * kLargestInt + 1));
    return at_field(0, text.size);
}

std::optional<Planted> header_string_cut(File& file, Random& random) {
    if (!has_texts(file)) return std::nullopt;
    const Text& text = pick_of(random, kTexts);
    const uint64_t size = offset_of(file.front(), value_of(file, text.size)), start = size + 4;
    cut(file, 0, start + below(random, file.front().number(text.size)));
    return at_bytes(0, size, 4);
}

std::optional<Planted> header_string_not_terminated(File& file, Random& random) {
    if (!has_texts(file)) return std::nullopt;
    const Text& text = pick_of(random, kTexts);
    std::string& bytes = file.front().find(text.bytes)->text;
    bytes.back() = static_cast<char>(between(random, ' ', '~'));
    return at_bytes(0, offset_of(file.front(), value_of(file, text.bytes)) + bytes.size() - 1, 1);
}

std::optional<Planted> header_string_size_zero(File& file, Random& random) {
    if (!has_texts(file)) return std::nullopt;
    const Text& text = pick_of(random, kTexts);
    file.front().find(text.bytes)->text.clear();
    settle(file.front());
    return at_field(0, text.size);
}

std::optional<Planted> header_string_embedded_nul(File& file, Random& random) {
    if (!has_texts(file)) return std::nullopt;
    const Text& text = pick_of(random, kTexts);
    std::string& bytes = file.front().find(text.bytes)->text;
    const uint64_t at = below(random, bytes.size());
    bytes.insert(at, between(random, 1, 3), '\0');
    settle(file.front());
    return at_bytes(0, offset_of(file.front(), value_of(file, text.bytes)) + at, 1);
}

std::optional<Planted> header_string_utf8(File& file, Random& random) {
    if (!has_texts(file)) return std::nullopt;
    const Text& text = pick_of(random, kTexts);
    const BadText bad = draw_bad_text(random);
    file.front().find(text.bytes)->text = bad.text;
    settle(file.front());
    return at_bytes(0, offset_of(file.front(), value_of(file, text.bytes)) + bad.bad_at, 1);
}

}  // namespace tracelint::mlpd::faults
