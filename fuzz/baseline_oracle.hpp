// The oracle for baselines: any text is a baseline or a mistake with a place in it, the baseline's own text is the same
// baseline, and comparing files with it ends.
#pragma once

#include "fuzz/oracles.hpp"
#include "validator/input/input_rules.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/options/option_parser.hpp"
#include "validator/tool/run/baseline_run.hpp"

namespace tracelint {

// A baseline that takes over what was found is a baseline.
inline Complaint updated_is_read(const Baseline& updated) {
    if (updated.entries.size() > kMostEntries) return {};
    try {
        parse_baseline_text("b.json", text_of(updated));
        return {};
    } catch (const UsageError& error) {
        return "the updated baseline is none: " + error.message;
    }
}

inline Complaint baseline_holds(std::string_view text) {
    try {
        Baseline baseline = parse_baseline_text("b.json", std::string(text));
        const std::string again = text_of(baseline);
        if (text_of(parse_baseline_text("b.json", again)) != again)
            return "the text of a baseline is another: " + again;
        baseline.folder = "/a";
        BaselineRun run(baseline, std::chrono::sys_days(std::chrono::days(20'000)), {.collects = Severity::note});
        Outcome outcome{CheckOptions()};
        for (int i = 0; i < 3; ++i) outcome.context.report.add(kUnknownFormat, Place{});
        uint64_t known = 0;
        for (const std::string path : {"/a/b.dump", "/a/c/d.prof", "-", "/x/y"})
            known += run.take(path, outcome).count(outcome.report());
        if (known != run.summary(true).known) return "the sum of known findings differs";
        return updated_is_read(run.updated(true, "a reason"));
    } catch (const UsageError& error) {
        if (printable(error.message) != error.message)
            return "the message has unprintable characters: " + error.message;
        constexpr size_t kLongestMistake = 1000;
        if (error.message.size() > kLongestMistake) return "the message is long: " + error.message;
        return error.message.starts_with("b.json:") ? Complaint{} : "the message names no place: " + error.message;
    }
}

}  // namespace tracelint
