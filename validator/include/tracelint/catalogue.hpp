// What this version of tracelint knows: formats, rules, and the options of formats. All text is valid as long as the
// library is loaded.
#pragma once

#include <optional>

#include "tracelint/basics.hpp"

namespace tracelint {

struct RuleInfo {
    std::string_view id;  // "jitdump/header-unknown-flags"; never given to another rule
    // The id of the format that it belongs to; empty for rules about inputs and containers. Where a format has
    // extensions it is not the first part of the rule's id: rules of samply belong to jitdump.
    std::string_view format;
    Severity severity;
    std::string_view statement;  // what the format requires
    std::string_view why;        // what a violation does to the tools that read the file
    std::string_view spec;       // headings of grammars/<first part of the id>/spec.md, separated by "; "
    std::string_view since;      // the first version of tracelint that has the rule
    std::string_view status;     // "stable", "preview" or "deprecated"
    // A condition under which a violation has milder_severity instead, as the continuation of "when ..."; empty if
    // absent.
    std::string_view milder_when;
    Severity milder_severity;  // only if milder_when is not empty
};

struct FormatInfo {
    std::string_view id;     // "jitdump"
    std::string_view title;  // "perf jitdump"
};

// An option that a format offers where its specification is ambiguous and the file itself cannot settle the question.
struct OptionInfo {
    std::string_view name;                      // "samply-260"
    std::string_view description;               // one sentence
    std::span<const std::string_view> choices;  // the first is the default
};

struct Catalogue {
    std::span<const RuleInfo> rules;  // those about inputs and containers, then those of each format
    std::span<const FormatInfo> formats;
    std::span<const OptionInfo> options;
};

// The catalogue is built by the first call and stays valid as long as the library is loaded. Empty if there is no
// memory for it; the next call tries again. May be called by several threads at a time.
TRACELINT_API Catalogue catalogue() noexcept;

// The rule of an id; null if no rule has it, or if there is no memory for the catalogue. May be called by several
// threads at a time.
TRACELINT_API const RuleInfo* rule_info(std::string_view id) noexcept;

}  // namespace tracelint
