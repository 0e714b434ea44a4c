// The open calls of one thread. Entering a call and leaving the innermost one take a few instructions. Grows within a
// budget.
#pragma once

#include <algorithm>
#include <cstddef>
#include <new>
#include <type_traits>

#include "validator/memory/hash_table.hpp"
#include "validator/memory/pages.hpp"

namespace tracelint {

// What the stacks of a file share: the budget, and how often each key is open on each stack. A call is counted, once,
// only when an exit that does not match the top occurs above it, so that such an exit need not search the stack.
template <class Call>
struct OpenCalls {
    OpenCalls(Budget& with, WorkCounter& work) : budget(with), counts(with, work) {}

    struct Count {
        struct Key {
            decltype(Call::key) call = 0;
            uint32_t stack = 0;
            bool operator==(const Key&) const = default;
            uint64_t hash_with(uint64_t seed) const { return seeded(call ^ seeded(stack, seed), seed); }
        };
        [[no_unique_address]] Key key{};
        uint32_t open = 0;
        bool is_vacant() const { return open == 0; }
    };
    static_assert(sizeof(Count) <= 16);
    Budget& budget;
    HashTable<Count> counts;
    uint32_t stacks = 0;  // that have had counts
};

// The result of an exit.
enum class CallExit : uint8_t {
    of_top,     // it matched the innermost call
    of_deeper,  // it matched an outer call; the calls inside it were left too
    not_open,   // it matched no open call; nothing was left
    no_memory,  // the budget does not allow for the search; nothing was left
};

// Call is an aggregate of plain data whose first member, an unsigned integer called `key`, identifies the call. The
// other members are passed after the key. The first `Inline` calls are stored in the object itself. The first growth
// makes room for `First` calls if the budget allows for it, so that runs are not cut short by a lack of room.
template <class Call, size_t Inline = 0, size_t First = 0>
class CallStack {
  public:
    using Key = decltype(Call::key);
    using Shared = OpenCalls<Call>;
    static_assert(std::is_trivially_copyable_v<Call>);

    CallStack() = default;
    CallStack(const CallStack&) = delete;
    CallStack& operator=(const CallStack&) = delete;
    ~CallStack() { release(); }

    size_t open() const { return depth_; }
    // The innermost call. open() must not be 0.
    const Call& top() const { return calls_[depth_]; }

    // Enters a call, or leaves the innermost one if it has the key. False: nothing was done; use push() or leave().
    template <class... Rest>
    bool step(Key key, bool leaves, const Rest&... rest) {
        const size_t next = depth_ + 1 - 2 * size_t{leaves};
        const bool misses = calls_[depth_].key != key;
        calls_[depth_ + 1] = {key, rest...};
        // One comparison for both ends: no uncounted call is open, or there is no room.
        if ((leaves & misses) | (next - counted_ > limit_ - counted_)) [[unlikely]]
            return false;
        depth_ = next;
        return true;
    }

    // Steps through many calls in a row; only one pointer changes. The stack itself must not be used meanwhile.
    class AnyRun {
      public:
        AnyRun(const AnyRun&) = delete;
        AnyRun& operator=(const AnyRun&) = delete;
        size_t open() const { return static_cast<size_t>(top_ - stack_.calls_); }

      protected:
        explicit AnyRun(CallStack& stack) : stack_(stack), top_(stack.calls_ + stack.depth_) {}
        ~AnyRun() { stack_.depth_ = open(); }

        CallStack& stack_;
        Call* top_;
    };

    // Branches on the ends: in real traces these are foreseen nearly always.
    class Run : public AnyRun {
      public:
        explicit Run(CallStack& stack)
            : AnyRun(stack), floor_(stack.calls_ + stack.counted_), limit_(stack.calls_ + stack.limit_) {}

        // Whether a call can be entered; if not, use push().
        bool has_room() const { return this->top_ != limit_; }
        template <class... Rest>
        void enter(Key key, const Rest&... rest) {
            *++this->top_ = {key, rest...};
        }
        // False: it is not the innermost call, or that is counted; use CallStack::leave().
        bool leave(Key key) {
            if (this->top_ == floor_ || this->top_->key != key) [[unlikely]]
                return false;
            --this->top_;
            return true;
        }

      private:
        const Call *const floor_, *const limit_;
    };

    // Without branches, and without checks for the ends: take at most room() steps, and leave no call of which all
    // compared bits are 0.
    class RunInRoom : public AnyRun {
      public:
        // What a kind of call does to the stack. Callers know it from a table.
        struct Effect {
            Key compared;  // the bits of the key that must be those of the innermost call
            int32_t by;    // calls that are open afterwards, less those that were open before: 1 or -1
        };

        explicit RunInRoom(CallStack& stack) : AnyRun(stack), hidden_(floor()) {
            floor() = 0;  // so that no exit matches a counted call
        }
        ~RunInRoom() { floor() = hidden_; }

        // The number of steps that may be taken, entries or exits.
        size_t room() const { return this->stack_.limit_ - this->open(); }

