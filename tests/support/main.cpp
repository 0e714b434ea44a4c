// The test program. A test file is named after what it tests and ends in _test.cpp. The exit status is that of doctest;
// if no test fails but one was skipped, it is TRACELINT_SKIP_STATUS, where the environment has that.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>

#include "tests/support/skip.hpp"

int main(int count, char** arguments) {
    const int status = doctest::Context(count, arguments).run();
    const char* skipped = std::getenv("TRACELINT_SKIP_STATUS");
    return status == 0 && tracelint::was_skipped && skipped != nullptr ? std::atoi(skipped) : status;
}
