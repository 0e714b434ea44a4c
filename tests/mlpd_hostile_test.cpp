// Mono log-profiler files that make a walk read bytes again, or remember more and more.
#include <doctest/doctest.h>

#include <set>

#include "fuzz/oracles.hpp"
#include "grammars/mlpd/limits.hpp"
#include "grammars/mlpd/records.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

void number(std::string& to, uint64_t value, unsigned width) {
    uint8_t bytes[8];
    store(bytes, width, ByteOrder::little, value);
    to.append(reinterpret_cast<const char*>(bytes), width);
}

std::string header() {
    std::string file;
    number(file, mlpd::kHeaderId, 4);
    file += {'\x03', '\x00', '\x11', '\x08'};
    number(file, 0, 8), number(file, 1, 8), number(file, 20, 4), number(file, 0, 4), number(file, 7, 4);
    number(file, 0, 2);
    for (int i = 0; i < 3; ++i) number(file, 1, 4), number(file, 0, 1);
    return file;
}

std::string buffer(const std::string& events, uint64_t length) {
    std::string bytes;
    number(bytes, mlpd::kBufferId, 4), number(bytes, length, 4), number(bytes, 1000, 8);
    for (const uint64_t base : {0u, 0u, 1u, 0u}) number(bytes, base, 8);
    return bytes + events;
}

std::string buffer(const std::string& events) { return buffer(events, events.size()); }

std::string repeated(const std::string& bytes, size_t times) {
    std::string all;
    for (size_t i = 0; i < times; ++i) all += bytes;
    return all;
}

// HEAP_START, in front of a buffer that says it is endless, with a list in it that takes all that follows.
std::string endless(const std::string& list) { return buffer({'\x06', '\x00'}) + buffer(list, 0x7fffffff); }
const std::string kMoves = {'\x31', '\x00', '\x80', '\x94', '\xeb', '\xdc', '\x03'};
const std::string kRoots = {'\x36', '\x00', '\x80', '\x94', '\xeb', '\xdc', '\x01'};

}  // namespace

TEST_CASE("a file of buffers that are all cut is read in linear time, and nothing is said twice") {
    for (const std::string& list : {kMoves, kRoots})
        for (const size_t times : {2u, 50u, 4000u}) {
            const std::string file = header() + repeated(endless(list), times);
            CAPTURE(times);
            const Complaint complaint = never_crash({as_bytes(file), nullptr});
            CHECK_MESSAGE(!complaint, *complaint);
            std::set<std::tuple<std::string_view, uint64_t, uint64_t>> said;
            const Outcome outcome = check_all({as_bytes(file), nullptr});
            for (const Diagnostic& d : outcome.report().diagnostics())
                CHECK(said.emplace(d.rule->id, d.place.offset, d.place.length).second);
        }
}

TEST_CASE("files that were put together are remembered one at a time") {
    std::string file;
    // ENTER of a method of its own, on a thread of its own.
    for (char i = 0; i < 100; ++i) file += header() + buffer({'\x23', '\x05', i});
    CheckOptions options;
    options.limits.memory = 40'000;
    MemorySource source(as_bytes(file));
    const Outcome outcome = check(source, options);
    CHECK(outcome.report().counts().at(mlpd::kBadBufferId.id) == 99);
    CHECK(!outcome.report().counts().contains(mlpd::kTrackingLimit.id));
}

TEST_CASE("what cannot be kept for a search is given up, and said") {
    const std::string lost = buffer({'\x0f'});
    const std::string file = header() + buffer({'\x0f', '\x00'}, 1000) + lost + lost;
    CheckOptions options;
    options.limits.record = 64;
    MemorySource source(as_bytes(file));
    const Outcome outcome = check(source, options);
    CHECK(outcome.inspection.limit_hit);
    CHECK(outcome.report().counts().contains(mlpd::kTrackingLimit.id));
}

}  // namespace tracelint
