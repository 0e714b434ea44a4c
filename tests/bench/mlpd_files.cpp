// Mono log-profiler files of data version 17: calls and allocations, and hostile files.
#include <vector>

#include "tests/bench/files.hpp"
#include "tests/bench/real_files.hpp"
#include "tests/files/mono_file.hpp"

namespace tracelint::bench {
namespace {

using namespace files;

constexpr uint64_t kMethodCount = 4000, kVtableCount = 500;

void definitions(MonoFile& file) {
    file.open_buffer(1);
    file.image_load(), file.class_load();
    for (uint64_t i = 0; i < kVtableCount; ++i) file.vtable_load(vtable_of(i));
    for (uint64_t i = 0; i < kMethodCount / 4; ++i) file.jit(method_of(i));
    file.close_buffer();
    for (uint64_t part = 1; part < 4; ++part) {
        file.open_buffer(1);
        for (uint64_t i = 0; i < kMethodCount / 4; ++i) file.jit(method_of(part * kMethodCount / 4 + i));
        file.close_buffer();
    }
}

// Calls, returns and allocations in random order, in four threads.
void calls(const Target& to) {
    MonoFile file(to);
    definitions(file);
    std::vector<uint64_t> open[4];
    for (uint64_t buffer = 0, object = 0; file.wants_more(); ++buffer) {
        std::vector<uint64_t>& stack = open[buffer % 4];
        file.open_buffer(100 + buffer % 4);
        while (!file.is_full()) {
            const uint64_t dice = file.below(10);
            if (dice < 2) {
                file.alloc(vtable_of(file.below(kVtableCount)), kObjects + 8 * (object++ % 100'000));
            } else if (stack.empty() || (stack.size() < 60 && dice < 6)) {
                stack.push_back(method_of(file.below(kMethodCount)));
                file.call(kEnter, stack.back());
            } else {
                file.call(kLeave, stack.back());
                stack.pop_back();
            }
        }
        file.close_buffer();
    }
}

const File kFiles[] = {
    {"real-mono-calls", "calls, and the metadata of a run between them", 128 * kMegabyte, mono_calls, mlpd_readers()},
    {"real-mono", "runs with allocations, heap snapshots, samples and calls", 128 * kMegabyte, mono_runs,
     mlpd_readers()},
    {"mono-calls", "calls, returns and allocations in four threads", 500 * kMegabyte, calls, mlpd_readers()},
    hostile("mlpd-methods"),
    hostile("mlpd-absent-leaves"),
    hostile("mlpd-handles"),
    hostile("mlpd-heap"),
    hostile("mlpd-threads"),
};

}  // namespace

std::span<const File> mlpd_files() { return kFiles; }

}  // namespace tracelint::bench
