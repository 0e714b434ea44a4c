// Paths as machine outputs have them.
#pragma once

#include <string>
#include <string_view>

#include "validator/tool/json/text.hpp"

namespace tracelint {

// The path as viewers of repositories expect it: without "./" at its start; "<stdin>" for "-".
std::string_view repository_path(std::string_view path);

// The same as text, see path_text().
std::string repository_text(std::string_view path, PathEscapes escapes);

// The path as a URI (RFC 3986): a relative reference, or a file URI for an absolute path. Every byte that is neither
// unreserved nor a slash is escaped, so that the path can be had back, whatever bytes it consists of.
std::string uri_of(std::string_view path);

}  // namespace tracelint
