// The C interface where memory fails once, or from then on, at every place: each function says so and changes nothing,
// or does all that it should. Nothing is lost.
#include <doctest/doctest.h>

#include <cstring>

#include "fuzz/containers.hpp"
#include "tests/failures/fault.hpp"
#include "tests/failures/meter.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/oracle_files.hpp"
#include "tests/support/scratch.hpp"
#include "validator/bindings/c/tracelint.h"

namespace tracelint {
namespace {

template <class Struct>
Struct sized() {
    Struct value{};
    value.size = sizeof value;
    return value;
}

std::string broken_trace() {
    return *read_file(kRoot / "corpus/jitdump/real/llvm-jitlink-19-uninitialised-flags.dump");
}

// Calls `run(fails)` again and again, each time with another allocation that fails while the object is there that
// fails() returns. Returns how often one did.
template <class Run>
uint64_t at_every_allocation(Run run) {
    uint64_t failed = 0;
    for (const bool onwards : {false, true}) {
        bool struck = true;
        // Each at first, then in larger steps: the catalogue takes thousands.
        for (uint64_t number = 1; struck; number = following(number, 64)) {
            CAPTURE(onwards);
            CAPTURE(number);
            struck = false;
            run([&](auto call) {
                const Fault fault(Call::allocation, number, Way::fails, onwards);
                const tracelint_error error = call();
                struck = struck || fault.struck();
                return error;
            });
            failed += struck;
        }
    }
    return failed;
}

bool is_success_or_no_memory(tracelint_error error) {
    return error == TRACELINT_OK || error == TRACELINT_ERROR_OUT_OF_MEMORY;
}

// What a report says, with all its texts. Without the size, and what follows from it: a session has it or not, see
// tracelint_session_finish().
std::string text_of(const tracelint_report* report) {
    const char* json = nullptr;
    REQUIRE(tracelint_report_json(report, "x", &json, nullptr) == TRACELINT_OK);
    std::string text(json);
    const size_t size = text.find("\"size\":");
    text.erase(size, text.find(',', size) - size);
    const size_t skipped = text.find(",\"skipped bytes\":");
    return skipped == text.npos ? text : text.erase(skipped, text.find_first_of(",}", skipped + 1) - skipped);
}

// Whether a report is whole, or says that memory was missing.
void hold(const tracelint_report* report, const std::string& whole) {
    auto summary = sized<tracelint_summary>();
    REQUIRE(tracelint_report_summary(report, &summary) == TRACELINT_OK);
    if (summary.failure != nullptr) {
        CHECK(summary.verdict == TRACELINT_UNREADABLE);
        CHECK(std::string(summary.failure) == "out of memory");
    } else if (summary.limit_hit == 0) {
        CHECK(text_of(report) == whole);
    }
}

void count(void* user, const tracelint_finding* finding) {
    *static_cast<uint64_t*>(user) += finding->rule != nullptr && finding->message != nullptr ? 1 : 0;
}

struct Reading {
    const std::string& bytes;
    size_t at = 0;
    static int64_t read(void* user, void* to, size_t wanted) {
        auto& self = *static_cast<Reading*>(user);
        const size_t got = std::min(wanted, self.bytes.size() - self.at);
        std::memcpy(to, self.bytes.data() + self.at, got);
        self.at += got;
        return static_cast<int64_t>(got);
    }
};

}  // namespace

// First, before anything else has made the catalogue.
TEST_CASE("a catalogue in C that there is no memory for is an error, and whole later") {
    auto rule = sized<tracelint_rule>();
    auto format = sized<tracelint_format>();
    const char* json = nullptr;
    uint64_t turn = 0;  // the first call that succeeds makes it, so each attempt is by another function
    const uint64_t failed = at_every_allocation([&](auto fails) {
        CHECK(is_success_or_no_memory(fails([&]() -> tracelint_error {
            switch (turn++ % 6) {
                case 0: return tracelint_rule_find("jitdump/bad-magic", &rule);
                case 1: return tracelint_rule_at(0, &rule);
                case 2: return tracelint_format_at(0, &format);
                case 3: return tracelint_rules_json(&json, nullptr);
                case 4: return tracelint_rule_count() == 0 ? TRACELINT_ERROR_OUT_OF_MEMORY : TRACELINT_OK;
                default: return tracelint_format_count() == 0 ? TRACELINT_ERROR_OUT_OF_MEMORY : TRACELINT_OK;
            }
        })));
    });
    CHECK(failed > 100);
    CHECK(tracelint_rule_count() == all_rules().size());
    CHECK(tracelint_rule_find("jitdump/bad-magic", &rule) == TRACELINT_OK);
}

TEST_CASE("a check in C for which memory is missing says so") {
    const std::string trace = broken_trace();
    const char* const ignored[] = {"jitdump/header-"};
    const tracelint_choice choices[] = {{"jitdump/debug-entry-elf-bias", TRACELINT_WARNING}};
    uint64_t findings = 0;
    auto options = sized<tracelint_options>();
    options.file_name = "a name that is too long for a short string.dump";
    options.ignore = ignored;
    options.ignore_count = 1;
    options.severities = choices;
    options.severity_count = 1;
    options.on_finding = count;
    options.user = &findings;
    uint64_t failed = 0, rounds = 0;
    for (const std::string& bytes : {trace, gzip_member(trace)}) {
        const ScratchFile file(bytes);
        const auto check = [&](int way, tracelint_report** report) {
            if (way == 0) return tracelint_check_memory(bytes.data(), bytes.size(), &options, report);
            if (way == 1) return tracelint_check_file(file.path().c_str(), &options, report);
            Reading input{bytes};
            auto source = sized<tracelint_source>();
            source.user = &input;
            source.read = Reading::read;
            return tracelint_check_callback(&source, &options, report);
        };
        for (const int way : {0, 0, 1, 2}) {
            CAPTURE(way);
            std::string whole;
            tracelint_report* intact = nullptr;
            REQUIRE(check(way, &intact) == TRACELINT_OK);
            whole = text_of(intact);
            tracelint_report_free(intact);
            const uint64_t before = allocated_now();
            failed += at_every_allocation([&](auto fails) {
                tracelint_report* report = nullptr;
                findings = 0;
                const tracelint_error error = fails([&] { return check(way, &report); });
                CHECK(is_success_or_no_memory(error));
                CHECK((report != nullptr) == (error == TRACELINT_OK));
                if (report == nullptr) return;
                hold(report, whole);
                auto summary = sized<tracelint_summary>();
                tracelint_report_summary(report, &summary);
                CHECK(findings >= summary.finding_count);
                CHECK(tracelint_report_free(report) == TRACELINT_OK);
            });
            if (rounds++ != 0) CHECK(allocated_now() == before);  // by then, what is made once is made
        }
    }
    MESSAGE(failed << " allocations failed");
    CHECK(failed > 500);
}

TEST_CASE("what a report is asked for in C needs memory, and is there at the next call") {
    const std::string trace = broken_trace();
    tracelint_report* report = nullptr;
    REQUIRE(tracelint_check_memory(trace.data(), trace.size(), nullptr, &report) == TRACELINT_OK);
    uint64_t failed = 0;
    auto finding = sized<tracelint_finding>();
    for (size_t i = 0; i < 8; ++i)
        failed += at_every_allocation([&](auto fails) {
            finding.message = nullptr;
            const tracelint_error error = fails([&] { return tracelint_report_finding(report, i, &finding); });
            CHECK(is_success_or_no_memory(error));
            CHECK((finding.message != nullptr) == (error == TRACELINT_OK));
        });
    auto counted = sized<tracelint_count>();
    failed += at_every_allocation([&](auto fails) {
        CHECK(is_success_or_no_memory(fails([&] { return tracelint_report_statistic(report, 0, &counted); })));
        CHECK(is_success_or_no_memory(fails([&] { return tracelint_report_rule(report, 0, &counted); })));
    });
    using Make = tracelint_error (*)(const tracelint_report*, const char**);
    for (const Make make : {Make{[](const tracelint_report* of, const char** text) {
                                return tracelint_report_json(of, "a", text, nullptr);
                            }},
                            Make{[](const tracelint_report* of, const char** text) {
                                return tracelint_finding_json(of, 1, text, nullptr);
                            }}}) {
        const char* text = nullptr;
        REQUIRE(make(report, &text) == TRACELINT_OK);
        const std::string whole = text;
        failed += at_every_allocation([&](auto fails) {
            const char* found = nullptr;
            const tracelint_error error = fails([&] { return make(report, &found); });
            CHECK(is_success_or_no_memory(error));
            if (error == TRACELINT_OK) CHECK(found == whole);
        });
    }
    CHECK(tracelint_report_free(report) == TRACELINT_OK);
    MESSAGE(failed << " allocations failed");
    CHECK(failed > 100);
}

TEST_CASE("a session in C whose report there is no memory for gives it at the next call") {
    const std::string trace = broken_trace();
    auto options = sized<tracelint_options>();
    options.file_name = "a name that is too long for a short string.dump";
    uint64_t failed = 0, given_later = 0;
    for (const size_t padding : {size_t{0}, size_t{400'000}}) {
        const std::string bytes = trace + std::string(padding, '\0');
        tracelint_report* expected = nullptr;
        REQUIRE(tracelint_check_memory(bytes.data(), bytes.size(), &options, &expected) == TRACELINT_OK);
        const std::string whole = text_of(expected);
        tracelint_report_free(expected);
        failed += at_every_allocation([&](auto fails) {
            tracelint_session* session = nullptr;
            tracelint_error error = fails([&] { return tracelint_session_open(&options, &session); });
            CHECK(is_success_or_no_memory(error));
            CHECK((session != nullptr) == (error == TRACELINT_OK));
            if (session == nullptr) return;
            tracelint_report* report = nullptr;
            error = fails([&] { return tracelint_session_feed(session, bytes.data(), bytes.size(), nullptr); });
            CHECK(error == TRACELINT_OK);
            error = fails([&] { return tracelint_session_finish(session, &report); });
            CHECK(is_success_or_no_memory(error));
            CHECK(tracelint_session_feed(session, "x", 1, nullptr) == TRACELINT_ERROR_WRONG_ORDER);
            if (error == TRACELINT_ERROR_OUT_OF_MEMORY) {
                CHECK(report == nullptr);
                error = tracelint_session_finish(session, &report);
                CHECK(is_success_or_no_memory(error));  // the check itself may have kept nothing
                given_later += error == TRACELINT_OK;
            }
            if (error == TRACELINT_OK) {
                hold(report, whole);
                CHECK(tracelint_session_finish(session, &report) == TRACELINT_ERROR_WRONG_ORDER);
                CHECK(tracelint_report_free(report) == TRACELINT_OK);
            }
            CHECK(tracelint_session_free(session) == TRACELINT_OK);
        });
    }
    MESSAGE(failed << " allocations failed, and " << given_later << " reports were given later");
    CHECK(failed > 100);
    CHECK(given_later > 3);
}

}  // namespace tracelint
