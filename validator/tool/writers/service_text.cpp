// Paths as URIs, fingerprints as code scanning computes them itself, and escapes of Markdown.
#include "validator/tool/writers/service_text.hpp"

#include <fmt/core.h>

#include "validator/tool/json/text.hpp"

namespace tracelint {
namespace {

// RFC 3986, section 2.3.
bool is_unreserved(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-._~").find(c) != std::string_view::npos;
}

}  // namespace

std::string_view repository_path(std::string_view path) {
    if (path == "-") return "<stdin>";
    while (path.starts_with("./")) {
        const size_t name = path.find_first_not_of('/', 1);
        if (name == std::string_view::npos) break;
        path.remove_prefix(name);
    }
    return path;
}

std::string repository_text(std::string_view path, PathEscapes escapes) {
    return path == "-" ? shown_path(path) : path_text(repository_path(path), escapes);
}

std::string uri_of(std::string_view path) {
    constexpr char kDigits[] = "0123456789ABCDEF";
    const bool is_file = path != "-";
    path = repository_path(path);
    std::string uri = path.starts_with('/') ? "file://" : is_file && path == repository_path("-") ? "./" : "";
    for (const char c : path) {
        if (is_unreserved(c) || c == '/') {
            uri += c;
            continue;
        }
        const auto byte = static_cast<uint8_t>(c);
        uri.append({'%', kDigits[byte >> 4], kDigits[byte & 15]});
    }
    return uri;
}

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
    // Findings of one rule with different related files differ.
    if (!diagnostic.related_file.empty()) hash = hash_of(hash, repository_path(diagnostic.related_file));
    return numbered(hash);
}

std::string Fingerprints::of(std::string_view name) { return numbered(hash_of(path_, name)); }

std::string Fingerprints::numbered(uint64_t hash) { return fmt::format("{:016x}:{}", hash, ++seen_[hash]); }

namespace {

bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           static_cast<uint8_t>(c) >= 0x80;
}

// Whether the text can be between single backticks, even in a cell.
bool is_plain(std::string_view text) {
    constexpr std::string_view kPunctuation = "-._/+,=:()[]{}@#% ";
    if (text.empty() || text.front() == ' ' || text.back() == ' ') return false;
    for (const char c : text)
        if (!is_letter_or_digit(c) && kPunctuation.find(c) == std::string_view::npos) return false;
    return true;
}

}  // namespace

// XML 1.0, section 2.2, allows neither control characters nor U+FFFE and U+FFFF, not even escaped.
std::string xml_text(std::string_view text) {
    std::string result;
    for (const char c : printable(text)) {
        switch (c) {
            case '&': result += "&amp;"; break;
            case '<': result += "&lt;"; break;
            case '>': result += "&gt;"; break;
            case '"': result += "&quot;"; break;
            default: result += c;
        }
    }
    return result;
}

std::string markdown_text(std::string_view text) {
    constexpr std::string_view kMarkup = "\\`*_[]<>|~&#@";
    std::string escaped;
    for (const char c : printable(text)) {
        if (kMarkup.find(c) != std::string_view::npos) escaped += '\\';
        escaped += c;
    }
    return escaped;
}

std::string markdown_code(std::string_view text) {
    const std::string shown = printable(text);
    if (is_plain(shown)) return fmt::format("`{}`", shown);
    // References to characters are no markup, wherever they stand; in a code element nothing becomes a link.
    std::string code = "<code>";
    for (const char c : shown) {
        if (is_letter_or_digit(c) || c == '/')
            code += c;
        else
            code += fmt::format("&#{};", static_cast<uint8_t>(c));
    }
    return code + "</code>";
}

}  // namespace tracelint
