// Tests that cannot fail here, because a program is not installed or the build does not measure what they ask.
#pragma once

#include <set>
#include <string>

namespace tracelint {

// Prints the reason with the name of the test that is running.
void skip(const std::string& reason);

// The names of the tests that were skipped so far, in whole or in part.
const std::set<std::string>& skipped_tests();

}  // namespace tracelint
