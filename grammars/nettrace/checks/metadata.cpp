#include "grammars/nettrace/checks/metadata.hpp"

#include "validator/tables/view.hpp"

namespace tracelint::nettrace {

void MetadataTable::add(uint64_t id, Entry::State state, uint64_t offset) {
    last_ = nullptr;
    if (tracking_.has_ended(Tracked::metadata)) return;
    Entry* const entry = entries_.find_or_insert({.key = static_cast<uint32_t>(id), .state = state});
    if (entry == nullptr) {
        end_tracking(offset);
        return;
    }
    entry->state = state;
}

void MetadataTable::set_layout(uint64_t id, PayloadSteps steps, uint64_t offset) {
    Entry* const entry = find(id);
    if (entry == nullptr || steps.empty() || tracking_.has_ended(Tracked::metadata)) return;
    const uint64_t first = steps_.size();
    if (!steps_.reserve(first + steps.size())) return end_tracking(offset);
    for (const PayloadStep& step : steps) (void)steps_.push_back(step);
    entry->first_step = static_cast<uint32_t>(first);
    entry->steps = static_cast<uint32_t>(steps.size());
}

void MetadataTable::end_tracking(uint64_t offset) {
    tracking_.end(Tracked::metadata, offset);
    lost_ = true;
}

void MetadataTable::forget() {
    entries_.clear();
    steps_.release();
    last_ = nullptr;
    lost_ = tracking_.has_ended(Tracked::metadata);
}

constexpr Rule kMetadataIdInvalid{
    .id = "nettrace/metadata-id-invalid",
    .severity = Severity::error,
    .statement = "the id of a metadata row is 1 to 2147483647",
    .message = "metadata id {0d}, expected 1 to 2147483647",
    .why = "no event can refer to this row",
    .spec = "3.9 Metadata of versions 1 to 5; 3.10 Metadata of version 6",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kDuplicateMetadata{
    .id = "nettrace/duplicate-metadata",
    .severity = Severity::error,
    .statement = "an id is defined by one metadata row",
    .message = "metadata id {0} is defined a second time",
    .why =
        "TraceEvent stops with an exception and drops the rest of the file; other readers show events with the fields "
        "of the wrong row",
    .spec = "4.5 Rows and payloads",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kProviderNameEmpty{
    .id = "nettrace/provider-name-empty",
    .severity = Severity::warning,
    .statement = "a metadata row names its provider",
    .message = "the provider has no name",
    .why = "no reader can tell whose events these are",
    .spec = "3.9 Metadata of versions 1 to 5; 3.10 Metadata of version 6",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kMetadataValueRange{
    .id = "nettrace/metadata-value-range",
    .severity = Severity::error,
    .statement = "the id of an event is 0 to 65535, its version and level 0 to 255",
    .message = "the value is {0d}, expected 0 to {1}",
    .why = "TraceEvent keeps 16 or 8 bits of it and shows another event",
    .spec = "3.9 Metadata of versions 1 to 5; 3.10 Metadata of version 6",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

void MetadataRows::begin(bool is_plain) {
    builder_.clear();
    is_plain_ = is_plain;
    is_defining_ = false;
    has_layout_ = true;
    stops_reading_ = false;
}

void MetadataRows::define(uint64_t id, const Place& place) {
    id_ = id;
    at_ = place.offset;
    if (!table_.is_lost() && table_.is_defined(id)) {
        findings_.add<kDuplicateMetadata>(place, {id});
        return;
    }
    if (findings_.is_in_doubt()) return;
    is_defining_ = true;
    table_.add(id, MetadataTable::Entry::State::defined, at_);
}

void MetadataRows::finish(PartReader& row) {
    if (!builder_.is_complete()) return table_.end_tracking(row.at());
    if (is_defining_ && has_layout_ && !findings_.is_in_doubt()) table_.set_layout(id_, builder_.steps(), row.at());
}

void MetadataRows::check_range(const Place& place, uint64_t value, uint64_t most) {
    if (value > most) findings_.add<kMetadataValueRange>(place, {value, most});
}

bool MetadataRows::read_signed(PartReader& row, const Field& field, uint64_t& value) {
    if (!row.fixed(field, 4, value)) return false;
    value = static_cast<uint64_t>(sign_extended(value, 4));
    return true;
}

bool MetadataRows::read_ranged(PartReader& row, const Field& field, uint64_t most) {
    uint64_t value = 0;
    if (!read_signed(row, field, value)) return false;
    check_range(row.last(), value, most);
    return true;
}

namespace {

template <FixedName Name>
constexpr const Field& kRow = View<kMetadata>::field<Name>();
template <FixedName Name>
constexpr const Field& kPlainRow = View<kPlainMetadata>::field<Name>();

constexpr uint64_t kMostEventId = 65'535, kMostSmall = 255;
constexpr uint64_t kHighestId = 0x7fffffff;

}  // namespace

bool MetadataRows::read(PartReader& row, uint16_t version, uint64_t event_offset) {
    begin(false);
    if (version < kNetperf3)
        define(event_offset, row.here(nullptr, 0));
    else if (!read_id(row, false))
        return false;
    if (!(version < kNetperf3 ? read_old_definition(row, version) : read_modern(row))) return false;
    finish(row);
    return true;
}

bool MetadataRows::read_id(PartReader& row, bool is_plain) {
    uint64_t id = 0;
    const bool is_read = is_plain ? row.number(kPlainRow<"id">, false, id) : read_signed(row, kRow<"id">, id);
    if (!is_read) return false;
    if (id == 0 || id > kHighestId)
        findings_.add<kMetadataIdInvalid>(row.last(), {id});
    else
        define(id, row.last());
    return true;
}

bool MetadataRows::read_provider(PartReader& row) {
    uint64_t length = 0;
    if (!row.text16(kRow<"provider">, length)) return false;
    if (length == 0) findings_.add<kProviderNameEmpty>(row.last());
    return true;
}

bool MetadataRows::read_modern(PartReader& row) {
    uint64_t ignored = 0, fields = 0;
    return read_provider(row) && read_ranged(row, kRow<"event_id">, kMostEventId) &&
           row.text16(kRow<"name">, ignored) && row.fixed(kRow<"keywords">, 8, ignored) &&
           read_ranged(row, kRow<"version">, kMostSmall) && read_ranged(row, kRow<"level">, kMostSmall) &&
           read_fields(row, 0, fields) && (stops_reading_ || read_tags(row, fields != 0));
}

bool MetadataRows::read_old_definition(PartReader& row, uint16_t version) {
    uint64_t ignored = 0, size = 0, fields = 0;
    const bool has_provider = version == 1 ? row.skip(kRow<"provider_guid">, 16) : read_provider(row);
    if (!has_provider || !read_ranged(row, kRow<"event_id">, kMostEventId) ||
        !read_ranged(row, kRow<"version">, kMostSmall) || !row.size(kRow<"definition_size">, 4, size))
        return false;
    if (size == 0) return true;
    PartReader definition = row.part(size);
    const bool is_read = read_ranged(definition, kRow<"event_id">, kMostEventId) &&
                         definition.text16(kRow<"name">, ignored) && definition.fixed(kRow<"keywords">, 8, ignored) &&
                         read_ranged(definition, kRow<"version">, kMostSmall) &&
                         read_ranged(definition, kRow<"level">, kMostSmall) &&
                         (definition.is_at_end() || read_fields(definition, 0, fields));
    if (!is_read) row.take_fault_of(definition);
    return is_read;
}

bool MetadataRows::read_plain(PartReader& row) {
    begin(true);
    uint64_t event_id = 0;
    Bytes provider, name;
    if (!read_id(row, true) || !row.text8(kPlainRow<"provider_size">, kPlainRow<"provider">, provider)) return false;
    if (provider.empty()) findings_.add<kProviderNameEmpty>(row.last());
    if (!row.number(kPlainRow<"event_id">, false, event_id)) return false;
    check_range(row.last(), event_id, kMostEventId);
    if (!row.text8(kPlainRow<"name_size">, kPlainRow<"name">, name) || !read_plain_fields(row, 0) ||
        !read_optional(row))
        return false;
    finish(row);
    return true;
}

constinit const RuleList kMetadataRules =
    rules<&kMetadataIdInvalid, &kDuplicateMetadata, &kProviderNameEmpty, &kMetadataValueRange>;

}  // namespace tracelint::nettrace
