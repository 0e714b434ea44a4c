// tracelint_soak [FORMAT|all [FILES-PER-FAULT [CLEAN-FILES [FIRST-SEED]]]]: runs a soak and prints its table. The exit
// status is 1 if a planted fault was not found or a generated file was not clean.
#include "fuzz/soak.hpp"

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
    using namespace tracelint;
    const auto number = [&](int at, uint64_t otherwise) {
        return argc > at ? std::strtoull(argv[at], nullptr, 0) : otherwise;
    };
    SoakOptions options;
    options.seeds_per_fault = number(2, 4000);
    options.clean_files = number(3, 100'000);
    options.first_seed = number(4, 1);
    bool failed = false;
    for (const Format* format : formats()) {
        if (argc > 1 && argv[1] != std::string_view("all") && format->id != argv[1]) continue;
        const SoakResult result = soak(generator_of(*format), options);
        std::printf("%.*s\n%s", static_cast<int>(format->id.size()), format->id.data(), table_of(result).c_str());
        for (const std::string& complaint : result.complaints) std::printf("%s\n", complaint.c_str());
        failed = failed || result.not_clean != 0 || result.found() != result.planted();
    }
    return failed ? 1 : 0;
}
