// The list of formats: a folder here, a line below. Whatever else lists them is made of it.
#pragma once

#include "validator/format.hpp"

#define TRACELINT_FORMATS(FORMAT) \
    FORMAT(Jitdump)               \
    FORMAT(Xray)                  \
    FORMAT(Gperftools)            \
    FORMAT(Mlpd)                  \
    FORMAT(Perfmap)               \
    FORMAT(Perfdata)              \
    FORMAT(Pprof)                 \
    FORMAT(Nettrace)

namespace tracelint {

#define TRACELINT_DECLARED(name) extern const Format k##name;
TRACELINT_FORMATS(TRACELINT_DECLARED)
#undef TRACELINT_DECLARED

#define TRACELINT_LISTED(name) &k##name,
inline constexpr const Format* kFormats[] = {TRACELINT_FORMATS(TRACELINT_LISTED)};
#undef TRACELINT_LISTED

}  // namespace tracelint
