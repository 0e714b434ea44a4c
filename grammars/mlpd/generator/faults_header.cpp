// Planted faults of the file header.
#include "grammars/mlpd/generator/faults.hpp"
#include "validator/generator/bad_bytes.hpp"

namespace tracelint::mlpd::faults {
namespace {

struct Text {
    std::string_view size, bytes;
};
constexpr Text kTexts[] = {{"args_size", "args"}, {"arch_size", "arch"}, {"os_size", "os"}};

bool has_texts(const FileRecords& file) { return file.front().find("args") != nullptr; }

// Index of the value in the header.
size_t value_of(const FileRecords& file, std::string_view field) {
    return static_cast<size_t>(file.front().find(field) - file.front().values.data());
}

constexpr FaultRow kHeaderRows[] = {
    // The file ends in or before a field that is not a text.
    {"mlpd/truncated-header",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const RecordValues& header = file.front();
         const size_t value = below(random, header.values.size());
         if (header.values[value].is_text()) return std::nullopt;
         const uint64_t offset = offset_of(header, value), size = offset_of(header, value + 1) - offset;
         const uint64_t left = below(random, size);
         cut(file, 0, offset + left);
         if (file.empty()) file.push_back(raw_record({}));
         return at_bytes(0, offset, left);
     }},
    {"mlpd/bad-magic",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         std::optional<Planted> planted = plant_check(file, random, kHeader, "mlpd/bad-magic");
         constexpr uint64_t gzip = 0x8b1f;  // would be opened as a container
         if (file.front().number("id") % 0x10000 == gzip) return std::nullopt;
         return planted;
     }},
    {"mlpd/unsupported-data-version",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         file.front().set("format", one_in(random, 2) ? 0 : between(random, kNewestVersion + 1, 255));
         return at_field(0, "format");
     }},
    // An unknown version is read with the layout of major version 3.
    {"mlpd/unknown-major-version",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (layout_of(file).version != kTwoClocks) return std::nullopt;
         return plant_check(file, random, kHeader, "mlpd/unknown-major-version");
     }},
    // An unknown size is read as 8.
    {"mlpd/bad-pointer-size",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (file.front().number("ptrsize") != 8) return std::nullopt;
         return plant_check(file, random, kHeader, "mlpd/bad-pointer-size");
     }},
    kBrokenCheck<kHeader, "mlpd/header-flags-nonzero">,
    // The size of a text is too large.
    {"mlpd/header-string-overruns-file",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!has_texts(file)) return std::nullopt;
         const Text& text = pick_of(random, kTexts);
         const uint64_t rest =
             tracelint::size_of(file, 0, file.size()) - offset_of(file.front(), value_of(file, text.bytes));
         const uint64_t least = pick<uint64_t>(random, {rest + 1, between(random, rest + 1, kLargestInt)});
         file.front().set(text.size, one_in(random, 2) ? least : between(random, kLargestInt + 1, 2 * kLargestInt + 1));
         return at_field(0, text.size);
     }},
    // The file ends in a text.
    {"mlpd/header-string-overruns-file",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!has_texts(file)) return std::nullopt;
         const Text& text = pick_of(random, kTexts);
         const uint64_t size = offset_of(file.front(), value_of(file, text.size)), start = size + 4;
         cut(file, 0, start + below(random, file.front().number(text.size)));
         return at_bytes(0, size, 4);
     }},
    // The last byte of a text is not a NUL.
    {"mlpd/header-string-not-terminated",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!has_texts(file)) return std::nullopt;
         const Text& text = pick_of(random, kTexts);
         std::string& bytes = file.front().find(text.bytes)->text;
         bytes.back() = static_cast<char>(between(random, ' ', '~'));
         return at_bytes(0, offset_of(file.front(), value_of(file, text.bytes)) + bytes.size() - 1, 1);
     }},
    // A text has no bytes.
    {"mlpd/header-string-not-terminated",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!has_texts(file)) return std::nullopt;
         const Text& text = pick_of(random, kTexts);
         file.front().find(text.bytes)->text.clear();
         update_sizes(file.front());
         return at_field(0, text.size);
     }},
    {"mlpd/header-string-embedded-nul",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!has_texts(file)) return std::nullopt;
         const Text& text = pick_of(random, kTexts);
         std::string& bytes = file.front().find(text.bytes)->text;
         const uint64_t at = below(random, bytes.size());
         bytes.insert(at, between(random, 1, 3), '\0');
         update_sizes(file.front());
         return at_bytes(0, offset_of(file.front(), value_of(file, text.bytes)) + at, 1);
     }},
    {"mlpd/header-string-utf8",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!has_texts(file)) return std::nullopt;
         const Text& text = pick_of(random, kTexts);
         const BadText bad = draw_bad_text(random);
         file.front().find(text.bytes)->text = bad.text;
         update_sizes(file.front());
         return at_bytes(0, offset_of(file.front(), value_of(file, text.bytes)) + bad.bad_at, 1);
     }},
};

}  // namespace

constinit const FaultList kHeaderFaults{kHeaderRows};

}  // namespace tracelint::mlpd::faults
