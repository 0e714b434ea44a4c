// Findings for people: place, message, bytes, and what it does to the readers of the file. The most severe come first,
// a few of each rule, and the last line says how it stands.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "validator/input/input_rules.hpp"
#include "validator/report/expectation_rules.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/writers/colours.hpp"
#include "validator/tool/writers/excerpt.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint {
namespace {

std::string_view colour_of(Severity severity) {
    switch (severity) {
        case Severity::error: return kRed;
        case Severity::warning: return kYellow;
        case Severity::note: return kCyan;
    }
    return kPlain;
}

constexpr size_t kTextWidth = 80;     // columns of a line of running text
constexpr size_t kHelpIndent = 8;     // of the lines of a help after its first
constexpr size_t kReasonIndent = 9;   // of a reason
constexpr size_t kPairingIndent = 2;  // of the text about a pair of files
constexpr size_t kReaderIndent = 4;   // of a reader's sentence
constexpr size_t kNoteIndent = 4;     // of a folded note
constexpr size_t kMostNotes = 3;      // rules of notes that are shown in a line or two
constexpr size_t kCutIndent = 5;      // of the line about a cut file

bool is_expectation(const Rule& rule) {
    return std::ranges::find(expectation_rules(), &rule) != expectation_rules().end() || &rule == &kOtherFormat;
}

class TextWriter final : public Writer {
  public:
    TextWriter(Sink& sink, const WriterOptions& options) : sink_(sink), options_(options) {
        options_.summary |= options_.is_live;
    }

    // Without the bytes around it: the file may not have all of them so far.
    void found(const Checked& so_far, const Diagnostic& diagnostic) override {
        const Severity severity = severity_of(diagnostic);
        if (is_folded(severity) || !is_shown_as_new(so_far, diagnostic, options_)) return;
        const uint64_t nth = ++found_[{so_far.path, diagnostic.rule}];
        if (nth > most_of_rule(severity)) return;
        std::string text = headline(shown_path(so_far.path), diagnostic);
        if (const std::string help = help_of(diagnostic); nth == 1 && !help.empty())
            text += wrapped("  help: ", printable(help), kHelpIndent, kTextWidth).replace(2, 4, painted("help", kBold));
        sink_.write(text);
        sink_.flush();
    }

    void file(const Checked& checked) override {
        const Outcome& outcome = checked.outcome;
        partners_ += checked.is_partner ? 1 : 0;
        if (const std::string text = recording_text(checked); !text.empty())
            sink_.write(running("", text, kPairingIndent));
        sink_.write(readers(checked));
        for (const Pairing& pairing : outcome.pairings)
            sink_.write(running("", pairing_text(checked, pairing), kPairingIndent));
        if (!options_.summary) {
            for (const Severity severity : {Severity::error, Severity::warning, Severity::note})
                if (!is_folded(severity)) findings(checked, severity);
            if (outcome.failure.empty())
                sink_.write(folded_notes(checked) + cut(checked) + baseline(checked) + rest(checked));
        }
        if (outcome.failure.empty()) sink_.write(closing(checked));
        sink_.flush();
    }

    void finish(const Summary& summary) override {
        if (summary.files - partners_ + summary.skipped >= 2) sink_.write(totals_of(summary) + '\n');
        if (!summary.incomplete.empty()) sink_.write(incomplete_text(summary) + '\n');
        sink_.flush();
    }

  private:
    std::string painted(std::string_view text, std::string_view colour) const {
        return tracelint::painted(text, colour, options_.colour);
    }

    // Running text in lines of their width; in a summary, which scripts read, on one line.
    std::string running(std::string_view before, std::string_view text, size_t indent) const {
        return options_.summary ? fmt::format("{}{}\n", before, text) : wrapped(before, text, indent, kTextWidth);
    }

