// Where the calls come by. The linker gives --wrap=NAME for each __wrap_NAME here (CMakeLists.txt).
#include "tests/failures/fault.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "tests/failures/meter.hpp"

namespace tracelint {
namespace {

std::atomic<uint64_t> allocated{0}, peak{0};

void note_allocated(uint64_t bytes) {
    const uint64_t now = allocated += bytes;
    for (uint64_t most = peak; now > most && !peak.compare_exchange_weak(most, now);) {
    }
}

void note_freed(uint64_t bytes) { allocated -= bytes; }

// What the system gave, its own 8 bytes included.
uint64_t given(void* memory) { return memory == nullptr ? 0 : malloc_usable_size(memory) + 8; }

void* noted(void* memory) {
    note_allocated(given(memory));
    return memory;
}

std::atomic<Call> armed{Call::none};
std::atomic<uint64_t> calls{0};
uint64_t struck_call = 0;
Way way = Way::fails;
bool onwards = false;

// Counts a call; whether it is the one.
bool strikes(Call call) {
    if (armed.load(std::memory_order_relaxed) != call) return false;
    const uint64_t now = ++calls;
    return now == struck_call || (onwards && now > struck_call);
}

// The same for a function that sets errno.
bool fails(Call call) {
    if (!strikes(call)) return false;
    errno = way == Way::interrupted ? EINTR : EIO;
    return true;
}

// The same for a read of up to `bytes`, which may be made to return only one.
bool read_fails(size_t& bytes) {
    if (!strikes(Call::read)) return false;
    if (way == Way::one_byte) {
        bytes = bytes < 1 ? bytes : 1;
        return false;
    }
    errno = way == Way::interrupted ? EINTR : EIO;
    return true;
}

}  // namespace

uint64_t allocated_now() { return allocated; }
uint64_t allocated_at_most() { return peak; }
void reset_peak() { peak = allocated.load(); }

Fault::Fault(Call call, uint64_t which, Way how, bool and_all_that_follow) {
    calls = 0;
    struck_call = which;
    way = how;
    onwards = and_all_that_follow;
    armed = call;
}

Fault::~Fault() { armed = Call::none; }

bool Fault::struck() const { return calls >= struck_call; }

}  // namespace tracelint

using tracelint::Call;
using tracelint::fails;
using tracelint::given;
using tracelint::note_allocated;
using tracelint::note_freed;
using tracelint::noted;
using tracelint::strikes;

