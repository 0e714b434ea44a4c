// SARIF 2.1.0, as code scanning reads it: one run, whose regions have offsets and, as GitHub shows nothing without a
// line, line 1. Code scanning keeps 5,000 results of a run and refuses files that have more than 10 MB when they are
// compressed, so the most severe findings that fit are chosen here, and what is left out is said.
#include <fmt/core.h>

#include "validator/tool/json/json_text.hpp"
#include "validator/tool/json/rule_info.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/writers/service_text.hpp"
#include "validator/tool/writers/worst_findings.hpp"

namespace tracelint {
namespace {

constexpr size_t kMostUnreadable = 100;          // named; the others are counted
constexpr size_t kMostVerdicts = 1000;           // of readers; the same
constexpr uint64_t kMostResultBytes = 7 * kMiB;  // of results and their files, whatever the names; the rules take 1 MiB
constexpr size_t kMostNameBytes = kMiB;          // of the notifications that name inputs

JsonObject text_object(std::string_view text) { return {{"text", text}}; }

// The indices of what results refer to, in the order in which they are met.
template <class Item>
class Indices {
  public:
    bool has(const Item* item) const { return indices_.contains(item); }
    size_t of(const Item* item) {
        const auto [found, is_new] = indices_.emplace(item, items_.size());
        if (is_new) items_.push_back(item);
        return found->second;
    }
    const std::vector<const Item*>& items() const { return items_; }

  private:
    std::unordered_map<const Item*, size_t> indices_;
    std::vector<const Item*> items_;
};

// "jitdump/bad-magic" becomes "JitdumpBadMagic": names are for people.
std::string name_of(const Rule& rule) {
    std::string name;
    for (bool starts_word = true; const char c : rule.id) {
        const bool is_letter = c >= 'a' && c <= 'z', is_separator = c == '/' || c == '-';
        if (!is_separator) name += starts_word && is_letter ? static_cast<char>(c - 'a' + 'A') : c;
        starts_word = is_separator;
    }
    return name;
}

std::string_view problem_severity_of(Severity severity) {
    return severity == Severity::note ? "recommendation" : to_string(severity);
}

JsonObject help_object(const Rule& rule) {
    std::string milder;
    if (const auto& other = rule.severity_override)
        milder = fmt::format(" Only {} {} when {}.", other->severity == Severity::error ? "an" : "a",
                             to_string(other->severity), other->when);
    const std::string specification = spec_reference_of(rule);
    return {{"text", fmt::format("Consequence: {}.{}\n\nSpecification: {}. tracelint explain {} shows an example.",
                                 rule.why, milder, specification, rule.id)},
            {"markdown",
             fmt::format("**Consequence:** {}.{}\n\n**Specification:** {}. `tracelint explain {}` shows an "
                         "example.",
                         markdown_text(rule.why), markdown_text(milder), markdown_text(specification), rule.id)}};
}

JsonObject rule_descriptor(const Rule& rule) {
    const std::string_view grammar = rule.id.substr(0, rule.id.find('/'));
    return {{"id", rule.id},
            {"name", name_of(rule)},
            {"shortDescription", text_object(fmt::format("Rule: {}.", rule.statement))},
            {"fullDescription",
             text_object(fmt::format("Rule: {}. Consequence of a violation: {}.", rule.statement, rule.why))},
            {"help", help_object(rule)},
            {"defaultConfiguration", JsonObject{{"level", to_string(rule.severity)}}},
            {"properties",
             JsonObject{{"tags", JsonArray{grammar}}, {"problem.severity", problem_severity_of(rule.severity)}}}};
}

JsonObject artifact_object(const ReportedFile& file) {
    JsonObject object{{"location", JsonObject{{"uri", uri_of(file.path)}}}, {"roles", JsonArray{"analysisTarget"}}};
    if (file.container == Container::none && file.size) object.add("length", *file.size);
    if (file.container != Container::none)
        object.add("properties", JsonObject{{"container", to_string(file.container)}});
    return object;
}

JsonObject physical_location(const ReportedFile& file, size_t index, uint64_t offset, uint64_t length) {
    return {{"artifactLocation", JsonObject{{"uri", uri_of(file.path)}, {"index", index}}},
            {"region", JsonObject{{"startLine", 1}, {"byteOffset", offset}, {"byteLength", length}}}};
}

// Code scanning closes the alerts of such results, and keeps them closed.
JsonObject suppression_object(const BaselineEntry& entry) {
    return {{"kind", "external"},
            {"status", "accepted"},
            {"justification", entry.reason.empty() ? kNoReason : std::string_view(entry.reason)}};
}

class SarifWriter final : public Writer {
  public:
    SarifWriter(Sink& sink, const WriterOptions& options) : sink_(sink), options_(options) {}

