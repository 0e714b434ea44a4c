// Planted faults of the fields of events.
#include "grammars/mlpd/generator/faults.hpp"
#include "validator/generator/field_faults.hpp"

namespace tracelint::mlpd::faults {
namespace {

constexpr uint64_t kTop = uint64_t{1} << 63;

bool any_value(const RecordValues&, const Value&) { return true; }
bool any_number(uint64_t) { return true; }
bool is_named(const Value& value, std::string_view name) {
    return value.leaf.field != nullptr && value.leaf.kind == Leaf::Kind::value && value.leaf.field->name == name;
}
bool raises(const Value& value, std::string_view rule) {
    return value.leaf.field != nullptr && check_of(*value.leaf.field, rule) != nullptr;
}

Value& value_at(FileRecords& file, const ValuePlace& at) { return file[at.record].values[at.value]; }

// Updates the buffers; the finding is at the changed value.
std::optional<Planted> settled(FileRecords& file, const std::optional<ValuePlace>& at) {
    if (!at) return std::nullopt;
    update_buffers(file);
    return at_value(file, *at);
}

std::optional<Planted> set_number(FileRecords& file, const std::optional<ValuePlace>& at, uint64_t number) {
    if (!at) return std::nullopt;
    Leaf& leaf = value_at(file, *at).leaf;
    leaf.number = number;
    leaf.length = 0;  // as short as possible
    return settled(file, at);
}

// Text that is not a GUID.
std::string draw_bad_guid(Random& random) {
    std::string guid = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
    const uint64_t kind = below(random, 5), at = below(random, guid.size());
    switch (kind) {
        case 0: guid[at] = pick<char>(random, {'g', ' ', '{', '/', ':', '@', '`'}); break;
        case 1: guid.erase(at, 1); break;
        case 2: guid.insert(at, 1, pick<char>(random, {'0', '-'})); break;
        case 3: guid = "{" + guid + "}"; break;
        default: std::swap(guid[8], guid[7]);
    }
    return guid + '\0';
}

bool may_step_back(const RecordValues& record) {
    return record.record == &kJit || record.record == &kSampleHit || record.record == &kCounters;
}

constexpr FaultRow kFieldRows[] = {
    {"mlpd/leb128-non-canonical",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_leb(file, random);
         if (!at) return std::nullopt;
         const uint64_t size = at_value(file, *at).length;
         if (size == kLongestLeb) return std::nullopt;
         value_at(file, *at).leaf.length = between(random, size + 1, kLongestLeb);
         return settled(file, at);
     }},
    // With more bits than a pointer of the file.
    {"mlpd/pointer-width-overflow",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (event_layout(file).word_size != 4) return std::nullopt;
         const auto at = choose_value(file, random, [](const RecordValues& record, const Value& value) {
             return is_event(record) && is_leb(value) && value.leaf.field->base != 0;
         });
         if (!at) return std::nullopt;
         RecordValues before = file[at->record];
         before.values.erase(before.values.begin() + static_cast<std::ptrdiff_t>(at->value), before.values.end());
         Leaf& leaf = value_at(file, *at).leaf;
         const uint64_t distance = (leaf.number >> leaf.field->shift) - layout_after(before).bases[leaf.field->base];
         const uint64_t more = pick<uint64_t>(random, {1, kNone, between(random, 1, 1 << 28)});
         leaf.written = static_cast<uint64_t>(sign_extended(distance & 0xffffffff, 4)) + (more << 32);
         leaf.length = 1;
         return settled(file, at);
     }},
    {"mlpd/time-delta-wraps",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_value(file, random, [](const RecordValues& record, const Value& value) {
             return is_named(value, "time") && !may_step_back(record);
         });
         return set_number(file, at, kTop + pick<uint64_t>(random, {0, kTop - 1, below(random, kTop)}));
     }},
    // The time exceeds 2^63, which must not have happened before.
    {"mlpd/time-overflow",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (std::any_of(file.begin(), file.end(),
                         [](const RecordValues& record) { return record.number("time") >= kTop; }))
             return std::nullopt;
         const auto at = choose_value(file, random,
                                      [](const RecordValues&, const Value& value) { return is_named(value, "time"); });
         return set_number(file, at, kTop - 1 - below(random, 1000));
     }},
    // Not in texts that must be a GUID.
    {"mlpd/invalid-utf8",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_value(file, random, [](const RecordValues& record, const Value& value) {
             return is_event(record) && value.leaf.field->type == Type::string && !is_named(value, "mvid") &&
                    record.record != &kAotId;
         });
         if (!at) return std::nullopt;
         const BadText bad = draw_bad_text(random);
         value_at(file, *at).text = bad.text;
         update_buffers(file);
         return at_bytes(at->record, at_value(file, *at).offset + bad.bad_at, 1);
     }},
    // One move is missing.
    {"mlpd/odd-move-count",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kGcMove, [&](size_t i) { return file[i].number("count") != 0; });
         if (!at) return std::nullopt;
         RecordValues& event = file[*at];
         event.values.pop_back();
         --event.find("moves")->leaf.number;
         update_sizes(event);
         update_buffers(file);
         return at_field(*at, "count");
     }},
    // One move too many.
    {"mlpd/odd-move-count",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kGcMove, any);
         if (!at) return std::nullopt;
         RecordValues& event = file[*at];
         Value added;
         added.leaf.record = &kMove;
         added.leaf.field = kMove.find("object");
         added.leaf.list = event.find("moves")->leaf.field;
         added.leaf.element = event.find("moves")->leaf.number++;
         added.leaf.depth = 1;
         added.leaf.number = fresh_object(file, random);
         event.values.push_back(added);
         update_sizes(event);
         update_buffers(file);
         return at_field(*at, "count");
     }},
    // A new event, as changing one would break the order of its collection.
    {"mlpd/gc-event-range",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_situation(file, random, any_situation);
         if (!at) return std::nullopt;
         const uint16_t version = version_of(file);
         uint64_t event = between(random, version < 13 ? 10 : 12, 255);
         if (version >= 14 && one_in(random, 3)) event = between(random, 1, 4);
         insert_event(file, random, *at, PlannedRecord(kGcEvent).with("event", event).with("generation", 0));
         return at_field(*at, "event");
     }},
    {"mlpd/gc-generation-range",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         return settled(
             file, break_check(file, random, "mlpd/gc-generation-range", any_value, [](uint64_t g) { return g > 2; }));
     }},
    // From version 14 on, the event is a field.
    {"mlpd/monitor-event-range",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         return settled(file, break_check(file, random, "mlpd/monitor-event-range", any_value, any_number));
     }},
    // Up to version 13 the op byte holds the event. The backtrace flag has no effect on an unknown event.
    {"mlpd/monitor-event-range",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at =
             choose(file, random, kOldMonitor, [&](size_t i) { return !is_op(file[i], kOldMonitorBacktrace); });
         if (!at) return std::nullopt;
         const uint64_t event = pick<uint64_t>(random, {0, 4, 5, 6, 7}), flag = 8 * below(random, 2);
         file[*at].set("op", (flag | event) << 4 | 5);
         return at_event(file, *at);
     }},
    // Not in an event that stops or starts the world.
    {"mlpd/sync-point-type-range",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto is_periodic = [](const RecordValues& record, const Value&) { return record.number("type") == 0; };
         return settled(file, break_check(file, random, "mlpd/sync-point-type-range", is_periodic, any_number));
     }},
    {"mlpd/heap-generation-range",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         return settled(file, break_check(file, random, "mlpd/heap-generation-range", any_value,
                                          [](uint64_t g) { return g > 2; }));
     }},
    // 0 is a valid variance.
    {"mlpd/counter-unit-variance",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         return settled(file, break_check(file, random, "mlpd/counter-unit-variance", any_value,
                                          [](uint64_t n) { return n != 0; }));
     }},
    {"mlpd/heap-ref-offset-range",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_value(file, random, [](const RecordValues& record, const Value& value) {
             return value.leaf.record == &kReference && is_named(value, "offset") && record.number("size") != 0;
         });
         if (!at) return std::nullopt;
         const RecordValues& event = file[at->record];
         uint64_t before = 0;
         for (uint64_t i = 0; i < value_at(file, *at).leaf.element; ++i) before += event.find("offset", i)->leaf.number;
         const uint64_t least = event.number("size") - before;
         return set_number(file, at, least + pick<uint64_t>(random, {0, below(random, 1000), below(random, kTop)}));
     }},
    // Not in heap objects, as references to the object would dangle; the next fault does that.
    {"mlpd/null-object",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_value(file, random, [](const RecordValues&, const Value& value) {
             return raises(value, "mlpd/null-object") && value.leaf.record != &kHeapObject;
         });
         return set_number(file, at, 0);
     }},
    // A heap object that nothing refers to.
    {"mlpd/null-object",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_situation(file, random, [](const Situation& now) { return now.in_heapshot; });
         if (!at) return std::nullopt;
         std::optional<PlannedRecord> event = with_known_type(file, kHeapObject, *at);
         if (!event) return std::nullopt;
         insert_event(file, random, *at, event->with("object", 0).with("size", 8));
         return at_field(*at, "object");
     }},
    // In clauses and backtraces. Calls must match, and frames of samples may have no method.
    {"mlpd/null-method",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_value(file, random, [](const RecordValues& record, const Value& value) {
             const Record* of = value.leaf.record;
             return raises(value, "mlpd/null-method") &&
                    (record.record == &kClause || of == &kFrame || of == &kOldFrame);
         });
         return set_number(file, at, 0);
     }},
    // In a JIT event.
    {"mlpd/null-method",
     [](FileRecords& file, Random& random) -> std::
                                               optional<Planted> {
                                                   const auto at = choose_situation(file, random, any_situation);
                                                   if (!at) return std::nullopt;
                                                   insert_event(file, random, *at,
                                                                PlannedRecord(kJit).with("method", 0));
                                                   return at_field(*at, "method");
                                               }},
    {"mlpd/bad-mvid",
     [](FileRecords& file, Random& random) -> std::
                                               optional<Planted> {
                                                   const auto at = choose_value(
                                                       file, random, [](const RecordValues&, const Value& value) {
                                                           return is_named(value, "mvid");
                                                       });
                                                   if (at) value_at(file, *at).text = draw_bad_guid(random);
                                                   return settled(file, at);
                                               }},
    // An empty id is also invalid.
    {"mlpd/bad-aot-id",
     [](FileRecords& file,
        Random& random) -> std::
                            optional<Planted> {
                                const auto at =
                                    choose_value(file, random, [](const RecordValues& record, const Value& value) {
                                        return record.record == &kAotId && is_named(value, "guid");
                                    });
                                if (at)
                                    value_at(file, *at).text =
                                        one_in(random, 4) ? std::string(1, '\0') : draw_bad_guid(random);
                                return settled(file, at);
                            }},
};

}  // namespace

constinit const FaultList kFieldFaults{kFieldRows};

}  // namespace tracelint::mlpd::faults
