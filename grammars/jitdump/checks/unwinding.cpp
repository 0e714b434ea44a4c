// jitdump: UNWINDING_INFO records, and the code that their data cover.
#include "grammars/jitdump/checks/unwinding.hpp"

#include "grammars/jitdump/checks/eh_frame.hpp"
#include "validator/tables/leb128.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint::jitdump {

// The addresses that unwinding data cover, compared with the code that they are for (sections 3.7.2, 3.7.4 and 5.5).

namespace {

constexpr uint64_t kMiddle = uint64_t{1} << 63;
constexpr uint64_t kMostCodePadding = 7;  // V8 counts the padding at the end of the code in the LOAD only

}  // namespace

void UnwindingRange::add_fde(uint64_t fde, UnwindingAddress start, uint64_t length, const Place& start_place,
                             const Place& length_place) {
    (start.is_absolute ? has_absolute_ : has_relative_) = true;
    const uint64_t from = start.is_absolute ? start.value : start.value + kMiddle;
    const uint64_t to = saturating_add(from, length);
    if (from < bounds_.start || bounds_.start == kNone) {
        bounds_.start = from;
        bounds_.first_fde = fde;
        bounds_.start_place = start_place;
    }
    if (to > bounds_.end || bounds_.end == 0) {
        bounds_.end = to;
        bounds_.length_place = length_place;
    }
}

void UnwindingRange::add_mismatch(uint64_t fde, uint64_t start, uint64_t table_start, const Place& place) {
    mismatch_ = {fde, start, table_start, place};
    has_mismatch_ = true;
}

