// Shrinking as commands run it: with signals, a limit of time, and a progress line.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>

#include "validator/shrink/shrink.hpp"
#include "validator/tool/inputs/interruption.hpp"
#include "validator/tool/options/command_line.hpp"
#include "validator/tool/run/progress.hpp"
#include "validator/tool/run/status.hpp"

namespace tracelint {

class ShrinkRun {
  public:
    // `new_name`: see ShrinkOptions. `command` is named in complaints. `line` must outlive this.
    ShrinkRun(const Shrinking& line, std::string new_name, bool redacts, std::string_view command);

    // The status is that of a run whose result is still to be written. Complains unless there is one; `shrink` is then
    // null if the file could not be opened.
    ExitStatus run();

    const Shrink* shrink() const { return shrink_ ? &*shrink_ : nullptr; }
    Shrink* shrink() { return shrink_ ? &*shrink_ : nullptr; }
    ShrinkVerdict verdict() const { return verdict_; }
    bool has_changed() const { return file_->has_changed(); }
    // "SIGINT" or "--max-seconds": what ended it early; empty if nothing did.
    std::string_view stopped_by() const;

  private:
    ShrinkOptions options_of(std::string new_name, bool redacts);
    ExitStatus status() const;

    const Shrinking& line_;
    const std::string_view command_;
    const Interruption interruption_;
    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::atomic<uint64_t> checks_{0}, size_{0};
    std::unique_ptr<Source> file_;
    const ShrinkOptions options_;
    std::optional<Shrink> shrink_;
    ShrinkVerdict verdict_ = ShrinkVerdict::unreadable;
};

}  // namespace tracelint
