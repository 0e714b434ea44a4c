/* A runtime in small: dumps eight functions as perf's jitdump.h says, and runs each of them for a while.
 *   writer [FAULT]    breaks one thing between the dump and its recording; tests/perf_pairs has the list
 * The dump is ./jit-<pid>.dump. Linux, x86-64. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { FUNCTIONS = 8, DISTANCE = 256 };

/* dec edi; jne to it; ret: counts its argument down. */
static const uint8_t code[] = {0xff, 0xcf, 0x75, 0xfc, 0xc3};

struct header {
    uint32_t magic, version, size, machine, padding, pid;
    uint64_t time, flags;
};

struct load {
    uint32_t id, size;
    uint64_t time;
    uint32_t pid, tid;
    uint64_t vma, address, code_size, index;
} __attribute__((packed));

static const char *fault = "";

static int has(const char *name) { return strcmp(fault, name) == 0; }

static uint64_t now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static uint64_t stamp(void) {
    if (has("wall-clock")) return now(CLOCK_REALTIME);
    return now(CLOCK_MONOTONIC);
}

static void *must_map(void *at, size_t size, int protection, int flags, int file) {
    void *mapped = mmap(at, size, protection, flags, file, 0);
    if (mapped == MAP_FAILED) {
        perror("mmap");
        exit(1);
    }
    return mapped;
}

static FILE *open_dump(void) {
    char name[64];
    snprintf(name, sizeof name, has("renamed") ? "code-%d.dump" : "jit-%d.dump", getpid());
    FILE *dump = fopen(name, "w+");
    if (dump == NULL) exit(1);
    struct header header = {0x4a695444, 1, sizeof header, 62, 0, (uint32_t)getpid(), stamp(), has("arch-timestamp")};
    if (has("header-pid")) header.pid = 1;
    fwrite(&header, sizeof header, 1, dump);
    fflush(dump);
    const int protection = has("marker-not-executable") ? PROT_READ : PROT_READ | PROT_EXEC;
    if (!has("no-marker")) must_map(NULL, 4096, protection, MAP_PRIVATE, fileno(dump));
    return dump;
}

static void dump_function(FILE *dump, const uint8_t *at, unsigned index) {
    char name[32];
    const size_t name_size = (size_t)snprintf(name, sizeof name, "function%u", index) + 1;
    const uint32_t pid = has("load-pid") ? 1 : (uint32_t)getpid();
    const struct load load = {0,   (uint32_t)(sizeof load + name_size + sizeof code), stamp(), pid, pid, (uintptr_t)at,
                              (uintptr_t)at, sizeof code, index};
    fwrite(&load, sizeof load, 1, dump);
    fwrite(name, name_size, 1, dump);
    fwrite(code, sizeof code, 1, dump);
}

/* Maps something over the code, and puts the code there again. */
static void map_over(uint8_t *memory) {
    if (has("file-over-code")) {
        const int file = open("over.bin", O_RDWR | O_CREAT, 0755);
        if (file < 0 || ftruncate(file, 4096) != 0) exit(1);
        must_map(memory, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_SHARED | MAP_FIXED, file);
    } else if (has("anonymous-over-code")) {
        must_map(memory, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1);
    } else {
        return;
    }
    for (unsigned i = 0; i < FUNCTIONS; ++i) memcpy(memory + i * DISTANCE, code, sizeof code);
}

static void dump_functions(FILE *dump, const uint8_t *memory) {
    const unsigned count = has("cut") ? 2 : FUNCTIONS;
    for (unsigned i = 0; i < count; ++i) dump_function(dump, memory + i * DISTANCE, i);
    const uint64_t time = stamp();
    const uint32_t close_record[] = {3, 16, (uint32_t)time, (uint32_t)(time >> 32)};
    if (!has("cut")) fwrite(close_record, sizeof close_record, 1, dump);
    fclose(dump);
}

static void run(uint8_t *memory) {
    const uint64_t end = now(CLOCK_PROCESS_CPUTIME_ID) + 400000000;
    for (unsigned i = 0; now(CLOCK_PROCESS_CPUTIME_ID) < end; ++i)
        ((void (*)(unsigned))(uintptr_t)(memory + i % FUNCTIONS * DISTANCE))(1000000);
}

int main(int count, char **arguments) {
    if (count > 1) fault = arguments[1];
    FILE *dump = open_dump();
    uint8_t *memory = must_map(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    for (unsigned i = 0; i < FUNCTIONS; ++i) memcpy(memory + i * DISTANCE, code, sizeof code);
    if (!has("late")) dump_functions(dump, memory);
    map_over(memory);
    run(memory);
    if (has("late")) dump_functions(dump, memory);
    return 0;
}
