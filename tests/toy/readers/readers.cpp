// What readers do with a toy trace that breaks a rule.
#include "tests/toy/readers.hpp"
#include "tests/toy/formats.hpp"

namespace tracelint {
namespace toy {
namespace {

using enum ReaderOutcome;

constexpr ReaderRow kRows[] = {
    {"toy/unknown-version", refuses},
    {"toy/trailing-bytes", ignores},
};

constexpr std::string_view kTasks[] = {"TASK"};

constexpr TraceReader kReaders[] = {
    {"toy-view", "1", &kToy, "toy-view", "by its source", "task|tasks", kTasks, {}, kRows, {}},
};

}  // namespace
}  // namespace toy

constinit const ReaderList kToyReaders{toy::kReaders};

}  // namespace tracelint
