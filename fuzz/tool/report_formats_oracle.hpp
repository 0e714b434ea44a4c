// The requirements on outputs for other programs, whatever bytes a trace or a path holds: those of these programs, and
// every finding. Each function returns what is wrong.
#pragma once

#include "fuzz/oracles.hpp"

namespace tracelint {

struct Checked;
struct XmlElement;

inline constexpr size_t kMostSarifResults = 5'000;

// What is wrong with the output of a kind; nothing for kinds that are judged elsewhere.
Complaint report_format_agrees(std::string_view kind, const std::string& text, const Checked& checked);

Complaint junit_agrees(std::string_view text, const Checked& checked);
// How the element breaks Jenkins' schema; empty if it does not.
std::string junit_fault(const XmlElement& element);

// Fits into a comment; no markup but its own, and every row has as many cells as the first of its table.
Complaint markdown_agrees(std::string_view text);

// RFC 3986: only unreserved characters, slashes and escapes; a colon only in "file://".
bool is_uri_reference(std::string_view uri);

}  // namespace tracelint
