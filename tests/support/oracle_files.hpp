// What the tests of the oracles go through: generated files, and every file of the corpus.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fuzz/oracles.hpp"
#include "tests/support/corpus.hpp"

namespace tracelint {

// TRACELINT_SEEDS=N asks for another number than usual, TRACELINT_SEEDS=xN for N times as many.
uint64_t seeds(uint64_t usual);

// Whether a file, or a place in it, is among those that are tried where all of them take too long: seeds(1) of each
// `of`.
bool is_sampled(uint64_t number, uint64_t of);

// The number to try after this one: each up to seeds(`first`), then in larger and larger steps.
uint64_t following(uint64_t number, uint64_t first);

// The test fails if there is a complaint.
void hold(const Complaint& complaint);

std::string generated_bytes(const Format& format, uint64_t seed);

struct NamedBytes {
    std::string name;
    std::string bytes;
};

// What is in a gzip container.
std::string unpacked(std::string_view packed);

// Every file of the corpus: base files, real ones as they are and unpacked, cases, crashes.
std::vector<NamedBytes> corpus_bytes(const Format& format);

}  // namespace tracelint
