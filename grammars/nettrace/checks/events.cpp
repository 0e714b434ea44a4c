// nettrace, sections 4.4 and 4.5: what events refer to, and their payloads.
#include "grammars/nettrace/checks/session.hpp"

namespace tracelint::nettrace {

constexpr Rule kUndefinedMetadata{
    .id = "nettrace/undefined-metadata",
    .severity = Severity::error,
    .statement = "an event refers to a metadata row before it in the file",
    .message = "no metadata row before this event has id {0}",
    .why = "TraceEvent stops with an exception and drops the rest of the file",
    .spec = "4.4 Events",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kPayloadTooLarge{
    .id = "nettrace/payload-too-large",
    .severity = Severity::warning,
    .statement = "a payload has at most 65535 bytes",
    .message = "a payload of {0 byte|bytes}, expected at most 65535",
    .why = "TraceEvent keeps 16 bits of its size and shows another part of it",
    .spec = "3.5 Compressed event headers",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kPayloadShort{
    .id = "nettrace/payload-short",
    .severity = Severity::warning,
    .statement = "a payload holds the fields of its metadata",
    .message = "a payload of {0 byte|bytes}; its fields take {1} or more",
    .why =
        "readers show wrong values for the last fields, or fail; runtimes write booleans of one byte under a type of "
        "four",
    .spec = "4.5 Rows and payloads",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kPayloadLong{
    .id = "nettrace/payload-long",
    .severity = Severity::note,
    .statement = "a payload holds nothing but the fields of its metadata",
    .message = "{0 byte|bytes} follow the fields of the payload",
    .why = "readers ignore them; one-collect declares texts as one byte",
    .spec = "4.5 Rows and payloads",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

void check_payload_size(Session& session, uint64_t size, const Place& place) {
    if (size > 65'535) session.findings.add<kPayloadTooLarge>(place, {size});
}

void check_payload(Session& session, MetadataTable::Entry& entry, Bytes payload, const Place& whole) {
    const PayloadEnd end = end_of_payload(session.metadata.layout_of(entry), payload, session.context.work);
    const uint64_t size = payload.size();
    if (end.how == PayloadEnd::How::beyond) {
        if (session.findings.add<kPayloadShort>(whole, {size, end.size})) entry.has_payload_finding = true;
    } else if (end.how == PayloadEnd::How::known && end.size < size) {
        Place rest = whole;
        rest.offset += end.size;
        rest.length -= end.size;
        if (session.findings.add<kPayloadLong>(rest, {rest.length})) entry.has_payload_finding = true;
    }
}

// The entry of the event's metadata; null: it is missed. `place` is asked if it has to be reported.
MetadataTable::Entry* metadata_of(Session& session, uint64_t id, Place (*place)(const void*), const void* of) {
    MetadataTable::Entry* const entry = session.metadata.find(id);
    if (entry != nullptr) [[likely]]
        return entry;
    if (session.metadata.is_lost()) return nullptr;
    const Place at = place(of);
    if (session.findings.add<kUndefinedMetadata>(at, {id}))
        session.metadata.add(id, MetadataTable::Entry::State::undefined, at.offset);
    return nullptr;
}

constinit const RuleList kPayloadRules = rules<&kUndefinedMetadata, &kPayloadTooLarge, &kPayloadShort, &kPayloadLong>;

}  // namespace tracelint::nettrace
