// nettrace, section 4.5: the layout of payloads, as the fields of a metadata row give it.
#pragma once

#include "validator/memory/vectors.hpp"
#include "validator/tables/bytes.hpp"

namespace tracelint::nettrace {

// A step of a layout. Fields in objects stand in a row with those of the objects.
struct PayloadStep {
    enum class Kind : uint8_t {
        bytes,        // `count` bytes
        text,         // UTF-16 up to a zero
        varint,       //
        array,        // a count of 16 bits, and as many times the next `body` steps
        fixed_array,  // `count` times the next `body` steps
        unknown,      // nothing is judged from here on
    };
    Kind kind = Kind::bytes;
    uint64_t count = 0;
    uint32_t body = 0;
};

using PayloadSteps = std::span<const PayloadStep>;

// What follows from the fields of a payload.
struct PayloadEnd {
    enum class How : uint8_t { known, unknown, beyond } how = How::unknown;
    uint64_t size = 0;  // bytes of the fields, if it is known; those that they need at least, if they go beyond
};

PayloadEnd end_of_payload(PayloadSteps steps, Bytes payload, WorkCounter& work);

// Adds steps to a list. An array whose elements take no bytes is unknown.
class PayloadBuilder {
  public:
    explicit PayloadBuilder(Budget& budget) : steps_(budget) {}

    void clear() {
        steps_.clear();
        is_complete_ = true;
    }
    void add_bytes(uint64_t count);
    void add(PayloadStep::Kind kind);
    // Before and after the steps of an element.
    size_t begin_array(PayloadStep::Kind kind, uint64_t count);
    void end_array(size_t at, uint64_t count = 0);
    // Takes back what was added since the array began.
    void drop(size_t at);

    // Whether there was memory for all steps.
    bool is_complete() const { return is_complete_; }
    PayloadSteps steps() const { return {steps_.begin(), steps_.size()}; }
    bool empty() const { return steps_.empty(); }

  private:
    void push(const PayloadStep& step) { is_complete_ = steps_.push_back(step) && is_complete_; }

    BudgetedVector<PayloadStep> steps_;
    bool is_complete_ = true;
    size_t closed_ = 0;  // steps before this one are not added to: arrays end there
};

}  // namespace tracelint::nettrace
