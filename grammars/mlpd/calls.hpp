// mlpd, sections 4.3 and 5, rules 84 to 86: the methods that are open on one thread.
#pragma once

#include "grammars/mlpd/file_state.hpp"
#include "validator/sorted_table.hpp"

namespace tracelint::mlpd {

inline constexpr Rule kLeaveWithoutEnter{
    .id = "mlpd/leave-without-enter",
    .severity = Severity::warning,
    .statement = "a method is left while one is open on the thread",
    .message = "method {0x} is left on thread {1x}, and none is open there",
    .why = "mprof-report ignores the event: the call and its time are missing from the profile",
    .spec = "mono profiler/log.h, methods (4.3, 5 rule 84)"};

inline constexpr Rule kLeaveMismatch{
    .id = "mlpd/leave-mismatch",
    .severity = Severity::warning,
    .statement = "the method that is left is the one entered last on the thread",
    .message = "method {0x} is left on thread {2x}, and {1x} was entered last",
    .why = "reports charge the time to the wrong callers",
    .spec = "mono profiler/log.h, methods (4.3, 5 rule 85)",
    .milder = Milder{Severity::note, "an exception leaves the method", {}, "the calls between are taken as left, too"}};

inline constexpr Rule kCallStackOpenAtEnd{
    .id = "mlpd/call-stack-open-at-end",
    .severity = Severity::note,
    .statement = "a thread leaves the methods that it enters",
    .message = "{0 method is|methods are} still open on thread {1x} at the end of the file; {2x} was entered last",
    .why = "usual where the process ended or was killed in them; mprof-report counts them as leftovers",
    .spec = "mono profiler/log.h, methods (4.3, 5 rule 86)",
    .about_end = true,
    .decided_later = true};

inline constexpr const Rule* kCallRules[] = {&kLeaveWithoutEnter, &kLeaveMismatch, &kCallStackOpenAtEnd};

struct OpenCall {
    uint64_t method = 0;
    ShortSpot enter{};
};

// What the stacks of a file share: memory, and how often each method is open on each stack. Only calls below a LEAVE
// that missed the top are counted, each once, so that such a LEAVE need not look through its stack.
struct OpenCalls {
    OpenCalls(Budget& with, WorkCounter& work) : budget(with), counts(with, work) {}

    struct Count {
        struct Key {
            uint64_t stack;
            uint64_t method;
            auto operator<=>(const Key&) const = default;
        } key;
        uint64_t open;
    };
    Budget& budget;
    SortedTable<Count> counts;
};

class CallStack {
  public:
    // `number`: no other stack with the same OpenCalls has it.
    explicit CallStack(uint64_t number) : number_(number) {}
    CallStack(const CallStack&) = delete;
    CallStack& operator=(const CallStack&) = delete;
    ~CallStack() { release(); }

    uint64_t open() const { return depth_; }
    // The one entered last; only where one is open.
    const OpenCall& top() const { return calls_[depth_]; }

    // Many calls in a row, with nothing but a pointer to change. The stack itself must not be used meanwhile.
    class Run {
      public:
        explicit Run(CallStack& stack)
            : stack_(stack),
              top_(stack.calls_ + stack.depth_),
              floor_(address_of(stack.calls_ + stack.counted_)),
              room_((stack.limit_ - stack.counted_) * sizeof(OpenCall)) {}
        ~Run() { stack_.depth_ = static_cast<uint64_t>(top_ - stack_.calls_); }
        Run(const Run&) = delete;
        Run& operator=(const Run&) = delete;

        // Enters a method (leaves = 0), or leaves it if it is the top one (1). Without a branch, since nothing
        // foretells which of the two comes next. False: nothing is done, ask push() or leave().
        bool step(uint64_t method, uint32_t leaves, ShortSpot event) {
            // Masks: of conditions compilers make branches.
            const uint64_t misses = (top_->method ^ method) & (0 - uint64_t{leaves});
            OpenCall* next = top_ + 1 - 2 * static_cast<std::ptrdiff_t>(leaves);
            top_[1] = {method, event};
            if (misses != 0) [[unlikely]]
                return false;
            // One comparison for both ends: nothing that is open uncounted, and no room.
            if (address_of(next) - floor_ > room_) [[unlikely]]
                return false;
            top_ = next;
            return true;
        }

      private:
        // In bytes: the distance of two calls would be a division.
        static uintptr_t address_of(const OpenCall* call) { return reinterpret_cast<uintptr_t>(call); }

        CallStack& stack_;
        OpenCall* top_;
        const uintptr_t floor_, room_;
    };

    // Enters a method. False: the budget is spent.
    [[nodiscard]] bool push(OpenCalls& shared, uint64_t method, const Spot& enter);

    enum class Exit : uint8_t {
        of_top,
        of_deeper,  // the calls above it are left, too
        not_open,   // nothing is left
        no_memory,  // to find out
    };
    // Leaves a method; only where one is open.
    [[nodiscard]] Exit leave(OpenCalls& shared, uint64_t method);

    // Nothing is open any more.
    void clear(OpenCalls& shared);

  private:
    bool grow(OpenCalls& shared);
    void release();
    bool count_all(OpenCalls& shared);
    void pop(OpenCalls& shared);

    OpenCall* calls_ = inline_;  // slot 0 is below the first call, and one slot above the top may be written
    uint64_t depth_ = 0;         // the top one's slot
    uint64_t counted_ = 0;       // calls from the bottom that OpenCalls has counted
    uint64_t limit_ = 0;         // calls that fit
    uint64_t number_;
    OpenCall inline_[2];
};

}  // namespace tracelint::mlpd
