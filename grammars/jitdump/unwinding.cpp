// UNWINDING_INFO and the LOAD that it waits for (sections 3.7, 4.5 and 5.5).
#include "grammars/jitdump/unwinding.hpp"

#include "grammars/jitdump/eh_frame.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint::jitdump {
namespace {

constexpr uint64_t kDataAt = View<kUnwindingInfo>::offset_of<"data">();

constexpr uint64_t rounded_up(uint64_t value, uint64_t to) { return saturating_add(value, to - 1) / to * to; }

constexpr Rule kUnwindingSizeExceedsRecord{
    .id = "jitdump/unwinding-size-exceeds-record",
    .severity = Severity::error,
    .statement = "the unwinding data fits into the record",
    .message = "unwind_data_size is {0}, but the record has only {1 byte|bytes} of data",
    .why = "perf copies its own heap into the function's image; samply's reader stops with an error",
    .spec = "3.7 JIT_CODE_UNWINDING_INFO (4)",
    .since = "0.1.0",
};

constexpr Rule kUnwindingHdrExceedsData{
    .id = "jitdump/unwinding-hdr-exceeds-data",
    .severity = Severity::error,
    .statement = "the .eh_frame_hdr is part of the unwinding data",
    .message = "eh_frame_hdr_size is {0}, but unwind_data_size is only {1}",
    .why = "perf fails to write the image and drops the function",
    .spec = "3.7 JIT_CODE_UNWINDING_INFO (4)",
    .since = "0.1.0",
};

constexpr Rule kUnwindingHdrMissing{
    .id = "jitdump/unwinding-hdr-missing",
    .severity = Severity::warning,
    .statement = "unwinding data has an .eh_frame_hdr",
    .message = "eh_frame_hdr_size is 0, but there are {0 byte|bytes} of unwinding data",
    .why = "perf keeps the data and attaches it to every function that follows",
    .spec = "3.7 JIT_CODE_UNWINDING_INFO (4)",
    .since = "0.1.0",
};

constexpr Rule kUnwindingTrailingBytes{
    .id = "jitdump/unwinding-trailing-bytes",
    .severity = Severity::warning,
    .statement = "at most 7 zero bytes follow the unwinding data",
    .message = "{0 byte follows|bytes follow} the unwinding data; expected at most 7 zero bytes of padding",
    .why = "readers ignore them, but unwind_data_size may be too small",
    .spec = "3.7 JIT_CODE_UNWINDING_INFO (4)",
    .since = "0.1.0",
};

constexpr Rule kUnwindingMappedSize{
    .id = "jitdump/unwinding-mapped-size",
    .severity = Severity::warning,
    .statement = "mapped_size is 0, or unwind_data_size, or that rounded up to 16",
    .message = "mapped_size is {0} for {1 byte|bytes} of unwinding data",
    .why = "perf adds it to the length of the function's mapping",
    .spec = "3.7 JIT_CODE_UNWINDING_INFO (4)",
    .since = "0.1.0",
};

// Sets `range` to that of the FDEs. Returns mapped_size if it is plausible, else 0.
uint64_t check_body(State& state, const View<kUnwindingInfo>& info, Bytes record, uint64_t total_size,
                    UnwindingRange& range) {
    const uint64_t size = info.get<"unwind_data_size">(), header = info.get<"eh_frame_hdr_size">(),
                   mapped = info.get<"mapped_size">();
    const uint64_t room = total_size - kDataAt;
    if (size > room) {
        state.report.add<kUnwindingSizeExceedsRecord>(info.place<"unwind_data_size">(), {size, room});
        return 0;
    }
    if (header > size) {
        state.report.add<kUnwindingHdrExceedsData>(info.place<"eh_frame_hdr_size">(), {header, size});
        return 0;
    }
    if (header == 0 && size > 0) state.report.add<kUnwindingHdrMissing>(info.place<"eh_frame_hdr_size">(), {size});

    const uint64_t trailing = room - size;
    const bool in_view = record.size() == total_size;
    if (trailing > kMostPadding || (in_view && !all_zero(record.subspan(kDataAt + size)))) {
        state.report.add<kUnwindingTrailingBytes>(info.part(kDataAt + size, trailing), {trailing});
        return 0;
    }
    if (!in_view) {
        state.leave_unchecked(info.whole(fixed_size(kPrefix)), total_size);
        if (trailing != 0) return 0;  // whether it is padding is not known
    }
    if (header > 0 && in_view) range = check_eh_frame(state, info, record.subspan(kDataAt, size), header);
    if (mapped != 0 && mapped != size && mapped != rounded_up(size, 16)) {
        state.report.add<kUnwindingMappedSize>(info.place<"mapped_size">(), {mapped, size});
        return 0;
    }
    return mapped;
}

}  // namespace

