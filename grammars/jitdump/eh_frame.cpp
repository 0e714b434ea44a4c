// The framing of .eh_frame_hdr and .eh_frame (sections 3.7.1 and 3.7.2).
#include "grammars/jitdump/eh_frame.hpp"

#include <optional>
#include <vector>

#include "validator/leb128.hpp"
#include "validator/text_scan.hpp"

namespace tracelint::jitdump {
namespace {

constexpr uint64_t kDataAt = View<kUnwindingInfo>::offset_of<"data">();
constexpr uint8_t kOmit = 0xff;
constexpr uint64_t kEncodings = 4;  // bytes: the version and three encodings

bool is_known_encoding(uint8_t encoding) {
    constexpr uint16_t formats =
        0b0001'1110'0001'1111;  // absptr uleb128 udata2 udata4 udata8, sleb128 sdata2 sdata4 sdata8
    return encoding == kOmit || ((formats >> (encoding & 0x0f) & 1) != 0 && (encoding & 0x70) <= 0x50);
}

// Bytes that may be the start of the header.
struct Candidate {
    bool has_version = false;       // 1
    uint64_t unknown_encoding = 0;  // offset of the first one; 0: all are known
    bool valid() const { return has_version && unknown_encoding == 0; }
};

Candidate candidate_at(Bytes header) {
    Candidate candidate;
    candidate.has_version = header[0] == 1;
    for (uint64_t i = kEncodings - 1; i > 0; --i)
        if (!is_known_encoding(header[i])) candidate.unknown_encoding = i;
    return candidate;
}

// Reads encoded values one after the other.
class EncodedValues {
  public:
    EncodedValues(Bytes bytes, const State& state)
        : left_(bytes), order_(state.order), pointer_width_(state.pointer_width) {}

    // The next value as a count; kNone if it is negative or overlong. Empty if it does not fit into the bytes left.
    std::optional<uint64_t> take(uint8_t encoding) {
        const unsigned width = width_of(encoding);
        if (width == 0) return take_leb128((encoding & 0x08) != 0);
        if (left_.size() < width) return std::nullopt;
        const uint64_t value = load(left_.data(), width, order_);
        left_ = left_.subspan(width);
        const bool negative = (encoding & 0x08) != 0 && sign_extended(value, width) < 0;
        return negative ? kNone : value;
    }

    // Whether `count` values fit into the bytes left.
    bool holds(uint64_t count, uint8_t encoding) {
        const unsigned width = width_of(encoding);
        if (width != 0) return left_.size() / width >= count;
        for (uint64_t i = 0; i < count; ++i)
            if (!take(encoding)) return false;
        return true;
    }

  private:
    // In bytes; 0 for LEB128.
    unsigned width_of(uint8_t encoding) const {
        constexpr uint8_t widths[] = {0, 0, 2, 4, 8, 0, 0, 0, 0, 0, 2, 4, 8};
        return (encoding & 0x0f) == 0 ? pointer_width_ : widths[encoding & 0x0f];
    }

    std::optional<uint64_t> take_leb128(bool is_signed) {
        uint64_t end = 0;
        while (end < left_.size() && (left_[end] & 0x80) != 0) ++end;
        if (end == left_.size()) return std::nullopt;
        const Bytes leb = left_.first(end + 1);
        left_ = left_.subspan(end + 1);
        const LebNumber read = read_leb(leb, is_signed);  // a negative one is above 2^63
        return read.fault != LebNumber::Fault::none ? kNone : read.value;
    }

