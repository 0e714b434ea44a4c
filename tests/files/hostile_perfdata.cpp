// Hostile perf.data files.
#include <algorithm>
#include <utility>

#include "tests/files/hostile.hpp"
#include "tests/files/perfdata_file.hpp"

namespace tracelint::files {
namespace perfdata_shapes {
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
    constexpr uint64_t kHeader = 104, kData = 8, kTable = uint64_t{256} * 16;
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

// What follows is much for who follows perf through the attributes and the features. A file with a table of attributes:
// its header, and one record as its data.
constexpr uint64_t kFileHeader = 104, kRound = 8;

void file_header(OutputFile& file, uint64_t entry, uint64_t attributes, uint64_t ids) {
    file.bytes("PERFILE2");
    const uint64_t data_at = kFileHeader + entry * attributes + 8 * ids;
    for (const uint64_t one : {kFileHeader, entry, kFileHeader, entry * attributes, data_at, kRound})
        file.number(one, 8);
    file.fill(kFileHeader - 56, '\0');
}

void attribute(OutputFile& file, uint64_t type, uint64_t bytes) {
    file.number(type, 4), file.number(bytes, 4), file.number(0, 8), file.number(1000, 8);
    file.number(PerfdataFile::kSampleType, 8), file.number(4, 8), file.number(PerfdataFile::kFlags, 8);
    file.fill(bytes - 48, '\0');
}

// The end of a file: its ids, and a FINISHED_ROUND.
template <class Id>
void ids_and_round(OutputFile& file, uint64_t ids, Id id) {
    for (uint64_t i = 0; i < ids; ++i) file.number(id(i), 8), file.flush_if_large();
    file.number(68, 4), file.number(0, 2), file.number(kRound, 2);
}

template <class Id>
void ids_of_one_event(const Target& to, Id id) {
    constexpr uint64_t kEntry = PerfdataFile::kAttrBytes + 16;
    OutputFile file(to);
    const uint64_t ids = to.bytes / 8;
    file_header(file, kEntry, 1, ids);
    attribute(file, 1, PerfdataFile::kAttrBytes);
    file.number(kFileHeader + kEntry, 8), file.number(8 * ids, 8);
    ids_and_round(file, ids, id);
}

void scattered_ids(const Target& to) { ids_of_one_event(to, shuffled); }

// Multiples of a prime that a table of the standard library may have as its size.
void ids_of_one_bucket(const Target& to) {
    constexpr uint64_t kPrimes[] = {10273,  20753,   42043,   85229,   172933,  351061,
                                    712697, 1447153, 2938679, 5967347, 12117689};
    const uint64_t prime = *std::ranges::find_if(kPrimes, [&](uint64_t one) { return one > to.bytes / 8; });
    ids_of_one_event(to, [&](uint64_t i) { return prime * (i + 1); });
}

// Half of the file are events, half are ids, and each event has all of them.
void shared_ids(const Target& to) {
    constexpr uint64_t kEntry = PerfdataFile::kAttrBytes + 16;
    OutputFile file(to);
    const uint64_t attributes = to.bytes / 2 / kEntry, ids = to.bytes / 2 / 8;
    file_header(file, kEntry, attributes, ids);
    for (uint64_t i = 0; i < attributes; ++i) {
        attribute(file, 1, PerfdataFile::kAttrBytes);
        file.number(kFileHeader + kEntry * attributes, 8), file.number(8 * ids, 8);
        file.flush_if_large();
    }
    ids_and_round(file, ids, [](uint64_t i) { return i + 1; });
}

void types(const Target& to) {
    constexpr uint64_t kEntry = 64 + 16;
    OutputFile file(to);
    const uint64_t attributes = to.bytes / kEntry;
    file_header(file, kEntry, attributes, 0);
    for (uint64_t i = 0; i < attributes; ++i) attribute(file, 100 + i, 64), file.fill(16, '\0'), file.flush_if_large();
    ids_and_round(file, 0, shuffled);
}

void small_attribute(PerfdataFile& file, uint64_t type) {
    file.prefix(64, 8 + 64), attribute(file, type, 64), file.flush_if_large();
}

// A feature of a stream; its content follows.
void feature(PerfdataFile& file, uint64_t number, uint64_t bytes) {
    file.prefix(80, 16 + bytes), file.number(number, 8);
}

void streamed_types(const Target& to) {
    PerfdataFile file(to);
    for (uint64_t type = 100; file.wants_more(); ++type) small_attribute(file, type);
}

// Half of the stream are events, half are descriptions of a group.
void groups(const Target& to) {
    PerfdataFile file(to);
    while (file.wanted() > to.bytes / 2) small_attribute(file, 1);
    for (; file.wants_more(); file.flush_if_large()) {
        feature(file, 17, 20);
        for (const unsigned one : {1u, 1u}) file.number(one, 4);
        file.number(0, 1), file.number(0, 4), file.number(1, 4), file.fill(3, '\0');
    }
}

// A million processors, and descriptions of the domains of one.
void domains(const Target& to) {
    PerfdataFile file(to);
    small_attribute(file, 1);
    feature(file, 7, 8), file.number(1 << 20, 4), file.number(1, 4);
    for (; file.wants_more(); file.flush_if_large()) {
        feature(file, 32, 16);
        for (const unsigned one : {18u, 1u, 0u, 0u}) file.number(one, 4);
    }
}

// Ten features that share the same bytes: a number, and as many texts of a byte.
void overlapping_texts(const Target& to) {
    constexpr uint64_t kFeatures = 10, kEntry = 64 + 16;
    OutputFile file(to);
    const uint64_t table = kFileHeader + kEntry + kRound, first = table + 16 * kFeatures;
    const uint64_t texts = std::max<uint64_t>(to.bytes, first + 4096) / 5 - first / 5;
    file.bytes("PERFILE2");
    for (const uint64_t one :
         {kFileHeader, kEntry, kFileHeader, kEntry, table - kRound, kRound, uint64_t{0}, uint64_t{0}})
        file.number(one, 8);
    file.number(0x1ff8, 8), file.fill(24, '\0');
    attribute(file, 1, 64), file.fill(16, '\0');
    ids_and_round(file, 0, shuffled);
    for (uint64_t i = 0; i < kFeatures; ++i) file.number(first, 8), file.number(4 + 5 * texts, 8);
    file.number(std::min<uint64_t>(texts, 1 << 20), 4);
    for (uint64_t i = 0; i < texts; ++i) file.number(1, 4), file.number(0, 1), file.flush_if_large();
}

constexpr uint64_t kZstdMemory = uint64_t{4} << 20;

constexpr HostileFile kFiles[] = {
    {"perfdata-attributes", "events whose ids collide in the table of ids", attributes},
    {"perfdata-ids", "events with thousands of ids that collide", ids},
    {"perfdata-unknown-ids", "samples with ids that no event has", unknown_ids},
    {"perfdata-rounds", "times that fall, and a FINISHED_ROUND behind each sample", rounds},
    {"perfdata-smallest-records", "records of 8 bytes", smallest_records},
    {"perfdata-samples", "samples, the shortest there are", samples},
    {"perfdata-mappings", "mappings of a process each, with names of their own", mappings},
    {"perfdata-scattered-ids", "an event with as many ids as fit, in random order", scattered_ids},
    {"perfdata-ids-of-one-bucket", "the same with ids that are multiples of a prime", ids_of_one_bucket},
    {"perfdata-shared-ids", "events that all have the same ids", shared_ids, 0, true},
    {"perfdata-types", "events, each of a type of its own", types},
    {"perfdata-streamed-types", "the same in a stream", streamed_types},
    {"perfdata-groups", "descriptions of a group, each about all events", groups},
    {"perfdata-domains", "descriptions of the domains of one of a million processors", domains},
    {"perfdata-overlapping-texts", "features that are the same short texts", overlapping_texts, 0, true},
    {"perfdata-overlapping-sections", "256 features in the same bytes", overlapping_sections, 0, true},
    {"perfdata-bomb", "compressed records of one repeated byte", bomb, kZstdMemory, true},
    {"perfdata-empty-blocks", "compressed records that decompress to nothing", empty_blocks, kZstdMemory},
};

}  // namespace
}  // namespace perfdata_shapes

std::span<const HostileFile> hostile_perfdata() { return perfdata_shapes::kFiles; }

}  // namespace tracelint::files
