// Checks that are fed: the same outcome for every splitting, and what happens to those that are misused.
#include <atomic>
#include <future>
#include <optional>

#include "fuzz/chunked_source.hpp"
#include "fuzz/findings.hpp"
#include "tests/support/oracle_files.hpp"
#include "tracelint/tracelint.hpp"
#include "validator/library/state.hpp"

namespace tracelint {
namespace {

std::string piped(Bytes bytes) {
    ChunkedSource pipe(bytes, {.seekable = false});
    return transcript(check_source(pipe, {bytes}));
}

// A session over `bytes` in pieces of one size.
Result fed(Bytes bytes, size_t piece, const Options& options = {}) {
    Session session(options);
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(piece, bytes.size())))
        session.feed(bytes.first(std::min(piece, bytes.size())));
    return session.finish();
}

Options all_of_each_rule() {
    Options options;
    options.kept_per_rule = 0;
    return options;
}

// A generated file of at least as many bytes, with its second half damaged, or all of it from an offset on.
std::string large_file(const Format& format, size_t bytes, std::optional<size_t> from = {}) {
    std::string file = bytes_of(generate(format, {.seed = 7, .size = bytes, .model = {}}));
    for (size_t at = from.value_or(file.size() / 2); at < file.size(); at += 997)
        file[at] = static_cast<char>(~file[at]);
    return file;
}

