// Rebuilds outcomes. A finding's numbers are read from its message, and the message is rendered again to see that it is
// the same: no part can put other words into a report than the rules have.
#include "validator/tool/fleet/rebuild.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "validator/tool/fleet/part.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kMostCounted = uint64_t{1} << 48;  // findings of a rule in a file; sums of them fit into 64 bits

constexpr RecordOf<0> kAnyRecord{};  // adds nothing to the path of a field

template <class Number>
bool take_number(std::string_view& sentence, Number& number, int base) {
    const auto [end, error] = std::from_chars(sentence.data(), sentence.data() + sentence.size(), number, base);
    if (error != std::errc()) return false;
    sentence.remove_prefix(static_cast<size_t>(end - sentence.data()));
    return true;
}

bool take_word(std::string_view& sentence, std::string_view word) {
    if (!sentence.starts_with(word)) return false;
    sentence.remove_prefix(word.size());
    return true;
}

// Reads what a placeholder without its braces gives: "0", "0d", "0x" or "0 byte|bytes".
bool take_placeholder(std::string_view placeholder, std::string_view& sentence, uint64_t& value) {
    const std::string_view form = placeholder.substr(1);
    if (form == "x") return take_word(sentence, "0x") && take_number(sentence, value, 16);
    if (form == "d") {
        int64_t number = 0;
        if (!take_number(sentence, number, 10)) return false;
        value = static_cast<uint64_t>(number);
        return true;
    }
    if (!take_number(sentence, value, 10)) return false;
    const size_t bar = form.find('|');
    if (bar == form.npos) return true;
    return take_word(sentence, " ") && take_word(sentence, value == 1 ? form.substr(1, bar - 1) : form.substr(bar + 1));
}

// A finding as a line has it.
struct WrittenFinding {
    const Rule& rule;
    Severity severity;
    std::string_view message, help;
};

// What help says after the rule's own words.
bool read_hint(std::string_view why, std::string_view help, std::string_view& hint) {
    hint = {};
    if (!help.starts_with(why)) return false;
    help.remove_prefix(why.size());
    if (help.empty()) return true;
    if (!why.empty() && !take_word(help, "; ")) return false;
    hint = help;
    return !hint.empty();
}

// The finding, if it is one of the rule with its own or its other severity.
bool read_finding(const WrittenFinding& written, bool is_overridden, Diagnostic& diagnostic) {
    const Rule& rule = written.rule;
    if (is_overridden && !rule.severity_override) return false;
    diagnostic.rule = &rule;
    diagnostic.is_overridden = is_overridden;
    const bool has_own = is_overridden && !rule.severity_override->message.empty();
    const std::string_view pattern = (has_own ? rule.severity_override->message : rule.message).text;
    diagnostic.numbers = {};
    if (!read_message(pattern, written.message, diagnostic.numbers, diagnostic.text)) return false;
    if (!read_hint(why_of(diagnostic), written.help, diagnostic.hint)) return false;
    return message_of(diagnostic) == written.message && help_of(diagnostic) == written.help;
}

std::optional<uint64_t> number_or_null(const PartJson& object, std::string_view key) {
    const PartJson& value = object.at(key);
    if (value.kind == PartJson::Kind::null) return std::nullopt;
    return object.number_at(key);
}

// Hexadecimal digits as bytes.
std::string bytes_of(std::string_view digits) {
    std::string bytes;
    for (; digits.size() >= 2; digits.remove_prefix(2)) {
        uint8_t byte = 0;
        std::string_view pair = digits.substr(0, 2);
        if (!take_number(pair, byte, 16) || !pair.empty()) refuse_part("has a path whose bytes are not in hexadecimal");
        bytes += static_cast<char>(byte);
    }
    return bytes;
}

Container container_named(std::string_view name) {
    for (const Container container : {Container::gzip, Container::zstd})
        if (to_string(container) == name) return container;
    refuse_part("names a container that this version does not know");
}

ByteOrder byte_order_named(std::string_view name) {
    if (name == "little") return ByteOrder::little;
    if (name == "big") return ByteOrder::big;
    refuse_part("names an unknown byte order");
}

