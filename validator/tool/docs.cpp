// Loops over a grammar's tables that write markdown.
#include "validator/tool/docs.hpp"

#include <algorithm>

namespace tracelint {
namespace {

std::string number_text(uint64_t number) {
    if (number < 0x1000) return std::to_string(number);
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number));
    return text;
}

std::string code(std::string_view text) { return "`" + std::string(text) + "`"; }

std::string slug_of(const Rule& rule) { return std::string(rule.id.substr(rule.id.find('/') + 1)); }

// The heading "### jitdump/bad-magic" has the anchor #jitdumpbad-magic.
std::string link_to(const Rule& rule) {
    std::string anchor(rule.id);
    std::erase(anchor, '/');
    return "[" + slug_of(rule) + "](#" + anchor + ")";
}

// One line of a table. A bar inside a cell would end the cell.
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

// Where a field starts, as far as that is the same in every file.
class OffsetColumn {
  public:
    std::string at(const Field& field) {
        if (!known_) return "";
        std::string text = std::to_string(bytes_);
        if (words_ != 0)
            text = (bytes_ == 0 ? "" : text + " + ") + std::to_string(words_) + (words_ == 1 ? " word" : " words");
        if (field.type == Type::bits) text += ", bit " + std::to_string(field.bit_offset);
        return text;
    }
    void step_over(const Field& field) {
        const bool always = field.first_version == 0 && field.last_version == kEveryVersion;
        known_ = known_ && field.has_fixed_width() && always;
        if (field.type == Type::word)
            ++words_;
        else if (ends_its_number(field))
            bytes_ += field.width;
    }

  private:
    uint64_t bytes_ = 0, words_ = 0;
    bool known_ = true;
};

std::string size_of(const Field& field) {
    const std::string bound = !field.sizer.empty() ? code(field.sizer) : "";
    switch (field.type) {
        case Type::number: return std::to_string(field.width);
        case Type::signed_number: return std::to_string(field.width) + ", signed";
        case Type::word: return "word";
        case Type::bits: return std::to_string(field.bit_width) + (field.bit_width == 1 ? " bit" : " bits");
        case Type::uleb128: return "LEB128";
        case Type::sleb128: return "LEB128, signed";
        case Type::string: return "to NUL";
        case Type::bytes: return field.width != 0 ? std::to_string(field.width) : bound.empty() ? "rest" : bound;
        case Type::list: break;
    }
    const std::string elements = code(field.element->name);
    std::string text = (field.counter.empty() ? "" : code(field.counter) + " × ") + elements;
    append_part(text, ", ", bound.empty() ? "" : bound + " bytes");
    return text;
}

std::string demand_of(const Check& check) {
    const std::string value = number_text(check.value);
    switch (check.must) {
        case Check::Must::nothing: return "";
        case Check::Must::equal: return value;
        case Check::Must::differ: return "not " + value;
        case Check::Must::be_at_most: return "at most " + value;
        case Check::Must::be_at_least: return "at least " + value;
        case Check::Must::lie_in_mask: return "only bits of " + value;
        case Check::Must::be_known: return "one of those named";
    }
    return "";
}

std::string legal_values(const Field& field) {
    std::string text;
    for (const Check& check : field.checks) {
        std::string demand = demand_of(check);
        if (check.rule != nullptr) demand += ", else " + link_to(*check.rule);
        append_part(text, "; ", demand);
    }
    if (field.is_record_size) append_part(text, "; ", "bytes of the whole record");
    return text;
}

std::string versions_of(uint16_t first, uint16_t last) {
    if (first == 0 && last == kEveryVersion) return "";
    if (last == kEveryVersion) return "since version " + std::to_string(first);
    if (first == 0) return "until version " + std::to_string(last);
    return "versions " + std::to_string(first) + " to " + std::to_string(last);
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
                    (field.condition.negated ? "unless " : "only if ") + code(field.condition.field) + " is " +
                        alternatives(field.condition));
    if (field.ends_with_zero) append_part(text, "; ", "up to an element that begins with 0");
    if (!field.indexed.empty()) append_part(text, "; ", "index into " + code(field.indexed));
    if (!field.taken.empty()) append_part(text, "; ", "taken from " + code(field.taken));
    if (field.base != 0)
        append_part(text, "; ",
                    (field.is_running ? "relative to the one before it, at first to " : "relative to ") +
                        code(field.base_name));
    if (field.shift != 0) append_part(text, "; ", "written shifted right by " + std::to_string(field.shift));
    // A record's own tag needs no list of all kinds beside it.
    if (field.checks[0].must == Check::Must::equal) return text;
    std::string names;
    for (const NamedValue& named : field.names)
        append_part(names, ", ", number_text(named.value) + " " + std::string(named.name));
    append_part(text, ": ", names);
    return text;
}

