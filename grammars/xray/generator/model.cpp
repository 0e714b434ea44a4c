// What the models of the three families share.
#include "grammars/xray/generator/model.hpp"

#include "grammars/xray/generator/model_plan.hpp"

namespace tracelint::xray {
namespace {

constexpr uint64_t kEmulatedTsc = 1'000'000'000;  // Hz, of a runtime that reads a clock instead of the TSC
constexpr char kPattern = '\xaa';                 // with which a compiler fills uninitialised variables
constexpr uint64_t kBusyDepth = 8;                // above this depth, returns are more likely than calls

}  // namespace

FamilyModel::FamilyModel(Random& random, ByteOrder order) : PlannedModel(random) {
    layout_.order = order;
    unused_ =
        pick(random, {Unused::zeros, Unused::zeros, Unused::zeros, Unused::zeros, Unused::pattern, Unused::memory});
}

void FamilyModel::plan(uint64_t written, uint64_t wanted) {
    if (written == 0) return add(plan_header(wanted));
    if (written >= wanted && has_body_) return;
    has_body_ = true;
    plan_body(saturating_sub(wanted, written));
}

void FamilyModel::fill(Value& value, const RecordValues& so_far) {
    PlannedModel::fill(value, so_far);
    const Field& field = *value.leaf.field;
    // Payloads, and what follows the end of a buffer, have no fixed width.
    if (field.type != Type::bytes || field.width == 0 || unused_ == Unused::memory) return;
    std::fill(value.text.begin(), value.text.end(), unused_ == Unused::pattern ? kPattern : '\0');
}

PlannedRecord FamilyModel::file_header(uint64_t type) {
    const uint64_t hertz =
        pick<uint64_t>(random_, {kEmulatedTsc, kEmulatedTsc, 2'600'000'000, 3'000'000'000, 1'000'000, 100'000'000'000});
    return PlannedRecord(kHeader, {{"version", layout_.version}, {"type", type}, {"cycle_frequency", hertz}});
}

Calls::Calls(Random& random, uint64_t largest_id, bool tail_exits)
    : random_(&random), largest_id_(largest_id), tail_exits_(tail_exits) {
    for (uint64_t left = below(random, 5); left > 0; --left) open_.push_back(draw_function());
}

Calls::Call Calls::next() {
    Random& random = *random_;
    if (std::exchange(enters_next_, false)) return enter();
    if (open_.empty()) return one_in(random, 16) ? Call{kExit, draw_function()} : enter();
    if (below(random, 2 * kBusyDepth) >= open_.size()) return enter();
    if (one_in(random, 24)) return {kExit, draw_function()};
    if (one_in(random, 16)) open_.resize(between(random, 1, open_.size()));  // an exception
    enters_next_ = tail_exits_ && one_in(random, 6);
    return leave(enters_next_ ? kTailExit : kExit);
}

void Calls::lose_some() {
    open_.resize(below(*random_, open_.size() + 1));
    for (uint64_t left = below(*random_, 3); left > 0; --left) open_.push_back(draw_function());
}

uint64_t Calls::draw_function() { return one_in(*random_, 64) ? largest_id_ : between(*random_, 1, 40); }

Calls::Call Calls::enter() {
    open_.push_back(draw_function());
    return {kEntry, open_.back()};
}

Calls::Call Calls::leave(Action action) {
    const uint64_t function = open_.back();
    open_.pop_back();
    return {action, function};
}

std::unique_ptr<Model> make_model(Random& random, const ModelOptions& options) {
    const bool big = one_in(random, 3);
    const ByteOrder order = options.byte_order.value_or(big ? ByteOrder::big : ByteOrder::little);
    const uint64_t family = below(random, 8);
    if (family < 5) return make_fdr_model(random, order);
    return family < 7 ? make_basic_model(random, order) : make_profile_model(random, order);
}

}  // namespace tracelint::xray
