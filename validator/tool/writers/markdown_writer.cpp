// A summary in Markdown, for a comment on a pull request or the summary of a step: the totals, what recordings show,
// the most severe findings, and how many of each rule there are. A comment may have 65,536 characters, so both tables
// are cut in time.
#include <fmt/core.h>

#include "validator/tool/json/text.hpp"
#include "validator/tool/writers/service_text.hpp"
#include "validator/tool/writers/worst_findings.hpp"

namespace tracelint {
namespace {

constexpr size_t kMostRows = 50;           // findings
constexpr size_t kFindingsBytes = 31'000;  // of their table
constexpr size_t kRulesBytes = 20'000;     // of the table of rules
constexpr size_t kUnreadableBytes = 5'000;
constexpr size_t kRecordingsBytes = 4'000;
constexpr size_t kPairingsBytes = 4'000;
constexpr size_t kReadersBytes = 5'000;
constexpr size_t kPathBytes = 200;  // the rest of a path is cut, at its start

// The last part of a path that is too long.
std::string short_path(std::string_view path) {
    const std::string shown = repository_text(path, PathEscapes::unprintable);
    if (shown.size() <= kPathBytes) return markdown_code(shown);
    size_t start = shown.size() - kPathBytes;
    while (start < shown.size() && (static_cast<uint8_t>(shown[start]) & 0xc0) == 0x80) ++start;
    return markdown_code("..." + shown.substr(start));
}

// Rows up to a number of bytes.
class Rows {
  public:
    explicit Rows(size_t most) : most_(most) {}
    void add(const std::string& row) {
        is_full_ = is_full_ || text_.size() + row.size() > most_;
        ++(is_full_ ? left_out_ : count_);
        if (!is_full_) text_ += row;
    }
    const std::string& text() const { return text_; }
    uint64_t count() const { return count_; }
    uint64_t left_out() const { return left_out_; }

  private:
    size_t most_;
    bool is_full_ = false;
    std::string text_;
    uint64_t count_ = 0, left_out_ = 0;
};

class MarkdownWriter final : public Writer {
  public:
    MarkdownWriter(Sink& sink, const WriterOptions& options) : sink_(sink), options_(options) {}

    void file(const Checked& checked) override {
        const Outcome& outcome = checked.outcome;
        const Report& report = outcome.report();
        if (!outcome.failure.empty())
            unreadable_.add(fmt::format("- {}: {}\n", short_path(checked.path), markdown_text(outcome.failure)));
        if (const std::string text = recording_text(checked); !text.empty())
            recordings_.add(fmt::format("- {}\n", markdown_text(text)));
        for (const ReaderVerdict& verdict : checked.readers)
            readers_.add(fmt::format("- {}: {}\n", short_path(checked.path), markdown_text(sentence_of(verdict))));
        for (const Severity severity : {Severity::error, Severity::warning, Severity::note})
            counts_[static_cast<size_t>(severity)] += checked.count_new(severity);
        for (const Pairing& pairing : outcome.pairings)
            pairings_.add(fmt::format("- {}\n", markdown_text(pairing_text(checked, pairing))));
        const auto file = std::make_shared<const ReportedFile>(
            ReportedFile{checked.path, outcome.container, outcome.size, checked.texts});
        for (const Diagnostic& diagnostic : report.diagnostics()) {
            if (checked.entry_of(diagnostic) != nullptr) continue;
            RuleTotal& total = rules_[diagnostic.rule->id];
            total.worst = std::max(total.worst, severity_of(diagnostic));
            if (is_shown(diagnostic, options_)) findings_.add({file, diagnostic, {}, nullptr});
        }
        for (const auto& [id, count] : report.counts()) {
            if (checked.known != nullptr && checked.known->known.contains(id)) continue;
            RuleTotal& total = rules_[id];
            total.findings += count;
            ++total.files;
        }
    }

    void finish(const Summary& summary) override {
        sink_.write(fmt::format("### tracelint: {}\n\n", headline()));
        if (!summary.incomplete.empty())
            sink_.write(fmt::format("**{}**\n\n", markdown_text(incomplete_text(summary))));
        sink_.write(markdown_text(totals_of(summary)) + ".\n");
        write_list("", readers_);
        write_list("Not read:", unreadable_);
        write_list("Recordings:", recordings_);
        write_list("Files that belong together:", pairings_);
        write_findings();
        write_rules();
        sink_.flush();
    }

