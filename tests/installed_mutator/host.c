/* Loads the mutator as a fuzzer does, and calls all that it exports.
 *   host LIBRARY FILE COUNT    prints a hash of COUNT mutants of FILE by libFuzzer's functions, and one by AFL++'s */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracelint_mutator.h"

enum { LARGEST = 1 << 16 };

static uint8_t original[LARGEST], buffer[LARGEST + 16];

static void* function(void* library, const char* name) {
    void* const found = dlsym(library, name);
    if (found == NULL) {
        fprintf(stderr, "host: no %s\n", name);
        exit(1);
    }
    return found;
}

static uint64_t hash_of(uint64_t hash, const uint8_t* bytes, size_t size) {
    for (size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash ^ size;
}

static void require(int holds, const char* what) {
    if (holds) return;
    fprintf(stderr, "host: %s\n", what);
    exit(1);
}

/* The sizes that a buffer may have, from none to more than any mutant needs. */
static size_t room(unsigned number) { return number % 5 == 0 ? number % 97 : LARGEST; }

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    void* const library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) fprintf(stderr, "host: %s\n", dlerror());
    require(library != NULL, "the library cannot be loaded");
    size_t (*mutate)(uint8_t*, size_t, size_t, unsigned);
    size_t (*cross)(const uint8_t*, size_t, const uint8_t*, size_t, uint8_t*, size_t, unsigned);
    void* (*init)(void*, unsigned);
    size_t (*fuzz)(void*, uint8_t*, size_t, uint8_t**, uint8_t*, size_t, size_t);
    void (*optout)(void*);
    void (*deinit)(void*);
    *(void**)&mutate = function(library, "LLVMFuzzerCustomMutator");
    *(void**)&cross = function(library, "LLVMFuzzerCustomCrossOver");
    *(void**)&init = function(library, "afl_custom_init");
    *(void**)&fuzz = function(library, "afl_custom_fuzz");
    *(void**)&optout = function(library, "afl_custom_splice_optout");
    *(void**)&deinit = function(library, "afl_custom_deinit");

    FILE* const file = fopen(argv[2], "rb");
    require(file != NULL, "the file cannot be opened");
    const size_t size = fread(original, 1, LARGEST, file);
    fclose(file);
    const unsigned count = (unsigned)strtoul(argv[3], NULL, 10);
    uint64_t hash = 0;
    for (unsigned i = 0; i < count; ++i) {
        const size_t most = room(i), start = size < most ? size : most;
        memset(buffer, 0xa5, sizeof buffer);
        memcpy(buffer, original, start);
        size_t made = mutate(buffer, start, most, i);
        require(made <= most && buffer[most] == 0xa5, "a mutant does not fit");
        hash = hash_of(hash, buffer, made);
        made = cross(original, size, original, size, buffer, most, i);
        require(made <= most, "a mixture does not fit");
        hash = hash_of(hash, buffer, made);
    }
    printf("%016llx", (unsigned long long)hash);

    void* const state = init(NULL, 7);
    require(state != NULL, "afl_custom_init gives nothing");
    optout(state);
    hash = 0;
    for (unsigned i = 0; i < count; ++i) {
        memcpy(buffer, original, size);
        uint8_t* out = NULL;
        const size_t made = fuzz(state, buffer, size, &out, NULL, 0, LARGEST);
        require(out != NULL && made <= LARGEST, "a mutant of AFL++ does not fit");
        require(memcmp(buffer, original, size) == 0, "the input is changed");
        hash = hash_of(hash, out, made);
    }
    deinit(state);
    printf(" %016llx\n", (unsigned long long)hash);
    return 0;
}
