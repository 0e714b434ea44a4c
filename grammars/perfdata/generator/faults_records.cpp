// perf.data: ways to break records, samples and compressed records.
#include <algorithm>

#include "grammars/perfdata/generator/edit_recording.hpp"
#include "validator/input/zstd.hpp"

namespace tracelint::perfdata {

// perf.data: ways to break the framing and the contents of records (sections 3.3, 3.4 and 3.7).

namespace {

using Plan = std::optional<Planted>;

Encoder body_of(const FileRecords& file) { return Encoder(layout_of(file).order); }

// A record whose count claims more than there is, at the offset and with the width that it has in the record.
struct Overcount {
    uint64_t type, offset;
    unsigned width;
    bool has_trailer = false;
};
constexpr Overcount kOvercounts[] = {
    {kNamespacesType, 16, 8, true}, {kIdIndexType, 8, 8}, {kThreadMapType, 8, 8},
    {kStatConfigType, 8, 8},        {kCpuMapType, 10, 2}, {kCallchainDeferredType, 16, 8, true},
};

// clang-format off
constexpr FaultRow kRecordRows[] = {
    {"perfdata/truncated-record-header", [](FileRecords& file, Random& random) -> Plan {
        const uint64_t left = between(random, 1, fixed_size(kPrefix) - 1);
        const size_t at = end_of_records(file);
        insert(file, at, raw_record(std::string(left, '\1')));
        fit(file);
        return at_bytes(at, 0, left);
    }},
    {"perfdata/truncated-record", [](FileRecords& file, Random& random) -> Plan {
        RecordValues cut_record = record_with(file, kCommType, 0, std::string(24, '\0'));
        const uint64_t left = between(random, fixed_size(kPrefix), 31);
        cut_record = raw_record(bytes_of(cut_record).substr(0, left));
        const size_t at = end_of_records(file);
        insert(file, at, std::move(cut_record));
        fit(file);
        return at_bytes(at, 0, left);
    }},
    {"perfdata/record-size-too-small", [](FileRecords& file, Random& random) -> Plan {
        const size_t at = early_place(file);
        Encoder record = body_of(file);
        record.number(kCommType, 4).number(0, 2).number(below(random, 8), 2);
        insert(file, at, raw_record(record.text()));
        fit(file);
        return at_bytes(at, 6, 2);
    }},
    {"perfdata/record-unaligned", [](FileRecords& file, Random& random) -> Plan {
        const size_t at = put_early(file, kFinishedInitType, 0, std::string(between(random, 1, 7), '\0'));
        return at_bytes(at, 6, 2);
    }},
    {"perfdata/record-type-newer", [](FileRecords& file, Random& random) -> Plan {
        const uint64_t type = one_in(random, 2) ? between(random, 23, 31) : between(random, 87, 127);
        return at_bytes(put_early(file, type, 0, std::string(8, '\0')), 0, 4);
    }},
    {"perfdata/record-type-unknown", [](FileRecords& file, Random& random) -> Plan {
        const uint64_t type = pick<uint64_t>(random, {0, 32, 63, 128, 32767, 32777, 0xffffffff});
        return at_bytes(put_early(file, type, 0, std::string(8, '\0')), 0, 4);
    }},
    {"perfdata/record-body-too-small", [](FileRecords& file, Random& random) -> Plan {
        const uint64_t type = pick<uint64_t>(random, {kForkType, kMmap2Type, kThreadMapType, kAuxtraceType, kHeaderAttrType});
        return at_bytes(put_early(file, type, 0, std::string(type == kForkType ? 8 : 0, '\0')), 6, 2);
    }},
    {"perfdata/string-unterminated", [](FileRecords& file, Random& random) -> Plan {
        Encoder body = body_of(file);
        const uint64_t room = 8 * between(random, 1, 4);
        body.number(1, 4).number(1, 4).bytes(std::string(room, 'x')).bytes(early_trailer(file));
        return at_bytes(put_early(file, kCommType, 0, body.text()), 16, room);
    }},
    {"perfdata/string-unterminated", [](FileRecords& file, Random&) -> Plan {
        Encoder body = body_of(file);
        body.number(0, 4).bytes(std::string(24, '\7')).bytes("file");
        return at_bytes(put_early(file, kHeaderBuildIdType, 0, body.text()), 36, 4);
    }},
    {"perfdata/count-exceeds-record", [](FileRecords& file, Random& random) -> Plan {
        const Overcount& row = pick_of(random, kOvercounts);
        Encoder body = body_of(file);
        body.bytes(std::string(row.offset - fixed_size(kPrefix), '\0'));
        body.number(one_in(random, 2) ? 100 : 0xfff8, row.width).align();
        if (row.has_trailer) body.bytes(early_trailer(file));
        const size_t at = put_early(file, row.type, 0, body.text());
        return at_bytes(at, row.offset, row.width);
    }},
    {"perfdata/count-exceeds-record", [](FileRecords& file, Random&) -> Plan {
        Encoder body = body_of(file);
        body.number(0).number(1, 2).number(0xffff, 2).number(0, 4).bytes(early_trailer(file));
        return at_bytes(put_early(file, kTextPokeType, 0, body.text()), 16, 4);
    }},
    {"perfdata/mmap-range", [](FileRecords& file, Random& random) -> Plan {
        Encoder body = body_of(file);
        const uint64_t start = uint64_t{0} - 0x1000;
        body.number(1, 4).number(1, 4).number(start).number(one_in(random, 2) ? 0x1001 : kNone).number(0);
        body.bytes(std::string_view("a file\0\0", 8)).bytes(early_trailer(file));
        return at_bytes(put_early(file, kMmapType, 2, body.text()), 24, 8);
    }},
    {"perfdata/mmap2-without-prot", [](FileRecords& file, Random& random) -> Plan {
        Encoder body = body_of(file);
        body.number(1, 4).number(1, 4).number(0x400000).number(0x1000).number(0);
        body.number(8, 4).number(1, 4).number(77).number(0);
        body.bytes(one_in(random, 2) ? std::string_view("[stack]\0", 8) : std::string_view("/usr/bin/dash\0\0\0", 16));
        body.bytes(early_trailer(file));
        return at_bytes(put_early(file, kMmap2Type, 2, body.text()), 64, 8);
    }},
    // Two rounds end after the last time of the file.
    {"perfdata/round-order", [](FileRecords& file, Random& random) -> Plan {
        if (first_record(file, kSample) == file.size() || attributes_of(file).empty()) return std::nullopt;
        for (int i = 0; i < 2; ++i) put_last(file, kFinishedRoundType, 0, "");
        const Event event = event_of(file, attributes_of(file)[0]);
        if (event.ids.empty()) return std::nullopt;
        const Moment early{.pid = 1, .tid = 1, .time = 1, .id = event.ids[0]};
        const size_t at = put_last(file, kSampleType, 2, sample_fields(random, event, early, layout_of(file).order));
        return at_bytes(at, 0, 8);
    }},
    {"perfdata/auxtrace-exceeds-data", [](FileRecords& file, Random& random) -> Plan {
        Encoder body = body_of(file);
        body.number(one_in(random, 2) ? uint64_t{1} << 32 : kNone).bytes(std::string(32, '\0'));
        return at_bytes(put_early(file, kAuxtraceType, 0, body.text()), 8, 8);
    }},
    {"perfdata/auxtrace-exceeds-data", [](FileRecords& file, Random& random) -> Plan {
        Encoder body = body_of(file);
        body.number(one_in(random, 2) ? 0x40000000 : 0xffffffff, 4).number(0, 4);
        return at_bytes(put_early(file, kHeaderTracingDataType, 0, body.text()), 8, 4);
    }},
    // More than the samples that are there, in a record that perf adds at the end.
    {"perfdata/lost-events", [](FileRecords& file, Random& random) -> Plan {
        Encoder body = body_of(file);
        body.number(between(random, 1 << 20, 1 << 30), 8).bytes(early_trailer(file));
        return at_bytes(put_early(file, kLostSamplesType, 0, body.text()), 8, 8);
    }},
    // CoreSight: one CPU, of no tracer.
    {"perfdata/auxtrace-info-etm", [](FileRecords& file, Random& random) -> Plan {
        Encoder body = body_of(file);
        body.number(3, 4).number(0, 4).number(below(random, 3), 8).number(1, 8).number(0, 8);
        body.number(pick<uint64_t>(random, {0, 0xdead, 0x4040404040404041}), 8).bytes(std::string(64, '\0'));
        return at_bytes(put_early(file, kAuxtraceInfoType, 0, body.text()), 40, 8);
    }},
    {"perfdata/time-conv-unusable", [](FileRecords& file, Random& random) -> Plan {
        Encoder body = body_of(file);
        const uint64_t fault = below(random, 3);
        body.number(fault == 0 ? 64 : 10).number(fault == 1 ? 0 : 7).number(0);
        if (fault == 2) body.number(0).number(kNone).number(0);
        const uint64_t size = body.text().size();
        return at_bytes(put_early(file, kTimeConvType, 0, body.text()), 8, size);
    }},
};
// clang-format on

}  // namespace

constinit const FaultList kRecordFaults{kRecordRows};

// perf.data: ways to break the fields of a SAMPLE (section 3.5).

namespace {

using Plan = std::optional<Planted>;

// A sample of one of the events before all others, and where its fields are.
struct EarlySample {
    std::string fields;
    std::vector<SampleField> places;

