// Which fields of a profile can be left out: any. An entry of the string table is known by its number, so an empty one
// takes its place (section 3).
#include "grammars/compositions.hpp"
#include "grammars/formats.hpp"
#include "grammars/pprof/records.hpp"

namespace tracelint {
namespace pprof {
namespace {

constexpr RecordRole kRecordRoles[] = {
    {.record = &kString, .placeholder = {"\x32\0", 2}},
};

// The names or the values may be those of others.
constexpr std::string_view kFatalRules[] = {"pprof/empty-file", "pprof/sample-type-missing", "pprof/string-table-first",
                                            "pprof/string-table-missing"};

}  // namespace
}  // namespace pprof

constinit const Composition kPprofComposition{
    .format = &kPprof, .roles = pprof::kRecordRoles, .fatal = pprof::kFatalRules};

}  // namespace tracelint
