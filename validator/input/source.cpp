// Sources without a container: files, pipes, devices, standard input, memory.
#include "validator/input/source.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "validator/input/system_call.hpp"

namespace tracelint {
namespace {

constexpr size_t kLargestRead = size_t{1} << 30;  // some systems refuse more than an int holds

uint64_t unsigned_of(int64_t value) { return value < 0 ? 0 : static_cast<uint64_t>(value); }

bool same_time(const timespec& a, const timespec& b) { return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec; }

// Regular files are read with pread, so that they can seek, and to the size that they had when they were opened.
// Everything else is read in order, to its end; so are regular files of size 0, because those of /proc claim that size
// and still have content.
class FileSource final : public Source {
  public:
    enum class Owned : uint8_t { no, yes };

    FileSource() = default;
    // Reads from the descriptor, and closes it at the end if it is owned.
    void take(int descriptor, Owned owned) {
        descriptor_ = descriptor;
        owned_ = owned;
        if (descriptor_ < 0 || fstat(descriptor_, &opened_) < 0) {
            fail("cannot open");
            return;
        }
        if (S_ISDIR(opened_.st_mode)) failure_ = "is a directory";
        regular_ = S_ISREG(opened_.st_mode);
        waits_ = S_ISFIFO(opened_.st_mode) && owned == Owned::yes;  // for the process that will write to it
        // Standard input may have been read from already; the rest is the input.
        sized_ = regular_ && opened_.st_size > 0;
        size_now_ = opened_.st_size;
        if (!sized_ || owned_ == Owned::yes) return;
        const int64_t start = lseek(descriptor_, 0, SEEK_CUR);
        if (start < 0) fail("cannot read");
        start_ = unsigned_of(start);
    }
    FileSource(const FileSource&) = delete;
    FileSource& operator=(const FileSource&) = delete;
    ~FileSource() override {
        if (owned_ == Owned::yes && descriptor_ >= 0) close(descriptor_);
    }

    void require_regular() {
        if (failure_.empty() && !regular_) failure_ = "is not a regular file";
    }

    size_t read(uint8_t* to, size_t bytes) override {
        if (!failure_.empty()) return 0;
        const int64_t got = read_some(to, std::min(bytes, kLargestRead));
        if (got < 0) fail("cannot read");
        at_ += unsigned_of(got);
        if (sized_ && unsigned_of(got) < bytes) note_shrinking();
        return static_cast<size_t>(unsigned_of(got));
    }

    bool seek(uint64_t offset) override {
        if (sized_) at_ = offset;
        return sized_;
    }

    uint64_t size() const override { return sized_ ? saturating_sub(unsigned_of(size_now_), start_) : kNone; }

    std::string failure() const override { return failure_; }

    void end_waiting_at(int descriptor) override {
        stop_ = descriptor;
        if (regular_) return;
        // What can only be written to never has input; reading it fails at once.
        const bool is_readable = (fcntl(descriptor_, F_GETFL) & O_ACCMODE) != O_WRONLY;
        waits_ |= stop_ >= 0 && is_readable;
    }

    bool has_changed() const override {
        struct stat now;
        if (!regular_ || fstat(descriptor_, &now) < 0) return false;
        return now.st_size != opened_.st_size || !same_time(now.st_mtim, opened_.st_mtim);
    }

  private:
    int64_t read_some(uint8_t* to, size_t bytes) {
        if (!regular_) return read_next(to, bytes);
        if (!sized_) return has_size_now() ? 0 : read_next(to, bytes);
        const uint64_t position = saturating_add(start_, at_);
        const size_t allowed = std::min<uint64_t>(bytes, saturating_sub(unsigned_of(opened_.st_size), position));
        if (allowed == 0) return 0;
        return uninterrupted([&] { return pread(descriptor_, to, allowed, static_cast<off_t>(position)); });
    }

    // A file that was cut while it is read ends before its size. It is not looked at again otherwise: a call of the
    // kernel takes as long as checking a small file.
    void note_shrinking() {
        struct stat now;
        if (saturating_add(start_, at_) < unsigned_of(size_now_) && fstat(descriptor_, &now) == 0)
            size_now_ = std::min(now.st_size, size_now_);
    }

    // Then the file was really empty when it was opened.
    bool has_size_now() const {
        struct stat now;
        return fstat(descriptor_, &now) == 0 && now.st_size != 0;
    }

    // Another process may have made the pipe non-blocking: no data yet is not a failure. A regular file is not waited
    // for: some of /proc are never ready, even if they can be read, and others wait for what may never happen.
    int64_t read_next(uint8_t* to, size_t bytes) {
        while (true) {
            if (waits_ && !wait_for_input()) return -1;
            const int64_t got = uninterrupted([&] { return ::read(descriptor_, to, bytes); });
            if (got >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) return got;
            if (regular_) return 0;
            waits_ = true;
        }
    }

    // Returns when there is input, its end or a failure; false if waiting has failed or is to end.
    bool wait_for_input() {
        pollfd ready[] = {{descriptor_, POLLIN, 0}, {stop_, POLLIN, 0}};  // a negative one is left out
        if (uninterrupted([&] { return poll(ready, std::size(ready), -1); }) < 0) return false;
        if (ready[1].revents == 0) return true;
        errno = ECANCELED;
        return false;
    }

    void fail(const char* what) { failure_ = std::string(what) + ": " + std::strerror(errno); }

    int descriptor_ = -1;
    Owned owned_ = Owned::no;
    struct stat opened_{};
    off_t size_now_ = 0;
    bool regular_ = false;
    bool sized_ = false;  // a regular file that has a size: it is read to that size, and can seek
    bool waits_ = false;  // with poll(), before each read of what has no size
    int stop_ = -1;       // see end_waiting_at()
    uint64_t start_ = 0;  // where the source begins in the file
    uint64_t at_ = 0;     // the next byte to read, from start_
    std::string failure_;
};

}  // namespace

namespace {

// Non-blocking: a named pipe is waited for when it is read, where waiting can be ended.
std::unique_ptr<FileSource> opened(const std::string& path) {
    auto file = std::make_unique<FileSource>();
    file->take(uninterrupted([&] { return open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK); }),
               FileSource::Owned::yes);
    return file;
}

}  // namespace

std::unique_ptr<Source> open_file(const std::string& path) { return opened(path); }

std::unique_ptr<Source> open_regular_file(const std::string& path) {
    auto file = opened(path);
    file->require_regular();
    return file;
}

std::unique_ptr<Source> open_standard_input() {
    auto file = std::make_unique<FileSource>();
    file->take(STDIN_FILENO, FileSource::Owned::no);
    return file;
}

size_t MemorySource::read(uint8_t* to, size_t bytes) {
    if (at_ >= bytes_.size()) return 0;
    const Bytes piece = bytes_.subspan(at_, std::min<uint64_t>(bytes, bytes_.size() - at_));
    std::copy(piece.begin(), piece.end(), to);
    at_ += piece.size();
    return piece.size();
}

bool MemorySource::seek(uint64_t offset) {
    at_ = offset;
    return true;
}

}  // namespace tracelint
