// The library where memory or the input fails once, at every place: the outcome says so, and nothing is made up.
#include <doctest/doctest.h>
#include <unistd.h>

#include <set>

#include "tests/failures/fault.hpp"
#include "tests/failures/small_corpus.hpp"
#include "tests/support/oracle_files.hpp"
#include "tests/support/scratch.hpp"
#include "tracelint/tracelint.hpp"
#include "validator/generator/generator.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint {
namespace {

constexpr size_t kSmall = 4096;
constexpr uint64_t kFirstCalls = 32;  // calls that are tried one by one

// All that users see of an outcome.
std::string shown_of(const Outcome& outcome) {
    StringSink sink;
    make_ndjson_writer(sink, {})->file({"file", outcome});
    return sink.text;
}

using Faults = std::multiset<std::tuple<uint64_t, std::string_view, uint64_t>>;

Faults faults_of(const Outcome& outcome) {
    Faults faults;
    for (const Diagnostic& d : outcome.report().diagnostics())
        if (severity_of(d) != Severity::note) faults.emplace(d.place.offset, d.rule->id, d.place.length);
    return faults;
}

// What a check of a file gives when all goes well.
struct Whole {
    explicit Whole(Outcome outcome) : shown(shown_of(outcome)), faults(faults_of(outcome)) {
        outcome.size.reset();
        shown_without_size = shown_of(outcome);
    }
    std::string shown, shown_without_size;  // what cannot seek is not read for its size
    Faults faults;
};

// An outcome says that something is missing, or nothing is. It has no finding that the whole check lacks.
void hold(const Outcome& outcome, const Whole& whole, bool may_miss) {
    const bool says_so = !outcome.failure.empty() || outcome.context.limit_hit;
    if (!says_so || !may_miss) CHECK(shown_of(outcome) == (outcome.size ? whole.shown : whole.shown_without_size));
    for (const auto& [offset, rule, length] : faults_of(outcome))
        CHECK_MESSAGE(whole.faults.contains({offset, rule, length}), rule << " at " << offset << " is made up");
}

CheckOptions all_findings() {
    CheckOptions options;
    options.report.kept_per_rule = 0;
    return options;
}

// A source of which one read, or all from one on, go wrong.
class FlakySource final : public ForwardingSource {
  public:
    enum class Kind : uint8_t { reads_one_byte, read_fails, seeks_fail };
    FlakySource(Source& inner, Kind kind, uint64_t number) : ForwardingSource(inner), kind_(kind), number_(number) {}

    size_t read(uint8_t* to, size_t bytes) override {
        const bool now = kind_ != Kind::seeks_fail && ++calls_ == number_;
        failed_ |= now && kind_ == Kind::read_fails;
        if (failed_) return 0;
        return ForwardingSource::read(to, now ? std::min<size_t>(bytes, 1) : bytes);
    }
    bool seek(uint64_t offset) override {
        if (kind_ == Kind::seeks_fail && ++calls_ >= number_) return false;
        return ForwardingSource::seek(offset);
    }
    std::string failure() const override { return failed_ ? "told to fail" : ""; }
    bool struck() const { return calls_ >= number_; }

  private:
    Kind kind_;
    uint64_t number_, calls_ = 0;
    bool failed_ = false;
};

}  // namespace

TEST_CASE("a check for which memory is missing once, or from then on, says so") {
    uint64_t failed = 0;
    for (const SampleFile& file : small_corpus(kSmall))
        for (const bool onwards : {false, true}) {
            CAPTURE(file.name);
            CAPTURE(onwards);
            const CheckOptions options = all_findings();
            MemorySource intact(as_bytes(file.bytes));
            const Whole whole(check(intact, options));
            bool struck = true;
            for (uint64_t number = 1; struck; number = following(number, kFirstCalls)) {
                CAPTURE(number);
                MemorySource source(as_bytes(file.bytes));
                std::optional<Outcome> outcome;
                {
                    const Fault fault(Call::allocation, number, Way::fails, onwards);
                    outcome.emplace(check(source, options));
                    struck = fault.struck();
                }
                hold(*outcome, whole, struck);
                failed += struck;
            }
        }
    MESSAGE(failed << " allocations failed");
    CHECK(failed > 1000);
}

