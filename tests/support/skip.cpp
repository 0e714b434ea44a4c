#include "tests/support/skip.hpp"

#include <doctest/doctest.h>

#include <cstdio>

namespace tracelint {
namespace {

std::set<std::string>& names() {
    static std::set<std::string> names;
    return names;
}

}  // namespace

void skip(const std::string& reason) {
    const std::string name = doctest::getContextOptions()->currentTest->m_name;
    std::printf("[skipped] %s: %s\n", name.c_str(), reason.c_str());
    names().insert(name);
}

const std::set<std::string>& skipped_tests() { return names(); }

}  // namespace tracelint