    // A sentence for each reader that the user named.
    std::string readers(const Checked& checked) const {
        std::string text;
        for (const ReaderVerdict& verdict : checked.readers) {
            const std::optional<Severity> severity =
                verdict.outcome == ReaderOutcome::untried ? Severity::warning : severity_of(verdict.outcome);
            const std::string line = running(shown_path(checked.path) + ": ", sentence_of(verdict), kReaderIndent);
            text += painted(line.substr(0, line.size() - 1), severity ? colour_of(*severity) : kGreen) + '\n';
        }
        return checked.readers.empty() || options_.summary ? text : text + '\n';
    }

    bool is_folded(Severity severity) const { return severity == Severity::note && options_.fold_notes; }

    // Those of one severity. Each severity reads the bytes of the file anew, as excerpts never go back.
    void findings(const Checked& checked, Severity severity) {
        const auto is_asked_for = [&](const Diagnostic& diagnostic) {
            return severity_of(diagnostic) == severity && is_shown_as_new(checked, diagnostic, options_);
        };
        const Outcome& outcome = checked.outcome;
        if (std::ranges::none_of(outcome.report().diagnostics(), is_asked_for)) return;
        // Findings about a container are in the compressed file, all others in the decompressed data.
        Excerpts file(checked, Container::none);
        std::optional<Excerpts> decompressed;
        if (outcome.container != Container::none) decompressed.emplace(checked, outcome.container);
        ByRule by_rule;
        bool was_brief = false;
        for (const Diagnostic& diagnostic : outcome.report().diagnostics()) {
            if (!is_asked_for(diagnostic)) continue;
            const uint64_t nth = ++by_rule.try_emplace(diagnostic.rule->id, diagnostic.rule, 0).first->second.second;
            if (nth > most_of_rule(severity)) continue;
            const bool is_brief = nth > 1 && severity != Severity::note && options_.shown_per_rule != 0;
            if (is_brief != std::exchange(was_brief, is_brief) && !is_brief) sink_.write("\n");
            const std::string path = shown_path(checked.path);
            sink_.write(headline(path, diagnostic));
            if (!is_brief) details(diagnostic, decompressed && !diagnostic.rule->of_container ? *decompressed : file);
        }
        if (was_brief) sink_.write("\n");
        if (severity != Severity::note) more_of_rules(checked, severity, by_rule);
    }

    using ByRule = std::map<std::string_view, std::pair<const Rule*, uint64_t>>;  // how many are kept

    // A line for each rule of which not all findings of this severity are shown.
    void more_of_rules(const Checked& checked, Severity severity, const ByRule& by_rule) {
        std::string text;
        for (const auto& [id, found] : by_rule) {
            const uint64_t all = std::max(found.second, checked.outcome.report().count(*found.first, severity));
            const uint64_t shown = std::min(found.second, most_of_rule(severity));
            if (all == shown) continue;
            const std::string_view word = to_string(severity);
            text += wrapped(fmt::format("{}: ", word),
                            fmt::format("{} more of {} (--max-per-rule 0 shows all)", grouped(all - shown), id),
                            kReaderIndent, kTextWidth)
                        .replace(0, word.size(), painted(word, colour_of(severity)));
        }
        sink_.write(text.empty() ? text : text + '\n');
    }

    // Notes are listed because somebody asked for them.
    uint64_t most_of_rule(Severity severity) const {
        return severity == Severity::note || options_.shown_per_rule == 0 ? kNone : options_.shown_per_rule;
    }

    std::string headline(const std::string& path, const Diagnostic& diagnostic) const {
        const Severity severity = severity_of(diagnostic);
        return fmt::format("{}: {}: {} [{}]\n", painted(fmt::format("{}:{:#x}", path, diagnostic.place.offset), kBold),
                           painted(to_string(severity), colour_of(severity)), message_of(diagnostic),
                           diagnostic.rule->id);
    }

