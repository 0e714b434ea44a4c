// jitdump: what no case can hold.
#include <doctest/doctest.h>

#include "grammars/jitdump/records.hpp"
#include "validator/tracelint.hpp"

namespace tracelint::jitdump {
namespace {

constexpr uint64_t kSome = 64'000;  // more than a table of a few entries takes

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

// A DEBUG_INFO with so many entries.
void add_lines(std::string& file, uint64_t address, uint64_t entries, uint64_t time = 6000) {
    append(file, 4, 2);
    append(file, 4, 32 + 18 * entries);
    for (const uint64_t number : {time, address, entries}) append(file, 8, number);
    for (uint64_t i = 0; i < entries; ++i) {
        append(file, 8, address);
        append(file, 4, 10);
        append(file, 4, 0);
        file.append("a\0", 2);
    }
}

// A DEBUG_INFO with so many entries, and its LOAD.
void add_function(std::string& file, uint64_t index, uint64_t entries) {
    const uint64_t address = 0x10000 * (index + 1);
    add_lines(file, address, entries, 6000 + index);
    add_load(file, index, address);
}

// A record of samply's of so many bytes. Its first list does not fit, so that its check takes no memory.
void add_inlines(std::string& file, uint64_t bytes, uint64_t id = 827346259) {
    append(file, 4, id);
    append(file, 4, bytes);
    append(file, 8, 7000);
    for (const uint64_t number : {uint64_t{1}, uint64_t{0xffffffff}}) append(file, 4, number);
    file.resize(file.size() + bytes - 24);
}

// Whether there is memory for a record of samply's of so many bytes that waits after `file`.
bool has_room(std::string file, uint64_t bytes, uint64_t memory) {
    add_inlines(file, bytes);
    add_load(file, 1000, 0x7000'0000);
    CheckOptions options;
    options.limits.memory = memory;
    MemorySource source(as_bytes(file));
    const Outcome outcome = check(source, options);
    for (const Diagnostic& d : outcome.report().diagnostics())
        if (d.rule->id == "samply/tracking-limit") return false;
    return true;
}

// Whether both files hold the same memory at their end. They need less than `bytes` to get there.
bool hold_the_same(const std::string& file, const std::string& other, uint64_t bytes) {
    uint64_t least = bytes, most = 3 * bytes;  // of what is enough
    while (least < most) {
        const uint64_t middle = (least + most) / 2;
        if (has_room(other, bytes, middle))
            most = middle;
        else
            least = middle + 1;
    }
    return has_room(file, bytes, least) && !has_room(file, bytes, least - 1);
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
    CHECK_FALSE(outcome.context.limit_hit);
    options.limits.memory = kMiB;
    MemorySource again(as_bytes(file));
    CHECK(check(again, options).context.limit_hit);
}

TEST_CASE("a line table takes the memory of the one before it") {
    std::string one = header(), many = header();
    add_function(one, 0, 100);
    for (uint64_t i = 0; i < 20; ++i) add_function(many, i, 100);
    CHECK(hold_the_same(many, one, kSome));
}

TEST_CASE("no memory is kept of a large line table when its function has come") {
    std::string small = header(), large = header();
    for (uint64_t i = 0; i < 3; ++i) add_lines(large, 0x10000, 1);
    add_function(large, 0, 70'000);
    add_function(small, 0, 1);
    for (std::string* file : {&small, &large}) add_lines(*file, 0x20000, 1);
    CHECK(hold_the_same(large, small, 20 * kSome));
}

// Ten of 400 entries each, none of which meets its LOAD. Without their entries they would fit into the lower limit.
TEST_CASE("the lines of tables that wait count against the memory limit") {
    std::string file = header();
    for (uint64_t i = 0; i < 10; ++i) {
        add_lines(file, 0x100'0000 * (i + 1), 400);
        add_load(file, i, 0x10000 * (i + 1));
    }
    for (const auto& [memory, fits] : {std::pair(kSome, false), std::pair(4 * kSome, true)}) {
        CAPTURE(memory);
        CheckOptions options;
        options.limits.memory = memory;
        MemorySource source(as_bytes(file));
        CHECK(check(source, options).context.limit_hit == !fits);
    }
}

// Two that other LOADs have passed; the memory of the first is wanted when the second one's function comes.
TEST_CASE("no memory is kept of a line table whose function came late, but of one that waits") {
    const auto file_with = [](uint64_t entries) {
        std::string file = header();
        add_function(file, 0, 250);
        add_lines(file, 0x20000, entries);
        add_lines(file, 0x30000, 100);
        add_lines(file, 0x40000, 0);
        for (const uint64_t address : {uint64_t{0x10000}, uint64_t{0x20000}, uint64_t{0x40000}})
            add_load(file, 1, address);
        return file;
    };
    CHECK(hold_the_same(file_with(150), file_with(0), kSome));
}

TEST_CASE("no memory is kept for waiting records if a line table finds none, however often") {
    constexpr uint64_t kTooMany = 13'000;  // more than all that is tried
    std::string settled = header(), waiting = header();
    add_function(settled, 0, 200);
    add_lines(waiting, 0x20000, 200);
    add_load(waiting, 0, 0x10000);
    add_lines(settled, 0x30000, kTooMany);
    for (uint64_t i = 0; i < 10; ++i) add_lines(waiting, 0x30000, kTooMany);
    CHECK(hold_the_same(waiting, settled, kSome));
}

TEST_CASE("no memory is kept of line tables over a CLOSE") {
    const auto file_with = [](uint64_t entries) {
        std::string file = header();
        add_function(file, 0, 200);
        add_lines(file, 0x20000, entries);
        add_load(file, 0, 0x10000);
        append(file, 4, 3);
        append(file, 4, 16);
        append(file, 8, 7000);
        add_lines(file, 0x20000, 10);
        add_load(file, 0, 0x10000);
        return file;
    };
    CHECK(hold_the_same(file_with(200), file_with(10), kSome));
}

TEST_CASE("a file that is cut gives back the memory of line tables that wait") {
    std::string file = header();
    add_lines(file, 0x20000, 200);
    add_load(file, 0, 0x10000);
    append(file, 4, 0);
    MemorySource source(as_bytes(file));
    const Outcome outcome = check(source, {});
    CHECK(outcome.report().count(Severity::error) == 1);
    CHECK(outcome.context.budget.is_whole());
}

TEST_CASE("a record of samply's takes the memory of the one before it") {
    std::string one = header(), two = header();
    add_inlines(two, kSome / 2);
    for (std::string* file : {&one, &two}) add_load(*file, 0, 0x10000);
    CHECK(hold_the_same(two, one, kSome));
}

TEST_CASE("no memory is kept of a large record of samply's when its function has come") {
    std::string small = header(), large = header();
    add_inlines(large, 19 * kSome);
    for (std::string* file : {&small, &large}) add_load(*file, 0, 0x10000);
    CHECK(hold_the_same(large, small, 20 * kSome));
    for (const uint64_t id : {uint64_t{827346259}, uint64_t{827346260}}) {  // the second one is unknown
        std::string file = header();
        add_inlines(file, 20 * kSome, id);
        add_load(file, 0, 0x10000);
        add_function(file, 1, 40'000);
        CheckOptions options;
        // The record needs a window of 2 MiB, which stays. The rest is enough for each of them, not for both.
        options.limits.memory = 2 * kMiB + 25 * kSome;
        MemorySource source(as_bytes(file));
        CHECK_FALSE(check(source, options).context.limit_hit);
    }
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
    CHECK(outcome.context.identity.format_version == 1);
    CHECK(outcome.context.identity.byte_order == ByteOrder::little);
    const std::vector<std::pair<std::string_view, uint64_t>> expected = {
        {"records", 4}, {"LOAD", 1}, {"DEBUG_INFO", 1}, {"unknown", 2}};
    CHECK(std::equal(expected.begin(), expected.end(), outcome.context.statistics.begin(),
                     outcome.context.statistics.end()));
}

}  // namespace tracelint::jitdump
