// Which parts of a nettrace file can be left out: any block, with its object (section 3.1). In a block, most of an
// event is written relative to the one before.
#include "grammars/compositions.hpp"
#include "grammars/formats.hpp"
#include "grammars/nettrace/records.hpp"

namespace tracelint {
namespace nettrace {
namespace {

constexpr std::string_view kMissingEnd = "nettrace/missing-end-of-stream";

constexpr std::string_view kLateRules[] = {"nettrace/missing-end-tag"};
// No time of an event can be told.
constexpr std::string_view kFatalRules[] = {"nettrace/first-object-not-trace"};

constexpr RecordRole kRecordRoles[] = {
    {.record = &kHeader, .role = Role::essential},
    {.record = &kTrace, .role = Role::essential},
    {.record = &kObject, .role = Role::group},
    {.record = &kPlainBlock, .role = Role::group, .total = "size"},
    {.record = &kBlockStart, .role = Role::core, .total = "size", .alignment = 4},
    {.record = &kObjectEnd, .role = Role::group_end, .last_version = kNettrace4},
    {.record = &kEvent, .role = Role::member},
    {.record = &kPlainEvent, .role = Role::member},
    {.record = &kOldRowHeader, .role = Role::group, .last_version = 2},
    {.record = &kOldEvent, .role = Role::group, .last_version = 2},
    {.record = &kEndLabel, .role = Role::essential},
    {.record = &kStreamEnd,
     .role = Role::closing,
     .target = &kHeader,
     .missing = kMissingEnd,
     .last_version = kNettrace4},
    {.record = &kPlainBlock,
     .role = Role::closing,
     .target = &kHeader,
     .missing = kMissingEnd,
     .first_version = kPlainBlocks},
    {.record = &kTrailing, .role = Role::alone},
};

}  // namespace
}  // namespace nettrace

constinit const Composition kNettraceComposition{.format = &kNettrace,
                                                 .roles = nettrace::kRecordRoles,
                                                 .others = Role::core,
                                                 .late = nettrace::kLateRules,
                                                 .fatal = nettrace::kFatalRules};

}  // namespace tracelint
