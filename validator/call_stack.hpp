// The calls that are open on one thread. To enter, and to leave what was entered last, is a few instructions in which
// no branch depends on which of them comes next, as nothing foretells it. Grows under a budget.
#pragma once

#include <algorithm>
#include <cstddef>
#include <new>

#include "validator/sorted_table.hpp"

namespace tracelint {

// What the stacks of a file share: memory, and how often each key is open on each stack. Only calls below an exit
// that missed the top are counted, each once, so that such an exit need not look through its stack.
template <class Call>
struct OpenCalls {
    OpenCalls(Budget& with, WorkCounter& work) : budget(with), counts(with, work) {}

    struct Count {
        struct Key {
            uint64_t stack;
            decltype(Call::key) call;
            auto operator<=>(const Key&) const = default;
        } key;
        uint64_t open;
    };
    Budget& budget;
    SortedTable<Count> counts;
};

// What leaving a call did.
enum class CallExit : uint8_t {
    of_top,
    of_deeper,  // the calls above it are left, too
    not_open,   // nothing is left
    no_memory,  // to find out
};

// Call is an aggregate of plain data whose first member, an unsigned number, is called `key`: what is entered and left.
// The rest of it is given with the key. `Inline` calls need no memory of their own.
template <class Call, size_t Inline = 0>
class CallStack {
  public:
    using Key = decltype(Call::key);
    using Shared = OpenCalls<Call>;

    // `number`: no other stack with the same OpenCalls has it.
    explicit CallStack(uint64_t number = 0) : number_(number) {}
    CallStack(const CallStack&) = delete;
    CallStack& operator=(const CallStack&) = delete;
    ~CallStack() { release(); }

    size_t open() const { return depth_; }
    // The one entered last; only where one is open.
    const Call& top() const { return calls_[depth_]; }

    // Enters, or leaves what was entered last if it has the key. False: nothing is done, ask push()
    // or leave().
    template <class... Rest>
    bool step(Key key, bool leaves, const Rest&... rest) {
        const size_t next = depth_ + 1 - 2 * size_t{leaves};
        const bool misses = calls_[depth_].key != key;
        calls_[depth_ + 1] = {key, rest...};
        // One comparison for both ends: nothing that is open uncounted, and no room.
        if ((leaves & misses) | (next - counted_ > limit_ - counted_)) [[unlikely]]
            return false;
        depth_ = next;
        return true;
    }

    // The same for many calls in a row: a single pointer changes. The stack itself must not be used meanwhile. `leaves`
    // is 0 or 1, and conditions are masks: of a bool and of conditions compilers make branches there.
    class AnyRun {
      public:
        AnyRun(const AnyRun&) = delete;
        AnyRun& operator=(const AnyRun&) = delete;
        size_t open() const { return static_cast<size_t>(top_ - stack_.calls_); }

      protected:
        explicit AnyRun(CallStack& stack) : stack_(stack), top_(stack.calls_ + stack.depth_) {}
        ~AnyRun() { stack_.depth_ = open(); }

        // Writes down what may be entered. Not 0: something else than the top one is to be left.
        template <class... Rest>
        Key misses(Key key, uint32_t leaves, const Rest&... rest) {
            const Key difference = (top_->key ^ key) & (0 - Key{leaves});
            top_[1] = {key, rest...};
            return difference;
        }
        Call* after(uint32_t leaves) const { return top_ + 1 - 2 * static_cast<std::ptrdiff_t>(leaves); }

        CallStack& stack_;
        Call* top_;
    };

    class Run : public AnyRun {
      public:
        explicit Run(CallStack& stack)
            : AnyRun(stack),
              floor_(address_of(stack.calls_ + stack.counted_)),
              span_((stack.limit_ - stack.counted_) * sizeof(Call)) {}

        template <class... Rest>
        bool step(Key key, uint32_t leaves, const Rest&... rest) {
            Call* const next = this->after(leaves);
            if (this->misses(key, leaves, rest...) != 0) [[unlikely]]
                return false;
            // One comparison for both ends, as above.
            if (address_of(next) - floor_ > span_) [[unlikely]]
                return false;
            this->top_ = next;
            return true;
        }

