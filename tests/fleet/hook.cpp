// For the tests of fleets, loaded with LD_PRELOAD: a program that opens a file of one of these names crashes, hangs or
// is slow.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <string>

namespace {

void act_on(const std::string& path) {
    const std::string name = path.substr(path.rfind('/') + 1);
    if (name.starts_with("crashes")) raise(SIGSEGV);
    if (name.starts_with("killed")) raise(SIGKILL);
    while (name.starts_with("hangs")) pause();
    if (name.starts_with("slow")) usleep(50'000);
    if (!name.starts_with("once") || name.ends_with(".mark")) return;
    // As the system may end any process when memory is short.
    std::FILE* const mark = std::fopen((path + ".mark").c_str(), "wx");
    if (mark == nullptr) return;
    std::fclose(mark);
    raise(SIGKILL);
}

}  // namespace

extern "C" int open(const char* path, int flags, ...) {
    std::va_list more;
    va_start(more, flags);
    const int mode = va_arg(more, int);
    va_end(more);
    act_on(path);
    using Open = int (*)(const char*, int, ...);
    return reinterpret_cast<Open>(dlsym(RTLD_NEXT, "open"))(path, flags, mode);
}
