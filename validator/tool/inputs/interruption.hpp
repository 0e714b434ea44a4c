// SIGINT, SIGTERM and SIGHUP while files are checked: the first one is noted, so that outputs can be closed validly,
// the second one ends the program.
#pragma once

#include "validator/input/source.hpp"

namespace tracelint {

// While it is there, the signals are caught, unless they were ignored before, as under nohup. There may be one at a
// time.
class Interruption {
  public:
    Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;
    ~Interruption();

    // Whether a signal came.
    static bool has_come();
    static int signal_number();
    // Its name, such as "SIGINT"; null if none came.
    static const char* signal_name();
    // Becomes readable when a signal comes, for Source::end_waiting_at(); -1 if the system gave none.
    int descriptor() const { return ends_[0]; }

  private:
    int ends_[2] = {-1, -1};  // of a pipe
};

// Passes another source on until a signal comes. From then on reading fails.
class InterruptibleSource final : public ForwardingSource {
  public:
    // Both must outlive this.
    InterruptibleSource(Source& inner, const Interruption& interruption) : ForwardingSource(inner) {
        inner.end_waiting_at(interruption.descriptor());
    }
    size_t read(uint8_t* to, size_t bytes) override;
    std::string failure() const override;
    // Whether bytes may be missing because a signal came.
    bool was_interrupted() const { return was_interrupted_; }

  private:
    bool was_interrupted_ = false;
};

}  // namespace tracelint
