// The table of planted faults, and what they share.
#include "grammars/mlpd/generator/faults.hpp"

#include <map>

#include "grammars/mlpd/session.hpp"

namespace tracelint::mlpd {
namespace {

// In the order of section 5. No rule of severity error or warning is missing.
// clang-format off
constexpr PlantedFault kTable[] = {
    {&kTruncatedHeader,             faults::truncated_header},
    {&kBadMagic,                    faults::bad_magic},
    {&kUnsupportedDataVersion,      faults::unsupported_data_version},
    {&kUnknownMajorVersion,         faults::unknown_major_version},
    {&kBadPointerSize,              faults::bad_pointer_size},
    {&kHeaderFlagsNonzero,          faults::header_flags_nonzero},
    {&kHeaderStringOverrunsFile,    faults::header_string_overruns_file},
    {&kHeaderStringOverrunsFile,    faults::header_string_cut},
    {&kHeaderStringNotTerminated,   faults::header_string_not_terminated},
    {&kHeaderStringNotTerminated,   faults::header_string_size_zero},
    {&kHeaderStringEmbeddedNul,     faults::header_string_embedded_nul},
    {&kHeaderStringUtf8,            faults::header_string_utf8},
    {&kBadBufferId,                 faults::bad_buffer_id},
    {&kBadBufferId,                 faults::garbage_between_buffers},
    {&kBadBufferId,                 faults::buffer_ends_too_soon},
    {&kBadBufferId,                 faults::concatenated_files},
    {&kTruncatedBufferHeader,       faults::truncated_buffer_header},
    {&kTruncatedBufferHeader,       faults::trailing_bytes},
    {&kTruncatedBuffer,             faults::truncated_buffer},
    {&kTruncatedBuffer,             faults::last_len_too_large},
    {&kTruncatedBuffer,             faults::len_exceeds_file},
    {&kBufferLengthNegative,        faults::buffer_length_negative},
    {&kZeroThreadId,                faults::zero_thread_id},
    {&kBufferTimeRegression,        faults::buffer_time_regression},
    {&kEventOverrunsBuffer,         faults::event_overruns_buffer},
    {&kEventOverrunsBuffer,         faults::buffer_ends_in_event},
    {&kLebTruncated,                faults::leb128_truncated},
    {&kLebTooLong,                  faults::leb128_too_long},
    {&kLebOverflow,                 faults::leb128_overflow},
    {&kLebNonCanonical,             faults::leb128_non_canonical},
    {&kPointerWidthOverflow,        faults::pointer_width_overflow},
    {&kTimeDeltaWraps,              faults::time_delta_wraps},
    {&kTimeOverflow,                faults::time_overflow},
    {&kUnknownEventType,            faults::unknown_event_type},
    {&kUnknownEventSubtype,         faults::unknown_event_subtype},
    {&kUnknownEventSubtype,         faults::len_spans_two_buffers},
    {&kEventNotInVersion,           faults::event_not_in_version},
    {&kEventNotInVersion,           faults::event_of_other_version},
    {&kEventNotInVersion,           faults::jit_helper_not_in_version},
    {&kEventNotInVersion,           faults::binary_not_in_version},
    {&kEventNotInVersion,           faults::class_unload_not_in_version},
    {&kUnknownMetadataType,         faults::unknown_metadata_type},
    {&kMetadataSubtypeMismatch,     faults::metadata_subtype_mismatch},
    {&kMetadataFlagsNonzero,        faults::metadata_flags_nonzero},
    {&kBacktraceFlagsNonzero,       faults::backtrace_flags_nonzero},
    {&kUnterminatedString,          faults::unterminated_string},
    {&kInvalidUtf8,                 faults::invalid_utf8},
    {&kCountExceedsBuffer,          faults::count_exceeds_buffer},
    {&kOddMoveCount,                faults::move_missing},
    {&kOddMoveCount,                faults::move_added},
    {&kGcEventRange,                faults::gc_event_range},
    {&kGcGenerationRange,           faults::gc_generation_range},
    {&kGcHandleTypeRange,           faults::gc_handle_type_range},
    {&kExceptionClauseTypeRange,    faults::exception_clause_type_range},
    {&kMonitorEventRange,           faults::monitor_event_range},
    {&kMonitorEventRange,           faults::monitor_event_in_subtype},
    {&kSyncPointTypeRange,          faults::sync_point_type_range},
    {&kJitHelperTypeRange,          faults::jit_helper_type_range},
    {&kHeapGenerationRange,         faults::heap_generation_range},
    {&kSampleTypeRange,             faults::sample_type_range},
    {&kCounterTypeRange,            faults::counter_type_range},
    {&kCounterSectionRange,         faults::counter_section_range},
    {&kCounterUnitVariance,         faults::counter_unit_variance},
    {&kCounterIndexZero,            faults::counter_index_zero},
    {&kDuplicateCounterIndex,       faults::duplicate_counter_index},
    {&kUnknownCounterIndex,         faults::unknown_counter_index},
    {&kCounterTypeMismatch,         faults::counter_type_mismatch},
    {&kCounterStringFlag,           faults::counter_string_flag},
    {&kHeapObjectOutsideHeapshot,   faults::heap_object_outside},
    {&kHeapObjectOutsideHeapshot,   faults::heap_start_missing},
    {&kHeapshotEndWithoutStart,     faults::heapshot_end_alone},
    {&kHeapshotEndWithoutStart,     faults::heapshot_start_missing},
    {&kHeapshotNested,              faults::heapshot_nested},
    {&kHeapshotNested,              faults::heapshot_end_missing},
    {&kHeapshotUnterminated,        faults::heapshot_unterminated},
    {&kHeapObjectDuplicate,         faults::heap_object_duplicate},
    {&kHeapObjectContinuationUnknown, faults::heap_object_continuation_alone},
    {&kHeapObjectContinuationUnknown, faults::heap_object_size_zero},
    {&kHeapRefDangling,             faults::heap_ref_dangling},
    {&kHeapRefOffsetRange,          faults::heap_ref_offset_range},
    {&kNullObject,                  faults::null_object},
    {&kNullObject,                  faults::null_heap_object},
    {&kUndefinedMethod,             faults::undefined_method},
    {&kUndefinedMethod,             faults::undefined_frame},
    {&kUndefinedMethod,             faults::undefined_call},
    {&kNullMethod,                  faults::null_method},
    {&kNullMethod,                  faults::null_method_compiled},
    {&kUndefinedClass,              faults::undefined_class},
    {&kUndefinedClass,              faults::undefined_class_of_vtable},
    {&kUndefinedVtable,             faults::undefined_vtable},
    {&kUndefinedImage,              faults::undefined_image},
    {&kUndefinedDomain,             faults::undefined_domain},
    {&kLoadedInLaterWindow,         faults::type_loaded_in_later_window},
    {&kLoadedInLaterWindow,         faults::image_loaded_in_later_window},
    {&kDuplicateLoad,               faults::duplicate_load},
    {&kUnloadWithoutLoad,           faults::unload_without_load},
    {&kUnloadWithoutLoad,           faults::load_missing},
    {&kDoubleUnload,                faults::double_unload},
    {&kLeaveWithoutEnter,           faults::leave_without_enter},
    {&kLeaveWithoutEnter,           faults::enter_missing},
    {&kLeaveMismatch,               faults::leave_mismatch},
    {&kLeaveMismatch,               faults::leave_missing},
    {&kGcEventOrder,                faults::gc_event_alone},
    {&kGcEventOrder,                faults::gc_event_missing},
    {&kSyncPointOrder,              faults::world_start_alone},
    {&kSyncPointOrder,              faults::world_stop_twice},
    {&kFinalizerOrder,              faults::finalizer_end_alone},
    {&kFinalizerOrder,              faults::finalizer_end_of_other},
    {&kFinalizerOrder,              faults::finalizer_start_missing},
    {&kBadMvid,                     faults::bad_mvid},
    {&kBadAotId,                    faults::bad_aot_id},
    {&kCoverageDanglingStatement,   faults::coverage_statement_alone},
    {&kCoverageDanglingStatement,   faults::coverage_statement_missing},
    {&kCoverageDanglingStatement,   faults::coverage_count_wrong},
    {&kCoverageDanglingStatement,   faults::coverage_method_missing},
};
// clang-format on

}  // namespace

constinit const FaultList kPlantedFaults{kTable};

namespace faults {
namespace {

// Writes one planned event with the generator.
class OneEvent final : public Model {
  public:
    OneEvent(const Planned& planned, const Layout& layout) : planned_(planned), layout_(layout) {}
    const Layout& layout() const override { return layout_; }
    const Record* next(uint64_t, uint64_t) override { return nullptr; }
    void fill(Value& value, const RecordValues&) override { planned_.fill(value); }
    uint64_t size_of(const Field& field, const RecordValues&) override { return planned_.size_of(field); }

