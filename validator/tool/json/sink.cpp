// Writes to files, and puts them in place.
#include "validator/tool/json/sink.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

namespace tracelint {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;            // as many as Linux follows
constexpr int kMostTemporaryNames = 100;  // that are tried
constexpr mode_t kPermissions = 07777;

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

// The temporary name of a file at `path`, of those that a process may give.
std::string temporary_name(const fs::path& path, pid_t writer, int number) {
    const std::string name = ".tracelint-" + std::to_string(writer) + "-" + std::to_string(number) + ".tmp";
    return (folder_of(path) / name).string();
}

// Whether the name is that of a file that a process has open: /dev/stdout and /dev/fd lead there.
bool is_in_proc(const fs::path& path) {
    std::error_code error;
    const std::string folder = fs::canonical(folder_of(path), error).string();
    return !error && folder.starts_with("/proc/");
}

// The path with links followed, up to one in /proc; a link may lead to a file that does not exist.
fs::path followed(fs::path path) {
    for (int links = 0; links < kMostLinks && !is_in_proc(path); ++links) {
        std::error_code error;
        const fs::path to = fs::read_symlink(path, error);
        if (error) break;
        path = to.is_absolute() ? to : folder_of(path) / to;
    }
    return path;
}

bool is_standard_stream(const struct stat& file) {
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        struct stat stream{};
        if (fstat(descriptor, &stream) == 0 && stream.st_dev == file.st_dev && stream.st_ino == file.st_ino)
            return true;
    }
    return false;
}

// The other names of a file keep what it was only if it is to be durable.
bool may_be_replaced(const struct stat& file, Durable durable) {
    return S_ISREG(file.st_mode) && (file.st_nlink == 1 || durable == Durable::yes) && !is_standard_stream(file);
}

// Gives a file the owner, group and permissions of another; false if the system refuses.
bool make_alike(int descriptor, const struct stat& other) {
    struct stat now{};
    if (fstat(descriptor, &now) != 0) return false;
    const bool same_owner = now.st_uid == other.st_uid && now.st_gid == other.st_gid;
    if (!same_owner && fchown(descriptor, other.st_uid, other.st_gid) != 0) return false;
    return fchmod(descriptor, other.st_mode & kPermissions) == 0;
}

// Some file systems and devices cannot: then there is nothing more to be done.
bool synchronise(int descriptor) { return fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP; }

}  // namespace

FileSink::FileSink() : file_(stdout) {
    struct stat existing{};
    if (fstat(STDOUT_FILENO, &existing) == 0) identify(&existing);
}

FileSink::FileSink(const std::string& path, Durable durable) : path_(followed(path).string()), durable_(durable) {
    struct stat status{};
    const bool exists = stat(path_.c_str(), &status) == 0;
    const struct stat* const existing = exists ? &status : nullptr;
    identify(existing);
    const bool replaces = existing == nullptr || (may_be_replaced(*existing, durable) && !is_in_proc(path_));
    // The name of a file that may not be written to is not given to another one either.
    const bool is_forbidden =
        replaces && existing != nullptr && faccessat(AT_FDCWD, path_.c_str(), W_OK, AT_EACCESS) != 0;
    if (is_forbidden) fail();
    if (replaces && !is_forbidden) create_temporary(existing);
    if (file_ == nullptr && failure_ == 0 && replaces && durable == Durable::yes)
        failure_ = EACCES;  // written in place, it would be there before it is whole
    if (file_ == nullptr && failure_ == 0) open_in_place();
}

void FileSink::identify(const struct stat* existing) {
    struct stat folder{};
    if (existing != nullptr) {
        if (S_ISREG(existing->st_mode)) identity_ = {existing->st_dev, existing->st_ino, {}};
    } else if (stat(folder_of(path_).c_str(), &folder) == 0) {
        identity_ = {folder.st_dev, folder.st_ino, fs::path(path_).filename().string()};
    }
}

// Leaves the sink as it was if the folder or the owner forbids it.
void FileSink::create_temporary(const struct stat* existing) {
    for (int number = 0; number < kMostTemporaryNames; ++number) {
        std::string name = temporary_name(path_, getpid(), number);
        file_ = std::fopen(name.c_str(), "wbxe");
        if (file_ == nullptr && errno == EEXIST) continue;
        const bool forbidden = file_ == nullptr && (errno == EACCES || errno == EPERM || errno == EROFS);
        if (forbidden) return;
        if (file_ == nullptr) return fail();
        temporary_ = std::move(name);
        if (existing != nullptr && !make_alike(fileno(file_), *existing)) discard();
        return;
    }
    fail();
}

// Appends, so that opening it does not empty it yet: what the user asked for may still turn out to be a mistake.
void FileSink::open_in_place() {
    file_ = std::fopen(path_.c_str(), "abe");
    if (file_ == nullptr) return fail();
    is_to_be_emptied_ = identity_.has_value();
}

void FileSink::start() {
    if (!std::exchange(is_to_be_emptied_, false)) return;
    if (ftruncate(fileno(file_), 0) != 0) fail();
}

void FileSink::write(std::string_view text) {
    if (failure_ != 0 || text.empty()) return;
    start();
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail();
}

// A temporary file is not visible yet, so its buffer may be filled first.
void FileSink::flush() {
    if (temporary_.empty()) write_out();
}

void FileSink::write_out() {
    if (failure_ == 0 && file_ != nullptr && std::fflush(file_) != 0) fail();
}

bool FileSink::is_same_file(const FileSink& other) const { return identity_ && identity_ == other.identity_; }

void FileSink::close() {
    if (file_ == nullptr) return;
    if (failure_ == 0) start();
    write_out();
    if (failure_ == 0 && durable_ == Durable::yes && !synchronise(fileno(file_))) fail();
    if (file_ == stdout) {
        file_ = nullptr;
        return;
    }
    if (std::fclose(std::exchange(file_, nullptr)) != 0 && failure_ == 0) fail();
    if (!temporary_.empty()) put_in_place();
}

void FileSink::put_in_place() {
    if (failure_ == 0 && std::rename(temporary_.c_str(), path_.c_str()) != 0) fail();
    if (failure_ == 0) temporary_.clear();
    discard();
    if (failure_ != 0 || durable_ == Durable::no) return;
    // The name is in the folder.
    const int folder = ::open(folder_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0 || !synchronise(folder)) fail();
    if (folder >= 0) ::close(folder);
}

void FileSink::discard() {
    std::FILE* const file = std::exchange(file_, nullptr);
    if (file != nullptr && file != stdout) std::fclose(file);
    if (file == stdout) std::fflush(file);
    if (!temporary_.empty()) unlink(temporary_.c_str());
    temporary_.clear();
}

void remove_temporaries(const std::string& path, pid_t writer) {
    const fs::path file = followed(path);
    for (int number = 0; number < kMostTemporaryNames; ++number)
        if (unlink(temporary_name(file, writer, number).c_str()) != 0 && errno == ENOENT) return;
}

// Some failures do not set errno.
void FileSink::fail() { failure_ = errno != 0 ? errno : EIO; }

}  // namespace tracelint
