// Workflow commands, of which GitHub makes annotations: a line for each finding. GitHub shows the first ten of each
// severity of a step, so a total follows; the markdown output serves for the summary of the step.
#include <fmt/core.h>

#include "validator/tool/json/text.hpp"
#include "validator/tool/writers/service_text.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint {
namespace {

std::string_view command_of(Severity severity) { return severity == Severity::note ? "notice" : to_string(severity); }

// A workflow command ends at the end of the line; its properties end at a comma or at two colons.
std::string escaped(std::string_view text, std::string_view special) {
    std::string result;
    for (const char c : printable(text)) {
        if (special.find(c) == std::string_view::npos)
            result += c;
        else
            result += fmt::format("%{:02X}", static_cast<uint8_t>(c));
    }
    return result;
}
std::string property(std::string_view text) { return escaped(text, "%:,"); }
std::string message(std::string_view text) { return escaped(text, "%"); }

constexpr std::string_view kNewline = "%0A";

class GithubWriter final : public Writer {
  public:
    GithubWriter(Sink& sink, const WriterOptions& options) : sink_(sink), options_(options) {}

    void file(const Checked& checked) override {
        const Outcome& outcome = checked.outcome;
        const std::string path = property(repository_text(checked.artifact_path(), PathEscapes::unprintable));
        if (!outcome.failure.empty())
            sink_.write(fmt::format("::error file={},title=tracelint::{}\n", path, message(outcome.failure)));
        for (const Pairing& pairing : outcome.pairings)
            sink_.write(fmt::format("tracelint: {}\n", pairing_text(checked, pairing)));
        for (const Diagnostic& diagnostic : outcome.report().diagnostics()) {
            if (!is_shown_as_new(checked, diagnostic, options_)) continue;
            std::string text =
                message(fmt::format("{} ({})", message_of(diagnostic), place_text(diagnostic, outcome.container)));
            if (const std::string help = help_of(diagnostic); !help.empty())
                text.append(kNewline).append(message(help));
            sink_.write(fmt::format("::{} file={},line=1,title={}::{}\n", command_of(severity_of(diagnostic)), path,
                                    property(diagnostic.rule->id), text));
        }
        for (const auto& [rule, count] : new_not_shown(checked, options_)) not_shown_ += count;
        sink_.flush();
    }

    void finish(const Summary& summary) override {
        if (!summary.incomplete.empty())
            sink_.write(fmt::format("::error title=tracelint::{}\n", message(incomplete_text(summary))));
        sink_.write("tracelint: " + totals_of(summary) + '\n');
        if (not_shown_ != 0) sink_.write(fmt::format("tracelint: not shown: {}\n", counted(not_shown_, "finding")));
        sink_.flush();
    }

  private:
    Sink& sink_;
    WriterOptions options_;
    uint64_t not_shown_ = 0;  // findings
};

}  // namespace

std::unique_ptr<Writer> make_github_writer(Sink& sink, const WriterOptions& options) {
    return std::make_unique<GithubWriter>(sink, options);
}

}  // namespace tracelint
