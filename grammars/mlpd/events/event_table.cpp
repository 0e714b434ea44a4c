// mlpd, section 3.6: the meaning of an event byte in a data version.
#include "grammars/mlpd/events/event_table.hpp"

namespace tracelint::mlpd {

constexpr Rule kUnknownEventType = framing(
    "mlpd/unknown-event-type", "the low four bits of an event byte are a known type",
    "unknown event type {1} in event byte {0x}",
    "mprof-report says 'unhandled profiler event' and prints no report at all, Mono.Profiler.Log fails", "3.6 Events");

constexpr Rule kUnknownEventSubtype =
    framing("mlpd/unknown-event-subtype", "the high four bits of an event byte are a subtype that its type has",
            "event type {1} has no subtype {2} (event byte {0x})",
            "mprof-report loops forever on heap and coverage events, Mono.Profiler.Log fails", "3.6 Events");

OpMeaning meaning_of(uint8_t op, uint16_t version) {
    if (type_of(op) == kMonitorType && version <= kOldMonitor.last_version) {
        const bool has_flag = (subtype_of(op) & kFlag) != 0;
        return {.record = &kOldMonitor, .flag_is_unwritten = has_flag && op != kOldMonitorBacktrace};
    }
    bool type_known = false, known = false;
    for (const EventRow& row : kEvents) {
        type_known = type_known || type_of(row.op) == type_of(op);
        if (row.op != op) continue;
        known = true;
        const bool is_foreign = !row.outlives.empty() && version > row.last;
        if (version < row.first || (version > row.last && !is_foreign)) continue;
        return {.record = row.record,
                .is_metadata = row.record == nullptr,
                .flag_is_unwritten = row.flag_is_unwritten,
                .foreign_hint = is_foreign ? row.outlives : std::string_view()};
    }
    if (known) return {.refusal = &kEventNotInVersion, .numbers = {op, version}};
    return {.refusal = type_known ? &kUnknownEventSubtype : &kUnknownEventType,
            .numbers = {op, type_of(op), subtype_of(op)}};
}

const Record* metadata_record(uint64_t mtype, uint16_t version) {
    for (const Record* record : kMetadataRecords)
        if (record->tag == metadata_tag(mtype) && record->exists_in(version)) return record;
    return nullptr;
}

const MetadataRow* metadata_row(const Record& record, uint8_t op, uint16_t version) {
    const uint8_t x = subtype_of(op) & (kFlag - 1);
    for (const MetadataRow& row : kMetadataEvents) {
        const bool exists = row.first <= version && (version <= row.last || !row.outlives.empty());
        if (row.record == &record && row.x == x && exists) return &row;
    }
    return nullptr;
}

constinit const RuleList kEventTableRules = rules<&kUnknownEventType, &kUnknownEventSubtype, &kEventNotInVersion>;

}  // namespace tracelint::mlpd
