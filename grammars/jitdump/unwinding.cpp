// jitdump, section 5.5: UNWINDING_INFO.
#include "grammars/jitdump/unwinding.hpp"

#include "grammars/jitdump/walk.hpp"
#include "validator/text_scan.hpp"

namespace tracelint::jitdump {
namespace {

constexpr uint64_t kDataAt = View<kUnwindingInfo>::offset_of<"data">();

constexpr uint64_t rounded_up(uint64_t value, uint64_t to) { return saturating_add(value, to - 1) / to * to; }

// The checks of 69 to 79. Returns mapped_size as rule 43 may believe it.
uint64_t check_body(State& state, const View<kUnwindingInfo>& info, Bytes record, uint64_t total_size) {
    const uint64_t size = info.get<"unwind_data_size">(), header = info.get<"eh_frame_hdr_size">(),
                   mapped = info.get<"mapped_size">();
    const uint64_t room = total_size - kDataAt;
    if (size > room) {
        state.report.add(kUnwindingSizeExceedsRecord, info.place<"unwind_data_size">(), {size, room});
        return 0;
    }
    if (header > size) {
        state.report.add(kUnwindingHdrExceedsData, info.place<"eh_frame_hdr_size">(), {header, size});
        return 0;
    }
    if (header == 0 && size > 0) state.report.add(kUnwindingHdrMissing, info.place<"eh_frame_hdr_size">(), {size});

    const uint64_t trailing = room - size;
    const bool in_view = record.size() == total_size;
    if (trailing > 7 || (in_view && !all_zero(record.subspan(kDataAt + size)))) {
        state.report.add(kUnwindingTrailingBytes, info.part(kDataAt + size, trailing), {trailing});
        return 0;
    }
    if (!in_view) state.leave_out(info.whole(16));
    if (header > 0 && in_view) check_eh_frame(state, info, record.subspan(kDataAt, size), header);
    if (mapped != 0 && mapped != size && mapped != rounded_up(size, 16)) {
        state.report.add(kUnwindingMappedSize, info.place<"mapped_size">(), {mapped, size});
        return 0;
    }
    return mapped;
}

}  // namespace

void PendingUnwinding::replace(State& state, const View<kUnwindingInfo>& record, uint64_t mapped) {
    if (waits_) state.report.add(kUnwindingSuperseded, place_);
    waits_ = true;
    place_ = record.place<"id">();
    mapped_ = mapped;
}

void PendingUnwinding::check_extent(State& state, const View<kLoad>& load, uint32_t pid, uint64_t address,
                                    uint64_t size) const {
    if (!waits_ || mapped_ == 0) return;
    const uint64_t extent = saturating_add(rounded_up(size, 8), mapped_);
    const uint64_t last = saturating_add(address, extent - 1);  // no range lies above 2^64 - 1
    if (state.live.meets(pid, address, last, load.offset()))
        state.report.add(kUnwindExtentOverlap, load.place<"code_addr">(), {address, extent});
}

void PendingUnwinding::end(State& state) {
    if (waits_) state.report.add(kUnwindingOrphan, place_);
    waits_ = false;
}

void check_unwinding(State& state, Bytes record, uint64_t offset, uint64_t index, uint64_t total_size,
                     PendingUnwinding& pending) {
    const View<kUnwindingInfo> info(record.data(), offset, state.order, index);
    pending.replace(state, info, check_body(state, info, record, total_size));
}

}  // namespace tracelint::jitdump
