// Fingerprints of findings: 64 bits as FNV-1a and an ordinal, in the form that code scanning computes itself.
#include "validator/tool/writers/fingerprint.hpp"

#include <fmt/core.h>

#include "validator/tool/writers/uri.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kStart = 0xcbf29ce484222325;  // FNV-1a's

// The NUL after the text keeps "a" and "bc" from being "ab" and "c".
uint64_t hash_of(uint64_t hash, std::string_view text) {
    constexpr uint64_t kPrime = 0x100000001b3;
    for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * kPrime;
    return hash * kPrime;
}

// "records[3].entries[12].line" becomes "records[].entries[].line".
std::string without_indices(std::string_view path) {
    std::string text;
    for (bool is_index = false; const char c : path) {
        is_index = is_index && c != ']';
        if (!is_index) text += c;
        is_index = is_index || c == '[';
    }
    return text;
}

}  // namespace

Fingerprints::Fingerprints(std::string_view path) : path_(hash_of(kStart, repository_path(path))) {}

std::string Fingerprints::of(const Diagnostic& diagnostic) {
    uint64_t hash = hash_of(hash_of(path_, diagnostic.rule->id), without_indices(field_path(diagnostic.place)));
    // Of the findings of one rule with several files, each keeps its own.
    if (!diagnostic.related_file.empty()) hash = hash_of(hash, repository_path(diagnostic.related_file));
    return numbered(hash);
}

std::string Fingerprints::of(std::string_view name) { return numbered(hash_of(path_, name)); }

std::string Fingerprints::numbered(uint64_t hash) { return fmt::format("{:016x}:{}", hash, ++met_[hash]); }

}  // namespace tracelint
