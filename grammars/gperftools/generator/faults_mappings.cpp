// Planted faults of mapping lines and of the addresses they cover.
#include <array>
#include <charconv>

#include "grammars/gperftools/generator/faults.hpp"

namespace tracelint::gperftools::faults {
namespace {

constexpr uint64_t kNowhere = 0x2000;  // an address that is never mapped
constexpr uint64_t kPage = 4096;

std::string digits_of(const Range& range) {
    std::array<char, 2 * 16 + 1> text;
    char* const dash = std::to_chars(text.data(), text.data() + 16, range.start, 16).ptr;
    *dash = '-';
    return {text.data(), std::to_chars(dash + 1, text.data() + text.size(), range.end, 16).ptr};
}

bool is_build(const RecordValues& record) {
    if (record.record != &kLine) return false;
    const std::string& text = text_of(record);
    const size_t first = text.find_first_not_of(' ');
    return first != std::string::npos && text.compare(first, 6, "build=") == 0;
}

std::optional<size_t> build_line(const FileRecords& file) {
    for (size_t i = 0; i < file.size(); ++i)
        if (is_build(file[i])) return i;
    return std::nullopt;
}

void set_path(FileRecords& file, const MappingLine& line, const std::string& path) {
    text_of(file[line.record]).replace(line.path, line.path_length, path);
}

constexpr FaultRow kMappingRows[] = {
    // Not the letter for x, as that decides whether PCs are mapped.
    {"gperftools/map-perms-invalid",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto line = any_mapping_line(file, random);
         if (!line) return std::nullopt;
         text_of(file[line->record])[line->permissions + pick<size_t>(random, {0, 1, 3})] =
             pick(random, {'q', 'x', 'R', '0'});
         return at_bytes(line->record, line->permissions, 4);
     }},
    {"gperftools/map-address-width",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!has_map_list(file)) return std::nullopt;
         const bool narrow = layout_of(file).word_size == 4;
         const std::string range =
             narrow ? pick<std::string>(
                          random, {"100000000-100001000", "08000000-100001000", "10000000000000000-10000000000001000"})
                    : pick<std::string>(random,
                                        {"10000000000000000-10000000000001000", "fffffffffffff000-10000000000000000"});
         return at_bytes(insert_line(file, random, range + " r--p 00000000 00:00 0\n"), 0, range.size());
     }},
    {"gperftools/map-range-inverted",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto line = any_mapping_line(file, random);
         if (!line) return std::nullopt;
         std::string& text = text_of(file[line->record]);
         const size_t dash = text.find('-');
         text.replace(0, line->range_length,
                      text.substr(dash + 1, line->range_length - dash - 1) + '-' + text.substr(0, dash));
         return at_bytes(line->record, 0, line->range_length);
     }},
    {"gperftools/map-overlap",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto line = any_mapping_line(file, random);
         if (!line) return std::nullopt;
         // One page longer: the same range for another path might be a note.
         Range range = *range_of(file[line->record]);
         range.end += kPage;
         if (layout_of(file).word_size == 4 && range.end > uint64_t{1} << 32) return std::nullopt;
         std::string text = text_of(file[line->record]);
         const std::string longer = digits_of(range);
         text.replace(0, line->range_length, longer);
         insert(file, line->record + 1, line_record(file, text));
         return at_bytes(line->record + 1, 0, longer.size());
     }},
    {"gperftools/map-path-glued",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto line = any_mapping_line(file, random);
         if (!line || line->path_length == 0) return std::nullopt;
         text_of(file[line->record]).erase(line->inode_end, line->path - line->inode_end);
         return at_bytes(line->record, line->inode_end, line->path_length);
     }},
    {"gperftools/build-var-undefined",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto line = any_mapping_line(file, random);
         if (!line || build_line(file) || line->path == line->inode_end) return std::nullopt;
         const std::string before = pick<std::string>(random, {"", "/a/", "$buildx"});
         set_path(file, *line, before + "$build" + pick<std::string>(random, {"", "/bin", "-x"}));
         return at_bytes(line->record, line->path + before.size(), 6);
     }},
    {"gperftools/build-redefined",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto first = build_line(file);
         if (!first || !has_map_list(file)) return std::nullopt;
         const std::string other = pick<std::string>(random, {"build=/other", "   build=/home/me/build2"});
         insert(file, between(random, *first + 1, file.size()), line_record(file, other + '\n'));
         for (size_t i = *first + 1;; ++i)
             if (is_build(file[i])) return at_bytes(i, 0, other.size());
     }},
    {"gperftools/build-var-boundary",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto line = any_mapping_line(file, random);
         const auto build = build_line(file);
         if (!line || !build || *build > line->record || line->path == line->inode_end) return std::nullopt;
         set_path(file, *line, "/a/$build" + pick<std::string>(random, {"x", "_", "7/bin"}));
         return at_bytes(line->record, line->path + 3, 6);
     }},
    {"gperftools/no-executable-mapping",
     [](FileRecords& file, Random&) -> std::optional<Planted> {
         const auto trailer = trailer_of(file);
         if (!has_map_list(file) || *trailer == 1) return std::nullopt;
         uint64_t size = 0;
         for (size_t i = *trailer + 1; i < file.size(); ++i) {
             const auto line = mapping_line(file, i);
             if (line) text_of(file[i])[line->permissions + 2] = '-';
             if (!line && range_of(file[i])) return std::nullopt;  // a cooked line has no permissions
             size += text_of(file[i]).size();
         }
         return at_bytes(*trailer + 1, 0, size);
     }},
    {"gperftools/pc-unmapped-leaf",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto record = choose(file, random, kRecord, any);
         if (!record || !has_map_list(file)) return std::nullopt;
         file[*record].find("pc", 0)->leaf.number = kNowhere;
         Planted planted = at_field(*record, "pc");
         planted.element = 0;
         return planted;
     }},
};

}  // namespace

constinit const FaultList kMappingFaults{kMappingRows};

}  // namespace tracelint::gperftools::faults
