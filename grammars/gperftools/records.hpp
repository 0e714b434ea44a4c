// gperftools, section 3: header, records, trailer and text, in the document's order and words.
#pragma once

#include "validator/tables/describe.hpp"

namespace tracelint::gperftools {

// Section 3.1: the header words of every known writer, and the format versions.
inline constexpr uint64_t kKnownWords = 3;
inline constexpr uint64_t kNativeVersion = 0, kJavaVersion = 1;
inline constexpr NamedValue kVersions[] = {{kNativeVersion, "C and C++"}, {kJavaVersion, "Java"}};
// Sampling periods in microseconds: the longest that a writer can be set to, and the largest that readers accept.
inline constexpr uint64_t kLongestPeriod = 1'000'000;
inline constexpr uint64_t kLargestPeriod = uint64_t{1} << 32;

// Section 3.2: PCs of a call chain that google-pprof accepts, that gperftools can store, and that old releases could.
inline constexpr uint64_t kReaderDepth = 65536, kWriterDepth = 254, kOldWriterDepth = 64;

// Section 3.5: the code of a program of Go up to 1.8 ends below this address.
inline constexpr uint64_t kGoCodeEnd = uint64_t{1} << 30;

// --- 3.6 Text wrapper ------------------------------------------------------------------------------------------------

// clang-format off

// Includes the line `--- profile` that ends it.
inline constexpr auto kWrapper = record("wrapper", kNoTag, "symbols that google-pprof --raw writes before a profile", {
    bytes("text"),
}).not_numbered();

// clang-format on

// --- 3.1 Binary Header -----------------------------------------------------------------------------------------------

// If several slots are wrong, the size of the file decides in which layout the header is read (section 2.1).

inline constexpr Rule kHeaderCountNonzero{
    .id = "gperftools/header-count-nonzero",
    .severity = Severity::error,
    .statement = "slot 0 of the header, the header count, is 0",
    .message = "header count is {0}, expected 0",
    .why =
        "both readers refuse the file: google-pprof as \"not a profile file\", Go pprof as \"unrecognized profile "
        "format\"",
    .spec = "3.1 Binary Header",
    .since = "0.1.0",
    .depends_on = {.file_size = true},
};

inline constexpr Rule kHeaderWordsTooSmall{
    .id = "gperftools/header-words-too-small",
    .severity = Severity::error,
    .statement = "slot 1 of the header, the number of header slots after it, is at least 3",
    .message = "header words is {0}, expected 3",
    .why =
        "both readers refuse the file: google-pprof as \"not a profile file\", Go pprof as \"unrecognized profile "
        "format\"",
    .spec = "3.1 Binary Header",
    .since = "0.1.0",
    .depends_on = {.file_size = true},
};

inline constexpr Rule kHeaderExtraWords{
    .id = "gperftools/header-extra-words",
    .severity = Severity::error,
    .statement = "slot 1 of the header is 3: no extra words follow the five known slots",
    .message =
        "header words is {0}, expected 3: the document allows more and google-pprof skips them, but Go pprof accepts "
        "3 only",
    .why =
        "Go pprof, the maintained reader, refuses the file as \"unrecognized profile format\"; no known writer adds "
        "words",
    .spec = "3.1 Binary Header",
    .since = "0.1.0",
    .depends_on = {.file_size = true},
};

inline constexpr Rule kHeaderVersion{
    .id = "gperftools/header-version",
    .severity = Severity::error,
    .statement = "slot 2 of the header, the format version, is 0, or 1 in the Java dialect",
    .message = "format version is {0}, expected 0, or 1 for the Java dialect",
    .why = "Go pprof refuses the file as \"unrecognized profile format\"; google-pprof ignores the version",
    .spec = "3.1 Binary Header; 3.5 Dialects",
    .since = "0.1.0",
    .depends_on = {.file_size = true},
};

inline constexpr Rule kPeriodZero{
    .id = "gperftools/period-zero",
    .severity = Severity::error,
    .statement = "slot 3 of the header, the sampling period in microseconds, is not 0",
    .message = "the sampling period is 0 microseconds",
    .why = "Go pprof refuses the file as \"unrecognized profile format\"; google-pprof shows counts instead of times",
    .spec = "3.1 Binary Header",
    .since = "0.1.0",
    .depends_on = {.file_size = true},
};

inline constexpr Rule kPeriodTooLarge{
    .id = "gperftools/period-too-large",
    .severity = Severity::error,
    .statement = "the sampling period is at most 2^32 microseconds",
    .message = "the sampling period is {0} microseconds, more than an hour between two samples",
    .why =
        "google-pprof refuses the file as \"not a profile file\"; Go pprof multiplies the period by 1000, which "
        "silently overflows above 2^63/1000 and makes its times wrong",
    .spec = "3.1 Binary Header",
    .since = "0.1.0",
};

inline constexpr Rule kPeriodImplausible{
    .id = "gperftools/period-implausible",
    .severity = Severity::warning,
    .statement = "the sampling period is at most one second",
    .message = "the sampling period is {0} microseconds: less than one sample per second",
    .why = "no writer can be set to this period; readers multiply every count by it, so all times are far too long",
    .spec = "3.1 Binary Header",
    .since = "0.1.0",
};

inline constexpr Rule kHeaderPaddingNonzero{
    .id = "gperftools/header-padding-nonzero",
    .severity = Severity::error,
    .statement = "slot 4 of the header, padding, is 0",
    .message = "header padding is {0}, expected 0",
    .why = "Go pprof refuses the file as \"unrecognized profile format\"; google-pprof ignores the padding",
    .spec = "3.1 Binary Header",
    .since = "0.1.0",
    .depends_on = {.file_size = true},
};

// clang-format off

inline constexpr auto kExtraWord = record("extra_word", kNoTag, "a header word without a meaning; no valid file has one", {
    word("value"),
}).as_fallback();
inline constexpr auto kHeader = record("header", kNoTag, "header of a profile", {
    word("header_count")   .equals(0, &kHeaderCountNonzero),
    word("header_words")   .at_least(3, &kHeaderWordsTooSmall).at_most(3, &kHeaderExtraWords)
                           .says("header slots after this one"),
    word("format_version") .at_most(1, &kHeaderVersion).named(kVersions),
    word("period").holds(Quantity::microseconds) .at_least(1, &kPeriodZero).at_most(kLargestPeriod, &kPeriodTooLarge)
                           .at_most(kLongestPeriod, &kPeriodImplausible)
                           .says("between two samples, in microseconds"),
    word("padding")        .equals(0, &kHeaderPaddingNonzero),
    list("extra_words", kExtraWord)  .says("only if header_words is above 3"),
}).not_numbered();

// clang-format on

// --- 3.2 Binary Profile Records --------------------------------------------------------------------------------------

inline constexpr Rule kSampleCountZero{
    .id = "gperftools/sample-count-zero",
    .severity = Severity::error,
    .statement = "a record stands for at least one sample",
    .message = "sample count is 0, expected at least 1",
    .why = "readers add nothing for the record; its call chain appears in reports with a weight of 0",
    .spec = "3.2 Binary Profile Records; 3.5 Dialects",
    .since = "0.1.0",
    .severity_override =
        SeverityOverride{
            .severity = Severity::note,
            .when = "the format version is not 0",
            .message = "sample count is 0 ({0 record|records} of this profile)",
            .why = "Java agents write such records for states without samples of their own; readers add nothing"},
};

inline constexpr Rule kNumPcsZero{
    .id = "gperftools/num-pcs-zero",
    .severity = Severity::error,
    .statement = "a record has at least one PC",
    .message = "num_pcs is 0: a record of {0 sample|samples} without a call chain",
    .why =
        "Go pprof creates samples without frames; google-pprof prints a Perl warning and, if a 0 follows, mistakes the "
        "record for the trailer",
    .spec = "3.2 Binary Profile Records",
    .since = "0.1.0",
    .depends_on = {.resynchronisation = true},
};

inline constexpr Rule kDepthExceedsReaderLimit{
    .id = "gperftools/depth-exceeds-reader-limit",
    .severity = Severity::error,
    .statement = "a call chain has at most 65536 PCs",
    .message = "num_pcs is {0}, more than the 65536 that google-pprof accepts",
    .why =
        "google-pprof refuses the whole file with a misleading message, \"stack trace depth >= 2**32\"; no writer "
        "stores more than 254 PCs, so the number is damaged",
    .spec = "3.2 Binary Profile Records",
    .since = "0.1.0",
    .depends_on = {.resynchronisation = true},
};

// clang-format off

inline constexpr auto kCall = record("call", kNoTag, "one PC of a call chain", {
    word("pc").holds(Quantity::address) .says("the sampled PC, then return addresses; small ids in the Java dialect"),
});
inline constexpr auto kRecord = record("record", kNoTag, "samples with the same call chain", {
    word("sample_count")   .at_least(1, &kSampleCountZero),
    word("num_pcs")        .at_least(1, &kNumPcsZero).at_most(kReaderDepth, &kDepthExceedsReaderLimit),
    list("call_chain", kCall).counted_by("num_pcs") .says("leaf first"),
});

// clang-format on

// --- 3.3 Binary Trailer ----------------------------------------------------------------------------------------------

inline constexpr Rule kTrailerDamaged{
    .id = "gperftools/trailer-damaged",
    .severity = Severity::error,
    .statement = "the three slots between the records and the text are 0, 1, 0",
    .message = "slot {0} of the trailer is {1}, expected {2}",
    .why =
        "readers mistake the trailer for a record: google-pprof loses the list of mapped objects or reads it as "
        "records, and Go pprof also misreads it",
    .spec = "3.3 Binary Trailer",
    .since = "0.1.0",
    .depends_on = {.file_size = true},
};

// clang-format off

inline constexpr auto kTrailer = record("trailer", kNoTag, "ends the records", {
    word("sample_count")   .equals(0, &kTrailerDamaged),
    word("num_pcs")        .equals(1, &kTrailerDamaged),
    word("pc").holds(Quantity::address) .equals(0, &kTrailerDamaged),
});

// --- 3.4 Text List of Mapped Objects ---------------------------------------------------------------------------------

inline constexpr auto kLine = record("line", kNoTag, "a line of the list of mapped objects, or of the Java locations", {
    bytes("text")          .says("with its LF"),
});

// clang-format on

inline constexpr const Record* kRecords[] = {&kWrapper, &kHeader, &kRecord, &kTrailer, &kLine};

// --- layouts ---------------------------------------------------------------------------------------------------------

// The four layouts that a file can have: word size and byte order are those of the producer. In the order in which
// identification prefers them (section 2.1, step 2).
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

// Sizes in bytes: the five slots of a header, the two slots before a call chain, the trailer.
constexpr uint64_t header_size(const Layout& layout) { return fixed_size(kHeader, layout); }
constexpr uint64_t front_size(const Layout& layout) { return fixed_size(kRecord, layout); }
constexpr uint64_t trailer_size(const Layout& layout) { return fixed_size(kTrailer, layout); }
// Bytes of a record with `pcs` PCs, at most kReaderDepth.
constexpr uint64_t record_size(const Layout& layout, uint64_t pcs) {
    return front_size(layout) + pcs * fixed_size(kCall, layout);
}

static_assert(header_size(kLayouts[0]) == 40 && front_size(kLayouts[0]) == 16 && trailer_size(kLayouts[0]) == 24);
static_assert(header_size(kLayouts[2]) == 20 && front_size(kLayouts[2]) == 8 && trailer_size(kLayouts[2]) == 12);

// --- the rules of this file ------------------------------------------------------------------------------------------

inline constexpr RuleList kFieldRules =
    rules<&kHeaderCountNonzero, &kHeaderWordsTooSmall, &kHeaderExtraWords, &kHeaderVersion, &kPeriodZero,
          &kPeriodTooLarge, &kPeriodImplausible, &kHeaderPaddingNonzero, &kSampleCountZero, &kNumPcsZero,
          &kDepthExceedsReaderLimit, &kTrailerDamaged>;

}  // namespace tracelint::gperftools
