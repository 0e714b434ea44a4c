// mlpd, section 3.6: what a version makes of an event byte.
#include "grammars/mlpd/events/event_table.hpp"

namespace tracelint::mlpd {

OpMeaning meaning_of(uint8_t op, uint16_t version) {
    if (type_of(op) == kMonitorType && version <= kOldMonitor.last_version) return {.record = &kOldMonitor};
    bool type_known = false, known = false;
    for (const EventRow& row : kEvents) {
        type_known = type_known || type_of(row.op) == type_of(op);
        if (row.op != op) continue;
        known = true;
        const bool is_foreign = row.outlives && version > row.last;
        if (version < row.first || (version > row.last && !is_foreign)) continue;
        return {.record = row.record, .is_metadata = row.record == nullptr, .is_foreign = is_foreign};
    }
    return {.refusal = !type_known ? &kUnknownEventType : known ? &kEventNotInVersion : &kUnknownEventSubtype};
}

const Record* metadata_record(uint64_t mtype, uint16_t version) {
    for (const Record* record : kMetadataRecords)
        if (record->tag == metadata_tag(mtype) && record->exists_in(version)) return record;
    return nullptr;
}

const MetadataRow* metadata_row(const Record& record, uint8_t op, uint16_t version) {
    const uint8_t x = subtype_of(op) & (kFlag - 1);
    for (const MetadataRow& row : kMetadataEvents)
        if (row.record == &record && row.x == x && row.first <= version && (version <= row.last || row.outlives))
            return &row;
    return nullptr;
}

}  // namespace tracelint::mlpd
