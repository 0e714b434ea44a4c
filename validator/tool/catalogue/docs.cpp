// Renders a grammar's tables as markdown.
#include "validator/tool/catalogue/docs.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "validator/group.hpp"
#include "validator/readers/reader.hpp"
#include "validator/tool/catalogue/description.hpp"
#include "validator/tool/catalogue/example.hpp"
#include "validator/tool/json/rule_info.hpp"
#include "validator/tool/json/text.hpp"

namespace tracelint {
namespace {

// From the folder of a grammar to that of another: "../xray/".
std::string way_to(std::string_view grammar, std::string_view from) {
    std::string way = "../";
    for (const char c : folder_of_grammar(from))
        if (c == '/') way += "../";
    return way + folder_of_grammar(grammar) + '/';
}

std::string code(std::string_view text) { return fmt::format("`{}`", text); }

std::string link_to(const Rule& rule) { return fmt::format("[{}](#{})", slug_of(rule), anchor_of(rule.id)); }

// One line of a table. Bars in a cell are escaped, because they would end it.
std::string row(std::initializer_list<std::string_view> cells) {
    std::string line = "|";
    for (const std::string_view cell : cells) {
        line += ' ';
        for (const char c : cell) line += c == '|' ? std::string("\\|") : std::string(1, c);
        line += cell.empty() ? "|" : " |";
    }
    return line + '\n';
}

void append_part(std::string& list, std::string_view separator, std::string_view part) {
    if (part.empty()) return;
    if (!list.empty()) list += separator;
    list += part;
}

// The offset of a field, as far as it is the same in every file.
class OffsetColumn {
  public:
    explicit OffsetColumn(const Record& record) : end_(record.fields().data() + record.fields().size()) {}

    std::string at(const Field& field) {
        if (!known_) return "";
        std::string text = bytes_ != 0 || words_ == 0 ? std::to_string(bytes_) : "";
        if (words_ != 0) append_part(text, " + ", counted(words_, "word"));
        if (field.type == Type::bits) text += fmt::format(", bit {}", field.bit_offset);
        return text;
    }
    void step_over(const Field& field) {
        const bool is_second_form = std::exchange(has_second_form_, has_second_form(field));
        if (has_second_form_) return;
        const bool always = is_second_form || (field.first_version == 0 && field.last_version == kEveryVersion);
        known_ = known_ && field.has_fixed_width() && always;
        if (field.type == Type::word)
            ++words_;
        else if (ends_its_number(field))
            bytes_ += field.width;
    }

  private:
    // Whether the next field takes the place of this one in all later versions.
    bool has_second_form(const Field& field) const {
        const Field* const next = &field + 1;
        return field.first_version == 0 && next != end_ && next->name == field.name && next->has_fixed_width() &&
               next->width == field.width && next->first_version == field.last_version + 1 &&
               next->last_version == kEveryVersion;
    }

    const Field* end_;
    uint64_t bytes_ = 0, words_ = 0;
    bool known_ = true;
    bool has_second_form_ = false;
};

std::string size_of(const Field& field) {
    const std::string bound = !field.sizer.empty()    ? code(field.sizer)
                              : !field.filled.empty() ? "rest of " + code(field.filled)
                                                      : "";
    switch (field.type) {
        case Type::number: return std::to_string(field.width);
        case Type::signed_number: return fmt::format("{}, signed", field.width);
        case Type::word: return "word";
        case Type::bits: return counted(field.bit_width, "bit");
        case Type::uleb128: return "LEB128";
        case Type::sleb128: return "LEB128, signed";
        case Type::string: return "up to NUL";
        case Type::string16: return "UTF-16, up to NUL";
        case Type::bytes: return field.width != 0 ? std::to_string(field.width) : bound.empty() ? "rest" : bound;
        case Type::list: break;
    }
    const std::string elements = code(field.element->name);
    std::string text = field.counter.empty() ? elements : fmt::format("{} × {}", code(field.counter), elements);
    if (!bound.empty()) text += fmt::format(", {} bytes", bound);
    return text;
}

std::string legal_values(const Field& field) {
    std::string text;
    for (const Check& check : field.checks) {
        std::string demand = demand_of(check);
        if (check.rule != nullptr) demand += fmt::format(", else {}", link_to(*check.rule));
        append_part(text, "; ", demand);
    }
    if (field.is_record_size) append_part(text, "; ", "size of the whole record in bytes");
    return text;
}

std::string versions_of(uint16_t first, uint16_t last) {
    if (first == 0 && last == kEveryVersion) return "";
    if (last == kEveryVersion) return fmt::format("since version {}", first);
    if (first == 0) return fmt::format("until version {}", last);
    return fmt::format("versions {} to {}", first, last);
}

std::string alternatives(const Condition& condition) {
    std::string text;
    for (size_t i = 0; i < condition.count; ++i) append_part(text, " or ", number_text(condition.values[i]));
    return text;
}

std::string notes_of(const Field& field) {
    std::string text(field.doc);
    append_part(text, "; ", versions_of(field.first_version, field.last_version));
    if (field.is_optional())
        append_part(text, "; ",
                    fmt::format("{} {} is {}", field.condition.negated ? "unless" : "only if",
                                code(field.condition.field), alternatives(field.condition)));
    if (field.ends_with_zero) append_part(text, "; ", "ends after an element that begins with 0");
    if (!field.indexed.empty()) append_part(text, "; ", fmt::format("index into {}", code(field.indexed)));
    if (!field.taken.empty()) append_part(text, "; ", fmt::format("counts elements of {}", code(field.taken)));
    if (field.base != 0)
        append_part(text, "; ",
                    fmt::format("relative to {}{}", field.is_running ? "the previous one, at first to " : "",
                                code(field.base_name)));
    if (field.shift != 0) append_part(text, "; ", fmt::format("stored shifted right by {}", field.shift));
    // A record's own tag does not need the list of all tags.
    if (field.checks[0].must == Check::Must::equal) return text;
    std::string names;
    for (const NamedValue& named : field.names)
        append_part(names, ", ", fmt::format("{} {}", number_text(named.value), named.name));
    append_part(text, ": ", names);
    return text;
}

// Links to the sections that a rule cites, from a grammar's reference.
std::string spec_links(const Rule& rule, const Grammar& grammar) {
    std::string links;
    for (const SpecSection& section : spec_sections_of(rule)) {
        const std::string folder = section.grammar == grammar.id ? "" : way_to(section.grammar, grammar.id);
        append_part(links, ", ",
                    fmt::format("[{}]({}spec.md#{})", section.heading, folder, anchor_of(section.heading)));
    }
    return links;
}

// The number of a heading as one per level: "3.4.10 Pid Records" is {3, 4, 10}.
std::vector<unsigned> section_number(std::string_view heading) {
    std::vector<unsigned> number;
    const char* at = heading.data();
    const char* const end = at + heading.size();
    while (true) {
        unsigned level = 0;
        const auto [rest, error] = std::from_chars(at, end, level);
        if (error != std::errc()) return number;
        number.push_back(level);
        if (rest == end || *rest != '.') return number;
        at = rest + 1;
    }
}

class Reference {
  public:
    explicit Reference(const Grammar& grammar) : grammar_(grammar) {}

