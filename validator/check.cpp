// Checks one input: opens its container, recognises its format, lets the format walk it, and adds what is
// to be said about the input as such.
#include <algorithm>
#include <new>

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

std::string_view base_name(std::string_view path) {
    return path.substr(path.rfind('/') + 1);  // all of it where there is none
}

void report_unknown(Bytes opening, Report& report) {
    Diagnostic finding;
    finding.rule = &kUnknownFormat;
    finding.place.length = std::min<uint64_t>(opening.size(), kShownOfUnknown);
    finding.hint = foreign_format_hint(opening);
    report.add(finding);
}

// The format to check against, or null after having said why there is none.
const Format* format_of(Window& window, const CheckOptions& options, Report& report) {
    if (options.format != nullptr) return options.format;
    const Bytes in_hand = window.view(0, kDetectionBytes);
    const Bytes opening = in_hand.first(std::min(in_hand.size(), kDetectionBytes));
    const Format* format = recognise(formats(), {opening, base_name(options.file_name)});
    // Where bytes are missing, they may be the ones that tell the format.
    const bool missing = window.ended_early();
    if (format == nullptr && (!missing || opening.size() == kDetectionBytes)) report_unknown(opening, report);
    return format;
}

// Tells how a window's input ended, also when memory ran out on the way.
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
    Window window(stream, &outcome.context.work);
    const EndOfInput end(window, ended_early);
    outcome.format = format_of(window, options, outcome.context.report);
    if (outcome.format != nullptr) outcome.format->validate(window, outcome.context);
    // A container has its checksums at the end, and the writer of a pipe wants to get rid of everything.
    window.reaches(kNone);
    outcome.size = window.size();
    outcome.failure = stream.failure();
}

void check_input(Source& source, const CheckOptions& options, Outcome& outcome, bool& ended_early) {
    std::array<uint8_t, kGzipMagic.size()> buffer{};
    const Bytes first = read_fully(source, buffer);
    ReplayedSource replayed(source, first);
    Source& input = source.seek(0) ? source : replayed;
    if (std::ranges::equal(first, kGzipMagic)) {
        outcome.container = Container::gzip;
        GzipSource decompressed(input);
        check_stream(decompressed, options, outcome, ended_early);
        if (decompressed.fault()) {
            outcome.context.report.add(*decompressed.fault());
            if (decompressed.fault()->rule == &kGzipTooLarge) outcome.context.limit_hit = true;
        }
    } else {
        check_stream(input, options, outcome, ended_early);
    }
    if (source.has_changed()) outcome.context.report.add(kInputChanged, {});
}

}  // namespace

Outcome check(Source& source, const CheckOptions& options) {
    CheckOptions bare;  // takes no memory
    bare.limits = options.limits;
    bare.report = options.report;
    Outcome outcome(bare);
    bool ended_early = false;
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
