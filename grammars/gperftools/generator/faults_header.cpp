// Planted faults of the header, the wrapper and the records.
#include "grammars/gperftools/generator/faults.hpp"
#include "grammars/gperftools/recognise.hpp"
#include "validator/generator/field_faults.hpp"

namespace tracelint::gperftools::faults {

// Planted faults of the header and the wrapper.

namespace {

constexpr uint64_t kMostExtraWords = 6;

// The size of the header in bytes, as the walk reads it.
uint64_t header_size_in_walk(const FileRecords& file) {
    std::string bytes;
    for (size_t i = header_of(file); i < file.size(); ++i) encode(file[i], bytes);
    for (size_t number = 0; number < kLayoutCount; ++number)
        if (kLayouts[number].order == layout_of(file).order && kLayouts[number].word_size == layout_of(file).word_size)
            return with_layout(number,
                               [&]<Layout L>() { return header_length<L>([&](size_t) { return as_bytes(bytes); }); });
    return 0;
}

// The finding is at the header field. Nothing if the walk would look for the records elsewhere.
std::optional<Planted> at_header(const FileRecords& file, std::string_view field) {
    const size_t header = header_of(file);
    if (header_size_in_walk(file) != bytes_of(file[header]).size()) return std::nullopt;
    return at_field(header, field);
}

Value extra_word(uint64_t element, uint64_t number) {
    Value value;
    value.leaf.record = &kExtraWord;
    value.leaf.field = kExtraWord.find("value");
    value.leaf.list = kHeader.find("extra_words");
    value.leaf.element = element;
    value.leaf.depth = 1;
    value.leaf.number = number;
    return value;
}

constexpr FaultRow kHeaderRows[] = {
    {"gperftools/header-truncated",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const size_t header = header_of(file);
         const uint64_t left = below(random, header_size(layout_of(file)));
         cut(file, header, left);
         // Without a record there, the finding would have no place.
         if (left == 0) file.push_back(raw_record({}));
         return at_bytes(header, 0, left);
     }},
    {"gperftools/period-one-second",
     [](FileRecords& file, Random&) -> std::optional<Planted> {
         const size_t header = header_of(file);
         if (is_java(file) || !trailer_of(file) || !has_map_list(file)) return std::nullopt;
         erase(file, header + 1, *trailer_of(file));
         file[header].set("period", kLongestPeriod);
         return at_header(file, "period");
     }},
    // The count is wrong, the header is not.
    {"gperftools/header-extra-words",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const unsigned bits = 8u * layout_of(file).word_size;
         // The header must not look better in the other byte order.
         const uint64_t swapped = uint64_t{3} << (bits - 8);
         const uint64_t words = one_in(random, 2) ? between(random, 4, 40) : edge_number(random, bits);
         if (words <= kKnownWords || words == swapped) return std::nullopt;
         file[header_of(file)].set("header_words", words);
         return at_header(file, "header_words");
     }},
    // The header has more words, and says so.
    {"gperftools/header-extra-words",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         RecordValues& header = file[header_of(file)];
         const uint64_t count = between(random, 1, kMostExtraWords);
         // Words that are not a record.
         for (uint64_t i = 0; i < count; ++i)
             header.values.push_back(extra_word(i, between(random, 0x10000, 0xffffffff)));
         header.set("header_words", kKnownWords + count);
         return at_header(file, "header_words");
     }},
    {"gperftools/header-version",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         // With an unknown version, the text must reveal the dialect.
         if (file.back().record == &kLine && !has_text_opening(file)) return std::nullopt;
         if (is_java(file) && file.back().record != &kLine) return std::nullopt;
         return plant_check(file, random, kHeader, "gperftools/header-version");
     }},
    {"gperftools/period-zero",
     [](FileRecords& file, Random&) -> std::optional<Planted> {
         file[header_of(file)].set("period", 0);
         return at_header(file, "period");
     }},
    {"gperftools/period-too-large",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         // period-implausible is not reported in addition.
         if (layout_of(file).word_size < 8) return std::nullopt;
         const uint64_t most = one_in(random, 2) ? kLargestPeriod + 3 : kNone;
         file[header_of(file)].set("period", between(random, kLargestPeriod + 1, most));
         return at_header(file, "period");
     }},
    {"gperftools/wrapper-incomplete",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!is_wrapped(file)) return std::nullopt;
         const uint64_t left = between(random, kWrapperStart.size(), bytes_of(file.front()).size() - 1);
         cut(file, 0, left);
         return at_bytes(0, 0, left);
     }},
};

}  // namespace