      private:
        // In bytes: the distance of two calls would be a division.
        static uintptr_t address_of(const Call* call) { return reinterpret_cast<uintptr_t>(call); }

        const uintptr_t floor_, span_;
    };

    // Without a look at the ends: takes no more steps than there was room for, and none with the key 0.
    class RunInRoom : public AnyRun {
      public:
        explicit RunInRoom(CallStack& stack) : AnyRun(stack), hidden_(floor()) {
            floor() = 0;  // nobody leaves what is counted
        }
        ~RunInRoom() { floor() = hidden_; }

        // Steps that may be taken, whatever they are.
        size_t room() const { return this->stack_.limit_ - this->open(); }

        template <class... Rest>
        bool step(Key key, uint32_t leaves, const Rest&... rest) {
            if (this->misses(key, leaves, rest...) != 0) [[unlikely]]
                return false;
            this->top_ = this->after(leaves);
            return true;
        }

      private:
        Key& floor() { return this->stack_.calls_[this->stack_.counted_].key; }

        const Key hidden_;
    };

    // Enters. False: the budget is spent.
    template <class... Rest>
    [[nodiscard]] bool push(Shared& shared, Key key, const Rest&... rest) {
        if (depth_ == limit_ && !grow(shared)) return false;
        calls_[++depth_] = {key, rest...};
        return true;
    }

    // Leaves the last call that has the key.
    [[nodiscard]] CallExit leave(Shared& shared, Key key) {
        if (depth_ == 0) return CallExit::not_open;
        if (top().key == key) {
            pop(shared);
            return CallExit::of_top;
        }
        if (!count_all(shared)) return CallExit::no_memory;
        if (shared.counts.find({number_, key}) == nullptr) return CallExit::not_open;
        while (top().key != key) pop(shared);
        pop(shared);
        return CallExit::of_deeper;
    }

    // Nothing is open any more. Keeps the memory; OpenCalls forgets all stacks at once by counts.clear().
    void clear() { depth_ = counted_ = 0; }

    // The same for this stack alone: OpenCalls forgets it, and has the memory back.
    void clear(Shared& shared) {
        while (counted_ > 0) {
            depth_ = counted_;
            pop(shared);
        }
        depth_ = 0;
        shared.budget.give_back(paid());
        release();
    }

  private:
    // Takes the top call off.
    void pop(Shared& shared) {
        if (depth_ == counted_) {
            const typename Shared::Count::Key key{number_, top().key};
            auto* const count = shared.counts.find(key);
            if (--count->open == 0) shared.counts.erase(key);
            --counted_;
        }
        --depth_;
    }

    // Counts what is not counted yet. False: the budget is spent.
    [[gnu::noinline]] bool count_all(Shared& shared) {
        for (; counted_ < depth_; ++counted_) {
            const typename Shared::Count::Key key{number_, calls_[counted_ + 1].key};
            if (auto* const count = shared.counts.find(key))
                ++count->open;
            else if (!shared.counts.insert({key, 1}))
                return false;
        }
        return true;
    }

    bool grow(Shared& shared) {
        const size_t limit = 2 * limit_ + 2, before = paid();
        const size_t bytes = (limit + 2) * sizeof(Call);
        if (!shared.budget.take(bytes)) return false;
        auto* const larger = new (std::nothrow) Call[limit + 2];
        if (larger == nullptr) {
            shared.budget.give_back(bytes);
            return false;
        }
        std::copy_n(calls_, depth_ + 1, larger);
        release();
        shared.budget.give_back(before);
        calls_ = larger;
        limit_ = limit;
        return true;
    }

    void release() {
        if (calls_ != inline_) delete[] calls_;
        calls_ = inline_;
        limit_ = Inline;
    }

    // Bytes that the budget knows of.
    size_t paid() const { return calls_ == inline_ ? 0 : (limit_ + 2) * sizeof(Call); }

    Call* calls_ = inline_;  // slot 0 is below the first call, and one slot above the top may be written
    size_t depth_ = 0;       // the top one's slot
    size_t counted_ = 0;     // calls from the bottom that OpenCalls has counted
    size_t limit_ = Inline;  // calls that fit
    uint64_t number_;
    Call inline_[Inline + 2] = {};  // the first and the last slot hold no call
};

}  // namespace tracelint