  private:
    const Planned& planned_;
    const Layout& layout_;
};

constexpr uint64_t kPreStopWorld = 6;

// Follows a thread through its events.
void pass(Situation& now, const RecordValues& event) {
    const uint64_t op = event.number("op");
    if (event.record == &kHeapStart) now.in_heapshot = true;
    if (event.record == &kHeapEnd) now.in_heapshot = false;
    if (event.record == &kSyncPoint && event.number("type") != 0) now.is_stopped = event.number("type") == 1;
    if (event.record == &kFinalizeObjectStart) now.in_finalizer = true;
    if (event.record == &kFinalizeObjectEnd) now.in_finalizer = false;
    if (event.record == &kGcEvent) {
        const uint64_t last = kFinalizeStart.exists_in(event.layout.version) ? 11 : 9;
        if (event.number("event") == kPreStopWorld) now.in_collection = true;
        if (event.number("event") == last) now.in_collection = false;
    }
    if (event.record == &kEnter) now.calls.push_back(event.number("method"));
    if ((event.record == &kLeave || event.record == &kExceptionLeave) && !now.calls.empty()) now.calls.pop_back();
    if (event.record == &kThread && op == kUnload) now.calls.clear();
}

bool is_unloaded(const File& file, const Record& record, uint64_t pointer) {
    return std::any_of(file.begin(), file.end(), [&](const RecordValues& draft) {
        return is_op(draft, record, kUnload) && draft.number("pointer") == pointer;
    });
}

// Of metadata.
std::optional<uint64_t> first_loaded(const File& file, const Record& record, size_t before) {
    for (size_t i = 0; i < before; ++i)
        if (is_op(file[i], record, kLoad) && !is_unloaded(file, record, file[i].number("pointer")))
            return file[i].number("pointer");
    return std::nullopt;
}

}  // namespace

std::vector<Buffer> buffers_of(const File& file) {
    std::vector<Buffer> buffers;
    for (size_t i = 0; i < file.size(); ++i) {
        if (file[i].record == &kBuffer) buffers.push_back({i, i});
        if (!buffers.empty()) buffers.back().end = i + 1;
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

uint64_t thread_of(const File& file, size_t record) { return file[buffer_of(file, record).header].number("thread_id"); }

std::optional<ValuePlace> choose_leb(const File& file, Random& random) {
    return choose_value(file, random,
                        [](const RecordValues& draft, const Value& value) { return is_event(draft) && is_leb(value); });
}

RecordValues made(const File& file, Random& random, const Planned& planned) {
    OneEvent model(planned, event_layout(file));
    return generate_record(model, random, planned.record());
}

void insert_event(File& file, Random& random, size_t at, const Planned& planned) {
    insert_event(file, at, made(file, random, planned));
}

void insert_event(File& file, size_t at, RecordValues event) {
    event.set("time", 0);
    insert(file, at, std::move(event));
    settle_buffers(file);
}

void erase_event(File& file, size_t at) {
    erase(file, at);
    settle_buffers(file);
}

Planted at_event(const File& file, size_t at) { return at_bytes(at, 0, bytes_of(file[at]).size()); }

Situation situation_at(const File& file, size_t before) {
    std::map<uint64_t, Situation> threads;
    uint64_t thread = 0;
    for (size_t i = 1; i < before; ++i) {
        if (file[i].record == &kBuffer) thread = file[i].number("thread_id");
        pass(threads[thread], file[i]);
    }
    return threads[thread];
}

std::optional<size_t> choose_situation(const File& file, Random& random, bool (*fits)(const Situation&)) {
    std::map<uint64_t, Situation> threads;
    std::vector<size_t> places;
    const std::vector<Buffer> buffers = buffers_of(file);
    if (buffers.empty()) return std::nullopt;
    const size_t first = buffers.front().end;  // what everything uses is loaded in front of this
    uint64_t thread = 0;
    for (size_t i = 1; i < file.size(); ++i) {
        if (file[i].record == &kBuffer) thread = file[i].number("thread_id");
        Situation& now = threads[thread];
        pass(now, file[i]);
        if (i + 1 >= first && fits(now)) places.push_back(i + 1);
    }
    if (places.empty()) return std::nullopt;
    return pick_of(random, places);
}

std::optional<uint64_t> known_class(const File& file, size_t before) { return first_loaded(file, kClass, before); }
std::optional<uint64_t> known_image(const File& file, size_t before) { return first_loaded(file, kImage, before); }

std::optional<uint64_t> known_method(const File& file, size_t before) {
    for (size_t i = 0; i < before; ++i)
        if (file[i].record == &kJit) return file[i].number("method");
    return std::nullopt;
}

std::optional<Planned> with_known_type(const File& file, const Record& record, size_t before) {
    const bool has_vtables = has(file, kVtable);
    const std::optional<uint64_t> type = first_loaded(file, has_vtables ? kVtable : kClass, before);
    if (!type) return std::nullopt;
    return Planned(record).with(has_vtables ? "vtable" : "class", *type);
}

// The generator draws from other ranges.
uint64_t fresh_pointer(const File& file, Random& random) {
    return (event_layout(file).word_size == 4 ? 0x61000000 : 0x5500'0000'0000) + 16 * below(random, 1000);
}

uint64_t fresh_object(const File& file, Random& random) {
    return (event_layout(file).word_size == 4 ? 0x33000000 : 0x6600'0000'0000) + 8 * below(random, 1000);
}

uint64_t fresh_domain(Random& random) { return 1'000'000 + below(random, 1000); }

}  // namespace faults
}  // namespace tracelint::mlpd
