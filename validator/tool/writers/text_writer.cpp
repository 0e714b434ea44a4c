// Findings for people: place, message, bytes, and what it does to the readers of the file. The most severe come first,
// and the last line says how it stands.
#include <fmt/core.h>

#include <algorithm>

#include "validator/tool/excerpt.hpp"
#include "validator/tool/text.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint {
namespace {

constexpr std::string_view kBold = "\x1b[1m", kRed = "\x1b[1;31m", kYellow = "\x1b[1;33m", kCyan = "\x1b[1;36m",
                           kGreen = "\x1b[1;32m", kPlain = "\x1b[0m";

std::string_view colour_of(Severity severity) {
    switch (severity) {
        case Severity::error: return kRed;
        case Severity::warning: return kYellow;
        case Severity::note: return kCyan;
    }
    return kPlain;
}

constexpr size_t kTextWidth = 80;  // columns of a line of running text
constexpr size_t kHelpIndent = 8;  // of the lines of a help after its first

class TextWriter final : public Writer {
  public:
    TextWriter(Sink& sink, const WriterOptions& options) : sink_(sink), options_(options) {}

    void file(const Checked& checked) override {
        const Outcome& outcome = checked.outcome;
        if (!options_.summary) {
            for (const Severity severity : {Severity::error, Severity::warning, Severity::note})
                if (!is_folded(severity)) findings(checked, severity);
            if (outcome.failure.empty()) sink_.write(folded_notes(outcome.report()) + rest(outcome));
        }
        if (outcome.failure.empty()) sink_.write(closing(shown_path(checked.path), outcome));
        sink_.flush();
    }

    void finish(const Summary& summary) override {
        if (summary.files + summary.skipped >= 2) sink_.write(totals_of(summary) + '\n');
        if (!summary.incomplete.empty()) sink_.write(incomplete_text(summary) + '\n');
        sink_.flush();
    }

  private:
    std::string painted(std::string_view text, std::string_view colour) const {
        return options_.colour ? fmt::format("{}{}{}", colour, text, kPlain) : std::string(text);
    }

    bool is_folded(Severity severity) const { return severity == Severity::note && options_.fold_notes; }

    // Those of one severity. Each severity reads the bytes of the file anew, as excerpts never go back.
    void findings(const Checked& checked, Severity severity) {
        const auto is_asked_for = [&](const Diagnostic& diagnostic) {
            return severity_of(diagnostic) == severity && is_shown(diagnostic, options_);
        };
        const Outcome& outcome = checked.outcome;
        if (std::ranges::none_of(outcome.report().diagnostics(), is_asked_for)) return;
        // Findings about a container lie in the compressed file, all others in the decompressed data.
        Excerpts file(checked, Container::none);
        std::optional<Excerpts> decompressed;
        if (outcome.container != Container::none) decompressed.emplace(checked, outcome.container);
        for (const Diagnostic& diagnostic : outcome.report().diagnostics())
            if (is_asked_for(diagnostic))
                finding(shown_path(checked.path), diagnostic,
                        decompressed && !diagnostic.rule->of_container ? *decompressed : file);
    }

    void finding(const std::string& path, const Diagnostic& diagnostic, Excerpts& excerpts) {
        const Place& place = diagnostic.place;
        const Severity severity = severity_of(diagnostic);
        const std::string_view colour = colour_of(severity);
        std::string text =
            fmt::format("{}: {}: {} [{}]\n", painted(fmt::format("{}:{:#x}", path, place.offset), kBold),
                        painted(to_string(severity), colour), message_of(diagnostic), diagnostic.rule->id);
        if (const std::string field = field_path(place); !field.empty()) text += fmt::format("  at {}\n", field);
        const MarkStyle style = options_.colour ? MarkStyle{colour, kPlain} : MarkStyle{};
        text += hex_window(excerpts, place.offset, place.length, "    ", style);
        if (const std::string help = help_of(diagnostic); !help.empty())
            text += wrapped("  help: ", printable(help), kHelpIndent, kTextWidth).replace(2, 4, painted("help", kBold));
        if (diagnostic.related_offset != kNone)
            text += fmt::format("  {}: {} at {:#x}\n", painted("related", kBold),
                                counted(diagnostic.related_length, "byte"), diagnostic.related_offset);
        sink_.write(text + '\n');
    }

