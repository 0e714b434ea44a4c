// Plans buffers and events.
#include "grammars/mlpd/generator/model_plan.hpp"

namespace tracelint::mlpd {
namespace {

constexpr uint64_t kObjects = 200;  // addresses that objects are drawn from

}  // namespace

SessionPlan::SessionPlan(Random& random, PlannedRecords& records, uint16_t version, uint8_t word_size)
    : random_(random), records_(records), version_(version) {
    lowest_pointer_ = word_size == 4 ? pick<uint64_t>(random, {0x08000000, 0xf7000000}) : 0x7f3a'0000'1000;
    lowest_object_ = word_size == 4 ? pick<uint64_t>(random, {0x20000000, 0x7ffffc00}) : 0x7f51'2000'0000;
}

PlannedRecord& SessionPlan::add(const Record& record) { return records_.emplace_back(record); }

void SessionPlan::open_buffer(uint64_t thread, uint64_t pointer, uint64_t object, uint64_t method) {
    clock_ += below(random_, 100'000);
    // A base is 0 if nothing in the buffer is relative to it.
    const auto or_none = [&](uint64_t base) { return one_in(random_, 8) ? 0 : base; };
    add(kBuffer)
        .with("time_base", clock_)
        .with("ptr_base", or_none(pointer))
        .with("obj_base", or_none(object >> 3))
        .with("thread_id", thread)
        .with("method_base", or_none(method));
}

PlannedRecord& SessionPlan::event(const Record& record) {
    const uint64_t passed = one_in(random_, 10) ? below(random_, 100'000'000) : below(random_, 3000);
    clock_ += passed;
    return add(record).with("time", passed);
}

PlannedRecord& SessionPlan::event(const Record& record, uint64_t op) { return event(record).with("op", op); }

void SessionPlan::make_earlier(PlannedRecord& event) {
    if (one_in(random_, 6)) event.with("time", uint64_t{0} - between(random_, 1, 1000));
}

uint64_t SessionPlan::new_pointer() { return lowest_pointer_ + 16 * ++pointers_; }

uint64_t SessionPlan::object() { return lowest_object_ + 8 * between(random_, 1, kObjects); }

}  // namespace tracelint::mlpd
