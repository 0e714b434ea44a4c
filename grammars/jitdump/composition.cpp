// Which records of a dump can be left out (section 4): a LOAD with the records that describe it, any other by itself.
#include "grammars/compositions.hpp"
#include "grammars/formats.hpp"
#include "grammars/jitdump/records.hpp"
#include "grammars/jitdump/samply/records.hpp"

namespace tracelint {
namespace jitdump {
namespace {

constexpr std::string_view kUnsizedRules[] = {"jitdump/truncated-record",      "jitdump/record-size-too-small",
                                              "jitdump/record-body-too-small", "jitdump/load-code-exceeds-record",
                                              "jitdump/load-trailing-bytes",   "jitdump/load-name-unterminated"};
// The CLOSE in the middle is wrong, not what follows it.
constexpr std::string_view kLateRules[] = {"jitdump/record-after-close"};

constexpr RecordRole kRecordRoles[] = {
    {.record = &kHeader, .role = Role::essential},
    {.record = &kDebugInfo, .role = Role::ahead, .target = &kLoad},
    {.record = &kUnwindingInfo, .role = Role::ahead, .target = &kLoad},
    {.record = &samply::kTree, .role = Role::ahead, .target = &kLoad},
    {.record = &samply::kPositions, .role = Role::ahead, .target = &kLoad},
    {.record = &samply::kInlineInfo, .role = Role::ahead, .target = &kLoad},
};

}  // namespace
}  // namespace jitdump

constinit const Composition kJitdumpComposition{.format = &kJitdump,
                                                .roles = jitdump::kRecordRoles,
                                                .unsized = jitdump::kUnsizedRules,
                                                .late = jitdump::kLateRules};

}  // namespace tracelint
