#include "tests/support/narrowing.hpp"

#include <algorithm>
#include <cstdlib>

namespace tracelint {
namespace {

bool& met() {
    static bool met = false;
    return met;
}

bool note(bool is_wanted) {
    met() = met() || is_wanted;
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
    const char* wish = std::getenv("TRACELINT_ONLY");
    return wish == nullptr ? "" : wish;
}

bool is_tested(const Format& format) {
    const std::string wish = narrowed_to();
    const bool is_file = wish.starts_with("corpus/");
    return wish.empty() || note(format.id == wish || has_grammar(format, is_file ? grammar_of(wish) : wish));
}

bool is_tested_file(std::string_view file) {
    const std::string wish = narrowed_to();
    if (wish.empty() || file == wish) return note(true);
    if (wish.find('/') != wish.npos) return false;
    const std::string_view grammar = grammar_of(file);
    return note(grammar == wish || std::ranges::any_of(formats(), [&](const Format* format) {
                    return (format->id == wish || has_grammar(*format, wish)) && has_grammar(*format, grammar);
                }));
}

bool has_met_narrowing() { return met(); }

}  // namespace tracelint
