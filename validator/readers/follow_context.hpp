// What a model of a reader works with while it follows the reader through a file: the bytes, and all that it may take.
#pragma once

#include <functional>

#include "validator/input/window.hpp"
#include "validator/readers/reader.hpp"

namespace tracelint {

class FollowContext {
  public:
    // Units of work (bytes looked at) for each byte of the file, and whatever its size. A reader looks at each byte
    // once in files that are no attempt to make it slow.
    static constexpr uint64_t kWorkPerByte = 4, kWorkAtLeast = uint64_t{16} << 10;

    // Whether the caller waits no longer, for instance because of a signal. Asked again and again, from the start on.
    using IsInterrupted = std::function<bool()>;

    // All must outlive this. An empty `is_interrupted` is never true.
    FollowContext(const ReaderFile& the_file, Window& the_trace, Budget& the_budget, WorkCounter& the_work,
                  const IsInterrupted& is_interrupted)
        : file(the_file),
          trace(the_trace),
          budget(the_budget),
          work(the_work),
          is_interrupted_(is_interrupted),
          allowed_(allowed_for(the_file.size)) {}
    FollowContext(const FollowContext&) = delete;
    FollowContext& operator=(const FollowContext&) = delete;

    const ReaderFile& file;
    Window& trace;
    Budget& budget;  // for all that grows with the file
    WorkCounter& work;

    // Takes the work of the next step from what is allowed. False: the model must end; its answer is then ignored.
    [[nodiscard]] bool spend(uint64_t units) {
        work.add(units);
        return spend_on_inflated(units);
    }
    // The same for bytes that the file holds compressed, which earn() has announced. They are no bytes of the file, so
    // that they are not counted as such.
    [[nodiscard]] bool spend_on_inflated(uint64_t units) {
        if (units < unpolled_) [[likely]] {
            unpolled_ -= units;
            return true;
        }
        return poll(units);
    }
    // Allows for the work on bytes that were decompressed.
    void earn(uint64_t bytes) { allowed_ = saturating_add(allowed_, kWorkPerByte * bytes); }

    // Ends the model, for the first reason that is given. Always false.
    bool stop(Unpredicted why) {
        if (!has_ended()) why_ = why;
        unpolled_ = allowed_ = 0;
        return false;
    }

    bool has_ended() const { return why_.has_value() || was_interrupted_; }
    const std::optional<Unpredicted>& why() const { return why_; }
    bool was_interrupted() const { return was_interrupted_; }

  private:
    static constexpr uint64_t kBetweenQuestions = uint64_t{64} << 10;  // units of work

    static uint64_t allowed_for(uint64_t size) {
        return kWorkPerByte * (size == kNone ? kInflatedFreely : size) + kWorkAtLeast;
    }
    bool poll(uint64_t units);

    const IsInterrupted& is_interrupted_;
    uint64_t unpolled_ = 0;  // units until the next question; taken from what is allowed
    uint64_t allowed_;       // the rest of it
    std::optional<Unpredicted> why_;
    bool was_interrupted_ = false;
};

}  // namespace tracelint