    Bytes left_;
    ByteOrder order_;
    unsigned pointer_width_;
};

// Whether version, encodings, pointer, count and table fit into the header.
bool header_fits(const State& state, Bytes header) {
    EncodedValues values(header.subspan(kEncodings), state);
    const uint8_t pointer = header[1], count = header[2], table = header[3];
    if (pointer != kOmit && !values.take(pointer)) return false;
    if (count == kOmit) return true;
    const std::optional<uint64_t> entries = values.take(count);
    if (!entries) return false;
    if (table == kOmit) return true;
    return *entries <= kNone / 2 && values.holds(*entries * 2, table);
}

constexpr Rule kEhFrameLength{
    .id = "jitdump/eh-frame-length",
    .severity = Severity::warning,
    .statement = "the entries of the .eh_frame fill it exactly",
    .message = "no complete entry at byte {0} of the .eh_frame, where {1 byte is|bytes are} left",
    .why = "the unwinder runs into unrelated bytes",
    .spec = "3.7.2 EH Frame",
    .since = "0.1.0"};

constexpr Rule kEhFrameCiePointer{
    .id = "jitdump/eh-frame-cie-pointer",
    .severity = Severity::warning,
    .statement = "an FDE refers to an earlier CIE of its .eh_frame",
    .message = "the FDE at byte {0} of the .eh_frame places its CIE {1 byte|bytes} back, but none begins there",
    .why = "the unwinder cannot interpret the entry, and stacks end at this function",
    .spec = "3.7.2 EH Frame",
    .since = "0.1.0"};

// Walks over the entries of the .eh_frame that starts at byte `at` of the record.
class FrameWalk {
  public:
    FrameWalk(State& state, const View<kUnwindingInfo>& info, Bytes frame, uint64_t at)
        : state_(state), info_(info), frame_(frame), at_(at) {}

    void run() {
        while (next()) {
        }
        state_.context.budget.give_back(starts_cie_.size() / 8);
    }

  private:
    // Checks one entry. Whether another one may follow.
    bool next() {
        const uint64_t left = frame_.size() - cursor_;
        if (left < 4) {
            if (!all_zero(frame_.subspan(cursor_))) bad_length(left, "they are neither a length nor padding");
            return false;
        }
        uint64_t length = load(&frame_[cursor_], 4, state_.order);
        if (length == 0) return false;  // the terminator
        uint64_t id_at = cursor_ + 4;
        if (length == 0xffffffff) {
            if (left - 4 < 8) return bad_length(4, "ffffffff announces a 64-bit length, which is missing");
            length = load(&frame_[id_at], 8, state_.order);
            id_at += 8;
        }
        if (length < 4) return bad_length(4, "the length includes the 4-byte id, so it is at least 4");
        if (length > frame_.size() - id_at)
            return bad_length(4, "the entry would extend past the end of the .eh_frame");
        check_entry(id_at);
        cursor_ = id_at + length;
        return true;
    }

    void check_entry(uint64_t id_at) {
        state_.context.work.add(1);
        const uint64_t id = load(&frame_[id_at], 4, state_.order);
        if (id == 0) return add_cie();
        if (!cies_known_) return;
        if (id_at - id < starts_cie_.size() && starts_cie_[id_at - id])
            return;  // wraps around if it points before the .eh_frame
        state_.report.add<kEhFrameCiePointer>(place(id_at, 4), {cursor_, id});
    }

    // Without memory for the set of CIEs, the FDEs are not checked.
    void add_cie() {
        if (starts_cie_.empty() && cies_known_) {
            const uint64_t bytes = frame_.size() / 8;  // no entry begins in the last 7
            cies_known_ = state_.context.budget.take(bytes);
            if (!cies_known_) return state_.leave_unchecked(info_.whole(fixed_size(kPrefix)));
            starts_cie_.resize(bytes * 8);
        }
        if (cies_known_) starts_cie_[cursor_] = true;
    }

    // The length of the entry at the cursor, or what is left instead, is `bytes` long.
    bool bad_length(uint64_t bytes, std::string_view cause) {
        state_.report.add({.rule = &kEhFrameLength,
                           .place = place(cursor_, bytes),
                           .numbers = {cursor_, frame_.size() - cursor_},
                           .hint = cause});
        return false;
    }

    Place place(uint64_t at, uint64_t length) const { return info_.place<"data">(at_ + at, length); }

