// The commands with what manual pages say of them.
#include "validator/tool/catalogue/documents/command_table.hpp"
#include "validator/group.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include "validator/input/input_rules.hpp"
#include "validator/readers/reader.hpp"
#include "validator/report/expectation_rules.hpp"
#include "validator/tool/options/command_line.hpp"

namespace tracelint {
namespace {

struct Prose {
    std::string_view command;
    std::string_view phrase;
    std::string_view prose;
    std::string_view examples;
    std::string_view statuses;
};

// Exit statuses, an item for each.
constexpr std::string_view kFindingStatuses = R"(.It 0
No finding at or above
.Fl \-fail\-on ,
which is error by default.
.It 1
At least one such finding.
This is the status for malformed traces.
.It 2
The command line or a configuration is wrong.
.It 3
An input could not be read.
.It 4
Something was not checked: a limit was hit, the output was closed or full, a
signal came, or an internal error occurred.
)";
constexpr std::string_view kShrinkStatuses = R"(.It 0
The output was written.
.It 1
.Ar FILE
does not have the finding, or the finding cannot be shrunk; standard error says
why.
.It 2
The command line is wrong.
.It 3
.Ar FILE
could not be read, or changed while it was read.
.It 4
The output failed, a limit was hit, or a signal came.
)";
constexpr std::string_view kListStatuses = R"(.It 0
Success.
.It 2
The command line is wrong, or names no rule.
.It 4
The output failed.
)";

constexpr Prose kProse[] = {
    {"check", "check binary traces of runtimes and profilers",
     R"(reports every violation of the format in each
.Ar FILE
with its rule, severity, byte offset and length, and with its effect on the
tools that read the file.
The format is recognised by the first bytes.
Folders are searched recursively.
Gzip and zstd are decompressed; several members or frames are one trace.
.Pp
No file makes
.Nm
crash or hang: it takes time linear in the size of the input, and bounded
memory.
The other inputs are still checked if one is malformed, truncated or of an
unknown format.
.Pp
A finding is one of these:
.Bl -tag -width warning
.It Sy error
The file violates a requirement of the format, or a real reader fails on it or
misreads it.
Files from healthy producers have none.
.It Sy warning
Today's readers cope, but the writer is at fault or the file is at risk.
.It Sy note
Worth knowing; files from healthy producers have them.
.El
.Pp
The command
.Cm check
may be left out.
To check a file whose name is a command, write
.Pa ./rules .)",
     R"(Check the traces of a test run, with one line for each finding on standard
output and all details in a file:
.Pp
.Dl $ tracelint \-\-output concise \-\-output json=findings.json traces/
.Pp
Also fail on warnings, but never on one rule:
.Pp
.Dl $ tracelint \-\-fail\-on warning \-\-off jitdump/close\-size traces/
.Pp
Write a page that shows the bytes of each finding:
.Pp
.Dl $ tracelint \-\-output html=report.html app.dump
.Pp
Check what a program writes:
.Pp
.Dl $ record\-trace | tracelint \-)",
     kFindingStatuses},
    {"rules", "list the rules",
     R"(prints the id, the severity and the requirement of each rule, one rule per line,
or everything about the rules as JSON.
.Xr tracelint-rules 7
also lists what a violation does to readers.)",
     R"(List the rules of one format:
.Pp
.Dl $ tracelint rules \-\-select jitdump/)",
     kListStatuses},
    {"explain", "explain a rule of a trace format",
     R"(prints what the rule requires, what a violation does to the tools that read the
file, the section of the specification, and the smallest example of a violation
with its bytes.
For a prefix such as
.Ql jitdump/ ,
or a part of an id such as
.Ql truncated ,
it lists the rules that match.)",
     R"(.Dl $ tracelint explain jitdump/header\-unknown\-flags)", kListStatuses},
    {"dump", "print the records of a trace",
     R"(prints
.Ar FILE
record by record and field by field: offset, bytes, name, value and meaning.
It does not validate, and it continues after bytes that are not a record.
Inlined calls are indented by depth and shown with the names of their functions.
.Pp
On a terminal, the columns are as wide as their content needs.
What does not fit into the width of the terminal, or into
.Ev COLUMNS ,
continues on the next line; a remark on what a field is for is left out if it
does not fit.
Otherwise each row is one line, with columns separated by
.Ql " | " ,
so that
.Xr grep 1
finds all of it.
.Pp
With
.Fl \-field ,
only the fields of this name are printed, and all of each: bytes in hexadecimal,
texts in one line.
The name is that of a finding, with or without the number of the record.
.Ql entries[2].line
is a field of one element of a list,
.Ql entries.line
that of each element,
.Ql entries
the whole list.
With
.Fl \-bytes ,
the bytes are written as they are in the file, a text with the NUL that ends it.)",
     R"(Print the records around the offset of a finding:
