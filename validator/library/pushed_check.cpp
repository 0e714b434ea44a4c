// The source that waits for what is fed, and the thread that reads it.
#include "validator/library/pushed_check.hpp"

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
    work_->queue.abandon();
    if (is_on_its_thread())
        thread_.detach();
    else
        thread_.join();
}

bool PushedCheck::feed(Bytes bytes) {
    if (!thread_.joinable()) {
        if (work_->queue.collect(bytes)) return true;
        work_->queue.become_shared();
        thread_ = std::thread([work = work_] {
            work->thread = std::this_thread::get_id();
            work->run();
            work->thread = std::thread::id();  // the system gives it to others
        });
    }
    return work_->queue.put(bytes);
}

// check() does not throw, nor do its source and its observer.
void PushedCheck::Work::run() {
    QueueSource source(queue);
    outcome.emplace(check(source, options));
    queue.stop_taking();
}

Outcome PushedCheck::finish() {
    work_->queue.close();
    if (thread_.joinable())
        thread_.join();
    else
        work_->run();
    return std::move(*work_->outcome);
}

}  // namespace tracelint
