// The one file that compiles fmt's implementation, which takes seconds. The others include its declarations and are
// linked with this file, not with an installed libfmt: one that g++ built lacks symbols that clang 19 asks for (it
// spells their names otherwise), and fuzzers may use another standard library.
#define FMT_HEADER_ONLY  // gives definitions
#include <fmt/format.h>

namespace tracelint {

// The only function that fmt::format() calls in another file. It is inline here, and its address makes the compiler
// emit it.
[[gnu::used]] std::string (*const fmt_implementation)(fmt::string_view, fmt::format_args) = &fmt::vformat;

}  // namespace tracelint