    void file(const Checked& checked) override {
        const Outcome& outcome = checked.outcome;
        if (!outcome.failure.empty()) note_unreadable(outcome.failure, checked.path);
        for (const ReaderVerdict& verdict : checked.readers) note_reader(verdict, checked.artifact_path());
        const auto file = std::make_shared<const ReportedFile>(
            ReportedFile{checked.artifact_path(), outcome.container, outcome.size, checked.texts});
        Fingerprints fingerprints(checked.path);
        for (const Diagnostic& diagnostic : outcome.report().diagnostics())
            if (is_shown(diagnostic, options_))
                results_.add({file, diagnostic, fingerprints.of(diagnostic), checked.entry_of(diagnostic)});
        for (const auto& [rule, count] : outcome.report().not_kept()) not_kept_ += count;
    }

    void finish(const Summary& summary) override {
        choose();
        note_what_is_missing(summary);
        sink_.write(
            "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\n");
        sink_.write("\"tool\":{\"driver\":" + driver().open_text() + ",\"rules\":[");
        write_list(rules_.items(), [](const Rule* rule) { return rule_descriptor(*rule); });
        sink_.write("]}},\n\"artifacts\":[");
        write_list(artifacts_.items(), [](const ReportedFile* file) { return artifact_object(*file); });
        sink_.write("],\n\"results\":[");
        const char* before = "\n";
        uint64_t written = 0;
        results_.for_each([&](const ReportedFinding& finding) {
            if (written++ >= listed_) return;
            sink_.write(before);
            sink_.write(result_object(finding).text());
            before = ",\n";
        });
        const bool is_successful = summary.incomplete.empty() && summary.unreadable == 0;
        const JsonObject invocation{{"executionSuccessful", is_successful},
                                    {"toolExecutionNotifications", notifications_}};
        sink_.write("],\n\"invocations\":[" + invocation.text() + "],\n\"columnKind\":\"utf16CodeUnits\"}]}\n");
        sink_.flush();
    }

  private:
    static JsonObject driver() {
        return {{"name", "tracelint"},
                {"fullName", "tracelint " TRACELINT_VERSION},
                {"version", TRACELINT_VERSION},
                {"semanticVersion", TRACELINT_VERSION}};
    }

    template <class Items, class ObjectOf>
    void write_list(const Items& items, ObjectOf object_of) {
        const char* before = "\n";
        for (const auto* item : items) {
            sink_.write(before + object_of(item).text());
            before = ",\n";
        }
    }

    // Finds out which results fit, and which files and rules they name.
    void choose() {
        uint64_t size = 0;
        results_.for_each([&](const ReportedFinding& finding) {
            if (size >= kMostResultBytes) {
                ++left_out_[static_cast<size_t>(severity_of(finding.diagnostic))];
                return;
            }
            const ReportedFile* file = finding.file.get();
            if (!artifacts_.has(file)) size += artifact_object(*file).text().size();
            size += result_object(finding).text().size();
            ++listed_;
        });
        for (const Severity severity : {Severity::note, Severity::warning, Severity::error})
            left_out_[static_cast<size_t>(severity)] += results_.dropped(severity);
    }

    void note_unreadable(std::string_view failure, std::string_view path) {
        ++unreadable_;
        if (named_ == kMostUnreadable || uri_of(path).size() > kMostNameBytes - name_bytes_) return;
        ++named_;
        name_bytes_ += uri_of(path).size();
        add_notification("error", failure, path);
    }

    void note_reader(const ReaderVerdict& verdict, std::string_view path) {
        ++verdicts_;
        if (listed_verdicts_ == kMostVerdicts || uri_of(path).size() > kMostNameBytes - name_bytes_) return;
        ++listed_verdicts_;
        name_bytes_ += uri_of(path).size();
        const Severity severity = severity_of(verdict.outcome).value_or(Severity::note);
        add_notification(to_string(severity), tracelint::sentence_of(verdict) + '.', path);
    }

    void add_notification(std::string_view level, std::string_view text, std::string_view path = {}) {
        JsonObject notification{{"level", level}, {"message", text_object(text)}};
        if (!path.empty()) {
            const JsonObject artifact{{"artifactLocation", JsonObject{{"uri", uri_of(path)}}}};
            notification.add("locations", JsonArray{JsonObject{{"physicalLocation", artifact}}});
        }
        notifications_.add(notification);
    }

