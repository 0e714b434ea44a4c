// The functions of the C interface that check an input.
#include "validator/bindings/c/errors.hpp"
#include "validator/bindings/c/report.hpp"

namespace tracelint::c {
namespace {

// An input that is read by the caller's functions. Whatever they return, this behaves as a source does.
class CallbackSource final : public Source {
  public:
    explicit CallbackSource(const tracelint_source& functions) : functions_(functions) {}

    size_t read(uint8_t* to, size_t bytes) override {
        const auto wanted = static_cast<size_t>(std::min<uint64_t>(bytes, saturating_sub(size(), at_)));
        if (!failure_.empty() || wanted == 0) return 0;
        const int64_t got = functions_.read(functions_.user, to, wanted);
        if (got < 0)
            failure_ = "cannot read: the caller's function failed";
        else if (static_cast<uint64_t>(got) > wanted)
            failure_ = "cannot read: the caller's function returned more bytes than it was asked for";
        else if (got == 0 && size() != kNone)
            failure_ = "cannot read: the input ends before its size";
        if (!failure_.empty()) return 0;
        at_ += static_cast<uint64_t>(got);
        return static_cast<size_t>(got);
    }

    bool seek(uint64_t offset) override {
        if (functions_.seek == nullptr) return false;
        if (functions_.seek(functions_.user, offset) == 0) {
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

// Checks what `open` gives with the caller's options.
template <class Open>
tracelint_error check_input(const char* path, const tracelint_options* of_caller, tracelint_report** report,
                            Open open) {
    auto choices = std::make_unique<CheckChoices>();
    if (const tracelint_error error = choices->take(of_caller); error != TRACELINT_OK) return error;
    std::string shown = choices->options.file_name;
    if (path != nullptr) shown = path;
    if (choices->options.file_name.empty() && path != nullptr) choices->options.file_name = path;
    if (shown.empty()) shown = "-";
    auto source = open();
    Outcome outcome = check(*source, choices->options);
    return hand_out(std::make_unique<CheckedReport>(std::move(shown), std::move(choices), std::move(outcome)), report);
}

}  // namespace
}  // namespace tracelint::c

using tracelint::c::fail;
using tracelint::c::guarded;

tracelint_error tracelint_check_file(const char* path, const tracelint_options* options, tracelint_report** report) {
    return guarded([&] {
        if (path == nullptr || report == nullptr) return fail(TRACELINT_ERROR_NULL_ARGUMENT);
        return tracelint::c::check_input(path, options, report, [&] { return tracelint::open_file(path); });
    });
}

tracelint_error tracelint_check_memory(const void* bytes, size_t length, const tracelint_options* options,
                                       tracelint_report** report) {
    return guarded([&] {
        if (report == nullptr || (bytes == nullptr && length != 0)) return fail(TRACELINT_ERROR_NULL_ARGUMENT);
        const tracelint::Bytes input(static_cast<const uint8_t*>(bytes), length);
        return tracelint::c::check_input(nullptr, options, report,
                                         [&] { return std::make_unique<tracelint::MemorySource>(input); });
    });
}

tracelint_error tracelint_check_callback(const tracelint_source* source, const tracelint_options* options,
                                         tracelint_report** report) {
    return guarded([&] {
        if (source == nullptr || report == nullptr) return fail(TRACELINT_ERROR_NULL_ARGUMENT);
        if (!tracelint::c::is_known(*source)) return fail(TRACELINT_ERROR_STRUCT_SIZE, "tracelint_source");
        if (source->read == nullptr) return fail(TRACELINT_ERROR_NULL_ARGUMENT, "tracelint_source.read");
        return tracelint::c::check_input(nullptr, options, report,
                                         [&] { return std::make_unique<tracelint::c::CallbackSource>(*source); });
    });
}
