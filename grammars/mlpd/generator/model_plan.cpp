// Planned events.
#include "grammars/mlpd/generator/model_plan.hpp"

namespace tracelint::mlpd {
namespace {

constexpr uint64_t kObjects = 200;  // places that objects are drawn from

}  // namespace

Planned& Planned::with(std::string_view field, uint64_t number, uint64_t element) {
    given_.push_back({field, element, number, {}});
    return *this;
}

Planned& Planned::text(std::string_view field, std::string text, uint64_t element) {
    given_.push_back({field, element, 0, std::move(text) + '\0'});
    return *this;
}

Planned& Planned::list(std::string_view name, uint64_t count) {
    sizes_.emplace_back(name, count);
    return *this;
}

void Planned::fill(Value& value) const {
    for (const Given& given : given_) {
        if (given.field != value.leaf.field->name || given.element != value.leaf.element) continue;
        if (value.is_text())
            value.text = given.text;
        else
            value.leaf.number = given.number;
    }
}

uint64_t Planned::size_of(const Field& field) const {
    for (const auto& [name, count] : sizes_)
        if (name == field.name) return count;
    return 0;
}

SessionPlan::SessionPlan(Random& random, uint16_t version, uint8_t word_size) : random_(random), version_(version) {
    lowest_pointer_ = word_size == 4 ? pick<uint64_t>(random, {0x08000000, 0xf7000000}) : 0x7f3a'0000'1000;
    lowest_object_ = word_size == 4 ? pick<uint64_t>(random, {0x20000000, 0x7ffffc00}) : 0x7f51'2000'0000;
}

Planned& SessionPlan::add(const Record& record) {
    waiting_.emplace_back(record);
    return waiting_.back();
}

Planned SessionPlan::take() {
    Planned first = std::move(waiting_.front());
    waiting_.pop_front();
    return first;
}

void SessionPlan::open_buffer(uint64_t thread, uint64_t pointer, uint64_t object, uint64_t method) {
    clock_ += below(random_, 100'000);
    // Nothing of the kind in a buffer leaves 0 there.
    const auto or_none = [&](uint64_t base) { return one_in(random_, 8) ? 0 : base; };
    add(kBuffer)
        .with("time_base", clock_)
        .with("ptr_base", or_none(pointer))
        .with("obj_base", or_none(object >> 3))
        .with("thread_id", thread)
        .with("method_base", or_none(method));
}

Planned& SessionPlan::event(const Record& record) {
    const uint64_t passed = one_in(random_, 10) ? below(random_, 100'000'000) : below(random_, 3000);
    clock_ += passed;
    return add(record).with("time", passed);
}

Planned& SessionPlan::event(const Record& record, uint64_t op) { return event(record).with("op", op); }

void SessionPlan::make_earlier(Planned& event) {
    if (one_in(random_, 6)) event.with("time", uint64_t{0} - between(random_, 1, 1000));
}

uint64_t SessionPlan::new_pointer() { return lowest_pointer_ + 16 * ++pointers_; }

uint64_t SessionPlan::object() { return lowest_object_ + 8 * between(random_, 1, kObjects); }

}  // namespace tracelint::mlpd
