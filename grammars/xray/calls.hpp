// xray, section 4.4: the functions that are open on one thread.
#pragma once

#include <cstdlib>

#include "validator/sorted_table.hpp"

namespace tracelint::xray {

// What the stacks of a walk share: memory, and how often each id is open on each stack. Only entries below an
// exit that missed the top are counted, each once, so that such an exit need not look through its stack.
struct OpenCalls {
    OpenCalls(Budget& with, WorkCounter& work) : budget(with), counts(with, work) {}

    struct Count {
        struct Key {
            uint64_t stack;
            uint32_t id;
            auto operator<=>(const Key&) const = default;
        } key;
        uint32_t open;
    };
    Budget& budget;
    SortedTable<Count> counts;
};

class CallStack {
  public:
    static constexpr size_t kInline = 4;  // entries that need no memory of their own

    // `number`: no other stack with the same OpenCalls has it. `unpaid`: entries that the budget does not see.
    explicit CallStack(uint64_t number = 0, size_t unpaid = kInline)
        : limit_(unpaid), unpaid_(unpaid), number_(number) {}
    CallStack(const CallStack&) = delete;
    CallStack& operator=(const CallStack&) = delete;
    ~CallStack() { release(); }

    // Functions that are open.
    size_t open() const { return depth_; }
    // The one entered last; only where one is open.
    uint32_t top() const { return ids_[depth_]; }

    // Enters a function, or leaves it if it is the top one. Without a branch, since nothing foretells which of
    // the two comes next. False: nothing is done, ask push() or exit().
    bool step(uint32_t id, bool leaves) {
        const size_t next = depth_ + 1 - 2 * size_t{leaves};
        const bool misses = ids_[depth_] != id;
        ids_[depth_ + 1] = id;
        // One comparison for both ends: nothing that is open uncounted, and no room.
        if ((leaves & misses) | (next - counted_ > limit_ - counted_)) [[unlikely]]
            return false;
        depth_ = next;
        return true;
    }

    // The same for many calls in a row, none of them with the id 0: a single pointer changes. The stack itself
    // must not be used meanwhile.
    class Run {
      public:
        explicit Run(CallStack& stack) : stack_(stack), top_(stack.ids_ + stack.depth_), hidden_(floor()) {
            floor() = 0;  // nobody leaves what is counted
        }
        ~Run() {
            floor() = hidden_;
            stack_.depth_ = open();
        }
        Run(const Run&) = delete;
        Run& operator=(const Run&) = delete;

        size_t open() const { return static_cast<size_t>(top_ - stack_.ids_); }
        // Steps that may be taken, whatever they are.
        size_t room() const { return stack_.limit_ - open(); }
        // `leaves` is 0 or 1: of a bool compilers make a branch.
        bool step(uint32_t id, uint32_t leaves) {
            const uint32_t misses = (*top_ ^ id) & (0 - leaves);
            top_[1] = id;
            if (misses != 0) [[unlikely]]
                return false;
            top_ += 1 - 2 * static_cast<std::ptrdiff_t>(leaves);
            return true;
        }

      private:
        uint32_t& floor() { return stack_.ids_[stack_.counted_]; }

        CallStack& stack_;
        uint32_t* top_;
        const uint32_t hidden_;
    };

    // Enters a function. False: the budget is spent.
    [[nodiscard]] bool push(OpenCalls& shared, uint32_t id);

    enum class Exit : uint8_t {
        of_top,
        of_deeper,  // the entries above it are left, too
        not_open,   // nothing is left
        no_memory,  // to find out
    };
    [[nodiscard]] Exit exit(OpenCalls& shared, uint32_t id);

    // Nothing is open any more. Keeps the memory; `shared` forgets all stacks at once by counts.clear().
    void clear() { depth_ = counted_ = 0; }

    // The same, and gives the memory back.
    void drop(OpenCalls& shared);

  private:
    bool grow(OpenCalls& shared);
    void release();
    bool count_all(OpenCalls& shared);
    void pop(OpenCalls& shared);
    uint64_t allocated() const { return (limit_ + 2) * sizeof(uint32_t); }

    uint32_t* ids_ = inline_;  // slot 0 is below the first entry, and one slot above the top may be written
    size_t depth_ = 0;         // the top one's slot
    size_t counted_ = 0;       // entries from the bottom that OpenCalls has counted
    size_t limit_;             // entries that fit
    size_t unpaid_;
    uint64_t number_;
    uint32_t inline_[kInline + 2] = {};  // the first and the last slot hold no entry
};

}  // namespace tracelint::xray