    // Only for the first finding of a rule: the following ones have the same help.
    void details(const Diagnostic& diagnostic, Excerpts& excerpts) {
        const Place& place = diagnostic.place;
        const std::string_view colour = colour_of(severity_of(diagnostic));
        std::string text;
        if (const std::string field = field_path(place); !field.empty()) text += fmt::format("  at {}\n", field);
        const MarkStyle style = options_.colour ? MarkStyle{colour, kPlain} : MarkStyle{};
        if (!is_expectation(*diagnostic.rule))  // it is about the file as a whole
            text += hex_window(excerpts, place.offset, place.length, "  ", style);
        if (const std::string help = help_of(diagnostic); !help.empty())
            text += wrapped("  help: ", printable(help), kHelpIndent, kTextWidth).replace(2, 4, painted("help", kBold));
        if (const std::string related = related_text(diagnostic); !related.empty())
            text += fmt::format("  {}: {}\n", painted("related", kBold), related);
        sink_.write(text + '\n');
    }

    // Whether recording_text() or pairing_text() says it.
    static bool is_in_sentence(const Rule& rule) {
        return rule.needs != 0 || rule.id == "perfdata/generated-code-without-dump";
    }

    // Whether notes are listed in a line or two. Not beside what is worse, nor in a file that nobody asked about.
    bool lists_notes(const Checked& checked) const {
        if (!options_.fold_notes || options_.min_severity > Severity::note || checked.is_partner) return false;
        return std::ranges::none_of(checked.outcome.report().diagnostics(), [&](const Diagnostic& diagnostic) {
            return severity_of(diagnostic) != Severity::note && is_shown_as_new(checked, diagnostic, options_);
        });
    }

    // The notes by rule: the first message, how many, and where the first one is. closing() counts what is left out.
    std::string folded_notes(const Checked& checked) const {
        if (!lists_notes(checked)) return {};
        const std::map<std::string_view, uint64_t> hidden = not_kept_notes(checked);
        std::map<std::string_view, Folded> by_rule;
        for (const Diagnostic& diagnostic : checked.outcome.report().diagnostics()) {
            if (severity_of(diagnostic) != Severity::note || checked.entry_of(diagnostic) != nullptr) continue;
            if (is_in_sentence(*diagnostic.rule)) continue;
            Folded& folded = by_rule[diagnostic.rule->id];
            if (folded.count++ == 0) folded.first = &diagnostic;
        }
        std::string text;
        size_t rules = 0;
        uint64_t more = 0;
        for (const auto& [rule, folded] : by_rule) {
            const auto not_kept = hidden.find(rule);
            const uint64_t count = folded.count + (not_kept == hidden.end() ? 0 : not_kept->second);
            if (++rules > kMostNotes) {
                more += count;
                continue;
            }
            if (text.empty())
                text = fmt::format("{}: {} (--notes shows them in full)\n", painted(shown_path(checked.path), kBold),
                                   painted("notes", colour_of(Severity::note)));
            const std::string often = count == 1 ? "" : fmt::format("{} times, first ", grouped(count));
            text += wrapped(
                "  ",
                fmt::format("{}at {:#x}: {} [{}]", often, folded.first->place.offset, message_of(*folded.first), rule),
                kNoteIndent, kTextWidth);
        }
        if (more != 0)
            text += fmt::format("  and {} of {}\n", counted(more, "note"),
                                rules == kMostNotes + 1 ? "another rule" : counted(rules - kMostNotes, "more rule"));
        return text;
    }

    // Whether folded_notes() lists none, though there are some.
    bool leaves_out_notes(const Checked& checked) const {
        return !lists_notes(checked) ||
               std::ranges::all_of(checked.outcome.report().diagnostics(), [&](const Diagnostic& diagnostic) {
                   return severity_of(diagnostic) != Severity::note || checked.entry_of(diagnostic) != nullptr ||
                          is_in_sentence(*diagnostic.rule);
               });
    }

    struct Folded {
        uint64_t count = 0;  // of those that are kept
        const Diagnostic* first = nullptr;
    };

