// Planted faults of the text, of Java locations and of mappings.
#include <array>
#include <charconv>

#include "grammars/gperftools/generator/faults.hpp"

namespace tracelint::gperftools::faults {

// Planted faults of the text and of Java locations.

namespace {

constexpr uint64_t kTooLong = 65536;

bool has_records(const FileRecords& file) {
    return std::any_of(file.begin(), file.end(), [](const RecordValues& record) { return record.record == &kRecord; });
}

// Whether a PC is where no program of Go up to 1.8 has code. Otherwise a missing list is a note.
bool has_high_pc(const FileRecords& file) {
    return std::ranges::any_of(file, [](const RecordValues& record) {
        return record.record == &kRecord && std::ranges::any_of(record.values, [](const Value& value) {
                   return value.leaf.field != nullptr && value.leaf.field->name == "pc" &&
                          value.leaf.number >= kGoCodeEnd;
               });
    });
}

bool has_text(const FileRecords& file) { return file.back().record == &kLine; }

constexpr FaultRow kTextRows[] = {
    {"gperftools/missing-map-list",
     [](FileRecords& file, Random&) -> std::optional<Planted> {
         if (!has_map_list(file) || !has_high_pc(file)) return std::nullopt;
         const size_t trailer = *trailer_of(file);
         erase(file, trailer + 1, file.size());
         return at_bytes(trailer, trailer_size(layout_of(file)), 0);
     }},
    {"gperftools/no-mapping-line",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!has_map_list(file) || !has_records(file)) return std::nullopt;
         const size_t first = *trailer_of(file) + 1;
         erase(file, first, file.size());
         for (uint64_t left = between(random, 1, 3); left > 0; --left)
             file.push_back(line_record(file, pick<std::string>(random, {"nothing is mapped\n", "\n", "build=/x\n"})));
         return at_bytes(first, 0, 0);
     }},
    {"gperftools/map-line-unterminated",
     [](FileRecords& file, Random&) -> std::optional<Planted> {
         if (!has_text(file) || text_of(file.back()).size() < 2) return std::nullopt;
         text_of(file.back()).pop_back();
         return at_bytes(file.size() - 1, 0, text_of(file.back()).size());
     }},
    // Long lines take time, so only a few files get one.
    {"gperftools/text-line-too-long",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!has_map_list(file) || !one_in(random, 4)) return std::nullopt;
         const uint64_t length = kTooLong + below(random, 3);
         const size_t at = insert_line(file, random, std::string(length, pick(random, {'x', ' ', '\xc3'})) + '\n');
         return at_bytes(at, 0, length);
     }},
    {"gperftools/text-nul",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!has_map_list(file) && (!is_java(file) || !has_text(file))) return std::nullopt;
         std::string line = pick<std::string>(random, {"overwritten", "x", "words and blanks"});
         const uint64_t nul = below(random, line.size() + 1);
         line.insert(nul, between(random, 1, 20), '\0');
         return at_bytes(insert_line(file, random, line + '\n'), nul, 1);
     }},
    {"gperftools/text-crlf",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto first = any_line(file, random);
         if (!first || !has_map_list(file)) return std::nullopt;
         const size_t last = one_in(random, 2) ? *first : file.size() - 1;
         for (size_t i = *first; i <= last; ++i) text_of(file[i]).insert(text_of(file[i]).size() - 1, "\r");
         return at_bytes(*first, text_of(file[*first]).size() - 2, 2);
     }},
    {"gperftools/map-line-leading-space",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto line = any_mapping_line(file, random);
         if (!line) return std::nullopt;
         const uint64_t blanks = between(random, 1, 70);
         text_of(file[line->record]).insert(0, blanks, ' ');
         return at_bytes(line->record, 0, blanks);
     }},
    {"gperftools/map-line-misread",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!has_map_list(file)) return std::nullopt;
         const std::string line =
             pick<std::string>(random, {"deadbeef", "10xa", "0 fffffffffffff", "0x12", "12-34", "7f00 0x7f01: r-xp"});
         return at_bytes(insert_line(file, random, line + '\n'), 0, line.size());
     }},
    {"gperftools/java-location-overflow",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!is_java(file) || !has_text(file)) return std::nullopt;
         const std::string digits =
             pick<std::string>(random, {"10000000000000000", "123456789abcdef01", "00ffffffffffffffff0"});
         return at_bytes(insert_line(file, random, "0x" + digits + " Main.run (Main.java:1)\n"), 2, digits.size());
     }},
    {"gperftools/java-map-line",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!is_java(file) || !has_text(file)) return std::nullopt;
         const std::string line = "00400000-00401000 r-xp 00000000 00:00 12 /usr/bin/program";
         return at_bytes(insert_line(file, random, line + '\n'), 0, line.size());
     }},
};

}  // namespace

constinit const FaultList kTextFaults{kTextRows};

// Planted faults of mapping lines and of the addresses they cover.

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
