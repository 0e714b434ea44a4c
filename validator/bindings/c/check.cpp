// The functions of the C interface that check an input.
#include <limits>

#include "validator/bindings/c/errors.hpp"
#include "validator/bindings/c/options.hpp"
#include "validator/bindings/c/report.hpp"

namespace tracelint::c {
namespace {

// An input that is read by the caller's functions. tracelint::check() notices what they throw, and reads that return
// more than they were asked for; here is what they may do wrong with the size.
class CallbackSource final : public Source {
  public:
    explicit CallbackSource(const tracelint_source& functions) : functions_(functions) {}

    size_t read(uint8_t* to, size_t bytes) override {
        const auto wanted = static_cast<size_t>(std::min<uint64_t>(bytes, saturating_sub(size(), at_)));
        if (!failure_.empty() || wanted == 0) return 0;
        const int64_t got = functions_.read(functions_.user, to, wanted);
        if (got < 0) failure_ = "cannot read: the caller's function failed";
        if (got == 0 && size() != kNone) failure_ = "cannot read: the input ends before its size";
        if (!failure_.empty()) return 0;
        at_ += static_cast<uint64_t>(got);
        return static_cast<size_t>(got);
    }

    // A check that ends early asks for the end by an offset beyond every input. Where the end is known, the caller's
    // function is spared that: files reject offsets that are not those of a signed number.
    bool seek(uint64_t offset) override {
        if (functions_.seek == nullptr) return false;
        if (offset >= size() && size() != kNone) {
            at_ = offset;  // from here on nothing is read
            return true;
        }
        constexpr uint64_t kLast = std::numeric_limits<int64_t>::max();
        if (offset > kLast || functions_.seek(functions_.user, offset) == 0) {
            if (size() != kNone) failure_ = "cannot seek: the caller's function failed";
            return false;
        }
        at_ = offset;
        return true;
    }

    uint64_t size() const override { return functions_.seek == nullptr ? kNone : functions_.total; }
    std::string failure() const override { return failure_; }

  private:
    tracelint_source functions_;
    uint64_t at_ = 0;
    std::string failure_;
};

static_assert(kNone == TRACELINT_UNKNOWN);

// Runs a check with the caller's options. `path` names the input in reports; null: the options do.
template <class Run>
tracelint_error run_check(const char* path, const tracelint_options* of_caller, tracelint_report** report, Run run) {
    Options options;
    if (const tracelint_error error = take_options(of_caller, options); error != TRACELINT_OK) return error;
    return hand_out(name_of(path, options), run(options), report);
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
        if (source == nullptr || report == nullptr) return fail(TRACELINT_ERROR_NULL_ARGUMENT);
        tracelint_source functions;
        if (!tracelint::c::take(source, functions)) return fail(TRACELINT_ERROR_STRUCT_SIZE, "tracelint_source");
        if (functions.read == nullptr) return fail(TRACELINT_ERROR_NULL_ARGUMENT, "tracelint_source.read");
        tracelint::c::CallbackSource input(functions);
        return run_check(nullptr, options, report,
                         [&](const tracelint::Options& with) { return tracelint::check(input, with); });
    });
}
