// Planted faults of calls, collections, sync points and finalizers.
#include <map>

#include "grammars/mlpd/generator/faults.hpp"

namespace tracelint::mlpd::faults {
namespace {

// A call, by the indices of its events, and its caller.
struct Call {
    size_t enter;
    std::optional<size_t> leave;
    std::optional<size_t> caller;  // index in the same list
};

std::vector<Call> calls_of(const FileRecords& file) {
    std::vector<Call> calls;
    std::map<uint64_t, std::vector<size_t>> open;
    uint64_t thread = 0;
    for (size_t i = 0; i < file.size(); ++i) {
        if (file[i].record == &kBuffer) thread = file[i].number("thread_id");
        std::vector<size_t>& stack = open[thread];
        if (file[i].record == &kEnter) {
            calls.push_back({i, {}, stack.empty() ? std::nullopt : std::optional(stack.back())});
            stack.push_back(calls.size() - 1);
        } else if ((file[i].record == &kLeave || file[i].record == &kExceptionLeave) && !stack.empty()) {
            calls[stack.back()].leave = i;
            stack.pop_back();
        }
    }
    return calls;
}

// A call for which `fits(call)` holds.
template <class Fits>
std::optional<Call> choose_call(const std::vector<Call>& calls, Random& random, Fits fits) {
    std::vector<Call> fitting;
    std::copy_if(calls.begin(), calls.end(), std::back_inserter(fitting), fits);
    if (fitting.empty()) return std::nullopt;
    return pick_of(random, fitting);
}

enum WorldStep : uint64_t { kStop = 1, kStart = 2 };

constexpr FaultRow kThreadRows[] = {
    // A return without a call.
    {"mlpd/leave-without-enter",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_situation(file, random, [](const Situation& now) { return now.calls.empty(); });
         const auto method = at ? known_method(file, *at) : std::nullopt;
         if (!method) return std::nullopt;
         const Record& leave = one_in(random, 2) ? kLeave : kExceptionLeave;
         insert_event(file, random, *at, PlannedRecord(leave).with("method", *method));
         return at_event(file, *at);
     }},
    // The enter event of an outermost call is missing.
    {"mlpd/leave-without-enter",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto call =
             choose_call(calls_of(file), random, [](const Call& c) { return !c.caller && c.leave.has_value(); });
         if (!call) return std::nullopt;
         erase_event(file, call->enter);
         return at_event(file, *call->leave - 1);
     }},
    // A return from a method that is not open, so that other returns still match.
    {"mlpd/leave-mismatch",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_situation(file, random, [](const Situation& now) { return !now.calls.empty(); });
         if (!at) return std::nullopt;
         const std::vector<uint64_t> calls = situation_at(file, *at).calls;
         const auto method = known(file, random, kJit, "method", *at, [&](const RecordValues& record) {
             return std::find(calls.begin(), calls.end(), record.number("method")) == calls.end();
         });
         if (!method) return std::nullopt;
         insert_event(file, random, *at, PlannedRecord(kLeave).with("method", *method));
         return at_event(file, *at);
     }},
    // The leave event is missing, so the one of the caller does not match.
    {"mlpd/leave-mismatch",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const std::vector<Call> calls = calls_of(file);
         const auto call = choose_call(calls, random, [&](const Call& c) {
             if (!c.leave || !c.caller) return false;
             const Call& caller = calls[*c.caller];
             return caller.leave && file[*caller.leave].record == &kLeave &&
                    file[caller.enter].number("method") != file[c.enter].number("method");
         });
         if (!call) return std::nullopt;
         erase_event(file, *call->leave);
         return at_event(file, *calls[*call->caller].leave - 1);
     }},
    // A step without a collection.
    {"mlpd/gc-event-order",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_situation(file, random, [](const Situation& now) { return !now.in_collection; });
         if (!at) return std::nullopt;
         const uint64_t event = between(random, 7, has(file, kFinalizeStart) ? 11 : 9);
         insert_event(file, random, *at,
                      PlannedRecord(kGcEvent).with("event", event).with("generation", below(random, 2)));
         return at_event(file, *at);
     }},
    // A step is missing, so the next one is out of order.
    {"mlpd/gc-event-order",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kGcEvent, [&](size_t i) {
             const uint64_t event = file[i].number("event");
             return event == 10 || (6 <= event && event <= 8);
         });
         if (!at) return std::nullopt;
         const auto next = next_on_thread(file, *at, kGcEvent, any);
         if (!next) return std::nullopt;
         erase_event(file, *at);
         return at_event(file, *next - 1);
     }},
    // A start of a world that runs.
    {"mlpd/sync-point-order",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_situation(file, random, [](const Situation& now) { return !now.is_stopped; });
         if (!at || !has(file, kSyncPoint)) return std::nullopt;
         insert_event(file, random, *at, PlannedRecord(kSyncPoint).with("type", kStart));
         return at_event(file, *at);
     }},
    // A second stop.
    {"mlpd/sync-point-order",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_situation(file, random, [](const Situation& now) { return now.is_stopped; });
         if (!at) return std::nullopt;
         insert_event(file, random, *at, PlannedRecord(kSyncPoint).with("type", kStop));
         return at_event(file, *at);
     }},
    // An end without a start.
    {"mlpd/finalizer-order",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_situation(file, random, [](const Situation& now) { return !now.in_finalizer; });
         if (!at || !has(file, kFinalizeObjectEnd)) return std::nullopt;
         insert_event(file, random, *at, PlannedRecord(kFinalizeObjectEnd).with("object", fresh_object(file, random)));
         return at_event(file, *at);
     }},
    // The end names another object.
    {"mlpd/finalizer-order",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kFinalizeObjectEnd, any);
         if (!at) return std::nullopt;
         file[*at].set("object", fresh_object(file, random));
         update_buffers(file);
         return at_event(file, *at);
     }},
    // The start is missing.
    {"mlpd/finalizer-order",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kFinalizeObjectStart, any);
         if (!at) return std::nullopt;
         const uint64_t object = file[*at].number("object");
         const auto end = next_on_thread(file, *at, kFinalizeObjectEnd,
                                         [&](size_t i) { return file[i].number("object") == object; });
         if (!end) return std::nullopt;
         erase_event(file, *at);
         return at_event(file, *end - 1);
     }},
};

}  // namespace

constinit const FaultList kThreadFaults{kThreadRows};

}  // namespace tracelint::mlpd::faults
