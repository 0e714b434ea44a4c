// What the libFuzzer targets share: how bytes become the input and the parameters of an oracle, and how a complaint
// aborts the program.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "fuzz/oracles.hpp"
#include "validator/generator/mutate.hpp"
#include "validator/spread.hpp"

namespace tracelint {

inline void require(const Complaint& complaint) {
    if (!complaint) return;
    std::fprintf(stderr, "%s\n", complaint->c_str());
    std::abort();
}

// Parameters such as chunk sizes and cuts, from the last 8 bytes of the input. These remain part of the file, so files
// serve as seeds unchanged.
inline uint64_t parameters_of(Bytes input) {
    uint64_t parameters = 0;
    for (size_t i = 0; i < std::min<size_t>(8, input.size()); ++i)
        parameters = parameters << 8 | input[input.size() - 1 - i];
    return spread(parameters);
}

// The format whose tables the mutator uses: that of the target if it has one, otherwise the recognised one.
inline const Format* known_format(Bytes file) {
#ifdef TRACELINT_FORMAT
    (void)file;
    static const Format* const format = find_format(TRACELINT_FORMAT);
    return format;
#else
    return format_of(file);
#endif
}

// The known format, or one chosen by the parameters.
inline const Format& format_for(Bytes file) {
    const Format* known = known_format(file);
    return known != nullptr ? *known : *formats()[parameters_of(file) % formats().size()];
}

// Choices for the grammars' options; the defaults three times in four.
inline Settings settings_of(uint64_t parameters) {
    static const std::vector<const Option*> options = all_options();
    Settings settings;
    if (parameters % 4 != 0) return settings;
    for (const Option* option : options) settings.set(*option, (parameters >> 8) % option->choices.size());
    return settings;
}

inline Input input_of(Bytes file) {
    const uint64_t parameters = parameters_of(file);
    return {file, parameters % 2 == 0 ? nullptr : &format_for(file), settings_of(parameters >> 16)};
}
// With the format of the target forced.
inline Input forced_input(Bytes file) { return {file, &format_for(file), settings_of(parameters_of(file) >> 16)}; }

// For targets that generate their files. Most files are small, as larger ones add little; scripts/soak generates those.
inline GenerateOptions generate_options(Bytes input) {
    static constexpr uint64_t kSizes[] = {0, 40, 40, 40, 100, 100, 100, 200, 200, 400, 400, 1000};
    const uint64_t parameters = parameters_of(input);
    GenerateOptions options;
    options.seed = parameters;
    options.size = kSizes[(parameters >> 24) % std::size(kSizes)];
    if (parameters % 3 != 0) options.model.byte_order = parameters % 3 == 1 ? ByteOrder::little : ByteOrder::big;
    return options;
}

inline const Generator& generator_for(Bytes input) {
    return generator_of(*formats()[(parameters_of(input) >> 32) % formats().size()]);
}

}  // namespace tracelint