    std::string write() {
        text_ = fmt::format(
            "# {}: {}\n\nMade from the tables of tracelint {}. Specification: [spec.md](spec.md), after {}. "
            "Examples are files of the source tree; `tracelint explain RULE` shows them.\n",
            grammar_.id, grammar_.title, TRACELINT_VERSION, grammar_.spec);
        if (!grammar_.records.empty()) text_ += "\n## Records\n";
        for (const Record* record : grammar_.records) write_record(*record);
        for (const MachineTable& machine : grammar_.machines) write_machine(machine);
        write_rules();
        write_readers();
        return std::move(text_);
    }

  private:
    void write_record(const Record& record) {
        if (std::find(written_.begin(), written_.end(), &record) != written_.end()) return;
        written_.push_back(&record);
        text_ += fmt::format("\n### {}\n\n", record.name);
        std::string about(record.doc);
        append_part(about, "; ", versions_of(record.first_version, record.last_version));
        if (record.tag != kNoTag) append_part(about, "; ", fmt::format("kind {}", number_text(record.tag)));
        if (!about.empty()) text_ += fmt::format("{}.\n\n", about);
        text_ += row({"offset", "size", "field", "valid values", "notes"}) + "|---|---|---|---|---|\n";
        OffsetColumn offset(record);
        for (const Field& field : record.fields()) {
            text_ += row({offset.at(field), size_of(field), code(field.name), legal_values(field), notes_of(field)});
            offset.step_over(field);
        }
        for (const Field& field : record.fields())
            if (field.element != nullptr) write_record(*field.element);
    }

    static std::string_view action_of(const MachineRow& edge) {
        if (!edge.is_possible) return "cannot occur";
        switch (edge.recovery.value_or(Recovery::accept)) {
            case Recovery::accept: return "check";
            case Recovery::skip: return "skip";
            case Recovery::again: return "retry in the next state";
            case Recovery::stop: return "stop";
            case Recovery::impossible: return "cannot occur";
        }
        return "";
    }

    // Symbols of a state that share an edge share a line. A tracker has no recovery and no column for it.
    void write_machine(const MachineTable& machine) {
        const std::vector<MachineRow> rows = machine.rows();
        const bool recovers = !rows.empty() && rows[0].recovery.has_value();
        text_ += fmt::format("\n## {}\n\n", machine.about);
        text_ += recovers ? row({"state", "symbol", "next", "action", "rule"}) + "|---|---|---|---|---|\n"
                          : row({"state", "event", "next", "rule"}) + "|---|---|---|---|\n";
        const auto same = [](const MachineRow& a, const MachineRow& b) {
            return a.state == b.state && a.next == b.next && a.recovery == b.recovery && a.rule == b.rule &&
                   a.is_possible == b.is_possible;
        };
        for (auto edge = rows.begin(); edge != rows.end(); ++edge) {
            const auto is_like_it = [&](const MachineRow& other) { return same(*edge, other); };
            if (std::any_of(rows.begin(), edge, is_like_it)) continue;
            std::string symbols;
            for (auto other = edge; other != rows.end(); ++other)
                if (is_like_it(*other)) append_part(symbols, ", ", other->symbol);
            const std::string next(edge->is_possible ? edge->next : recovers ? "" : "cannot occur");
            const std::string rule = edge->rule != nullptr ? link_to(*edge->rule) : "";
            text_ += recovers ? row({edge->state, symbols, next, action_of(*edge), rule})
                              : row({edge->state, symbols, next, rule});
        }
    }

