// The table of planted faults, and what they share.
#include "grammars/mlpd/generator/faults.hpp"

#include <map>

#include "grammars/mlpd/session/session.hpp"

namespace tracelint::mlpd {
namespace {

// In the order of section 5. No rule of severity error or warning is missing.
// clang-format off
constexpr FaultRow kTable[] = {
    {"mlpd/truncated-header",             faults::truncated_header},
    {"mlpd/bad-magic",                    faults::bad_magic},
    {"mlpd/unsupported-data-version",      faults::unsupported_data_version},
    {"mlpd/unknown-major-version",         faults::unknown_major_version},
    {"mlpd/bad-pointer-size",              faults::bad_pointer_size},
    {"mlpd/header-flags-nonzero",          faults::header_flags_nonzero},
    {"mlpd/header-string-overruns-file",    faults::header_string_overruns_file},
    {"mlpd/header-string-overruns-file",    faults::header_string_cut},
    {"mlpd/header-string-not-terminated",   faults::header_string_not_terminated},
    {"mlpd/header-string-not-terminated",   faults::header_string_size_zero},
    {"mlpd/header-string-embedded-nul",     faults::header_string_embedded_nul},
    {"mlpd/header-string-utf8",            faults::header_string_utf8},
    {"mlpd/bad-buffer-id",                 faults::bad_buffer_id},
    {"mlpd/bad-buffer-id",                 faults::garbage_between_buffers},
    {"mlpd/bad-buffer-id",                 faults::buffer_ends_too_soon},
    {"mlpd/bad-buffer-id",                 faults::concatenated_files},
    {"mlpd/truncated-buffer-header",       faults::truncated_buffer_header},
    {"mlpd/truncated-buffer-header",       faults::trailing_bytes},
    {"mlpd/truncated-buffer",             faults::truncated_buffer},
    {"mlpd/truncated-buffer",             faults::last_len_too_large},
    {"mlpd/truncated-buffer",             faults::len_exceeds_file},
    {"mlpd/buffer-length-negative",        faults::buffer_length_negative},
    {"mlpd/zero-thread-id",                faults::zero_thread_id},
    {"mlpd/buffer-time-regression",        faults::buffer_time_regression},
    {"mlpd/event-overruns-buffer",         faults::event_overruns_buffer},
    {"mlpd/event-overruns-buffer",         faults::buffer_ends_in_event},
    {"mlpd/leb128-truncated",                faults::leb128_truncated},
    {"mlpd/leb128-too-long",                  faults::leb128_too_long},
    {"mlpd/leb128-overflow",                 faults::leb128_overflow},
    {"mlpd/leb128-non-canonical",             faults::leb128_non_canonical},
    {"mlpd/pointer-width-overflow",        faults::pointer_width_overflow},
    {"mlpd/time-delta-wraps",              faults::time_delta_wraps},
    {"mlpd/time-overflow",                faults::time_overflow},
    {"mlpd/unknown-event-type",            faults::unknown_event_type},
    {"mlpd/unknown-event-subtype",         faults::unknown_event_subtype},
    {"mlpd/unknown-event-subtype",         faults::len_spans_two_buffers},
    {"mlpd/event-not-in-version",           faults::event_not_in_version},
    {"mlpd/event-not-in-version",           faults::event_of_other_version},
    {"mlpd/event-not-in-version",           faults::jit_helper_not_in_version},
    {"mlpd/event-not-in-version",           faults::binary_not_in_version},
    {"mlpd/event-not-in-version",           faults::class_unload_not_in_version},
    {"mlpd/unknown-metadata-type",         faults::unknown_metadata_type},
    {"mlpd/metadata-subtype-mismatch",     faults::metadata_subtype_mismatch},
    {"mlpd/metadata-flags-nonzero",        faults::metadata_flags_nonzero},
    {"mlpd/backtrace-flags-nonzero",       faults::backtrace_flags_nonzero},
    {"mlpd/unterminated-string",          faults::unterminated_string},
    {"mlpd/invalid-utf8",                 faults::invalid_utf8},
    {"mlpd/count-exceeds-buffer",          faults::count_exceeds_buffer},
    {"mlpd/odd-move-count",                faults::move_missing},
    {"mlpd/odd-move-count",                faults::move_added},
    {"mlpd/gc-event-range",                faults::gc_event_range},
    {"mlpd/gc-generation-range",           faults::gc_generation_range},
    {"mlpd/gc-handle-type-range",           faults::gc_handle_type_range},
    {"mlpd/exception-clause-type-range",    faults::exception_clause_type_range},
    {"mlpd/monitor-event-range",           faults::monitor_event_range},
    {"mlpd/monitor-event-range",           faults::monitor_event_in_subtype},
    {"mlpd/sync-point-type-range",          faults::sync_point_type_range},
    {"mlpd/jit-helper-type-range",          faults::jit_helper_type_range},
    {"mlpd/heap-generation-range",         faults::heap_generation_range},
    {"mlpd/sample-type-range",             faults::sample_type_range},
    {"mlpd/counter-type-range",            faults::counter_type_range},
    {"mlpd/counter-section-range",         faults::counter_section_range},
    {"mlpd/counter-unit-variance",         faults::counter_unit_variance},
    {"mlpd/counter-index-zero",            faults::counter_index_zero},
    {"mlpd/duplicate-counter-index",       faults::duplicate_counter_index},
    {"mlpd/unknown-counter-index",         faults::unknown_counter_index},
    {"mlpd/counter-type-mismatch",         faults::counter_type_mismatch},
    {"mlpd/counter-string-flag",           faults::counter_string_flag},
    {"mlpd/heap-object-outside-heapshot",   faults::heap_object_outside},
    {"mlpd/heap-object-outside-heapshot",   faults::heap_start_missing},
    {"mlpd/heapshot-end-without-start",     faults::heapshot_end_alone},
    {"mlpd/heapshot-end-without-start",     faults::heapshot_start_missing},
    {"mlpd/heapshot-nested",              faults::heapshot_nested},
    {"mlpd/heapshot-nested",              faults::heapshot_end_missing},
    {"mlpd/heapshot-unterminated",        faults::heapshot_unterminated},
    {"mlpd/heap-object-duplicate",         faults::heap_object_duplicate},
    {"mlpd/heap-object-continuation-unknown", faults::heap_object_continuation_alone},
    {"mlpd/heap-object-continuation-unknown", faults::heap_object_size_zero},
    {"mlpd/heap-ref-dangling",             faults::heap_ref_dangling},
    {"mlpd/heap-ref-offset-range",          faults::heap_ref_offset_range},
    {"mlpd/null-object",                  faults::null_object},
    {"mlpd/null-object",                  faults::null_heap_object},
    {"mlpd/undefined-method",             faults::undefined_method},
    {"mlpd/undefined-method",             faults::undefined_frame},
    {"mlpd/undefined-method",             faults::undefined_call},
    {"mlpd/null-method",                  faults::null_method},
    {"mlpd/null-method",                  faults::null_method_compiled},
    {"mlpd/undefined-class",              faults::undefined_class},
    {"mlpd/undefined-class",              faults::undefined_class_of_vtable},
    {"mlpd/undefined-vtable",             faults::undefined_vtable},
    {"mlpd/undefined-image",              faults::undefined_image},
    {"mlpd/undefined-domain",             faults::undefined_domain},
    {"mlpd/loaded-in-later-window",         faults::type_loaded_in_later_window},
    {"mlpd/loaded-in-later-window",         faults::image_loaded_in_later_window},
    {"mlpd/duplicate-load",               faults::duplicate_load},
    {"mlpd/unload-without-load",           faults::unload_without_load},
    {"mlpd/unload-without-load",           faults::load_missing},
    {"mlpd/double-unload",                faults::double_unload},
    {"mlpd/leave-without-enter",           faults::leave_without_enter},
    {"mlpd/leave-without-enter",           faults::enter_missing},
    {"mlpd/leave-mismatch",               faults::leave_mismatch},
    {"mlpd/leave-mismatch",               faults::leave_missing},
    {"mlpd/gc-event-order",                faults::gc_event_alone},
    {"mlpd/gc-event-order",                faults::gc_event_missing},
    {"mlpd/sync-point-order",              faults::world_start_alone},
    {"mlpd/sync-point-order",              faults::world_stop_twice},
    {"mlpd/finalizer-order",              faults::finalizer_end_alone},
    {"mlpd/finalizer-order",              faults::finalizer_end_of_other},
    {"mlpd/finalizer-order",              faults::finalizer_start_missing},
    {"mlpd/bad-mvid",                     faults::bad_mvid},
    {"mlpd/bad-aot-id",                    faults::bad_aot_id},
    {"mlpd/coverage-dangling-statement",   faults::coverage_statement_alone},
    {"mlpd/coverage-dangling-statement",   faults::coverage_statement_missing},
    {"mlpd/coverage-dangling-statement",   faults::coverage_count_wrong},
    {"mlpd/coverage-dangling-statement",   faults::coverage_method_missing},
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
