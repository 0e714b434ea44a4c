// The functions of the C interface that salvage an input.
#include "tracelint/salvage.hpp"

#include "validator/bindings/c/callback_source.hpp"
#include "validator/bindings/c/catalogue.hpp"
#include "validator/bindings/c/handles.hpp"
#include "validator/bindings/c/options.hpp"

namespace tracelint::c {
namespace {

Handles<tracelint_salvaged, const Salvaged>& salvaged_inputs() {
    static Handles<tracelint_salvaged, const Salvaged> all;
    return all;
}

// Calls `run` with the caller's options and function, and hands its result out.
template <class Run>
tracelint_error run_salvage(const tracelint_options* of_caller, const tracelint_sink* sink, tracelint_salvaged** to,
                            Run run) {
    if (sink == nullptr || to == nullptr) return fail(TRACELINT_ERROR_NULL_ARGUMENT);
    tracelint_sink functions;
    if (!take(sink, functions)) return fail(TRACELINT_ERROR_STRUCT_SIZE, "tracelint_sink");
    if (functions.write == nullptr) return fail(TRACELINT_ERROR_NULL_ARGUMENT, "tracelint_sink.write");
    Options options;
    if (const tracelint_error error = take_options(of_caller, options); error != TRACELINT_OK) return error;
    auto salvaged = std::make_unique<Salvaged>(
        run(options, [&](Bytes bytes) { return functions.write(functions.user, bytes.data(), bytes.size()) != 0; }));
    if (salvaged->verdict == SalvageVerdict::options) return fail(TRACELINT_ERROR_INVALID_OPTION, salvaged->why);
    if (salvaged->verdict == SalvageVerdict::internal) return fail(TRACELINT_ERROR_INTERNAL, salvaged->why);
    *to = salvaged_inputs().add(std::move(salvaged));
    return TRACELINT_OK;
}

tracelint_salvage_verdict number_of(SalvageVerdict verdict) {
    switch (verdict) {
        case SalvageVerdict::clean: return TRACELINT_SALVAGE_CLEAN;
        case SalvageVerdict::salvaged: return TRACELINT_SALVAGE_SALVAGED;
        case SalvageVerdict::impossible: return TRACELINT_SALVAGE_IMPOSSIBLE;
        case SalvageVerdict::limited: return TRACELINT_SALVAGE_LIMITED;
        case SalvageVerdict::unwritable: return TRACELINT_SALVAGE_UNWRITABLE;
        default: return TRACELINT_SALVAGE_UNREADABLE;
    }
}

tracelint_salvage_summary summary_of(const Salvaged& salvaged) {
    tracelint_salvage_summary summary{};
    summary.verdict = number_of(salvaged.verdict);
    const Format* const format = find_format(salvaged.format);
    summary.format = format == nullptr ? nullptr : Catalogue::get().id_of(*format);
    summary.container = salvaged.container.empty() ? nullptr : salvaged.container.data();  // of a literal
    summary.why = salvaged.why.empty() ? nullptr : salvaged.why.c_str();
    summary.input_size = salvaged.size;
    summary.new_size = salvaged.new_size;
    summary.records_kept = salvaged.records_kept;
    summary.records_left_out = salvaged.records_left_out;
    summary.change_count = salvaged.changes.size();
    return summary;
}

tracelint_change change_of(const SalvageChange& change) {
    tracelint_change to{};
    to.kind = static_cast<uint32_t>(change.kind);
    to.byte_count = static_cast<uint32_t>(change.bytes.size());
    to.offset = change.offset;
    to.length = change.length;
    to.new_offset = change.new_offset;
    to.records = change.records;
    to.rule = change.rule.empty() ? nullptr : Catalogue::get().rule_id(change.rule);
    to.bytes = change.bytes.empty() ? nullptr : change.bytes.data();
    return to;
}

}  // namespace
}  // namespace tracelint::c

using tracelint::c::fail;
using tracelint::c::guarded;
using tracelint::c::run_salvage;
using tracelint::c::salvaged_inputs;

tracelint_error tracelint_salvage_file(const char* path, const tracelint_options* options, const tracelint_sink* sink,
                                       tracelint_salvaged** salvaged) {
    return guarded([&] {
        if (path == nullptr) return fail(TRACELINT_ERROR_NULL_ARGUMENT);
        return run_salvage(options, sink, salvaged, [&](const tracelint::Options& with, const auto& write) {
            return tracelint::salvage_file(path, with, write);
        });
    });
}

tracelint_error tracelint_salvage_memory(const void* bytes, size_t length, const tracelint_options* options,
                                         const tracelint_sink* sink, tracelint_salvaged** salvaged) {
    return guarded([&] {
        if (bytes == nullptr && length != 0) return fail(TRACELINT_ERROR_NULL_ARGUMENT);
        const tracelint::Bytes input(static_cast<const uint8_t*>(bytes), length);
        return run_salvage(options, sink, salvaged, [&](const tracelint::Options& with, const auto& write) {
            return tracelint::salvage_memory(input, with, write);
        });
    });
}

tracelint_error tracelint_salvage_callback(const tracelint_source* source, const tracelint_options* options,
                                           const tracelint_sink* sink, tracelint_salvaged** salvaged) {
    return guarded([&] {
        tracelint_source functions;
        if (const tracelint_error error = tracelint::c::take_source(source, functions); error != TRACELINT_OK)
            return error;
        tracelint::c::CallbackSource input(functions);
        return run_salvage(options, sink, salvaged, [&](const tracelint::Options& with, const auto& write) {
            return tracelint::salvage(input, with, write);
        });
    });
}

tracelint_error tracelint_salvaged_summary(const tracelint_salvaged* salvaged, tracelint_salvage_summary* summary) {
    return guarded([&] {
        if (summary == nullptr) return fail(TRACELINT_ERROR_NULL_ARGUMENT);
        const auto found = salvaged_inputs().find(salvaged);
        if (found == nullptr) return fail(TRACELINT_ERROR_INVALID_HANDLE);
        return tracelint::c::fill(summary, tracelint::c::summary_of(*found));
    });
}

tracelint_error tracelint_salvaged_change(const tracelint_salvaged* salvaged, size_t index, tracelint_change* change) {
    return guarded([&] {
        if (change == nullptr) return fail(TRACELINT_ERROR_NULL_ARGUMENT);
        const auto found = salvaged_inputs().find(salvaged);
        if (found == nullptr) return fail(TRACELINT_ERROR_INVALID_HANDLE);
        if (index >= found->changes.size()) return fail(TRACELINT_ERROR_OUT_OF_RANGE);
        return tracelint::c::fill(change, tracelint::c::change_of(found->changes[index]));
    });
}

tracelint_error tracelint_salvaged_free(tracelint_salvaged* salvaged) {
    return guarded([&] {
        const bool is_free = salvaged == nullptr || salvaged_inputs().remove(salvaged) != nullptr;
        return is_free ? tracelint_error{TRACELINT_OK} : fail(TRACELINT_ERROR_INVALID_HANDLE);
    });
}