.Pp
.Dl $ tracelint dump \-\-around 0x1f40 app.dump
.Pp
Print the first ten records as JSON:
.Pp
.Dl $ tracelint dump \-\-records 0..9 \-\-output json app.dump
.Pp
Print all records of one kind for a spreadsheet:
.Pp
.Dl $ tracelint dump \-\-only JIT_CODE_LOAD \-\-output csv app.dump
.Pp
Disassemble the code of one record:
.Pp
.Dl $ tracelint dump \-\-field 'records[7].code' \-\-bytes \-o code.bin app.dump
.Dl $ objdump \-D \-b binary \-m i386:x86\-64 code.bin)",
     R"(.It 0
Success.
.It 1
The format is not recognised.
.It 2
The command line is wrong, or names records that the trace does not have.
.It 3
The input could not be read.
.It 4
The output failed, or a limit was hit.
)"},
    {"baseline", "keep a list of known findings",
     R"(compares the findings in each
.Ar FILE
with the list
.Ar BASELINE
of those that are known.
.Cm baseline update
sets the list to the findings of this run, keeps its reasons and order, and
prints what changed.
Without
.Fl \-accept\-new
the list only shrinks; with it, new findings are added, and a missing list is
created.
.Cm baseline check
changes nothing: it prints how the findings differ from the list, one line per
difference.
.Pp
Standard output has only the differences; reports go to output files.
.Fl \-accept\-new
and
.Fl \-reason
are options of
.Cm update .
A check with
.Fl \-baseline
shows the findings that the list allows as known, and does not count them.)",
     R"(Accept today's findings, and fail on new ones:
.Pp
.Dl $ tracelint baseline update \-\-accept\-new baseline.json traces/
.Dl $ tracelint \-\-baseline baseline.json traces/)",
     R"(.It 0
.Cm update :
the list was written, or was up to date.
.Cm check :
the findings match the list.
.It 1
.Cm update :
there are findings that the list does not allow and that were not accepted.
.Cm check :
the findings differ from the list.
.It 2
The command line, a configuration or the list is wrong.
.It 3
An input could not be read; the list is not changed.
.It 4
Something was not checked, so the list is not changed, or the output failed.
)"},
    {"merge", "merge the parts of a fleet's results",
     R"(reads each
.Ar PART
written by a run with
.Fl \-manifest
and
.Fl \-output Cm ndjson= Ns Ar PART ,
and reports on all files in the order of the manifest.
The parts may be given in any order, and merged in several steps.
.Nm tracelint Cm merge
reports parts that are truncated, repeated, or made from another manifest,
version or set of options, and missing shards; it then exits with 3 and writes
no output file.
.Pp
Text output has the totals, and the rules with examples of files.
The exit status is that of a single run over all files.)",
     R"(Divide a manifest among four runs, which may be on different machines, and
merge their parts:
.Pp
.Dl $ tracelint \-\-manifest list \-\-shard 1/4 \-\-exit\-zero \-\-output ndjson=1.ndjson
.Dl $ tracelint merge \-\-expect\-manifest list \-\-output sarif=all.sarif *.ndjson)",
     R"(.It 0
No finding at or above
.Fl \-fail\-on ,
which is error by default.
.It 1
At least one such finding.
.It 2
The command line is wrong.
.It 3
A part is missing, truncated, given twice or from another run, or an input of
the run could not be read.
.It 4
Something was not checked by the run, or the output failed.
)"},
    {"salvage", "write the part of a broken trace that has no error",
     R"(writes the records of
.Ar FILE
that can be trusted to
.Ar OUT ,
as a trace without errors.
Records that have an error are left out, with the records that depend on them.
Numbers that count what is left are set, and a missing end is added.
All other bytes of
.Ar OUT
come from
.Ar FILE .
.Pp
Standard output lists what was left out, set and inserted, with offset, length
and rule.
A trace without errors is copied byte by byte.
The salvaged data of a compressed file are not compressed.
.Pp
.Ar OUT
is checked before it is written, and gets its name when all of it is written.
It is not written if it would still have an error, or if no record remains.
.Ar FILE
is never changed.
It is read several times, so it cannot be a pipe.)",
     R"(Keep what is good of a truncated trace:
.Pp
.Dl $ tracelint salvage app.dump \-o good.dump
.Pp
Also write what was left out, as JSON:
.Pp
.Dl $ tracelint salvage \-\-output json=changes.json app.dump \-o good.dump)",
     R"(.It 0
