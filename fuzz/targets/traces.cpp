// Targets that check any bytes as a trace.
#include "fuzz/targets/target.hpp"

namespace tracelint {
namespace {

Complaint detection(const FuzzInput& input) {
    if (Complaint complaint = recognition(input.bytes(), input.parameters())) return complaint;
    return never_crash({input.bytes(), formats()[(input.parameters() >> 40) % formats().size()]});
}

Complaint gzip(const FuzzInput& input) {
    const uint64_t seed = input.parameters() >> 8;
    return is_container(input.bytes()) ? chunks_agree(input.file(), seed) : container(input.file(), seed);
}

constexpr FuzzTarget kTraces[] = {
    {
        .name = "never_crash",
        .statement = "any bytes: the check ends within its bounds, and every finding lies in the file",
        .run = [](const FuzzInput& input) { return never_crash(input.file()); },
        .mutator = FuzzMutator::structured,
    },
    {
        .name = "raw",
        .statement = "as never_crash, with the format given and the fuzzer's own mutator",
        .run = [](const FuzzInput& input) { return never_crash(input.file_of_format()); },
        .is_for_each_format = true,
    },
    {
        .name = "structured",
        .statement = "as never_crash, with the format given",
        .run = [](const FuzzInput& input) { return never_crash(input.file_of_format()); },
        .mutator = FuzzMutator::structured,
        .is_for_each_format = true,
    },
    {
        .name = "chunks_agree",
        .statement = "any bytes, read in pieces of any size: the same report",
        .run = [](const FuzzInput& input) { return chunks_agree(input.file(), input.parameters() >> 8); },
        .mutator = FuzzMutator::structured,
    },
    {
        .name = "pushes_agree",
        .statement = "any bytes, fed in pieces of any size, through queues of any size: the report of a pipe",
        .run = [](const FuzzInput& input) { return pushes_agree(input.file(), input.parameters() >> 8); },
        .mutator = FuzzMutator::structured,
        .seeds = "sample",
    },
    {
        .name = "detection",
        .statement = "any bytes: one format at most claims them, by the opening alone; any format may be given",
        .run = detection,
    },
    {
        .name = "fast_equals_plain",
        .statement = "any bytes: every read by name equals that of the table interpreter",
        .run = [](const FuzzInput& input) { return fast_equals_plain(input.file()); },
        .mutator = FuzzMutator::structured,
    },
    {
        .name = "gzip",
        .statement = "any bytes: a container, gzip or zstd, gives the same report however it is read; other bytes have "
                     "the same findings when compressed, and damage to the container is reported",
        .run = gzip,
        .mutator = FuzzMutator::structured,
    },
    {
        .name = "prefix",
        .statement = "any bytes, truncated anywhere: the findings before the cut stay the same, and a sound file has "
                     "none while it is being written",
        .run =
            [](const FuzzInput& input) {
                const uint64_t cut = (input.parameters() >> 8) % (input.size() + 1);
                if (Complaint complaint = prefix(input.format(), input.bytes(), cut)) return complaint;
                return growing(input.format(), input.bytes(), cut);
            },
        .mutator = FuzzMutator::structured,
    },
    {
        .name = "round_trip",
        .statement = "any bytes: decoding and encoding reproduces them",
        .run = [](const FuzzInput& input) { return round_trip(input.format(), input.bytes()); },
        .mutator = FuzzMutator::structured,
    },
    {
        .name = "within_limits",
        .statement = "any bytes, with little memory and a low limit on records: no finding is made up, and none is "
                     "missing without a word",
        .run = [](const FuzzInput& input) { return within_limits(input.file(), input.parameters() >> 8); },
        .mutator = FuzzMutator::structured,
    },
};

}  // namespace

const std::span<const FuzzTarget> kTraceTargets(kTraces);

}  // namespace tracelint