TEST_CASE("settings that there is no memory for are no exception either") {
    CheckOptions options = all_findings();
    for (const Option* option : all_options()) options.settings.set(*option, 0);
    MemorySource source({});
    const Fault fault(Call::allocation, 1);
    const Outcome outcome = check(source, options);
    CHECK(outcome.failure == "out of memory");
    CHECK(outcome.context.limit_hit);
}

TEST_CASE("a short read changes nothing, nor does a source that stops to seek; a failed read is said") {
    using Kind = FlakySource::Kind;
    uint64_t failed = 0;
    for (const SampleFile& file : small_corpus(64 * kSmall))
        for (const Kind kind : {Kind::reads_one_byte, Kind::read_fails, Kind::seeks_fail}) {
            CAPTURE(file.name);
            CAPTURE(static_cast<int>(kind));
            MemorySource intact(as_bytes(file.bytes));
            const Whole whole(check(intact, all_findings()));
            bool struck = true;
            for (uint64_t number = 1; struck; number = following(number, kFirstCalls)) {
                CAPTURE(number);
                MemorySource inner(as_bytes(file.bytes));
                FlakySource source(inner, kind, number);
                const Outcome outcome = check(source, all_findings());
                struck = source.struck();
                if (struck && kind == Kind::read_fails) CHECK(outcome.failure == "told to fail");
                hold(outcome, whole, kind == Kind::read_fails);
                failed += struck;
            }
        }
    MESSAGE(failed << " reads and seeks failed");
    CHECK(failed > 1000);
}

namespace {

// The parts of a result that callers of the library see, except for its size: what cannot seek is not read for it.
std::string seen_of(const Result& result) {
    std::string text(to_string(result.verdict()));
    for (const RuleCount& count : result.counts())
        text += '\n' + std::string(count.rule) + ' ' + std::to_string(count.found) + ' ' + std::to_string(count.kept);
    for (const Finding& finding : result.findings())
        text += '\n' + std::to_string(finding.place().offset) + ' ' + finding.field() + ": " + finding.message();
    return text;
}

// A check that lacks memory says so, or gives the whole result.
template <class Check>
uint64_t hold_without_memory(bool onwards, Check run) {
    const std::string whole = seen_of(run());
    uint64_t failed = 0;
    bool struck = true;
    for (uint64_t number = 1; struck; number = following(number, kFirstCalls)) {
        CAPTURE(number);
        std::optional<Result> result;
        {
            const Fault fault(Call::allocation, number, Way::fails, onwards);
            result.emplace(run());
            struck = fault.struck();
        }
        failed += struck;
        const bool is_reported =
            result->failure() == Failure::callback && !result->limit_hit();  // on_finding had no memory
        CHECK((result->failure() == Failure::none || result->failure() == Failure::memory || is_reported));
        CHECK((result->failure() == Failure::memory) <= result->limit_hit());
        if (!result->limit_hit() || !struck) CHECK(seen_of(*result) == whole);
    }
    return failed;
}

// A jitdump of a header and one LOAD, with this much code.
std::string jitdump_of(uint64_t code) {
    std::string bytes;
    const auto put = [&](uint64_t value, unsigned width) {
        for (unsigned i = 0; i < width; ++i) bytes += static_cast<char>(value >> 8 * i);
    };
    for (const uint64_t number : {0x4a695444U, 1U, 40U, 62U, 0U, 17U}) put(number, 4);
    for (const uint64_t number : {1U, 0U}) put(number, 8);
    for (const uint64_t number : {uint64_t{0}, 58 + code}) put(number, 4);
    put(2, 8);
    for (const uint64_t number : {17U, 17U}) put(number, 4);
    for (const uint64_t number : {uint64_t{0x5000}, uint64_t{0x5000}, code, uint64_t{1}}) put(number, 8);
    return bytes + 'f' + std::string(1 + code, '\0');
}

}  // namespace

TEST_CASE("no function of the library throws where memory is missing") {
    uint64_t failed = 0;
    Options options;
    options.severities = {{"jitdump/debug-entry-elf-bias", Severity::warning}};  // text that takes an allocation
    for (const SampleFile& file : small_corpus(0)) {
        CAPTURE(file.name);
        const Bytes bytes = as_bytes(file.bytes);
        failed += hold_without_memory(false, [&] { return check_memory(bytes, options); });
        failed += hold_without_memory(true, [&] {
            Session session(options);
            session.feed(bytes);
            return session.finish();
        });
        failed += hold_without_memory(false, [&] {
            MemorySource source(bytes);
            return check(source, options);
        });
        const ScratchFile on_disk(file.bytes);
        failed += hold_without_memory(true, [&] { return check_file(on_disk.path(), options); });
    }
    MESSAGE(failed << " allocations failed");
    CHECK(failed > 1000);
}

