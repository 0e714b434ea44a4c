// Keeps a process, and the processes that it starts, from writing outside of one folder and from using a network: by
// Landlock and seccomp of Linux, which need no privileges. Reading files and running programs stays allowed. This
// guards against a reader that goes wrong, not against one that looks for a way out.
#pragma once

#include <string>

namespace tracelint {

// What a sandbox guards.
struct Sandbox {
    bool files = false;
    bool network = false;
};

// What this system can guard.
Sandbox available_sandbox();

// What the sandbox does not guard, for people: "files" or "files and network"; empty if it guards both.
std::string unguarded(const Sandbox& sandbox);

// From now on, the calling process only writes in the folder `scratch` and to /dev/null, and opens no sockets but local
// ones; as far as `sandbox` says. It also gains no privileges by running a program. For the time between fork and exec:
// makes system calls only. Returns an errno, or 0.
int enter_sandbox(const Sandbox& sandbox, const char* scratch);

}  // namespace tracelint
