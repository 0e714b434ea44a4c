// perf map, section 3.2: the numbers of a line.
#include "grammars/perfmap/lines.hpp"

namespace tracelint::perfmap {
namespace {

constexpr uint64_t kLargestFunction = uint64_t{1} << 30;

constexpr Rule kNumberPrefix{
    .id = "perfmap/number-prefix",
    .severity = Severity::note,
    .statement = "numbers have no 0x",
    .message = "0x precedes the number; this is the first such line",
    .why =
        "the document forbids it, but perf and samply accept it, and Erlang and OpenJDK write it. ddprof rejected such "
        "lines until 2025",
    .spec = "3.2 Numbers",
    .since = "0.2.0",
};

constexpr Rule kRangeOverflow{
    .id = "perfmap/range-overflow",
    .severity = Severity::error,
    .statement = "the code of a function ends at or below 2^64",
    .message = "the function starts at {0x} and has {1x} bytes: it ends above 2^64",
    .why = "the end wraps to a low address, so no sample lies in the function; a debug build of samply panics",
    .spec = "3.2 Numbers",
    .since = "0.2.0",
};

constexpr Rule kZeroSize{
    .id = "perfmap/zero-size",
    .severity = Severity::warning,
    .statement = "the size of a function is not 0",
    .message = "the size of the function is 0",
    .why = "samply never finds the function, and perf only at its very address",
    .spec = "3.2 Numbers",
    .since = "0.2.0",
};

constexpr Rule kZeroAddress{
    .id = "perfmap/zero-address",
    .severity = Severity::warning,
    .statement = "no function starts at address 0",
    .message = "the function starts at address 0",
    .why = "no code is there, so the function has no samples: its address was unknown to the writer",
    .spec = "3.2 Numbers",
    .since = "0.2.0",
};

constexpr Rule kHugeRange{
    .id = "perfmap/huge-range",
    .severity = Severity::warning,
    .statement = "a function has at most 2^30 bytes",
    .message = "the size of the function is {0x}",
    .why = "the range takes the samples of the functions after it: an address was probably written in place of a size",
    .spec = "3.2 Numbers",
    .since = "0.2.0",
};

}  // namespace

void check_prefixes(ValidationContext& context, const LineInFile& line, ReportedOnce& once) {
    if (once.prefix) return;
    for (const Number* const number : {&line.parts.start, &line.parts.size}) {
        if (!number->has_prefix) continue;
        once.prefix = true;
        return report<kNumberPrefix>(context, line, line.place({number->part.at, 2}));
    }
}

bool check_range(ValidationContext& context, const LineInFile& line) {
    const uint64_t start = line.parts.start.value, size = line.parts.size.value;
    if (size > 0 && start > kNone - (size - 1)) {
        report<kRangeOverflow>(context, line, line.range(), {start, size});
        return false;
    }
    if (size == 0) report<kZeroSize>(context, line, line.place(line.parts.size.part));
    if (start == 0 && size > 0) report<kZeroAddress>(context, line, line.place(line.parts.start.part));
    if (size > kLargestFunction) report<kHugeRange>(context, line, line.place(line.parts.size.part), {size});
    return true;
}

namespace {}
constinit const RuleList kNumberRules = rules<&kNumberPrefix, &kRangeOverflow, &kZeroSize, &kZeroAddress, &kHugeRange>;

}  // namespace tracelint::perfmap
