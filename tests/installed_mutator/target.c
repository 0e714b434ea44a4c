/* A target that ends with a message once a jitdump with a certain record gets through: no byte fuzzer finds it soon. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t u32(const uint8_t* at) { return at[0] | at[1] << 8 | at[2] << 16 | (uint32_t)at[3] << 24; }

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size < 40 || memcmp(data, "DTiJ", 4) != 0 || u32(data + 4) != 1) return 0;
    uint32_t moved = 0;
    for (size_t at = u32(data + 8); at + 16 <= size && u32(data + at + 4) >= 16; at += u32(data + at + 4))
        moved += u32(data + at) == 1;
    if (moved < 2) return 0;
    fputs("target: two records of type 1\n", stderr);
    abort();
}
