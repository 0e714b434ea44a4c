// XRay, section 3.5: the walk over a log of basic mode.
//
// All records have 32 bytes: the entry or exit of a function, or an argument of the entry before it. So records cannot
// be lost, and the machine (machine_basic.hpp) has no recovery: after a fault, the next 32 bytes are the next record.
//
// plain_phases() computes at compile time how the machine moves on function records that break no rule. The loop uses
// that table, and goes through the machine only for arguments and faults. Each thread has its own call stack, since the
// records of all threads are mixed.
#include "grammars/xray/xray.hpp"

#include "grammars/xray/checks/threads.hpp"
#include "grammars/xray/machine_basic.hpp"

namespace tracelint::xray {
namespace {

using Function = View<kBasicFunction>;
using Argument = View<kBasicArgument>;
static_assert(Function::offset_of<"padding">() == Argument::offset_of<"padding">());

constexpr BasicSymbol kSymbolOf[] = {BasicSymbol::entry, BasicSymbol::exit, BasicSymbol::exit, BasicSymbol::entry_args};
static_assert(std::size(kSymbolOf) == std::size(kActions));

constexpr bool is_exit(uint64_t action) { return action == kExit || action == kTailExit; }

// The machine, as far as function records raise no rule: the next phase by phase and action, else stopped.
using NextPhases = std::array<std::array<BasicPhase, std::size(kActions)>, static_cast<size_t>(BasicPhase::count_)>;
consteval NextPhases plain_phases() {
    NextPhases next{};
    for (size_t phase = 0; phase < next.size(); ++phase)
        for (size_t action = 0; action < std::size(kActions); ++action) {
            const auto& edge = kBasicMachine.at(static_cast<BasicPhase>(phase), kSymbolOf[action]);
            next[phase][action] = edge.rule == nullptr ? edge.to : BasicPhase::stopped;
        }
    return next;
}
constexpr NextPhases kPlainPhases = plain_phases();

bool has_padding(const uint8_t* record) {
    return load(record + Function::offset_of<"padding">(), Function::field<"padding">().width, ByteOrder::little) != 0;
}

class BasicWalk {
  public:
    BasicWalk(Window& window, ValidationContext& context, const HeaderFacts& header, WalkMode mode)
        : window_(window),
          context_(context),
          report_(context.report),
          header_(header),
          mode_(mode),
          threads_(context.budget, context.work) {}

    void run();

    // What take() asks for.
    void report(const Rule& rule, BasicSymbol symbol);
    void accept(BasicSymbol symbol);
    void skip(BasicSymbol symbol);
    void stop(BasicSymbol) {}

  private:
    // What an argument is compared with.
    struct Owner {
        uint64_t function_id = 0;
        uint64_t thread = 0;  // its key
    };

    // The first field in which an argument differs from its owner.
    struct Difference {
        Place place;
        uint64_t value, expected;
    };

    uint64_t index() const { return (offset_ - kHeaderSize) / kBasicSize; }
    Function function() const { return {data_, offset_, header_.order, index()}; }
    Argument argument() const { return {data_, offset_, header_.order, index()}; }
    template <class Record>
    uint64_t thread_of(const Record& record) const {
        const uint64_t process = header_.version < kWithProcesses ? 0 : record.template get<"process_id">();
        return process << 32 | record.template get<"thread_id">();
    }

    void take_all(Bytes records);
    template <ByteOrder Order>
    size_t take_plain(const uint8_t* records, size_t count);
    void take_one(Bytes bytes);
    BasicSymbol classify() const;
    std::optional<Difference> difference() const;
    void check_function(const Function& record);
    void check_thread(const Function& record);
    void check_calls(const Function& record, BasicThread& thread);
    void check_padding();
    void finish();

    Window& window_;
    ValidationContext& context_;
    Report& report_;
    const HeaderFacts header_;
    const WalkMode mode_;
    BasicThreads threads_;
    bool threads_tracked_ = true, calls_tracked_ = true;  // false once the budget is spent