  private:
    struct RuleTotal {
        Severity worst = Severity::note;
        uint64_t findings = 0;
        uint64_t files = 0;
    };

    uint64_t count(Severity severity) const { return counts_[static_cast<size_t>(severity)]; }

    std::string headline() const {
        std::string text = count(Severity::error) == 0 && count(Severity::warning) == 0 ? "ok" : "";
        for (const Severity severity : {Severity::error, Severity::warning, Severity::note})
            if (count(severity) != 0)
                text += (text.empty() ? "" : ", ") + counted(count(severity), to_string(severity));
        return text;
    }

    // A list under a heading, which may be empty.
    void write_list(std::string_view heading, const Rows& rows) {
        if (rows.count() + rows.left_out() == 0) return;
        sink_.write(fmt::format("\n{}{}", heading, heading.empty() ? "" : "\n\n") + rows.text());
        if (rows.left_out() != 0) sink_.write(fmt::format("- and {} more\n", rows.left_out()));
    }

    void write_findings() {
        Rows rows(kFindingsBytes);
        findings_.for_each([&](const ReportedFinding& finding) { rows.add(row_of(finding)); });
        if (rows.count() == 0) return;
        sink_.write("\n| severity | file | place | finding |\n| --- | --- | --- | --- |\n" + rows.text());
        const uint64_t all = count(Severity::error) + count(Severity::warning) + count(Severity::note);
        if (rows.count() < all)
            sink_.write(fmt::format("\nThe table has {} of {}, the most severe first.\n", rows.count(),
                                    counted(all, "finding")));
    }

    static std::string row_of(const ReportedFinding& finding) {
        const Diagnostic& diagnostic = finding.diagnostic;
        const Severity severity = severity_of(diagnostic);
        const std::string_view emphasis = severity == Severity::error ? "**" : "";
        const std::string help = help_of(diagnostic);
        return fmt::format("| {0}{1}{0} | {2} | {3} | {4}{5}{6} `{7}` |\n", emphasis, to_string(severity),
                           short_path(finding.file->path),
                           markdown_code(place_text(diagnostic, finding.file->container)),
                           markdown_text(message_of(diagnostic)), help.empty() ? "" : ".<br>", markdown_text(help),
                           diagnostic.rule->id);
    }

    // Rules of worse findings first, then those with more findings.
    void write_rules() {
        if (rules_.empty()) return;
        std::vector<std::pair<std::string_view, RuleTotal>> sorted(rules_.begin(), rules_.end());
        std::ranges::sort(sorted, [](const auto& a, const auto& b) {
            return std::tie(b.second.worst, b.second.findings, a.first) <
                   std::tie(a.second.worst, a.second.findings, b.first);
        });
        Rows rows(kRulesBytes);
        for (const auto& [id, total] : sorted)
            rows.add(fmt::format("| {} | {} | `{}` | {} |\n", total.findings, to_string(total.worst), id, total.files));
        sink_.write(
            "\n<details><summary>Findings by rule</summary>\n\n"
            "| findings | severity | rule | files |\n| ---: | --- | --- | ---: |\n" +
            rows.text());
        if (rows.left_out() != 0) sink_.write(fmt::format("\n{} not listed.\n", counted(rows.left_out(), "rule")));
        sink_.write("\n</details>\n");
    }

    Sink& sink_;
    WriterOptions options_;
    WorstFindings findings_{kMostRows};
    Rows unreadable_{kUnreadableBytes};
    Rows recordings_{kRecordingsBytes};  // what each shows
    Rows pairings_{kPairingsBytes};
    Rows readers_{kReadersBytes};                  // what the readers that the user named do with each file
    std::map<std::string_view, RuleTotal> rules_;  // by id
    std::array<uint64_t, 3> counts_{};             // findings by severity, shown or not
};

}  // namespace

std::unique_ptr<Writer> make_markdown_writer(Sink& sink, const WriterOptions& options) {
    return std::make_unique<MarkdownWriter>(sink, options);
}

}  // namespace tracelint
