// xray, section 4.2 step 7: function records (rules 27, 33, 35, 42, 43), one by one and in a row. Part of
// BufferWalk.
#pragma once

#include "grammars/xray/fdr_buffer.hpp"

namespace tracelint::xray {

// A function record as one number of 8 bytes in the file's order (3.3), for take_calls().
template <ByteOrder Order>
struct FunctionWords {
    static constexpr bool kLittle = Order == ByteOrder::little;
    static constexpr uint32_t word(uint64_t record) { return static_cast<uint32_t>(kLittle ? record : record >> 32); }
    static constexpr uint32_t delta(uint64_t record) { return static_cast<uint32_t>(kLittle ? record >> 32 : record); }
    static constexpr uint32_t id(uint64_t record) { return kLittle ? word(record) >> 4 : word(record) & 0x0fffffff; }
    // A number above every action where the discriminant is that of a metadata record.
    static constexpr uint32_t action_if_function(uint64_t record) {
        return kLittle ? std::rotr(word(record) & 15, 1) : word(record) >> 28;
    }
    // By action: the first byte of a record whose function id ends in zeros.
    static constexpr std::array<uint8_t, 4> kFirstByte =
        kLittle ? std::array<uint8_t, 4>{0x00, 0x02, 0x04, 0x06} : std::array<uint8_t, 4>{0x00, 0x10, 0x20, 0x30};
};

static_assert(kFunction.find("discriminant")->bit_width == 1 && kFunction.find("action")->bit_offset == 1 &&
              kFunction.find("action")->bit_width == 3 && kFunction.find("function_id")->bit_offset == 4 &&
              fixed_offset(kFunction, "tsc_delta", {}) == 4);

template <Layout L>
void BufferWalk<L>::process_function(Symbol symbol) {
    const auto function = record<kFunction>();
    const auto id = static_cast<uint32_t>(function.template get<"function_id">());
    const uint64_t delta = function.template get<"tsc_delta">();
    if (symbol == Symbol::entry_args) args_ = here(kFunctionSize);
    if (id == 0 && !id_zero_said_) {
        id_zero_said_ = true;
        file_.report.add(kFunctionIdZero, function.template place<"function_id">());
    }
    check_overflow(delta, function.template place<"tsc_delta">());
    if (delta > kLargestDelta) file_.report.add(kLargeDelta, function.template place<"tsc_delta">(), {delta});
    process_call(id, symbol == Symbol::exit);
    if (tsc_known_) tsc_ += delta;
}

// Rules 42 and 43.
template <Layout L>
void BufferWalk<L>::process_call(uint32_t id, bool leaves) {
    CallStack<OpenCall>& calls = file_.calls;
    if (!file_.calls_tracked) return;
    if (!leaves) {
        if (!calls.push(file_.open_calls, id)) stop_calls();
        return;
    }
    if (calls.open() == 0) {
        if (file_.threads.is_first_orphan(identity_.thread, here(0)))
            file_.report.add(kExitWithoutEntry, here(kFunctionSize), {id});
        return;
    }
    const uint32_t top = calls.top().key;
    const CallExit exit = calls.leave(file_.open_calls, id);
    if (exit == CallExit::no_memory) return stop_calls();
    if (exit != CallExit::of_top) file_.report.add(kExitMismatch, here(kFunctionSize), {id, top});
}

template <Layout L>
void BufferWalk<L>::stop_calls() {
    file_.calls.clear(file_.open_calls);
    file_.open_calls.counts.clear();
    stop_tracking(file_.context, file_.calls_tracked, here(0));
}

// Takes the function records at the cursor as long as there is nothing to say about them; false if there is
// none such. This is where nearly all time goes: of what a record changes, all is in registers, and no branch
// depends on whether a function is entered or left.
template <Layout L>
bool BufferWalk<L>::take_calls() {
    using Calls = FunctionWords<L.order>;
    const bool notes_next = phase_ == Phase::after_entry_args && L.version >= 5;
    if (file_.mode == WalkMode::plain) return false;
    if (notes_next || muted_ || doubt_ || !tsc_known_ || !file_.calls_tracked) return false;
    size_t records = std::min<uint64_t>(bytes_.size(), left()) / kFunctionSize;
    // No sum of this many deltas overflows (rule 33).
    if (tsc_ > kNone - (uint64_t{records} << 32)) return false;

    const uint8_t* const first = bytes_.data();
    const uint8_t* at = first;
    uint64_t tsc = tsc_, actions = 0, opened = 0;
    {
        CallStack<OpenCall>::RunInRoom calls(file_.calls);
        records = std::min(records, calls.room());
        const size_t open_before = calls.open();
        for (const uint8_t* const end = first + records * kFunctionSize; at != end; at += kFunctionSize) {
            const uint64_t record = load(at, 8, L.order);
            const uint32_t id = Calls::id(record), delta = Calls::delta(record);
            const uint32_t action = Calls::action_if_function(record);
            if (action > kTailExit) [[unlikely]]
                break;
            if (id == 0 || delta > kLargestDelta) [[unlikely]]
                break;
            if (!calls.step(id, (action + 1) / 2)) [[unlikely]]
                break;
#ifdef TRACELINT_AGREEMENT
            const View<kFunction, L> plain(at, 0, L.order, kNone);
            agree(plain.template get<"discriminant">(), 0);
            agree(plain.template get<"action">(), action);
            agree(plain.template get<"function_id">(), id);
            agree(plain.template get<"tsc_delta">(), delta);
#endif
            tsc += delta;
            actions += action;
        }
        opened = calls.open() - open_before;
    }
    const auto taken = static_cast<uint64_t>(at - first) / kFunctionSize;
    if (taken == 0) return false;

    // Entries less exits are `opened`, and a Tail_Exit adds 2 to `actions`, an Exit 1.
    const uint64_t entries = (taken + opened) / 2, exits = taken - entries, tail_exits = actions - exits;
    file_.by_first_byte[Calls::kFirstByte[kEntry]] += entries;
    file_.by_first_byte[Calls::kFirstByte[kExit]] += exits - tail_exits;
    file_.by_first_byte[Calls::kFirstByte[kTailExit]] += tail_exits;
    tsc_ = tsc;
    const bool entered = Calls::action_if_function(load(at - kFunctionSize, 8, L.order)) == kEntry;
    phase_ = entered ? Phase::after_entry : Phase::body;
    at_ += taken * kFunctionSize;
    file_.index += taken;
    last_record_ = View<kFunction>(nullptr, at_, L.order, file_.index - 1).whole(0);
    return true;
}

}  // namespace tracelint::xray
