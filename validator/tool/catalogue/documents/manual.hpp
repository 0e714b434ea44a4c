// Manual pages, made from the tables of options, outputs, formats and rules.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tracelint {

struct ManualPage {
    std::string name;     // "tracelint-dump"
    unsigned section;     // 1 commands, 5 files, 7 other
    std::string text;     // mdoc
    std::string alias{};  // another page that this one is a link to; `text` is then empty
};

// tracelint(1), a page for each command, tracelint-rules(7), tracelint.json(5). `date`: "2026-11-23".
std::vector<ManualPage> manual_pages(std::string_view date);

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

}  // namespace tracelint
