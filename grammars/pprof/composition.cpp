// Which fields of a profile can be left out: any. An entry of the string table is known by its number, so an empty one
// takes its place (section 3).
#include "grammars/compositions.hpp"
#include "grammars/formats.hpp"
#include "grammars/pprof/records.hpp"

namespace tracelint {
namespace pprof {
namespace {

constexpr Part kParts[] = {
    {.record = &kString, .placeholder = {"\x32\0", 2}},
};

// The entries may be those of other numbers.
constexpr std::string_view kFatal[] = {"pprof/string-table-first"};

}  // namespace
}  // namespace pprof

constinit const Composition kPprofComposition{.format = &kPprof, .parts = pprof::kParts, .fatal = pprof::kFatal};

}  // namespace tracelint
