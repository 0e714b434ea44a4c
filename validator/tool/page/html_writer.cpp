// A page for people: one file that needs nothing else. validator/tool/page has its source; report.js describes the
// data. The page keeps below a limit, so what matters least is left out, and the page says how much.
#include <fmt/core.h>

#include <unordered_map>

#include "validator/tool/catalogue/example.hpp"
#include "validator/tool/catalogue/section.hpp"
#include "validator/tool/inputs/inputs.hpp"
#include "validator/tool/json/json_text.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/page/close_ups.hpp"
#include "validator/tool/page/page_text.hpp"
#include "validator/tool/page/parts.hpp"
#include "validator/tool/writers/excerpt.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint {
namespace {

constexpr int kReportSchema = 1;
constexpr size_t kPartsLimit = 4'500'000;  // bytes of all parts; the page without them takes less than 200,000
constexpr size_t kReserve = 1'000'000;     // of them for the first findings of each rule, their bytes and a map
constexpr size_t kStringsLimit = 200'000;  // bytes of names and meanings that many fields share

// Texts that occur often and are written once. Those that find no room are written where they occur.
class SharedTexts {
  public:
    JsonText number_of(const std::string& text) {
        if (const auto found = numbers_.find(text); found != numbers_.end()) return found->second;
        if (size_ + text.size() > kStringsLimit) return text;
        size_ += text.size() + 8;
        texts_.add(text);
        return numbers_.emplace(text, numbers_.size()).first->second;
    }
    size_t size() const { return size_; }
    const JsonArray& all() const { return texts_; }

  private:
    std::unordered_map<std::string, size_t> numbers_;
    JsonArray texts_;
    size_t size_ = 0;
};

// The sections of specifications that rules cite, each written once: what is cited, and its text.
class CitedSections {
  public:
    // The numbers of a rule's sections, and in `added` by how much the report grew.
    JsonArray numbers_of(const Rule& rule, size_t& added) {
        JsonArray numbers;
        for (const SpecSection& section : spec_sections_of(rule)) {
            const std::string_view text = text_of_section(section);
            if (text.empty()) continue;
            const auto [found, is_new] = numbers_.emplace(text.data(), numbers_.size());
            if (is_new) {
                const JsonText row = JsonArray{section.heading, text};
                added += row.text().size();
                sections_.add(row);
            }
            numbers.add(found->second);
        }
        return numbers;
    }
    const JsonArray& all() const { return sections_; }

  private:
    std::unordered_map<const char*, size_t> numbers_;  // by the place of the text
    JsonArray sections_;
};

// The rules that findings name, each written once.
class NamedRules {
  public:
    // The rule's number, and in `added` by how much the report grew.
    size_t number_of(const Rule& rule, size_t& added) {
        const auto [found, is_new] = numbers_.emplace(&rule, numbers_.size());
        if (!is_new) return found->second;
        const JsonText text = JsonObject({{"id", rule.id},
                                          {"severity", static_cast<int>(rule.severity)},
                                          {"statement", rule.statement},
                                          {"why", rule.why},
                                          {"spec", rule.spec},
                                          {"since", rule.since.text},
                                          {"sections", sections_.numbers_of(rule, added)},
                                          {"in_container", rule.of_container},
                                          {"example", example_of(rule)}});
        added += text.text().size();
        rules_.add(text);
        return found->second;
    }
    const JsonArray& all() const { return rules_; }
    const JsonArray& sections() const { return sections_.all(); }

