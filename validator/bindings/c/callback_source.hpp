// An input that the caller's functions read.
#pragma once

#include <limits>

#include "tracelint/source.hpp"
#include "validator/bindings/c/errors.hpp"
#include "validator/tables/bytes.hpp"

namespace tracelint::c {

// Copies the caller's struct.
inline tracelint_error take_source(const tracelint_source* of_caller, tracelint_source& own) {
    if (of_caller == nullptr) return fail(TRACELINT_ERROR_NULL_ARGUMENT);
    if (!take(of_caller, own)) return fail(TRACELINT_ERROR_STRUCT_SIZE, "tracelint_source");
    return own.read == nullptr ? fail(TRACELINT_ERROR_NULL_ARGUMENT, "tracelint_source.read") : TRACELINT_OK;
}

// The library notices what they throw, and reads that return
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

}  // namespace tracelint::c
