// The mutator as C, and as libFuzzer and AFL++ call it.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "validator/bindings/mutator/tracelint_mutator.h"
#include "validator/generator/trace_mutator.hpp"

// libFuzzer's. Absent in other fuzzers.
extern "C" __attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

struct tracelint_mutator {
    tracelint::TraceMutator mutator;
};

namespace tracelint {
namespace {

constexpr const char* kVariable = "TRACELINT_MUTATOR";

// Null in other fuzzers.
PlainMutator plain_mutator() { return LLVMFuzzerMutate; }

void put(std::string_view text, char* to, size_t size) {
    if (to == nullptr || size == 0) return;
    const size_t length = std::min(text.size(), size - 1);
    std::memcpy(to, text.data(), length);
    to[length] = '\0';
}

// With the options of the environment; null, after a complaint, if they are wrong.
tracelint_mutator* from_environment() {
    const char* const options = std::getenv(kVariable);
    char fault[256];
    tracelint_mutator* const mutator = tracelint_mutator_new(options == nullptr ? "" : options, fault, sizeof fault);
    if (mutator == nullptr) std::fprintf(stderr, "%s: %s\n", kVariable, fault);
    return mutator;
}

// libFuzzer hands nothing from call to call.
const tracelint_mutator& of_process() {
    static const tracelint_mutator* const mutator = [] {
        const tracelint_mutator* const made = from_environment();
        if (made == nullptr) std::_Exit(2);
        return made;
    }();
    return *mutator;
}

// AFL++'s: each call has the next number.
struct AflState {
    std::unique_ptr<tracelint_mutator, void (*)(tracelint_mutator*)> mutator;
    uint64_t seed;
    uint64_t calls = 0;
    std::vector<uint8_t> out{};
};

}  // namespace
}  // namespace tracelint

extern "C" {

tracelint_mutator* tracelint_mutator_new(const char* options, char* fault, size_t fault_size) {
    using namespace tracelint;
    try {
        std::string why;
        auto read = read_mutator_options(options == nullptr ? "" : options, why);
        if (read) return new tracelint_mutator{TraceMutator(*std::move(read))};
        put(why, fault, fault_size);
    } catch (const std::bad_alloc&) {
        put("out of memory", fault, fault_size);
    }
    return nullptr;
}

void tracelint_mutator_free(tracelint_mutator* mutator) { delete mutator; }

size_t tracelint_mutator_mutate(const tracelint_mutator* mutator, uint8_t* data, size_t size, size_t max_size,
                                uint64_t seed) {
    try {
        return mutator->mutator.mutate(data, size, max_size, seed, tracelint::plain_mutator());
    } catch (...) {
        tracelint::Random random(seed);
        return tracelint::change_bytes(random, data, size, max_size);
    }
}

size_t tracelint_mutator_cross(const tracelint_mutator* mutator, const uint8_t* first, size_t first_size,
                               const uint8_t* second, size_t second_size, uint8_t* to, size_t max_size, uint64_t seed) {
    try {
        return mutator->mutator.cross({first, first_size}, {second, second_size}, to, max_size, seed);
    } catch (...) {
        return 0;
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
    return tracelint_mutator_mutate(&tracelint::of_process(), data, size, max_size, seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t* data1, size_t size1, const uint8_t* data2, size_t size2, uint8_t* out,
                                 size_t max_size, unsigned seed) {
    return tracelint_mutator_cross(&tracelint::of_process(), data1, size1, data2, size2, out, max_size, seed);
}

void* afl_custom_init(void*, unsigned seed) {
    using namespace tracelint;
    tracelint_mutator* const mutator = from_environment();
    if (mutator == nullptr) return nullptr;
    return new (std::nothrow) AflState{{mutator, tracelint_mutator_free}, seed};
}

size_t afl_custom_fuzz(void* data, uint8_t* buffer, size_t size, uint8_t** out, uint8_t*, size_t, size_t max_size) {
    auto& state = *static_cast<tracelint::AflState*>(data);
    try {
        state.out.resize(std::max(max_size, size));
    } catch (...) {
        *out = buffer;
        return size;
    }
    std::copy_n(buffer, size, state.out.data());
    *out = state.out.data();
    const uint64_t seed = state.seed << 32 | ++state.calls;
    return tracelint_mutator_mutate(state.mutator.get(), state.out.data(), size, state.out.size(), seed);
}

// That it is there tells AFL++ to pass no second input.
void afl_custom_splice_optout(void*) {}

void afl_custom_deinit(void* data) { delete static_cast<tracelint::AflState*>(data); }

}  // extern "C"
