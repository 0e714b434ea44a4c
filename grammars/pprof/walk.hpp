// pprof, section 4: the walk over the top-level fields of a file.
//
// A profile is one message of Protocol Buffers, so a record of the file is a field of that message: a tag, and a number
// or a length with as many bytes. look() reads the tag at the cursor and classifies the field as a symbol; the machine
// (machine.hpp) decides what the symbol means, and take() calls report(), accept(), skip() or stop() of the walk.
// accept() passes the field as a whole to Messages (checks/messages.hpp), which reads the messages inside it.
//
// Nothing marks the start of a field. After a fault, the walk resumes where the next fields are plausible: after the
// value of the faulty field, or after the top-level field if the fault is nested in it (section 4.1). If no such place
// is found, the walk stops, and rules that need complete data are silent. Entries refer to each other by id and in any
// order, so most rules about them are checked at the end. lane.cpp takes plain fields in bulk.
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
    std::optional<uint64_t> resumption_;  // where the walk continues
};

// Checks the file to its end. Tests turn the lane off.
void validate_file(Window& window, ValidationContext& context, WalkMode mode);

}  // namespace tracelint::pprof
