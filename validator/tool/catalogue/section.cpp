// Finds sections in the specifications.
#include "validator/tool/catalogue/section.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace tracelint {
namespace {

// The number of signs before a heading; 0 for any other line.
size_t level_of(std::string_view line) {
    const size_t level = std::min(line.find_first_not_of('#'), line.size());
    return level < line.size() && line[level] == ' ' ? level : 0;
}

std::string_view without_blank_lines_around(std::string_view text) {
    const size_t first = text.find_first_not_of('\n');
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of('\n') + 1 - first);
}

std::string_view section_in(std::string_view text, std::string_view heading) {
    size_t start = 0, level = 0;  // of the section; no level: not found yet
    bool is_code = false;         // where a line may begin with any sign
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        if (line.starts_with("```")) is_code = !is_code;
        const size_t here = is_code ? 0 : level_of(line);
        if (here != 0 && level != 0 && here <= level) return without_blank_lines_around(text.substr(start, at - start));
        if (here != 0 && level == 0 && line.substr(here + 1) == heading) {
            level = here;
            start = end;
        }
        at = end + 1;
    }
    return level == 0 ? std::string_view() : without_blank_lines_around(text.substr(start));
}

}  // namespace

std::string_view text_of_section(const SpecSection& section) {
    const std::string path = fmt::format("grammars/{}/spec.md", folder_of_grammar(section.grammar));
    const auto found = std::ranges::find(specification_texts(), path, &CorpusText::path);
    return found == specification_texts().end() ? std::string_view() : section_in(found->text, section.heading);
}

}  // namespace tracelint
