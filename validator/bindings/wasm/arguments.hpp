// The words that the host gives a run.
#pragma once

#include <wasi/api.h>

#include <cstdint>
#include <vector>

namespace tracelint {

// The arguments of a run, the program's name first. Reads nothing if the host gives none.
class HostArguments {
  public:
    HostArguments() {
        size_t count = 0, bytes = 0;
        if (__wasi_args_sizes_get(&count, &bytes) != 0 || count == 0) return;
        text_.resize(bytes + 1);
        words_.resize(count);
        if (__wasi_args_get(reinterpret_cast<uint8_t**>(words_.data()), reinterpret_cast<uint8_t*>(text_.data())) != 0)
            words_.clear();
    }

    bool empty() const { return words_.empty(); }
    char** begin() { return words_.data(); }
    char** end() { return words_.data() + words_.size(); }

  private:
    std::vector<char> text_;
    std::vector<char*> words_;
};

}  // namespace tracelint