TEST_CASE("a queue of any size, fed in pieces of any size, gives the report of a pipe") {
    for (const Format* format : tested_formats()) {
        const auto paths = corpus_files(*format, "base", ".hex");
        // A file has a fifth of the pairs of sizes, the next one others. Small ones switch threads for each byte.
        const size_t files = std::min<size_t>(5, paths.size());
        for (size_t file = 0; file < paths.size(); ++file) {
            if (!is_sampled(file, 3)) continue;
            CAPTURE(shown(paths[file]));
            Errors errors;
            const std::string bytes = read_hex(read_file(paths[file]).value_or(""), shown(paths[file]), errors).bytes;
            const std::string expected = piped(as_bytes(bytes));
            size_t pair = file / 3;
            for (const size_t queue : {0U, 1U, 2U, 3U, 7U, 64U, 4096U})
                for (const size_t piece : {1U, 2U, 5U, 63U, 10'000U}) {
                    if (pair++ % files != 0) continue;
                    CAPTURE(queue);
                    CAPTURE(piece);
                    PushedCheck check(options_of({as_bytes(bytes)}), queue);
                    for (Bytes rest = as_bytes(bytes); !rest.empty(); rest = rest.subspan(std::min(piece, rest.size())))
                        check.feed(rest.first(std::min(piece, rest.size())));
                    REQUIRE(transcript(check.finish()) == expected);
                }
        }
    }
}

TEST_CASE("a session gives the report of a pipe, below, at and above what it collects") {
    for (const Format* format : tested_formats())
        for (const size_t size : {Session::kCollected / 4, 6 * Session::kCollected}) {
            const std::string large = large_file(*format, size);
            for (const size_t cut :
                 {large.size(), Session::kCollected - 1, Session::kCollected, Session::kCollected + 1}) {
                if (cut > large.size()) continue;
                const Bytes bytes = as_bytes(large).first(cut);
                const std::string expected = piped(bytes);
                CAPTURE(format->id);
                CAPTURE(bytes.size());
                for (const size_t piece : {1000U, 100'000U, 10'000'000U}) {
                    CAPTURE(piece);
                    const Result result = fed(bytes, piece, all_of_each_rule());
                    REQUIRE(result.state() != nullptr);
                    CHECK(result.failure() == Failure::none);
                    CHECK(transcript(result.state()->outcome) == expected);
                }
            }
        }
}

TEST_CASE("a session without bytes, or with empty pieces only, has the report of an empty file") {
    const Result empty = check_memory({});
    for (const int pieces : {0, 1, 3}) {
        Session session;
        for (int i = 0; i < pieces; ++i) CHECK(session.feed({}));
        const Result result = session.finish();
        CHECK(result.failure() == Failure::none);
        CHECK(transcript(result.state()->outcome) == transcript(empty.state()->outcome));
    }
}

TEST_CASE("a session whose check needs no more says so, and ignores the rest") {
    const std::string text(size_t{64} << 10, 'x');
    Session session;
    uint64_t fed_bytes = 0;
    while (session.feed(as_bytes(text))) {
        fed_bytes += text.size();
        REQUIRE(fed_bytes < 100 * Session::kCollected);
    }
    CHECK_FALSE(session.feed(as_bytes(text)));
    const Result result = session.finish();
    REQUIRE(result.findings().size() == 1);
    CHECK(result.findings()[0].rule() == "input/unknown-format");
    CHECK_FALSE(result.size().has_value());
}

TEST_CASE("a session that is finished twice, fed after its end, or moved from") {
    Session session;
    CHECK(session.feed(as_bytes("JiTD")));
    Session moved(std::move(session));
    CHECK_FALSE(session.feed(as_bytes("x")));  // NOLINT: what is moved from is the test
    CHECK(session.finish().failure() == Failure::misuse);
    CHECK(moved.finish().failure() == Failure::none);
    CHECK_FALSE(moved.feed(as_bytes("x")));
    const Result second = moved.finish();
    CHECK(second.failure() == Failure::misuse);
    CHECK(second.verdict() == Verdict::unreadable);
    CHECK(second.failure_text() == "the session was finished before, moved from, or finished by its own on_finding");
    CHECK(second.findings().empty());
}

TEST_CASE("a session that another one replaces is ended, and the other continues") {
    const std::string large = large_file(*formats()[0], 4 * Session::kCollected);
    Session first, second;
    first.feed(as_bytes(large));
    second.feed(as_bytes(large));
    first = std::move(second);
    CHECK(second.finish().failure() == Failure::misuse);  // NOLINT
    CHECK(transcript(first.finish().state()->outcome) == transcript(fed(as_bytes(large), 5000).state()->outcome));
}

TEST_CASE("a session that is not finished ends with its object, wherever it stands") {
    const std::string large = large_file(*formats()[0], 4 * Session::kCollected);
    for (const size_t size : {size_t{0}, size_t{10}, Session::kCollected, Session::kCollected + 1, large.size()}) {
        CAPTURE(size);
        Session session;
        session.feed(as_bytes(large).first(size));
    }
}

TEST_CASE("options that are wrong are a failure of the session's result") {
    Options options;
    options.format = "jitdmp";
    Session session(options);
    CHECK_FALSE(session.feed(as_bytes("JiTD")));
    CHECK(session.finish().failure() == Failure::options);
}

TEST_CASE("the findings of a session are announced on its way") {
    const std::string large = large_file(*find_format("jitdump"), 4 * Session::kCollected);
    Options options;
    uint64_t announced = 0;
    options.on_finding = [&](const Finding&) { ++announced; };
    const Result result = fed(as_bytes(large), 5000, options);
    uint64_t found = 0;
    for (const RuleCount& count : result.counts()) found += count.found;
    CHECK(announced > 0);
    CHECK(announced <= found);  // of those about the end only the ones that are kept
}

// A session whose on_finding does something to it, once. Then no thread is in a call for it, but for finish().
struct OwnUse {
    explicit OwnUse(void (*use)(OwnUse&)) {
        Options options;
        options.on_finding = [this, use, used = has_used](const Finding&) {
            if (++reported > 1) return;
            may_use.get_future().wait();
            use(*this);
            used->set_value();
        };
        session.emplace(options);
    }
    // As much as has findings, and starts a thread if it is large.
    void feed_start(Bytes bytes) {
        CHECK(session->feed(bytes.first(std::min(bytes.size(), Session::kCollected + 1))));
        may_use.set_value();
        if (bytes.size() > Session::kCollected) has_used->get_future().wait();
    }
    std::optional<Session> session{};
    std::atomic<uint64_t> reported = 0;
    std::promise<void> may_use{};
    std::shared_ptr<std::promise<void>> has_used = std::make_shared<std::promise<void>>();
};

// With damage from its first records on, below or above what a session collects.
std::string damaged_file(size_t bytes) { return large_file(*find_format("jitdump"), bytes, 200); }
constexpr size_t kSizes[] = {Session::kCollected / 2, 4 * Session::kCollected};

TEST_CASE("a session that its own on_finding destroys ends, and calls it no more") {
    const std::string bytes = damaged_file(4 * Session::kCollected);
    OwnUse of([](OwnUse& self) { self.session.reset(); });
    of.feed_start(as_bytes(bytes));
    CHECK(of.reported == 1);
    CHECK_FALSE(of.session.has_value());
}

TEST_CASE("a session that is destroyed by on_finding while it is finished has its result") {
    const std::string bytes = damaged_file(Session::kCollected / 2);
    OwnUse of([](OwnUse& self) { self.session.reset(); });
    of.feed_start(as_bytes(bytes));
    const Result result = of.session->finish();
    CHECK_FALSE(of.session.has_value());
    CHECK(transcript(result.state()->outcome) == transcript(fed(as_bytes(bytes), 5000).state()->outcome));
}

TEST_CASE("on_finding can neither feed nor finish its session") {
    for (const size_t size : kSizes) {
        CAPTURE(size);
        const std::string bytes = damaged_file(size);
        OwnUse of([](OwnUse& self) {
            CHECK_FALSE(self.session->feed(as_bytes(std::string(2 * Session::kCollected, 'x'))));
            CHECK(self.session->finish().failure() == Failure::misuse);
        });
        of.feed_start(as_bytes(bytes));
        of.session->feed(as_bytes(bytes).subspan(std::min(bytes.size(), Session::kCollected + 1)));
        const Result result = of.session->finish();
        CHECK(result.failure() == Failure::none);
        CHECK(of.reported > 0);
        CHECK(transcript(result.state()->outcome) == transcript(fed(as_bytes(bytes), 5000).state()->outcome));
    }
}

}  // namespace
}  // namespace tracelint
