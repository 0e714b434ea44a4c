// Checks one input: opens its container, recognises its format, runs the format's walk, and adds findings about the
// input itself.
#include <algorithm>
#include <new>
#include <vector>

#include "validator/input/foreign_formats.hpp"
#include "validator/input/input_rules.hpp"
#include "validator/input/text_filter.hpp"
#include "validator/recognise.hpp"
#include "validator/report/expectation_rules.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

// Keeps the first bytes of what is read, for a search after the walk: reading them ahead might wait for a writer.
class KeptStart final : public ForwardingSource {
  public:
    using ForwardingSource::ForwardingSource;

    size_t read(uint8_t* to, size_t bytes) override {
        const size_t got = ForwardingSource::read(to, bytes);
        if (at_ == start_.size()) start_.insert(start_.end(), to, to + std::min(got, kFilteredBytes - start_.size()));
        at_ += got;
        return got;
    }
    bool seek(uint64_t offset) override {
        if (!ForwardingSource::seek(offset)) return false;
        at_ = offset;
        return true;
    }

    // The start of the input, as far as every way of reading it gets: for a pipe whose walk ended early, only the bytes
    // that recognition used.
    Bytes start(bool is_read_to_end) {
        const size_t wanted = is_read_to_end ? kFilteredBytes : kDetectionBytes;
        uint8_t skipped[4096];  // by the walk
        if (start_.size() < wanted && (at_ == start_.size() || seek(start_.size())))
            while (start_.size() < wanted && read(skipped, sizeof skipped) != 0) {
            }
        return Bytes(start_).first(std::min(start_.size(), wanted));
    }

  private:
    uint64_t at_ = 0;
    std::vector<uint8_t> start_;
};

// Only for a file with errors or warnings: in a valid file, bytes that look like damage are data.
void report_damage(KeptStart& kept, Outcome& outcome) {
    Report& report = outcome.context.report;
    if (!report.has_faults()) return;
    const Bytes start = kept.start(outcome.size.has_value());
    const TextDamage damage = text_damage(start);
    outcome.context.work.add(start.size());
    if (damage.count == 0) return;
    Diagnostic finding;
    finding.rule = &kTextMangled;
    finding.numbers = {damage.count, start.size()};
    finding.hint = damage.trace;
    finding.related_offset = damage.first_offset;
    finding.related_length = damage.first_length;
    report.add(finding);
    if (report.count(kTextMangled) != 0)
        report.attribute_to("probably a consequence of the text filter that damaged the file");
}

// A file of no known format is not of the expected one either. One of the two is said: what the file is instead, or, if
// that is unknown or no file at all, that it is not what was expected.
void report_unrecognised(Bytes opening, const CheckOptions& options, Report& report) {
    const Diagnostic finding = unrecognised(opening);
    const Format* const expected = options.expectations == nullptr ? nullptr : options.expectations->format();
    const bool is_known = !foreign_format_hint(opening).empty() && !has_perf_records(opening);
    if (expected != nullptr && finding.rule == &kUnknownFormat && !is_known) {
        Diagnostic unmet;
        unmet.rule = &kExpectedFormat;
        unmet.text = expected->id;
        unmet.hint = finding.text;
        report.add(unmet);
    }
    if (report.count(kExpectedFormat) == 0) report.add(finding);
}

bool is_growing(const CheckOptions& options) { return options.is_growing && options.is_growing(); }

