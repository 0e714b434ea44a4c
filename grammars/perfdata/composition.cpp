// Which records of a recording can be left out: any but those that the others cannot be read without. The header and
// the tables say where the parts of the file are. The payloads of compressed records are one stream.
#include "grammars/compositions.hpp"
#include "grammars/formats.hpp"
#include "grammars/perfdata/records.hpp"

namespace tracelint {
namespace perfdata {
namespace {

constexpr RecordRole kRecordRoles[] = {
    {.record = &kHeader, .role = Role::essential},       {.record = &kOldHeader, .role = Role::essential},
    {.record = &kPipeHeader, .role = Role::essential},   {.record = &kAttr, .role = Role::essential},
    {.record = &kIdsSection, .role = Role::essential},   {.record = &kIds, .role = Role::essential},
    {.record = &kFeatureEntry, .role = Role::announced}, {.record = &kFollowingData, .role = Role::rest},
};

// Without attributes, no record can be read.
constexpr std::string_view kFatalRules[] = {"perfdata/attrs-none", "perfdata/header-unfinished",
                                            "perfdata/stream-no-attr"};

constexpr Extent kFileExtents[] = {
    {.record = &kHeader, .offset = "attrs_offset", .size = "attrs_size"},
    {.record = &kHeader, .offset = "data_offset", .size = "data_size"},
    {.record = &kOldHeader, .offset = "attrs_offset", .size = "attrs_size"},
    {.record = &kOldHeader, .offset = "data_offset", .size = "data_size"},
    {.record = &kIdsSection, .offset = "offset", .size = "size"},
    {.record = &kFeatureEntry, .offset = "offset", .size = "size"},
};

}  // namespace
}  // namespace perfdata

constinit const Composition kPerfdataComposition{
    .format = &kPerfdata,
    .roles = perfdata::kRecordRoles,
    .extents = perfdata::kFileExtents,
    .announcement = {.header = &perfdata::kHeader, .flags = {"features_0", "features_1", "features_2", "features_3"}},
    .fatal = perfdata::kFatalRules};

}  // namespace tracelint
