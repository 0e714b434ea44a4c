// Sessions of the C interface that are used in the middle of something: by their own on_finding, or by two threads.
#include <condition_variable>
#include <mutex>
#include <thread>

#include "fuzz/own_session_oracle.hpp"
#include "tests/tool/bindings/c_interface.hpp"
#include "validator/generator/record_values.hpp"

namespace tracelint {
namespace {

// A trace with findings at its start; with padding, it is more than a session collects.
std::string trace(size_t padding) { return read_file(kTrace).value_or("") + std::string(padding, '\0'); }
constexpr size_t kPaddings[] = {0, 300'000};

TEST_CASE("on_finding calls every function for its own session") {
    for (const size_t padding : kPaddings)
        for (const OwnCall first : kOwnCalls)
            for (const OwnCall second : kOwnCalls)
                for (const size_t piece : {size_t{100}, size_t{1} << 20}) {
                    CAPTURE(padding);
                    CAPTURE(static_cast<int>(first));
                    CAPTURE(static_cast<int>(second));
                    CAPTURE(piece);
                    const std::string bytes = trace(padding);
                    const OwnCall calls[] = {first, second};
                    OwnSession session(as_bytes(bytes), piece, calls);
                    hold(session.run());
                    if (first == OwnCall::free)
                        CHECK(session.reported() == 1);
                    else if (second == OwnCall::free)
                        CHECK(session.reported() == 2);
                    else
                        CHECK(session.reported() >= 8);
                }
}

TEST_CASE("on_finding of sessions over damaged files. TRACELINT_SEEDS=N asks for more") {
    const std::vector<std::string> files = real_files();
    uint64_t reported = 0;
    for (uint64_t seed = 0; seed < seeds(60); ++seed) {
        CAPTURE(seed);
        Random random(seed);
        std::string bytes = read_file(pick_of(random, files)).value_or("");
        bytes.resize(std::min<size_t>(bytes.size(), 40'000));
        for (int i = 0; i < 20 && !bytes.empty(); ++i)
            bytes[below(random, bytes.size())] = static_cast<char>(below(random, 256));
        if (below(random, 2) == 0) bytes.resize(300'000);
        const OwnCall calls[] = {kOwnCalls[below(random, std::size(kOwnCalls))],
                                 kOwnCalls[below(random, std::size(kOwnCalls))], OwnCall::check};
        OwnSession session(as_bytes(bytes), 1 + below(random, 100'000), calls);
        hold(session.run());
        reported += session.reported();
    }
    CHECK(reported > 60);
}

// Waits in on_finding until it is let go.
struct BlockingListener {
    static void on_finding(void* user, const tracelint_finding*) {
        auto& self = *static_cast<BlockingListener*>(user);
        std::unique_lock lock(self.mutex);
        self.is_there = true;
        self.changed.notify_all();
        self.changed.wait(lock, [&] { return self.is_let_go; });
    }
    void wait() {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return is_there; });
    }
    void release() {
        const std::scoped_lock lock(mutex);
        is_let_go = true;
        changed.notify_all();
    }
    std::mutex mutex{};
    std::condition_variable changed{};
    bool is_there = false, is_let_go = false;
};

TEST_CASE("a call for a session that another thread is in is refused, and freeing it leaves that call its report") {
    BlockingListener held;
    auto options = sized<tracelint_options>();
    options.on_finding = BlockingListener::on_finding;
    options.user = &held;
    tracelint_session* session = nullptr;
    REQUIRE(tracelint_session_open(&options, &session) == TRACELINT_OK);
    const std::string bytes = trace(0);
    REQUIRE(tracelint_session_feed(session, bytes.data(), bytes.size(), nullptr) == TRACELINT_OK);
    Held first, second;
    tracelint_error finished = TRACELINT_ERROR_INTERNAL;
    std::thread other([&] { finished = tracelint_session_finish(session, &first.report); });
    held.wait();
    CHECK(tracelint_session_feed(session, "x", 1, nullptr) == TRACELINT_ERROR_WRONG_ORDER);
    CHECK(std::string(tracelint_error_detail()) == "another call for it has not returned");
    CHECK(tracelint_session_finish(session, &second.report) == TRACELINT_ERROR_WRONG_ORDER);
    CHECK(tracelint_session_free(session) == TRACELINT_OK);
    CHECK(tracelint_session_feed(session, "x", 1, nullptr) == TRACELINT_ERROR_INVALID_HANDLE);
    held.release();
    other.join();
    REQUIRE(finished == TRACELINT_OK);
    auto summary = sized<tracelint_summary>();
    REQUIRE(tracelint_report_summary(first.report, &summary) == TRACELINT_OK);
    CHECK(summary.finding_count == 8);
}

TEST_CASE("a report that another thread frees lives until the call for it returns") {
    // Under the address and thread sanitizers, reading what was freed ends the test.
    for (int round = 0; round < 50; ++round) {
        tracelint_report* report = nullptr;
        REQUIRE(tracelint_check_file(kTrace.c_str(), nullptr, &report) == TRACELINT_OK);
        std::thread other([&] { tracelint_report_free(report); });
        auto summary = sized<tracelint_summary>();
        const tracelint_error error = tracelint_report_summary(report, &summary);
        other.join();
        CHECK((error == TRACELINT_OK ? summary.finding_count == 8 : error == TRACELINT_ERROR_INVALID_HANDLE));
    }
}

}  // namespace
}  // namespace tracelint