    // The offset of a field in the record, if the event has it.
    std::optional<uint64_t> place_of(unsigned bit) const {
        const auto found = std::ranges::find(places, bit, &SampleField::bit);
        return found == places.end() ? std::nullopt : std::optional(found->offset);
    }
    void overwrite(uint64_t offset, uint64_t value, unsigned width, ByteOrder order) {
        fields.replace(offset - fixed_size(kPrefix), width, Encoder(order).number(value, width).text());
    }
};

std::optional<EarlySample> draw_sample(const FileRecords& file, Random& random) {
    const std::vector<size_t> attributes = attributes_of(file);
    if (attributes.empty()) return std::nullopt;
    const Event event = event_of(file, pick_of(random, attributes));
    if (event.ids.empty()) return std::nullopt;
    EarlySample sample;
    const Moment early{.pid = 1, .tid = 1, .time = 1, .id = event.ids[0]};
    sample.fields = sample_fields(random, event, early, layout_of(file).order, &sample.places);
    return sample;
}

// The fields that begin with a count or a size of what follows.
struct CountedField {
    unsigned bit, width;
};
constexpr CountedField kCountedFields[] = {
    {kCallchainBit, 8}, {kRawBit, 4}, {kBranchStackBit, 8}, {kStackUserBit, 8}, {kAuxBit, 8},
};

// The words that a SAMPLE always has: those of these bits.
constexpr unsigned kFixedBits[] = {kIdentifierBit, kIpBit,       kTidBit, kTimeBit,  kAddrBit,
                                   kIdBit,         kStreamIdBit, kCpuBit, kPeriodBit};

// clang-format off
constexpr FaultRow kSampleRows[] = {
    {"perfdata/sample-overrun", [](FileRecords& file, Random& random) -> Plan {
        std::optional<EarlySample> sample = draw_sample(file, random);
        if (!sample) return std::nullopt;
        const CountedField& field = pick_of(random, kCountedFields);
        const auto place = sample->place_of(field.bit);
        if (!place) return std::nullopt;
        sample->overwrite(*place, one_in(random, 2) ? kNone >> 1 : 0xfffffff0, field.width, layout_of(file).order);
        return at_bytes(put_early(file, kSampleType, 2, sample->fields), *place, field.width);
    }},
    // A field of fixed size of which 0 bytes are left.
    {"perfdata/sample-overrun", [](FileRecords& file, Random& random) -> Plan {
        std::optional<EarlySample> sample = draw_sample(file, random);
        if (!sample) return std::nullopt;
        const auto place = sample->place_of(pick<unsigned>(random, {kDataSrcBit, kTransactionBit, kPhysAddrBit, kCgroupBit}));
        if (!place || *place % 8 != 0) return std::nullopt;
        sample->fields.resize(*place - fixed_size(kPrefix));
        return at_bytes(put_early(file, kSampleType, 2, sample->fields), *place, 0);
    }},
    {"perfdata/sample-trailing-bytes", [](FileRecords& file, Random& random) -> Plan {
        std::optional<EarlySample> sample = draw_sample(file, random);
        if (!sample) return std::nullopt;
        const uint64_t size = fixed_size(kPrefix) + sample->fields.size(), more = 8 * between(random, 1, 3);
        return at_bytes(put_early(file, kSampleType, 2, sample->fields + std::string(more, '\0')), size, more);
    }},
    {"perfdata/sample-unknown-id", [](FileRecords& file, Random& random) -> Plan {
        std::optional<EarlySample> sample = draw_sample(file, random);
        if (!sample || attributes_of(file).size() < 2) return std::nullopt;
        auto place = sample->place_of(kIdentifierBit);
        if (!place) place = sample->place_of(kIdBit);
        if (!place) return std::nullopt;
        sample->overwrite(*place, one_in(random, 2) ? 0 : 0x7777777777, 8, layout_of(file).order);
        return at_bytes(put_early(file, kSampleType, 2, sample->fields), *place, 8);
    }},
    {"perfdata/record-body-too-small", [](FileRecords& file, Random&) -> Plan {
        if (attributes_of(file).size() != 1) return std::nullopt;
        const Event event = event_of(file, attributes_of(file)[0]);
        const auto words = static_cast<size_t>(std::ranges::count_if(kFixedBits, [&](unsigned bit) { return event.has(bit); }));
        if (words == 0) return std::nullopt;
        return at_bytes(put_early(file, kSampleType, 2, std::string(8 * (words - 1), '\0')), 6, 2);
    }},
};
// clang-format on

}  // namespace

constinit const FaultList kSampleFaults{kSampleRows};

// perf.data: ways to break compressed records (section 3.9). Those inside of the stream need a build with zstd.

namespace {

using Plan = std::optional<Planted>;

bool is_compressed(const RecordValues& record) {
    return record.record == &kCompressed || record.record == &kCompressed2;
}

// The first compressed record; the size of the file if absent.
size_t first_compressed(const FileRecords& file) {
    size_t at = 0;
    while (at < file.size() && !is_compressed(file[at])) ++at;
    return at;
}

// Appends a block of the stream that the file has, with plain bytes.
std::optional<size_t> put_block(FileRecords& file, std::string_view plain) {
    if (!has_zstd() || first_compressed(file) == file.size()) return std::nullopt;
    std::string block;
    for (int shift = 0; shift < 24; shift += 8) block += static_cast<char>(plain.size() << 3 >> shift);
    return put_last(file, kCompressedType, 0, block.append(plain));
}

uint64_t payload_offset(const RecordValues& record) { return record.record == &kCompressed ? 8 : 16; }

Planted at_record(const FileRecords& file, size_t at) { return at_bytes(at, 0, bytes_of(file[at]).size()); }

// clang-format off
constexpr FaultRow kCompressionRows[] = {
    {"perfdata/compressed-nested", [](FileRecords& file, Random&) -> Plan {
        const std::string nested = bytes_of(record_with(file, kCompressedType, 0, std::string(8, '\0')));
        const auto at = put_block(file, nested);
        if (!at) return std::nullopt;
        return at_record(file, *at);
    }},
    {"perfdata/compressed-no-frame", [](FileRecords& file, Random& random) -> Plan {
        const size_t at = first_compressed(file);
        if (at == file.size() || !has_zstd()) return std::nullopt;
        file[at].find("payload")->text[below(random, 4)] ^= '\x11';
        return at_bytes(at, payload_offset(file[at]), 4);
    }},
    // A block of the reserved type.
    {"perfdata/compressed-corrupt", [](FileRecords& file, Random& random) -> Plan {
        if (first_compressed(file) == file.size() || !has_zstd()) return std::nullopt;
        const std::string payload = std::string("\x06\0\0", 3) + std::string(below(random, 9), '\0');
        return at_bytes(put_last(file, kCompressedType, 0, payload), 8, payload.size());
    }},
    {"perfdata/compressed-tail", [](FileRecords& file, Random& random) -> Plan {
        const std::string whole = bytes_of(record_with(file, kFinishedInitType, 0, std::string(16, '\0')));
        const auto at = put_block(file, whole.substr(0, between(random, 1, whole.size() - 1)));
        if (!at) return std::nullopt;
        return at_record(file, *at);
    }},
    {"perfdata/compressed2-size", [](FileRecords& file, Random& random) -> Plan {
        const auto at = choose(file, random, kCompressed2, any);
        if (!at) return std::nullopt;
        file[*at].set("data_size", bytes_of(file[*at]).size() - 16 + between(random, 1, 100));
        return at_field(*at, "data_size");
    }},
    {"perfdata/compressed-feature", [](FileRecords& file, Random& random) -> Plan {
        const auto section = choose(file, random, kCompression, any);
        if (!section || first_compressed(file) == file.size()) return std::nullopt;
        file[*section].set(one_in(random, 2) ? "algorithm" : "mmap_len", 0);
        return at_bytes(*section, 0, 20);
    }},
    {"perfdata/compressed-feature", [](FileRecords& file, Random&) -> Plan {
        const auto section = section_place(file, kCompressedFeature);
        if (!section || first_compressed(file) == file.size()) return std::nullopt;
        erase(file, *section);
        erase(file, first_record(file, kFeatureEntry));
        file[0].set("features_0", file[0].number("features_0") & ~(uint64_t{1} << kCompressedFeature));
        fit(file);
        return at_bytes(first_compressed(file), 0, 8);
    }},
};
// clang-format on

}  // namespace

constinit const FaultList kCompressionFaults{kCompressionRows};

}  // namespace tracelint::perfdata
