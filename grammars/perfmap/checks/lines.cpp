// perf map, section 3: the parts of a line, and their rules.
#include "grammars/perfmap/checks/lines.hpp"

#include <algorithm>

#include "grammars/perfmap/perfmap.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint::perfmap {

// perf map, section 3.1: the parts of a line.

namespace {

// The value of a hexadecimal digit, or 16.
constexpr unsigned digit(char c) {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
    if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
    return 16;
}

size_t skip_blanks(std::string_view text, size_t at) {
    while (at < text.size() && is_blank(text[at])) ++at;
    return at;
}

// Reads the number at `at`. False without a digit, or if what follows it is neither a blank nor the end of the line.
bool read_number(std::string_view text, size_t at, Number& number) {
    number.part.at = at;
    number.has_prefix = text.substr(at).starts_with("0x") || text.substr(at).starts_with("0X");
    if (number.has_prefix) at += 2;
    const size_t first = at;
    for (; at < text.size() && digit(text[at]) < 16; ++at) {
        number.fits = number.fits && number.value >> 60 == 0;
        number.value = number.value << 4 | digit(text[at]);
    }
    number.part.length = at - number.part.at;
    const bool is_ended = at == text.size() || is_blank(text[at]);
    return at > first && is_ended;
}

LineFault read_parts(std::string_view text, Line& line) {
    size_t at = skip_blanks(text, 0);
    line.has_spacing = at > 0;
    if (at == text.size()) return LineFault::blank;
    for (Number* const number : {&line.start, &line.size}) {
        const bool is_read = read_number(text, at, *number);
        const Part part = number->part;
        if (!is_read || !number->fits) {
            *number = {};
            if (!is_read) return LineFault::malformed;
            line.large = part;
            return LineFault::large_number;
        }
        at = skip_blanks(text, part.end());
        line.has_spacing |= text.substr(part.end(), at - part.end()) != " ";
    }
    line.name = {at, text.size() - at};
    return line.name.length == 0 ? LineFault::no_name : LineFault::none;
}

}  // namespace

void read_line(std::string_view text, Line& line) {
    // Not all of the line: for `line = {}`, g++ fills a temporary and copies it, which takes a quarter of the time of
    // an empty line.
    line.text = text;
    line.start = line.size = {};
    line.fault = read_parts(text, line);
}

// perf map, sections 2 and 3.1: the name of the file, and what separates the parts of a line.

namespace {

constexpr Rule kFileName{
    .id = "perfmap/file-name",
    .severity = Severity::note,
    .statement = "the file is named perf-<pid>.map",
    .message = "the file is not named perf-<pid>.map",
    .why = "readers look for /tmp/perf-<pid>.map: they do not find this file unless it is renamed",
    .spec = "2. Identification",
    .since = "0.2.0",
};

constexpr Rule kCarriageReturn{
    .id = "perfmap/carriage-return",
    .severity = Severity::warning,
    .statement = "a line ends with LF, not with CR LF",
    .message = "the line ends with CR LF; this is the first such line",
    .why = "perf reads the CR as the last byte of the name",
    .spec = "3.1 Line",
    .since = "0.2.0",
};

constexpr Rule kSeparator{
    .id = "perfmap/separator",
    .severity = Severity::error,
    .statement = "one space follows each number, and none precedes the first one",
    .message = "the parts of the line are not separated by one space each",
    .why = "samply skips the line; for perf a second blank before the name belongs to the name",
    .spec = "3.1 Line",
    .since = "0.2.0",
};

constexpr Rule kMissingFinalNewline{
    .id = "perfmap/missing-final-newline",
    .severity = Severity::warning,
    .statement = "the last line ends with LF",
    .message = "the last line has no line end",
    .why =
        "perf cuts the last byte of its name. The name itself may be cut: the process was still writing, was killed "
        "without a flush, or the disk was full",
    .spec = "3.1 Line; 4.1 File",
    .since = "0.2.0",
    .about_end = true,
};

}  // namespace

