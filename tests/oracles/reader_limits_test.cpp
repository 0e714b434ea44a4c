// The cost of --for, and its result after a limit, a failed read or a signal: over the files of the corpus and the
// hostile ones.
#include <doctest/doctest.h>

#include "fuzz/tool/readers_oracle.hpp"
#include "tests/files/hostile.hpp"
#include "tests/files/mono_file.hpp"
#include "tests/support/oracle_files.hpp"
#include "tests/support/skip.hpp"
#include "validator/input/input_rules.hpp"
#include "validator/tool/options/option_words.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kSmall = uint64_t{64} << 10;
constexpr uint64_t kFirst = 32;  // calls that are tried one by one

void hold_of(const std::string& name, const Complaint& complaint) {
    CHECK_MESSAGE(!complaint, name << ": " << *complaint);
}

// One of the format's readers that have a model; null if absent.
const TraceReader* with_model(const Format& format) {
    for (const TraceReader* reader : all_readers())
        if (reader->format == &format && reader->model != nullptr) return reader;
    return nullptr;
}

std::vector<NamedBytes> base_files() {
    std::vector<NamedBytes> files;
    Errors errors;
    for (const Format* format : formats())
        for (const auto& path : corpus_files(*format, "base", ".hex"))
            files.push_back({shown(path), read_hex(read_file(path).value_or(""), shown(path), errors).bytes});
    REQUIRE(errors.empty());
    return files;
}

}  // namespace

TEST_CASE("work and memory of the readers are bounded for hostile files, also within limits") {
#ifndef TRACELINT_AGREEMENT
    return skip("work and memory are not measured in this build");
#endif
    for (const files::HostileFile& file : files::all_hostile()) {
        std::string content;
        file.write({kSmall, nullptr, &content});
        const Bytes bytes = as_bytes(content);
        hold_of(file.name, readers_predicted(bytes, kReadersMemoryAtLeast + file.constant_memory));
        for (uint64_t seed = 1; seed <= 3; ++seed) hold_of(file.name, readers_within_limits(bytes, seed));
    }
}

TEST_CASE("with less memory no reader does better, for files of the corpus") {
    for (const Format* format : formats()) {
        uint64_t seed = 0, number = 0;
        for (const NamedBytes& file : corpus_bytes(*format))
            if (is_sampled(number++, 4) && file.bytes.size() <= kSmall)
                for (const uint64_t end = seed + 2; seed < end; ++seed)
                    hold_of(file.name + " with seed " + std::to_string(seed),
                            readers_within_limits(as_bytes(file.bytes), seed));
    }
}

TEST_CASE("a read that fails is said, whichever it is") {
    uint64_t failed = 0;
    for (const NamedBytes& file : base_files()) {
        bool has_failed = true;
        for (uint64_t number = 1; has_failed; number = following(number, kFirst)) {
            hold_of(file.name, readers_fail(as_bytes(file.bytes), number, &has_failed));
            failed += has_failed;
        }
    }
    MESSAGE(failed << " reads failed");
    CHECK(failed > 500);
}

TEST_CASE("a signal ends the readers, whenever it comes") {
    uint64_t ended = 0;
    const auto end_all = [&](const std::string& name, Bytes bytes) {
        bool was_polled = true;
        for (uint64_t number = 1; was_polled; number = following(number, kFirst)) {
            hold_of(name, readers_end(bytes, number, &was_polled));
            ended += was_polled;
        }
    };
    for (const NamedBytes& file : base_files()) end_all(file.name, as_bytes(file.bytes));
    // Large enough that the models ask on their way.
    for (const files::HostileFile& file : files::all_hostile()) {
        const bool is_long =
            std::string_view(file.name) == "perfdata-samples" || std::string_view(file.name) == "mlpd-methods";
        if (!is_long) continue;
        std::string content;
        file.write({8 * kSmall, nullptr, &content});
        end_all(file.name, as_bytes(content));
    }
    CHECK(ended > 200);
}

TEST_CASE("a model ends where the work, the memory or the caller's patience does, and keeps the first reason") {
    ReaderFile file;
    file.size = 1000;
    MemorySource source({});
    Window window(source);
    Budget budget(kNone);
    WorkCounter work;
    FollowContext::IsInterrupted is_interrupted;
    constexpr uint64_t kAllowed = FollowContext::kWorkPerByte * 1000 + FollowContext::kWorkAtLeast;
    {
        FollowContext context(file, window, budget, work, is_interrupted);
        for (uint64_t i = 0; i < kAllowed; ++i) REQUIRE(context.spend(1));
        context.earn(1);
        CHECK(context.spend(FollowContext::kWorkPerByte));
        CHECK_FALSE(context.spend(1));
        CHECK_FALSE(context.spend(0));
        CHECK(context.why() == Unpredicted::work);
        CHECK_FALSE(context.stop(Unpredicted::memory));
        CHECK(context.why() == Unpredicted::work);
    }
    bool has_come = false;
    is_interrupted = [&] { return has_come; };
    FollowContext context(file, window, budget, work, is_interrupted);
    CHECK(context.spend(0));
    has_come = true;
    while (context.spend(1)) CHECK(work.total() <= 2 * kAllowed + 10);
    CHECK(context.has_ended());
}