TEST_CASE("readers and companions that there is no memory for are said to be missing") {
    uint64_t failed = 0;
    const std::string bytes = jitdump_of(16), map = "5000 10 f\n", recording = "PERFILE2";
    Options options;
    options.file_name = "jit-17.dump";
    options.readers = {"perf", "samply"};
    options.companions = {{.name = "perf-17.map", .bytes = as_bytes(map)},
                          {.name = "perf.data", .bytes = as_bytes(recording)}};
    for (const bool onwards : {false, true}) {
        failed += hold_without_memory(onwards, [&] { return check_memory(as_bytes(bytes), options); });
        failed += hold_without_memory(onwards, [&] {
            Session session(options);
            session.feed(as_bytes(bytes));
            return session.finish();
        });
    }
    MESSAGE(failed << " allocations failed");
    CHECK(failed > 100);
}

TEST_CASE("a function for findings misses none where memory is missing for what it makes of them") {
    const std::string bytes = *read_file(kRoot / "corpus/jitdump/real/llvm-jitlink-19-uninitialised-flags.dump");
    uint64_t failed = 0, calls = 0, texts = 0;
    Options options;
    options.on_finding = [&](const Finding& finding) {
        ++calls;
        texts += finding.message().size();  // throws
    };
    failed += hold_without_memory(false, [&] { return check_memory(as_bytes(bytes), options); });
    failed += hold_without_memory(true, [&] { return check_memory(as_bytes(bytes), options); });
    CHECK(texts > 0);

    options.on_finding = [&](const Finding&) { ++calls; };
    bool struck = true;
    for (uint64_t number = 1; struck; number = following(number, kFirstCalls)) {
        CAPTURE(number);
        calls = 0;
        std::optional<Result> result;
        {
            const Fault fault(Call::allocation, number);
            result.emplace(check_memory(as_bytes(bytes), options));
            struck = fault.struck();
        }
        if (result->state() != nullptr) CHECK(calls >= result->findings().size());
        failed += struck;
    }
    CHECK(failed > 100);
}

TEST_CASE("texts of findings are whole, or there is std::bad_alloc") {
    const std::string bytes = *read_file(kRoot / "corpus/jitdump/real/llvm-jitlink-19-uninitialised-flags.dump");
    const Result result = check_memory(as_bytes(bytes));
    uint64_t failed = 0;
    for (const Finding& finding : result.findings())
        for (std::string (Finding::* const text)() const : {&Finding::field, &Finding::message, &Finding::help}) {
            const std::string whole = (finding.*text)();
            bool struck = true;
            for (uint64_t number = 1; struck; ++number) {
                std::string found = whole;
                bool threw = false;
                const Fault fault(Call::allocation, number);
                try {
                    found = (finding.*text)();
                } catch (const std::bad_alloc&) {
                    threw = true;
                }
                struck = fault.struck();
                failed += threw;
                if (threw != struck || found != whole) FAIL_CHECK("a text is not whole: ", found);
            }
        }
    CHECK(failed > 20);
}

TEST_CASE("a catalogue that there is no memory for is empty, and whole later") {
    uint64_t failed = 0;
    for (uint64_t number = 1;; ++number) {
        const Fault fault(Call::allocation, number);
        const bool is_there = number % 2 == 0 ? rule_info("jitdump/bad-magic") != nullptr : !catalogue().rules.empty();
        if (is_there) break;
        ++failed;
    }
    CHECK(failed > 3);
    CHECK(catalogue().rules.size() == all_rules().size());
    CHECK(rule_info("jitdump/no-such") == nullptr);
}

TEST_CASE("nor does a session that has a thread") {
    constexpr size_t kPiece = 50'000;
    const std::string large = jitdump_of(2 * Session::kCollected);
    for (const bool onwards : {false, true}) {
        const uint64_t failed = hold_without_memory(onwards, [&] {
            Session session;
            for (Bytes rest = as_bytes(large); !rest.empty(); rest = rest.subspan(std::min(kPiece, rest.size())))
                if (!session.feed(rest.first(std::min(kPiece, rest.size())))) break;
            return session.finish();
        });
        MESSAGE(failed << " allocations failed");
        CHECK(failed > 10);
    }
}

}  // namespace tracelint
