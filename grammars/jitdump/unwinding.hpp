// jitdump, section 5.5: UNWINDING_INFO, and what a LOAD does with the one that waits for it.
#pragma once

#include "grammars/jitdump/eh_frame.hpp"
#include "grammars/jitdump/state.hpp"

namespace tracelint::jitdump {

inline constexpr Rule kUnwindExtentOverlap{
    .id = "jitdump/unwind-extent-overlap",
    .severity = Severity::note,
    .statement = "the function's unwinding data is mapped behind its code, where no other code lives",
    .message = "code and mapped unwinding data at {0x}, {1 byte|bytes} in all, reach into the code of another function",
    .why =
        "perf maps code and unwinding data as one range, so that samples of the other function may be given to this "
        "one",
    .spec = "3.7 JIT_CODE_UNWINDING_INFO (4); 5.3 JIT_CODE_LOAD and JIT_CODE_MOVE",
    .since = "0.1.0"};

inline constexpr Rule kUnwindingSizeExceedsRecord{
    .id = "jitdump/unwinding-size-exceeds-record",
    .severity = Severity::error,
    .statement = "the unwinding data fits into the record",
    .message = "unwind_data_size is {0}, and the record has {1 byte|bytes} of data",
    .why = "perf copies its own heap into the function's image; samply's reader stops with an error",
    .spec = "3.7 JIT_CODE_UNWINDING_INFO (4)",
    .since = "0.1.0"};

inline constexpr Rule kUnwindingHdrExceedsData{.id = "jitdump/unwinding-hdr-exceeds-data",
                                               .severity = Severity::error,
                                               .statement = "the .eh_frame_hdr is a part of the unwinding data",
                                               .message = "eh_frame_hdr_size is {0}, and unwind_data_size is {1}",
                                               .why = "perf fails to write the image and drops the function",
                                               .spec = "3.7 JIT_CODE_UNWINDING_INFO (4)",
                                               .since = "0.1.0"};

inline constexpr Rule kUnwindingHdrMissing{.id = "jitdump/unwinding-hdr-missing",
                                           .severity = Severity::warning,
                                           .statement = "unwinding data has an .eh_frame_hdr",
                                           .message = "eh_frame_hdr_size is 0 with {0 byte|bytes} of unwinding data",
                                           .why = "perf keeps the data and attaches it to every function that follows",
                                           .spec = "3.7 JIT_CODE_UNWINDING_INFO (4)",
                                           .since = "0.1.0"};

inline constexpr Rule kUnwindingMappedSize{
    .id = "jitdump/unwinding-mapped-size",
    .severity = Severity::warning,
    .statement = "mapped_size is 0 or unwind_data_size (or that rounded up to 16)",
    .message = "mapped_size is {0} with {1 byte|bytes} of unwinding data",
    .why = "perf adds it to the length of the function's mapping",
    .spec = "3.7 JIT_CODE_UNWINDING_INFO (4)",
    .since = "0.1.0"};

inline constexpr Rule kUnwindingTrailingBytes{
    .id = "jitdump/unwinding-trailing-bytes",
    .severity = Severity::warning,
    .statement = "at most 7 zero bytes follow the unwinding data",
    .message = "{0 byte follows|bytes follow} the unwinding data, which is no padding",
    .why = "readers ignore them; unwind_data_size may be too small",
    .spec = "3.7 JIT_CODE_UNWINDING_INFO (4)",
    .since = "0.1.0"};

inline constexpr Rule kUnwindingSuperseded{.id = "jitdump/unwinding-superseded",
                                           .severity = Severity::warning,
                                           .statement = "a function has one UNWINDING_INFO before its LOAD",
                                           .message = "another UNWINDING_INFO follows before the next LOAD",
                                           .why = "perf keeps the last one only: this one is lost",
                                           .spec = "4.5 UNWINDING_INFO and its LOAD",
                                           .since = "0.1.0",
                                           .decided_later = true};

inline constexpr Rule kUnwindingOrphan{
    .id = "jitdump/unwinding-orphan",
    .severity = Severity::warning,
    .statement = "the function's LOAD follows its UNWINDING_INFO",
    .message = "no LOAD follows this UNWINDING_INFO before CLOSE or the end of the file",
    .why = "the unwinding data belongs to no function",
    .spec = "4.5 UNWINDING_INFO and its LOAD",
    .since = "0.1.0",
    .about_end = true,
    .decided_later = true};

// The UNWINDING_INFO that waits for a LOAD; there is at most one.
class PendingUnwinding {
  public:
    // A further record, whose mapped_size is `mapped` or 0 if it cannot be believed.
    void replace(State& state, const View<kUnwindingInfo>& record, uint64_t mapped);
    // Rule 43, when the LOAD arrives and its own range is entered.
    void check_extent(State& state, const View<kLoad>& load, uint32_t pid, uint64_t address, uint64_t size) const;
    // The LOAD has taken it, or nobody may.
    void drop() { waits_ = false; }
    // No LOAD can come any more (rule 81).
    void end(State& state);

  private:
    Place place_;
    uint64_t mapped_ = 0;
    bool waits_ = false;
};

// `record` is the whole record, or its first bytes where it is above the record limit.
void check_unwinding(State& state, Bytes record, uint64_t offset, uint64_t index, uint64_t total_size,
                     PendingUnwinding& pending);

// In the order of the digest's table.
inline constexpr const Rule* kUnwindingRules[] = {&kUnwindingSizeExceedsRecord,
                                                  &kUnwindingHdrExceedsData,
                                                  &kUnwindingHdrMissing,
                                                  &kUnwindingMappedSize,
                                                  &kUnwindingTrailingBytes,
                                                  &kUnwindingHdrFirst,
                                                  &kEhFrameHdrVersion,
                                                  &kEhFrameHdrEncoding,
                                                  &kEhFrameHdrOverrun,
                                                  &kEhFrameLength,
                                                  &kEhFrameCiePointer,
                                                  &kUnwindingSuperseded,
                                                  &kUnwindingOrphan};

}  // namespace tracelint::jitdump