.Ar OUT
was written and has no error.
.It 1
The trace cannot be salvaged; standard error says why.
.It 2
The command line is wrong.
.It 3
.Ar FILE
could not be read, or changed while it was read.
.It 4
The output failed, or a limit was hit.
)"},
    {"shrink", "write the smallest trace that still has a finding",
     R"(writes a trace to
.Ar OUT
that is as small as possible and still has a finding of
.Ar FILE .
It has no error or warning of a rule that
.Ar FILE
does not break, and no other error or warning at all, unless it always comes
with the finding.
.Pp
Records are left out, then elements of lists, and the fields of what is left
get their simplest values.
After each step, the trace is checked.
With
.Fl \-redact ,
names, paths, code and payloads are replaced by neutral ones of the same length.
What the finding needs of them is kept, and standard output lists it.
.Pp
.Ar OUT
gets its name when all of it is written, and is not compressed.
.Ar FILE
is never changed.
It is read several times, so it cannot be a pipe.
After
.Fl \-max\-seconds
or a signal, the smallest trace so far is written.)",
     R"(Shrink a trace to what shows an error:
.Pp
.Dl $ tracelint shrink app.dump \-\-keep jitdump/truncated\-record \-o small.dump
.Pp
Keep the finding at an offset, and nothing that is private:
.Pp
.Dl $ tracelint shrink app.dump \-\-keep jitdump/truncated\-record@0x1f40 \-\-redact \-o small.dump)",
     kShrinkStatuses},
    {"report", "write a finding up for an issue tracker",
     R"(shrinks and redacts
.Ar FILE
as
.Cm shrink
does, and writes one page of markdown: what is wrong and where, the rule, what
each reader does with such files, the bytes of the finding, and the small trace
with the commands that recreate it.)",
     R"(Write a finding up:
.Pp
.Dl $ tracelint report app.dump jitdump/truncated\-record \-o issue.md)",
     kShrinkStatuses},
    {"generate", "write a valid trace, or one that violates a rule",
     R"(writes a trace of
.Ar FORMAT
that is valid, or that violates one rule in one place.
The same seed gives the same file on every machine.
.Pp
With
.Fl \-count
or
.Fl \-violate Cm all ,
.Ar OUT
is a folder of such traces.
.Fl \-expected
also lists what a check finds in each of them.)",
     R"(Write a file that violates a rule:
.Pp
.Dl $ tracelint generate mlpd \-\-violate mlpd/bad\-mvid \-o bad.mlpd
.Pp
Write a file for each rule that can be violated, with the expected findings:
.Pp
.Dl $ tracelint generate xray \-\-violate all \-\-expected \-o xray)",
     R"(.It 0
Success.
.It 2
The command line is wrong, or standard output is a terminal.
.It 4
The output failed, or the file needs more memory than
.Fl \-max\-memory
allows; or no file has a place where the rule can be violated.
)"},
    {"mutate", "write broken traces for tests of readers",
     R"(writes traces to the folder
.Ar DIR
that are broken in a few places: records are dropped, repeated and swapped,
values are changed, and sizes mostly follow.
What is mutated is the trace
.Ar FILE ,
decompressed, or generated traces of
.Ar FORMAT .
A file whose name is that of a format is written
.Pa ./xray .
The same seed gives the same files on every machine.
.Pp
With
.Fl \-violate ,
each trace violates one rule in one place instead; these are generated.
Rules that cannot be violated are listed on standard error.
.Fl \-expected
writes
.Pa expected.json ,
which has the findings of a check of each file, as the conformance corpus has
them.)",
     R"(Write 1000 broken traces, and what a reader must do with each:
.Pp
.Dl $ tracelint mutate jitdump \-\-count 1000 \-\-expected \-o mutants
.Pp
Break a trace of your own:
.Pp
.Dl $ tracelint mutate app.dump \-o broken)",
     R"(.It 0
Success.
.It 1
The format of
.Ar FILE
is not recognised.
.It 2
The command line is wrong, or no generated trace is as it asks for.
.It 3
.Ar FILE
could not be read, or is too large to be decoded in memory.
.It 4
The output failed, memory ran out, or no rule could be violated.
)"},
    {"dictionary", "print the values of a format for fuzzers",
     R"(prints a dictionary of
.Ar FORMAT
for AFL++ and libFuzzer: the values that the specification names or compares
fields with, in both byte orders, and the texts that most traces have.
Each line is named after a record and a field.)",
     R"(.Dl $ tracelint dictionary jitdump >jitdump.dict)",
     R"(.It 0
