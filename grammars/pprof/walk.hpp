// pprof, section 4: the walk over the top-level fields of a file. look() names what stands at the cursor, the machine
// decides what it means, and take() calls report(), accept(), skip() and stop() accordingly.
#pragma once

#include <optional>

#include "grammars/pprof/checks/messages.hpp"
#include "grammars/pprof/machine.hpp"

namespace tracelint::pprof {

class Walk {
  public:
    Walk(Window& window, ValidationContext& context, WalkMode mode)
        : window_(window), context_(context), mode_(mode), messages_(context) {}

    void run() {
        while (state_ != State::stopped) take(kMachine, state_, look(), *this);
    }

    // What take() calls.
    void report(const Rule& rule, Symbol symbol);
    void accept(Symbol symbol);
    void skip(Symbol symbol);
    void stop(Symbol symbol);

  private:
    Symbol look();
    Symbol look_at_field();
    void take_lane();
    uint64_t take_fields(Bytes bytes);
    bool fits();
    void pass_unread();
    void resume_behind_message();
    void resume_here();
    std::optional<uint64_t> behind_zeros();
    std::optional<uint64_t> behind_value();
    bool is_plausible_at(uint64_t offset);

    Part moved(const Part& part) const { return {offset_ + part.at, part.size}; }
    Part whole() const { return {offset_, field_.end()}; }

    Window& window_;
    ValidationContext& context_;
    const WalkMode mode_;
    Messages messages_;
    State state_ = State::fields;
    uint64_t offset_ = 0;  // of the cursor
    uint64_t index_ = 0;   // of the record at the cursor
    // What look() saw at the cursor. Offsets in the field count from there.
    Bytes bytes_;
    protobuf::WireField field_;
    bool is_too_large_ = false;           // for the limits; `bytes_` may be gone
    bool has_nested_fault_ = false;       // the field was read, and a message in it was not read to its end
    uint64_t fault_end_ = 0;              // of the bytes that a fault is about
    std::optional<uint64_t> resumption_;  // where the walk goes on
};

// Checks the file to its end. Tests turn the lane off.
void validate_file(Window& window, ValidationContext& context, WalkMode mode);

}  // namespace tracelint::pprof
