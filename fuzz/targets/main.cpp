// tracelint_fuzzer: all fuzz targets. What a fuzzer calls: its arguments choose the target, then it runs, mutates and
// crosses inputs.
//   --target=NAME    the target; otherwise the name under which the program was started
//   --list-targets   writes a line for each target: name, kinds of seeds, what it holds its input to; between tabs
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "fuzz/targets/target.hpp"
#include "validator/generator/mutate.hpp"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace tracelint {
namespace {

// A fuzzer hands nothing from call to call, so the target belongs to the process.
NamedTarget& target_of_process() {
    static NamedTarget target;
    return target;
}

void list_targets() {
    for (const NamedTarget& target : all_targets()) {
        std::string line = target.name() + '\t';
        for (const std::string_view kind : target.kinds_of_seeds()) line.append(kind).append(" ");
        line.back() = '\t';
        std::puts(line.append(target.target->statement).c_str());
    }
}

std::string_view asked_name(std::span<char* const> arguments) {
    constexpr std::string_view kOption = "--target=";
    for (const std::string_view argument : arguments)
        if (argument.starts_with(kOption)) return argument.substr(kOption.size());
    const std::string_view program = arguments.empty() ? "" : arguments.front();
    return program.substr(program.rfind('/') + 1);
}

NamedTarget find_target(std::string_view name) {
    for (const NamedTarget& target : all_targets())
        if (target.name() == name) return target;
    std::string message = "no target '" + std::string(name) + "'; --target=NAME takes one of:";
    for (const NamedTarget& target : all_targets()) message += "\n  " + target.name();
    std::fprintf(stderr, "%s\n", message.c_str());
    std::exit(2);
}

void choose_target(std::span<char* const> arguments) {
    for (const std::string_view argument : arguments) {
        if (argument != "--list-targets") continue;
        list_targets();
        std::exit(0);
    }
    target_of_process() = find_target(asked_name(arguments));
    std::fprintf(stderr, "target: %s\n", target_of_process().name().c_str());
}

FuzzInput input_of(const uint8_t* data, size_t size) { return FuzzInput({data, size}, target_of_process().format); }

bool is_structured() { return target_of_process().target->mutator == FuzzMutator::structured; }

}  // namespace
}  // namespace tracelint

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
    tracelint::choose_target({*argv, static_cast<size_t>(*argc)});
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    const Complaint complaint = target_of_process().target->run(input_of(data, size));
    if (!complaint) return 0;
    std::fprintf(stderr, "%s\n", complaint->c_str());
    std::abort();
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
    using namespace tracelint;
    if (!is_structured()) return LLVMFuzzerMutate(data, size, max_size);
    return mutate(input_of(data, size).known_format(), data, size, max_size, seed, LLVMFuzzerMutate);
}

// libFuzzer takes 0 for a failed attempt and chooses a mutator again. LLVMFuzzerMutate crosses inputs by itself, so
// plain targets are mutated as without these functions.
extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* data, size_t size, const uint8_t* other, size_t other_size,
                                            uint8_t* out, size_t max_size, unsigned seed) {
    using namespace tracelint;
    if (!is_structured()) return 0;
    const std::string mixed = spliced(input_of(data, size).format(), {data, size}, {other, other_size}, seed);
    const size_t length = std::min(mixed.size(), max_size);
    std::memcpy(out, mixed.data(), length);
    return length;
}
