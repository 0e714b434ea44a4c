// What the name of a file says of it.
#pragma once

#include <string_view>

namespace tracelint {

// Whether writers give their traces such names, also if they are compressed: a.dump, xray-log.x, perf.data.gz.
bool is_named_like_trace(std::string_view path);

// Whether the name begins with a dot, as that of a file which keeps an empty folder in git.
bool is_hidden(std::string_view path);

}  // namespace tracelint
