// Checks one input: opens its container, recognises its format, lets the format walk it, and adds what is
// to be said about the input as such. Also the list of formats and rules.
#include <algorithm>
#include <new>

#include "grammars/formats.hpp"
#include "validator/gzip.hpp"
#include "validator/recognise.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kShownOfUnknown = 16;  // first bytes that a finding about an unknown format covers

// Gives the bytes that were taken from a source to look at them once more, then the rest.
class ReplayedSource final : public Source {
  public:
    ReplayedSource(Source& rest, Bytes first) : rest_(rest), first_(first) {}
    size_t read(uint8_t* to, size_t bytes) override {
        if (first_.empty()) return rest_.read(to, bytes);
        const Bytes piece = first_.first(std::min(bytes, first_.size()));
        std::copy(piece.begin(), piece.end(), to);
        first_ = first_.subspan(piece.size());
        return piece.size();
    }
    std::string failure() const override { return rest_.failure(); }

  private:
    Source& rest_;
    Bytes first_;
};

// Tells the report where the end that a walk meets is not the end of what was written, before the walk
// can judge it.
class WatchedSource final : public PassingSource {
  public:
    WatchedSource(Source& inner, Report& report) : PassingSource(inner), report_(report) {}
    size_t read(uint8_t* to, size_t bytes) override {
        const size_t got = PassingSource::read(to, bytes);
        if (got == 0 && (is_cut() || !failure().empty())) report_.end_is_explained();
        return got;
    }

  private:
    Report& report_;
};

// As many of `to` as there are.
Bytes read_fully(Source& source, std::span<uint8_t> to) {
    size_t filled = 0;
    while (filled < to.size()) {
        const size_t got = source.read(to.data() + filled, to.size() - filled);
        if (got == 0) break;
        filled += got;
    }
    return to.first(filled);
}

// The pieces that `piece_of(grammar)` takes from each grammar of a format, one after the other.
template <class PieceOf>
auto joined_over(const Format& format, PieceOf piece_of) {
    const auto piece_of_first = piece_of(*format.grammars[0]);
    std::vector<std::remove_const_t<typename decltype(piece_of_first)::element_type>> joined;
    for (const Grammar* grammar : format.grammars)
        for (const auto& element : piece_of(*grammar)) joined.push_back(element);
    return joined;
}

std::string_view base_name(std::string_view path) {
    return path.substr(path.rfind('/') + 1);  // all of it where there is none
}

void report_unknown(Bytes opening, Report& report) {
    Diagnostic finding;
    finding.rule = &kUnknownFormat;
    finding.place.length = std::min<uint64_t>(opening.size(), kShownOfUnknown);
    finding.hint = stranger(opening);
    report.add(finding);
}

// The format to check against, or null after having said why there is none.
const Format* format_of(Window& window, const CheckOptions& options, Report& report) {
    if (options.format != nullptr) return options.format;
    const Bytes in_hand = window.view(0, kDetectionBytes);
    const Bytes opening = in_hand.first(std::min(in_hand.size(), kDetectionBytes));
    const Format* format = recognise(formats(), {opening, base_name(options.file_name)});
    // Where bytes are missing, they may be the ones that tell the format.
    const bool missing = window.source().is_cut() || !window.source().failure().empty();
    if (format == nullptr && (!missing || opening.size() == kDetectionBytes)) report_unknown(opening, report);
    return format;
}

void check_stream(Source& stream, const CheckOptions& options, Outcome& outcome) {
    WatchedSource watched(stream, outcome.inspection.report);
    Window window(watched, &outcome.inspection.work);
    outcome.format = format_of(window, options, outcome.inspection.report);
    if (outcome.format != nullptr) outcome.format->validate(window, outcome.inspection);
    // A container has its checksums at the end, and the writer of a pipe wants to get rid of everything.
    window.reaches(kNone);
    outcome.size = window.size();
    outcome.failure = stream.failure();
}

void check_input(Source& source, const CheckOptions& options, Outcome& outcome) {
    std::array<uint8_t, kGzipMagic.size()> buffer{};
    const Bytes first = read_fully(source, buffer);
    ReplayedSource replayed(source, first);
    Source& input = source.seek(0) ? source : replayed;
    if (std::ranges::equal(first, kGzipMagic)) {
        outcome.container = Container::gzip;
        GzipSource unfolded(input);
        check_stream(unfolded, options, outcome);
        if (unfolded.fault()) {
            outcome.inspection.report.add(*unfolded.fault());
            if (unfolded.fault()->rule == &kGzipTooLarge) outcome.inspection.limit_hit = true;
        }
    } else {
        check_stream(input, options, outcome);
    }
    if (source.has_changed()) outcome.inspection.report.add(kInputChanged, {});
}

}  // namespace

std::span<const Format* const> formats() { return kFormats; }

const Format* find_format(std::string_view id) {
    const auto found = std::ranges::find_if(formats(), [=](const Format* format) { return format->id == id; });
    return found == formats().end() ? nullptr : *found;
}

std::vector<const Record*> records_of(const Format& format) {
    return joined_over(format, [](const Grammar& grammar) { return grammar.records; });
}

std::vector<const Rule*> rules_of(const Format& format) {
    return joined_over(format, [](const Grammar& grammar) { return grammar.rules; });
}

std::vector<PlantedFault> faults_of(const Format& format) {
    return joined_over(format, [](const Grammar& grammar) { return grammar.faults(); });
}

std::vector<const Option*> all_options() {
    std::vector<const Option*> options;
    for (const Format* format : formats())
        for (const Option* option : joined_over(*format, [](const Grammar& grammar) { return grammar.options; }))
            options.push_back(option);
    return options;
}

std::vector<const Rule*> all_rules() {
    std::vector<const Rule*> rules(input_rules().begin(), input_rules().end());
    for (const Format* format : formats())
        for (const Rule* rule : rules_of(*format)) rules.push_back(rule);
    return rules;
}

const Rule* find_rule(std::string_view id) {
    const std::vector<const Rule*> rules = all_rules();
    const auto found = std::ranges::find_if(rules, [=](const Rule* rule) { return rule->id == id; });
    return found == rules.end() ? nullptr : *found;
}

Outcome check(Source& source, const CheckOptions& options) {
    CheckOptions bare;  // takes no memory
    bare.limits = options.limits;
    bare.report = options.report;
    Outcome outcome(bare);
    try {
        outcome.inspection.settings = options.settings;
        outcome.inspection.file_name = options.file_name;
        check_input(source, options, outcome);
    } catch (const std::bad_alloc&) {
        outcome.failure = "out of memory";
        outcome.inspection.limit_hit = true;
    }
    outcome.inspection.report.finish();
    return outcome;
}

}  // namespace tracelint