constinit const FaultList kHeaderFaults{kHeaderRows};

// Planted faults of records and the trailer.

namespace {

constexpr uint64_t kMost63 = (uint64_t{1} << 63) - 1;

std::optional<size_t> any_record(const FileRecords& file, Random& random) { return choose(file, random, kRecord, any); }

// Whether the record is the last one in the file, where a record of three slots may be read as a damaged trailer.
bool is_last(const FileRecords& file, size_t record) { return record + 1 == file.size(); }

// Whether the record would be read as a damaged trailer at the end of the file.
bool resembles_trailer(const RecordValues& record) {
    return record.record == &kRecord && record.number("sample_count") == 0 && record.number("num_pcs") == 1;
}

uint64_t slot(const FileRecords& file) { return layout_of(file).word_size; }

// Nanoseconds per sample.
uint64_t factor_of(const FileRecords& file) { return file[header_of(file)].number("period") * 1000; }

constexpr FaultRow kRecordRows[] = {
    {"gperftools/record-header-truncated",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto record = one_in(random, 4) ? trailer_of(file) : any_record(file, random);
         if (!record) return std::nullopt;
         const uint64_t left = between(random, 1, 2 * slot(file) - 1);
         cut(file, *record, left);
         return at_bytes(*record, 0, left);
     }},
    // The depth exceeds the file.
    {"gperftools/record-exceeds-file",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto record = any_record(file, random);
         if (!record) return std::nullopt;
         const uint64_t left = size_of(file, *record, file.size()) / slot(file);
         const uint64_t most = slot(file) == 4 ? 0xffffffff : kNone;
         file[*record].set("num_pcs", one_in(random, 2) ? left : between(random, left, most));
         return at_field(*record, "num_pcs");
     }},
    // The file ends in the call chain.
    {"gperftools/record-exceeds-file",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto record = any_record(file, random);
         if (!record) return std::nullopt;
         const uint64_t size = bytes_of(file[*record]).size(), front = front_size(layout_of(file));
         // A chain of a single PC loses all of it.
         cut(file, *record, between(random, front, size - 1));
         Planted planted = at_bytes(*record, slot(file), slot(file));
         return planted;
     }},
    // A record loses its call chain.
    {"gperftools/num-pcs-zero",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = any_record(file, random);
         if (!at || file[*at].number("sample_count") == 0) return std::nullopt;
         RecordValues& record = file[*at];
         record.find("call_chain")->leaf.number = 0;
         std::erase_if(record.values, [](const Value& value) { return value.leaf.record == &kCall; });
         update_sizes(record);
         return at_field(*at, "num_pcs");
     }},
    // A run of zero slots before a record or the trailer.
    {"gperftools/num-pcs-zero",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto record = one_in(random, 4) ? trailer_of(file) : any_record(file, random);
         if (!record) return std::nullopt;
         // A record with a sample count of 0 also begins with a zero slot.
         if (file[*record].record == &kRecord && file[*record].number("sample_count") == 0) return std::nullopt;
         insert(file, *record, raw_record(std::string(2 * slot(file) * between(random, 1, 200), '\0')));
         return at_bytes(*record, slot(file), slot(file));
     }},
    {"gperftools/sample-count-zero",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto record = any_record(file, random);
         if (!record || is_java(file) || is_last(file, *record)) return std::nullopt;
         file[*record].set("sample_count", 0);
         return at_field(*record, "sample_count");
     }},
    {"gperftools/null-leaf-pc",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto record = any_record(file, random);
         if (!record || is_last(file, *record) || file[*record].number("sample_count") == 0) return std::nullopt;
         file[*record].find("pc", 0)->leaf.number = 0;
         Planted planted = at_field(*record, "pc");
         planted.element = 0;
         return planted;
     }},
    {"gperftools/null-caller-pc",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto record = choose(file, random, kRecord, [&](size_t i) { return file[i].number("num_pcs") > 1; });
         if (!record) return std::nullopt;
         Planted planted = at_field(*record, "pc");
         planted.element = between(random, 1, file[*record].number("num_pcs") - 1);
         file[*record].find("pc", planted.element)->leaf.number = 0;
         return planted;
     }},
    // The chain is large, so only a few files get one.
    {"gperftools/depth-exceeds-reader-limit",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (slot(file) != 4 || !one_in(random, 8)) return std::nullopt;
         const auto record = any_record(file, random);
         if (!record) return std::nullopt;
         const uint64_t pcs = kReaderDepth + between(random, 1, 10);
         std::string bytes;
         for (const uint64_t number : {uint64_t{1}, pcs}) {
             uint8_t stored[4];
             store(stored, 4, layout_of(file).order, number);
             bytes.append(reinterpret_cast<const char*>(stored), 4);
         }
         insert(file, *record, raw_record(bytes + std::string(4 * pcs, '\x41')));
         return at_bytes(*record, 4, 4);
     }},
    {"gperftools/sample-value-overflow",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto record = any_record(file, random);
         if (!record || slot(file) != 8) return std::nullopt;
         const uint64_t least = kMost63 / factor_of(file) + 1;
         file[*record].set("sample_count", one_in(random, 2) ? least : between(random, least, kNone));
         return at_field(*record, "sample_count");
     }},
    {"gperftools/sample-total-overflow",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto record = any_record(file, random);
         if (!record || slot(file) != 8) return std::nullopt;
         uint64_t before = 0;
         for (size_t i = 0; i < *record; ++i) before += file[i].record == &kRecord ? file[i].number("sample_count") : 0;
         if (before == 0) return std::nullopt;
         file[*record].set("sample_count", kMost63 / factor_of(file));
         return at_field(*record, "sample_count");
     }},
    // The trailer and the text are missing.
    {"gperftools/missing-trailer",
     [](FileRecords& file, Random&) -> std::optional<Planted> {
         const auto trailer = trailer_of(file);
         if (!trailer || is_wrapped(file) || resembles_trailer(file[*trailer - 1])) return std::nullopt;
         erase(file, *trailer, file.size());
         return at_bytes(file.size() - 1, bytes_of(file.back()).size(), 0);
     }},
    // Only the trailer is missing.
    {"gperftools/missing-trailer",
     [](FileRecords& file, Random&) -> std::optional<Planted> {
         const auto trailer = trailer_of(file);
         if (!trailer || !has_text_opening(file) || resembles_trailer(file[*trailer - 1])) return std::nullopt;
         erase(file, *trailer);
         return at_bytes(*trailer, 0, 0);
     }},
    {"gperftools/trailer-damaged",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto trailer = trailer_of(file);
         if (!trailer || (*trailer + 1 != file.size() && !has_text_opening(file))) return std::nullopt;
         const std::string_view field = pick<std::string_view>(random, {"sample_count", "num_pcs", "pc"});
         const uint64_t was = file[*trailer].number(field);
         const uint64_t number = edge_number(random, 8 * static_cast<unsigned>(slot(file)));
         file[*trailer].set(field, number == was ? was + 1 : number);
         return at_field(*trailer, field);
     }},
    {"gperftools/concatenated-profile",
     [](FileRecords& file, Random&) -> std::optional<Planted> {
         if (is_wrapped(file) || file.back().record != &kLine) return std::nullopt;
         const FileRecords copy = file;
         const size_t second = file.size();
         file.insert(file.end(), copy.begin(), copy.end());
         return at_bytes(second, 0, header_size(layout_of(file)));
     }},
};

}  // namespace

constinit const FaultList kRecordFaults{kRecordRows};

}  // namespace tracelint::gperftools::faults
