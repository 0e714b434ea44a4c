// Waiting for a file to grow.
#include "validator/tool/inputs/followed_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>

#include "validator/input/system_call.hpp"

namespace tracelint {
namespace {

using namespace std::chrono_literals;

constexpr int kRarer = 10;  // with events, looks are so many times rarer
constexpr size_t kPiece = 4096;

}  // namespace

FollowedFile::FollowedFile(const std::string& path, const FollowTimes& times) : path_(path), times_(times) {
    descriptor_ = uninterrupted([&] { return open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK); });
    struct stat status;
    if (descriptor_ < 0 || fstat(descriptor_, &status) < 0) {
        fail("cannot open");
        return;
    }
    if (!S_ISREG(status.st_mode)) {
        failure_ = "is not a regular file, and cannot be followed";
        finish(FollowEnd::failed);
        return;
    }
#ifdef F_SETSIG
    fcntl(descriptor_, F_SETSIG, SIGURG);  // for a writer that comes while there is a lease; it does nothing
#endif
    events_ = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (events_ < 0 || inotify_add_watch(events_, path.c_str(), IN_MODIFY | IN_CLOSE_WRITE) >= 0) return;
    close(events_);
    events_ = -1;
}

FollowedFile::~FollowedFile() {
    if (descriptor_ >= 0) close(descriptor_);
    if (events_ >= 0) close(events_);
}

Bytes FollowedFile::opening(size_t wanted, size_t most) {
    while (opening_.size() < most && (opening_.size() >= wanted || wait_for(opening_.size()))) {
        const size_t before = opening_.size();
        opening_.resize(std::min(most, before + kPiece));
        const auto got = uninterrupted([&] {
            return pread(descriptor_, opening_.data() + before, opening_.size() - before, static_cast<off_t>(before));
        });
        opening_.resize(before + static_cast<size_t>(std::max<ssize_t>(got, 0)));
        if (got < 0) fail("cannot read");
        if (got <= 0 && (opening_.size() >= wanted || end_ != FollowEnd::none)) break;
    }
    return opening_;
}

size_t FollowedFile::read(uint8_t* to, size_t bytes) {
    if (at_ < opening_.size()) {
        const size_t got = std::min<size_t>(bytes, opening_.size() - at_);
        std::memcpy(to, opening_.data() + at_, got);
        at_ += got;
        return got;
    }
    while (failure_.empty() && wait_for(at_)) {
        const auto got = uninterrupted([&] { return pread(descriptor_, to, bytes, static_cast<off_t>(at_)); });
        if (got < 0) fail("cannot read");
        if (got <= 0) continue;
        at_ += static_cast<uint64_t>(got);
        return static_cast<size_t>(got);
    }
    return 0;
}

bool FollowedFile::wait_for(uint64_t offset) {
    Clock::time_point grew = Clock::now();
    while (true) {
        const uint64_t before = seen_, size = size_now();
        if (size == kNone) return false;
        if (offset < size) return true;
        if (end_ != FollowEnd::none) return false;
        const Clock::time_point now = Clock::now();
        if (size != before) {
            grew = now;
            closed_.reset();
        }
        note_writers();
        if (closed_ && now - *closed_ >= times_.after_close)
            finish(FollowEnd::closed);
        else if (is_replaced())
            finish(FollowEnd::replaced);
        else if (times_.idle != 0ms && now - grew >= times_.idle)
            finish(FollowEnd::idle);
        else
            sleep(std::min(closed_ ? *closed_ + times_.after_close : Clock::time_point::max(),
                           times_.idle != 0ms ? grew + times_.idle : Clock::time_point::max()));
    }
}

uint64_t FollowedFile::size_now() {
    struct stat now;
    if (!failure_.empty()) return kNone;
    if (fstat(descriptor_, &now) < 0) {
        fail("cannot read");
        return kNone;
    }
    const auto size = static_cast<uint64_t>(std::max<off_t>(now.st_size, 0));
    if (size < seen_) {
        failure_ = "became shorter while it was followed: " + std::to_string(seen_) + " bytes before, " +
                   std::to_string(size) + " now";
        finish(FollowEnd::truncated);
        return kNone;
    }
    seen_ = size;
    return size;
}

// Linux gives a lease on a file that no process has open for writing. Without one, of other users' files, events say
// when a writer closes it.
void FollowedFile::note_writers() {
#ifdef F_SETLEASE
    if (fcntl(descriptor_, F_SETLEASE, F_RDLCK) == 0) {
        fcntl(descriptor_, F_SETLEASE, F_UNLCK);
        if (!closed_) closed_ = Clock::now();
    } else if (errno == EAGAIN) {
        closed_.reset();
    }
#endif
}

bool FollowedFile::is_replaced() const {
    struct stat own, named;
    if (stat(path_.c_str(), &named) < 0) return errno == ENOENT;
    return fstat(descriptor_, &own) == 0 && (own.st_ino != named.st_ino || own.st_dev != named.st_dev);
}

// Until there is an event, or it is time for a look.
void FollowedFile::sleep(Clock::time_point until) {
    const Clock::time_point now = Clock::now();
    const Clock::time_point look = now + times_.between_looks * (events_ < 0 ? 1 : kRarer);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(std::min(until, look) - now);
    pollfd ready[] = {{events_, POLLIN, 0}, {stop_, POLLIN, 0}};  // a negative one is left out
    if (poll(ready, std::size(ready), static_cast<int>(std::max<int64_t>(left.count(), 0))) <= 0) return;
    if (ready[0].revents != 0) take_events();
    if (ready[1].revents != 0) finish(FollowEnd::stopped);
}

void FollowedFile::take_events() {
    alignas(inotify_event) char events[kPiece];
    while (true) {
        const ssize_t got = uninterrupted([&] { return ::read(events_, events, sizeof events); });
        if (got <= 0) return;
        for (ssize_t at = 0; at < got;) {
            inotify_event event;
            std::memcpy(&event, events + at, sizeof event);
            if ((event.mask & IN_CLOSE_WRITE) != 0 && !closed_) closed_ = Clock::now();
            at += static_cast<ssize_t>(sizeof event + event.len);
        }
    }
}

void FollowedFile::fail(const char* what) {
    failure_ = std::string(what) + ": " + std::strerror(errno);
    finish(FollowEnd::failed);
}

}  // namespace tracelint