    void note_what_is_missing(const Summary& summary) {
        if (unreadable_ > named_)
            add_notification("error", fmt::format("Not read either: {}.", counted(unreadable_ - named_, "input")));
        if (verdicts_ > listed_verdicts_)
            add_notification("note", fmt::format("Left out: the verdict of a reader about a file, {}.",
                                                 counted(verdicts_ - listed_verdicts_, "time")));
        const auto dropped = [&](Severity severity) {
            return counted(left_out_[static_cast<size_t>(severity)], to_string(severity));
        };
        if (left_out_[0] + left_out_[1] + left_out_[2] != 0)
            add_notification(
                "warning", fmt::format("The {} most severe findings are listed. Left out: {}, {}, {}.", listed_,
                                       dropped(Severity::error), dropped(Severity::warning), dropped(Severity::note)));
        if (results_.dropped_known() != 0)
            add_notification("note", fmt::format("Left out: {} that the baseline allows.",
                                                 counted(results_.dropped_known(), "finding")));
        if (not_kept_ != 0)
            add_notification("note",
                             fmt::format("Not listed: {} of rules that were violated often; --max-per-rule sets "
                                         "how many of each are listed.",
                                         counted(not_kept_, "finding")));
        if (!summary.incomplete.empty()) add_notification("error", incomplete_text(summary));
    }

    // The place is also named: viewers that show lines know no other.
    static std::string sentence_of(const Diagnostic& diagnostic, Container container) {
        std::string text = fmt::format("{} ({}).", message_of(diagnostic), place_text(diagnostic, container));
        if (!diagnostic.hint.empty()) text += fmt::format(" Hint: {}.", diagnostic.hint);
        return text;
    }

    // Another place in the file, or in another file of its group.
    static JsonObject related_location(const ReportedFile& file, size_t artifact, const Diagnostic& diagnostic) {
        const uint64_t offset = diagnostic.related_offset, length = diagnostic.related_length;
        const bool has_place = offset != kNone;
        JsonObject physical;
        if (diagnostic.related_file.empty()) {
            physical = physical_location(file, artifact, offset, length);
        } else {
            physical.add("artifactLocation", JsonObject{{"uri", uri_of(diagnostic.related_file)}});
            if (has_place)
                physical.add("region", JsonObject{{"startLine", 1}, {"byteOffset", offset}, {"byteLength", length}});
        }
        const std::string text =
            has_place ? fmt::format("{} at offset {:#x}.", counted(length, "byte"), offset) : "The other file.";
        return {{"id", 1}, {"physicalLocation", physical}, {"message", text_object(text)}};
    }

    JsonObject result_object(const ReportedFinding& finding) {
        const Diagnostic& diagnostic = finding.diagnostic;
        const ReportedFile& file = *finding.file;
        const Place& place = diagnostic.place;
        const size_t artifact = artifacts_.of(&file);
        JsonObject location{{"physicalLocation", physical_location(file, artifact, place.offset, place.length)}};
        if (const std::string field = field_path(place); !field.empty())
            location.add("logicalLocations", JsonArray{JsonObject{{"fullyQualifiedName", field}, {"kind", "member"}}});
        JsonObject object{{"ruleId", diagnostic.rule->id},
                          {"ruleIndex", rules_.of(diagnostic.rule)},
                          {"level", to_string(severity_of(diagnostic))},
                          {"message", text_object(sentence_of(diagnostic, file.container))},
                          {"locations", JsonArray{location}}};
        if (diagnostic.related_offset != kNone || !diagnostic.related_file.empty())
            object.add("relatedLocations", JsonArray{related_location(file, artifact, diagnostic)});
        // The key under which code scanning looks for the fingerprint. Without it, code scanning hashes line 1, which
        // is the same for all findings.
        object.add("partialFingerprints", JsonObject{{"primaryLocationLineHash", finding.fingerprint}});
        if (finding.entry != nullptr) object.add("suppressions", JsonArray{suppression_object(*finding.entry)});
        return object;
    }

    Sink& sink_;
    WriterOptions options_;
    WorstFindings results_{kMostSarifFindings};
    Indices<Rule> rules_;
    Indices<ReportedFile> artifacts_;
    JsonArray notifications_;
    uint64_t unreadable_ = 0;
    uint64_t named_ = 0;  // of them, in notifications
    uint64_t verdicts_ = 0;
    uint64_t listed_verdicts_ = 0;  // the same
    size_t name_bytes_ = 0;
    uint64_t listed_ = 0;                 // the first of results_, which fit
    std::array<uint64_t, 3> left_out_{};  // by severity
    uint64_t not_kept_ = 0;               // findings that the reports counted only
};

}  // namespace

std::unique_ptr<Writer> make_sarif_writer(Sink& sink, const WriterOptions& options) {
    return std::make_unique<SarifWriter>(sink, options);
}

}  // namespace tracelint
