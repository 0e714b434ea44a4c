// perf map, sections 2 and 3.1: the name of the file, and what separates the parts of a line.
#include "grammars/perfmap/lines.hpp"

#include "grammars/perfmap/recognise.hpp"

namespace tracelint::perfmap {
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
    .statement = "a line ends with LF alone",
    .message = "the line ends with CR LF; this is the first such line",
    .why = "perf takes the CR for the last byte of the name",
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

namespace {}
constinit const RuleList kLineRules = rules<&kFileName, &kCarriageReturn, &kSeparator, &kMissingFinalNewline>;

}  // namespace tracelint::perfmap
