// perf.data: compressed records (section 3.9). The blocks of the stream are stored, not compressed, so that the files
// are the same whatever version of libzstd there is, or none.
#pragma once

#include <string>
#include <vector>

#include "validator/generator/random.hpp"

namespace tracelint::perfdata {

// The one zstd stream of a file, which is never ended.
class StoredStream {
  public:
    // The next payloads: plain bytes in blocks, cut anywhere. The first payload of a stream has its whole magic.
    std::vector<std::string> payloads(Random& random, std::string_view plain);

  private:
    bool has_begun_ = false;
};

}  // namespace tracelint::perfdata
