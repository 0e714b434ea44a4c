// Hostile gperftools CPU profiles.
#include <algorithm>

#include "tests/files/hostile.hpp"
#include "tests/files/profile_file.hpp"

namespace tracelint::files {
namespace gperftools_shapes {
namespace {

// As many distinct addresses as fit.
void addresses(const Target& to) {
    ProfileFile file(to);
    uint64_t next = kProgram;
    while (file.wants_more()) {
        std::vector<uint64_t> chain;
        for (int i = 0; i < 50; ++i) chain.push_back(next += 16 + 16 * file.below(200));
        file.record(1, chain);
    }
    file.trailer();
    file.mapping(kProgram, next + 16 - next % 16 + kPage - (next + 16 - next % 16) % kPage, "/usr/bin/program");
}

// Three addresses per two mappings: 60,000 and 40,000 in 4 MB.
void mappings(const Target& to) {
    ProfileFile file(to);
    const uint64_t count = to.bytes / 100;
    const auto start_of = [](uint64_t i) { return kProgram + 2 * i * kPage; };
    for (uint64_t i = 0; i < count * 3 / 2; ++i) file.record(1, {start_of(file.below(count)) + 8 * file.below(512)});
    file.trailer();
    for (uint64_t i = 0; i < count; ++i) file.mapping(start_of(i), start_of(i) + kPage, "");
}

// Addresses that share a slot in the tables of recent addresses, as return addresses and as sampled PCs.
void collisions(const Target& to) {
    ProfileFile file(to);
    for (uint64_t number = 1; file.wants_more(); number += 3)
        file.record(1, {colliding(number), colliding(number + 1), colliding(number + 2 + file.below(10))});
    file.trailer();
}

void few_addresses(const Target& to) {
    ProfileFile file(to);
    while (file.wants_more()) file.record(1, {kProgram + file.below(5000), kProgram + file.below(5000)});
    file.trailer();
    file.mapping(kProgram, kProgram + 2 * kPage, "/usr/bin/program");
}

void deep_chains(const Target& to) {
    ProfileFile file(to);
    std::vector<uint64_t> chain(60'000);
    while (file.wants_more()) {
        chain.resize(std::min<uint64_t>(60'000, file.wanted() / 8 + 1));
        for (uint64_t& pc : chain) pc = kProgram + 16 * file.below(1'000'000);
        file.record(1, chain);
    }
    file.trailer();
}

void large_depths(const Target& to) {
    ProfileFile file(to);
    while (file.wants_more()) file.slots({1, kNone >> file.below(64), kProgram});
    file.trailer();
}

// Two of three lines overlap others, in random order.
void overlapping(const Target& to) {
    ProfileFile file(to);
    file.record(1, {kProgram});
    file.trailer();
    for (uint64_t i = 0; file.wants_more(); ++i) {
        const uint64_t start = kProgram + kPage * (shuffled(i) % 4'000'000);
        file.mapping(start, start + kPage * (1 + file.below(3)), "a");
    }
}

// Short lines, none of which overlaps another, in random order.
void scattered(const Target& to) {
    ProfileFile file(to);
    file.record(1, {kProgram});
    file.trailer();
    for (uint64_t i = 0; file.wants_more(); ++i) {
        const uint64_t start = kPage * (1 + 2 * (shuffled(i) % (1 << 24)));
        std::array<char, 64> line;
        const int length = std::snprintf(line.data(), line.size(), "%lx-%lx:\n", start, start + kPage);
        file.bytes({line.data(), static_cast<size_t>(length)});
        file.flush_if_large();
    }
}

// Each mapping encloses the one before.
void nested(const Target& to) {
    ProfileFile file(to);
    file.record(1, {kProgram});
    file.trailer();
    for (uint64_t i = 0; file.wants_more(); ++i) file.mapping(kProgram - i * kPage, kProgram + (i + 1) * kPage, "a");
}

void long_line(const Target& to) {
    ProfileFile file(to);
    file.record(1, {kProgram});
    file.trailer();
    file.fill(to.bytes, 'a');
}

void empty_lines(const Target& to) {
    ProfileFile file(to);
    file.record(1, {kProgram});
    file.trailer();
    file.fill(to.bytes, '\n');
}

// Lines that start like mapping lines, have very long numbers, or refer to the build variable.
void odd_lines(const Target& to) {
    ProfileFile file(to);
    file.record(1, {kProgram});
    file.trailer();
    while (file.wants_more()) {
        switch (file.below(4)) {
            case 0: file.bytes("build=/" + std::string(file.below(200), 'b') + '\n'); break;
            case 1: file.bytes("1000-2000: $build$build\n"); break;
            case 2:
                file.bytes(std::string(file.below(200), '0') + '-' + std::string(file.below(200), 'f') + '\n');
                break;
            default: file.bytes("1-2 r-xp 0 0:0 0 " + std::string(file.below(20), ' ') + "x\n"); break;
        }
        file.flush_if_large();
    }
}

void joined(const Target& to) {
    ProfileFile file(to);
    while (file.wants_more()) {
        file.record(1, {kProgram, kProgram + 16});
        file.trailer();
        file.header();
        file.flush_if_large();
    }
    file.trailer();
}

void zeros(const Target& to) {
    ProfileFile file(to);
    file.fill(to.bytes, '\0');
}

// Ids and their locations, in different orders and with duplicates.
void java(const Target& to) {
    OutputFile file(to);
    const auto slots = [&](std::initializer_list<uint64_t> values) {
        for (const uint64_t value : values) file.number(value, 8);
    };
    slots({0, 3, 1, 10'000, 0});
    const uint64_t count = to.bytes / 50;
    for (uint64_t i = 0; i < count; ++i) slots({1, 1, 1 + shuffled(i)}), file.flush_if_large();
    slots({0, 1, 0});
    while (file.wants_more()) {
        file.bytes("0x" + std::to_string(1 + shuffled(file.below(count))) + " com.example.Some.method\n");
        file.flush_if_large();
    }
}

constexpr HostileFile kFiles[] = {
    {"gperftools-addresses", "distinct addresses", addresses},
    {"gperftools-mappings", "three addresses per two mappings", mappings},
    {"gperftools-collisions", "addresses that share a slot in hash tables", collisions},
    {"gperftools-few-addresses", "a few thousand addresses, repeated", few_addresses},
    {"gperftools-deep-chains", "chains of 60,000 addresses", deep_chains},
    {"gperftools-large-depths", "depths up to 2^64", large_depths},
    {"gperftools-overlapping", "overlapping mappings in random order", overlapping},
    {"gperftools-scattered", "disjoint mappings in random order", scattered},
    {"gperftools-nested", "nested mappings", nested},
    {"gperftools-long-line", "a line as long as the file", long_line},
    {"gperftools-empty-lines", "empty lines", empty_lines},
    {"gperftools-odd-lines", "lines similar to mappings", odd_lines},
    {"gperftools-joined", "concatenated small profiles", joined},
    {"gperftools-zeros", "only zeros after the header", zeros},
    {"gperftools-java", "ids and locations in different orders", java},
};

}  // namespace
}  // namespace gperftools_shapes

std::span<const HostileFile> hostile_gperftools() { return gperftools_shapes::kFiles; }

}  // namespace tracelint::files
