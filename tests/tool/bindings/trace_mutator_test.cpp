// The mutator that other programs' fuzzers use: its options, and what it makes of inputs.
#include "validator/generator/trace_mutator.hpp"

#include <doctest/doctest.h>

#include <map>

#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

constexpr size_t kRoom = 1 << 16;

TraceMutator mutator_of(std::string_view options) {
    std::string fault;
    auto read = read_mutator_options(options, fault);
    REQUIRE_MESSAGE(read, fault);
    return TraceMutator(*std::move(read));
}

std::string mutant(const TraceMutator& mutator, std::string_view file, uint64_t seed, size_t room = kRoom) {
    std::string buffer(file.substr(0, room));
    const size_t size = buffer.size();
    buffer.resize(room);
    const size_t made = mutator.mutate(reinterpret_cast<uint8_t*>(buffer.data()), size, room, seed, nullptr);
    REQUIRE(made <= room);
    return buffer.substr(0, made);
}

Outcome outcome_of(const std::string& bytes, const Format* format = nullptr) {
    MemorySource source(as_bytes(bytes));
    CheckOptions options;
    options.format = format;
    return check(source, options);
}

bool has_fault(const Outcome& outcome) {
    return outcome.report().count(Severity::error) + outcome.report().count(Severity::warning) != 0;
}

}  // namespace

TEST_CASE("the options of the mutator are those of its header, and others are named") {
    std::string fault;
    CHECK(read_mutator_options("", fault)->formats.size() == formats().size());
    const auto read = read_mutator_options("format=jitdump+xray,byte_order=big,mix=1:2:3,size=99", fault);
    REQUIRE(read);
    CHECK(read->formats == std::vector{find_format("jitdump"), find_format("xray")});
    CHECK(read->traits.byte_order == ByteOrder::big);
    CHECK((read->valid == 1 && read->faulty == 2 && read->broken == 3));
    CHECK(read->size == 99);
    for (const char* wrong : {"format=tar", "format=", "jitdump", "mix=1:2", "mix=0:0:0", "mix=1:2:3:4", "mix=a:b:c",
                              "byte_order=middle", "version=x", "size=99999999", "colour=red", "version=1x"}) {
        CAPTURE(wrong);
        CHECK(!read_mutator_options(wrong, fault));
        CHECK(fault.find(wrong) != std::string::npos);
    }
    CHECK(!read_mutator_options("format=perfmap,byte_order=big", fault));
    CHECK(fault.find("perfmap") != std::string::npos);
}

TEST_CASE("the mix decides whether a result is valid, has a fault, or is broken") {
    for (const Format* format : formats()) {
        CAPTURE(format->id);
        const std::string of_format = "format=" + std::string(format->id);
        const TraceMutator valid = mutator_of(of_format + ",mix=1:0:0"), faulty = mutator_of(of_format + ",mix=0:1:0");
        unsigned faults = 0;
        for (uint64_t seed = 1; seed <= 20; ++seed) {
            CHECK(!has_fault(outcome_of(mutant(valid, "", seed), format)));
            faults += has_fault(outcome_of(mutant(faulty, "", seed), format)) ? 1 : 0;
        }
        CHECK(faults >= 12);
    }
}

TEST_CASE("the same seed gives the same mutant, whatever came before") {
    const TraceMutator mutator = mutator_of("format=jitdump+xray+mlpd"), other = mutator_of("format=jitdump+xray+mlpd");
    std::map<std::string, unsigned> mutants;
    const std::string file = mutant(mutator, "", 1);
    for (uint64_t seed = 40; seed > 0; --seed) ++mutants[mutant(other, file, seed)];
    for (uint64_t seed = 1; seed <= 40; ++seed) CHECK(mutants.contains(mutant(mutator, file, seed)));
    CHECK(mutants.size() >= 30);
}

TEST_CASE("results fit, whatever room there is and whatever the input") {
    const TraceMutator mutator = mutator_of("");
    std::string file = mutant(mutator, "", 3);
    Random random(1);
    for (uint64_t seed = 0; seed < 300; ++seed) {
        const size_t room = below(random, 300);
        mutant(mutator, file, seed, room);
        std::string to(room, '\0');
        const size_t made = mutator.cross(as_bytes(file), as_bytes(random_bytes(random, 30)),
                                          reinterpret_cast<uint8_t*>(to.data()), room, seed);
        CHECK(made <= room);
        file = seed % 3 == 0 ? random_bytes(random, room) : mutant(mutator, file, seed);
    }
    CHECK(mutant(mutator_of("mix=0:0:1"), "", 1, 0).empty());
}

TEST_CASE("two traces are crossed record by record") {
    const TraceMutator valid = mutator_of("format=jitdump,mix=1:0:0"), mutator = mutator_of("format=jitdump");
    const std::string first = mutant(valid, "", 5), second = mutant(valid, "", 6);
    unsigned longer = 0;
    for (uint64_t seed = 1; seed <= 10; ++seed) {
        std::string to(kRoom, '\0');
        to.resize(mutator.cross(as_bytes(first), as_bytes(second), reinterpret_cast<uint8_t*>(to.data()), kRoom, seed));
        CHECK(to.starts_with(first.substr(0, 40)));
        longer += to.size() > first.size() ? 1 : 0;
    }
    CHECK(longer >= 5);
}

TEST_CASE("plain changes never leave the buffer") {
    std::string bytes(8, 'x');
    Random random(1);
    for (unsigned i = 0; i < 2000; ++i) {
        const size_t size = bytes.size();
        bytes.resize(12);
        bytes.resize(change_bytes(random, reinterpret_cast<uint8_t*>(bytes.data()), size, 12));
        CHECK(bytes.size() <= 12);
    }
    CHECK(change_bytes(random, nullptr, 0, 0) == 0);
}

}  // namespace tracelint
