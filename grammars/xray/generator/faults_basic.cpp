// Planted faults of basic mode files.
#include "grammars/xray/generator/faults.hpp"

namespace tracelint::xray::faults {
namespace {

bool is_basic(const FileRecords& file) {
    return file.size() > 1 && (file[1].record == &kBasicFunction || file[1].record == &kBasicArgument);
}

bool leaves(const RecordValues& record) {
    const uint64_t action = record.number("action");
    return action == kExit || action == kTailExit;
}

bool has_argument(const FileRecords& file, size_t function) {
    return function + 1 < file.size() && file[function + 1].record == &kBasicArgument;
}

// Whether record `i` is a function record of the same thread as function record `function`.
bool is_of_thread(const FileRecords& file, size_t i, size_t function) {
    const auto same = [&](std::string_view field) { return file[i].number(field) == file[function].number(field); };
    return file[i].record == &kBasicFunction && same("thread_id") &&
           (layout_of(file).version < kWithProcesses || same("process_id"));
}

// The record of the same thread before it.
std::optional<size_t> before_of_thread(const FileRecords& file, size_t function) {
    for (size_t i = function; i-- > 1;)
        if (is_of_thread(file, i, function)) return i;
    return std::nullopt;
}

std::optional<size_t> after_of_thread(const FileRecords& file, size_t function) {
    for (size_t i = function + 1; i < file.size(); ++i)
        if (is_of_thread(file, i, function)) return i;
    return std::nullopt;
}

// Whether the thread's TSC would step back without the record. With it, a change of CPU may explain the step.
bool hides_step_back(const FileRecords& file, size_t at) {
    if (file[at].record != &kBasicFunction) return false;
    const auto before = before_of_thread(file, at), after = after_of_thread(file, at);
    return before && after && file[*after].number("tsc") < file[*before].number("tsc");
}

// An argument of the function record.
RecordValues argument_of(const RecordValues& function, Random& random) {
    RecordValues record = decode_values(kBasicArgument, as_bytes(std::string(kBasicSize, '\0')), function.layout, true);
    record.set("type", 1);
    for (const std::string_view field : {"function_id", "thread_id", "process_id"})
        record.set(field, function.number(field));
    record.set("argument", random());
    return record;
}

// Another number of 32 bits.
uint64_t other_than(uint64_t number, Random& random) {
    const uint64_t change = one_in(random, 2) ? uint64_t{1} << below(random, 32) : between(random, 1, 0xffffffff);
    return (number ^ change) & 0xffffffff;
}

constexpr FaultRow kBasicRows[] = {
    {"xray/basic-truncated-record",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!is_basic(file)) return std::nullopt;
         const uint64_t left = between(random, 1, kBasicSize - 1);
         if (one_in(random, 2))
             file.push_back(raw_record(random_bytes(random, left)));
         else
             cut(file, file.size() - 1, left);
         return at_bytes(file.size() - 1, 0, left);
     }},
    {"xray/basic-unknown-record-type",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!is_basic(file)) return std::nullopt;
         const size_t at = between(random, 1, file.size() - 1);
         if (hides_step_back(file, at)) return std::nullopt;
         file[at].set("type", one_in(random, 2) ? 2 : between(random, 2, 0xffff));
         return at_field(at, "type");
     }},
    {"xray/basic-unknown-action",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kBasicFunction, [&](size_t i) { return !hides_step_back(file, i); });
         if (!at) return std::nullopt;
         file[*at].set("action", one_in(random, 2) ? std::size(kActions) : between(random, std::size(kActions), 0xff));
         return at_field(*at, "action");
     }},
    // One or more, before all other records.
    {"xray/basic-arg-without-entry",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!is_basic(file)) return std::nullopt;
         const RecordValues argument = argument_of(pick_of(random, file), random);
         for (uint64_t left = between(random, 1, 3); left > 0; --left) insert(file, 1, argument);
         return at_bytes(1, 0, kBasicSize);
     }},
    {"xray/basic-arg-mismatch",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kBasicArgument, any);
         if (!at) return std::nullopt;
         constexpr std::string_view kFields[] = {"function_id", "thread_id", "process_id"};
         const std::string_view field = kFields[below(random, layout_of(file).version < kWithProcesses ? 2 : 3)];
         file[*at].set(field, other_than(file[*at].number(field), random));
         return at_field(*at, field);
     }},
    // An exit gets an argument, or a function record with an argument becomes an exit.
    {"xray/basic-arg-after-exit",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const bool more = one_in(random, 2);
         const auto at = choose(file, random, kBasicFunction,
                                [&](size_t i) { return more ? leaves(file[i]) : has_argument(file, i); });
         if (!at) return std::nullopt;
         if (more)
             insert(file, *at + 1, argument_of(file[*at], random));
         else
             file[*at].set("action", layout_of(file).version < kWithTailExits || one_in(random, 2) ? kExit : kTailExit);
         return at_bytes(*at + 1, 0, kBasicSize);
     }},
    {"xray/basic-tail-exit-in-v1",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kBasicFunction, [&](size_t i) { return !has_argument(file, i); });
         if (!at || layout_of(file).version >= kWithTailExits) return std::nullopt;
         file[*at].set("action", kTailExit);
         return at_field(*at, "action");
     }},
    {"xray/basic-function-id",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kBasicFunction, [&](size_t i) { return !has_argument(file, i); });
         if (!at) return std::nullopt;
         file[*at].set("function_id", one_in(random, 3) ? 0 : between(random, 0x80000000, 0xffffffff));
         return at_field(*at, "function_id");
     }},
    // On the same CPU as before.
    {"xray/basic-tsc-backwards",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kBasicFunction, [&](size_t i) {
             const auto before = before_of_thread(file, i);
             return before && file[*before].number("cpu") == file[i].number("cpu") && file[*before].number("tsc") > 0;
         });
         if (!at) return std::nullopt;
         const uint64_t before = file[*before_of_thread(file, *at)].number("tsc");
         file[*at].set("tsc", one_in(random, 2) ? before - 1 : below(random, before));
         return at_field(*at, "tsc");
     }},
};

}  // namespace

constinit const FaultList kBasicFaults{kBasicRows};

}  // namespace tracelint::xray::faults
