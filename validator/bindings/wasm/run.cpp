// The function that the host calls: the command line, with the arguments and in the folder that the host gives.
#include <unistd.h>
#include <wasi/api.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "validator/tool/commands.hpp"

// Returns the exit status.
extern "C" [[clang::export_name("run")]] int run_command_line() {
    size_t count = 0, bytes = 0;
    if (__wasi_args_sizes_get(&count, &bytes) != 0) return tracelint::kInternal;
    std::vector<char> text(bytes + 1);
    std::vector<char*> words(count + 1);
    if (__wasi_args_get(reinterpret_cast<uint8_t**>(words.data()), reinterpret_cast<uint8_t*>(text.data())) != 0)
        return tracelint::kInternal;
    if (const char* folder = std::getenv("PWD")) (void)!chdir(folder);
    const int status = tracelint::run({words.data() + (count > 0 ? 1 : 0), words.data() + count});
    std::fflush(nullptr);
    return status;
}