  private:
    std::unordered_map<const Rule*, size_t> numbers_;
    JsonArray rules_;
    CitedSections sections_;
};

// Whether a file can be read a second time, and why not.
std::string reason_for_no_bytes(const Checked& checked) {
    if (checked.is_elsewhere()) return "The report was merged from parts, which do not contain bytes of the files.";
    if (checked.kept != nullptr && checked.kept->bytes().empty() && checked.outcome.size != 0)
        return "No bytes of the input were kept, so the report has none.";
    if (Excerpts(checked, Container::none).is_open()) return {};
    if (checked.path == "-") return "Standard input cannot be read twice, so the report has no bytes of it.";
    return "The file could not be read a second time, so the report has no bytes of it.";
}

std::string hex_of(Bytes bytes) {
    std::string text;
    text.reserve(2 * bytes.size());
    for (const uint8_t byte : bytes) text += fmt::format("{:02x}", byte);
    return text;
}

PartKind kind_of_file(const Checked& checked) {
    const std::string_view verdict = verdict_of(checked);
    if (verdict == "error" || verdict == "unreadable") return PartKind::file_with_errors;
    return verdict == "warning" ? PartKind::file_with_warnings : PartKind::file;
}

PartKind kind_of_map(const Checked& checked) {
    switch (kind_of_file(checked)) {
        case PartKind::file_with_errors: return PartKind::map_of_errors;
        case PartKind::file_with_warnings: return PartKind::map_of_warnings;
        default: return PartKind::map;
    }
}

// Where in a file the findings of each severity lie: the map marks places whose findings are left out.
class Spread {
  public:
    explicit Spread(uint64_t size) : width_(size / kBuckets + 1) {}
    void add(Severity severity, uint64_t offset) {
        ++counts_[static_cast<size_t>(severity)][std::min(offset / width_, kBuckets - 1)];
    }
    bool has(Severity severity) const {
        return std::ranges::any_of(counts_[static_cast<size_t>(severity)], [](uint64_t count) { return count != 0; });
    }
    // The width of a bucket; then for each severity the buckets that have findings, and how many.
    std::string text() const {
        JsonArray all{width_};
        for (const auto& counts : counts_) {
            JsonArray pairs;
            for (size_t i = 0; i < kBuckets; ++i)
                if (counts[i] != 0) pairs.add(JsonArray{i, counts[i]});
            all.add(pairs);
        }
        return JsonText(all).text();
    }

  private:
    static constexpr uint64_t kBuckets = 256;

    uint64_t width_;
    std::array<std::array<uint64_t, kBuckets>, 3> counts_{};  // by severity
};

constexpr PartKind kHeads[] = {PartKind::file_with_errors, PartKind::file_with_warnings, PartKind::file};
constexpr PartKind kMaps[] = {PartKind::map_of_errors, PartKind::map_of_warnings, PartKind::map};
constexpr PartKind kSpreads[] = {PartKind::spread_of_errors, PartKind::spread};
constexpr PartKind kFindings[] = {PartKind::note, PartKind::warning, PartKind::error};
constexpr PartKind kCloseUps[] = {PartKind::bytes_of_notes, PartKind::bytes_of_warnings, PartKind::bytes_of_errors};

JsonArray pairs_of(const std::vector<std::pair<std::string_view, uint64_t>>& numbers) {
    JsonArray all;
    for (const auto& [name, number] : numbers) all.add(JsonArray{name, number});
    return all;
}

class HtmlWriter final : public Writer {
  public:
    HtmlWriter(Sink& sink, const WriterOptions& options) : sink_(sink), options_(options) {}

    void file(const Checked& checked) override {
        const size_t number = files_++;
        const Outcome& outcome = checked.outcome;
        for (size_t severity = 0; severity < counts_.size(); ++severity)
            counts_[severity] += checked.count_new(static_cast<Severity>(severity));
        Totals totals;
        std::string head = head_of(checked);
        add_findings(number, checked, totals);
        if (outcome.failure.empty() && !checked.is_elsewhere())
            head += ",\"map_note\":" + survey(number, checked, totals);
        else
            head += R"(,"map_note":"","kinds":[])";
        head += fmt::format(R"(,"total":[{},{},{}])", totals.findings, totals.close_ups, totals.maps);
        parts_.add(kind_of_file(checked), {number, std::move(head)});
    }

    void finish(const Summary& summary) override {
        sink_.write(page_before_report());
        JsonObject report;
        report.add("schema", kReportSchema)
            .add("tool", JsonObject({{"name", "tracelint"}, {"version", TRACELINT_VERSION}}))
            .add("summary", summary_of(summary, counts_))
            .add("rules", rules_.all())
            .add("sections", rules_.sections())
            .add("strings", strings_.all());
        write(report.open_text() + ",\"files\":[");
        write_files();
        write("]}");
        sink_.write(page_after_report());
        sink_.flush();
    }

  private:
    // How many parts of a file there were, before any were left out.
    struct Totals {
        uint64_t findings = 0, close_ups = 0, maps = 0;
    };