constexpr Rule kEhFrameFdeLocation{
    .id = "jitdump/eh-frame-fde-location",
    .severity = Severity::error,
    .statement = "the FDEs of a function begin where its code begins",
    .message = "the FDE at byte {0} of the .eh_frame is for code at {1x}, but the code of the LOAD is at {2x}",
    .why =
        "perf finds no unwinding information for the function, or uses that of other code, so it cannot unwind through "
        "the function",
    .spec = "3.7.2 EH Frame",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kEhFrameFdeLength{
    .id = "jitdump/eh-frame-fde-length",
    .severity = Severity::warning,
    .statement = "the FDEs of a function end where its code ends, give or take 7 bytes of padding",
    .message = "the FDEs cover {0 byte|bytes} from the start of the code, which has {1 byte|bytes}",
    .why = "stacks end where an FDE is too short; an FDE that is too long also covers the bytes after the code",
    .spec = "3.7.2 EH Frame",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kEhFrameHdrLocation{
    .id = "jitdump/eh-frame-hdr-location",
    .severity = Severity::warning,
    .statement = "the table of the .eh_frame_hdr gives each FDE the address that the FDE itself has",
    .message = "the .eh_frame_hdr has {1x} for the FDE at byte {0} of the .eh_frame, which is for code at {2x}",
    .why = "perf's search of the table finds no unwinding information for the function, or for a part of it",
    .spec = "3.7.4 Table of the EH Frame Header",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

void UnwindingRange::check(State& state, uint64_t code_addr, uint64_t code_size) const {
    if (code_size == 0 || has_absolute_ == has_relative_) return;
    // The data follow the code, which perf rounds up to a multiple of 8 bytes.
    const uint64_t data_at = code_addr + (code_size + 7) / 8 * 8;
    const uint64_t code_start = has_absolute_ ? code_addr : kMiddle - (data_at - code_addr);
    if (bounds_.start != code_start)
        return state.report.add<kEhFrameFdeLocation>(
            bounds_.start_place, {bounds_.first_fde, code_addr + (bounds_.start - code_start), code_addr});
    const uint64_t covered = bounds_.end - code_start;
    if (saturating_add(covered, kMostCodePadding) < code_size || covered > code_size + kMostCodePadding)
        state.report.add<kEhFrameFdeLength>(bounds_.length_place, {covered, code_size});
    if (has_mismatch_)
        state.report.add<kEhFrameHdrLocation>(
            mismatch_.place, {mismatch_.fde, data_at + mismatch_.table_start, data_at + mismatch_.start});
}

// The bytes of unwinding data, and the numbers and pointers in them (sections 3.7.1 and 3.7.2).

bool is_known_encoding(uint8_t encoding) {
    constexpr uint16_t formats =
        0b0001'1110'0001'1111;  // absptr uleb128 udata2 udata4 udata8, sleb128 sdata2 sdata4 sdata8
    return encoding == kOmitted || ((formats >> format_of(encoding) & 1) != 0 && (encoding & 0x70) <= 0x50);
}

unsigned UnwindingReader::width_of(uint8_t encoding) const {
    constexpr uint8_t widths[] = {0, 0, 2, 4, 8, 0, 0, 0, 0, 0, 2, 4, 8};
    return format_of(encoding) == 0 ? pointer_width_ : widths[format_of(encoding)];
}

std::optional<uint8_t> UnwindingReader::byte() {
    if (left() == 0) return std::nullopt;
    return bytes_[at_++];
}

std::optional<EncodedNumber> UnwindingReader::leb128(bool is_signed) {
    uint64_t end = at_;
    while (end < bytes_.size() && (bytes_[end] & 0x80) != 0) ++end;
    if (end == bytes_.size()) return std::nullopt;
    const LebNumber read = read_leb(bytes_.subspan(at_, end + 1 - at_), is_signed);
    at_ = end + 1;
    return EncodedNumber{.value = read.value,
                         .is_negative = is_signed && static_cast<int64_t>(read.value) < 0,
                         .is_overlong = read.fault != LebNumber::Fault::none};
}

std::optional<EncodedNumber> UnwindingReader::number(uint8_t encoding) {
    const bool is_signed = (encoding & 0x08) != 0;
    const unsigned width = width_of(encoding);
    if (width == 0) return leb128(is_signed);
    if (left() < width) return std::nullopt;
    const uint64_t value = load(&bytes_[at_], width, order_);
    at_ += width;
    if (!is_signed) return EncodedNumber{.value = value};
    const int64_t extended = sign_extended(value, width);
    return EncodedNumber{.value = static_cast<uint64_t>(extended), .is_negative = extended < 0};
}

std::optional<Bytes> UnwindingReader::text() {
    const uint64_t length = length_to_nul(bytes_.subspan(at_));
    if (length == kNone) return std::nullopt;
    const Bytes read = bytes_.subspan(at_, length);
    at_ += length + 1;
    return read;
}

bool UnwindingReader::skip(uint64_t count) {
    if (count > left()) return false;
    at_ += count;
    return true;
}

bool UnwindingReader::holds(uint64_t count, uint8_t encoding) {
    const unsigned width = width_of(encoding);
    if (width != 0) return left() / width >= count;
    for (uint64_t i = 0; i < count; ++i)
        if (!leb128(false)) return false;
    return true;
}

// UNWINDING_INFO and the LOAD that it waits for (sections 3.7, 4.5 and 5.5).

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
    .why = "perf keeps only the last one and loses this one",
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
    .statement =
        "no other live code is at the addresses, right after the code of the function, to which its unwinding data is "
        "mapped",
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
    if (state.context.facts != nullptr && info.get<"unwind_data_size">() != 0)
        state.context.facts->dump.has_unwinding = true;
    const uint64_t mapped = check_body(state, info, record, total_size, range);
    pending.replace(state, info, mapped, range);
}

constinit const RuleList kUnwindingRules =
    rules<&kEhFrameFdeLocation, &kEhFrameFdeLength, &kEhFrameHdrLocation, &kUnwindingSizeExceedsRecord,
          &kUnwindingHdrExceedsData, &kUnwindingHdrMissing, &kUnwindingTrailingBytes, &kUnwindingMappedSize,
          &kUnwindingSuperseded, &kUnwindExtentOverlap, &kUnwindingOrphan>;

}  // namespace tracelint::jitdump
