// Checks one input: opens its container, recognises its format, runs the format's walk, and adds findings about the
// input itself.
#include <algorithm>
#include <new>

#include "validator/recognise.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kShownOfUnknown = 16;  // bytes at the start that input/unknown-format marks

void report_unknown(Bytes opening, Report& report) {
    Diagnostic finding;
    finding.rule = &kUnknownFormat;
    finding.place.length = std::min<uint64_t>(opening.size(), kShownOfUnknown);
    finding.hint = foreign_format_hint(opening);
    report.add(finding);
}

// The format to check against. Null if it was not recognised, which is reported.
const Format* format_of(Window& window, const CheckOptions& options, Report& report) {
    if (options.format != nullptr) return options.format;
    const Opening opening = opening_of(window, options.file_name);
    const Format* format = recognise(formats(), opening);
    // If the opening is truncated, the missing bytes may be those that identify the format.
    const bool truncated = window.ended_early() && opening.bytes.size() < kDetectionBytes;
    if (format == nullptr && !truncated) report_unknown(opening.bytes, report);
    return format;
}

// Stores how a window's input ended, also if an exception ends the walk.
class EndOfInput {
  public:
    EndOfInput(const Window& window, bool& ended_early) : window_(window), ended_early_(ended_early) {}
    EndOfInput(const EndOfInput&) = delete;
    EndOfInput& operator=(const EndOfInput&) = delete;
    ~EndOfInput() { ended_early_ = window_.ended_early(); }

  private:
    const Window& window_;
    bool& ended_early_;
};

void check_stream(Source& stream, const CheckOptions& options, Outcome& outcome, bool& ended_early) {
    Window window(stream, &outcome.context.work, &outcome.context.budget);
    const EndOfInput end(window, ended_early);
    outcome.format = format_of(window, options, outcome.context.report);
    if (outcome.format != nullptr) outcome.format->validate(window, outcome.context);
    // Read to the end: a container has its checksums there, and the process at the other end of a pipe must not block.
    window.reaches(kNone);
    outcome.size = window.size();
    outcome.failure = stream.failure();
}

void check_input(Source& source, const CheckOptions& options, Outcome& outcome, bool& ended_early) {
    OpenedInput input(source);
    outcome.container = input.container();
    check_stream(input.trace(), options, outcome, ended_early);
    if (const Diagnostic* fault = input.container_fault()) {
        outcome.context.report.add(*fault);
        if (fault->rule == &kGzipTooLarge) outcome.context.limit_hit = true;
    }
    if (source.has_changed()) outcome.context.report.add(kInputChanged, {});
}

}  // namespace

Outcome check(Source& source, const CheckOptions& options) {
    CheckOptions bare;  // constructing the outcome from it allocates nothing
    bare.limits = options.limits;
    bare.report = options.report;
    Outcome outcome(bare);
    bool ended_early = false;
    outcome.context.report.charge_to(outcome.context.budget);
    try {
        outcome.context.settings = options.settings;
        outcome.context.file_name = options.file_name;
        check_input(source, options, outcome, ended_early);
    } catch (const std::bad_alloc&) {
        outcome.failure = "out of memory";
        outcome.context.limit_hit = true;
    }
    outcome.context.report.finish(ended_early);
    return outcome;
}

}  // namespace tracelint
