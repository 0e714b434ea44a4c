// sleep MODE OPTIONS: stays on one CPU without a call for longer than a delta of the time can tell, then changes to
// another CPU.
#include <sched.h>
#include <unistd.h>

#include "recording.hpp"
#include "work.hpp"

namespace {

[[clang::xray_never_instrument]] void move_to(int cpu) {
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    CPU_SET(cpu, &cpus);
    sched_setaffinity(0, sizeof cpus, &cpus);
}

}  // namespace

[[clang::xray_never_instrument]] int main(int, char** arguments) {
    const Recording recording(arguments[1], arguments[2]);
    move_to(0);
    work(1);
    usleep(2'300'000);
    work(1);
    move_to(1);
    work(1);
}
