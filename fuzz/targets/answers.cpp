// Targets for what is answered about files: reports, dumps, verdicts about readers and groups, by the C library too.
#include "fuzz/c_interface_oracle.hpp"
#include "fuzz/judged_group.hpp"
#include "fuzz/salvage_oracle.hpp"
#include "fuzz/shrink_oracle.hpp"
#include "fuzz/targets/target.hpp"
#include "fuzz/tool/dump_output_oracle.hpp"
#include "fuzz/tool/everything_oracle.hpp"
#include "fuzz/tool/page_oracle.hpp"
#include "fuzz/tool/readers_oracle.hpp"
#include "fuzz/tool/run_oracle.hpp"
#include "fuzz/tool/writers_oracle.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint {
namespace {

Complaint report_parses(const FuzzInput& input) {
    constexpr uint64_t kFew = 4;    // findings kept per rule in files that are not small, to save time
    constexpr size_t kSmall = 512;  // bytes
    const uint64_t parameters = input.parameters();
    const std::string name(as_text(input.bytes().last(std::min<uint64_t>(input.size(), parameters % 16))));
    const WriterKind& writer = writer_kinds()[(parameters >> 8) % writer_kinds().size()];
    Input file = input.file();
    if (input.size() > kSmall) file.kept_per_rule = kFew;
    const Outcome outcome = check_all(file);
    Complaint complaint;
    if ((parameters >> 16) % 4 == 0)
        write_in_colour(writer, {name, outcome});
    else
        complaint = writes(writer, {name, outcome});
    if (!complaint && writer.name == "html") complaint = page(file);
    if (!complaint && (parameters >> 32) % 8 == 0) complaint = has_no_lookalike(writer, name);
    if (!complaint && (parameters >> 24) % 4 == 0) complaint = run_of(writer, file, name);
    return complaint;
}

Complaint dump_parses(const FuzzInput& input) {
    Random random(input.parameters());
    return dump_output(input.file(), any_selection(random, input.size()));
}

Complaint readers_are_predicted(const FuzzInput& input) {
    const Bytes bytes = input.bytes();
    const uint64_t seed = input.parameters() >> 8, number = 1 + seed % 16;
    Complaint complaint = readers_predicted(bytes);
    if (!complaint) complaint = readers_within_limits(bytes, seed);
    if (!complaint) complaint = verdicts_alone(bytes);
    if (!complaint) complaint = sentences_agree(bytes);
    if (!complaint) complaint = readers_fail(bytes, number);
    if (!complaint) complaint = readers_end(bytes, number);
    return complaint;
}

constexpr FuzzTarget kAnswers[] = {
    {
        .name = "writers",
        .statement = "any bytes under any file name: every output parses; each input is given to one writer",
        .run = report_parses,
        .mutator = FuzzMutator::structured,
    },
    {
        .name = "dump",
        .statement = "any bytes: every kind of dump of all or a part of them parses, and is bounded",
        .run = dump_parses,
        .mutator = FuzzMutator::structured,
        .seeds = "sample",
    },
    {
        .name = "readers",
        .statement = "any bytes: what each reader will do with them can be told, within limits, if a read fails, and "
                     "if a signal comes",
        .run = readers_are_predicted,
        .mutator = FuzzMutator::structured,
    },
    {
        .name = "salvage",
        .statement =
            "any bytes: what is salvaged of them has no error, and is the file but for the edits that are listed",
        .run = [](const FuzzInput& input) { return salvages(input.file()); },
        .mutator = FuzzMutator::structured,
        .seeds = "sample",
    },
    {
        .name = "shrink",
        .statement =
            "any bytes: what is shrunk keeps its finding, breaks no other rule, is not larger, and has no text "
            "of the file if it is redacted",
        .run =
            [](const FuzzInput& input) {
                const Complaint complaint = shrinks(input.file(), true);
                return complaint ? complaint : shrinks(input.file(), false);
            },
        .mutator = FuzzMutator::structured,
        .seeds = "sample",
    },
    {
        .name = "everything",
        .statement = "any bytes: all that can be asked of a file is answered within one budget of work",
        .run = [](const FuzzInput& input) { return everything(input.bytes()); },
        .mutator = FuzzMutator::structured,
        .seeds = "sample",
    },
    {
        .name = "group",
        .statement = "up to four files as one group, by names and lengths (fuzz/judged_group.hpp): a recording, "
                     "dumps, perf maps, or anything else",
        .run = [](const FuzzInput& input) { return group_holds(files_in(input.bytes()), input.parameters()); },
        .seeds = "group",
    },
    {
        .name = "c_interface",
        .statement = "any sequence of calls of the C interface, misuse included: no crash, and each call returns what "
                     "it deserves; the last bytes choose the calls",
        .run = [](const FuzzInput& input) { return c_interface(input.bytes()); },
        .seeds = "sample",
    },
};

}  // namespace

const std::span<const FuzzTarget> kAnswerTargets(kAnswers);

}  // namespace tracelint