constexpr Rule kUnwindingSuperseded{
    .id = "jitdump/unwinding-superseded",
    .severity = Severity::warning,
    .statement = "a function has one UNWINDING_INFO before its LOAD",
    .message = "another UNWINDING_INFO follows before the next LOAD",
    .why = "perf keeps the last one only and loses this one",
    .spec = "4.5 UNWINDING_INFO and its LOAD",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

void PendingUnwinding::replace(State& state, const View<kUnwindingInfo>& record, uint64_t mapped,
                               const UnwindingRange& range) {
    if (waits_) state.report.add<kUnwindingSuperseded>(place_);
    waits_ = true;
    place_ = record.place<"id">();
    mapped_ = mapped;
    range_ = range;
}

void PendingUnwinding::check_range(State& state, uint64_t address, uint64_t size) const {
    if (waits_ && state.tracking) range_.check(state, address, size);
}

constexpr Rule kUnwindExtentOverlap{
    .id = "jitdump/unwind-extent-overlap",
    .severity = Severity::note,
    .statement = "no other live code lies where the unwinding data of the function is mapped, right after its code",
    .message = "code and mapped unwinding data at {0x} ({1 byte|bytes} in all) overlap the code of another function",
    .why = "perf maps code and unwinding data as one range and may attribute samples of the other function to this one",
    .spec = "3.7 JIT_CODE_UNWINDING_INFO (4); 5.3 JIT_CODE_LOAD and JIT_CODE_MOVE",
    .since = "0.1.0",
};

void PendingUnwinding::check_extent(State& state, const View<kLoad>& load, uint32_t pid, uint64_t address,
                                    uint64_t size) const {
    if (!waits_ || mapped_ == 0) return;
    const uint64_t extent = saturating_add(rounded_up(size, 8), mapped_);
    const uint64_t last = saturating_add(address, extent - 1);  // ranges end at 2^64 - 1
    // Its own range overlaps no other.
    const uint64_t end = address + size;
    if (size > 0 && (end == 0 || end > last)) return;
    if (state.code.overlaps(pid, end, last))
        state.report.add<kUnwindExtentOverlap>(load.place<"code_addr">(), {address, extent});
}

constexpr Rule kUnwindingOrphan{
    .id = "jitdump/unwinding-orphan",
    .severity = Severity::warning,
    .statement = "the LOAD of the function follows its UNWINDING_INFO",
    .message = "no LOAD follows this UNWINDING_INFO before CLOSE or the end of the file",
    .why = "the unwinding data belongs to no function",
    .spec = "4.5 UNWINDING_INFO and its LOAD",
    .since = "0.1.0",
    .about_end = true,
    .depends_on = {.later_records = true},
};

void PendingUnwinding::end(State& state) {
    if (waits_) state.report.add<kUnwindingOrphan>(place_);
    waits_ = false;
}

void check_unwinding(State& state, Bytes record, uint64_t offset, uint64_t index, uint64_t total_size,
                     PendingUnwinding& pending) {
    const View<kUnwindingInfo> info(record.data(), offset, state.order, index);
    UnwindingRange range;
    const uint64_t mapped = check_body(state, info, record, total_size, range);
    pending.replace(state, info, mapped, range);
}

namespace {}  // namespace
constinit const RuleList kUnwindingRules =
    rules<&kUnwindingSizeExceedsRecord, &kUnwindingHdrExceedsData, &kUnwindingHdrMissing, &kUnwindingTrailingBytes,
          &kUnwindingMappedSize, &kUnwindingSuperseded, &kUnwindExtentOverlap, &kUnwindingOrphan>;

}  // namespace tracelint::jitdump