void set_identity(Outcome& outcome, const PartJson& file) {
    if (const PartJson& id = file.at("format"); id.kind != PartJson::Kind::null) {
        outcome.format = find_format(file.text_at("format"));
        if (outcome.format == nullptr) refuse_part("names a format that this version does not know");
    }
    Identity& identity = outcome.context.identity;
    if (const auto version = number_or_null(file, "format_version")) identity.format_version = *version;
    if (const auto word = number_or_null(file, "word_size")) identity.word_size = static_cast<unsigned>(*word);
    if (file.at("byte_order").kind != PartJson::Kind::null)
        identity.byte_order = byte_order_named(file.text_at("byte_order"));
    if (file.at("container").kind != PartJson::Kind::null)
        outcome.container = container_named(file.text_at("container"));
    outcome.size = number_or_null(file, "size");
}

void set_statistics(RebuiltFile& rebuilt, const PartJson& statistics) {
    for (size_t i = 0; i < statistics.keys.size(); ++i) {
        rebuilt.texts->texts.push_back(statistics.keys[i]);
        rebuilt.outcome->context.statistics.emplace_back(rebuilt.texts->texts.back(), statistics.elements[i].number);
    }
}

// What the file's own line says must follow from its findings.
void require_agreement(const RebuiltFile& rebuilt, const PartJson& file) {
    const Report& report = rebuilt.outcome->report();
    const PartJson& counts = file.object_at("counts");
    for (const Severity severity : {Severity::error, Severity::warning, Severity::note})
        if (counts.number_at(to_string(severity)) != report.count(severity))
            refuse_part(fmt::format("has counts of entry {} that differ from its findings", rebuilt.entry.number));
    const Checked checked{rebuilt.path, *rebuilt.outcome};
    if (verdict_of(checked) != file.text_at("verdict"))
        refuse_part(fmt::format("has a verdict of entry {} that differs from its findings", rebuilt.entry.number));
}

}  // namespace

bool read_message(std::string_view pattern, std::string_view sentence, std::array<uint64_t, 4>& numbers,
                  std::string_view& text) {
    while (!pattern.empty()) {
        if (pattern[0] != '{') {
            const std::string_view plain = pattern.substr(0, pattern.find('{'));
            if (!take_word(sentence, plain)) return false;
            pattern.remove_prefix(plain.size());
            continue;
        }
        const std::string_view placeholder = pattern.substr(1, pattern.find('}') - 1);
        pattern.remove_prefix(placeholder.size() + 2);
        if (placeholder != "text") {
            if (!take_placeholder(placeholder, sentence, numbers[static_cast<size_t>(placeholder[0] - '0')]))
                return false;
            continue;
        }
        // The text ends where what follows begins; if nothing else follows, with the sentence.
        const std::string_view next = pattern.substr(0, pattern.find('{'));
        const bool is_last = next.size() == pattern.size();
        const size_t end = is_last ? sentence.size() - std::min(next.size(), sentence.size()) : sentence.find(next);
        if (end == sentence.npos) return false;
        text = sentence.substr(0, end);
        sentence.remove_prefix(end);
    }
    return sentence.empty();
}

Rebuilder::Rebuilder() {
    for (const Rule* rule : all_rules()) rules_.emplace(rule->id, rule);
}

const Rule& Rebuilder::rule(std::string_view id) const {
    const auto found = rules_.find(id);
    if (found == rules_.end()) refuse_part("names a rule that this version does not know");
    return *found->second;
}

Rebuilder::Severities Rebuilder::severities_of(const PartJson& file) const {
    Severities severities;
    if (file.find("rules") == nullptr) return severities;
    const PartJson& rules = file.object_at("rules");
    for (size_t i = 0; i < rules.keys.size(); ++i) {
        const auto [counts, is_new] = severities.try_emplace(&rule(rules.keys[i]));
        const PartJson& given = rules.elements[i];
        if (!is_new || given.keys.empty() || given.keys.size() > 2)
            refuse_part("counts a rule in a way that tracelint never does");
        for (const std::string& severity : given.keys) {
            const uint64_t count = given.number_at(severity);
            if (count == 0 || count > kMostCounted) refuse_part("counts a rule in a way that tracelint never does");
            counts->second[severity_named(severity)] = count;
        }
    }
    return severities;
}