// NOLINTBEGIN(bugprone-reserved-identifier): the linker makes these names.
extern "C" {

void* __real_malloc(size_t);
void* __real_calloc(size_t, size_t);
void* __real_realloc(void*, size_t);
void* __real_aligned_alloc(size_t, size_t);
void __real_free(void*);
void* __real_mmap(void*, size_t, int, int, int, off_t);
int __real_munmap(void*, size_t);
int __real_inflateInit2_(z_streamp, int, const char*, int);
int __real_open(const char*, int, ...);
int __real_openat(int, const char*, int, ...);
DIR* __real_fdopendir(int);
dirent* __real_readdir(DIR*);
int __real_fstat(int, struct stat*);
int __real_stat(const char*, struct stat*);
int __real_fstatat(int, const char*, struct stat*, int);
off_t __real_lseek(int, off_t, int);
ssize_t __real_read(int, void*, size_t);
ssize_t __real_pread(int, void*, size_t, off_t);
int __real_poll(pollfd*, nfds_t, int);
FILE* __real_fopen(const char*, const char*);
size_t __real_fwrite(const void*, size_t, size_t, FILE*);
int __real_fflush(FILE*);
int __real_fclose(FILE*);
int __real_rename(const char*, const char*);

void* __wrap_malloc(size_t bytes) { return strikes(Call::allocation) ? nullptr : noted(__real_malloc(bytes)); }
void* __wrap_calloc(size_t items, size_t bytes) {
    return strikes(Call::allocation) ? nullptr : noted(__real_calloc(items, bytes));
}
void* __wrap_realloc(void* memory, size_t bytes) {
    if (strikes(Call::allocation)) return nullptr;
    const uint64_t before = given(memory);
    void* const moved = __real_realloc(memory, bytes);
    if (moved == nullptr) return nullptr;
    note_freed(before);
    return noted(moved);
}
void* __wrap_aligned_alloc(size_t alignment, size_t bytes) {
    return strikes(Call::allocation) ? nullptr : noted(__real_aligned_alloc(alignment, bytes));
}
void __wrap_free(void* memory) {
    note_freed(given(memory));
    __real_free(memory);
}
void* __wrap_mmap(void* at, size_t bytes, int access, int flags, int file, off_t offset) {
    void* const memory = __real_mmap(at, bytes, access, flags, file, offset);
    if (memory != MAP_FAILED) note_allocated(bytes);
    return memory;
}
int __wrap_munmap(void* memory, size_t bytes) {
    note_freed(bytes);
    return __real_munmap(memory, bytes);
}

static voidpf allocate_for_zlib(voidpf, uInt items, uInt size) { return std::calloc(items, size); }
static void free_for_zlib(voidpf, voidpf memory) { std::free(memory); }
int __wrap_inflateInit2_(z_streamp stream, int bits, const char* version, int size) {
    stream->zalloc = allocate_for_zlib;
    stream->zfree = free_for_zlib;
    return __real_inflateInit2_(stream, bits, version, size);
}

int __wrap_open(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const int mode = (flags & O_CREAT) != 0 ? va_arg(rest, int) : 0;
    va_end(rest);
    return fails(Call::open) ? -1 : __real_open(path, flags, mode);
}
// Nothing is created this way.
int __wrap_openat(int folder, const char* path, int flags, ...) {
    return fails(Call::open) ? -1 : __real_openat(folder, path, flags);
}
DIR* __wrap_fdopendir(int folder) { return fails(Call::list) ? nullptr : __real_fdopendir(folder); }
dirent* __wrap_readdir(DIR* folder) { return fails(Call::list) ? nullptr : __real_readdir(folder); }
int __wrap_fstat(int file, struct stat* to) { return fails(Call::status) ? -1 : __real_fstat(file, to); }
int __wrap_stat(const char* path, struct stat* to) { return fails(Call::status) ? -1 : __real_stat(path, to); }
int __wrap_fstatat(int folder, const char* path, struct stat* to, int flags) {
    return fails(Call::status) ? -1 : __real_fstatat(folder, path, to, flags);
}
off_t __wrap_lseek(int file, off_t offset, int from) {
    return fails(Call::position) ? -1 : __real_lseek(file, offset, from);
}
ssize_t __wrap_read(int file, void* to, size_t bytes) {
    return tracelint::read_fails(bytes) ? -1 : __real_read(file, to, bytes);
}
ssize_t __wrap_pread(int file, void* to, size_t bytes, off_t offset) {
    return tracelint::read_fails(bytes) ? -1 : __real_pread(file, to, bytes, offset);
}
int __wrap_poll(pollfd* files, nfds_t count, int timeout) {
    return fails(Call::poll) ? -1 : __real_poll(files, count, timeout);
}
FILE* __wrap_fopen(const char* path, const char* mode) {
    return fails(Call::create) ? nullptr : __real_fopen(path, mode);
}
size_t __wrap_fwrite(const void* from, size_t size, size_t count, FILE* file) {
    return file != stderr && fails(Call::write) ? 0 : __real_fwrite(from, size, count, file);
}
int __wrap_fflush(FILE* file) { return fails(Call::flush) ? EOF : __real_fflush(file); }
int __wrap_fclose(FILE* file) {
    const int result = __real_fclose(file);
    return fails(Call::close) ? EOF : result;
}
int __wrap_rename(const char* from, const char* to) { return fails(Call::rename) ? -1 : __real_rename(from, to); }

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)

// The array and nothrow forms of the standard library also come by here; a sanitizer's would not.
void* operator new(size_t bytes) {
    void* const memory = strikes(Call::allocation) ? nullptr : __real_malloc(bytes == 0 ? 1 : bytes);
    if (memory == nullptr) throw std::bad_alloc();
    return noted(memory);
}
void* operator new[](size_t bytes) { return operator new(bytes); }
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
    return strikes(Call::allocation) ? nullptr : noted(__real_malloc(bytes == 0 ? 1 : bytes));
}
void* operator new[](size_t bytes, const std::nothrow_t& nothrow) noexcept { return operator new(bytes, nothrow); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
