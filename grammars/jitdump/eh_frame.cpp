// Finds .eh_frame_hdr and .eh_frame in unwinding data and checks them (sections 3.7 and 3.7.1).
#include "grammars/jitdump/eh_frame.hpp"

#include "grammars/jitdump/frame_table.hpp"

namespace tracelint::jitdump {
namespace {

constexpr uint64_t kEncodings = 4;  // bytes: the version and three encodings

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

// Whether version, encodings, pointer, count and table fit into the header.
bool header_fits(const UnwindingData& data) {
    const Bytes header = data.header();
    UnwindingReader reader(header, data.state);
    reader.skip(kEncodings);
    const uint8_t pointer = header[1], count = header[2], table = header[3];
    if (pointer != kOmitted && !reader.number(pointer)) return false;
    if (count == kOmitted) return true;
    const std::optional<EncodedNumber> entries = reader.number(count);
    if (!entries || entries->is_negative || entries->is_overlong) return false;
    if (table == kOmitted) return true;
    return entries->value <= kNone / 2 && reader.holds(entries->value * 2, table);
}

}  // namespace

constexpr Rule kUnwindingHdrFirst{
    .id = "jitdump/unwinding-hdr-first",
    .severity = Severity::note,
    .statement = "the .eh_frame comes first and the .eh_frame_hdr last",
    .message = "the .eh_frame_hdr stands before the .eh_frame",
    .why =
        "the specification puts the header first, but perf expects it last, as V8 and "
        "CPython write it, and builds a bogus FDE",
    .spec = "3.7 JIT_CODE_UNWINDING_INFO (4)",
    .since = "0.1.0",
};

constexpr Rule kEhFrameHdrVersion{
    .id = "jitdump/eh-frame-hdr-version",
    .severity = Severity::warning,
    .statement = "the .eh_frame_hdr begins with its version, 1",
    .message =
        "no .eh_frame_hdr: {0 byte|bytes} before the end of the data, where perf expects "
        "it, is {1x} instead of version 1",
    .why = "the unwinder finds no table, and stacks end at this function",
    .spec = "3.7.1 EH Frame Header",
    .since = "0.1.0",
};

constexpr Rule kEhFrameHdrEncoding{
    .id = "jitdump/eh-frame-hdr-encoding",
    .severity = Severity::warning,
    .statement = "the .eh_frame_hdr uses known encodings",
    .message = "byte {0} of the .eh_frame_hdr is {1x}, which is not a known pointer encoding",
    .why = "the unwinder cannot read the table, and stacks end at this function",
    .spec = "3.7.1 EH Frame Header",
    .since = "0.1.0",
};

constexpr Rule kEhFrameHdrOverrun{
    .id = "jitdump/eh-frame-hdr-overrun",
    .severity = Severity::warning,
    .statement = "the fields and the table of the .eh_frame_hdr fit into it",
    .message = "the .eh_frame_hdr has {0 byte|bytes}, too few for its fields and table",
    .why = "the unwinder reads unrelated bytes as table entries",
    .spec = "3.7.1 EH Frame Header",
    .since = "0.1.0",
};

namespace {

// Checks the header and the frame, whose places are known.
UnwindingRange check_parts(const UnwindingData& data) {
    const bool fits = header_fits(data);
    if (!fits) data.state.report.add<kEhFrameHdrOverrun>(data.header_place(0, data.header_size), {data.header_size});
    FrameIndex index(data.state.context.budget);
    FrameFacts facts = check_entries(data, index);
    if (!facts.is_readable || facts.fdes == 0 || !data.is_laid_out_for_perf()) return {};
    if (fits) check_table(data, index, facts);
    return facts.range;
}

}  // namespace

UnwindingRange check_eh_frame(State& state, const View<kUnwindingInfo>& info, Bytes data, uint64_t header_size) {
    const uint64_t last_at = data.size() - header_size;  // where perf expects the header
    const UnwindingData header_last{state, info, data, last_at, header_size, 0, last_at};
    const UnwindingData header_first{state, info, data, 0, header_size, header_size, last_at};
    if (header_size < kEncodings) {
        state.report.add<kEhFrameHdrOverrun>(header_last.header_place(0, header_size), {header_size});
        return {};
    }
    const Candidate last = candidate_at(header_last.header());
    const Candidate first = candidate_at(header_first.header());
    if (last.valid()) return check_parts(header_last);
    if (first.valid()) {
        state.report.add<kUnwindingHdrFirst>(header_first.header_place(0, 4));
        return check_parts(header_first);
    }
    if (!last.has_version && !first.has_version) {
        state.report.add<kEhFrameHdrVersion>(header_last.header_place(0, 1), {header_size, data[last_at]});
        return {};
    }
    const Candidate& meant = last.has_version ? last : first;
    const UnwindingData& layout = last.has_version ? header_last : header_first;
    state.report.add<kEhFrameHdrEncoding>(layout.header_place(meant.unknown_encoding, 1),
                                          {meant.unknown_encoding, layout.header()[meant.unknown_encoding]});
    return {};
}

namespace {}  // namespace
constinit const RuleList kEhFrameRules =
    rules<&kUnwindingHdrFirst, &kEhFrameHdrVersion, &kEhFrameHdrEncoding, &kEhFrameHdrOverrun>;

}  // namespace tracelint::jitdump
