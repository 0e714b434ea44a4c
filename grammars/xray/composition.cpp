// Which records of an XRay file can be left out. In a flight data recorder's buffer, a time counts from the record
// before it, up to a record with a TSC (section 3); a buffer of version 1 has a fixed size, so it is left out as a
// whole.
#include "grammars/compositions.hpp"
#include "grammars/formats.hpp"
#include "grammars/xray/records.hpp"

namespace tracelint {
namespace xray {
namespace {

constexpr uint8_t kTime = 1, kProcessor = 2;  // ranks: what a record says anew

constexpr std::string_view kLateRules[] = {"xray/eob-missing"};

constexpr RecordRole kRecordRoles[] = {
    {.record = &kHeader, .role = Role::essential},
    {.record = &kNewBuffer, .role = Role::group, .last_version = 1},
    {.record = &kWallClock, .role = Role::core},
    {.record = &kNewCpuId, .role = Role::core, .last_version = 1},
    {.record = &kTscWrap, .role = Role::core, .last_version = 1},
    {.record = &kFunction, .role = Role::core, .last_version = 1},
    {.record = &kCustomEvent, .role = Role::core, .last_version = 1},
    {.record = &kCallArgument, .role = Role::core, .last_version = 1},
    {.record = &kEndOfBuffer, .role = Role::core, .last_version = 1},
    {.record = &kRest, .role = Role::core, .last_version = 1},
    {.record = &kBufferExtents, .role = Role::group, .total = "count"},
    {.record = &kNewBuffer, .role = Role::core},
    {.record = &kPid, .role = Role::core},
    {.record = &kNewCpuId, .role = Role::member, .anchor = kProcessor},
    {.record = &kTscWrap, .role = Role::member, .anchor = kTime},
    {.record = &kFunction, .role = Role::member},
    {.record = &kCustomEvent, .role = Role::member},
    {.record = &kTypedEvent, .role = Role::member},
    {.record = &kEndOfBuffer, .role = Role::member},
    {.record = &kCallArgument, .role = Role::behind},
    {.record = &kBasicArgument, .role = Role::behind},
    {.record = &kProfileHeader, .role = Role::essential},
};

}  // namespace
}  // namespace xray

constinit const Composition kXrayComposition{.format = &kXray, .roles = xray::kRecordRoles, .late = xray::kLateRules};

}  // namespace tracelint
