// XRay, sections 3.3 and 4.4: the function records of a buffer, one by one and in bulk.
#include "grammars/xray/checks/threads.hpp"
#include "grammars/xray/walk_fdr_buffer.hpp"

namespace tracelint::xray {
namespace {

using CallRun = BufferCalls::RunInRoom;

// A function record as one number of 8 bytes in the order of the file, for take_calls().
template <ByteOrder Order>
struct FunctionWords {
    static constexpr bool kLittle = Order == ByteOrder::little;
    static constexpr uint32_t kIdBits = 0x0fffffff;

    // Discriminant and action.
    static constexpr size_t kind(uint64_t record) { return kLittle ? record & 15 : record >> 60; }
    // The function id, and the kind above it. An entry, whose kind is 0, has the number of its function.
    static constexpr uint32_t call(uint64_t record) {
        return kLittle ? std::rotr(static_cast<uint32_t>(record), 4) : static_cast<uint32_t>(record >> 32);
    }
    static constexpr uint32_t delta(uint64_t record) { return static_cast<uint32_t>(kLittle ? record >> 32 : record); }
    // The bits of a record that are not 0 where its delta is above `most`, a power of 2 less 1.
    static constexpr uint64_t delta_above(uint32_t most) { return uint64_t{~most} << (kLittle ? 32 : 0); }
    // The first byte of a record of this kind whose function id ends in zeros.
    static constexpr uint8_t first_byte(size_t kind) { return static_cast<uint8_t>(kLittle ? kind : kind << 4); }
    static constexpr size_t kind_of(Action action) { return size_t{action} << (kLittle ? 1 : 0); }

    // By kind: an exit must match the innermost call; nothing matches what is neither an entry nor an exit.
    static constexpr std::array<CallRun::Effect, 16> kEffects = [] {
        std::array<CallRun::Effect, 16> effects{};
        effects.fill({~uint32_t{0}, 0});
        effects[kind_of(kEntry)] = {0, 1};
        effects[kind_of(kExit)] = effects[kind_of(kTailExit)] = {kIdBits, -1};
        return effects;
    }();
    static_assert(kind_of(kEntry) == 0 && kind_of(kTailExit) == 2 * kind_of(kExit));
    static_assert(!is_metadata(first_byte(kind_of(kEntryArgs)), Order) &&
                  action_of(first_byte(kind_of(kEntryArgs)), Order) == kEntryArgs);
};

static_assert(kFunction.find("discriminant")->bit_width == 1 && kFunction.find("action")->bit_offset == 1 &&
              kFunction.find("action")->bit_width == 3 && kFunction.find("function_id")->bit_offset == 4 &&
              fixed_offset(kFunction, "tsc_delta", {}) == 4);

constexpr Rule kFunctionIdZero{
    .id = "xray/function-id-zero",
    .severity = Severity::warning,
    .statement = "function ids are counted from 1",
    .message = "function_id is 0; ids are counted from 1",
    .why = "no function has this id; usually zero padding is being read as records",
    .spec = "3.3 Function Records",
    .since = "0.1.0",
};

constexpr Rule kLargeDelta{
    .id = "xray/large-delta",
    .severity = Severity::note,
    .statement = "in version 5, a TSCWrap replaces a delta above 2^31 - 1",
    .message = "tsc_delta is {0}; expected at most 2^31 - 1",
    .why = "readers accept it; the runtime of version 5 never writes it",
    .spec = "3.3 Function Records",
    .since = "0.1.0",
};

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
    if (overflows(delta)) [[unlikely]]
        report_overflow(delta, function.place<"tsc_delta">());
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
    .since = "0.1.0",
};

constexpr Rule kExitWithoutEntry{
    .id = "xray/exit-without-entry",
    .severity = Severity::note,
    .statement = "a function that exits was entered in the same buffer",
    .message = "exits function {0}, but no call is open in this buffer",
    .why =
        "legal: the entry is in an earlier buffer of the thread or was overwritten in the ring; reports miss the "
        "call",
    .spec = "4.4 Function Record Order",
    .since = "0.1.0",
};

}  // namespace