    // The notes by rule: how many, and where the first one is.
    std::string folded_notes(const Report& report) const {
        if (!options_.fold_notes || options_.min_severity > Severity::note) return {};
        const std::map<std::string_view, uint64_t> hidden = not_kept_notes(report);
        std::map<std::string_view, Folded> by_rule;
        for (const Diagnostic& diagnostic : report.diagnostics()) {
            if (severity_of(diagnostic) != Severity::note) continue;
            Folded& folded = by_rule[diagnostic.rule->id];
            if (folded.count++ == 0) folded.first = diagnostic.place.offset;
        }
        std::string text;
        for (const auto& [rule, folded] : by_rule) {
            const auto more = hidden.find(rule);
            const uint64_t count = folded.count + (more == hidden.end() ? 0 : more->second);
            if (text.empty()) text = painted("notes", colour_of(Severity::note)) + " (--notes shows them in full)\n";
            text += fmt::format("  {:>5}  {}, {}at {:#x}\n", count, rule, count == 1 ? "" : "first ", folded.first);
        }
        return text;
    }

    struct Folded {
        uint64_t count = 0;  // of those that are kept
        uint64_t first = 0;  // offset
    };

    // By rule: notes that were counted, but not kept. Rules that are notes now and then are left to rest().
    static std::map<std::string_view, uint64_t> not_kept_notes(const Report& report) {
        std::map<std::string_view, uint64_t> counts = report.not_kept();
        std::erase_if(counts, [](const auto& entry) {
            const Rule* rule = find_rule(entry.first);
            return rule == nullptr || rule->severity != Severity::note || rule->severity_override;
        });
        return counts;
    }

    // What else is known: findings that are counted but shown nowhere, and the statistics.
    std::string rest(const Outcome& outcome) const {
        std::map<std::string_view, uint64_t> hidden = not_shown(outcome.report(), options_);
        if (options_.fold_notes && options_.min_severity == Severity::note)
            for (const auto& [rule, count] : not_kept_notes(outcome.report())) hidden.erase(rule);
        std::string text;
        if (!hidden.empty()) text += "not shown\n";
        for (const auto& [rule, count] : hidden) text += fmt::format("  {:>5}  {}\n", count, rule);
        if (!options_.statistics || outcome.context.statistics.empty()) return text;
        text += "statistics\n";
        for (const auto& [name, number] : outcome.context.statistics)
            text += fmt::format("  {}: {}\n", printable(name), number);
        return text;
    }

    // What the file is, and how much was found.
    std::string closing(const std::string& path, const Outcome& outcome) const {
        const char* limited = outcome.context.limit_hit ? "; a limit left something unchecked" : "";
        return fmt::format("{}: {}: {}{}\n", painted(path, kBold), description(outcome), verdict(outcome.report()),
                           limited);
    }

    static std::string description(const Outcome& outcome) {
        const std::string size = outcome.size ? byte_size(*outcome.size) : "not read to its end";
        if (outcome.format == nullptr && outcome.size == uint64_t{0}) return "empty";
        if (outcome.format == nullptr && outcome.report().count(kGitLfsPointer) != 0) return "Git LFS pointer, " + size;
        if (outcome.format == nullptr) return "unknown format, " + size;
        std::string text(outcome.format->id);
        const Identity& identity = outcome.context.identity;
        if (identity.format_version) text += fmt::format(" version {}", *identity.format_version);
        if (outcome.container == Container::gzip) text += " in gzip";
        for (const auto& [name, number] : outcome.context.statistics)
            if (name == "records") text += ", " + counted(number, "record");
        return text + ", " + size;
    }

    std::string verdict(const Report& report) const {
        std::string text;
        if (report.count(Severity::error) == 0) text = painted("no errors", kGreen);
        for (const Severity severity : {Severity::error, Severity::warning, Severity::note}) {
            const uint64_t count = report.count(severity);
            if (count == 0) continue;
            if (!text.empty()) text += ", ";
            text += painted(counted(count, to_string(severity)), colour_of(severity));
        }
        return text;
    }

    Sink& sink_;
    WriterOptions options_;
};

}  // namespace

std::unique_ptr<Writer> make_text_writer(Sink& sink, const WriterOptions& options) {
    return std::make_unique<TextWriter>(sink, options);
}

}  // namespace tracelint
