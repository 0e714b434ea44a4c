// gperftools, section 3 of the digest: header, records, trailer and text, in the document's order and words.
#pragma once

#include "grammars/gperftools/header_rules.hpp"
#include "grammars/gperftools/record_rules.hpp"
#include "validator/describe.hpp"

namespace tracelint::gperftools {

// 3.1: header words of every known writer, and the versions.
inline constexpr uint64_t kKnownWords = 3;
inline constexpr uint64_t kNativeVersion = 0, kJavaVersion = 1;
inline constexpr NamedValue kVersions[] = {{kNativeVersion, "C and C++"}, {kJavaVersion, "Java"}};
inline constexpr uint64_t kLongestPeriod = 1'000'000;  // that a writer can be set to, in microseconds
inline constexpr uint64_t kLargestPeriod = uint64_t{1} << 32;

// 3.2: PCs of a call chain that google-pprof takes, and that gperftools can store.
inline constexpr uint64_t kReaderDepth = 65536, kWriterDepth = 254, kOldWriterDepth = 64;

// clang-format off

// 3.6 Text wrapper, with the line `--- profile` at its end
inline constexpr Record kWrapper = record("wrapper", kNoTag, "symbols, as google-pprof --raw puts them before a profile", {
    bytes("text"),
}).not_numbered();

// 3.1 Header
inline constexpr Record kExtraWord = record("extra_word", kNoTag, "a header word without a meaning; no valid file has one", {
    word("value"),
}).as_fallback();
inline constexpr Record kHeader = record("header", kNoTag, "header of a profile", {
    word("header_count")   .equals(0, &kHeaderCountNonzero),
    word("header_words")   .at_least(3, &kHeaderWordsTooSmall).at_most(3, &kHeaderExtraWords)
                           .says("slots of the header behind this one"),
    word("format_version") .at_most(1, &kHeaderVersion).named(kVersions),
    word("period")         .at_least(1, &kPeriodZero).at_most(kLargestPeriod, &kPeriodTooLarge)
                           .at_most(kLongestPeriod, &kPeriodImplausible)
                           .says("between two samples, in microseconds"),
    word("padding")        .equals(0, &kHeaderPaddingNonzero),
    list("extra_words", kExtraWord)  .says("only where header_words is above 3"),
}).not_numbered();

// 3.2 Record
inline constexpr Record kCall = record("call", kNoTag, "one PC of a call chain", {
    word("pc")             .says("the sampled one, then return addresses; small ids in the Java dialect"),
});
inline constexpr Record kRecord = record("record", kNoTag, "samples of one call chain", {
    word("sample_count")   .at_least(1, &kSampleCountZero),
    word("num_pcs")        .at_least(1, &kNumPcsZero).at_most(kReaderDepth, &kDepthExceedsReaderLimit),
    list("call_chain", kCall).counted_by("num_pcs") .says("leaf first"),
});

// 3.3 Trailer
inline constexpr Record kTrailer = record("trailer", kNoTag, "ends the records", {
    word("sample_count")   .equals(0, &kTrailerDamaged),
    word("num_pcs")        .equals(1, &kTrailerDamaged),
    word("pc")             .equals(0, &kTrailerDamaged),
});

// 3.4 Text
inline constexpr Record kLine = record("line", kNoTag, "a line of the list of mapped objects, or of the Java locations", {
    bytes("text")          .says("with its LF"),
});

// clang-format on

inline constexpr const Record* kRecords[] = {&kWrapper, &kHeader, &kRecord, &kTrailer, &kLine};

// The four layouts that a file can have: word size and byte order are those of the producer. In the order in which
// identification prefers them (section 2, step 2).
inline constexpr Layout kLayouts[] = {
    {.order = ByteOrder::little, .word_size = 8},
    {.order = ByteOrder::big, .word_size = 8},
    {.order = ByteOrder::little, .word_size = 4},
    {.order = ByteOrder::big, .word_size = 4},
};
inline constexpr size_t kLayoutCount = std::size(kLayouts);

// Calls `use.template operator()<L>()` with the layout of that number as a constant.
template <class Use>
decltype(auto) with_layout(size_t number, Use use) {
    switch (number) {
        case 0: return use.template operator()<kLayouts[0]>();
        case 1: return use.template operator()<kLayouts[1]>();
        case 2: return use.template operator()<kLayouts[2]>();
        default: return use.template operator()<kLayouts[3]>();
    }
}

// Bytes of the five slots of a header, of the two numbers that begin a record, of the trailer.
constexpr uint64_t header_size(const Layout& layout) { return fixed_size(kHeader, layout); }
constexpr uint64_t front_size(const Layout& layout) { return fixed_size(kRecord, layout); }
constexpr uint64_t trailer_size(const Layout& layout) { return fixed_size(kTrailer, layout); }
// Bytes of a record with so many PCs, which must not be above kReaderDepth.
constexpr uint64_t record_size(const Layout& layout, uint64_t pcs) {
    return front_size(layout) + pcs * fixed_size(kCall, layout);
}

static_assert(header_size(kLayouts[0]) == 40 && front_size(kLayouts[0]) == 16 && trailer_size(kLayouts[0]) == 24);
static_assert(header_size(kLayouts[2]) == 20 && front_size(kLayouts[2]) == 8 && trailer_size(kLayouts[2]) == 12);

}  // namespace tracelint::gperftools
