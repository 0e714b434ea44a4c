// Texts in Markdown as GitHub and GitLab render it, also in cells of tables.
#pragma once

#include <string>
#include <string_view>

namespace tracelint {

// A text of one line, of which nothing is taken for markup.
std::string markdown_text(std::string_view text);

// Any bytes as code: nothing in it is taken for markup, a link or the mention of a user.
std::string markdown_code(std::string_view text);

}  // namespace tracelint
