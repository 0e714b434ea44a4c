// Waits until a thread sleeps.
#pragma once

#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>
#include <thread>

namespace tracelint {

// Whether the kernel has the thread of a process waiting for something. True where there is no such thread any more.
inline bool is_asleep(pid_t process, pid_t thread) {
    std::ifstream file("/proc/" + std::to_string(process) + "/task/" + std::to_string(thread) + "/stat");
    std::ostringstream text;
    text << file.rdbuf();
    const std::string stat = text.str();
    const size_t name_end = stat.rfind(')');
    return name_end == stat.npos || stat.compare(name_end, 3, ") R") != 0;
}

// For a thread of this process.
inline void wait_until_asleep(pid_t thread) {
    while (!is_asleep(getpid(), thread)) std::this_thread::yield();
}

}  // namespace tracelint
