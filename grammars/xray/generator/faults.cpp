// The table of planted faults, and what they share.
#include "grammars/xray/generator/faults.hpp"

#include "grammars/xray/generator/model.hpp"

namespace tracelint::xray {
namespace {

// In the order of section 5. No rule of severity error or warning is missing.
// clang-format off
constexpr FaultRow kTable[] = {
    {"xray/truncated-header",          faults::truncated_header},
    {"xray/unsupported-version",       faults::unsupported_version},
    {"xray/unknown-file-type",          faults::unknown_file_type},
    {"xray/zero-cycle-frequency",       faults::zero_cycle_frequency},
    {"xray/empty-trace",               faults::empty_trace},
    {"xray/zero-buffer-size",           faults::zero_buffer_size},
    {"xray/truncated-buffer",          faults::truncated_buffer},
    {"xray/buffer-extents-missing",     faults::buffer_extents_missing},
    {"xray/garbage-before-buffer",      faults::garbage_before_buffer},
    {"xray/garbage-before-buffer",      faults::extents_damaged},
    {"xray/trailing-garbage",          faults::trailing_garbage},
    {"xray/trailing-garbage",          faults::last_extents_damaged},
    {"xray/extents-exceed-file",        faults::extents_exceed_file},
    {"xray/extents-exceed-file",        faults::file_cut},
    {"xray/extents-exceed-file",        faults::extents_overclaim},
    {"xray/extents-exceed-buffer-size",  faults::extents_exceed_buffer_size},
    {"xray/extents-too-small",          faults::extents_too_small},
    {"xray/record-overruns-extents",    faults::extents_cut_record},
    {"xray/record-overruns-extents",    faults::stride_cuts_record},
    {"xray/truncated-record",          faults::truncated_record},
    {"xray/event-size-nonpositive",     faults::event_size_nonpositive},
    {"xray/event-payload-overrun",      faults::event_payload_overrun},
    {"xray/event-payload-overrun",      faults::extents_cut_payload},
    {"xray/record-order",              faults::preamble_swapped},
    {"xray/record-order",              faults::preamble_record_missing},
    {"xray/record-order",              faults::preamble_record_in_body},
    {"xray/record-order",              faults::extents_in_body},
    {"xray/record-order",              faults::extents_span_two_buffers},
    {"xray/incomplete-preamble",       faults::incomplete_preamble},
    {"xray/missing-pid-record",         faults::missing_pid_record},
    {"xray/record-kind-not-in-version",   faults::end_of_buffer_in_later_version},
    {"xray/record-kind-not-in-version",   faults::record_of_later_version},
    {"xray/unknown-record-kind",        faults::unknown_record_kind},
    {"xray/unknown-function-action",    faults::unknown_function_action},
    {"xray/function-id-zero",           faults::function_id_zero},
    {"xray/call-arg-without-entry",      faults::call_arg_without_entry},
    {"xray/eob-missing",               faults::eob_missing},
    {"xray/tsc-backwards",             faults::tsc_backwards},
    {"xray/tsc-overflow",              faults::tsc_overflow},
    {"xray/negative-event-delta",       faults::negative_event_delta},
    {"xray/wallclock-micros-range",     faults::wallclock_micros_range},
    {"xray/wallclock-micros-range",     faults::wallclock_negative},
    {"xray/thread-id-nonpositive",      faults::thread_id_nonpositive},
    {"xray/pid-nonpositive",           faults::pid_nonpositive},
    {"xray/overlapping-buffers",       faults::overlapping_buffers},
    {"xray/overlapping-buffers",       faults::overlapping_in_time},
    {"xray/duplicate-buffer",          faults::duplicate_buffer},
    {"xray/basic-truncated-record",     faults::basic_truncated_record},
    {"xray/basic-unknown-record-type",   faults::basic_unknown_record_type},
    {"xray/basic-unknown-action",       faults::basic_unknown_action},
    {"xray/basic-arg-without-entry",     faults::basic_arg_without_entry},
    {"xray/basic-arg-mismatch",         faults::basic_arg_mismatch},
    {"xray/basic-arg-after-exit",        faults::basic_arg_after_exit},
    {"xray/basic-tail-exit-in-v1",        faults::basic_tail_exit_in_v1},
    {"xray/basic-function-id",          faults::basic_function_id},
    {"xray/basic-tsc-backwards",        faults::basic_tsc_backwards},
    {"xray/profile-truncated-header",   faults::profile_truncated_header},
    {"xray/profile-bad-version",        faults::profile_bad_version},
    {"xray/profile-block-size",         faults::profile_block_size},
    {"xray/profile-block-size",         faults::profile_file_cut},
    {"xray/profile-block-number",       faults::profile_block_number},
    {"xray/profile-empty-block",        faults::profile_empty_block},
    {"xray/profile-unterminated-path",  faults::profile_unterminated_path},
    {"xray/profile-empty-path",         faults::profile_empty_path},
    {"xray/profile-truncated-data",     faults::profile_truncated_data},
    {"xray/profile-trailing-bytes",     faults::profile_trailing_bytes},
    {"xray/profile-zero-count",         faults::profile_zero_count},
};
// clang-format on

}  // namespace

constinit const FaultList kPlantedFaults{kTable};

namespace faults {
namespace {

RecordValues rest_of(const File& file, std::string bytes) {
    return decode_values(kRest, as_bytes(bytes), layout_of(file), true);
}

}  // namespace

std::vector<Buffer> buffers_of(const File& file) {
    std::vector<Buffer> buffers;
    for (size_t i = 0; i < file.size(); ++i) {
        if (file[i].record != &kNewBuffer) continue;
        const bool counted = file[i - 1].record == &kBufferExtents;
        Buffer buffer{counted ? i - 1 : i, i, i, 0, i};
        while (file[buffer.body++].record != &kNewCpuId) continue;
        const auto ends = [&](const RecordValues& draft) {
            return draft.record == &kBufferExtents || draft.record == &kNewBuffer;
        };
        buffer.end = buffer.body;
        while (buffer.end < file.size() && !ends(file[buffer.end])) ++buffer.end;
        buffer.body_end = buffer.end;
        for (size_t last = buffer.body; last < buffer.end; ++last)
            if (file[last].record == &kEndOfBuffer) buffer.body_end = last;
        buffers.push_back(buffer);
    }
    return buffers;
}

std::optional<Buffer> any_buffer(const File& file, Random& random) {
    const std::vector<Buffer> buffers = buffers_of(file);
    return buffers.empty() ? std::nullopt : std::optional(pick_of(random, buffers));
}

Buffer buffer_of(const File& file, size_t record) {
    const std::vector<Buffer> buffers = buffers_of(file);
    return *std::find_if(buffers.begin(), buffers.end(), [&](const Buffer& buffer) { return record < buffer.end; });
}

uint64_t size_of(const File& file, const Buffer& buffer) { return size_before(file, buffer, buffer.end); }

uint64_t size_before(const File& file, const Buffer& buffer, size_t record) {
    return tracelint::size_of(file, buffer.new_buffer, record);
}

bool hides_a_buffer(const File& file, const Buffer& buffer, uint64_t from) {
    std::string bytes;
    const size_t end = std::min(buffer.end + 1, file.size());
    for (size_t i = buffer.new_buffer; i < end; ++i) encode(file[i], bytes);
    const auto is = [&](uint64_t at, Kind kind) {
        return at < bytes.size() && static_cast<uint8_t>(bytes[at]) == introducer(kind, layout_of(file).order);
    };
    if (is(from, kBufferExtentsKind)) return true;
    for (uint64_t at = from; at < size_of(file, buffer); ++at)
        if (is(at, kBufferExtentsKind) && is(at + kMetadataSize, kNewBufferKind)) return true;
    return false;
}

bool resize(File& file, const Buffer& buffer, int64_t by) {
    if (is_counted(file)) {
        const uint64_t count = file[buffer.start].number("count") + static_cast<uint64_t>(by);
        const uint64_t buffer_size = file.front().number("buffer_size");
        if (count < kLeastExtents || (buffer_size >= kLeastBufferSize && count > buffer_size)) return false;
        file[buffer.start].set("count", count);
        return true;
    }
    const bool has_rest = file[buffer.end - 1].record == &kRest;
    const uint64_t rest = has_rest ? bytes_of(file[buffer.end - 1]).size() : 0;
    if (by > static_cast<int64_t>(rest)) return false;
    if (has_rest) erase(file, buffer.end - 1);
    const uint64_t left = rest - static_cast<uint64_t>(by);
    if (left != 0) insert(file, has_rest ? buffer.end - 1 : buffer.end, rest_of(file, std::string(left, '\0')));
    return true;
}

std::vector<Place> places_in_bodies(const File& file) {
    std::vector<Place> places;
    for (const Buffer& buffer : buffers_of(file))
        for (size_t at = buffer.body; at <= buffer.body_end; ++at)
            if (at == buffer.body_end || file[at].record != &kCallArgument) places.push_back({buffer, at});
    return places;
}

std::vector<Place> places_in_buffers(const File& file) {
    std::vector<Place> places = places_in_bodies(file);
    for (const Buffer& buffer : buffers_of(file))
        for (size_t at = buffer.new_buffer; at < buffer.body; ++at) places.push_back({buffer, at});
    return places;
}

bool insert_at(File& file, const Place& place, RecordValues draft) {
    const auto size = static_cast<int64_t>(bytes_of(draft).size());
    if (!resize(file, place.buffer, size)) return false;
    insert(file, place.at, std::move(draft));
    return true;
}

RecordValues made(const File& file, const Record& record, std::initializer_list<Number> numbers, std::string payload) {
    const std::string zeros(fixed_size(record, layout_of(file)), '\0');
    RecordValues draft = decode_values(record, as_bytes(zeros), layout_of(file), true);
    if (has_kind(draft)) {
        draft.set("discriminant", 1);
        draft.set("kind", record.tag);
    }
    for (const auto& [field, number] : numbers) draft.set(field, number);
    if (Value* value = draft.find("payload")) value->text = std::move(payload);
    settle(draft);
    return draft;
}

void Clock::pass(const RecordValues& draft) {
    if (draft.record == &kNewCpuId || draft.record == &kTscWrap) {
        now = draft.number("tsc");
        if (!first) first = now;
    } else if (first) {
        now += draft.number("tsc_delta") + draft.number("delta");
    }
}

Clock clock_at(const File& file, const Buffer& buffer, size_t before) {
    Clock clock;
    for (size_t i = buffer.new_buffer; i < before; ++i) clock.pass(file[i]);
    return clock;
}

}  // namespace faults
}  // namespace tracelint::xray
