// The mutator that other programs' fuzzers use: its options, and what it makes of inputs.
#include "validator/generator/trace_mutator.hpp"

#include <doctest/doctest.h>

#include <map>

#include "validator/input/zstd_source.hpp"
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
    const auto read = read_mutator_options(
        "format=jitdump+xray,byte_order=big,mix=1:2:3,size=99,container=zstd,extensions=no", fault);
    REQUIRE(read);
    CHECK(read->formats == std::vector{find_format("jitdump"), find_format("xray")});
    CHECK(read->traits.byte_order == ByteOrder::big);
    CHECK(read->traits.extensions == false);
    CHECK((read->valid == 1 && read->faulty == 2 && read->broken == 3));
    CHECK(read->size == 99);
    CHECK(read->container == Container::zstd);
    CHECK(!read_mutator_options("", fault)->container);
    for (const char* wrong : {"format=tar", "format=", "jitdump", "mix=1:2", "mix=0:0:0", "mix=1:2:3:4", "mix=a:b:c",
                              "byte_order=middle", "version=x", "extensions=maybe", "size=99999999", "container=tar",
                              "container=", "colour=red", "version=1x"}) {
        CAPTURE(wrong);
        CHECK(!read_mutator_options(wrong, fault));
        CHECK(fault.find(wrong) != std::string::npos);
    }
    CHECK(!read_mutator_options("format=perfmap,byte_order=big", fault));
    CHECK(fault.find("perfmap") != std::string::npos);
    CHECK(!read_mutator_options("format=xray,extensions=yes", fault));
    CHECK(fault.find("xray") != std::string::npos);
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

TEST_CASE("faults are planted into inputs without errors and warnings, and only into those") {
    const TraceMutator valid = mutator_of("format=jitdump,mix=1:0:0"), faulty = mutator_of("format=jitdump,mix=0:1:0");
    const std::string sound = mutant(valid, "", 5), unsound = sound.substr(0, sound.size() - 1);
    CHECK(sound_records(*find_format("jitdump"), as_bytes(sound)));
    CHECK(!sound_records(*find_format("jitdump"), as_bytes(unsound)));
    CHECK(!sound_records(*find_format("jitdump"), as_bytes(wrapped(Container::gzip, sound))));
    const auto planted = [&](const std::string& input) {
        unsigned count = 0;
        for (uint64_t seed = 1; seed <= 60; ++seed) {
            const std::string made = mutant(faulty, input, seed);
            // A generated trace has another process id and time in its header.
            const bool is_of_input = made.size() >= 40 && made.compare(16, 24, input, 16, 24) == 0;
            count += made != input && is_of_input ? 1 : 0;
        }
        return count;
    };
    CHECK(planted(sound) >= 15);
    CHECK(planted(sound) <= 45);
    CHECK(planted(unsound) <= 15);  // single bytes are changed if no fault finds a place
}

// Whether the file has a record of an extension.
bool is_extended(const Format& format, const std::string& bytes) {
    const Grammar& extension = *format.grammars.back();
    return std::ranges::any_of(decode_file(format, as_bytes(bytes)), [&](const RecordValues& record) {
        return std::ranges::find(extension.records, record.record) != extension.records.end();
    });
}

TEST_CASE("generated traces have records of extensions, or not, as the options say") {
    const Format& jitdump = *find_format("jitdump");
    const std::string options = "format=jitdump,size=100,mix=";
    unsigned any = 0;
    for (uint64_t seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        const auto made = [&](const std::string& mix_and_more) {
            return mutant(mutator_of(options + mix_and_more), "", seed);
        };
        CHECK(!is_extended(jitdump, made("1:0:0,extensions=no")));
        CHECK(is_extended(jitdump, made("1:0:0,extensions=yes")));
        any += is_extended(jitdump, made("1:0:0")) ? 1 : 0;
    }
    CHECK((any > 0 && any < 60));
    // Formats without extensions have none.
    std::string fault;
    CHECK(read_mutator_options("extensions=no", fault));
}

TEST_CASE("what is put into a container comes out of it, and damage ends it") {
    for (const Container container : {Container::gzip, Container::zstd}) {
        if (container == Container::zstd && !has_zstd()) continue;
        CAPTURE(to_string(container));
        for (const size_t size :
             std::initializer_list<size_t>{1, 2, 65'535, 65'536, 131'070, 131'072, 131'073, 300'000}) {
            CAPTURE(size);
            std::string trace(size, '\0');
            for (size_t i = 0; i < size; ++i) trace[i] = static_cast<char>(i * i >> 3);
            const std::string file = wrapped(container, trace);
            CHECK(file.size() <= size + 23 + 5 * (size / 65'535 + 1));
            const auto opened = unwrapped(as_bytes(file), size);
            REQUIRE(opened);
            CHECK(opened->container == container);
            CHECK((opened->trace == trace));
            CHECK(!unwrapped(as_bytes(file), size - 1));
            const auto cut = unwrapped(as_bytes(file).first(file.size() / 2), size);
            if (cut) CHECK(trace.starts_with(cut->trace));
        }
        CHECK(!unwrapped(as_bytes(wrapped(container, "")), kRoom));
        CHECK(outcome_of(wrapped(container, "")).container == container);
    }
    CHECK(!unwrapped(as_bytes("a trace"), kRoom));
    CHECK(!unwrapped({}, kRoom));
    CHECK(wrapped(Container::none, "a trace") == "a trace");
}

TEST_CASE("results are in the container of the options, or else in that of the input") {
    const auto container_of = [](const TraceMutator& mutator, const std::string& file, uint64_t seed) {
        return outcome_of(mutant(mutator, file, seed)).container;
    };
    const std::string trace = mutant(mutator_of("format=jitdump,mix=1:0:0"), "", 1);
    const std::string options = "format=jitdump,mix=1:0:0";
    const TraceMutator kept = mutator_of(options), plain = mutator_of(options + ",container=none"),
                       gzip = mutator_of(options + ",container=gzip");
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        CHECK(container_of(kept, trace, seed) == Container::none);
        CHECK(container_of(kept, wrapped(Container::gzip, trace), seed) == Container::gzip);
        CHECK(container_of(plain, wrapped(Container::gzip, trace), seed) == Container::none);
        CHECK(container_of(gzip, trace, seed) == Container::gzip);
    }
}

TEST_CASE("the trace in a container is mutated and crossed as it is without") {
    const TraceMutator mutator = mutator_of("format=jitdump,mix=0:0:1"), valid = mutator_of("format=jitdump,mix=1:0:0");
    const std::string trace = mutant(valid, "", 1), other = mutant(valid, "", 2);
    const std::string file = wrapped(Container::gzip, trace);
    unsigned same = 0;
    for (uint64_t seed = 1; seed <= 40; ++seed) {
        const std::string made = mutant(mutator, file, seed);
        const auto opened = unwrapped(as_bytes(made), kRoom);
        same += opened && opened->trace == mutant(mutator, trace, seed) ? 1 : 0;
        std::string plain(kRoom, '\0'), packed(kRoom, '\0');
        auto* const to = reinterpret_cast<uint8_t*>(plain.data());
        plain.resize(mutator.cross(as_bytes(trace), as_bytes(other), to, kRoom, seed));
        packed.resize(mutator.cross(as_bytes(file), as_bytes(wrapped(Container::gzip, other)),
                                    reinterpret_cast<uint8_t*>(packed.data()), kRoom, seed));
        CHECK((packed == wrapped(Container::gzip, plain)));
    }
    CHECK(same >= 20);  // the others are changes of a byte
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