    // For a file that ends too early: how many records are complete, and the usual causes.
    std::string cut(const Checked& checked) const {
        const Outcome& outcome = checked.outcome;
        const auto& found = outcome.report().diagnostics();
        if (std::ranges::none_of(found, [](const Diagnostic& finding) { return reports_truncation(finding); }))
            return {};
        const uint64_t others = static_cast<uint64_t>(std::ranges::count_if(found, [](const Diagnostic& finding) {
            return severity_of(finding) == Severity::error && !reports_truncation(finding);
        }));
        std::string text = "the file ends early";
        for (const auto& [name, number] : outcome.context.statistics)
            if (name == "records") {
                text +=
                    fmt::format("; {} before that {} complete", counted(number, "record"), number == 1 ? "is" : "are");
                text += others == 0
                            ? ""
                            : fmt::format(", except for {}", others == 1 ? "the other error" : "the other errors");
            }
        return wrapped("cut: ",
                       text +
                           ". Usual causes: the writer was killed or is still writing, the disk was full, or the file "
                           "was copied too early",
                       kCutIndent, kTextWidth)
                   .replace(0, 3, painted("cut", kBold)) +
               '\n';
    }

    // Whether the finding says that bytes are missing at the end.
    static bool reports_truncation(const Diagnostic& finding) {
        const Rule& rule = *finding.rule;
        const bool is_of_container = &rule == &kGzipTruncated || &rule == &kZstdTruncated;
        return severity_of(finding) == Severity::error && (rule.about_end || finding.about_end || is_of_container);
    }

    // By rule: notes that were counted, but not kept. Rules that are notes now and then are left to rest().
    static std::map<std::string_view, uint64_t> not_kept_notes(const Checked& checked) {
        std::map<std::string_view, uint64_t> counts = new_not_kept(checked);
        std::erase_if(counts, [](const auto& entry) {
            const Rule* rule = find_rule(entry.first);
            return rule == nullptr || rule->severity != Severity::note || rule->severity_override;
        });
        return counts;
    }

    // What the baseline allows, and where it does not suffice.
    std::string baseline(const Checked& checked) const {
        if (checked.known == nullptr) return {};
        const Report& report = checked.outcome.report();
        std::string known, more;
        for (const auto& [rule, entry] : checked.known->known) {
            const std::string_view reason = entry->reason.empty() ? kNoReason : std::string_view(entry->reason);
            known += wrapped(fmt::format("  {:>5}  {}: ", report.count(*entry->rule), rule), printable(reason),
                             kReasonIndent, kTextWidth);
        }
        for (const auto& [rule, surplus] : checked.known->surplus)
            more += fmt::format("  {:>5}  {}, of which {} are allowed\n", surplus.found, rule, surplus.allowed);
        return (known.empty() ? "" : "allowed by the baseline\n" + known) +
               (more.empty() ? "" : "more than the baseline allows\n" + more);
    }

    // What else is known: findings that are counted but shown nowhere, and the statistics.
    std::string rest(const Checked& checked) const {
        const Outcome& outcome = checked.outcome;
        std::map<std::string_view, uint64_t> hidden = new_not_shown(checked, options_);
        // more_of_rules() says how many there are of a rule of which some are shown.
        for (const Diagnostic& diagnostic : outcome.report().diagnostics())
            if (severity_of(diagnostic) != Severity::note && is_shown_as_new(checked, diagnostic, options_))
                hidden.erase(diagnostic.rule->id);
        if (options_.fold_notes && options_.min_severity == Severity::note)
            for (const auto& [rule, count] : not_kept_notes(checked)) hidden.erase(rule);
        std::string text;
        if (!hidden.empty()) text += "not shown\n";
        for (const auto& [rule, count] : hidden) text += fmt::format("  {:>5}  {}\n", count, rule);
        if (!options_.statistics || outcome.context.statistics.empty()) return text;
        return text + statistics_of(outcome);
    }

    static std::string statistics_of(const Outcome& outcome) {
        size_t width = 0;
        for (const auto& [name, number] : outcome.context.statistics) width = std::max(width, grouped(number).size());
        std::string text = "statistics\n";
        for (const auto& [name, number] : outcome.context.statistics)
            text += fmt::format("  {:>{}}  {}\n", grouped(number), width, printable(name));
        return text;
    }

    // How it stands, and what the file is.
    std::string closing(const Checked& checked) const {
        const Outcome& outcome = checked.outcome;
        const char* limited = outcome.context.limit_hit ? "; a limit left part of it unchecked" : "";
        return fmt::format("{}: {}: {}{}\n", painted(shown_path(checked.path), kBold), verdict(checked),
                           description(outcome), limited);
    }

