// Findings for people: where, what, the bytes, and what it means for the readers of the file.
#include "validator/tool/excerpt.hpp"
#include "validator/tool/text.hpp"
#include "validator/tool/writer.hpp"

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

class TextWriter final : public Writer {
  public:
    TextWriter(Sink& sink, const WriterOptions& options) : sink_(sink), options_(options) {}

    void file(const Checked& checked) override {
        const Outcome& outcome = checked.outcome;
        const std::string path = shown_path(checked.path);
        // A container's own findings lie in the packed file, all others in what it unfolds to.
        Excerpts packed(checked.path, Container::none);
        std::optional<Excerpts> unpacked;
        if (outcome.container != Container::none) unpacked.emplace(checked.path, outcome.container);
        for (const Diagnostic& diagnostic : outcome.report().diagnostics()) {
            if (!is_shown(diagnostic, options_)) continue;
            const bool about_container = diagnostic.rule->id.starts_with("gzip/");
            finding(path, diagnostic, unpacked && !about_container ? *unpacked : packed);
        }
        if (outcome.failure.empty()) sink_.write(closing(path, outcome));
        sink_.flush();
    }

    void finish(const Summary& summary) override {
        if (summary.files + summary.skipped < 2) return;
        std::string line = counted(summary.files, "file") + ": " + with(summary, Severity::error) + " with errors, " +
                           with(summary, Severity::warning) + " with warnings, " + with(summary, Severity::note) +
                           " with notes only, " + std::to_string(summary.clean) + " clean";
        if (summary.unreadable != 0) line += ", " + std::to_string(summary.unreadable) + " unreadable";
        if (summary.skipped != 0) line += "; " + std::to_string(summary.skipped) + " skipped";
        sink_.write(line + '\n');
        sink_.flush();
    }

  private:
    static std::string with(const Summary& summary, Severity worst) {
        return std::to_string(summary.with_worst_of[static_cast<size_t>(worst)]);
    }

    std::string painted(std::string_view text, std::string_view colour) const {
        if (!options_.colour) return std::string(text);
        std::string result(colour);
        result += text;
        result += kPlain;
        return result;
    }

    void finding(const std::string& path, const Diagnostic& diagnostic, Excerpts& excerpts) {
        const Place& place = diagnostic.place;
        const Severity severity = severity_of(diagnostic);
        const std::string_view colour = colour_of(severity);
        std::string text = painted(path + ':' + hex(place.offset), kBold) + ": " +
                           painted(to_string(severity), colour) + ": " + message_of(diagnostic) + " [";
        text += diagnostic.rule->id;
        text += "]\n";
        if (const std::string field = field_path(place); !field.empty()) text += "  at " + field + '\n';
        const MarkStyle style = options_.colour ? MarkStyle{colour, kPlain} : MarkStyle{};
        text += hex_window(excerpts, place.offset, place.length, "    ", style);
        if (const std::string help = help_of(diagnostic); !help.empty())
            text += "  " + painted("help", kBold) + ": " + printable(help) + '\n';
        if (diagnostic.related_offset != kNone)
            text += "  " + painted("related", kBold) + ": " + counted(diagnostic.related_length, "byte") + " at " +
                    hex(diagnostic.related_offset) + '\n';
        sink_.write(text + '\n');
    }

    // What the file is, and how much was found.
    std::string closing(const std::string& path, const Outcome& outcome) const {
        std::string text = painted(path, kBold) + ": " + description(outcome) + ": " + verdict(outcome.report()) + '\n';
        const auto hidden = not_shown(outcome.report(), options_);
        for (const auto& [rule, count] : hidden) {
            text += "  not shown: " + std::to_string(count) + ' ';
            text += rule;
            text += '\n';
        }
        if (options_.statistics)
            for (const auto& [name, number] : outcome.context.statistics)
                text += "  " + printable(name) + ": " + std::to_string(number) + '\n';
        return text;
    }

    static std::string description(const Outcome& outcome) {
        if (outcome.format == nullptr) return "unknown format, " + byte_size(outcome.size);
        std::string text(outcome.format->id);
        const Identity& identity = outcome.context.identity;
        if (identity.format_version) text += " version " + std::to_string(*identity.format_version);
        if (outcome.container == Container::gzip) text += " in gzip";
        for (const auto& [name, number] : outcome.context.statistics)
            if (name == "records") text += ", " + counted(number, "record");
        return text + ", " + byte_size(outcome.size);
    }

    std::string verdict(const Report& report) const {
        std::string text;
        for (const Severity severity : {Severity::error, Severity::warning, Severity::note}) {
            const uint64_t count = report.count(severity);
            if (count == 0) continue;
            if (!text.empty()) text += ", ";
            text += painted(counted(count, to_string(severity)), colour_of(severity));
        }
        return text.empty() ? painted("clean", kGreen) : text;
    }

    Sink& sink_;
    WriterOptions options_;
};

}  // namespace

std::unique_ptr<Writer> make_text_writer(Sink& sink, const WriterOptions& options) {
    return std::make_unique<TextWriter>(sink, options);
}

}  // namespace tracelint
