// Findings for people: place, message, bytes, and what it does to the readers of the file.
#include <fmt/core.h>

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

class TextWriter final : public Writer {
  public:
    TextWriter(Sink& sink, const WriterOptions& options) : sink_(sink), options_(options) {}

    void file(const Checked& checked) override {
        const Outcome& outcome = checked.outcome;
        const std::string path = shown_path(checked.path);
        // Findings about a container lie in the compressed file, all others in the decompressed data.
        Excerpts file(checked.path, Container::none);
        std::optional<Excerpts> decompressed;
        if (outcome.container != Container::none) decompressed.emplace(checked.path, outcome.container);
        for (const Diagnostic& diagnostic : outcome.report().diagnostics()) {
            if (!is_shown(diagnostic, options_)) continue;
            finding(path, diagnostic, decompressed && !diagnostic.rule->of_container ? *decompressed : file);
        }
        if (outcome.failure.empty()) sink_.write(closing(path, outcome));
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
            text += fmt::format("  {}: {}\n", painted("help", kBold), printable(help));
        if (diagnostic.related_offset != kNone)
            text += fmt::format("  {}: {} at {:#x}\n", painted("related", kBold),
                                counted(diagnostic.related_length, "byte"), diagnostic.related_offset);
        sink_.write(text + '\n');
    }

    // What the file is, and how much was found.
    std::string closing(const std::string& path, const Outcome& outcome) const {
        std::string text =
            fmt::format("{}: {}: {}\n", painted(path, kBold), description(outcome), verdict(outcome.report()));
        for (const auto& [rule, count] : not_shown(outcome.report(), options_))
            text += fmt::format("  not shown: {} {}\n", count, rule);
        if (options_.statistics)
            for (const auto& [name, number] : outcome.context.statistics)
                text += fmt::format("  {}: {}\n", printable(name), number);
        return text;
    }

    static std::string description(const Outcome& outcome) {
        const std::string size = outcome.size ? byte_size(*outcome.size) : "not read to its end";
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
