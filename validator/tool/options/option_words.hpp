// The words of options: what each means. All throw UsageError, which names the option, if a word means nothing.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "validator/readers/chosen_readers.hpp"
#include "validator/tool/dump/selection.hpp"
#include "validator/tool/inputs/manifest.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {

// A word of the command line as errors show it: printable and quoted.
std::string quoted_word(std::string_view word);

const Rule* rule_of(const std::string& word);
// Refuses a word that matches no rule. Never returns.
[[noreturn]] void refuse_rules(const std::string& word);
void require_rules(const std::string& option, const std::string& pattern);
const Format* format_of(const std::string& word);
// Refuses an empty name, and one after another where there may be one.
void require_file_name(const std::string& option, const std::string& word, bool has_one);
// The index of `word` in `choices`.
size_t choice_of(const std::string& option, const std::string& word, std::span<const std::string_view> choices);
// Bytes: "4096", "64K", "16M" or "1G".
uint64_t size_of(const std::string& option, const std::string& word);
uint64_t number_of(const std::string& option, const std::string& word);
// In decimal or hexadecimal.
uint64_t offset_of(const std::string& option, const std::string& word);
// "I/N"
Shard shard_of_word(const std::string& word);
// The text of help, with the standard in place of {}.
std::string with_standard(std::string_view doc, std::string_view standard);
// The value of --jobs: 0 means the number of processors.
unsigned jobs_of(const std::string& word);
// The value of --records: "N", "N..M", "N.." or "..M".
void select_records(const std::string& word, Selection& selection);

// The value of --field: a name within a record, or one that begins with records[N], which selects the record.
void select_field(const std::string& word, Selection& selection);

// The words of --for: the names, any, list, and "perf@6.1" for each version of each, once.
std::vector<std::string> reader_words();

// What --for list prints: a line for each reader.
std::string reader_list();

// The versions of a reader, with what each reads and how that was examined: "6.1 (jitdump: measured) or 7.2 (jitdump:
// by its source)".
std::string known_versions(std::string_view name);

}  // namespace tracelint