void check_file_name(ValidationContext& context) {
    const std::string_view path = context.file_name;
    const std::string_view name = path.substr(path.rfind('/') + 1);
    if (name.ends_with(".map") && !is_map_name(name)) context.report.add<kFileName>({});
}

void check_carriage_return(ValidationContext& context, const LineInFile& line, uint64_t at, ReportedOnce& once) {
    if (!std::exchange(once.carriage_return, true)) report<kCarriageReturn>(context, line, line.place({at, 1}));
}

void check_separators(ValidationContext& context, const LineInFile& line) {
    if (line.parts.has_spacing) report<kSeparator>(context, line, line.whole());
}

void check_final_newline(ValidationContext& context, const LineInFile& line, uint64_t end) {
    if (!line.is_terminated) context.report.add<kMissingFinalNewline>({.offset = end});
}

// perf map, section 3.2: the numbers of a line.

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
    .why = "the end wraps to a low address, so the function contains no sample; a debug build of samply panics",
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
    .why = "the writer did not know the address; no code is there, so the function has no samples",
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

// perf map, section 3.3: the name of a function.

namespace {

constexpr size_t kShortestName = 3;  // bytes

constexpr Rule kShortName{
    .id = "perfmap/short-name",
    .severity = Severity::error,
    .statement = "a name has at least 3 bytes",
    .message = "the name has {0 byte|bytes}, expected at least 3",
    .why = "perf skips the line, so it shows the function's addresses without a name",
    .spec = "3.3 Name",
    .since = "0.2.0",
};

constexpr Rule kNameInvalidUtf8{
    .id = "perfmap/name-invalid-utf8",
    .severity = Severity::error,
    .statement = "a name is UTF-8",
    .message = "the name is not UTF-8: byte {0x} begins no character",
    .why = "samply reads nothing of the whole file; perf passes the bytes on to the terminal",
    .spec = "3.3 Name",
    .since = "0.2.0",
};

constexpr Rule kNameControl{
    .id = "perfmap/name-control",
    .severity = Severity::warning,
    .statement = "a name contains no control characters",
    .message = "control character {0x} in the name",
    .why = "terminals obey it, and tools that read stacks as lines split the name there",
    .spec = "3.3 Name",
    .since = "0.2.0",
};

constexpr Rule kNameNonAscii{
    .id = "perfmap/name-non-ascii",
    .severity = Severity::note,
    .statement = "a name is ASCII",
    .message = "the name is not ASCII; this is the first such line",
    .why = "legal UTF-8, which perf and samply show; other tools may not",
    .spec = "3.3 Name",
    .since = "0.2.0",
};

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

}  // namespace

void check_name(ValidationContext& context, const LineInFile& line, ReportedOnce& once) {
    const Part part = line.parts.name;
    const std::string_view name = part.of(line.parts.text);
    if (context.names != nullptr) context.names->on_name(as_bytes(name));
    if (name.size() < kShortestName) report<kShortName>(context, line, line.place(part), {name.size()});
    const auto control = std::ranges::find_if(name, is_control);
    if (control != name.end())
        report<kNameControl>(context, line, line.place({part.at + static_cast<size_t>(control - name.begin()), 1}),
                             {static_cast<unsigned char>(*control)});
    const TextScan scan = scan_text(as_bytes(name));
    if (scan.ill_formed != kNone)
        return report<kNameInvalidUtf8>(context, line, line.place({part.at + scan.ill_formed, 1}),
                                        {static_cast<unsigned char>(name[scan.ill_formed])});
    if (scan.non_ascii == kNone || std::exchange(once.non_ascii, true)) return;
    report<kNameNonAscii>(context, line, line.place({part.at + scan.non_ascii, 1}));
}

constinit const RuleList kLinesRules =
    rules<&kFileName, &kCarriageReturn, &kSeparator, &kMissingFinalNewline, &kNumberPrefix, &kRangeOverflow, &kZeroSize,
          &kZeroAddress, &kHugeRange, &kShortName, &kNameInvalidUtf8, &kNameControl, &kNameNonAscii>;

}  // namespace tracelint::perfmap
