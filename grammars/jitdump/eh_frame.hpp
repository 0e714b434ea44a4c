// jitdump, sections 3.7 and 5.5: the light checks of .eh_frame_hdr and .eh_frame. Framing only:
// instructions and augmentations are not decoded.
#pragma once

#include "grammars/jitdump/state.hpp"

namespace tracelint::jitdump {

inline constexpr Rule kUnwindingHdrFirst{
    .id = "jitdump/unwinding-hdr-first",
    .severity = Severity::note,
    .statement = "the .eh_frame comes first and the .eh_frame_hdr last",
    .message = "the .eh_frame_hdr stands before the .eh_frame",
    .why =
        "the specification puts the header first, but perf expects it last, as V8 and CPython write it, "
        "and builds a bogus FDE",
    .spec = "3.7 JIT_CODE_UNWINDING_INFO (4)",
    .since = "0.1.0",
};

inline constexpr Rule kEhFrameHdrVersion{
    .id = "jitdump/eh-frame-hdr-version",
    .severity = Severity::warning,
    .statement = "the .eh_frame_hdr begins with its version, 1",
    .message =
        "there is no .eh_frame_hdr: where perf expects it, {0 byte|bytes} before the end of the data, "
        "stands {1x} instead of version 1",
    .why = "the unwinder finds no table, and stacks end at this function",
    .spec = "3.7.1 EH Frame Header",
    .since = "0.1.0",
};

inline constexpr Rule kEhFrameHdrEncoding{
    .id = "jitdump/eh-frame-hdr-encoding",
    .severity = Severity::warning,
    .statement = "the encodings of the .eh_frame_hdr are known ones",
    .message = "byte {0} of the .eh_frame_hdr is {1x}, which is no known pointer encoding",
    .why = "the unwinder cannot read the table, and stacks end at this function",
    .spec = "3.7.1 EH Frame Header",
    .since = "0.1.0"};

inline constexpr Rule kEhFrameHdrOverrun{
    .id = "jitdump/eh-frame-hdr-overrun",
    .severity = Severity::warning,
    .statement = "the fields and the table of the .eh_frame_hdr fit into it",
    .message = "the .eh_frame_hdr has {0 byte|bytes}, too few for its fields and the table that it announces",
    .why = "the unwinder reads foreign bytes as table entries",
    .spec = "3.7.1 EH Frame Header",
    .since = "0.1.0"};

inline constexpr Rule kEhFrameLength{
    .id = "jitdump/eh-frame-length",
    .severity = Severity::warning,
    .statement = "the entries of the .eh_frame fill it exactly",
    .message = "no whole entry stands at byte {0} of the .eh_frame, where {1 byte is|bytes are} left",
    .why = "the unwinder runs into foreign bytes",
    .spec = "3.7.2 EH Frame",
    .since = "0.1.0"};

inline constexpr Rule kEhFrameCiePointer{
    .id = "jitdump/eh-frame-cie-pointer",
    .severity = Severity::warning,
    .statement = "an FDE names an earlier CIE of its .eh_frame",
    .message = "the FDE at byte {0} of the .eh_frame says that its CIE is {1 byte|bytes} back, where none is",
    .why = "the unwinder cannot interpret the entry, and stacks end at this function",
    .spec = "3.7.2 EH Frame",
    .since = "0.1.0"};

// Rules 74 to 79. `data` is all unwinding data, its .eh_frame_hdr has `header_size` > 0 bytes.
void check_eh_frame(State& state, const View<kUnwindingInfo>& info, Bytes data, uint64_t header_size);

}  // namespace tracelint::jitdump
