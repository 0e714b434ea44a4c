// The functions of the C interface that check an input.
#include "validator/bindings/c/callback_source.hpp"
#include "validator/bindings/c/errors.hpp"
#include "validator/bindings/c/options.hpp"
#include "validator/bindings/c/report.hpp"

namespace tracelint::c {
namespace {

static_assert(kNone == TRACELINT_UNKNOWN);

// Runs a check with the caller's options. `path` is that of a file; null: the options name the input in reports.
template <class Run>
tracelint_error run_check(const char* path, const tracelint_options* of_caller, tracelint_report** report, Run run) {
    Options options;
    if (const tracelint_error error = take_options(of_caller, options); error != TRACELINT_OK) return error;
    return hand_out(name_of(path, options), path != nullptr, run(options), report);
}

}  // namespace
}  // namespace tracelint::c

using tracelint::c::fail;
using tracelint::c::guarded;
using tracelint::c::run_check;

tracelint_error tracelint_check_file(const char* path, const tracelint_options* options, tracelint_report** report) {
    return guarded([&] {
        if (path == nullptr || report == nullptr) return fail(TRACELINT_ERROR_NULL_ARGUMENT);
        return run_check(path, options, report,
                         [&](const tracelint::Options& with) { return tracelint::check_file(path, with); });
    });
}

tracelint_error tracelint_check_memory(const void* bytes, size_t length, const tracelint_options* options,
                                       tracelint_report** report) {
    return guarded([&] {
        if (report == nullptr || (bytes == nullptr && length != 0)) return fail(TRACELINT_ERROR_NULL_ARGUMENT);
        const tracelint::Bytes input(static_cast<const uint8_t*>(bytes), length);
        return run_check(nullptr, options, report,
                         [&](const tracelint::Options& with) { return tracelint::check_memory(input, with); });
    });
}

tracelint_error tracelint_check_callback(const tracelint_source* source, const tracelint_options* options,
                                         tracelint_report** report) {
    return guarded([&] {
        if (report == nullptr) return fail(TRACELINT_ERROR_NULL_ARGUMENT);
        tracelint_source functions;
        if (const tracelint_error error = tracelint::c::take_source(source, functions); error != TRACELINT_OK)
            return error;
        tracelint::c::CallbackSource input(functions);
        return run_check(nullptr, options, report,
                         [&](const tracelint::Options& with) { return tracelint::check(input, with); });
    });
}
