// Runs the check of a manifest in a process of its own and starts it again when it dies, so that a file that crashes or
// hangs it costs only itself. The file that is to blame is known from memory that both processes share: a thread that
// checks files notes there which one it has begun, and when.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "validator/tool/run/status.hpp"

namespace tracelint {

class Interruption;

class Supervisor {
    struct Slot;

  public:
    // `threads`: how many check files. `most_seconds`: how long one file may take; 0: any time.
    Supervisor(unsigned threads, uint64_t most_seconds);
    Supervisor(const Supervisor&) = delete;
    Supervisor& operator=(const Supervisor&) = delete;
    ~Supervisor();

    // Runs `check` in another process, again after each death, and returns the exit status of the one that ends by
    // itself; `died` is called with each other one. Returns in both processes, which end with the same status. Where
    // the system gives no second process, `check` runs in this one.
    ExitStatus run(const std::function<ExitStatus()>& check, const std::function<void(pid_t)>& died);

    // For the check. Whether one file may be in progress at a time: then a death shows which one it was.
    bool is_careful() const { return is_careful_; }
    // Why the file is not to be checked; null if it is.
    const std::string* failure_of(size_t file) const;

    // While it is there, the file is in progress.
    class Mark {
      public:
        // Null without a supervisor.
        Mark(const Supervisor* supervisor, size_t file);
        Mark(const Mark&) = delete;
        Mark& operator=(const Mark&) = delete;
        ~Mark();

      private:
        Slot* slot_ = nullptr;
    };

  private:
    // How a process ended.
    struct End {
        int status = 0;                   // as of waitpid()
        std::optional<size_t> hung_file;  // it was killed because of this file
    };

    End wait_for(pid_t child, int exit_end, const Interruption& interruption) const;
    // Draws conclusions from a death. False: the check cannot be finished.
    bool learn_from(const End& end);

    Slot* slots_ = nullptr;  // shared with the other process; null: there is no memory for them
    unsigned threads_;
    uint64_t most_seconds_;
    bool is_careful_ = false;
    std::map<size_t, unsigned> deaths_;  // while the file was in progress
    unsigned unexplained_ = 0;           // deaths while none was
    std::map<size_t, std::string> failures_;
};

}  // namespace tracelint
