// Readers and companions of the public interface. That they say what the command says is tested through C, in
// tests/tool/bindings.
#include <doctest/doctest.h>

#include <optional>
#include <stdexcept>

#include "fuzz/chunked_source.hpp"
#include "tests/support/corpus.hpp"
#include "tracelint/tracelint.hpp"

namespace tracelint {
namespace {

std::string bytes_of(const std::string& path) { return read_file(kRoot / "corpus" / path).value(); }

const std::string kPair = "siblings/real/c-writer/";

// A recording that uses a clock that a dump cannot have.
std::string broken_recording() {
    std::string bytes = bytes_of(kPair + "perf.data");
    bytes[0xa3] = 0x61;
    return bytes;
}

std::optional<Finding> clock_of(const Result& result) {
    for (const Finding& finding : result.findings())
        if (finding.rule() == "siblings/clock-not-monotonic") return finding;
    return std::nullopt;
}

TEST_CASE("a recording and its dump, from memory, a source and a file") {
    const std::string recording = broken_recording(), dump = bytes_of(kPair + "jit-4.dump");
    const std::string path = (kRoot / "corpus" / kPair / "jit-4.dump").string();
    ChunkedSource source(as_bytes(dump), {.seekable = false});
    for (const Companion& companion : {Companion{.name = "jit-4.dump", .bytes = as_bytes(dump)},
                                       Companion{.name = "jit-4.dump", .source = &source}, Companion{.name = path}}) {
        Options options;
        options.file_name = "perf.data";
        options.companions = {companion};
        std::optional<Finding> finding;
        {
            const Result result = check_memory(as_bytes(recording), options);
            CHECK(result.failure() == Failure::none);
            CHECK(result.pairings().empty());
            REQUIRE(result.companions().size() == 1);
            const Result& other = result.companions()[0];
            CHECK(other.format() == "jitdump");
            CHECK(other.companions().empty());
            REQUIRE(other.pairings().size() == 1);
            const Pairing& pairing = other.pairings()[0];
            CHECK(pairing.recording == "perf.data");
            CHECK(pairing.functions == 8);
            CHECK(pairing.samples == 126);
            CHECK_FALSE(pairing.in_functions.has_value());
            CHECK(pairing.next_step == "record again with `perf record -k mono`");
            finding = clock_of(result);
        }
        REQUIRE(finding.has_value());
        CHECK(finding->related_file() == companion.name);
        CHECK(finding->place().offset == 0xa0);
        CHECK(finding->related()->offset == 32);
    }
}

TEST_CASE("the input may be the dump, and a session") {
    const std::string recording = bytes_of(kPair + "perf.data"), dump = bytes_of(kPair + "jit-4.dump");
    Options options;
    options.companions = {{.name = "perf.data", .bytes = as_bytes(recording)}};
    Session session(options);
    for (const char& byte : dump) session.feed(as_bytes(std::string_view(&byte, 1)));
    const Result result = session.finish();
    REQUIRE(result.pairings().size() == 1);
    CHECK(result.pairings()[0].in_functions == 126);
    CHECK(result.companions()[0].format() == "perfdata");
}

TEST_CASE("readers by name and version, and those that there are not") {
    Options options;
    options.readers = {"perf@6.1", "samply"};
    const std::string dump = bytes_of("jitdump/real/lli-19.dump");
    const Result result = check_memory(as_bytes(dump), options);
    REQUIRE(result.readers().size() == 2);
    const ReaderResult& perf = result.readers()[0];
    CHECK(perf.name == "perf");
    CHECK(perf.version == "6.1");
    CHECK(perf.outcome == "misreads");
    CHECK(perf.evidence == "measured");
    CHECK(perf.rule == "jitdump/debug-entry-elf-bias");
    CHECK(perf.offset == 0x48);
    CHECK(perf.unit == "function");
    CHECK(perf.total == 3);
    CHECK(perf.lost == 0);
    CHECK(perf.sentence.starts_with("perf 6.1 loads the file, but misreads it at 0x48"));
    const Result without = check_memory(as_bytes(dump));
    CHECK(without.readers().empty());

    const std::pair<const char*, const char*> kWrong[] = {
        {"no-reader", "no reader is called 'no-reader'; there are any, "},
        {"perf@0.1", "there is no 'perf@0.1'; its versions are 6.1, 7.2"},
        {"", "no reader is called ''; there are any, "},
    };
    for (const auto& [word, fault] : kWrong) {
        options.readers = {word};
        const Result failed = check_memory(as_bytes(dump), options);
        CHECK(failed.failure() == Failure::options);
        CHECK_MESSAGE(failed.failure_text().starts_with(fault), failed.failure_text());
    }
}

TEST_CASE("a companion whose source throws is one that cannot be read, and the input has its result") {
    class Throwing final : public Source {
      public:
        size_t read(uint8_t*, size_t) override { throw std::runtime_error("no connection"); }
    } throwing;
    Options options;
    options.companions = {{.name = "jit-4.dump", .source = &throwing}};
    const std::string recording = bytes_of(kPair + "perf.data");
    const Result result = check_memory(as_bytes(recording), options);
    CHECK(result.failure() == Failure::none);
    REQUIRE(result.companions().size() == 1);
    CHECK(result.companions()[0].verdict() == Verdict::unreadable);
    CHECK(result.companions()[0].failure_text() == "the source threw: no connection");
}

TEST_CASE("a callback that throws on what two files say of each other is not called again") {
    const std::string recording = broken_recording(), dump = bytes_of(kPair + "jit-4.dump");
    Options options;
    options.companions = {{.name = "jit-4.dump", .bytes = as_bytes(dump)}};
    size_t calls = 0;
    options.on_finding = [&](const Finding& finding) {
        if (finding.related_file().empty()) return;
        ++calls;
        throw std::runtime_error("enough");
    };
    const Result result = check_memory(as_bytes(recording), options);
    CHECK(calls == 1);
    CHECK(result.failure() == Failure::callback);
    CHECK(result.failure_text() == "on_finding threw: enough");
    CHECK(clock_of(result).has_value());
}

}  // namespace
}  // namespace tracelint
