// fork MODE OPTIONS: a child continues the recording that its parent began. Each writes a file, the child's to the
// folder "child".
#include <sys/wait.h>
#include <unistd.h>

#include "recording.hpp"
#include "work.hpp"

[[clang::xray_never_instrument]] int main(int, char** arguments) {
    const Recording recording(arguments[1], arguments[2]);
    work(2);
    const pid_t child = fork();
    if (child == 0) {
        work(3);
        return chdir("child");
    }
    work(1);
    int status = 1;
    waitpid(child, &status, 0);
    return status;
}