TEST_CASE("what a model says after it was ended is not heard") {
    const Format* const format = formats().front();
    TraceReader reader = *with_model(*format);
    reader.model = [](FollowContext& context) {
        (void)context.stop(Unpredicted::memory);
        return Followed(Forecast{});
    };
    ReaderFile file;
    file.size = 1000;
    MemorySource source({});
    Window window(source);
    Budget budget(kNone);
    WorkCounter work;
    const FollowContext::IsInterrupted never;
    FollowContext context(file, window, budget, work, never);
    const Followed answer = follow(reader, context);
    REQUIRE(std::holds_alternative<Unpredicted>(answer));
    CHECK(std::get<Unpredicted>(answer) == Unpredicted::memory);
}

namespace {

const std::string& one_function() {
    static const std::string bytes = *read_file(kRoot / "corpus/jitdump/real/php-8.2-stubs.dump");
    return bytes;
}

// A file that another process cuts after the first few reads.
class CutLater final : public ForwardingSource {
  public:
    CutLater(Source& inner, uint64_t reads, uint64_t end) : ForwardingSource(inner), reads_(reads), end_(end) {}
    size_t read(uint8_t* to, size_t bytes) override {
        const size_t got = ForwardingSource::read(to, bytes);
        at_ += got;
        if (++calls_ <= reads_) return got;
        return at_ > end_ ? got - std::min<size_t>(got, at_ - end_) : got;
    }
    bool seek(uint64_t offset) override {
        at_ = offset;
        return ForwardingSource::seek(offset);
    }
    bool has_changed() const override { return calls_ > reads_; }

  private:
    uint64_t reads_, end_, at_ = 0, calls_ = 0;
};

ForReaders predict(std::string_view bytes, const char* reader, const CheckOptions& options = {}) {
    const std::vector<const TraceReader*> readers = readers_named(reader);
    return predict_readers(as_bytes(bytes), readers, options);
}

std::string first_sentence(const ForReaders& predicted) {
    REQUIRE(!predicted.verdicts.empty());
    return sentence_of(predicted.verdicts.front());
}

}  // namespace

TEST_CASE("a file that is empty or of no known format is refused, and its finding keeps its severity") {
    struct Refused {
        std::string bytes;
        const char* rule;
        const char* sentence;
    };
    const Refused kRefused[] = {
        {"", "input/empty", "perf 7.2 refuses the file: it is empty"},
        {"hello", "input/unknown-format", "perf 7.2 refuses the file: its format is not known"},
        {"DTi", "input/unknown-format", "perf 7.2 refuses the file: its format is not known"},
    };
    for (const Refused& refused : kRefused)
        for (const char* reader : {"perf", "any"}) {
            CAPTURE(refused.rule);
            const ForReaders predicted = predict(refused.bytes, reader);
            CHECK(predicted.verdicts.size() == 1);
            CHECK(first_sentence(predicted) == std::string(refused.sentence));
            CHECK(predicted.verdicts.front().outcome == ReaderOutcome::refuses);
            CHECK(predicted.outcome.report().count(*find_rule(refused.rule), Severity::error) == 1);
        }
    RuleFilter ignoring;
    ignoring.ignore("input/empty");
    CheckOptions options;
    options.report.filter = &ignoring;
    CHECK(predict("", "perf", options).outcome.report().diagnostics().empty());
}

TEST_CASE("a file of which reading fails keeps its findings, with their own severities") {
    MemorySource inner(as_bytes("hello"));
    FailingSource source(inner, 2);
    const ForReaders predicted(source, readers_named("perf"), {});
    CHECK(predicted.verdicts.empty());
    CHECK(predicted.outcome.failure == "told to fail");
}

TEST_CASE("a recording that is too large for the model is not said to be loaded") {
    std::string content;
    for (const files::HostileFile& file : files::hostile_perfdata())
        if (std::string_view(file.name) == "perfdata-ids") file.write({16 * kMiB + 1, nullptr, &content});
    const ForReaders predicted = predict(content, "perf");
    CHECK(first_sentence(predicted) == "perf 7.2 cannot be predicted: the file is larger than 16 MiB");
    CHECK_FALSE(predicted.outcome.context.limit_hit);
}

TEST_CASE("a model that finds no memory is named with its limit") {
    std::string content;
    {
        files::MonoFile file({0, nullptr, &content});
        file.open_buffer(1);
        for (int i = 0; i < 500'000; ++i) file.simple(files::kHeapStart), file.simple(files::kHeapEnd);
        file.close_buffer();
    }
    CheckOptions options;
    options.limits.memory = 2 * kMiB;  // enough for the check, but not for the buffer
    MemorySource source(as_bytes(content));
    REQUIRE_FALSE(check(source, options).context.limit_hit);
    const ForReaders predicted = predict(content, "mprof-report", options);
    CHECK(first_sentence(predicted) ==
          "mprof-report 6.8 cannot be predicted: following it takes more memory than the limit allows");
    CHECK(predicted.outcome.context.limit_hit);
    CHECK(predicted.outcome.report().count(kModelLimit, Severity::note) == 1);
    CHECK(predicted.outcome.report().count(Severity::error) == 0);
}

TEST_CASE("a file that changes between two readings is not judged") {
    const std::string& bytes = one_function();
    uint64_t reads = 0;
    for (bool has_failed = true; has_failed; ++reads) {
        MemorySource inner(as_bytes(bytes));
        FailingSource source(inner, reads + 1);
        (void)check(source, {});
        has_failed = source.has_failed();
    }
    MemorySource inner(as_bytes(bytes));
    CutLater source(inner, reads, 100);
    const ForReaders predicted(source, readers_named("perf"), {});
    CHECK(first_sentence(predicted) == "perf 7.2 cannot be predicted: the file changed while it was read");
    CHECK(predicted.outcome.report().count(kInputChanged) == 1);
}

}  // namespace tracelint
