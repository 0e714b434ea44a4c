// Text for people: escaping, numbers with units, suggestions for misspelt words.
#pragma once

#include <charconv>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "validator/tables/bytes.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint {

// Whether no output may have the character raw: it moves the cursor, breaks the line, changes the writing direction, or
// cannot be seen. The one table for all outputs; how a character is escaped is up to each.
bool is_unprintable(char32_t code);

// `text`, which may be any bytes, safe to print on a terminal: what is not UTF-8 or is unprintable is escaped as \xNN.
std::string printable(std::string_view text);

// Which bytes of a path an output cannot have as they are.
enum class PathEscapes : uint8_t {
    unprintable,  // those that printable() escapes: in outputs that people read
    not_utf8,     // those that JSON cannot hold
};

// A path as outputs show it, so that no two paths look the same: the bytes that the output cannot have are escaped as
// \xNN. In a path that has such an escape, or what looks like one, each backslash is escaped by another one. All other
// paths are shown as they are. "<stdin>", which stands for standard input, is also escaped if a file has this name.
std::string path_text(std::string_view path, PathEscapes escapes);

// The path of which path_text(path, PathEscapes::not_utf8) made the text.
std::string path_of_text(std::string_view text);

// "<stdin>" for "-", or else the path as people read it.
std::string shown_path(std::string_view path);

// The same as printable(), without the middle if it is long: a word in a message, which may come from a stranger.
std::string shortened(std::string_view text);

// The text as a string literal: in quotes, with quotes, backslashes and newlines also escaped.
std::string quoted(std::string_view text);

// Appends texts, and numbers in decimal. For text of which there is much: fmt takes several times as long.
template <class... Part>
void append_to(std::string& text, const Part&... part) {
    const auto append = []<class Value>(std::string& to, const Value& value) {
        if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, char>) {
            char digits[20];
            to.append(digits, std::to_chars(digits, std::end(digits), value).ptr);
        } else {
            to += value;
        }
    };
    (append(text, part), ...);
}

std::string counted(uint64_t number, std::string_view noun);  // "1 record", "2 records"
std::string byte_size(uint64_t bytes);                        // "812 bytes", "6.0 MiB"
std::string joined(std::span<const std::string_view> words, std::string_view separator);
std::string either_of(std::span<const std::string_view> words);  // "text, concise or json"

// `text` in lines of `width` columns, broken at spaces; a longer word has a line of its own. The first line follows
// `before`, the others are indented by `indent` spaces. Ends in a newline.
std::string wrapped(std::string_view before, std::string_view text, size_t indent, size_t width);

// Parses "12", "64K", "2M", "1G" (powers of 1024; "B" or "iB" may follow the unit). False if it is anything else or
// does not fit into 64 bits.
bool parse_size(std::string_view text, uint64_t& bytes);

// "; did you mean 'b' or 'c'?" for the candidates that are a few typing errors away from `word`, those with the fewest;
// empty if none is.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace tracelint
