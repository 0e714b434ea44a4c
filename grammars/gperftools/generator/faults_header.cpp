// Planted faults of the header and the wrapper.
#include "grammars/gperftools/framing.hpp"
#include "grammars/gperftools/generator/faults.hpp"
#include "validator/generator/field_faults.hpp"

namespace tracelint::gperftools::faults {
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
    kBrokenCheck<kHeader, "gperftools/header-count-nonzero">,
    kBrokenCheck<kHeader, "gperftools/header-words-too-small">,
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
         // period-implausible is not reported as well.
         if (layout_of(file).word_size < 8) return std::nullopt;
         const uint64_t most = one_in(random, 2) ? kLargestPeriod + 3 : kNone;
         file[header_of(file)].set("period", between(random, kLargestPeriod + 1, most));
         return at_header(file, "period");
     }},
    kBrokenCheck<kHeader, "gperftools/period-implausible">,
    kBrokenCheck<kHeader, "gperftools/header-padding-nonzero">,
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

}  // namespace tracelint::gperftools::faults