        template <class... Rest>
        bool step(Key key, const Effect& effect, const Rest&... rest) {
            const Key difference = (this->top_->key ^ key) & effect.compared;
            this->top_[1] = {key, rest...};  // in case the call is entered
            if (difference != 0) [[unlikely]]
                return false;
            this->top_ += effect.by;
            return true;
        }

      private:
        Key& floor() { return this->stack_.calls_[this->stack_.counted_].key; }

        const Key hidden_;
    };

    // Enters a call. False: the budget is spent.
    template <class... Rest>
    [[nodiscard]] bool push(Shared& shared, Key key, const Rest&... rest) {
        if (depth_ == limit_ && !grow(shared)) return false;
        calls_[++depth_] = {key, rest...};
        return true;
    }

    // Leaves the innermost call that has the key, and the calls inside it.
    [[nodiscard]] CallExit leave(Shared& shared, Key key) {
        if (depth_ == 0) return CallExit::not_open;
        if (top().key == key) {
            pop(shared);
            return CallExit::of_top;
        }
        if (number_ == 0) number_ = ++shared.stacks;
        shared.counts.prefetch({key, number_});
        if (!count_all(shared)) return CallExit::no_memory;
        if (shared.counts.find({key, number_}) == nullptr) return CallExit::not_open;
        while (top().key != key) pop(shared);
        pop(shared);
        return CallExit::of_deeper;
    }

    // Prefetches the count of a key that is entered or left soon, if calls of this stack have been counted.
    void prefetch(const Shared& shared, Key key) const {
        if (number_ != 0) shared.counts.prefetch({key, number_});
    }

    // Closes all calls. Keeps the memory. The caller clears OpenCalls::counts, for all stacks at once.
    void clear() { depth_ = counted_ = 0; }

    // Clears only this stack: removes its counts from `shared` and gives its memory back.
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
    // Removes the innermost call.
    void pop(Shared& shared) {
        if (depth_ == counted_) {
            auto* const count = shared.counts.find({top().key, number_});
            if (--count->open == 0) shared.counts.erase(count);
            --counted_;
        }
        --depth_;
    }

    // Counts all calls that are not counted yet. False: the budget is spent.
    [[gnu::noinline]] bool count_all(Shared& shared) {
        constexpr size_t kAhead = 16;  // calls whose slots are on their way to the cache
        size_t prefetched = counted_;
        for (; counted_ < depth_; ++counted_) {
            for (; prefetched < std::min(depth_, counted_ + kAhead); ++prefetched)
                shared.counts.prefetch({calls_[prefetched + 1].key, number_});
            auto* const count = shared.counts.find_or_insert({{calls_[counted_ + 1].key, number_}, 0});
            if (count == nullptr) return false;
            ++count->open;
        }
        return true;
    }

    bool grow(Shared& shared) {
        const size_t least = 2 * limit_ + 2;
        return (least < First && grow_to(shared, First)) || grow_to(shared, least);
    }

    bool grow_to(Shared& shared, size_t limit) {
        if (limit > ~uint32_t{0}) return false;  // Count::open has 32 bits
        const uint64_t before = paid(), cost = cost_of(limit);
        if (!shared.budget.take(cost)) return false;
        Call* const larger = allocate(limit);
        if (larger == nullptr) {
            shared.budget.give_back(cost);
            return false;
        }
        std::copy_n(calls_, depth_ + 1, larger);
        release();
        shared.budget.give_back(before);
        calls_ = larger;
        limit_ = limit;
        return true;
    }

    // Memory for so many calls; null if the system refuses it. Much of it has huge pages, and none is touched before it
    // is needed.
    static Call* allocate(size_t limit) {
        if (is_mapped(limit)) return static_cast<Call*>(Pages::try_map_huge(bytes_of(limit)));
        return new (std::nothrow) Call[limit + 2];
    }

    void release() {
        if (is_mapped(limit_))
            Pages::unmap(calls_, bytes_of(limit_));
        else if (calls_ != inline_)
            delete[] calls_;
        calls_ = inline_;
        limit_ = Inline;
    }

    static constexpr size_t bytes_of(size_t limit) { return (limit + 2) * sizeof(Call); }
    static constexpr bool is_mapped(size_t limit) {
        return Pages::kCanMap && limit > Inline && bytes_of(limit) >= Pages::kFewestMapped;
    }
    static constexpr uint64_t cost_of(size_t limit) {
        return is_mapped(limit) ? Pages::cost(bytes_of(limit)) : bytes_of(limit);
    }
    // Bytes taken from the budget.
    uint64_t paid() const { return calls_ == inline_ ? 0 : cost_of(limit_); }

    Call* calls_ = inline_;         // slot 0 is below the first call; the slot above the top may be overwritten
    size_t depth_ = 0;              // open calls; also the slot of the innermost one
    size_t counted_ = 0;            // the outermost calls, which OpenCalls has counted
    size_t limit_ = Inline;         // calls that fit
    uint32_t number_ = 0;           // among the stacks that share an OpenCalls; 0: not counted so far
    Call inline_[Inline + 2] = {};  // the first and the last slot never hold a call
};

}  // namespace tracelint
