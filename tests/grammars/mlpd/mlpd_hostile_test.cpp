// Mono log-profiler files that make a walk read bytes again, or remember more and more.
#include <doctest/doctest.h>

#include <set>

#include "fuzz/chunked_source.hpp"
#include "fuzz/oracles.hpp"
#include "grammars/mlpd/checks/session.hpp"
#include "grammars/mlpd/mlpd.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/cut_source.hpp"
#include "validator/tables/leb128.hpp"

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

// A file as a walk sees it that has no bytes in hand but those it asks for: to recognise a format takes some thousands.
struct Walked {
    explicit Walked(Source& source, Limits limits = {}) : context({}, limits) {
        Window window(source);
        mlpd::validate_file(window, context, WalkMode::fast);
        context.report.finish();
    }
    bool says(std::string_view rule) const { return context.report.counts().contains(rule); }

    ValidationContext context;
};

uint64_t occurrences_of(const Outcome& outcome, const Record& record) {
    uint64_t times = 0;
    for (const auto& [name, count] : outcome.context.statistics)
        if (name == record.name) times += count;
    return times;
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
            std::set<std::tuple<std::string_view, uint64_t, uint64_t>> reported;
            const Outcome outcome = check_all({as_bytes(file), nullptr});
            for (const Diagnostic& d : outcome.report().diagnostics())
                CHECK(reported.emplace(d.rule->id, d.place.offset, d.place.length).second);
        }
}

TEST_CASE("what is read again is not said again, however much there is of it") {
    for (const size_t count : {1u, 10u, 62u, 63u, 64u, 65u, 100u}) {
        CAPTURE(count);
        // Addresses in two bytes, where one were enough.
        const std::string moves = {'\x31', '\x00', '\x80', '\x02'};
        const std::string list = moves + repeated({'\x80', '\x00'}, count);
        const std::string lost = buffer({'\x21', '\x81', '\x00', '\x05'});
        const std::string file = header() + buffer(list + lost, 4096);
        const Outcome outcome = check_all({as_bytes(file), nullptr});
        std::set<std::tuple<std::string_view, uint64_t, uint64_t>> reported;
        for (const Diagnostic& d : outcome.report().diagnostics())
            CHECK(reported.emplace(d.rule->id, d.place.offset, d.place.length).second);
        CHECK(outcome.report().counts().at("mlpd/leb128-non-canonical") == count + 1);
        // If the finding in the lost buffer exceeds what is remembered, the search continues after it.
        CHECK(occurrences_of(outcome, mlpd::kGcResize) == (count < 63 ? 1 : 0));
    }
}

TEST_CASE("what is but noted is not noted twice where it is read again") {
    // A SAMPLE_HIT of one frame, which is null, in a buffer that is lost in the frames of another one: there the frame
    // also leads to null.
    std::string lost = buffer({'\x07', '\x05', '\x00', '\x00', '\x01', '\x78'});
    lost[40] = 8;  // method_base
    uint64_t method = 0;
    for (size_t at = 0; at < lost.size();) {
        const LebNumber distance = read_leb(as_bytes(lost).subspan(at), true);
        method += distance.value;
        at += distance.length;
    }
    std::string frames = {'\x07', '\x00', '\x00', '\x00', '\x80', '\x94', '\xeb', '\xdc', '\x03'};
    append_leb(frames, 0 - method, true);
    const std::string file = header() + buffer(frames + lost, 0x7fffffff);
    const Outcome outcome = check_all({as_bytes(file), nullptr});
    CHECK(occurrences_of(outcome, mlpd::kSampleHit) == 1);
    const auto is_last = [&](const Diagnostic& d) {
        return d.rule == &mlpd::kNullMethod && d.place.offset == file.size() - 1;
    };
    CHECK(std::ranges::count_if(outcome.report().diagnostics(), is_last) == 1);
}

