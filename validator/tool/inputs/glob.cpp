// Patterns for paths, as automata that are followed step by step.
#include "validator/tool/inputs/glob.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>

#include "validator/tables/text_scan.hpp"

namespace tracelint {
namespace {

constexpr size_t kNoEnd = std::string_view::npos;

// The index of the bracket that closes the set which opens at `at`. A bracket that comes first belongs to the set.
size_t end_of_set(std::string_view pattern, size_t at) {
    size_t first = at + 1;
    if (first < pattern.size() && (pattern[first] == '!' || pattern[first] == '^')) ++first;
    return first < pattern.size() ? pattern.find(']', first + 1) : kNoEnd;
}

// The byte of \xNN at `at`; empty if absent, or if UTF-8 has the byte as a character.
std::optional<uint8_t> escaped_byte(std::string_view pattern, size_t at) {
    if (pattern.size() - at < 4 || pattern.substr(at, 2) != "\\x") return std::nullopt;
    unsigned byte = 0;
    const char* const digits = pattern.data() + at + 2;
    const auto [end, error] = std::from_chars(digits, digits + 2, byte, 16);
    return error == std::errc() && end == digits + 2 && byte >= 0x80 ? std::optional(static_cast<uint8_t>(byte))
                                                                     : std::nullopt;
}

uint8_t byte_at(std::string_view text, size_t at) { return static_cast<uint8_t>(text[at]); }

}  // namespace

std::string Glob::fault_of(std::string_view pattern) {
    if (pattern.empty()) return "a pattern is empty";
    for (size_t at = 0; at < pattern.size(); ++at) {
        if (pattern[at] == '\\') {
            if (++at == pattern.size()) return "a pattern ends in a backslash";
        } else if (pattern[at] == '[') {
            at = end_of_set(pattern, at);
            if (at == kNoEnd) return "a pattern has a [ without a ]";
        }
    }
    return {};
}

std::string Glob::escaped(std::string_view path) {
    std::string pattern;
    for (Bytes rest = as_bytes(path); !rest.empty();) {
        const Utf8Sequence sequence = first_utf8_sequence(rest);
        for (const uint8_t byte : rest.first(sequence.length)) {
            const char c = static_cast<char>(byte);
            if (!sequence.well_formed) {
                pattern += fmt::format("\\x{:02x}", byte);
                continue;
            }
            if (c == '*' || c == '?' || c == '[' || c == '\\') pattern += '\\';
            pattern += c;
        }
        rest = rest.subspan(sequence.length);
    }
    return pattern;
}

std::optional<std::string> Glob::literal_of(std::string_view pattern) {
    std::string path;
    for (size_t at = 0; at < pattern.size(); ++at) {
        if (pattern[at] == '*' || pattern[at] == '?' || pattern[at] == '[') return std::nullopt;
        if (const std::optional<uint8_t> byte = escaped_byte(pattern, at)) {
            path += static_cast<char>(*byte);
            at += 3;
            continue;
        }
        if (pattern[at] == '\\') ++at;
        path += pattern[at];
    }
    return path;
}

Glob::Glob(std::string_view pattern, Of of) : pattern_(pattern) {
    if (of == Of::paths) separator_.set('/');
    for (size_t at = 0; at < pattern_.size();) {
        if (pattern_[at] == '*') {
            at = add_stars(at);
        } else if (pattern_[at] == '[') {
            at = add_set(at);
        } else if (pattern_[at] == '?') {
            Set rest;  // of a character that has several bytes
            for (size_t byte = 0x80; byte < 0xc0; ++byte) rest.set(byte);
            add_one(~separator_);
            add_any(rest);
            ++at;
        } else if (const std::optional<uint8_t> byte = escaped_byte(pattern_, at)) {
            add_one(Set().set(*byte));
            at += 4;
        } else {
            if (pattern_[at] == '\\') ++at;
            add_one(Set().set(byte_at(pattern_, at++)));
        }
    }
}

// Adds the stars at `at`. Returns the index after them.
size_t Glob::add_stars(size_t at) {
    const bool begins_name = at == 0 || pattern_[at - 1] == '/';
    const size_t end = std::min(pattern_.find_first_not_of('*', at), pattern_.size());
    if (end - at == 1) {
        add_any(~separator_);
        return end;
    }
    if (separator_.none() || !begins_name || end == pattern_.size() || pattern_[end] != '/') {
        add_any(Set().set());
        return end;
    }
    // Folders after folders are folders.
    if (steps_.size() >= 2 && steps_[steps_.size() - 2].is_folders) return end + 1;
    steps_.push_back({{}, {}, true, true});
    steps_.push_back({Set().set('/'), Set().set(), false, false});
    return end + 1;
}

// Adds the set at `at`. Returns the index after it.
size_t Glob::add_set(size_t at) {
    const size_t end = end_of_set(pattern_, at);
    const bool is_negated = pattern_[at + 1] == '!' || pattern_[at + 1] == '^';
    Set set;
    for (size_t i = at + 1 + is_negated; i < end; ++i) {
        const bool is_range = i + 2 < end && pattern_[i + 1] == '-';
        const unsigned first = byte_at(pattern_, i), last = is_range ? byte_at(pattern_, i + 2) : first;
        for (unsigned byte = first; byte <= last; ++byte) set.set(byte);
        if (is_range) i += 2;
    }
    add_one((is_negated ? ~set : set) & ~separator_);
    return end + 1;
}

// With everything that can be reached from the step without a byte.
void Glob::activate(std::vector<char>& active, size_t step) const {
    while (active[step] == 0) {
        active[step] = 1;
        if (step == steps_.size() || !steps_[step].is_optional) return;
        if (steps_[step].is_folders) active[++step] = 1;
        ++step;
    }
}

bool Glob::run(std::string_view path, bool may_end_at_slash) const {
    std::vector<char> active(steps_.size() + 1), next(steps_.size() + 1);
    activate(active, 0);
    for (const char c : path) {
        if (may_end_at_slash && c == '/' && active.back() != 0) return true;
        const auto byte = static_cast<uint8_t>(c);
        std::ranges::fill(next, 0);
        bool is_alive = false;
        for (size_t i = 0; i < steps_.size(); ++i) {
            if (active[i] == 0) continue;
            is_alive |= steps_[i].stays[byte] || steps_[i].moves[byte];
            if (steps_[i].stays[byte]) activate(next, i);
            if (steps_[i].moves[byte]) activate(next, i + 1);
        }
        if (!is_alive) return false;
        active.swap(next);
    }
    return active.back() != 0;
}

}  // namespace tracelint
