// Which records of a toy trace can be left out (section 4): any, but not the header.
#include "tests/toy/compositions.hpp"
#include "tests/toy/formats.hpp"
#include "tests/toy/records.hpp"

namespace tracelint {
namespace toy {
namespace {

constexpr RecordRole kRoles[] = {{.record = &kHeader, .role = Role::essential}};

}  // namespace
}  // namespace toy

constinit const Composition kToyComposition{.format = &kToy, .roles = toy::kRoles};

}  // namespace tracelint
