// Planted faults of loads, unloads, uses and threads.
#include <map>

#include "grammars/mlpd/generator/faults.hpp"
#include "grammars/mlpd/records_events.hpp"

namespace tracelint::mlpd::faults {

// Planted faults of loads, unloads and uses.

namespace {

constexpr uint16_t kMethodsKnownSince = 11;  // before, an undefined method is a note

// Kinds whose unloads must match their loads.
bool is_counted(const Record* record) {
    return record == &kImage || record == &kAssembly || record == &kDomain || record == &kContext;
}

// Objects that failed to load use nothing.
bool has_failed(const RecordValues& metadata) {
    return (subtype_of(static_cast<uint8_t>(metadata.number("op"))) & kFlag) != 0;
}

// Changes the number in one of the records, which becomes the first use of an undefined object.
std::optional<Planted> use_instead(FileRecords& file, Random& random, std::string_view field,
                                   std::initializer_list<const Record*> records, uint64_t number) {
    const auto at = choose_value(file, random, [&](const RecordValues& record, const Value& value) {
        return value.leaf.field != nullptr && value.leaf.field->name == field && value.leaf.element == kNone &&
               std::find(records.begin(), records.end(), record.record) != records.end() && !has_failed(record);
    });
    if (!at) return std::nullopt;
    file[at->record].values[at->value].leaf.number = number;
    update_buffers(file);
    return at_event(file, at->record);
}

// A metadata event with the op whose kind fits.
template <class Fits>
std::optional<size_t> choose_metadata(const FileRecords& file, Random& random, uint64_t op, Fits fits) {
    std::vector<size_t> places;
    for (size_t i = 0; i < file.size(); ++i)
        if (is_op(file[i], op) && fits(file[i].record)) places.push_back(i);
    if (places.empty()) return std::nullopt;
    return pick_of(random, places);
}

PlannedRecord loaded(const Record& record, uint64_t id) {
    return PlannedRecord(record).with("op", kLoad).with("pointer", id);
}

// Inserts a use, a sync point and the load, in this order in the file.
Planted use_before_load(FileRecords& file, Random& random, size_t at, const PlannedRecord& use,
                        const PlannedRecord& load) {
    insert_event(file, random, at, load);
    insert_event(file, random, at, PlannedRecord(kSyncPoint).with("type", 0));
    insert_event(file, random, at, use);
    return at_event(file, at);
}

constexpr FaultRow kLoadRows[] = {
    // In a clause.
    {"mlpd/undefined-method",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (version_of(file) < kMethodsKnownSince) return std::nullopt;
         return use_instead(file, random, "method", {&kClause}, fresh_pointer(file, random));
     }},
    // In a frame of a backtrace or a sample.
    {"mlpd/undefined-method",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (version_of(file) < kMethodsKnownSince) return std::nullopt;
         const auto at = choose_value(file, random, [](const RecordValues&, const Value& value) {
             const Record* of = value.leaf.record;
             return (of == &kFrame || of == &kOldFrame || of == &kSampleFrame) && value.leaf.field->name == "method";
         });
         if (!at) return std::nullopt;
         file[at->record].values[at->value].leaf.number = fresh_pointer(file, random);
         update_buffers(file);
         return at_value(file, *at);
     }},
    // In a call and its return. Only the first use is reported.
    {"mlpd/undefined-method",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_situation(file, random, any_situation);
         if (!at || version_of(file) < kMethodsKnownSince) return std::nullopt;
         const uint64_t method = fresh_pointer(file, random);
         insert_event(file, random, *at,
                      PlannedRecord(one_in(random, 2) ? kLeave : kExceptionLeave).with("method", method));
         insert_event(file, random, *at, PlannedRecord(kEnter).with("method", method));
         return at_event(file, *at);
     }},
    // In an object event.
    {"mlpd/undefined-class",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const uint64_t fresh = fresh_pointer(file, random);
         return use_instead(file, random, "class", {&kAlloc, &kAllocBacktrace, &kHeapObject}, fresh);
     }},
    // In a vtable.
    {"mlpd/undefined-class",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         return use_instead(file, random, "class", {&kVtable}, fresh_pointer(file, random));
     }},
    {"mlpd/undefined-vtable",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const uint64_t fresh = fresh_pointer(file, random);
         return use_instead(file, random, "vtable", {&kAlloc, &kAllocBacktrace, &kHeapObject}, fresh);
     }},
    {"mlpd/undefined-image",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         return use_instead(file, random, "image", {&kClass, &kAssembly}, fresh_pointer(file, random));
     }},
    // In a vtable, or in a new context.
    {"mlpd/undefined-domain",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (one_in(random, 2)) return use_instead(file, random, "domain", {&kVtable}, fresh_domain(random));
         const auto at = choose_situation(file, random, any_situation);
         if (!at || !has(file, kContext)) return std::nullopt;
         const PlannedRecord event = loaded(kContext, fresh_pointer(file, random)).with("domain", fresh_domain(random));
         insert_event(file, random, *at, event);
         return at_event(file, *at);
     }},
    // A class, or a vtable in versions that have them.
    {"mlpd/loaded-in-later-window",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_situation(file, random, any_situation);
         if (!at || !has(file, kSyncPoint)) return std::nullopt;
         const bool has_vtables = has(file, kVtable);
         const auto made_of = has_vtables ? known_class(file, *at) : known_image(file, *at);
         if (!made_of) return std::nullopt;
         const uint64_t type = fresh_pointer(file, random);
         PlannedRecord use(kAlloc);
         use.with("class", type).with("vtable", type).with("object", fresh_object(file, random)).with("size", 8);
         PlannedRecord load = loaded(either(has_vtables, kVtable, kClass), type);
         load.with(has_vtables ? "class" : "image", *made_of).with("domain", 0);
         return use_before_load(file, random, *at, use, load);
     }},
    // An image.
    {"mlpd/loaded-in-later-window",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_situation(file, random, any_situation);
         if (!at || !has(file, kSyncPoint)) return std::nullopt;
         const uint64_t image = fresh_pointer(file, random);
         const PlannedRecord use = loaded(kClass, image + 8).with("image", image);
         return use_before_load(file, random, *at, use, loaded(kImage, image).text("mvid", ""));
     }},
    // A copy right after the load.
    {"mlpd/duplicate-load",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (version_of(file) < kUnloadsSince) return std::nullopt;
         const auto at = choose_metadata(file, random, kLoad,
                                         [](const Record* record) { return is_counted(record) || record == &kClass; });
         if (!at) return std::nullopt;
         insert_event(file, *at + 1, file[*at]);
         return at_event(file, *at + 1);
     }},
    // An unload without a load.
    {"mlpd/unload-without-load",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_situation(file, random, any_situation);
         if (!at || version_of(file) < kUnloadsSince) return std::nullopt;
         const Record& record = *pick<const Record*>(random, {&kImage, &kAssembly, &kDomain, &kContext});
         const auto image = known_image(file, *at);
         if (&record == &kAssembly && !image) return std::nullopt;
         const uint64_t id = &record == &kDomain ? fresh_domain(random) : fresh_pointer(file, random);
         PlannedRecord event(record);
         event.with("op", kUnload).with("pointer", id).with("image", image.value_or(0)).with("domain", 0);
         insert_event(file, random, *at, event);
         return at_event(file, *at);
     }},
    // The load is missing. Only contexts and assemblies, which nothing else uses.
    {"mlpd/unload-without-load",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto unload = choose_metadata(
             file, random, kUnload, [](const Record* record) { return record == &kContext || record == &kAssembly; });
         if (!unload) return std::nullopt;
         for (size_t load = *unload; load-- > 0;) {
             const RecordValues& record = file[load];
             if (!is_op(record, *file[*unload].record, kLoad) ||
                 record.number("pointer") != file[*unload].number("pointer") ||
                 record.number("domain") != file[*unload].number("domain"))
                 continue;
             erase_event(file, load);
             return at_event(file, *unload - 1);
         }
         return std::nullopt;
     }},
    {"mlpd/double-unload",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_metadata(file, random, kUnload, is_counted);
         if (!at) return std::nullopt;
         insert_event(file, *at + 1, file[*at]);
         return at_event(file, *at + 1);
     }},
};

}  // namespace

constinit const FaultList kLoadFaults{kLoadRows};

// Planted faults of calls, collections, sync points and finalizers.

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
