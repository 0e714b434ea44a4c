// Totals in 80 columns: formats, rules with example files, files that were not read.
#include "validator/tool/fleet/rebuild.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "validator/tool/json/sums.hpp"
#include "validator/tool/json/text.hpp"

namespace tracelint {
namespace {

constexpr size_t kMostRules = 20;
constexpr size_t kMostUnreadable = 10;

class OverviewWriter final : public Writer {
  public:
    OverviewWriter(Sink& sink, const WriterOptions& options) : sink_(sink), options_(options) {}

    void file(const Checked& checked) override {
        const std::string& failure = checked.outcome.failure;
        if (failure.empty() || unreadable_.size() == kMostUnreadable) return;
        unreadable_.push_back(fmt::format("  {}: {}\n", shown_path(checked.path), printable(failure)));
    }

    void finish(const Summary& summary) override {
        const Sums& sums = summary.part->sums;
        write_formats(sums);
        write_rules(sums);
        if (!unreadable_.empty()) sink_.write("not read\n");
        for (const std::string& line : unreadable_) sink_.write(line);
        if (summary.unreadable > unreadable_.size())
            sink_.write(fmt::format("  and {} more\n", summary.unreadable - unreadable_.size()));
        const PartSummary& part = *summary.part;
        if (part.shards.size() != part.shard_count)
            sink_.write(fmt::format("{} of {} shards\n", part.shards.size(), part.shard_count));
        if (part.left_out != 0)
            sink_.write(
                fmt::format("{} of the manifest left out, repeated or excluded\n", counted(part.left_out, "file")));
        sink_.write(totals_of(summary) + '\n');
        if (sums.limited != 0)
            sink_.write(fmt::format("a limit left part of {} unchecked\n", counted(sums.limited, "file")));
        sink_.flush();
    }

  private:
    using Kinds = std::vector<const std::pair<const FindingKind, FindingSum>*>;

    void write_formats(const Sums& sums) {
        if (sums.formats.empty()) return;
        sink_.write(
            fmt::format("{:<24}{:>12}{:>14}{:>14}{:>14}\n", "format", "files", "size", "with errors", "unreadable"));
        for (const auto& [format, sum] : sums.formats)
            sink_.write(fmt::format("{:<24}{:>12}{:>14}{:>14}{:>14}\n", format.empty() ? "(unknown)" : format,
                                    sum.files, byte_size(sum.bytes), sum.by_verdict[0], sum.by_verdict[4]));
        sink_.write("\n");
    }

    // The most severe ones first, then those with more findings.
    void write_rules(const Sums& sums) {
        Kinds kinds;
        for (const auto& kind : sums.findings)
            if (kind.first.severity >= options_.min_severity) kinds.push_back(&kind);
        if (kinds.empty()) return;
        std::ranges::sort(kinds, [](const auto* a, const auto* b) {
            return std::tie(b->first.severity, b->second.findings, a->first) <
                   std::tie(a->first.severity, a->second.findings, b->first);
        });
        sink_.write(fmt::format("{:<10}{:>12}{:>12}  {}\n", "severity", "findings", "files", "rule"));
        for (size_t i = 0; i < std::min(kinds.size(), kMostRules); ++i) write_rule(kinds[i]->first, kinds[i]->second);
        if (kinds.size() > kMostRules)
            sink_.write(
                fmt::format("and {} more; --output json has all\n", counted(kinds.size() - kMostRules, "rule")));
        sink_.write("\n");
    }

    void write_rule(const FindingKind& kind, const FindingSum& sum) {
        sink_.write(
            fmt::format("{:<10}{:>12}{:>12}  {}\n", to_string(kind.severity), sum.findings, sum.files, kind.rule));
        for (const ExampleFile& example : sum.examples) sink_.write(fmt::format("    {}\n", shown_path(example.path)));
    }

    Sink& sink_;
    WriterOptions options_;
    std::vector<std::string> unreadable_;  // lines
};

}  // namespace

std::unique_ptr<Writer> make_overview_writer(Sink& sink, const WriterOptions& options) {
    return std::make_unique<OverviewWriter>(sink, options);
}

}  // namespace tracelint
