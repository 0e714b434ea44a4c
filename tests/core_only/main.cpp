// Checks a file with only the core library: no generator, no JSON, no command line. That it links is the test; it also
// prints what it finds, one finding per line, and ends with the number of findings as a check on itself.
#include <cstdio>

#include "validator/tracelint.hpp"

int main(int count, char** arguments) {
    if (count != 2) return 2;
    const std::unique_ptr<tracelint::Source> source = tracelint::open_file(arguments[1]);
    const tracelint::Outcome outcome = tracelint::check(*source, {});
    if (!outcome.failure.empty()) return 3;
    for (const tracelint::Diagnostic& found : outcome.report().diagnostics())
        std::printf("0x%llx+%llu %s\n", static_cast<unsigned long long>(found.place.offset),
                    static_cast<unsigned long long>(found.place.length), std::string(found.rule->id).c_str());
    return 0;
}
