// A rule is data: what it demands, how bad a violation is, and what that does to the readers of the file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tracelint {

// error: the format's "must" is broken, or a real reader fails or misreads.
// warning: legal for the readers at hand, but a fault of the writer or a risk.
// note: worth knowing; healthy files have them.
enum class Severity : uint8_t { note, warning, error };

std::string_view to_string(Severity severity);

// A form of a violation that weighs less than its rule says.
struct Milder {
    Severity severity;
    std::string_view when;     // "the bytes are up to 7 zeros"
    std::string_view message;  // as those of the rule; empty: the same
    std::string_view why;
};

struct Rule {
    std::string_view id;  // "<grammar>/<kebab-slug>"; never reused for something else
    Severity severity;
    std::string_view statement;  // what the format demands, one sentence
    // One finding, one sentence. {0}..{3} are the finding's numbers in decimal, {0d}..{3d} signed, {0x}..{3x} in hex;
    // {0 byte|bytes} is the number and the first word for one, the second for any other.
    std::string_view message;
    std::string_view why;   // what a violation does to the tools that read the file; the help line
    std::string_view spec;  // where the rule comes from
    // Says something about the end of the input. Such a finding is explained away when the
    // container (gzip) is cut, since the missing bytes may hold what is missed.
    bool about_end = false;
    bool of_input = false;  // about the input or its container as such, whatever the format
    // How a finding depends on more than the bytes at its place; the oracles of fuzz/ go by it.
    bool decided_later = false;  // records behind the place have a say
    bool out_of_step = false;    // from here on the walk looks for a place to go on, and a Framer may find another
    bool of_file_size = false;   // the size of the file decides between this rule and another way to read on
    bool of_byte_order = false;  // about the byte order itself: the mirrored file is judged differently
    std::optional<Milder> milder{};
    std::string_view since = "0.1.0";
    std::string_view status = "stable";
};

// The rules of several sections as one list.
template <std::size_t... Sizes>
consteval auto joined(const Rule* const (&... sections)[Sizes]) {
    std::array<const Rule*, (Sizes + ...)> all{};
    std::size_t at = 0;
    const auto append = [&](const auto& section) {
        for (const Rule* rule : section) all[at++] = rule;
    };
    (append(sections), ...);
    return all;
}

}  // namespace tracelint