    static std::string description(const Outcome& outcome) {
        const std::string size = outcome.size ? byte_size(*outcome.size) : "not read to its end";
        if (outcome.report().count(kExpectedFile) != 0) return "missing";
        if (outcome.format == nullptr && outcome.size == uint64_t{0}) return "empty";
        if (outcome.format == nullptr && outcome.report().count(kGitLfsPointer) != 0) return "Git LFS pointer, " + size;
        if (outcome.format == nullptr) return "unknown format, " + size;
        std::string text(outcome.format->id);
        const Identity& identity = outcome.context.identity;
        // XRay numbers the versions of its profiles by date: 0x20180424.
        if (const auto& version = identity.format_version)
            text += " version " + (*version < 0x10000 ? std::to_string(*version) : hex(*version));
        if (outcome.container != Container::none) text += " in " + std::string(to_string(outcome.container));
        for (const auto& [name, number] : outcome.context.statistics)
            if (name == "records") text += ", " + counted(number, "record");
        return text + unchecked_records(outcome) + ", " + size + unchecked_bytes(outcome);
    }

    static uint64_t statistic(const Outcome& outcome, std::string_view wanted) {
        const auto& all = outcome.context.statistics;
        const auto found = std::ranges::find(all, wanted, [](const auto& entry) { return entry.first; });
        return found == all.end() ? 0 : found->second;
    }

    // ", of which 3 were not checked"
    static std::string unchecked_records(const Outcome& outcome) {
        const uint64_t skipped = statistic(outcome, kSkippedRecords);
        return skipped == 0 ? "" : fmt::format(", of which {} not checked", were(skipped));
    }

    // ", of which 24 bytes (6 %) were not checked, at most 3 records"
    static std::string unchecked_bytes(const Outcome& outcome) {
        const uint64_t skipped = statistic(outcome, kSkippedBytes), most = statistic(outcome, kMostSkippedRecords);
        if (skipped == 0) return {};
        const uint64_t percent = skipped * 100 / std::max<uint64_t>(outcome.size.value_or(0), 1);
        std::string text = ", of which " + byte_size(skipped);
        if (outcome.size) text += percent == 0 ? " (below 1 %)" : fmt::format(" ({} %)", percent);
        text += skipped == 1 ? " was not checked" : " were not checked";
        return most == 0 ? text : text + ", at most " + counted(most, "record");
    }

    static std::string were(uint64_t count) {
        return fmt::format("{} {}", grouped(count), count == 1 ? "was" : "were");
    }

    std::string verdict(const Checked& checked) const {
        std::string text;
        const bool is_well = checked.count_new(Severity::error) == 0 && checked.count_new(Severity::warning) == 0;
        const bool is_growing = checked.outcome.report().count(kInputGrowing) != 0;
        if (is_well) text = painted(is_growing ? "ok so far" : "ok", kGreen);
        for (const Severity severity : {Severity::error, Severity::warning, Severity::note}) {
            const uint64_t count = checked.count_new(severity);
            if (count == 0) continue;
            if (!text.empty()) text += ", ";
            text += painted(counted(count, to_string(severity)), colour_of(severity));
            if (severity == Severity::note && options_.fold_notes && !options_.summary &&
                options_.min_severity == Severity::note && leaves_out_notes(checked))
                text += " (see --notes)";
        }
        const uint64_t known = checked.known == nullptr ? 0 : checked.known->count(checked.outcome.report());
        if (known != 0) text += fmt::format(", {} known", known);
        return text;
    }

    Sink& sink_;
    WriterOptions options_;
    uint64_t partners_ = 0;                                          // files that nobody named
    std::map<std::pair<std::string, const Rule*>, uint64_t> found_;  // findings of files that are followed
};

}  // namespace

std::unique_ptr<Writer> make_text_writer(Sink& sink, const WriterOptions& options) {
    return std::make_unique<TextWriter>(sink, options);
}

}  // namespace tracelint
