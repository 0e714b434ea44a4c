// perf.data: ways to break the framing and the contents of records (sections 3.3, 3.4 and 3.7).
#include "grammars/perfdata/generator/edit_recording.hpp"

namespace tracelint::perfdata {
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
        if (first_record(file, kSample) == file.size()) return std::nullopt;
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

}  // namespace tracelint::perfdata
