// Which records of an mlpd file can be left out. In a buffer, times and methods count from the event before (section
// 3), so the events after one that is left out go with it. Each buffer begins anew.
#include "grammars/compositions.hpp"
#include "grammars/formats.hpp"
#include "grammars/mlpd/records.hpp"

namespace tracelint {
namespace mlpd {
namespace {

constexpr RecordRole kRecordRoles[] = {
    {.record = &kHeader, .role = Role::essential},
    {.record = &kBuffer, .role = Role::group, .total = "len"},
};

}  // namespace
}  // namespace mlpd

constinit const Composition kMlpdComposition{.format = &kMlpd, .roles = mlpd::kRecordRoles, .others = Role::member};

}  // namespace tracelint
