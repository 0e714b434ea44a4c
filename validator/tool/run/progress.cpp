// The thread that draws the progress line.
#include "validator/tool/run/progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <exception>

#include "validator/tool/json/text.hpp"

namespace tracelint {
namespace {

constexpr std::chrono::milliseconds kBeforeFirst{500}, kBetween{200};

}  // namespace

Progress::Progress(size_t files) : files_(files) { start(); }
Progress::Progress(std::function<std::string()> text) : text_(std::move(text)) { start(); }

void Progress::start() {
    if (isatty(STDERR_FILENO) != 1) return;
    try {
        thread_ = std::thread([this] { show(); });
    } catch (const std::exception&) {
        // Continue without a progress line.
    }
}

Progress::~Progress() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        end_ = true;
    }
    ended_.notify_one();
    thread_.join();
    erase();
}

void Progress::show() {
    std::unique_lock lock(mutex_);
    if (ended_.wait_for(lock, kBeforeFirst, [this] { return end_; })) return;
    do {
        try {
            draw();
        } catch (const std::bad_alloc&) {
            // Try again next time.
        }
    } while (!ended_.wait_for(lock, kBetween, [this] { return end_; }));
}

void Progress::draw() {
    const std::string text = text_ ? text_()
                                   : fmt::format("{} of {} checked, {} read", done_.load(), counted(files_, "file"),
                                                 byte_size(bytes_.load()));
    const std::string line = "\r\x1b[K" + text;
    std::fwrite(line.data(), 1, line.size(), stderr);
    drawn_ = true;
}

void Progress::erase() {
    if (!drawn_) return;
    std::fputs("\r\x1b[K", stderr);
    drawn_ = false;
}

Progress::Hidden::Hidden(Progress& progress) : lock_(progress.mutex_) { progress.erase(); }

}  // namespace tracelint