    // A rule stands under the first section that it cites. Sections are in the order of the specification, and rules
    // of one section in that of their lists.
    void write_rules() {
        using Section = std::pair<std::vector<unsigned>, std::string_view>;  // number and heading
        std::map<Section, std::vector<const Rule*>> sections;
        for (const Rule* rule : rules_of(grammar_)) {
            const std::string_view heading = spec_sections_of(*rule).front().heading;
            sections[{section_number(heading), heading}].push_back(rule);
        }
        text_ += "\n## Rules\n";
        for (const auto& [section, rules] : sections) {
            text_ += fmt::format("\n### {}\n", section.second);
            for (const Rule* rule : rules) write_rule(*rule);
        }
    }

    void write_rule(const Rule& rule) {
        text_ += fmt::format("\n#### {}\n\n{}, since {}", rule.id, to_string(rule.severity), rule.since.text);
        if (rule.severity_override)
            text_ +=
                fmt::format("; {} when {}", to_string(rule.severity_override->severity), rule.severity_override->when);
        if (rule.status != "stable") text_ += fmt::format(", {}", rule.status);
        text_ += fmt::format("\n- requires: {}\n- otherwise: {}\n- spec: {}\n", rule.statement, rule.why,
                             spec_links(rule, grammar_));
        // What limits hide shows in no pair of the corpus.
        if (!is_about_groups(rule) || !example_of(rule).empty())
            text_ += fmt::format("- example: {}\n", code(case_path_of(rule)));
    }

    // The readers of the format that the grammar is part of.
    std::vector<const TraceReader*> readers() const {
        std::vector<const TraceReader*> readers = all_readers();
        std::erase_if(readers, [&](const TraceReader* reader) {
            const auto& grammars = reader->format->grammars;
            return std::find(grammars.begin(), grammars.end(), &grammar_) == grammars.end();
        });
        return readers;
    }

    // What readers do with files that break a rule, and the rules of their own.
    void write_readers() {
        const std::vector<const TraceReader*> all = readers();
        if (all.empty()) return;
        text_ +=
            "\n## Readers\n\nWhat each does with a file that breaks the rule; an empty cell: not tried. `tracelint "
            "--for` uses this table.\n\n";
        for (const TraceReader* reader : all)
            text_ += fmt::format("- {}: {}{}{}\n", title_of(*reader), reader->evidence,
                                 reader->measured == nullptr ? "" : ", ",
                                 reader->measured == nullptr ? "" : reader->measured->date);
        text_ += '\n';
        std::string head = "| rule |", line = "|---|";
        for (const TraceReader* reader : all) {
            head += fmt::format(" {} |", title_of(*reader));
            line += "---|";
        }
        text_ += head + '\n' + line + '\n';
        for (const Rule* rule : rules_of(grammar_)) {
            std::string cells;
            bool is_tried = false;
            for (const TraceReader* reader : all) {
                std::string cell;
                for (const ReaderRow* known : rows_of(*reader, *rule))
                    cell += cell.empty() ? std::string(to_string(known->outcome))
                                         : fmt::format("; {}: {}", conditions_of(*known), to_string(known->outcome));
                is_tried |= !cell.empty();
                cells += fmt::format(" {} |", cell);
            }
            if (is_tried) text_ += fmt::format("| {} |{}\n", link_to(*rule), cells);
        }
        write_hazards(all);
    }

    // Those of each reader, once.
    void write_hazards(const std::vector<const TraceReader*>& all) {
        if (&grammar_ != all.front()->format->grammars[0]) return;
        std::vector<const Rule*> rules;
        for (const TraceReader* reader : all)
            for (const Hazard& hazard : reader->hazards)
                if (std::find(rules.begin(), rules.end(), hazard.rule) == rules.end()) rules.push_back(hazard.rule);
        if (rules.empty()) return;
        text_ += "\n### Legal files that readers fail on\n\nThese rules are off without `--for`.\n\n";
        text_ += row({"rule", "severity", "finding", "what it does"}) + "|---|---|---|---|\n";
        for (const Rule* rule : rules)
            text_ += row({code(rule->id), to_string(rule->severity), rule->message.text, rule->why});
    }

    const Grammar& grammar_;
    std::string text_;
    std::vector<const Record*> written_;
};

}  // namespace

std::string reference_of(const Grammar& grammar) { return Reference(grammar).write(); }

std::vector<const Grammar*> all_grammars() {
    std::vector<const Grammar*> all;
    for (const Format* format : formats()) all.insert(all.end(), format->grammars.begin(), format->grammars.end());
    for (const GroupGrammar* one : group_grammars()) all.push_back(one->grammar);
    return all;
}

}  // namespace tracelint
