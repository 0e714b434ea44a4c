// Targets for what people and programs write for tracelint: arguments, configurations, lists.
#include "fuzz/targets/target.hpp"
#include "fuzz/tool/command_line_oracle.hpp"
#include "fuzz/tool/merge_oracle.hpp"
#include "fuzz/tool/text_oracles.hpp"

namespace tracelint {
namespace {

constexpr FuzzTarget kTexts[] = {
    {
        .name = "baseline",
        .statement = "any text as a baseline: entries that come out as they went in, or a mistake with its place",
        .run = [](const FuzzInput& input) { return baseline_holds(as_text(input.bytes())); },
        .seeds = "baseline",
    },
    {
        .name = "command_line",
        .statement = "any arguments, one per line: usable options, an answer or an error",
        .run = [](const FuzzInput& input) { return command_line(words_of(as_text(input.bytes()))); },
        .seeds = "command_line",
    },
    {
        .name = "configuration",
        .statement = "any text as a configuration: usable choices, or a mistake with its place",
        .run = [](const FuzzInput& input) { return configuration(as_text(input.bytes())); },
        .seeds = "configuration",
    },
    {
        .name = "file_list",
        .statement = "any bytes as a list of files: names, or a fault with its line",
        .run = [](const FuzzInput& input) { return file_list(as_text(input.bytes()), input.parameters()); },
        .seeds = "file_list",
    },
    {
        .name = "manifest",
        .statement = "any bytes as a manifest: entries, or a fault with its line",
        .run = [](const FuzzInput& input) { return manifest_holds(as_text(input.bytes()), input.parameters()); },
        .seeds = "manifest",
    },
    {
        .name = "merge",
        .statement = "any bytes as a part of a fleet's results: files that are written as they were, or a fault",
        .run = [](const FuzzInput& input) { return part_holds(as_text(input.bytes())); },
        .seeds = "merge",
    },
};

}  // namespace

const std::span<const FuzzTarget> kTextTargets(kTexts);

}  // namespace tracelint