Success.
.It 2
The command line is wrong.
.It 4
The output failed.
)"},
    {"describe", "print the record tables of a format",
     R"(prints the layout of the records of
.Ar FORMAT
as JSON: the fields with type, width, versions, conditions, counts, named
values, and the rules that bad values break.)",
     R"(.Dl $ tracelint describe xray >xray.json)",
     R"(.It 0
Success.
.It 2
The command line is wrong.
.It 4
The output failed.
)"},
    {"conform", "run a reader of traces over the conformance corpus",
     R"(runs the command
.Ar READER
once for each file of the conformance corpus, which is part of the program, or
of one
.Ar FORMAT
only.
The command is one argument.
It is split into words as by a shell, but no shell runs it; {} in a word stands
for the file, which is the standard input of a command without {}.
.Pp
A reader accepts a file by exit status 0 and refuses it by another one.
It crashes if a signal ends it, or if its exit status is above 128 as a shell
has it, or one of
.Fl \-crash\-status .
It hangs if it takes longer than
.Fl \-max\-seconds .
A file is wrong if the reader crashes or hangs, accepts a file that it must
refuse, or refuses one that it must accept.
.Pp
On Linux, the reader runs in a sandbox: it reads every file, but it only writes
in a scratch folder, which
.Ev TMPDIR
names, and to
.Pa /dev/null ,
and it opens only local sockets.
What the system cannot guard is reported on standard error.
.Fl \-no\-sandbox
is for readers that need more.)",
     R"(Run a reader over the files of one format, and keep the results:
.Pp
.Dl $ tracelint conform \-\-output junit=readers.xml 'myreader {}' jitdump
.Pp
Run it over mutants:
.Pp
.Dl $ tracelint mutate jitdump \-\-expected \-o mutants
.Dl $ tracelint conform \-\-corpus mutants 'myreader {}')",
     R"(.It 0
The reader got every file right.
.It 1
The reader got a file wrong.
.It 2
The command line is wrong, or the command cannot be run.
.It 3
The corpus could not be read.
.It 4
The output failed, or a signal came.
)"},
};

const Prose& prose_of(std::string_view command) {
    const auto found = std::ranges::find(kProse, command, &Prose::command);
    if (found == std::end(kProse))
        throw std::logic_error(fmt::format("kProse in command_table.cpp describes no command {}", command));
    return *found;
}

}  // namespace

ArgumentKind argument_kind(const OptionRow& row) {
    if (row.value.empty()) return ArgumentKind::none;
    if (!row.choices.empty()) return row.value.ends_with("[=FILE]") ? ArgumentKind::output : ArgumentKind::words;
    const bool is_file = row.value.ends_with("FILE") || row.value.starts_with("FILE") || row.value == "PART" ||
                         row.value == "OUT" || row.value == "DIR";
    if (is_file) return ArgumentKind::file;  // also "BASELINE FILE" and "FILE|FORMAT"
    if (row.value == "FORMAT") return ArgumentKind::format;
    if (row.value.starts_with("RULE")) return ArgumentKind::rules;
    return ArgumentKind::free;
}

std::string words_of(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

std::vector<CommandEntry> command_table() {
    std::vector<CommandEntry> entries;
    for (const std::string_view command : command_names()) {
        if (command == "help") continue;
        const Prose& prose = prose_of(command);
        entries.push_back({command, prose.phrase, prose.prose, prose.examples, prose.statuses, options_of(command)});
    }
    return entries;
}

std::vector<RuleGroup> rule_groups() {
    std::vector<RuleGroup> groups;
    const auto group_of = [&](const Rule& rule, std::string_view title) -> RuleGroup& {
        const std::string prefix(rule.id.substr(0, rule.id.find('/') + 1));
        const auto found = std::ranges::find(groups, prefix, &RuleGroup::prefix);
        if (found != groups.end()) return *found;
        return groups.emplace_back(RuleGroup{prefix, std::string(title), {}});
    };
    for (const Rule* rule : input_rules())
        group_of(*rule, rule->id.starts_with("gzip/")   ? "Gzip"
                        : rule->id.starts_with("zstd/") ? "Zstd"
                                                        : "Any input")
            .rules.push_back(rule);
    for (const Rule* rule : expectation_rules()) group_of(*rule, "Expectations").rules.push_back(rule);
    for (const Rule* rule : reader_rules()) group_of(*rule, "Readers").rules.push_back(rule);
    for (const Format* format : formats())
        for (const Grammar* grammar : format->grammars)
            for (const Rule* rule : rules_of(*grammar)) group_of(*rule, grammar->title).rules.push_back(rule);
    for (const GroupGrammar* one : group_grammars())
        for (const Rule* rule : rules_of(*one->grammar)) group_of(*rule, one->grammar->title).rules.push_back(rule);
    return groups;
}

}  // namespace tracelint
