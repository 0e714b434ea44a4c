// perf map, section 3.3: the name of a function.
#include <algorithm>

#include "grammars/perfmap/lines.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint::perfmap {
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
    if (context.names != nullptr) context.names->hear(as_bytes(name));
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

namespace {}
constinit const RuleList kNameRules = rules<&kShortName, &kNameInvalidUtf8, &kNameControl, &kNameNonAscii>;

}  // namespace tracelint::perfmap
