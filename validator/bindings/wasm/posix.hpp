// What WASI leaves out of POSIX and the command line calls; every source includes it first. A file that is written has
// the owner and the permissions that the host gives it.
#pragma once

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

inline int fchown(int file, uid_t owner, gid_t group) {
    (void)file, (void)owner, (void)group;
    return 0;
}

inline int fchmod(int file, mode_t permissions) {
    (void)file, (void)permissions;
    return 0;
}

#ifdef __cplusplus
}
#endif
