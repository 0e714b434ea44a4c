// One run of Shrink.
#include "validator/tool/run/shrinking.hpp"

#include <fmt/core.h>

#include "validator/tool/inputs/inputs.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/run/commands.hpp"

namespace tracelint {

ShrinkRun::ShrinkRun(const Shrinking& line, std::string new_name, bool redacts, std::string_view command)
    : line_(line),
      command_(command),
      file_(open_input(line.file)),
      options_(options_of(std::move(new_name), redacts)) {}

ShrinkOptions ShrinkRun::options_of(std::string new_name, bool redacts) {
    ShrinkOptions options;
    options.rule = line_.rule;
    options.offset = line_.offset;
    options.format = line_.recognition.as;
    options.file_name = line_.file;
    options.new_name = std::move(new_name);
    options.redacts = redacts;
    options.settings = line_.settings;
    options.limits = line_.limits;
    options.is_over = [this] {
        return Interruption::has_come() ||
               std::chrono::steady_clock::now() - start_ >= std::chrono::seconds(line_.max_seconds);
    };
    options.on_progress = [this](uint64_t checks, uint64_t size) {
        checks_ = checks;
        size_ = size;
    };
    return options;
}

ExitStatus ShrinkRun::run() {
    if (!can_read_again(*file_, line_.file, command_)) return kUnreadable;
    {
        const Progress progress([this] {
            return fmt::format("{} so far, {} done", byte_size(size_.load()), counted(checks_.load(), "check"));
        });
        verdict_ = shrink_.emplace(*file_, options_).run();
    }
    if (verdict_ != ShrinkVerdict::shrunk)
        complain(fmt::format("{}: cannot be shrunk: {}", shown_path(line_.file), shrink_->why()));
    else if (!stopped_by().empty())
        complain(
            fmt::format("{}: stopped by {}: this is the smallest file so far", shown_path(line_.file), stopped_by()));
    return status();
}

std::string_view ShrinkRun::stopped_by() const {
    if (!shrink_ || !shrink_->was_stopped()) return {};
    return Interruption::has_come() ? Interruption::signal_name() : "--max-seconds";
}

ExitStatus ShrinkRun::status() const {
    switch (verdict_) {
        case ShrinkVerdict::shrunk: return Interruption::has_come() ? kInternal : kClean;
        case ShrinkVerdict::absent:
        case ShrinkVerdict::impossible: return kFindings;
        case ShrinkVerdict::limited: return kInternal;
        case ShrinkVerdict::unreadable: return kUnreadable;
    }
    return kInternal;
}

}  // namespace tracelint
