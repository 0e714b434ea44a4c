// jitdump: what no case can hold.
#include <doctest/doctest.h>

#include "grammars/jitdump/records.hpp"
#include "validator/tracelint.hpp"

namespace tracelint::jitdump {
namespace {

void append(std::string& to, unsigned width, uint64_t number) {
    uint8_t stored[8];
    store(stored, width, ByteOrder::little, number);
    to.append(reinterpret_cast<const char*>(stored), width);
}

std::string header() {
    std::string bytes;
    for (const uint64_t number : {kMagic, uint64_t{1}, uint64_t{40}, uint64_t{62}, uint64_t{0}, uint64_t{1001}})
        append(bytes, 4, number);
    append(bytes, 8, 5000);
    append(bytes, 8, 0);
    return bytes;
}

// A LOAD of one byte of code.
void add_load(std::string& file, uint64_t index, uint64_t address) {
    append(file, 4, 0);
    append(file, 4, 57 + 1 + 1);
    append(file, 8, 6000 + index);
    append(file, 4, 1001);
    append(file, 4, 1001);
    for (const uint64_t number : {address, address, uint64_t{1}, index}) append(file, 8, number);
    file += std::string("f\0\xc3", 3);
}

// A DEBUG_INFO with so many entries, and its LOAD.
void add_function(std::string& file, uint64_t index, uint64_t entries) {
    const uint64_t address = 0x10000 * (index + 1);
    append(file, 4, 2);
    append(file, 4, 32 + 18 * entries);
    for (const uint64_t number : {6000 + index, address, entries}) append(file, 8, number);
    for (uint64_t i = 0; i < entries; ++i) {
        append(file, 8, address);
        append(file, 4, 10);
        append(file, 4, 0);
        file += std::string("a", 2);
    }
    add_load(file, index, address);
}

}  // namespace

TEST_CASE("the memory for a large line table is given back when its function has come") {
    constexpr uint64_t kEntries = 100'000, kTables = 4;
    std::string file = header();
    for (uint64_t i = 0; i < kTables; ++i) add_function(file, i, kEntries);
    CheckOptions options;
    options.limits.memory = 4 * kMiB;  // enough for one of them, not for two
    MemorySource source(as_bytes(file));
    const Outcome outcome = check(source, options);
    CHECK(outcome.report().diagnostics().empty());
    CHECK_FALSE(outcome.inspection.limit_hit);
    options.limits.memory = kMiB;
    MemorySource again(as_bytes(file));
    CHECK(check(again, options).inspection.limit_hit);
}

// Nearly always the place of the function is free for its new one. Here another function has taken it, and there are as
// many as a block of the table holds.
TEST_CASE("a MOVE for whose function there is no memory is named") {
    constexpr uint64_t kFunctions = 64, kStep = 500, kMost = 100'000;
    std::string file = header();
    for (uint64_t i = 0; i < kFunctions; ++i) add_load(file, i, 0x1000 * (i + 1));
    const uint64_t taken = 0x1000 * kFunctions, free = 0x1000 * (kFunctions + 1);
    add_load(file, kFunctions, taken);
    const uint64_t at = file.size();
    append(file, 4, 1);
    append(file, 4, 64);
    append(file, 8, 7000);
    append(file, 4, 1001);
    append(file, 4, 1001);
    for (const uint64_t number : {free, taken, free, uint64_t{1}, kFunctions - 1}) append(file, 8, number);
    uint64_t named = 0;
    for (uint64_t memory = 0; memory < kMost; memory += kStep) {
        CheckOptions options;
        options.limits.memory = memory;
        MemorySource source(as_bytes(file));
        const Outcome outcome = check(source, options);
        for (const Diagnostic& d : outcome.report().diagnostics())
            if (d.rule->id == "jitdump/tracking-limit" && d.place.offset == at) named += d.place.length == 16;
    }
    CHECK(named > 0);
}

// No case holds them: a case is about findings.
TEST_CASE("a file's version and byte order, and how many records of each kind it has") {
    std::string file = header();
    add_function(file, 0, 1);
    for (const uint64_t id : {uint64_t{6}, uint64_t{0xffffffff}}) {
        append(file, 4, id);
        append(file, 4, 20);
        append(file, 8, 6000);
        append(file, 4, 0);
    }
    MemorySource source(as_bytes(file));
    const Outcome outcome = check(source, {});
    CHECK(outcome.inspection.identity.format_version == 1);
    CHECK(outcome.inspection.identity.byte_order == ByteOrder::little);
    const std::vector<std::pair<std::string_view, uint64_t>> expected = {
        {"records", 4}, {"LOAD", 1}, {"DEBUG_INFO", 1}, {"unknown", 2}};
    CHECK(std::equal(expected.begin(), expected.end(), outcome.inspection.statistics.begin(),
                     outcome.inspection.statistics.end()));
}

}  // namespace tracelint::jitdump