    State& state_;
    const View<kUnwindingInfo>& info_;
    Bytes frame_;
    uint64_t at_;
    uint64_t cursor_ = 0;
    std::vector<bool> starts_cie_;  // by byte of the .eh_frame; searching a list of CIEs would not be linear
    bool cies_known_ = true;
};

}  // namespace

constexpr Rule kUnwindingHdrFirst{.id = "jitdump/unwinding-hdr-first",
                                  .severity = Severity::note,
                                  .statement = "the .eh_frame comes first and the .eh_frame_hdr last",
                                  .message = "the .eh_frame_hdr stands before the .eh_frame",
                                  .why =
                                      "the specification puts the header first, but perf expects it last, as V8 and "
                                      "CPython write it, and builds a bogus FDE",
                                  .spec = "3.7 JIT_CODE_UNWINDING_INFO (4)",
                                  .since = "0.1.0"};

constexpr Rule kEhFrameHdrVersion{.id = "jitdump/eh-frame-hdr-version",
                                  .severity = Severity::warning,
                                  .statement = "the .eh_frame_hdr begins with its version, 1",
                                  .message =
                                      "no .eh_frame_hdr: {0 byte|bytes} before the end of the data, where perf expects "
                                      "it, is {1x} instead of version 1",
                                  .why = "the unwinder finds no table, and stacks end at this function",
                                  .spec = "3.7.1 EH Frame Header",
                                  .since = "0.1.0"};

constexpr Rule kEhFrameHdrEncoding{
    .id = "jitdump/eh-frame-hdr-encoding",
    .severity = Severity::warning,
    .statement = "the .eh_frame_hdr uses known encodings",
    .message = "byte {0} of the .eh_frame_hdr is {1x}, which is not a known pointer encoding",
    .why = "the unwinder cannot read the table, and stacks end at this function",
    .spec = "3.7.1 EH Frame Header",
    .since = "0.1.0"};

constexpr Rule kEhFrameHdrOverrun{.id = "jitdump/eh-frame-hdr-overrun",
                                  .severity = Severity::warning,
                                  .statement = "the fields and the table of the .eh_frame_hdr fit into it",
                                  .message = "the .eh_frame_hdr has {0 byte|bytes}, too few for its fields and table",
                                  .why = "the unwinder reads unrelated bytes as table entries",
                                  .spec = "3.7.1 EH Frame Header",
                                  .since = "0.1.0"};

void check_eh_frame(State& state, const View<kUnwindingInfo>& info, Bytes data, uint64_t header_size) {
    const uint64_t last_at = data.size() - header_size;  // where perf expects the header
    const auto header_place = [&](uint64_t at, uint64_t length) { return info.place<"data">(kDataAt + at, length); };
    if (header_size < kEncodings)
        return state.report.add<kEhFrameHdrOverrun>(header_place(last_at, header_size), {header_size});

    const Candidate last = candidate_at(data.subspan(last_at));
    const Candidate first = candidate_at(data);
    if (!last.valid() && !first.valid()) {
        if (!last.has_version && !first.has_version)
            return state.report.add<kEhFrameHdrVersion>(header_place(last_at, 1), {header_size, data[last_at]});
        const Candidate& meant = last.has_version ? last : first;
        const uint64_t at = (last.has_version ? last_at : 0) + meant.unknown_encoding;
        return state.report.add<kEhFrameHdrEncoding>(header_place(at, 1), {meant.unknown_encoding, data[at]});
    }
    const bool header_first = !last.valid();
    if (header_first) state.report.add<kUnwindingHdrFirst>(header_place(0, 4));
    const uint64_t header_at = header_first ? 0 : last_at, frame_at = header_first ? header_size : 0;
    if (!header_fits(state, data.subspan(header_at, header_size)))
        state.report.add<kEhFrameHdrOverrun>(header_place(header_at, header_size), {header_size});
    FrameWalk(state, info, data.subspan(frame_at, last_at), kDataAt + frame_at).run();
}

namespace {
constexpr const Rule* kRules[] = {&kUnwindingHdrFirst, &kEhFrameHdrVersion, &kEhFrameHdrEncoding,
                                  &kEhFrameHdrOverrun, &kEhFrameLength,     &kEhFrameCiePointer};
}  // namespace
constinit const RuleList kEhFrameRules{kRules};

}  // namespace tracelint::jitdump
