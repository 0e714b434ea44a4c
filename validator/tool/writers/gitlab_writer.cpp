// GitLab's Code Quality report: an array of issues, one per line. GitLab requires a line, so the offset is in the
// description. It drops issues with a fingerprint that it has seen, and has no place for what concerns a whole run, so
// that is also an issue.
#include <fmt/core.h>

#include "validator/tool/json/json_text.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/writers/service_text.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint {
namespace {

std::string_view gitlab_severity(Severity severity) {
    switch (severity) {
        case Severity::error: return "major";
        case Severity::warning: return "minor";
        case Severity::note: return "info";
    }
    return "info";
}

class GitlabWriter final : public Writer {
  public:
    GitlabWriter(Sink& sink, const WriterOptions& options) : sink_(sink), options_(options) {}

    void begin() override { sink_.write("["); }

    void file(const Checked& checked) override {
        const Outcome& outcome = checked.outcome;
        const std::string path = repository_text(checked.artifact_path(), PathEscapes::not_utf8);
        Fingerprints fingerprints(checked.path);
        if (!outcome.failure.empty()) {
            constexpr std::string_view kCheck = "tracelint/unreadable";
            issue(path, kCheck, "blocker", outcome.failure, fingerprints.of(kCheck));
        }
        for (const Diagnostic& diagnostic : outcome.report().diagnostics()) {
            if (!is_shown_as_new(checked, diagnostic, options_)) continue;
            std::string text =
                fmt::format("{} ({})", message_of(diagnostic), place_text(diagnostic, outcome.container));
            if (const std::string help = help_of(diagnostic); !help.empty()) text += ": " + help;
            issue(path, diagnostic.rule->id, gitlab_severity(severity_of(diagnostic)), text,
                  fingerprints.of(diagnostic));
        }
        uint64_t not_kept = 0;
        for (const auto& [rule, count] : new_not_kept(checked)) not_kept += count;
        if (not_kept != 0) {
            constexpr std::string_view kCheck = "tracelint/not-listed";
            issue(path, kCheck, "info",
                  fmt::format("not listed: {} of rules that the file violates often; --max-per-rule sets how many of "
                              "each are listed",
                              counted(not_kept, "finding")),
                  fingerprints.of(kCheck));
        }
        sink_.flush();
    }

    void finish(const Summary& summary) override {
        if (!summary.incomplete.empty()) {
            constexpr std::string_view kCheck = "tracelint/incomplete";
            issue(".", kCheck, "blocker", incomplete_text(summary), Fingerprints(".").of(kCheck));
        }
        sink_.write("\n]\n");
        sink_.flush();
    }

  private:
    void issue(std::string_view path, std::string_view check, std::string_view severity, std::string_view text,
               std::string_view fingerprint) {
        const JsonObject object{
            {"description", text},
            {"check_name", check},
            {"fingerprint", fingerprint},
            {"severity", severity},
            {"location", JsonObject{{"path", path}, {"lines", JsonObject{{"begin", 1}}}}},
        };
        sink_.write((any_ ? ",\n" : "\n") + object.text());
        any_ = true;
    }

    Sink& sink_;
    WriterOptions options_;
    bool any_ = false;
};

}  // namespace

std::unique_ptr<Writer> make_gitlab_writer(Sink& sink, const WriterOptions& options) {
    return std::make_unique<GitlabWriter>(sink, options);
}

}  // namespace tracelint
