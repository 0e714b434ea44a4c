// Planted faults of the text and of Java locations.
#include "grammars/gperftools/generator/faults.hpp"

namespace tracelint::gperftools::faults {
namespace {

constexpr uint64_t kTooLong = 65536;

bool has_records(const FileRecords& file) {
    return std::any_of(file.begin(), file.end(), [](const RecordValues& record) { return record.record == &kRecord; });
}

// Whether a PC lies where no program of Go up to 1.8 has code. Otherwise a missing list is a note.
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

}  // namespace tracelint::gperftools::faults
