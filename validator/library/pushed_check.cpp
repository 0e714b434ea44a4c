// A check that is given its bytes: the thread that it runs on, and the ring between the two.
#include "validator/library/pushed_check.hpp"

#include <algorithm>

namespace tracelint {

// A ring. Which part belongs to which thread is decided under the lock, and the bytes are copied without it.

bool ByteQueue::collect(Bytes bytes) {
    if (bytes.size() > room()) return false;
    if (bytes.size() > bytes_.capacity() - bytes_.size())
        bytes_.reserve(std::min(capacity_, std::max(2 * bytes_.capacity(), bytes_.size() + bytes.size())));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    put_ += bytes.size();
    return true;
}

void ByteQueue::become_shared() {
    bytes_.reserve(capacity_);  // exactly
    bytes_.resize(capacity_);
}

bool ByteQueue::put(Bytes bytes) {
    while (!bytes.empty()) {
        size_t from = 0, count = 0;
        {
            std::unique_lock lock(mutex_);
            if (room() == 0) {
                wanted_room_ = std::min(bytes.size(), worth_waking());
                has_room_.wait(lock, [this] { return stopped_ || room() >= wanted_room_; });
                wanted_room_ = 0;
            }
            if (stopped_) return false;
            from = static_cast<size_t>(put_ % capacity_);
            count = std::min({bytes.size(), room(), capacity_ - from});
        }
        std::copy_n(bytes.begin(), count, bytes_.begin() + static_cast<std::ptrdiff_t>(from));
        bytes = bytes.subspan(count);
        const std::lock_guard lock(mutex_);
        put_ += count;
        if (take_waits_ && held() >= worth_waking()) has_bytes_.notify_one();
    }
    return true;
}

void ByteQueue::close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    has_bytes_.notify_one();
}

void ByteQueue::abandon() {
    const std::lock_guard lock(mutex_);
    abandoned_ = closed_ = true;
    has_bytes_.notify_one();
}

size_t ByteQueue::take(uint8_t* to, size_t bytes) {
    size_t from = 0, count = 0;
    {
        std::unique_lock lock(mutex_);
        if (held() == 0) {
            take_waits_ = true;
            has_bytes_.wait(lock, [this] { return closed_ || held() >= worth_waking(); });
            take_waits_ = false;
        }
        if (abandoned_) return 0;
        from = static_cast<size_t>(taken_ % capacity_);
        count = std::min({bytes, held(), capacity_ - from});
    }
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(from), count, to);
    const std::lock_guard lock(mutex_);
    taken_ += count;
    if (wanted_room_ != 0 && room() >= wanted_room_) has_room_.notify_one();
    return count;
}

void ByteQueue::stop_taking() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    has_room_.notify_one();
}

bool ByteQueue::is_abandoned() const {
    const std::lock_guard lock(mutex_);
    return abandoned_;
}

// The source that waits for what is fed, and the thread that reads it.

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

// The check does not throw, nor do its source and its observer.
void PushedCheck::Work::run() {
    QueueSource source(queue);
    outcome.emplace(run_check(source));
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