    // Data in JSON, safe inside of an element of markup. Only strings hold this character.
    void write(std::string_view json) {
        size_t plain = 0;
        for (size_t at = json.find('<'); at != std::string_view::npos; at = json.find('<', plain)) {
            sink_.write(json.substr(plain, at - plain));
            sink_.write("\\u003c");
            plain = at + 1;
        }
        sink_.write(json.substr(plain));
    }

    // `counts`: findings by severity, of all files. The page may lack some of these.
    static JsonObject summary_of(const Summary& summary, const std::array<uint64_t, 3>& counts) {
        return {{"files", summary.files},           {"counts", JsonArray{counts[0], counts[1], counts[2]}},
                {"clean", summary.clean},           {"with_findings", summary.with_findings},
                {"unreadable", summary.unreadable}, {"skipped", summary.skipped},
                {"incomplete", summary.incomplete}, {"not_checked", summary.not_checked + summary.cut}};
    }

    // What is known of a file, but for its findings and its records; without the closing brace.
    std::string head_of(const Checked& checked) const {
        const Outcome& outcome = checked.outcome;
        const Identity& identity = outcome.context.identity;
        JsonArray not_listed;
        for (const auto& [rule, count] : new_not_shown(checked, options_)) not_listed.add(JsonArray{rule, count});
        if (checked.known != nullptr)
            for (const auto& [rule, entry] : checked.known->known)
                not_listed.add(
                    JsonArray{fmt::format("{} (allowed by the baseline)", rule), outcome.report().count(*entry->rule)});
        JsonArray pairings;
        for (const Pairing& pairing : outcome.pairings) pairings.add(pairing_text(checked, pairing));
        JsonArray readers;  // what each does with the file, and how severe that is; -1: not at all
        for (const ReaderVerdict& verdict : checked.readers) {
            const std::optional<Severity> severity = severity_of(verdict.outcome);
            readers.add(JsonArray{severity ? static_cast<int>(*severity) : -1, sentence_of(verdict)});
        }
        std::optional<std::string_view> byte_order;
        if (identity.byte_order) byte_order = *identity.byte_order == ByteOrder::little ? "little" : "big";
        JsonObject head;
        head.add("path", shown_path(checked.path))
            .add("format", outcome.format == nullptr ? std::string_view() : outcome.format->id)
            .add("format_version", identity.format_version)
            .add("byte_order", byte_order)
            .add("word_size", identity.word_size)
            .add("container", to_string(outcome.container))
            .add("size", outcome.size)
            .add("verdict", verdict_of(checked))
            .add("failure", printable(outcome.failure))
            .add("counts", JsonArray{checked.count_new(Severity::note), checked.count_new(Severity::warning),
                                     checked.count_new(Severity::error)})
            .add("not_shown", not_listed)
            .add("recording", recording_text(checked))
            .add("pairings", pairings)
            .add("readers", readers)
            .add("statistics", pairs_of(outcome.context.statistics))
            .add("bytes", outcome.failure.empty() ? reason_for_no_bytes(checked) : "");
        return head.open_text();
    }

    void add_findings(size_t file, const Checked& checked, Totals& totals) {
        const std::vector<Diagnostic>& diagnostics = checked.outcome.report().diagnostics();
        uint64_t end = checked.outcome.size.value_or(0);
        for (const Diagnostic& finding : diagnostics)
            if (finding.place.offset != kNone) end = std::max(end, finding.place.offset);
        Spread spread(end);
        std::unordered_map<const Rule*, size_t> seen;
        for (const Diagnostic& finding : diagnostics) {
            if (!is_shown_as_new(checked, finding, options_)) continue;
            ++totals.findings;
            size_t added = 0;
            const size_t rule = rules_.number_of(*finding.rule, added);
            if (added != 0) parts_.charge(added);
            const Severity severity = severity_of(finding);
            JsonArray row{rule,
                          static_cast<int>(severity),
                          finding.place.offset,
                          finding.place.length,
                          field_path(finding.place),
                          message_of(finding)};
            const std::string help = help_of(finding);
            const bool has_other = !finding.related_file.empty();
            const bool has_related = finding.related_offset != kNone;
            if (help != finding.rule->why || has_related || has_other) row.add(help == finding.rule->why ? "" : help);
            if (has_related)
                row.add(JsonArray{finding.related_offset, finding.related_length});
            else if (has_other)
                row.add(nullptr);
            if (has_other) row.add(shown_path(finding.related_file));
            if (!finding.rule->of_container) spread.add(severity, finding.place.offset);
            add(seen[finding.rule]++ < kFirstOfRule, kFindings[static_cast<size_t>(severity)],
                {file, JsonText(row).text()});
        }
        if (totals.findings != 0)
            parts_.add(spread.has(Severity::error) ? PartKind::spread_of_errors : PartKind::spread,
                       {file, spread.text()});
    }

