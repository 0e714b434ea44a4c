// The list of hostile files.
#include "tests/files/hostile.hpp"

namespace tracelint::files {

std::vector<HostileFile> all_hostile() {
    std::vector<HostileFile> all;
    for (const std::span<const HostileFile> some :
         {hostile_jitdump(), hostile_samply(), hostile_xray(), hostile_gperftools(), hostile_mlpd(), hostile_perfdata(),
          hostile_perfmap(), hostile_pprof(), hostile_nettrace(), hostile_gzip(), hostile_zstd()})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

}  // namespace tracelint::files
