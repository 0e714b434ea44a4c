// The table of planted faults, and what they share.
#include "grammars/xray/generator/faults.hpp"

#include "grammars/xray/basic_rules.hpp"
#include "grammars/xray/buffer_rules.hpp"
#include "grammars/xray/field_rules.hpp"
#include "grammars/xray/generator/model.hpp"
#include "grammars/xray/profile_rules.hpp"
#include "grammars/xray/record_rules.hpp"
#include "grammars/xray/threads.hpp"

namespace tracelint::xray {
namespace {

// In the order of section 5. No rule of severity error or warning is missing.
// clang-format off
constexpr PlantedFault kTable[] = {
    {&kTruncatedHeader,          faults::truncated_header},
    {&kUnsupportedVersion,       faults::unsupported_version},
    {&kUnknownFileType,          faults::unknown_file_type},
    {&kZeroCycleFrequency,       faults::zero_cycle_frequency},
    {&kEmptyTrace,               faults::empty_trace},
    {&kZeroBufferSize,           faults::zero_buffer_size},
    {&kTruncatedBuffer,          faults::truncated_buffer},
    {&kBufferExtentsMissing,     faults::buffer_extents_missing},
    {&kGarbageBeforeBuffer,      faults::garbage_before_buffer},
    {&kGarbageBeforeBuffer,      faults::extents_damaged},
    {&kTrailingGarbage,          faults::trailing_garbage},
    {&kTrailingGarbage,          faults::last_extents_damaged},
    {&kExtentsExceedFile,        faults::extents_exceed_file},
    {&kExtentsExceedFile,        faults::file_cut},
    {&kExtentsExceedFile,        faults::extents_overclaim},
    {&kExtentsExceedBufferSize,  faults::extents_exceed_buffer_size},
    {&kExtentsTooSmall,          faults::extents_too_small},
    {&kRecordOverrunsExtents,    faults::extents_cut_record},
    {&kRecordOverrunsExtents,    faults::stride_cuts_record},
    {&kTruncatedRecord,          faults::truncated_record},
    {&kEventSizeNonpositive,     faults::event_size_nonpositive},
    {&kEventPayloadOverrun,      faults::event_payload_overrun},
    {&kEventPayloadOverrun,      faults::extents_cut_payload},
    {&kRecordOrder,              faults::preamble_swapped},
    {&kRecordOrder,              faults::preamble_record_missing},
    {&kRecordOrder,              faults::preamble_record_in_body},
    {&kRecordOrder,              faults::extents_in_body},
    {&kRecordOrder,              faults::extents_span_two_buffers},
    {&kIncompletePreamble,       faults::incomplete_preamble},
    {&kMissingPidRecord,         faults::missing_pid_record},
    {&kRecordKindNotInVersion,   faults::end_of_buffer_in_later_version},
    {&kRecordKindNotInVersion,   faults::record_of_later_version},
    {&kUnknownRecordKind,        faults::unknown_record_kind},
    {&kUnknownFunctionAction,    faults::unknown_function_action},
    {&kFunctionIdZero,           faults::function_id_zero},
    {&kCallArgWithoutEntry,      faults::call_arg_without_entry},
    {&kEobMissing,               faults::eob_missing},
    {&kTscBackwards,             faults::tsc_backwards},
    {&kTscOverflow,              faults::tsc_overflow},
    {&kNegativeEventDelta,       faults::negative_event_delta},
    {&kWallclockMicrosRange,     faults::wallclock_micros_range},
    {&kWallclockMicrosRange,     faults::wallclock_negative},
    {&kThreadIdNonpositive,      faults::thread_id_nonpositive},
    {&kPidNonpositive,           faults::pid_nonpositive},
    {&kOverlappingBuffers,       faults::overlapping_buffers},
    {&kOverlappingBuffers,       faults::overlapping_in_time},
    {&kDuplicateBuffer,          faults::duplicate_buffer},
    {&kBasicTruncatedRecord,     faults::basic_truncated_record},
    {&kBasicUnknownRecordType,   faults::basic_unknown_record_type},
    {&kBasicUnknownAction,       faults::basic_unknown_action},
    {&kBasicArgWithoutEntry,     faults::basic_arg_without_entry},
    {&kBasicArgMismatch,         faults::basic_arg_mismatch},
    {&kBasicArgAfterExit,        faults::basic_arg_after_exit},
    {&kBasicTailExitInV1,        faults::basic_tail_exit_in_v1},
    {&kBasicFunctionId,          faults::basic_function_id},
    {&kBasicTscBackwards,        faults::basic_tsc_backwards},
    {&kProfileTruncatedHeader,   faults::profile_truncated_header},
    {&kProfileBadVersion,        faults::profile_bad_version},
    {&kProfileBlockSize,         faults::profile_block_size},
    {&kProfileBlockSize,         faults::profile_file_cut},
    {&kProfileBlockNumber,       faults::profile_block_number},
    {&kProfileEmptyBlock,        faults::profile_empty_block},
    {&kProfileUnterminatedPath,  faults::profile_unterminated_path},
    {&kProfileEmptyPath,         faults::profile_empty_path},
    {&kProfileTruncatedData,     faults::profile_truncated_data},
    {&kProfileTrailingBytes,     faults::profile_trailing_bytes},
    {&kProfileZeroCount,         faults::profile_zero_count},
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
