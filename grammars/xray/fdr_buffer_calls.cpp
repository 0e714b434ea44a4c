// XRay, sections 3.3 and 4.4: the function records of a buffer, one by one and in bulk.
#include "grammars/xray/fdr_buffer_walk.hpp"
#include "grammars/xray/tracking_limit.hpp"

namespace tracelint::xray {
namespace {

// A function record as one number of 8 bytes in the order of the file, for take_calls().
template <ByteOrder Order>
struct FunctionWords {
    static constexpr bool kLittle = Order == ByteOrder::little;
    static constexpr uint32_t word(uint64_t record) { return static_cast<uint32_t>(kLittle ? record : record >> 32); }
    static constexpr uint32_t delta(uint64_t record) { return static_cast<uint32_t>(kLittle ? record >> 32 : record); }
    static constexpr uint32_t id(uint64_t record) { return kLittle ? word(record) >> 4 : word(record) & 0x0fffffff; }
    // Above every action where the discriminant is that of a metadata record.
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

constexpr Rule kFunctionIdZero{.id = "xray/function-id-zero",
                               .severity = Severity::warning,
                               .statement = "function ids are counted from 1",
                               .message = "function_id is 0; ids are counted from 1",
                               .why = "no function has this id; usually zero padding is being read as records",
                               .spec = "3.3 Function Records",
                               .since = "0.1.0"};

constexpr Rule kLargeDelta{.id = "xray/large-delta",
                           .severity = Severity::note,
                           .statement = "in version 5, a TSCWrap replaces a delta above 2^31 - 1",
                           .message = "tsc_delta is {0}; expected at most 2^31 - 1",
                           .why = "readers accept it; the runtime of version 5 never writes it",
                           .spec = "3.3 Function Records",
                           .since = "0.1.0"};

}  // namespace

void BufferWalk::check_function(Symbol symbol) {
    const auto function = record<kFunction>();
    const auto id = static_cast<uint32_t>(function.get<"function_id">());
    const uint64_t delta = function.get<"tsc_delta">();
    if (symbol == Symbol::entry_args) args_ = here(kFunctionSize);
    if (id == 0 && !id_zero_reported_) {
        id_zero_reported_ = true;
        file_.report.add<kFunctionIdZero>(function.place<"function_id">());
    }
    check_overflow(delta, function.place<"tsc_delta">());
    if (delta > largest_delta(version_)) file_.report.add<kLargeDelta>(function.place<"tsc_delta">(), {delta});
    check_call(id, symbol == Symbol::exit);
    if (tsc_known_) tsc_ += delta;
}

// --- calls -------------------------------------------------------------------------------------------------------

namespace {

constexpr Rule kExitMismatch{
    .id = "xray/exit-mismatch",
    .severity = Severity::note,
    .statement = "an exit is that of the innermost open call",
    .message = "exits function {0}, but {1} is the innermost open call",
    .why = "legal after exceptions, longjmp and pthread_exit; readers guess how long the functions ran",
    .spec = "4.4 Function Record Order",
    .since = "0.1.0"};

constexpr Rule kExitWithoutEntry{
    .id = "xray/exit-without-entry",
    .severity = Severity::note,
    .statement = "a function that exits was entered in the same buffer",
    .message = "exits function {0}, but no call is open in this buffer",
    .why =
        "legal: the entry is in an earlier buffer of the thread or was overwritten in the ring; reports miss the "
        "call",
    .spec = "4.4 Function Record Order",
    .since = "0.1.0"};

}  // namespace

void BufferWalk::check_call(uint32_t id, bool is_exit) {
    CallStack<OpenCall>& calls = file_.calls;
    if (!file_.calls_tracked) return;
    if (!is_exit) {
        if (!calls.push(file_.open_calls, id)) stop_tracking_calls();
        return;
    }
    if (calls.open() == 0) {
        if (file_.threads.is_first_orphan(identity_.thread, here(0)))
            file_.report.add<kExitWithoutEntry>(here(kFunctionSize), {id});
        return;
    }
    const uint32_t top = calls.top().key;
    const CallExit exit = calls.leave(file_.open_calls, id);
    if (exit == CallExit::no_memory) return stop_tracking_calls();
    if (exit != CallExit::of_top) file_.report.add<kExitMismatch>(here(kFunctionSize), {id, top});
}

void BufferWalk::stop_tracking_calls() {
    file_.calls.clear(file_.open_calls);
    file_.open_calls.counts.clear();
    stop_tracking(file_.context, file_.calls_tracked, here(0));
}

// --- in bulk -----------------------------------------------------------------------------------------------------

// Takes the function records at the cursor up to the first one that may be at fault. False: there are none. Nearly all
// time is spent here: all that a record changes is in registers, and no branch depends on whether a function is entered
// or exits.
template <ByteOrder Order>
bool BufferWalk::take_calls() {
    using Calls = FunctionWords<Order>;
    const bool is_argument_due = phase_ == Phase::after_entry_args && version_ >= 5;
    if (file_.mode == WalkMode::plain) return false;
    if (!is_sound_body(phase_) || is_argument_due || !tsc_known_ || !file_.calls_tracked) return false;
    size_t records = std::min<uint64_t>(bytes_.size(), left()) / kFunctionSize;
    // No sum of this many deltas overflows (xray/tsc-overflow).
    if (tsc_ > kNone - (uint64_t{records} << 32)) return false;

    const auto most_delta = static_cast<uint32_t>(largest_delta(version_));
    const uint8_t* const first = bytes_.data();
    const uint8_t* at = first;
    uint64_t tsc = tsc_, actions = 0, opened = 0;
    {
        CallStack<OpenCall>::RunInRoom calls(file_.calls);
        records = std::min(records, calls.room());
        const size_t open_before = calls.open();
        for (const uint8_t* const end = first + records * kFunctionSize; at != end; at += kFunctionSize) {
            const uint64_t record = load(at, 8, Order);
            const uint32_t id = Calls::id(record), delta = Calls::delta(record);
            const uint32_t action = Calls::action_if_function(record);
            if (action > kTailExit) [[unlikely]]
                break;
            if (id == 0 || delta > most_delta) [[unlikely]]
                break;
            if (!calls.step(id, (action + 1) / 2)) [[unlikely]]
                break;
#ifdef TRACELINT_AGREEMENT
            const View<kFunction> plain(at, 0, Order, kNone);
            agree(plain.get<"discriminant">(), 0);
            agree(plain.get<"action">(), action);
            agree(plain.get<"function_id">(), id);
            agree(plain.get<"tsc_delta">(), delta);
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
    const bool is_entered = Calls::action_if_function(load(at - kFunctionSize, 8, Order)) == kEntry;
    phase_ = is_entered ? Phase::after_entry : Phase::body;
    at_ += taken * kFunctionSize;
    file_.index += taken;
    last_record_ = View<kFunction>(nullptr, at_, Order, file_.index - 1).whole(0);
    return true;
}

template bool BufferWalk::take_calls<ByteOrder::little>();
template bool BufferWalk::take_calls<ByteOrder::big>();

namespace {
constexpr const Rule* kRuleList[] = {&kFunctionIdZero, &kLargeDelta, &kExitMismatch, &kExitWithoutEntry};
}
constinit const RuleList kBufferCallRules{kRuleList};

}  // namespace tracelint::xray
