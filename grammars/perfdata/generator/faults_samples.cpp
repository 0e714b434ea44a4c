// perf.data: ways to break the fields of a SAMPLE (section 3.5).
#include <algorithm>

#include "grammars/perfdata/generator/edit_recording.hpp"

namespace tracelint::perfdata {
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
        const Event event = event_of(file, attributes_of(file)[0]);
        const auto words = std::ranges::count_if(kFixedBits, [&](unsigned bit) { return event.has(bit); });
        if (attributes_of(file).size() > 1) return std::nullopt;
        return at_bytes(put_early(file, kSampleType, 2, std::string(8 * static_cast<size_t>(words - 1), '\0')), 6, 2);
    }},
};
// clang-format on

}  // namespace

constinit const FaultList kSampleFaults{kSampleRows};

}  // namespace tracelint::perfdata
