// What services that show reports are given: paths, fingerprints of findings, and texts in XML and Markdown.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "validator/report/report.hpp"
#include "validator/tool/json/text.hpp"

namespace tracelint {

// The path as viewers of repositories expect it: without "./" at its start; "<stdin>" for "-".
std::string_view repository_path(std::string_view path);

// The path as text, see path_text().
std::string repository_text(std::string_view path, PathEscapes escapes);

// The path as a URI (RFC 3986): a relative reference, or a file URI for an absolute path. Every byte that is neither
// unreserved nor a slash is escaped, so that the path can be had back, whatever bytes it consists of.
std::string uri_of(std::string_view path);

// The fingerprints of one file's findings. Traces are recorded anew for each run, so offsets and indices of records say
// nothing: a fingerprint is made of path, rule, field and how many such findings came before. No two findings of a file
// have the same one.
class Fingerprints {
  public:
    explicit Fingerprints(std::string_view path);

    // The fingerprint of the next finding, in the order of the report.
    std::string of(const Diagnostic& diagnostic);
    // The fingerprint of something that is said once about the file.
    std::string of(std::string_view name);

  private:
    std::string numbered(uint64_t hash);

    uint64_t path_;                                // its hash
    std::unordered_map<uint64_t, uint64_t> seen_;  // findings by hash; a few for each rule
};

// Any bytes as XML, in an element or in double quotes.
std::string xml_text(std::string_view text);

// A text of one line, none of which is treated as markup.
std::string markdown_text(std::string_view text);

// Any bytes as code: nothing in it is treated as markup, a link or the mention of a user.
std::string markdown_code(std::string_view text);

}  // namespace tracelint
