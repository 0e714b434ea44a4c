// A file that another process is still writing: at its end, reading waits for more.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "validator/input/source.hpp"

namespace tracelint {

// Why nothing more is waited for.
enum class FollowEnd : uint8_t {
    none,       // the walk ended by itself, or reading goes on
    closed,     // the writer closed the file: it is finished
    idle,       // nothing was written for the time that the user gave
    stopped,    // a signal
    replaced,   // its name belongs to another file, or to none
    truncated,  // it became shorter
    failed,     // it cannot be opened or read
};

// How long to wait.
struct FollowTimes {
    std::chrono::milliseconds idle{0};  // for the next bytes; zero: without a limit
    // After the writer has closed the file: it may open it again for its next record.
    std::chrono::milliseconds after_close{1000};
    // Between two looks at the size. Ten times as long where the system reports changes, which it does not for those
    // that another machine makes.
    std::chrono::milliseconds between_looks{100};
};

// Reads each byte once. Linux reports changes (inotify) and writers (leases): waiting ends when the writer closes the
// file. Elsewhere the size is read several times a second.
class FollowedFile final : public Source {
  public:
    FollowedFile(const std::string& path, const FollowTimes& times);
    FollowedFile(const FollowedFile&) = delete;
    FollowedFile& operator=(const FollowedFile&) = delete;
    ~FollowedFile() override;

    // The first bytes, up to `most`, as many as there are. `wanted`: waits until there are so many, or waiting ends.
    // Reading returns them again.
    Bytes opening(size_t wanted, size_t most);

    size_t read(uint8_t* to, size_t bytes) override;
    bool seek(uint64_t offset) override {
        at_ = offset;
        return true;
    }
    std::string failure() const override { return failure_; }
    void end_waiting_at(int descriptor) override { stop_ = descriptor; }

    FollowEnd end() const { return end_; }

  private:
    using Clock = std::chrono::steady_clock;

    // Waits until the file has a byte at `offset`. False: it will not, as end() says.
    bool wait_for(uint64_t offset);
    // The size now; kNone after the end of waiting.
    uint64_t size_now();
    void note_writers();
    bool is_replaced() const;
    void sleep(Clock::time_point until);
    void take_events();
    void finish(FollowEnd end) { end_ = end; }
    void fail(const char* what);

    std::string path_;
    FollowTimes times_;
    int descriptor_ = -1;
    int events_ = -1;             // of inotify; -1: the size is polled
    int stop_ = -1;               // see end_waiting_at()
    uint64_t at_ = 0, seen_ = 0;  // the next byte to read; the largest size so far
    std::vector<uint8_t> opening_;
    std::optional<Clock::time_point> closed_;  // since when no process has it open for writing; empty if one may
    FollowEnd end_ = FollowEnd::none;
    std::string failure_;
};

}  // namespace tracelint
