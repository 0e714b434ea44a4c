// Which records of a profile can be left out: any sample, and any line of the text. The trailer must be between both
// (section 3.3).
#include "grammars/compositions.hpp"
#include "grammars/formats.hpp"
#include "grammars/gperftools/records.hpp"

namespace tracelint {
namespace gperftools {
namespace {

constexpr RecordRole kRecordRoles[] = {
    {.record = &kWrapper, .role = Role::essential},
    {.record = &kHeader, .role = Role::essential},
    {.record = &kTrailer, .role = Role::closing, .target = &kHeader, .missing = "gperftools/missing-trailer"},
    {.record = &kLine, .role = Role::appendix},
};

}  // namespace
}  // namespace gperftools

constinit const Composition kGperftoolsComposition{.format = &kGperftools, .roles = gperftools::kRecordRoles};

}  // namespace tracelint
