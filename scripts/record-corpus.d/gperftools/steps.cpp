// steps STEP...: does what the arguments say, one after the other.
#include <dlfcn.h>
#include <gperftools/profiler.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>

#include "work.hpp"

namespace {

constexpr size_t kPage = 4096;

void* plugin;
void* code;
int to_child = -1;

void call_plugin(const std::string& milliseconds) {
    const auto plugin_work = reinterpret_cast<void (*)(int)>(dlsym(plugin, "plugin_work"));
    plugin_work(std::stoi(milliseconds));
}

// x86: a loop that counts down from its first argument, as a compiler at run time would make it.
void call_generated_code(const std::string& milliseconds) {
    constexpr unsigned char kLoop[] = {
        0x89, 0xf9,  // mov ecx, edi
        0xff, 0xc9,  // dec ecx
        0x75, 0xfc,  // jnz back to dec
        0xc3,        // ret
    };
    code = mmap(nullptr, kPage, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    std::memcpy(code, kLoop, sizeof kLoop);
    const double end = processor_time() + std::stoi(milliseconds);
    while (processor_time() < end) reinterpret_cast<void (*)(unsigned)>(code)(100'000);
}

// The child works, and ends when its parent has come to "wait".
void fork_child(const std::string& milliseconds) {
    int ends[2];
    if (pipe(ends) != 0) std::abort();
    if (fork() == 0) {
        close(ends[1]);
        work(std::stoi(milliseconds));
        char none;
        if (read(ends[0], &none, 1) != 0) std::abort();
        std::exit(0);
    }
    close(ends[0]);
    to_child = ends[1];
}

void wait_for_child(const std::string&) {
    close(to_child);
    wait(nullptr);
}

const std::map<std::string, std::function<void(const std::string&)>> kSteps = {
    {"start", [](const std::string& file) { ProfilerStart(file.c_str()); }},
    {"stop", [](const std::string&) { ProfilerStop(); }},
    {"flush", [](const std::string&) { ProfilerFlush(); }},
    {"work", [](const std::string& milliseconds) { work(std::stoi(milliseconds)); }},
    {"raise", [](const std::string& signal) { std::raise(std::stoi(signal)); }},
    {"exit-at-once", [](const std::string&) { _exit(0); }},
    {"fork", fork_child},
    {"wait", wait_for_child},
    {"remove", [](const std::string& file) { std::remove(file.c_str()); }},
    {"load", [](const std::string& file) { plugin = dlopen(file.c_str(), RTLD_NOW); }},
    {"plugin", call_plugin},
    {"unload", [](const std::string&) { dlclose(plugin); }},
    {"generate", call_generated_code},
    {"unmap", [](const std::string&) { munmap(code, kPage); }},
    {"share",
     [](const std::string&) { mmap(nullptr, kPage, PROT_READ | PROT_EXEC, MAP_SHARED | MAP_ANONYMOUS, -1, 0); }},
};

}  // namespace

int main(int count, char** arguments) {
    for (int i = 1; i < count; ++i) {
        const std::string step = arguments[i];
        const size_t equals = step.find('=');
        kSteps.at(step.substr(0, equals))(equals == std::string::npos ? "" : step.substr(equals + 1));
    }
}
