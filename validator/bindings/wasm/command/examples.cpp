// The examples of `explain` and of html reports as the native program prints them: the cases that they are made from
// are five times as large.
#include "validator/tool/catalogue/example.hpp"

namespace tracelint {

struct Example {
    std::string_view rule, text;
};
extern const std::span<const Example> kExamples;  // tracelint_documents --examples

std::string example_of(const Rule& rule) {
    for (const Example& example : kExamples)
        if (example.rule == rule.id) return std::string(example.text);
    return {};
}

}  // namespace tracelint