    void add(bool comes_first, PartKind kind, Part part) {
        if (comes_first)
            parts_.add_first(kind, std::move(part));
        else
            parts_.add(kind, std::move(part));
    }

    // Reads the file again for its map and its close-ups. Returns what the page says of the map and the kinds of
    // records, as members of the file.
    std::string survey(size_t file, const Checked& checked, Totals& totals) {
        const Outcome& outcome = checked.outcome;
        RecordMap map;
        DumpContext context(outcome.context.limits);
        Excerpts bytes(checked, outcome.container);
        const std::vector<ShownExtent> extents = extents_of(outcome.report(), options_, false);
        Surveyor surveyor(extents, map, context,
                          [&](const ShownExtent& extent, const std::vector<CloseRecord>& records) {
                              add_close_up(file, extent, records, bytes, false, totals);
                          });
        const ReadAgain again = outcome.format != nullptr && bytes.is_open() ? read_again(checked) : ReadAgain{};
        if (again.source != nullptr) {  // otherwise it is gone by now
            OpenedInput input(*again.source, context.budget);
            Window window(input.trace(), &context.work, &context.budget);
            const std::unique_ptr<Framer> framer = outcome.format->framer(outcome.context.settings);
            walk_records(window, *framer, context, surveyor);
            const uint64_t end = outcome.size.value_or(window.size());
            map.finish(again.is_part ? std::min(end, window.size()) : end);
            if (again.is_part)
                context.leave_out("Only the first bytes of the input were kept, so the map has only those records.");
        }
        surveyor.finish();
        if (outcome.container != Container::none) {
            Excerpts compressed(checked, Container::none);
            for (const ShownExtent& extent : extents_of(outcome.report(), options_, true))
                add_close_up(file, extent, {}, compressed, true, totals);
            count(compressed.work());
        }
        count(bytes.work());
        count(context.work);
        add_map(file, checked, map, totals);
        return members_of(map, context);
    }

    void count(const WorkCounter& work) {
        if (options_.work != nullptr) options_.work->add(work.total());
    }

    void add_close_up(size_t file, const ShownExtent& extent, const std::vector<CloseRecord>& records, Excerpts& bytes,
                      bool in_container, Totals& totals) {
        const Bytes seen = bytes.read(extent.start, extent.end - extent.start);
        if (seen.empty()) return;
        ++totals.close_ups;
        const size_t shared = strings_.size();
        JsonArray rows;
        for (const CloseRecord& record : records) rows.add(row_of(record, extent.start));
        JsonArray close_up{extent.start, hex_of(seen), rows};
        if (in_container) close_up.add(true);
        parts_.charge(strings_.size() - shared);
        add(extent.has_first, kCloseUps[static_cast<size_t>(extent.worst)], {file, JsonText(close_up).text()});
    }

    JsonArray row_of(const CloseRecord& record, uint64_t start) {
        JsonArray fields;
        for (const NamedField& field : record.fields) {
            // The name of the field in its element, and the element.
            const size_t dot = field.path.rfind('.');
            const size_t name = dot == std::string::npos ? 0 : dot + 1;
            JsonArray row{static_cast<int64_t>(field.offset) - static_cast<int64_t>(start), field.length,
                          strings_.number_of(field.path.empty() ? "(not described)" : field.path.substr(name)),
                          field.value, strings_.number_of(std::string(field.explanation()))};
            if (name != 0) row.add(field.path.substr(0, dot));
            fields.add(row);
        }
        const JsonText index = record.index == kNone ? JsonText(-1) : JsonText(record.index);
        return {strings_.number_of(std::string(record.name)), record.offset, record.length, index, fields};
    }

