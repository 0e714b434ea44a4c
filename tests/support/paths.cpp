#include "tests/support/paths.hpp"

#include <cstdlib>

namespace tracelint::paths {

std::string root() { return TRACELINT_ROOT; }
std::string program() {
    const char* other = std::getenv("TRACELINT_PROGRAM");
    return other != nullptr ? other : TRACELINT_PROGRAM;
}
std::string exporter() { return TRACELINT_EXPORT; }
std::string go_pprof() { return TRACELINT_GO_PPROF; }
std::string core_only() { return TRACELINT_CORE_ONLY; }

}  // namespace tracelint::paths
