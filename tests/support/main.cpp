// The test programs. A test file is named after what it tests and ends in _test.cpp. The exit status is that of
// doctest; if all tests that ran were skipped, it is TRACELINT_SKIP_STATUS, where the environment has that. It is a
// failure to run nothing.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <sanitizer/common_interface_defs.h>

#include <cstdlib>
#include <iostream>

#include "tests/support/narrowing.hpp"
#include "tests/support/skip.hpp"

// In the program if sanitizers are.
#pragma weak __sanitizer_set_death_callback

namespace tracelint {
namespace {

struct Progress {
    const char* running = "";  // the name of the test
    size_t run = 0;            // how many have begun
};
Progress& progress() {
    static Progress progress;
    return progress;
}

void print_how_to_repeat(std::ostream& out) {
    out << "to run it alone: scripts/quick \"" << progress().running << "\"\n" << std::flush;
}

// Prints for each test that fails how to run it by itself.
class Repeating final : public doctest::IReporter {
  public:
    explicit Repeating(const doctest::ContextOptions& options) : out_(*options.cout) {}
    void test_case_start(const doctest::TestCaseData& test) override {
        progress().running = test.m_name;
        ++progress().run;
    }
    void test_case_end(const doctest::CurrentTestCaseStats& test) override {
        if (!test.testCaseSuccess) print_how_to_repeat(out_);
    }
    void report_query(const doctest::QueryData&) override {}
    void test_run_start() override {}
    void test_run_end(const doctest::TestRunStats&) override {}
    void test_case_reenter(const doctest::TestCaseData&) override {}
    void test_case_exception(const doctest::TestCaseException&) override {}
    void subcase_start(const doctest::SubcaseSignature&) override {}
    void subcase_end() override {}
    void log_assert(const doctest::AssertData&) override {}
    void log_message(const doctest::MessageData&) override {}
    void test_case_skipped(const doctest::TestCaseData&) override {}

  private:
    std::ostream& out_;
};
REGISTER_LISTENER("repeating", 1, Repeating);

// `is_query`: tests were listed, not run.
int status_of(int status, bool is_query) {
    if (status != 0 || is_query) return status;
    if (progress().run == 0) {
        std::cerr << "no test has this name\n";
        return 1;
    }
    if (!narrowed_to().empty() && !has_narrowing_matched()) {
        std::cerr << "TRACELINT_ONLY=" << narrowed_to() << ": the tests that ran have nothing of this name\n";
        return 1;
    }
    const char* skipped = std::getenv("TRACELINT_SKIP_STATUS");
    return skipped != nullptr && skipped_tests().size() == progress().run ? std::atoi(skipped) : 0;
}

}  // namespace
}  // namespace tracelint

int main(int count, char** arguments) {
    if (__sanitizer_set_death_callback != nullptr)
        __sanitizer_set_death_callback([] { tracelint::print_how_to_repeat(std::cerr); });
    doctest::Context context(count, arguments);
    const int status = context.run();
    return tracelint::status_of(status, context.shouldExit());
}
