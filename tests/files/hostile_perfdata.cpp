// Hostile perf.data files.
#include <algorithm>
#include <utility>

#include "tests/files/hostile.hpp"
#include "tests/files/perfdata_file.hpp"

namespace tracelint::files {
namespace {

// An event for each few bytes, all with ids that share a slot of the table of ids.
void attributes(const Target& to) {
    PerfdataFile file(to);
    for (uint64_t id = 1; file.wants_more(); ++id) {
        file.attr(1);
        file.number(colliding(id), 8);
        file.flush_if_large();
    }
}

void ids(const Target& to) {
    PerfdataFile file(to);
    for (uint64_t id = 1; file.wants_more();) {
        const uint64_t count = std::clamp<uint64_t>(file.wanted() / 8, 1, 8000);
        file.attr(count);
        for (uint64_t i = 0; i < count; ++i) file.number(colliding(id++), 8);
        file.flush_if_large();
    }
}

// Two events; every sample names an id that neither has.
void unknown_ids(const Target& to) {
    PerfdataFile file(to);
    for (const uint64_t id : {uint64_t{1}, uint64_t{2}}) file.attr(1), file.number(id, 8);
    for (uint64_t id = 3; file.wants_more(); ++id) file.sample(colliding(id), id);
}

// Times that fall, and a FINISHED_ROUND behind each sample.
void rounds(const Target& to) {
    PerfdataFile file(to);
    file.attr(1), file.number(1, 8);
    for (uint64_t time = uint64_t{1} << 60; file.wants_more(); --time) file.sample(1, time), file.round();
}

void smallest_records(const Target& to) {
    PerfdataFile file(to);
    file.attr(1), file.number(1, 8);
    while (file.wants_more()) file.round();
}

// The shortest samples, at addresses in random order.
void samples(const Target& to) {
    PerfdataFile file(to);
    file.attr(1), file.number(1, 8);
    for (uint64_t i = 0; file.wants_more(); ++i) file.sample(1, 1'000'000 + i, 0x1000 + shuffled(i));
}

// A process for each mapping, and a name of its own.
void mappings(const Target& to) {
    PerfdataFile file(to);
    file.attr(1), file.number(1, 8);
    for (uint64_t i = 1; file.wants_more(); ++i) file.mmap(i, 0x1000 * i, "/lib/" + std::to_string(shuffled(i)), i);
}

// A file whose 256 features are sections that all reach from the first to the end.
void overlapping_sections(const Target& to) {
    constexpr uint64_t kHeader = 104, kData = 8, kTable = 256 * 16;
    OutputFile file(to);
    const uint64_t attr_at = kHeader, attr_size = PerfdataFile::kAttrBytes + 16;
    const uint64_t data_at = attr_at + attr_size, first = data_at + kData + kTable;
    const uint64_t length = std::max<uint64_t>(to.bytes, first + 4096) - first;
    file.bytes("PERFILE2");
    for (const uint64_t one : {kHeader, attr_size, attr_at, attr_size, data_at, kData, uint64_t{0}, uint64_t{0}})
        file.number(one, 8);
    file.fill(32, '\xff');
    file.number(1, 4), file.number(PerfdataFile::kAttrBytes, 4), file.fill(PerfdataFile::kAttrBytes - 8, '\0');
    file.number(0, 8), file.number(0, 8);
    file.number(68, 4), file.number(0, 2), file.number(8, 2);
    for (int feature = 0; feature < 256; ++feature) file.number(first, 8), file.number(length, 8);
    // Build ids of 40 bytes, which also are strings and counts of others.
    for (uint64_t left = length; left > 0;) {
        const uint64_t size = std::min<uint64_t>(left, 40);
        std::string record("\x43\0\0\0\x02\0\x28\0", 8);
        record.resize(40, '\1');
        file.bytes(record.substr(0, size));
        file.flush_if_large();
        left -= size;
    }
}

// Payloads of one zstd frame, of blocks of 128 KiB that repeat a byte: the records inside have an unknown type, and are
// as long as they can be.
void bomb(const Target& to) {
    PerfdataFile file(to);
    file.attr(1), file.number(1, 8);
    bool is_first = true;
    while (file.wants_more()) {
        constexpr uint64_t kBlocks = 1000, kBlock = 128 << 10, kRepeated = 1;
        file.prefix(81, 8 + 4 * kBlocks + (is_first ? 6 : 0));
        if (std::exchange(is_first, false)) file.number(0xfd2fb528, 4), file.number(0, 1), file.number(0x58, 1);
        for (uint64_t i = 0; i < kBlocks; ++i) file.number(kBlock << 3 | kRepeated << 1, 3), file.number(0x40, 1);
        file.flush_if_large();
    }
}

// Payloads that decompress to nothing.
void empty_blocks(const Target& to) {
    PerfdataFile file(to);
    file.attr(1), file.number(1, 8);
    file.prefix(81, 8 + 6), file.number(0xfd2fb528, 4), file.number(0, 1), file.number(0x58, 1);
    while (file.wants_more()) file.prefix(81, 11), file.number(0, 3), file.flush_if_large();
}

constexpr uint64_t kZstdMemory = uint64_t{4} << 20;

constexpr HostileFile kPerfdataFiles[] = {
    {"perfdata-attributes", "events whose ids collide in the table of ids", attributes},
    {"perfdata-ids", "events with thousands of ids that collide", ids},
    {"perfdata-unknown-ids", "samples with ids that no event has", unknown_ids},
    {"perfdata-rounds", "times that fall, and a FINISHED_ROUND behind each sample", rounds},
    {"perfdata-smallest-records", "records of 8 bytes", smallest_records},
    {"perfdata-samples", "samples, the shortest there are", samples},
    {"perfdata-mappings", "mappings of a process each, with names of their own", mappings},
    {"perfdata-overlapping-sections", "256 features in the same bytes", overlapping_sections, 0, true},
    {"perfdata-bomb", "compressed records of one repeated byte", bomb, kZstdMemory, true},
    {"perfdata-empty-blocks", "compressed records that decompress to nothing", empty_blocks, kZstdMemory},
};

}  // namespace

std::span<const HostileFile> hostile_perfdata() { return kPerfdataFiles; }

}  // namespace tracelint::files
