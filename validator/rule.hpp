// A rule is data: what it demands, how bad a violation is, and what that does to the readers of the file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tracelint {

// error: the format's "must" is broken, or a real reader fails or misreads.
// warning: legal for the readers at hand, but a fault of the writer or a risk.
// note: worth knowing; healthy files have them.
enum class Severity : uint8_t { note, warning, error };

std::string_view to_string(Severity severity);

// The sentence of a finding with places for its numbers: {0}..{3} in decimal, {0d}..{3d} signed, {0x}..{3x} in hex;
// {0 byte|bytes} is the number and the first word for one, the second for any other. The compiler refuses any other
// brace, so a message that compiles can be rendered.
struct Message {
    std::string_view text;
    size_t numbers = 0;  // that the sentence needs: one more than the highest that it names

    constexpr Message() = default;
    consteval Message(const char* sentence) : Message(std::string_view(sentence)) {}
    consteval Message(std::string_view sentence) : text(sentence) {
        for (size_t at = 0; at < text.size(); ++at) {
            if (text[at] == '}') throw "a message has a closing brace without an opening one";
            if (text[at] != '{') continue;
            const size_t end = text.find('}', at);
            if (end == std::string_view::npos) throw "a message has an opening brace without a closing one";
            const std::string_view brace = text.substr(at + 1, end - at - 1);
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

// A condition under which a violation has another severity than its rule says.
struct SeverityOverride {
    Severity severity;
    std::string_view when;  // "the bytes are up to 7 zeros"
    Message message;        // empty: that of the rule
    std::string_view why;
};

// A version of tracelint. Has no default, so that every rule states its own.
struct Version {
    std::string_view text;
    constexpr Version(const char* version) : text(version) {}
};

struct Rule {
    std::string_view id;  // "<grammar>/<kebab-slug>"; never reused for something else
    Severity severity;
    std::string_view statement;  // what the format demands, one sentence
    Message message;             // of one finding, one sentence
    std::string_view why;        // what a violation does to the tools that read the file; the help line
    std::string_view
        spec;       // the sections of the grammar's spec.md that state it, by their headings: "3.1 Header; 4.1 File"
    Version since;  // of tracelint, in which the rule appeared
    // Says something about the end of the input. Such a finding is explained away when the
    // container (gzip) is cut, since the missing bytes may hold what is missed.
    bool about_end = false;
    bool of_input = false;      // about the input or its container as such, whatever the format
    bool of_container = false;  // its places count in the container, not in what it holds
    // How a finding depends on more than the bytes at its place; the oracles of fuzz/ go by it.
    bool decided_later = false;  // records behind the place have a say
    bool out_of_step = false;    // from here on the walk looks for a place to go on, and a Framer may find another
    bool of_file_size = false;   // the size of the file decides between this rule and another way to read on
    bool of_byte_order = false;  // about the byte order itself: the mirrored file is judged differently
    std::optional<SeverityOverride> severity_override{};
    std::string_view status = "stable";
};

// How many numbers a finding of the rule needs, whichever of its sentences is shown.
constexpr size_t numbers_of(const Rule& rule) {
    return std::max(rule.message.numbers, rule.severity_override ? rule.severity_override->message.numbers : 0);
}

// The rules of one file of a grammar, in the order of its spec.
using RuleList = std::span<const Rule* const>;

}  // namespace tracelint