// The format to check against. Null if it was not recognised, which is reported.
const Format* format_of(Window& window, const CheckOptions& options, Report& report) {
    if (options.format != nullptr) return options.format;
    const Format* const format = recognise(formats(), window, options.file_name);
    if (format != nullptr) return format;
    const Bytes opening = window.view(0, kFarDetectionBytes);
    // If the opening is truncated, the missing bytes may be those that identify the format.
    const bool growing = is_growing(options) && !is_foreign(opening);
    const bool truncated = (window.ended_early() || growing) && opening.size() < kFarDetectionBytes;
    if (!truncated) report_unrecognised(opening.first(std::min(opening.size(), kDetectionBytes)), options, report);
    return nullptr;
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

// Whether the end of the input still matters when its walk is over. The checksums of a trace's container are there. An
// input that knows its size is not read for it. Any other may have no end.
bool is_end_wanted(const Source& stream, const Outcome& outcome) {
    return stream.size() != kNone || (outcome.container != Container::none && outcome.format != nullptr);
}

void check_stream(Source& stream, const CheckOptions& options, Outcome& outcome, bool& ended_early) {
    KeptStart kept(stream);
    Window window(kept, &outcome.context.work, &outcome.context.budget);
    const EndOfInput end(window, ended_early);
    outcome.format = format_of(window, options, outcome.context.report);
    if (outcome.format != nullptr) {
        outcome.format->validate(window, outcome.context);
        if (options.facts != nullptr) options.facts->keep_whole(kKindPart);
    }
    if (window.size() == kNone && is_end_wanted(stream, outcome)) window.reaches(kNone);
    if (window.size() != kNone) outcome.size = window.size();
    if (outcome.size && outcome.context.left_at < *outcome.size)
        outcome.context.statistics.emplace_back(kSkippedBytes, *outcome.size - outcome.context.left_at);
    if (outcome.format != nullptr) report_damage(kept, outcome);
    outcome.failure = stream.failure();
}

// Withdraws what the end of an input that is still being written would be reported for, and says so. `cut`: the fault
// of a container that ends too early; null: none.
void report_growth(const Diagnostic* cut, Outcome& outcome) {
    Report& report = outcome.context.report;
    std::optional<Diagnostic> first = report.withdraw_findings_about_end();
    const bool is_unknown = outcome.format == nullptr && report.diagnostics().empty();
    const Rule* rule = cut != nullptr ? cut->rule : first ? first->rule : is_unknown ? &kUnknownFormat : nullptr;
    if (rule == nullptr) return;
    Diagnostic growing;
    growing.rule = &kInputGrowing;
    growing.text = rule->id;
    growing.place.offset = outcome.size.value_or(0);
    if (cut == nullptr && first) growing.place = first->place;
    report.add(growing);
}

// A container's fault is known at its end only. Before, how much was read ahead would decide.
void report_container(const Diagnostic* fault, Outcome& outcome) {
    if (fault == nullptr || !outcome.size) return;
    outcome.context.report.add(*fault);
    constexpr const Rule* kLimits[] = {&kGzipTooLarge, &kZstdTooLarge, &kZstdTrackingLimit};
    if (fault->rule == &kZstdTrackingLimit) outcome.size.reset();  // what follows was not decompressed
    if (std::ranges::find(kLimits, fault->rule) == std::end(kLimits)) return;
    outcome.context.limit_hit = true;
    if (outcome.context.facts != nullptr) outcome.context.facts->lose(kLimitedParts);
}

}  // namespace

constexpr Rule kInputGrowing{
    .id = "input/growing",
    .severity = Severity::note,
    .statement = "a file that is still being written ends where a finished one may end",
    .message = "the file ends here so far; as a finished file it would break {text}",
    .why = "not a fault while the writer runs; check the file again without --growing when it is done",
    .spec = "tracelint",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kInputChanged{
    .id = "input/changed",
    .severity = Severity::note,
    .statement = "an input does not change while it is read",
    .message = "another process changed the file while it was read",
    .why =
        "data that was added after the file was opened is not checked, and overwritten data is checked only in part; "
        "check the file again after its writer is done",
    .spec = "tracelint",
    .since = "0.1.0",
    .of_input = true,
};

namespace {

void check_input(Source& source, const CheckOptions& options, Outcome& outcome, bool& ended_early) {
    OpenedInput input(source, outcome.context.budget, options.open_container);
    outcome.container = input.container();
    outcome.context.inflation = input.inflation();
    check_stream(input.trace(), options, outcome, ended_early);
    const bool growing = is_growing(options);
    const bool refuses_padding = outcome.format != nullptr && outcome.format->refuses_gzip_padding;
    const Diagnostic* fault = input.container_fault(refuses_padding);
    const bool is_cut = fault != nullptr && (fault->rule == &kGzipTruncated || fault->rule == &kZstdTruncated);
    if (!growing || !is_cut) report_container(fault, outcome);
    if (source.has_changed() && !growing) outcome.context.report.add<kInputChanged>({});
    if (options.expectations != nullptr && outcome.failure.empty()) options.expectations->judge(outcome);
    if (growing) report_growth(is_cut ? fault : nullptr, outcome);
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
        if (options.expectations != nullptr) outcome.context.names = options.expectations->names();
        outcome.context.facts = options.facts;
        check_input(source, options, outcome, ended_early);
    } catch (const std::bad_alloc&) {
        outcome.failure = "out of memory";
        outcome.out_of_memory = true;
        outcome.context.limit_hit = true;
    }
    outcome.context.inflation = nullptr;
    if (options.facts != nullptr && outcome.context.limit_hit) options.facts->hit_limit();
    outcome.context.names = nullptr;
    outcome.context.facts = nullptr;
    if (ended_early) outcome.context.report.withdraw_findings_about_end();
    if (outcome.context.report.finish()) outcome.context.limit_hit = true;
    return outcome;
}

}  // namespace tracelint