class Reference {
  public:
    explicit Reference(const Grammar& grammar) : grammar_(grammar) {}

    std::string write() {
        const std::string id(grammar_.id);
        text_ = "# " + id + ": " + std::string(grammar_.title) + "\n\nMade from the tables in `grammars/" + id +
                "/` by `scripts/bless`. Specification: " + std::string(grammar_.spec) + ".\n";
        text_ += "\n## Records\n";
        for (const Record* record : grammar_.records) write_record(*record);
        for (const MachineTable& machine : grammar_.machines) write_machine(machine);
        write_rules();
        return std::move(text_);
    }

  private:
    void write_record(const Record& record) {
        if (std::find(written_.begin(), written_.end(), &record) != written_.end()) return;
        written_.push_back(&record);
        text_ += "\n### " + std::string(record.name) + "\n\n";
        std::string about(record.doc);
        append_part(about, "; ", versions_of(record.first_version, record.last_version));
        if (record.tag != kNoTag) append_part(about, "; ", "kind " + number_text(record.tag));
        if (!about.empty()) text_ += about + ".\n\n";
        text_ += row({"offset", "size", "field", "legal", "notes"}) + "|---|---|---|---|---|\n";
        OffsetColumn offset;
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
            case Recovery::accept: return "check it";
            case Recovery::skip: return "step over it";
            case Recovery::again: return "take it again in the next state";
            case Recovery::stop: return "stop";
            case Recovery::impossible: return "cannot occur";
        }
        return "";
    }

    // The symbols of a state that share an edge share a line. A tracker has nothing to do after an event, and no column
    // for it.
    void write_machine(const MachineTable& machine) {
        const bool recovers = !machine.rows.empty() && machine.rows[0].recovery.has_value();
        text_ += "\n## " + std::string(machine.about) + "\n\n";
        text_ += recovers ? row({"state", "symbol", "next", "action", "rule"}) + "|---|---|---|---|---|\n"
                          : row({"state", "event", "next", "rule"}) + "|---|---|---|---|\n";
        const auto same = [](const MachineRow& a, const MachineRow& b) {
            return a.state == b.state && a.next == b.next && a.recovery == b.recovery && a.rule == b.rule &&
                   a.is_possible == b.is_possible;
        };
        for (auto edge = machine.rows.begin(); edge != machine.rows.end(); ++edge) {
            const auto is_like_it = [&](const MachineRow& other) { return same(*edge, other); };
            if (std::any_of(machine.rows.begin(), edge, is_like_it)) continue;
            std::string symbols;
            for (auto other = edge; other != machine.rows.end(); ++other)
                if (is_like_it(*other)) append_part(symbols, ", ", other->symbol);
            const std::string next(edge->is_possible ? edge->next : recovers ? "" : "cannot occur");
            const std::string rule = edge->rule != nullptr ? link_to(*edge->rule) : "";
            text_ += recovers ? row({edge->state, symbols, next, action_of(*edge), rule})
                              : row({edge->state, symbols, next, rule});
        }
    }

    void write_rules() {
        text_ += "\n## Rules\n";
        for (const Rule* rule : rules_of(grammar_)) {
            const std::string example =
                "corpus/" + std::string(rule->id.substr(0, rule->id.find('/'))) + "/rules/" + slug_of(*rule) + ".case";
            text_ += "\n### " + std::string(rule->id) + "\n\n" + std::string(to_string(rule->severity)) + ", since " +
                     std::string(rule->since.text);
            if (rule->severity_override)
                text_ += "; " + std::string(to_string(rule->severity_override->severity)) + " when " +
                         std::string(rule->severity_override->when);
            if (rule->status != "stable") text_ += ", " + std::string(rule->status);
            text_ += "\n- demands: " + std::string(rule->statement);
            text_ += "\n- otherwise: " + std::string(rule->why);
            text_ += "\n- from: " + std::string(rule->spec);
            text_ += "\n- example: [" + slug_of(*rule) + ".case](../../" + example + ")\n";
        }
    }

    const Grammar& grammar_;
    std::string text_;
    std::vector<const Record*> written_;
};

}  // namespace

std::string reference_of(const Grammar& grammar) { return Reference(grammar).write(); }

}  // namespace tracelint
