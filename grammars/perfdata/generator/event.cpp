// perf.data: the fields of a SAMPLE and the trailer.
#include "grammars/perfdata/generator/event.hpp"

#include <bit>

#include "grammars/perfdata/records.hpp"

namespace tracelint::perfdata {
namespace {

constexpr uint64_t kUserContext = uint64_t{0} - 512;  // is before the user part of a call chain

void put_read(Encoder& to, Random& random, const Event& event, uint64_t id) {
    const auto has = [&](unsigned bit) { return (event.read_format >> bit & 1) != 0; };
    const bool is_group = has(3);
    const uint64_t values = is_group ? between(random, 1, 3) : 1;
    const auto value = [&] { to.number(below(random, 1'000'000)); };
    if (is_group)
        to.number(values);
    else
        value();
    if (has(0)) value();
    if (has(1)) value();
    for (uint64_t i = 0; i < values; ++i) {
        if (is_group) value();
        if (has(2)) to.number(id);
        if (has(4)) to.number(0);
    }
}

void put_callchain(Encoder& to, Random& random) {
    const uint64_t frames = below(random, 6);
    to.number(frames == 0 ? 0 : frames + 1);
    if (frames == 0) return;
    to.number(kUserContext);
    for (uint64_t i = 0; i < frames; ++i) to.number(between(random, 0x1000, uint64_t{1} << 47));
}

void put_branches(Encoder& to, Random& random, const Event& event) {
    const uint64_t branches = below(random, 4);
    to.number(branches);
    if ((event.branch_sample_type >> 17 & 1) != 0) to.number(kNone);  // hw_idx
    const bool has_counters = (event.branch_sample_type >> 19 & 1) != 0;
    for (uint64_t i = 0; i < branches * (has_counters ? 4 : 3); ++i) to.number(random());
}

void put_registers(Encoder& to, Random& random, uint64_t mask) {
    const bool has_registers = !one_in(random, 4);
    to.number(has_registers ? 2 : 0);  // the 64-bit ABI, or none: a thread of the kernel
    if (!has_registers) return;
    for (int i = std::popcount(mask); i > 0; --i) to.number(random());
}

// A size, and as many bytes as make the next field start at a multiple of 8.
void put_raw(Encoder& to, Random& random) {
    const uint64_t size = 4 + 8 * below(random, 4);
    to.number(size, 4).bytes(random_bytes(random, size));
}

void put_stack(Encoder& to, Random& random) {
    const uint64_t size = 8 * below(random, 5);
    to.number(size);
    if (size == 0) return;
    to.bytes(random_bytes(random, size));
    to.number(below(random, size + 1));
}

void put_aux(Encoder& to, Random& random) {
    const uint64_t size = 8 * below(random, 3);
    to.number(size).bytes(random_bytes(random, size));
}

// In the order of section 3.5.
constexpr unsigned kSampleOrder[] = {
    kIdentifierBit, kIpBit,           kTidBit,          kTimeBit,      kAddrBit,        kIdBit,          kStreamIdBit,
    kCpuBit,        kPeriodBit,       kReadBit,         kCallchainBit, kRawBit,         kBranchStackBit, kRegsUserBit,
    kStackUserBit,  kWeightBit,       kWeightStructBit, kDataSrcBit,   kTransactionBit, kRegsIntrBit,    kPhysAddrBit,
    kCgroupBit,     kDataPageSizeBit, kCodePageSizeBit, kAuxBit,
};

void put_field(Encoder& to, Random& random, const Event& event, const Moment& moment, unsigned bit) {
    switch (bit) {
        case kIdentifierBit:
        case kIdBit:
        case kStreamIdBit: to.number(moment.id); return;
        case kIpBit: to.number(between(random, 0x1000, uint64_t{1} << 47)); return;
        case kTidBit: to.number(moment.pid, 4).number(moment.tid, 4); return;
        case kTimeBit: to.number(moment.time); return;
        case kCpuBit: to.number(moment.cpu, 4).number(0, 4); return;
        case kReadBit: return put_read(to, random, event, moment.id);
        case kCallchainBit: return put_callchain(to, random);
        case kRawBit: return put_raw(to, random);
        case kBranchStackBit: return put_branches(to, random, event);
        case kRegsUserBit: return put_registers(to, random, event.regs_user);
        case kStackUserBit: return put_stack(to, random);
        case kRegsIntrBit: return put_registers(to, random, event.regs_intr);
        case kAuxBit: return put_aux(to, random);
        default: to.number(random() >> 16);
    }
}

}  // namespace

Encoder& Encoder::number(uint64_t value, unsigned width) {
    uint8_t stored[8];
    store(stored, width, order_, value);
    text_.append(reinterpret_cast<const char*>(stored), width);
    return *this;
}

Encoder& Encoder::bytes(std::string_view text) {
    text_.append(text);
    return *this;
}

Encoder& Encoder::align() {
    text_.resize((text_.size() + 7) / 8 * 8, '\0');
    return *this;
}

std::string sample_fields(Random& random, const Event& event, const Moment& moment, ByteOrder order,
                          std::vector<SampleField>* places) {
    Encoder to(order);
    for (const unsigned bit : kSampleOrder) {
        if (!event.has(bit)) continue;
        if (places != nullptr) places->push_back({bit, fixed_size(kPrefix) + to.text().size()});
        put_field(to, random, event, moment, bit);
    }
    return to.text();
}

std::string trailer(const Event& event, const Moment& moment, ByteOrder order) {
    Encoder to(order);
    if (!event.has_trailers) return {};
    if (event.has(kTidBit)) to.number(moment.pid, 4).number(moment.tid, 4);
    if (event.has(kTimeBit)) to.number(moment.time);
    for (const unsigned bit : {kIdBit, kStreamIdBit})
        if (event.has(bit)) to.number(moment.id);
    if (event.has(kCpuBit)) to.number(moment.cpu, 4).number(0, 4);
    if (event.has(kIdentifierBit)) to.number(moment.id);
    return to.text();
}

}  // namespace tracelint::perfdata
