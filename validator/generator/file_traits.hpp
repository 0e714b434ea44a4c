// Generated files of a chosen byte order and version, with or without records of extensions.
#pragma once

#include <optional>

#include "validator/generator/generator.hpp"

namespace tracelint {

// What is in the file; those left empty are drawn.
struct FileTraits {
    std::optional<ByteOrder> byte_order;
    std::optional<uint64_t> version;  // of the format
    std::optional<bool> extensions;   // whether it has records of the format's extensions

    bool operator==(const FileTraits&) const = default;
};

// Whether a file with the traits can break the rule: not one of an extension whose records it does not have.
bool can_break(const Format& format, const Rule& rule, const FileTraits& traits);

// The options with the first seed from options.seed on whose file has the traits. Nothing if none of many seeds has
// one: the format has no such files, or its generator writes none.
std::optional<GenerateOptions> options_with(const Generator& generator, GenerateOptions options,
                                            const FileTraits& traits);

// Plants a fault that breaks the rule in the first of up to `tries` generated files with the traits that has a place
// for one. Seeds count up from options.seed. Nothing if no file has a place, or no fault breaks the rule.
std::optional<PlantedFile> plant(const Generator& generator, const Rule& rule, GenerateOptions options,
                                 const FileTraits& traits = {}, unsigned tries = 100);

}  // namespace tracelint
