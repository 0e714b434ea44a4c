// A rule as data: what the format requires, how severe a violation is, and what it does to the tools that read the
// file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "tracelint/basics.hpp"

namespace tracelint {

// The sentence of a finding, with placeholders for up to four numbers: {0} unsigned decimal, {0d} signed decimal, {0x}
// hexadecimal with 0x; {0 byte|bytes} is the number followed by the first word if it is 1, else by the second. {text}
// is the text of the finding. Anything else in braces is a compile error, so every message that compiles can be
// rendered.
struct Message {
    std::string_view text;
    size_t numbers = 0;  // how many numbers the sentence needs: the highest index plus one

    constexpr Message() = default;
    consteval Message(const char* sentence) : Message(std::string_view(sentence)) {}
    consteval Message(std::string_view sentence) : text(sentence) {
        for (size_t at = 0; at < text.size(); ++at) {
            if (text[at] == '}') throw "a message has a closing brace without an opening one";
            if (text[at] != '{') continue;
            const size_t end = text.find('}', at);
            if (end == std::string_view::npos) throw "a message has an opening brace without a closing one";
            const std::string_view brace = text.substr(at + 1, end - at - 1);
            if (brace == "text") {
                at = end;
                continue;
            }
            if (brace.empty() || brace[0] < '0' || brace[0] > '3') throw "a brace names one of the numbers 0 to 3";
            const std::string_view form = brace.substr(1);
            const bool counts = form.size() > 2 && form[0] == ' ' && form.find('|') != std::string_view::npos;
            if (!form.empty() && form != "d" && form != "x" && !counts) throw "a brace has an unknown form";
            numbers = std::max(numbers, static_cast<size_t>(brace[0] - '0') + 1);
            at = end;
        }
    }
    constexpr bool empty() const { return text.empty(); }
};

// A condition under which a violation gets a severity other than its rule's.
struct SeverityOverride {
    Severity severity;
    std::string_view when;  // reads on after "when": "the bytes are up to 7 zeros"
    Message message;        // empty: the rule's
    std::string_view why;   // empty: the rule's
};

// A version of tracelint. Without a default, so that every rule states one.
struct Version {
    std::string_view text;
    constexpr Version(const char* version) : text(version) {}
};

// What a finding of a rule depends on apart from the bytes before and at its place. The oracles of fuzz/ cut files,
// turn their byte order and resynchronise; they have to know where another report is right.
struct Dependences {
    bool later_records = false;      // records after the place: a file that is cut there may lack the finding
    bool resynchronisation = false;  // where the walk resynchronises after it: a Framer may do so elsewhere
    bool file_size = false;          // the size of the file, which decides between this rule and another reading
    bool absence = false;            // what the file does not have: bytes that are still to come may have it
    bool byte_order = false;         // the byte order: the mirrored file has other findings
};

struct Rule {
    std::string_view id;  // "<grammar>/<kebab-slug>"; never reused for another rule
    Severity severity;
    std::string_view statement;  // what the format requires, as one sentence
    Message message;             // of a finding, as one sentence
    std::string_view why;        // what a violation does to the tools that read the file; printed as "help"
    // Headings of the grammar's spec.md, separated by "; " ("3.1 Header; 4.1 File"). One of another grammar begins with
    // that grammar's id.
    std::string_view spec;
    Version since;  // the first version of tracelint that has the rule
    // The finding is about the end of the input. It is dropped if the container (gzip) is truncated, because the
    // missing bytes may hold what the finding misses.
    bool about_end = false;
    bool of_input = false;      // about the input itself or its container, whatever the format
    bool of_container = false;  // its offsets count in the compressed file, not in the decompressed stream
    Dependences depends_on{};
    // For a rule about several files: the facts that it needs (FactParts, facts.hpp). Without them it is not checked.
    uint16_t needs = 0;
    std::optional<SeverityOverride> severity_override{};
    std::string_view status = "stable";  // or "preview", "deprecated"
};

// How many numbers a finding needs so that either message can be rendered.
constexpr size_t numbers_of(const Rule& rule) {
    return std::max(rule.message.numbers, rule.severity_override ? rule.severity_override->message.numbers : 0);
}

// The rules of one source file of a grammar, in the order of that file.
using RuleList = std::span<const Rule* const>;

template <const Rule*... kListed>
inline constexpr const Rule* kListedRules[] = {kListed...};
template <const Rule*... kListed>
inline constexpr RuleList rules = kListedRules<kListed...>;

// The rule that every grammar has for a limit that is hit: tracking stops, and one note reports it.

// `later_records`: the limit may be hit at another place, or not at all, if the file is cut after the finding.
consteval Rule tracking_limit(std::string_view id, std::string_view spec, bool later_records, Version since = "0.1.0") {
    return {.id = id,
            .severity = Severity::note,
            .statement = "the file can be followed within the limits of this run",
            .message = "the limit of {0 byte|bytes} is reached: some checks are skipped from here on",
            .why = "not a fault of the file; --max-memory and --max-record raise the limits",
            .spec = spec,
            .since = since,
            .depends_on = {.later_records = later_records}};
}

// Whether the rule is one of those.
constexpr bool is_tracking_limit(const Rule& rule) { return rule.id.ends_with("/tracking-limit"); }

}  // namespace tracelint
