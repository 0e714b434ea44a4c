// Planted faults of header and wrapper (5.1).
#include "grammars/gperftools/framing.hpp"
#include "grammars/gperftools/generator/faults.hpp"
#include "validator/generator/field_faults.hpp"

namespace tracelint::gperftools::faults {
namespace {

constexpr uint64_t kMostExtraWords = 6;

// Bytes from the header on to the first record, as the walk has it.
uint64_t behind_header_of(const File& file) {
    std::string bytes;
    for (size_t i = header_of(file); i < file.size(); ++i) encode(file[i], bytes);
    for (size_t number = 0; number < kLayoutCount; ++number)
        if (kLayouts[number].order == layout_of(file).order && kLayouts[number].word_size == layout_of(file).word_size)
            return with_layout(number,
                               [&]<Layout L>() { return header_length<L>([&](size_t) { return as_bytes(bytes); }); });
    return 0;
}

// The finding is at the field, if the records still start where they did.
std::optional<Planted> at_header(const File& file, std::string_view field) {
    const size_t header = header_of(file);
    if (behind_header_of(file) != bytes_of(file[header]).size()) return std::nullopt;
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

}  // namespace

std::optional<Planted> header_truncated(File& file, Random& random) {
    const size_t header = header_of(file);
    const uint64_t left = below(random, header_size(layout_of(file)));
    cut(file, header, left);
    // A file that ends with its wrapper has no draft there.
    if (left == 0) file.push_back(raw_draft({}));
    return at_bytes(header, 0, left);
}

std::optional<Planted> header_count_nonzero(File& file, Random& random) {
    return plant_check<kHeader, kHeaderCountNonzero>(file, random);
}

std::optional<Planted> header_words_too_small(File& file, Random& random) {
    return plant_check<kHeader, kHeaderWordsTooSmall>(file, random);
}

std::optional<Planted> header_words_without_words(File& file, Random& random) {
    const unsigned bits = 8u * layout_of(file).word_size;
    // Read in the other byte order, the header must not be a better one.
    const uint64_t swapped = uint64_t{3} << (bits - 8);
    const uint64_t words = one_in(random, 2) ? between(random, 4, 40) : edge_number(random, bits);
    if (words <= kKnownWords || words == swapped) return std::nullopt;
    file[header_of(file)].set("header_words", words);
    return at_header(file, "header_words");
}

std::optional<Planted> header_extra_words(File& file, Random& random) {
    RecordValues& header = file[header_of(file)];
    const uint64_t count = between(random, 1, kMostExtraWords);
    // Words that are no record.
    for (uint64_t i = 0; i < count; ++i) header.values.push_back(extra_word(i, between(random, 0x10000, 0xffffffff)));
    header.set("header_words", kKnownWords + count);
    return at_header(file, "header_words");
}

std::optional<Planted> header_version(File& file, Random& random) {
    // The text says which dialect it is.
    if (file.back().record == &kLine && !has_text_opening(file)) return std::nullopt;
    if (is_java(file) && file.back().record != &kLine) return std::nullopt;
    return plant_check<kHeader, kHeaderVersion>(file, random);
}

std::optional<Planted> period_zero(File& file, Random&) {
    file[header_of(file)].set("period", 0);
    return at_header(file, "period");
}

std::optional<Planted> period_too_large(File& file, Random& random) {
    // A period that long is implausible, too, but only the one is said.
    if (layout_of(file).word_size < 8) return std::nullopt;
    const uint64_t most = one_in(random, 2) ? kLargestPeriod + 3 : kNone;
    file[header_of(file)].set("period", between(random, kLargestPeriod + 1, most));
    return at_header(file, "period");
}

std::optional<Planted> period_implausible(File& file, Random& random) {
    return plant_check<kHeader, kPeriodImplausible>(file, random);
}

std::optional<Planted> header_padding_nonzero(File& file, Random& random) {
    return plant_check<kHeader, kHeaderPaddingNonzero>(file, random);
}

std::optional<Planted> wrapper_incomplete(File& file, Random& random) {
    if (!is_wrapped(file)) return std::nullopt;
    const uint64_t left = between(random, kWrapperStart.size(), bytes_of(file.front()).size() - 1);
    cut(file, 0, left);
    return at_bytes(0, 0, left);
}

}  // namespace tracelint::gperftools::faults
