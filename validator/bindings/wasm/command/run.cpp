// The function that the host calls in command.wasm: the command line, with the arguments and in the folder that the
// host gives.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "validator/bindings/wasm/arguments.hpp"
#include "validator/tool/run/commands.hpp"

// Returns the exit status.
extern "C" [[clang::export_name("run")]] int run_command_line() {
    tracelint::HostArguments arguments;
    if (arguments.empty()) return tracelint::kInternal;
    if (const char* folder = std::getenv("PWD")) (void)!chdir(folder);
    const int status = tracelint::run({arguments.begin() + 1, arguments.end()});
    std::fflush(nullptr);
    return status;
}
