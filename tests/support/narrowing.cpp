#include "tests/support/narrowing.hpp"

#include <algorithm>
#include <cstdlib>

namespace tracelint {
namespace {

bool& matched() {
    static bool matched = false;
    return matched;
}

bool note(bool is_wanted) {
    matched() = matched() || is_wanted;
    return is_wanted;
}

bool has_grammar(const Format& format, std::string_view id) {
    return std::ranges::any_of(format.grammars, [&](const Grammar* grammar) { return grammar->id == id; });
}

// corpus/GRAMMAR/... or corpus/museum/GRAMMAR/...
std::string_view grammar_of(std::string_view file) {
    for (const std::string_view folder : {"corpus/", "museum/"})
        if (file.starts_with(folder)) file.remove_prefix(folder.size());
    return file.substr(0, file.find('/'));
}

}  // namespace

std::string narrowed_to() {
    const char* value = std::getenv("TRACELINT_ONLY");
    return value == nullptr ? "" : value;
}

bool is_tested(const Format& format) {
    const std::string value = narrowed_to();
    const bool is_file = value.starts_with("corpus/");
    return value.empty() || note(format.id == value || has_grammar(format, is_file ? grammar_of(value) : value));
}

bool is_tested_file(std::string_view file) {
    const std::string value = narrowed_to();
    if (value.empty() || file == value) return note(true);
    if (value.find('/') != value.npos) return false;
    const std::string_view grammar = grammar_of(file);
    return note(grammar == value || std::ranges::any_of(formats(), [&](const Format* format) {
                    return (format->id == value || has_grammar(*format, value)) && has_grammar(*format, grammar);
                }));
}

bool has_narrowing_matched() { return matched(); }

}  // namespace tracelint