void Rebuilder::add_finding(RebuiltFile& file, std::string_view line) const {
    const PartJson json = parse_part_json(line);
    if (json.text_at("type") != "diagnostic" || json.number_at("entry") != file.entry.number)
        refuse_part("has findings without their file");
    const WrittenFinding written{rule(json.text_at("rule")), severity_named(json.text_at("severity")),
                                 json.text_at("message"), json.text_at("help")};
    const bool is_chosen = file.texts->severities.of(written.rule) != nullptr;
    Diagnostic diagnostic;
    bool is_read = false;
    for (const bool is_overridden : {false, true}) {
        if (is_read || !read_finding(written, is_overridden, diagnostic)) continue;
        const Severity own = is_overridden ? written.rule.severity_override->severity : written.rule.severity;
        is_read = is_chosen || own == written.severity;
    }
    if (!is_read)
        refuse_part(fmt::format("has a finding of {} in entry {} whose message is not that of the rule",
                                written.rule.id, file.entry.number));
    RebuiltTexts& texts = *file.texts;
    const auto lasting = [&](std::string_view text) -> std::string_view {
        return text.empty() ? text : std::string_view(texts.texts.emplace_back(text));
    };
    diagnostic.text = lasting(diagnostic.text);
    diagnostic.hint = lasting(diagnostic.hint);
    diagnostic.place.offset = json.number_at("offset");
    diagnostic.place.length = json.number_at("length");
    if (const PartJson& field = json.at("field"); field.kind == PartJson::Kind::string) {
        diagnostic.place.record = &kAnyRecord;
        diagnostic.place.field = &texts.fields.emplace_back();
        texts.fields.back().name = lasting(field.text);
    }
    for (const PartJson& related : json.array_at("related")) {
        diagnostic.related_offset = related.number_at("offset");
        diagnostic.related_length = related.number_at("length");
    }
    file.outcome->context.report.add(diagnostic);
}

RebuiltFile Rebuilder::file(std::string_view lines) const {
    lines.remove_suffix(1);  // the last newline
    const size_t last = lines.rfind('\n') + 1;
    const PartJson json = parse_part_json(lines.substr(last));
    RebuiltFile file;
    file.texts = std::make_shared<RebuiltTexts>();
    file.entry.number = json.number_at("entry");
    file.path =
        json.find("path_bytes") == nullptr ? path_of_text(json.text_at("path")) : bytes_of(json.text_at("path_bytes"));
    if (json.find("etag") != nullptr) file.entry.etag = json.text_at("etag");
    const Severities severities = severities_of(json);
    for (const auto& [rule, counts] : severities)
        if (counts.size() == 1) file.texts->severities.choose(rule->id, counts.begin()->first);

    CheckOptions options;
    options.report = {0, nullptr, &file.texts->severities};
    file.outcome = std::make_unique<Outcome>(options);
    set_identity(*file.outcome, json);
    set_statistics(file, json.object_at("statistics"));
    if (json.find("failure") != nullptr) file.outcome->failure = json.text_at("failure");
    file.outcome->context.limit_hit = json.find("limited") != nullptr;
    for (std::string_view findings = lines.substr(0, last); !findings.empty();) {
        const size_t end = findings.find('\n');
        add_finding(file, findings.substr(0, end));
        findings.remove_prefix(end + 1);
    }
    Report& report = file.outcome->context.report;
    for (const auto& [rule, counts] : severities)
        for (const auto& [severity, count] : counts) {
            const uint64_t kept = report.count(*rule, severity);
            if (kept > count)
                refuse_part(fmt::format("has counts of entry {} that differ from its findings", file.entry.number));
            const bool is_overridden = counts.size() != 1 && severity != rule->severity;
            if (is_overridden && (!rule->severity_override || rule->severity_override->severity != severity))
                refuse_part("counts a rule in a way that tracelint never does");
            report.add_not_kept(*rule, is_overridden, count - kept);
        }
    require_agreement(file, json);
    return file;
}

}  // namespace tracelint
