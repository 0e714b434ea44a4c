/* libtracelint_mutator: a mutator for fuzzers of programs that read traces. Its results are traces, valid or broken in
 * one or a few places, so that they get past the header of a reader.
 *
 * libFuzzer finds it when the fuzz target is linked with it:
 *     clang -fsanitize=fuzzer target.c -Wl,--no-as-needed -ltracelint_mutator
 * AFL++ loads it:
 *     AFL_CUSTOM_MUTATOR_LIBRARY=/usr/lib/.../libtracelint_mutator.so afl-fuzz ...
 * Other fuzzers call tracelint_mutator_mutate().
 *
 * The environment variable TRACELINT_MUTATOR has options, separated by commas:
 *     format=jitdump+xray   ids of the formats (default: all)
 *     byte_order=big        of generated traces (default: any); or little
 *     version=3             of generated traces (default: any)
 *     extensions=no         whether generated traces have records of the format's extensions, such as samply's in jitdump:
 *                           yes or no (default: some have)
 *     mix=10:30:60          how often the result is a valid trace, has one fault, is a mutation of the input. The fault is
 *                           in a generated trace, or in the input if that has no error and no warning
 *     size=512              bytes of a generated trace (default 512, at most 1048576)
 *     container=gzip        of results: none, gzip or zstd (default: that of the input). They are stored in it, not
 *                           compressed, so that they do not depend on the version of a library. A change of single
 *                           bytes is made in the input as it is
 *
 * The same input, seed and options give the same result. No function throws, prints, or reads the clock; a wrong
 * option, which is reported on standard error, ends the process of libFuzzer and the start of AFL++. */
#ifndef TRACELINT_MUTATOR_H
#define TRACELINT_MUTATOR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TRACELINT_MUTATOR_API __attribute__((visibility("default")))
#else
#define TRACELINT_MUTATOR_API
#endif

typedef struct tracelint_mutator tracelint_mutator;

/* A mutator with the options of a text, as above. NULL if a word means nothing or memory is short; then `fault`, unless
 * it is NULL, receives up to `fault_size` bytes of why, NUL included. Not changed by its use, so that threads may share
 * it. */
TRACELINT_MUTATOR_API tracelint_mutator* tracelint_mutator_new(const char* options, char* fault, size_t fault_size);
TRACELINT_MUTATOR_API void tracelint_mutator_free(tracelint_mutator* mutator);

/* Changes the `size` bytes of `data`, which has room for `max_size`, and returns their new number. A gzip
 * or zstd file is opened if it holds at most 1 MiB. Memory is taken in proportion to the trace; without it, a byte is
 * changed. */
TRACELINT_MUTATOR_API size_t tracelint_mutator_mutate(const tracelint_mutator* mutator, uint8_t* data, size_t size,
                                                      size_t max_size, uint64_t seed);
/* Writes the first file with some records of the second one to `to`, which has room for `max_size` bytes, and returns
 * how many it wrote; 0 if they do not fit. */
TRACELINT_MUTATOR_API size_t tracelint_mutator_cross(const tracelint_mutator* mutator, const uint8_t* first,
                                                     size_t first_size, const uint8_t* second, size_t second_size,
                                                     uint8_t* to, size_t max_size, uint64_t seed);

/* What libFuzzer and AFL++ call. */
TRACELINT_MUTATOR_API size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed);
TRACELINT_MUTATOR_API size_t LLVMFuzzerCustomCrossOver(const uint8_t* data1, size_t size1, const uint8_t* data2,
                                                       size_t size2, uint8_t* out, size_t max_size, unsigned seed);
TRACELINT_MUTATOR_API void* afl_custom_init(void* afl, unsigned seed);
TRACELINT_MUTATOR_API size_t afl_custom_fuzz(void* data, uint8_t* buffer, size_t size, uint8_t** out, uint8_t* added,
                                             size_t added_size, size_t max_size);
TRACELINT_MUTATOR_API void afl_custom_splice_optout(void* data);
TRACELINT_MUTATOR_API void afl_custom_deinit(void* data);

#ifdef __cplusplus
}
#endif
#endif