void BufferWalk::check_call(uint32_t id, bool is_exit) {
    BufferCalls& calls = file_.calls;
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

namespace {

// What the records of a run add up to.
struct RunSums {
    uint64_t kinds = 0;  // of entries and exits
    uint64_t deltas = 0;
};

// Takes entries and exits from `at` on up to `end`, or to the first record that is another one or may be at fault, and
// returns where that is. Nearly all time is spent here: all that a record changes is in registers, and no branch
// depends on whether a function is entered or exits.
template <ByteOrder Order>
const uint8_t* take_run(const uint8_t* at, const uint8_t* const end, uint64_t delta_above, CallRun& calls,
                        RunSums& sums) {
    using Calls = FunctionWords<Order>;
    RunSums more;
    for (; at != end; at += kFunctionSize) {
        const uint64_t record = load(at, 8, Order);
        const uint32_t call = Calls::call(record);
        if ((call & Calls::kIdBits) == 0 || (record & delta_above) != 0) [[unlikely]]
            break;
        const size_t kind = Calls::kind(record);
        if (!calls.step(call, Calls::kEffects[kind])) [[unlikely]]
            break;
        more.kinds += kind;
        more.deltas += Calls::delta(record);
#ifdef TRACELINT_AGREEMENT
        const View<kFunction> plain(at, 0, Order, kNone);
        agree(plain.get<"discriminant">(), 0);
        agree(Calls::kind_of(static_cast<Action>(plain.get<"action">())), kind);
        agree(plain.get<"function_id">(), call & Calls::kIdBits);
        agree(plain.get<"tsc_delta">(), Calls::delta(record));
#endif
    }
    sums.kinds += more.kinds;
    sums.deltas += more.deltas;
    return at;
}

}  // namespace

// Whether an entry with arguments and its argument are there, and nothing is to be reported of them.
template <ByteOrder Order>
bool BufferWalk::is_plain_entry_with_argument(Bytes bytes, uint64_t delta_above) const {
    using Calls = FunctionWords<Order>;
    if (bytes.size() < kFunctionSize + kMetadataSize) return false;
    const uint64_t record = load(bytes.data(), 8, Order);
    if (Calls::kind(record) != Calls::kind_of(kEntryArgs) || (record & delta_above) != 0) return false;
    if ((Calls::call(record) & Calls::kIdBits) == 0) return false;
    const Bytes argument = bytes.subspan(kFunctionSize);
    if (argument[0] != introducer(kCallArgumentKind, Order)) return false;
    return file_.reserved_reported || nonzero_reserved<View<kCallArgument>>(argument) == kMetadataSize;
}

// Takes the function records at the cursor up to the first one that may be at fault, and the arguments that belong to
// them. False if there were no such records.
template <ByteOrder Order>
bool BufferWalk::take_calls() {
    using Calls = FunctionWords<Order>;
    const bool is_argument_due = phase_ == Phase::after_entry_args && version_ >= 5;
    if (file_.mode == WalkMode::plain) return false;
    if (!is_sound_body(phase_) || is_argument_due || !tsc_known_ || !file_.calls_tracked) return false;
    const Bytes all = bytes_.first(std::min<uint64_t>(bytes_.size(), left()));
    // No sum of this many deltas overflows (xray/tsc-overflow).
    if (tsc_ > kNone - (uint64_t{all.size() / kFunctionSize} << 32)) return false;

    const uint64_t delta_above = Calls::delta_above(static_cast<uint32_t>(largest_delta(version_)));
    const uint8_t* const first = all.data();
    const uint8_t* at = first;
    const uint8_t* argument_end = nullptr;  // of the last argument
    RunSums sums;
    uint64_t opened = 0, arguments = 0;
    {
        CallRun calls(file_.calls);
        const size_t open_before = calls.open();
        while (true) {
            const Bytes left = all.subspan(static_cast<size_t>(at - first));
            const uint8_t* const end = at + std::min<size_t>(left.size() / kFunctionSize, calls.room()) * kFunctionSize;
            if (at == end) break;
            at = take_run<Order>(at, end, delta_above, calls, sums);
            if (at == end) continue;
            if (!is_plain_entry_with_argument<Order>(all.subspan(static_cast<size_t>(at - first)), delta_above)) break;
            const View<kFunction> entry(at, 0, Order, kNone);
            calls.step(static_cast<uint32_t>(entry.get<"function_id">()), Calls::kEffects[Calls::kind_of(kEntry)]);
            sums.deltas += entry.get<"tsc_delta">();
            ++arguments;
            at = argument_end = at + kFunctionSize + kMetadataSize;
        }
        opened = uint64_t{calls.open()} - open_before;  // modulo 2^64 where more calls end than begin
    }
    if (at == first) return false;

    // Entries less exits are `opened`. Of kinds, a Tail_Exit adds twice what an Exit adds.
    const auto size = static_cast<uint64_t>(at - first);
    const uint64_t taken = (size - arguments * kMetadataSize) / kFunctionSize;
    const uint64_t entries = (taken + opened) / 2, exits = taken - entries;
    const uint64_t tail_exits = sums.kinds / Calls::kind_of(kExit) - exits;
    const auto count = [&](Action action, uint64_t more) {
        file_.by_first_byte[Calls::first_byte(Calls::kind_of(action))] += more;
    };
    count(kEntry, entries - arguments);
    count(kEntryArgs, arguments);
    count(kExit, exits - tail_exits);
    count(kTailExit, tail_exits);
    file_.by_first_byte[introducer(kCallArgumentKind, Order)] += arguments;
    tsc_ += sums.deltas;
    if (at == argument_end) {
        phase_ = Phase::after_arg;
    } else {
        const bool is_entered = Calls::kind(load(at - kFunctionSize, 8, Order)) == Calls::kind_of(kEntry);
        phase_ = is_entered ? Phase::after_entry : Phase::body;
    }
    at_ += size;
    file_.index += taken + arguments;
    last_record_ = View<kFunction>(nullptr, at_, Order, file_.index - 1).whole(0);
    return true;
}

template bool BufferWalk::take_calls<ByteOrder::little>();
template bool BufferWalk::take_calls<ByteOrder::big>();

constinit const RuleList kBufferCallRules = rules<&kFunctionIdZero, &kLargeDelta, &kExitMismatch, &kExitWithoutEntry>;

}  // namespace tracelint::xray