    void add_map(size_t file, const Checked& checked, const RecordMap& map, Totals& totals) {
        if (map.stretches().empty()) return;
        ++totals.maps;
        uint64_t first = kNone;  // moment
        JsonArray stretches, lanes;
        for (const RecordMap::Stretch& stretch : map.stretches()) {
            const bool is_gap = stretch.kind == RecordMap::kNoRecord;
            JsonArray row{stretch.length, is_gap ? JsonText(-1) : JsonText(stretch.kind), stretch.records};
            if (first == kNone) first = stretch.moment;
            if (stretch.moment != kNone) row.add(static_cast<int64_t>(stretch.moment - first));
            stretches.add(row);
        }
        if (!map.is_exact()) {
            lanes.add(map.cell_width());
            for (size_t kind = 0; kind < map.kinds().size(); ++kind) lanes.add(lane_of(map, kind));
            lanes.add(lane_of(map, RecordMap::kNoRecord));
        }
        JsonArray clock;
        if (first != kNone) clock.add(std::to_string(first)).add(map.clock() == Quantity::time ? "time" : "ticks");
        // The page opens with the first of the worst files.
        const PartKind kind = kind_of_map(checked);
        add(parts_.first_of(kind).empty(), kind,
            {file, fmt::format(R"("map":{},"clock":{},"lanes":{})", JsonText(stretches).text(), JsonText(clock).text(),
                               JsonText(lanes).text())});
    }

    static JsonArray lane_of(const RecordMap& map, size_t kind) {
        JsonArray lane;
        for (const RecordMap::Run& run : map.runs_of(kind)) lane.add(run.skipped).add(run.cells).add(run.sixteenths);
        return lane;
    }

    static std::string members_of(const RecordMap& map, const DumpContext& context) {
        JsonArray kinds;
        for (const RecordMap::Kind& kind : map.kinds()) kinds.add(JsonArray{kind.name, kind.records, kind.bytes});
        return json_string(context.left_out) + ",\"kinds\":" + JsonText(kinds).text();
    }

    // The next part of each kind that is to be written.
    struct Positions {
        std::array<size_t, kPartKinds> first{}, others{};
    };

    // Writes each file whose head is left, with what is left of its parts.
    void write_files() {
        Positions next;
        const char* before = "\n";
        for (size_t file = 0; file < files_; ++file) {
            const std::string head = only_part(kHeads, file, next, "");
            if (head.empty()) continue;
            write(before + head);
            before = ",\n";
            write_list("findings", kFindings, file, next);
            write_list("close_ups", kCloseUps, file, next);
            write(",\"spread\":" + only_part(kSpreads, file, next, "[]"));
            write(',' + only_part(kMaps, file, next, R"("map":[],"clock":[],"lanes":[])") + '}');
        }
    }

    template <class Use>
    void take(PartKind kind, size_t file, Positions& next, Use use) const {
        const auto take_from = [&](const std::vector<Part>& parts, size_t& at) {
            while (at < parts.size() && parts[at].file < file) ++at;  // of a file without a head
            for (; at < parts.size() && parts[at].file == file; ++at) use(parts[at].text);
        };
        take_from(parts_.first_of(kind), next.first[static_cast<size_t>(kind)]);
        take_from(parts_.of(kind), next.others[static_cast<size_t>(kind)]);
    }

    // A part that a file has once, of one of the kinds.
    std::string only_part(std::span<const PartKind> kinds, size_t file, Positions& next, std::string_view none) const {
        std::string found(none);
        for (const PartKind kind : kinds) take(kind, file, next, [&](const std::string& text) { found = text; });
        return found;
    }

    void write_list(std::string_view name, std::span<const PartKind> kinds, size_t file, Positions& next) {
        write(fmt::format(",\"{}\":[", name));
        const char* before = "\n";
        for (const PartKind kind : kinds) {
            take(kind, file, next, [&](const std::string& text) {
                write(before + text);
                before = ",\n";
            });
        }
        write("]");
    }

    Sink& sink_;
    WriterOptions options_;
    Parts parts_{kPartsLimit, kReserve};
    SharedTexts strings_;
    NamedRules rules_;
    size_t files_ = 0;
    std::array<uint64_t, 3> counts_{};  // findings by severity
};

}  // namespace

std::unique_ptr<Writer> make_html_writer(Sink& sink, const WriterOptions& options) {
    return std::make_unique<HtmlWriter>(sink, options);
}

}  // namespace tracelint
