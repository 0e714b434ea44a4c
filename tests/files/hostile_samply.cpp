// Hostile records of samply.
#include <algorithm>

#include "tests/files/hostile.hpp"
#include "tests/files/tree_record.hpp"

namespace tracelint::files {
namespace samply_shapes {
namespace {

constexpr uint64_t kLargestRecord = 16 << 20;

// How many elements of `bytes` bytes fit in a record of the file.
uint32_t that_fit(const JitdumpFile& file, uint64_t bytes) {
    return static_cast<uint32_t>(std::clamp<uint64_t>(file.wanted(), 1000, kLargestRecord) / bytes);
}

void add(Numbers& list, std::initializer_list<uint32_t> numbers) {
    for (const uint32_t number : numbers) list.push_back(number);
}

void call(Tree& tree, uint32_t depth, uint32_t ranges) { add(tree.calls, {depth, ranges, 1, 7, 3}); }

// Two calls with overlapping ranges in random order.
void wild_ranges(const Target& to) {
    JitdumpFile file(to);
    for (uint64_t index = 1; file.wants_more(); ++index) {
        Tree tree = with_functions();
        const uint32_t ranges = that_fit(file, 16);
        for (uint32_t depth = 0; depth < 2; ++depth) call(tree, depth, ranges);
        for (uint32_t i = 0; i < 2 * ranges; ++i)
            add(tree.ranges,
                {static_cast<uint32_t>(file.below(1'000'000'000)), static_cast<uint32_t>(file.below(2000))});
        tree_record(file, tree);
        file.load_record(0x1000, 1, index, "");
    }
}

// Nested calls with the same disjoint ranges, each in another order.
void levels(const Target& to, uint32_t depths) {
    JitdumpFile file(to);
    for (uint64_t index = 1; file.wants_more(); ++index) {
        Tree tree = with_functions();
        const uint32_t ranges = std::max(1u, that_fit(file, 8 * uint64_t{depths}));
        Numbers order(ranges);
        for (uint32_t i = 0; i < ranges; ++i) order[i] = 3 * i;
        for (uint32_t depth = 0; depth < depths; ++depth) {
            call(tree, depth, ranges);
            for (uint32_t i = ranges; i > 1; --i) std::swap(order[i - 1], order[file.below(i)]);
            for (const uint32_t start : order) add(tree.ranges, {start, 2});
        }
        tree_record(file, tree);
        file.load_record(0x1000, uint64_t{3} * ranges, index, "");
    }
}
void shuffled_ranges(const Target& to) { levels(to, 1); }
void nested_ranges(const Target& to) { levels(to, 64); }

// Each call is nested in the one before.
void deep_calls(const Target& to) {
    JitdumpFile file(to);
    for (uint64_t index = 1; file.wants_more(); ++index) {
        Tree tree = with_functions();
        const uint32_t calls = that_fit(file, 28);
        for (uint32_t depth = 0; depth < calls; ++depth) {
            call(tree, depth, 1);
            add(tree.ranges, {depth, 2 * (calls - depth)});
        }
        tree_record(file, tree);
        file.load_record(0x1000, 1, index, "");
    }
}

// Depths that jump up too far, and back down.
void wild_depths(const Target& to) {
    JitdumpFile file(to);
    for (uint64_t index = 1; file.wants_more(); ++index) {
        Tree tree = with_functions();
        const uint32_t calls = that_fit(file, 28);
        for (uint32_t i = 0; i < calls; ++i) {
            call(tree, i % 1000 == 0 ? 0 : static_cast<uint32_t>(file.below(calls)), 1);
            add(tree.ranges, {i, 1});
        }
        tree_record(file, tree);
        file.load_record(0x1000, 1, index, "");
    }
}

void strings(const Target& to, std::string (*text)(JitdumpFile& file, uint32_t number), uint64_t bytes) {
    JitdumpFile file(to);
    for (uint64_t index = 1; file.wants_more(); ++index) {
        Tree tree = with_functions();
        tree.names.clear();
        tree.name_count = 0;
        for (uint32_t i = 0, count = that_fit(file, bytes); i < count; ++i)
            add_string(tree.names, tree.name_count, text(file, i));
        pad(tree.names);
        tree_record(file, tree);
        file.load_record(0x1000, 1, index, "");
    }
}
void short_strings(const Target& to) {
    strings(to, [](JitdumpFile& file, uint32_t) { return std::string(1, static_cast<char>('a' + file.below(26))); }, 8);
}
void alike_strings(const Target& to) {
    strings(to, [](JitdumpFile&, uint32_t number) { return std::string(200, 'a') + std::to_string(number); }, 208);
}
void empty_strings(const Target& to) {
    strings(to, [](JitdumpFile&, uint32_t) { return std::string(); }, 1);
}

// The text of 16 bytes to which libstdc++'s std::hash gives the same value for every number.
std::string colliding_text(uint64_t number) {
    constexpr uint64_t kFactor = 0xc6a4a7935bd1e995, kSeed = 0xc70f6907, kAny = 0x123456789abcdef0;
    const auto mixed = [](uint64_t block) {
        block *= kFactor;
        return (block ^ block >> 47) * kFactor;
    };
    const auto unmixed = [](uint64_t block) {
        uint64_t inverse = kFactor;  // correct in the lowest 3 bits; each step doubles their number
        for (int i = 0; i < 5; ++i) inverse *= 2 - kFactor * inverse;
        block *= inverse;
        return (block ^ block >> 47) * inverse;
    };
    const uint64_t first = 0x0101010101010101 + spread(number) / 2;
    const uint64_t second = unmixed(((kSeed ^ 16 * kFactor) ^ mixed(first)) * kFactor ^ kAny);
    std::string text(16, '\0');
    store(reinterpret_cast<uint8_t*>(text.data()), 8, ByteOrder::little, first);
    store(reinterpret_cast<uint8_t*>(text.data()) + 8, 8, ByteOrder::little, second);
    return text;
}

void colliding_strings(const Target& to) {
    uint64_t number = 0;
    JitdumpFile file(to);
    for (uint64_t index = 1; file.wants_more(); ++index) {
        Tree tree = with_functions();
        tree.names.clear();
        tree.name_count = 0;
        for (const uint32_t count = that_fit(file, 17); tree.name_count < count;) {
            const std::string text = colliding_text(++number);
            if (text.find('\0') == text.npos) add_string(tree.names, tree.name_count, text);
        }
        pad(tree.names);
        tree_record(file, tree);
        file.load_record(0x1000, 1, index, "");
    }
}

// Half of each tree is one name, which the other half refers to.
void long_name(const Target& to) {
    JitdumpFile file(to);
    for (uint64_t index = 1; file.wants_more(); ++index) {
        Tree tree = with_functions();
        const uint32_t half = that_fit(file, 2);
        tree.names.clear();
        tree.name_count = 0;
        add_string(tree.names, tree.name_count, std::string(half, 'n'));
        pad(tree.names);
        tree.functions.clear();
        for (uint32_t i = 0; i < half / 20; ++i) add(tree.functions, {0, i % 3, i, 0, 0});
        tree_record(file, tree);
        file.load_record(0x1000, 1, index, "");
    }
}

void lines(const Target& to) {
    JitdumpFile file(to);
    for (uint64_t index = 1; file.wants_more(); ++index) {
        Tree tree = with_functions();
        for (uint32_t i = 0, count = that_fit(file, 16); i < count; ++i)
            add(tree.lines, {static_cast<uint32_t>(file.below(count)), i % 5, i, 0});
        tree_record(file, tree);
        file.load_record(0x1000, 1, index, "");
    }
}

void small_trees(const Target& to) {
    JitdumpFile file(to);
    Tree tree;
    add_string(tree.files, tree.file_count, "f"), add_string(tree.names, tree.name_count, "f");
    pad(tree.files), pad(tree.names);
    add(tree.functions, {0, 0, 0, 0, 0});
    while (file.wants_more()) tree_record(file, tree);
}

void large_counts(const Target& to) {
    JitdumpFile file(to);
    for (uint64_t index = 1; file.wants_more(); ++index) {
        file.prefix(index % 2 == 0 ? samply::kTreeId : samply::kPositionsId, 48);
        for (int i = 0; i < 8; ++i) file.number(file.below(3) == 0 ? 0xffffffff : 1, 4);
        if (index % 8 == 0) file.load_record(0x1000, 1, index, "");
    }
}

// Positions with the callers `caller(index, count)`.
void positions(const Target& to, uint32_t (*caller)(uint32_t number, uint32_t count)) {
    JitdumpFile file(to);
    for (uint64_t index = 1; file.wants_more(); ++index) {
        const uint32_t count = that_fit(file, 36);
        file.prefix(samply::kPositionsId, 48 + 36 * uint64_t{count} + 2);
        for (const uint64_t number : {uint64_t{0x1000}, uint64_t{count}, uint64_t{count}, uint64_t{1}})
            file.number(number, 8);
        for (uint32_t i = 0; i < count; ++i) file.number(i, 4), file.number(i, 4);
        for (uint32_t i = 0; i < count; ++i)
            for (const uint32_t number : {caller(i, count), 0u, 0u, 1u, 1u, 1u, 1u}) file.number(number, 4);
        file.bytes("f"), file.number(0, 1);
        file.load_record(0x1000, 1, index, "");
    }
}
void long_chain(const Target& to) {
    positions(to, [](uint32_t number, uint32_t count) { return number + 1 < count ? number + 1 : 0xffffffff; });
}
void large_ring(const Target& to) {
    positions(to, [](uint32_t number, uint32_t count) { return number == 0 ? count - 1 : number - 1; });
}
void small_rings(const Target& to) {
    positions(to, [](uint32_t number, uint32_t) { return number ^ 1; });
}

constexpr HostileFile kFiles[] = {
    {"samply-ranges", "trees with a million overlapping ranges", wild_ranges},
    {"samply-shuffled", "one call with disjoint ranges in random order", shuffled_ranges},
    {"samply-nested", "64 nested calls with ranges in random order", nested_ranges},
    {"samply-deep", "very deeply nested calls", deep_calls},
    {"samply-depths", "depths that jump up and down", wild_depths},
    {"samply-strings", "trees with two million equal names", short_strings},
    {"samply-alike-strings", "names with the same first 200 bytes", alike_strings},
    {"samply-empty-strings", "empty names", empty_strings},
    {"samply-colliding-strings", "names to which a common hash gives the same value", colliding_strings},
    {"samply-long-name", "one long name of all functions", long_name},
    {"samply-lines", "lines in random order", lines},
    {"samply-small-trees", "trees that supersede each other", small_trees},
    {"samply-large-counts", "counts up to 2^64", large_counts},
    {"samply-long-chain", "a chain of callers through all positions", long_chain},
    {"samply-large-ring", "callers in one cycle", large_ring},
    {"samply-small-rings", "callers in cycles of two", small_rings},
};

}  // namespace
}  // namespace samply_shapes

std::span<const HostileFile> hostile_samply() { return samply_shapes::kFiles; }

}  // namespace tracelint::files
