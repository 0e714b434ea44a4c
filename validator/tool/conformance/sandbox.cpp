#include "validator/tool/conformance/sandbox.hpp"

#if defined(__linux__) && __has_include(<linux/landlock.h>)
#define TRACELINT_LANDLOCK
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <iterator>
#endif

namespace tracelint {

std::string unguarded(const Sandbox& sandbox) {
    std::string text = sandbox.files ? "" : "files";
    if (!sandbox.network) text += text.empty() ? "network" : " and network";
    return text;
}

#ifdef TRACELINT_LANDLOCK
namespace {

// Rights to files that newer versions of Landlock know, which the system's headers may lack.
constexpr uint64_t kRefer = 1 << 13;     // since version 2
constexpr uint64_t kTruncate = 1 << 14;  // since version 3

constexpr uint64_t kOfFiles = LANDLOCK_ACCESS_FS_WRITE_FILE;
constexpr uint64_t kOfFolders =
    LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
    LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |
    LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

// The version of Landlock; below 1 if the kernel has none.
long landlock_version() { return syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION); }

bool allow(int rules, const char* path, uint64_t access) {
    landlock_path_beneath_attr beneath = {};
    beneath.allowed_access = access;
    beneath.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (beneath.parent_fd < 0) return false;
    const bool added = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0) == 0;
    close(beneath.parent_fd);
    return added;
}

bool guard_files(const char* scratch) {
    const long version = landlock_version();
    const uint64_t of_files = kOfFiles | (version >= 3 ? kTruncate : 0);
    const uint64_t all = of_files | kOfFolders | (version >= 2 ? kRefer : 0);
    landlock_ruleset_attr handled = {};
    handled.handled_access_fs = all;
    const auto rules =
        static_cast<int>(syscall(SYS_landlock_create_ruleset, &handled, sizeof handled.handled_access_fs, 0));
    if (rules < 0) return false;
    const bool guarded = allow(rules, scratch, all) && allow(rules, "/dev/null", of_files) &&
                         syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    close(rules);
    return guarded;
}

// Programs of another architecture, which a kernel may run, too, have other numbers for system calls and are let
// through.
#if defined(__x86_64__) && !defined(__ILP32__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__) && defined(__AARCH64EL__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr uint32_t kArchitecture = 0;  // the network is not guarded
#endif

constexpr uint32_t place_of_argument(size_t n) {
    return static_cast<uint32_t>(offsetof(seccomp_data, args) + n * sizeof(uint64_t));
}

// Refuses sockets that are not local, and io_uring, by which they could be opened without the system call.
bool guard_network() {
    constexpr uint32_t kRefused = SECCOMP_RET_ERRNO | EACCES, kUnknown = SECCOMP_RET_ERRNO | ENOSYS;
    static sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 2),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, place_of_argument(0)),  // the half that counts, as both are little-endian
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 0, 2),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, kUnknown),
        BPF_STMT(BPF_RET | BPF_K, kRefused),
    };
    static sock_fprog program = {std::size(steps), steps};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

bool has_seccomp() {
    const uint32_t action = SECCOMP_RET_ERRNO;
    return kArchitecture != 0 && syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

}  // namespace

Sandbox available_sandbox() { return {landlock_version() >= 1, has_seccomp()}; }

int enter_sandbox(const Sandbox& sandbox, const char* scratch) {
    if (!sandbox.files && !sandbox.network) return 0;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    if (sandbox.files && !guard_files(scratch)) return errno;
    if (sandbox.network && !guard_network()) return errno;
    return 0;
}

#else

Sandbox available_sandbox() { return {}; }
int enter_sandbox(const Sandbox&, const char*) { return 0; }

#endif

}  // namespace tracelint