    BasicPhase phase_ = BasicPhase::start;
    uint64_t offset_ = kHeaderSize;  // of the current record, in the file
    const uint8_t* data_ = nullptr;  // the record
    uint64_t size_ = 0;              // its bytes that are there
    std::optional<Owner> owner_;     // the last function record
    bool padding_seen_ = false;
    std::array<uint64_t, std::size(kActions)> by_action_{};
    uint64_t arguments_ = 0, faulty_ = 0;
};

void BasicWalk::run() {
    while (phase_ != BasicPhase::stopped) {
        const Bytes bytes = window_.view(offset_, kBasicSize);
        if (bytes.size() < kBasicSize) [[unlikely]]
            take_one(bytes);
        else
            take_all(bytes);
    }
    finish();
}

void BasicWalk::take_all(Bytes records) {
    const bool in_bulk = mode_ == WalkMode::fast;
    for (const uint8_t *at = records.data(), *const end = at + records.size() / kBasicSize * kBasicSize; at < end;) {
        if (in_bulk && calls_tracked_ && threads_tracked_) {
            const auto left = static_cast<size_t>(end - at) / kBasicSize;
            const size_t taken = header_.order == ByteOrder::little ? take_plain<ByteOrder::little>(at, left)
                                                                    : take_plain<ByteOrder::big>(at, left);
            at += taken * kBasicSize;
            offset_ += taken * kBasicSize;
            if (taken == left) return;
        }
        take_one({at, kBasicSize});
        at += kBasicSize;
    }
}

// Takes function records up to the first one that may be at fault, belongs to a thread not seen so far, or needs
// memory; that one is left to take_one(). Returns how many.
template <ByteOrder Order>
size_t BasicWalk::take_plain(const uint8_t* records, size_t count) {
    const uint64_t thread_mask = header_.version < kWithProcesses ? 0xffffffff : ~uint64_t{0};
    const uint64_t tail_exit = header_.version < kWithTailExits ? uint64_t{kTailExit} : kNone;
    BasicPhase phase = phase_;
    const uint8_t* at = records;
    for (const uint8_t* const end = at + count * kBasicSize; at < end; at += kBasicSize) {
        const Function record(at, 0, Order, 0);
        const uint64_t action = record.get<"action">(), tsc = record.get<"tsc">();
        const auto id = static_cast<uint32_t>(record.get<"function_id">());
        BasicThread* const thread =
            threads_.find((record.get<"process_id">() << 32 | record.get<"thread_id">()) & thread_mask);
        const BasicPhase next = kPlainPhases[static_cast<size_t>(phase)][action % std::size(kActions)];
        const bool odd = record.get<"type">() != 0 || action >= std::size(kActions) || action == tail_exit ||
                         static_cast<int32_t>(id) <= 0 || (!padding_seen_ && has_padding(at)) ||
                         next == BasicPhase::stopped || thread == nullptr || tsc < thread->tsc;
        if (odd || !thread->calls.step(id, is_exit(action))) [[unlikely]]
            break;
        thread->tsc = tsc;
        thread->cpu = record.get<"cpu">();
        phase = next;
        ++by_action_[action];
    }
    const auto taken = static_cast<size_t>(at - records) / kBasicSize;
    if (taken == 0) return 0;
    phase_ = phase;
    const Function last(at - kBasicSize, 0, Order, 0);
    owner_ = Owner{last.get<"function_id">(), thread_of(last)};
    return taken;
}

// --- One record through the machine ------------------------------------------------------------------------

void BasicWalk::take_one(Bytes bytes) {
    data_ = bytes.data();
    size_ = bytes.size();
    take(kBasicMachine, phase_, classify(), *this);
}

BasicSymbol BasicWalk::classify() const {
    if (size_ == 0) return BasicSymbol::end_of_file;
    if (size_ < kBasicSize) return BasicSymbol::cut_record;
    switch (function().get<"type">()) {
        case 0: {
            const uint64_t action = function().get<"action">();
            return action < std::size(kSymbolOf) ? kSymbolOf[action] : BasicSymbol::unknown_action;
        }
        case 1:
            if (!owner_) return BasicSymbol::first_argument;
            return difference() ? BasicSymbol::other_argument : BasicSymbol::argument;
        default: return BasicSymbol::unknown_type;
    }
}

// Between the argument at hand and the last function record, which there is.
std::optional<BasicWalk::Difference> BasicWalk::difference() const {
    const Argument found = argument();
    const uint64_t id = found.get<"function_id">(), thread = thread_of(found);
    if (id != owner_->function_id)
        return Difference{found.place<"function_id">(), static_cast<uint32_t>(id),
                          static_cast<uint32_t>(owner_->function_id)};
    if (static_cast<uint32_t>(thread) != static_cast<uint32_t>(owner_->thread))
        return Difference{found.place<"thread_id">(), static_cast<uint32_t>(thread),
                          static_cast<uint32_t>(owner_->thread)};
    if (thread != owner_->thread) return Difference{found.place<"process_id">(), thread >> 32, owner_->thread >> 32};
    return std::nullopt;
}

void BasicWalk::report(const Rule& rule, BasicSymbol symbol) {
    switch (symbol) {
        case BasicSymbol::cut_record: return report_.add(rule, function().whole(size_), {size_});
        case BasicSymbol::unknown_type:
            return report_.add(rule, function().place<"type">(), {function().get<"type">()});
        case BasicSymbol::unknown_action:
            return report_.add(rule, function().place<"action">(), {function().get<"action">()});
        case BasicSymbol::first_argument:
        case BasicSymbol::argument: return report_.add(rule, argument().whole(kBasicSize));
        case BasicSymbol::other_argument: {
            const Difference found = *difference();
            return report_.add(
                {.rule = &rule,
                 .place = found.place,
                 .numbers = {found.value, found.expected},
                 .hint = "a runtime with max_stack_depth omits deep entries, but writes their arguments"});
        }
        default: {  // the entry before it has no argument
            const Function before(nullptr, offset_ - kBasicSize, header_.order, index() - 1);
            return report_.add(rule, before.whole(kBasicSize));
        }
    }
}

void BasicWalk::accept(BasicSymbol symbol) {
    check_padding();
    if (is_argument(symbol))
        ++arguments_;
    else
        check_function(function());
    offset_ += kBasicSize;
}

void BasicWalk::skip(BasicSymbol symbol) {
    ++(is_argument(symbol) ? arguments_ : faulty_);
    offset_ += kBasicSize;
}

// --- Sound records -----------------------------------------------------------------------------------------

constexpr Rule kBasicTailExitInV1{
    .id = "xray/basic-tail-exit-in-v1",
    .severity = Severity::warning,
    .statement = "tail exits (action 2) exist since version 2",
    .message = "tail exit in a file of version 1",
    .why = "the version or the action is wrong; here it counts as an exit",
    .spec = "3.5 Basic mode",
    .since = "0.1.0",
};

constexpr Rule kBasicFunctionId{
    .id = "xray/basic-function-id",
    .severity = Severity::warning,
    .statement = "function ids are counted from 1",
    .message = "function_id is {0d}; ids are counted from 1",
    .why = "no function of the instrumentation map has this id: readers show a number instead of a name",
    .spec = "3.5 Basic mode",
    .since = "0.1.0",
};

void BasicWalk::check_function(const Function& record) {
    const uint64_t action = record.get<"action">(), id = record.get<"function_id">();
    ++by_action_[action];
    owner_ = Owner{id, thread_of(record)};
    if (action == kTailExit && header_.version < kWithTailExits)
        report_.add<kBasicTailExitInV1>(record.place<"action">());
    if (static_cast<int64_t>(id) <= 0) report_.add<kBasicFunctionId>(record.place<"function_id">(), {id});
    if (threads_tracked_) check_thread(record);
}

constexpr Rule kBasicTscBackwards{
    .id = "xray/basic-tsc-backwards",
    .severity = Severity::warning,
    .statement = "the TSC of a thread does not go backwards",
    .message = "tsc {0} is {1} below that of the thread's previous record",
    .why = "durations become negative: llvm-xray account stops here",
    .spec = "3.5 Basic mode",
    .since = "0.1.0",
    .severity_override =
        SeverityOverride{
            .severity = Severity::note,
            .when = "the thread moved to another CPU",
            .message = "tsc {0} is {1} below that of the thread's previous record, which is of another CPU",
            .why = "the counters of the CPUs differ; durations across the change are wrong"},
};

void BasicWalk::check_thread(const Function& record) {
    BasicThread* const thread = threads_.find_or_add(owner_->thread);
    if (thread == nullptr) {
        threads_.clear();
        return stop_tracking(context_, threads_tracked_, record.whole(0));
    }
    const uint64_t tsc = record.get<"tsc">(), cpu = record.get<"cpu">();
    if (tsc < thread->tsc) {
        report_.add({.rule = &kBasicTscBackwards,
                     .place = record.place<"tsc">(),
                     .numbers = {tsc, thread->tsc - tsc},
                     .is_overridden = cpu != thread->cpu});
    }
    thread->tsc = tsc;
    thread->cpu = cpu;
    if (calls_tracked_) check_calls(record, *thread);
}

constexpr Rule kBasicExitMismatch{
    .id = "xray/basic-exit-mismatch",
    .severity = Severity::note,
    .statement = "an exit is that of the thread's innermost open call",
    .message = "exits function {0}, but another one is the thread's innermost open call",
    .why = "legal after exceptions; readers that do not expect it lose the calls in between",
    .spec = "4.4 Function Record Order; 3.5 Basic mode",
    .since = "0.1.0",
};

void BasicWalk::check_calls(const Function& record, BasicThread& thread) {
    const auto id = static_cast<uint32_t>(record.get<"function_id">());
    const bool any_open = thread.calls.open() > 0;
    bool in_memory = true;
    if (!is_exit(record.get<"action">())) {
        in_memory = thread.calls.push(threads_.calls(), id);
    } else {
        const CallExit exit = thread.calls.leave(threads_.calls(), id);
        in_memory = exit != CallExit::no_memory;
        if (in_memory && any_open && exit != CallExit::of_top)
            report_.add<kBasicExitMismatch>(record.whole(kBasicSize), {id});
    }
    if (in_memory) return;
    threads_.drop_calls();
    stop_tracking(context_, calls_tracked_, record.whole(0));
}

constexpr Rule kBasicPaddingNonzero{
    .id = "xray/basic-padding-nonzero",
    .severity = Severity::note,
    .statement = "the last eight bytes of a basic record are zero",
    .message = "the padding of the record is not zero",
    .why = "readers ignore it; the runtime writes zeros",
    .spec = "3.5 Basic mode",
    .since = "0.1.0",
};

// Reported once per file.
void BasicWalk::check_padding() {
    if (padding_seen_ || !has_padding(data_)) return;
    padding_seen_ = true;
    constexpr uint64_t from = Function::offset_of<"padding">();
    report_.add<kBasicPaddingNonzero>(function().place<"padding">(from, kBasicSize - from));
}

void BasicWalk::finish() {
    auto& statistics = context_.statistics;
    uint64_t records = arguments_ + faulty_;
    for (const uint64_t count : by_action_) records += count;
    statistics.emplace_back("records", records);
    for (size_t action = 0; action < by_action_.size(); ++action)
        if (by_action_[action] != 0) statistics.emplace_back(kActions[action].name, by_action_[action]);
    if (arguments_ != 0) statistics.emplace_back(kBasicArgument.name, arguments_);
    if (threads_tracked_) statistics.emplace_back("threads", threads_.count());
    if (faulty_ != 0) statistics.emplace_back(kSkippedRecords, faulty_);
}

}  // namespace

void validate_basic(Window& window, ValidationContext& context, const HeaderFacts& header, WalkMode mode) {
    BasicWalk(window, context, header, mode).run();
}

constinit const RuleList kBasicRules =
    rules<&kBasicTailExitInV1, &kBasicFunctionId, &kBasicTscBackwards, &kBasicExitMismatch, &kBasicPaddingNonzero>;

}  // namespace tracelint::xray
