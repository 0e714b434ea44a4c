// The mutator for fuzzers of other programs: turns an input into a trace that is valid, has one fault, or is broken in
// a few places. validator/bindings/mutator/ exports it.
#pragma once

#include <vector>

#include "validator/generator/file_traits.hpp"
#include "validator/generator/mutate.hpp"
#include "validator/generator/wrapped.hpp"

namespace tracelint {

struct TraceMutatorOptions {
    std::vector<const Format*> formats;  // never empty
    FileTraits traits;                   // of traces that are generated
    // How often, in any unit, the result is a valid trace, one with a single planted fault, or a mutation of the input.
    // Half of the faults are planted in the input if a check finds no error and no warning in it.
    // Not all are 0.
    unsigned valid = 10, faulty = 30, broken = 60;
    uint64_t size = 512;                   // bytes of a generated trace, at most about
    std::optional<Container> container{};  // of results; empty: that of the input
};

// Reads "format=jitdump+xray,byte_order=big,version=3,extensions=no,mix=10:30:60,size=512,container=gzip"; empty: all
// formats. `fault` receives what is wrong.
std::optional<TraceMutatorOptions> read_mutator_options(std::string_view text, std::string& fault);

class TraceMutator {
  public:
    explicit TraceMutator(TraceMutatorOptions options);

    // Changes `data`, which has room for `max_size` bytes, and returns the new size. The same arguments give the same
    // bytes. A gzip or zstd file is opened, if it holds at most 1 MiB, and its trace is changed. What does not fit is
    // replaced by a change of `plain`, or, if that is null, of a byte. Takes memory in proportion to the size of the
    // input's trace and of generated ones; throws std::bad_alloc without it.
    size_t mutate(uint8_t* data, size_t size, size_t max_size, uint64_t seed, PlainMutator plain) const;
    // Inserts records of `other` into `file`. Fills `to`, which has room for `max_size` bytes, and returns how many it
    // has; 0 if the result does not fit.
    size_t cross(Bytes file, Bytes other, uint8_t* to, size_t max_size, uint64_t seed) const;

  private:
    struct Source {
        const Format* format;
        std::vector<PlantedFault> faults;
    };
    const Source& source_of(Bytes file, Random& random) const;
    std::string generated(const Source& source, Random& random) const;
    std::string faulty(const Source& source, Bytes file, Random& random) const;
    std::string broken(const Source& source, Bytes file, Random& random) const;
    // Puts a trace into the container that the options say, or else into that of the input.
    std::string in_container(std::string trace, const std::optional<Unwrapped>& input) const;

    TraceMutatorOptions options_;
    std::vector<Source> sources_;
};

// Changes a byte or the length, for fuzzers that bring no plain mutator.
size_t change_bytes(Random& random, uint8_t* data, size_t size, size_t max_size);

}  // namespace tracelint
