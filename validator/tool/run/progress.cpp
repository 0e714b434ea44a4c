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

Progress::Progress(size_t files, std::function<uint64_t()> total) : files_(files), add_up_sizes_(std::move(total)) {
    start();
}

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
    lock.unlock();  // adding up may take long
    add_up();
    lock.lock();
    if (end_) return;
    do {
        try {
            draw();
        } catch (const std::bad_alloc&) {
            // Try again next time.
        }
    } while (!ended_.wait_for(lock, kBetween, [this] { return end_; }));
}

void Progress::add_up() {
    if (!add_up_sizes_) return;
    try {
        total_ = add_up_sizes_();
    } catch (const std::exception&) {
        // The line is shown without a total.
    }
}

std::string Progress::files_and_bytes() const {
    const uint64_t bytes = this->bytes();
    const std::string text =
        fmt::format("{} of {} checked, {}", done_.load(), counted(files_, "file"), byte_size(bytes));
    return text + (total_ == 0 ? " read" : fmt::format(" of {}", byte_size(std::max(total_, bytes))));
}

void Progress::draw() {
    const std::string line = "\r\x1b[K" + (text_ ? text_() : files_and_bytes());
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