TEST_CASE("of a cut buffer no more is read again than was passed, and a kilobyte") {
    const std::string lost = buffer({'\x21', '\x05', '\x08'});
    const size_t passed = header().size() + buffer("").size();
    for (const bool is_over : {false, true}) {
        CAPTURE(is_over);
        const size_t filler = passed + 1024 - kMoves.size() - lost.size() + (is_over ? 1 : 0);
        const std::string file = header() + buffer(kMoves + repeated("\x02", filler) + lost, 0x7fffffff);
        const Outcome outcome = check_all({as_bytes(file), nullptr});
        CHECK(occurrences_of(outcome, mlpd::kGcResize) == (is_over ? 0 : 1));
    }
    // Not for each of many, either.
    const std::string resizes = repeated({'\x21', '\x05', '\x08'}, 20'000);
    const std::string file = header() + repeated(buffer(resizes), 4) + repeated(endless(kMoves), 2000);
    const Outcome outcome = check_all({as_bytes(file), nullptr});
    CHECK(outcome.context.work.total() < 100 * file.size());
}

TEST_CASE("mlpd: what comes byte by byte gives the same findings") {
    const std::set<std::string_view> rules = {
        "mlpd/bad-aot-id",          "mlpd/bad-buffer-id", "mlpd/bad-mvid",         "mlpd/header-string-embedded-nul",
        "mlpd/header-string-utf8",  "mlpd/invalid-utf8",  "mlpd/leb128-truncated", "mlpd/truncated-buffer",
        "mlpd/unterminated-string",
    };
    const auto reported = [](Source&& source) {
        std::vector<std::string> lines;
        const Walked walked(source);
        for (const Diagnostic& found : walked.context.report.diagnostics())
            lines.push_back(line_of(expectation_of(found)));
        return lines;
    };
    Errors errors;
    for (const CaseFile& file : corpus_cases(*find_format("mlpd"), errors))
        for (const CaseBlock& block : file.blocks) {
            if (!rules.contains(file.rule) || block.bytes.size() > 1000) continue;
            CAPTURE(file.path);
            CAPTURE(block.line);
            const std::string bytes = block.bytes.part(0, block.bytes.size());
            CHECK(reported(ChunkedSource(as_bytes(bytes), {.sizes = {1}})) == reported(MemorySource(as_bytes(bytes))));
        }
}

TEST_CASE("mlpd: a long name that comes in pieces may be taken apart within a character") {
    for (const size_t before : {0u, 1u})
        for (const bool is_sound : {true, false}) {
            CAPTURE(before);
            const std::string name = std::string(before, 'a') + repeated("\xc3\xa9", 10'000) + (is_sound ? "" : "\xc3");
            // A JIT: time, method, address and size of the code, name.
            const std::string event = std::string({'\x43', '\x05', '\x08', '\x10', '\x20'}) + name + '\0';
            const std::string file = header() + buffer(event);
            ChunkedSource source(as_bytes(file), {.sizes = {1}});
            CHECK(Walked(source).says("mlpd/invalid-utf8") == !is_sound);
        }
}

TEST_CASE("the part above the record limit of its event is not checked, which is reported") {
    // An image with a long name.
    constexpr uint64_t kKept = 60, kBeforeName = 4, kMvid = 36;
    const std::string sound = "1b2a3948-5766-7584-93a2-b1c0dfeef00d", unsound(kMvid, 'x');
    for (const std::string& mvid : {sound, unsound})
        for (const uint64_t begin : {kKept - kMvid, kKept - kMvid + 1, kKept, 2 * kKept - 10}) {
            CAPTURE(mvid);
            CAPTURE(begin);
            const std::string name(begin - kBeforeName - 1, 'a');
            const std::string front = {'\x22', '\x05', '\x02', '\x08'};
            const std::string file = header() + buffer(front + name + '\0' + mvid + '\0');
            for (const uint64_t most : {kKept, 10 * kKept}) {
                CAPTURE(most);
                ChunkedSource source(as_bytes(file), {.sizes = {1}});
                const bool is_judged = begin + kMvid <= most;
                const Walked walked(source, {.record = most});
                CHECK(walked.says("mlpd/bad-mvid") == (is_judged && mvid == unsound));
                CHECK(walked.says("mlpd/tracking-limit") == !is_judged);
                CHECK(walked.context.limit_hit == !is_judged);
            }
        }
}

TEST_CASE("three bytes of an id lead nowhere, whatever was in memory where the fourth would be") {
    const std::string named = std::string({'\x43', '\x05', '\x08', '\x00', '\x00'}) + std::string(65'000, 'M') + '\0';
    std::string damaged = buffer({'\x21', '\x05', '\x08'});
    damaged[0] = 2;
    const std::string file = header() + repeated(buffer(named), 5) + damaged + "\x01LP";
    const Outcome outcome = check_all({as_bytes(file), nullptr});
    CHECK(outcome.report().counts().at(mlpd::kBadBufferId.id) == 1);
    CHECK(!outcome.report().counts().contains("mlpd/truncated-buffer-header"));
}

TEST_CASE("where reading fails nothing is said about the end of the file") {
    const std::string file = header() + buffer({'\x23', '\x05', '\x08'});
    for (const bool fails : {false, true}) {
        CAPTURE(fails);
        ChunkedSource source(as_bytes(file), {.seekable = false, .fails_at = fails ? file.size() : kNone});
        const Walked walked(source);
        for (const std::string_view rule : {"mlpd/undefined-method", "mlpd/call-stack-open-at-end"})
            CHECK(walked.says(rule) == !fails);
    }
}

TEST_CASE("a finding knows the kind of its event") {
    struct Row {
        std::string events;
        std::string_view rule;
        const Record& record;
    };
    const Row rows[] = {
        {{'\x13', '\x05', '\x02'}, "mlpd/leave-without-enter", mlpd::kLeave},
        {{'\x13', '\x05', '\x02'}, "mlpd/undefined-method", mlpd::kLeave},
        {{'\x21', '\x05'}, "mlpd/event-overruns-buffer", mlpd::kGcResize},
        {{'\x22', '\x05', '\x05', '\x09'}, "mlpd/thread-event-wrong-thread", mlpd::kThread},
        {{'\x22', '\x05', '\x02', '\x09'}, "mlpd/event-overruns-buffer", mlpd::kImage},
        {{'\x22', '\x05'}, "mlpd/event-overruns-buffer", mlpd::kMetadata},
        {{'\x21', '\x05', '\x08', '\x0f'}, "mlpd/unknown-event-type", mlpd::kUnknownEvent},
    };
    for (const Row& row : rows) {
        CAPTURE(row.rule);
        const std::string file = header() + buffer(row.events);
        const Outcome outcome = check_all({as_bytes(file), nullptr});
        const auto found = std::ranges::find(outcome.report().diagnostics(), find_rule(row.rule), &Diagnostic::rule);
        REQUIRE(found != outcome.report().diagnostics().end());
        CHECK(found->place.record == &row.record);
    }
}

TEST_CASE("the version and the size of pointers are those of the first header") {
    std::string first = header(), second = header();
    first[7] = 4;
    second[6] = 16;
    for (const bool both : {false, true}) {
        const Outcome outcome = check_all({as_bytes(both ? first + second : first), nullptr});
        CHECK(outcome.context.identity.format_version == 17);
        CHECK(outcome.context.identity.word_size == 4);
    }
    const Outcome other = check_all({as_bytes(second), nullptr});
    CHECK(other.context.identity.format_version == 16);
    CHECK(other.context.identity.word_size == 8);
    second[6] = 18;
    const Outcome unknown = check_all({as_bytes(second), nullptr});
    CHECK(unknown.context.identity.format_version == 18);
    second[6] = 17, second[7] = 3;
    CHECK(check_all({as_bytes(second), nullptr}).context.identity.word_size == 8);
}

TEST_CASE("the events of files that were put together are counted together") {
    const std::string one = header() + buffer({'\x21', '\x05', '\x08', '\x21', '\x05', '\x08'});
    const std::string two = header() + buffer({'\x21', '\x05', '\x08', '\x0a', '\x05', '\x00'});
    const std::string file = one + two;
    const Outcome outcome = check_all({as_bytes(file), nullptr});
    const std::vector<std::pair<std::string_view, uint64_t>> counted = {
        {"records", 6}, {mlpd::kBuffer.name, 2}, {mlpd::kGcResize.name, 3}, {mlpd::kSyncPoint.name, 1}};
    CHECK(outcome.context.statistics == counted);
}

TEST_CASE("one buffer is counted, and none is not") {
    const std::string none = header(), one = none + buffer({'\x21', '\x05', '\x08'});
    using Counted = std::vector<std::pair<std::string_view, uint64_t>>;
    CHECK(check_all({as_bytes(none), nullptr}).context.statistics == Counted{{"records", 0}});
    CHECK(check_all({as_bytes(one), nullptr}).context.statistics ==
          Counted{{"records", 2}, {mlpd::kBuffer.name, 1}, {mlpd::kGcResize.name, 1}});
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

TEST_CASE("bytes that cannot be kept for a search are skipped, which is reported") {
    const std::string lost = buffer({'\x0f'});
    const std::string file = header() + buffer({'\x0f', '\x00'}, 1000) + lost + lost;
    CheckOptions options;
    options.limits.record = 64;
    MemorySource whole(as_bytes(file));
    CutSource cut(as_bytes(file));
    for (Source* const source : {static_cast<Source*>(&whole), static_cast<Source*>(&cut)}) {
        CAPTURE(source->is_cut());
        const Outcome outcome = check(*source, options);
        CHECK(outcome.context.limit_hit);
        const auto found = std::ranges::find(outcome.report().diagnostics(), &mlpd::kTrackingLimit, &Diagnostic::rule);
        REQUIRE(found != outcome.report().diagnostics().end());
        CHECK(found->place.offset == file.size());
        CHECK(found->place.length == 0);
    }
}

TEST_CASE("what may just be kept for a search is searched") {
    constexpr uint64_t kLength = 1000;
    const std::string lost = buffer({'\x21', '\x05', '\x08'});
    const std::string file = header() + buffer({'\x0f', '\x00'}, kLength) + lost + lost;
    for (const uint64_t most : {kLength - 1, kLength}) {
        CAPTURE(most);
        CheckOptions options;
        options.limits.record = most;
        MemorySource source(as_bytes(file));
        const Outcome outcome = check(source, options);
        CHECK(outcome.context.limit_hit == (most < kLength));
        CHECK(occurrences_of(outcome, mlpd::kGcResize) == (most < kLength ? 0 : 2));
    }
}

}  // namespace tracelint
