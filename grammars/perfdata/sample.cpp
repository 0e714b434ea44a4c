// perf.data, section 3.5: the fields of a SAMPLE.
#include "grammars/perfdata/sample.hpp"

#include <bit>

namespace tracelint::perfdata {
namespace {

constexpr Rule kSampleOverrun{
    .id = "perfdata/sample-overrun",
    .severity = Severity::error,
    .statement = "the fields of a SAMPLE lie in the record",
    .message = "this field takes {0 byte|bytes} or more, but the SAMPLE has {1} left",
    .why = "perf cannot parse the sample (err = -14) and shows nothing of the file",
    .spec = "3.5 SAMPLE",
    .since = "0.2.0",
};

constexpr Rule kSampleTrailingBytes{
    .id = "perfdata/sample-trailing-bytes",
    .severity = Severity::warning,
    .statement = "a SAMPLE ends after its last field",
    .message = "{0 byte|bytes} follow the last field of the SAMPLE",
    .why = "readers ignore them, or their layout of the sample is wrong",
    .spec = "3.5 SAMPLE",
    .since = "0.2.0",
};

// Bits of read_format.
constexpr unsigned kEnabled = 0, kRunning = 1, kReadId = 2, kGroup = 3, kReadLost = 4;
// Bits of branch_sample_type.
constexpr unsigned kHasIndex = 17, kHasCounters = 19;

// Steps over the fields one after the other. Each step reports what does not fit and is false then.
class Fields {
  public:
    Fields(State& state, const RecordInFile& record, const Attr& attr)
        : state_(state), record_(record), attr_(attr), at_(fixed_size(kPrefix) + 8 * uint64_t{attr.fixed_words}) {}

    uint64_t at() const { return at_; }
    uint64_t left() const { return record_.size() - at_; }

    // A field of `bytes`.
    bool word(uint64_t bytes = 8) {
        if (bytes > left()) return cut(bytes);
        at_ += bytes;
        return true;
    }

    bool read() {
        const uint64_t times = 8 * (uint64_t{attr_.reads(kEnabled)} + uint64_t{attr_.reads(kRunning)});
        const uint64_t extra = 8 * (uint64_t{attr_.reads(kReadId)} + uint64_t{attr_.reads(kReadLost)});
        if (!attr_.reads(kGroup)) return word(8 + times + extra);
        return array(8 + times, 8 + extra, 8);
    }

    bool branch_stack() {
        const uint64_t index = (attr_.branch_sample_type >> kHasIndex & 1) != 0 ? 8 : 0;
        const uint64_t item = (attr_.branch_sample_type >> kHasCounters & 1) != 0 ? 32 : 24;
        if (left() >= 8 && left() < 8 + index) return exceeds(8, 8 + index);
        return array(8 + index, item, 8);
    }

    // A count in the first 8 bytes of `front`, then items of so many bytes.
    bool array(uint64_t front, uint64_t item, unsigned width) {
        if (front > left()) return cut(front);
        const uint64_t count = record_.number(at_, width);
        if (count > (left() - front) / item) return exceeds(width, count > kNone / 64 ? kNone : front + count * item);
        at_ += front + count * item;
        return true;
    }

    bool registers(uint8_t count) {
        if (left() < 8) return cut(8);
        return word(record_.number(at_, 8) == 0 ? 8 : 8 + 8 * uint64_t{count});
    }

    bool stack() {
        if (left() < 8) return cut(8);
        const uint64_t size = record_.number(at_, 8);
        if (size == 0) return word();
        if (left() < 16 || size > left() - 16) return exceeds(8, saturating_add(size, 16));
        at_ += 8 + size;
        if (record_.number(at_, 8) > size) return exceeds(8, saturating_add(record_.number(at_, 8), 8));
        return word();
    }

    void judge_end() {
        if (left() == 0 || attr_.sample_type >> kSampleBits != 0) return;
        state_.report.add<kSampleTrailingBytes>(record_.place(at_, left(), "fields"), {left()});
    }

  private:
    // The field at the cursor does not fit.
    [[gnu::cold]] bool cut(uint64_t needed) {
        state_.report.add<kSampleOverrun>(record_.place(at_, left(), "fields"), {needed, left()});
        return false;
    }
    // What the count at the cursor says does not fit.
    [[gnu::cold]] bool exceeds(unsigned width, uint64_t needed) {
        state_.report.add<kSampleOverrun>(record_.place(at_, width, "fields"), {needed, left()});
        return false;
    }

    State& state_;
    const RecordInFile& record_;
    const Attr& attr_;
    uint64_t at_;
};

bool check_field(Fields& fields, const Attr& attr, unsigned bit) {
    switch (bit) {
        case kReadBit: return fields.read();
        case kCallchainBit: return fields.array(8, 8, 8);
        case kRawBit: return fields.array(4, 1, 4);
        case kBranchStackBit: return fields.branch_stack();
        case kRegsUserBit: return fields.registers(attr.user_registers);
        case kStackUserBit: return fields.stack();
        case kRegsIntrBit: return fields.registers(attr.interrupt_registers);
        case kAuxBit: return fields.array(8, 1, 8);
        default: return fields.word();
    }
}

// The order of the fields after the first words.
constexpr unsigned kOrder[] = {kReadBit,      kCallchainBit, kRawBit,          kBranchStackBit,  kRegsUserBit,
                               kStackUserBit, kWeightBit,    kDataSrcBit,      kTransactionBit,  kRegsIntrBit,
                               kPhysAddrBit,  kCgroupBit,    kDataPageSizeBit, kCodePageSizeBit, kAuxBit};

}  // namespace

bool check_sample_fields(State& state, const RecordInFile& record, const Attr& attr) {
    Fields fields(state, record, attr);
    for (const unsigned bit : kOrder) {
        // Both bits of the weight stand for one field.
        const bool is_there = bit == kWeightBit ? attr.has(kWeightBit) || attr.has(kWeightStructBit) : attr.has(bit);
        if (is_there && !check_field(fields, attr, bit)) return false;
    }
    fields.judge_end();
    return true;
}

namespace {}
constinit const RuleList kSampleRules = rules<&kSampleOverrun, &kSampleTrailingBytes>;

}  // namespace tracelint::perfdata
