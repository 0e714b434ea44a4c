// The source that waits for what is fed, and the thread that reads it.
#include "validator/pushed_check.hpp"

namespace tracelint {
namespace {

class QueueSource final : public Source {
  public:
    explicit QueueSource(ByteQueue& queue) : queue_(queue) {}
    size_t read(uint8_t* to, size_t bytes) override { return queue_.take(to, bytes); }
    std::string failure() const override { return queue_.is_abandoned() ? "not finished" : ""; }

  private:
    ByteQueue& queue_;
};

}  // namespace

PushedCheck::~PushedCheck() {
    if (!thread_.joinable()) return;
    queue_.abandon();
    thread_.join();
}

bool PushedCheck::feed(Bytes bytes) {
    if (!thread_.joinable()) {
        if (queue_.collect(bytes)) return true;
        queue_.become_shared();
        thread_ = std::thread([this] { run(); });
    }
    return queue_.put(bytes);
}

// check() does not throw, nor do its source and its observer.
void PushedCheck::run() {
    QueueSource source(queue_);
    outcome_.emplace(check(source, options_));
    queue_.stop_taking();
}

Outcome PushedCheck::finish() {
    queue_.close();
    if (thread_.joinable())
        thread_.join();
    else
        run();
    return std::move(*outcome_);
}

}  // namespace tracelint
