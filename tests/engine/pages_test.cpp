// Memory for tables: contents, alignment, and release.
#include "validator/memory/pages.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string>

#include "tests/support/allocated_bytes.hpp"

namespace tracelint {
namespace {

constexpr size_t kPage = 4096, kHugePage = 2 * kMiB;

uint8_t* bytes_of(const Pages& pages) { return static_cast<uint8_t*>(pages.data()); }
bool begins_at_multiple_of(const Pages& pages, size_t number) {
    return reinterpret_cast<uintptr_t>(pages.data()) % number == 0;
}

// Bytes of addresses that the process has in use; 0 if the system does not report them. Takes no memory of its own.
size_t mapped_bytes() {
    char text[64]{};
    const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    const ssize_t got = read(file, text, sizeof text - 1);
    close(file);
    return got <= 0 ? 0 : std::strtoull(text, nullptr, 10) * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

// Memory that is free again and is not 0.
void make_free_memory_dirty() {
    const std::string dirt(100'000, '\xff');
    REQUIRE(std::count(dirt.begin(), dirt.end(), '\xff') == 100'000);
}

}  // namespace

TEST_CASE("a small block is zeroed and aligned to a cache line") {
    for (const size_t size : {1u, 2u, 63u, 64u, 65u, 66u, 127u, 128u, 129u, 10'000u}) {
        CAPTURE(size);
        make_free_memory_dirty();
        const size_t before = mapped_bytes();
        const Pages pages(size);
        const size_t after = mapped_bytes();
        CHECK(after <= before + 4 * kMiB);
        CHECK(begins_at_multiple_of(pages, Pages::kLine));
        CHECK(std::all_of(bytes_of(pages), bytes_of(pages) + size, [](uint8_t byte) { return byte == 0; }));
        std::fill_n(bytes_of(pages), size, uint8_t{0xff});
    }
}

TEST_CASE("a large block is mapped from its first byte to its last, and nothing around it") {
    struct Case {
        size_t size, mapped;
    };
    const Case cases[] = {
        {kHugePage, kHugePage},
        {3 * kHugePage, 3 * kHugePage},
        {3 * kHugePage + 1, 3 * kHugePage + kPage},
        {4 * kHugePage - 1, 4 * kHugePage},
    };
    const size_t before_all = mapped_bytes();
    {
        std::optional<Pages> all[std::size(cases)];
        for (size_t i = 0; i < std::size(cases); ++i) {
            CAPTURE(cases[i].size);
            const size_t before = mapped_bytes();
            all[i].emplace(cases[i].size);
            const size_t after = mapped_bytes();
            CHECK(after - before == (before == 0 ? 0 : cases[i].mapped));
            CHECK(begins_at_multiple_of(*all[i], kHugePage));
            uint8_t* const first = bytes_of(*all[i]);
            for (uint8_t* const byte : {first, first + cases[i].size - 1}) {
                CHECK(*byte == 0);
                *byte = 1;
            }
        }
    }
    CHECK(mapped_bytes() < before_all + 2 * kHugePage);
}

TEST_CASE("moved pages keep their memory, and it is released once") {
    constexpr size_t kRounds = 50;
    bool same = true;
    const size_t mapped = mapped_bytes(), allocated = allocated_bytes();
    for (size_t round = 0; round < kRounds; ++round) {
        Pages small(100 * Pages::kLine), large(3 * kHugePage), none;
        void* const at_small = small.data();
        void* const at_large = large.data();
        small = std::move(large);
        const Pages taken(std::move(small));
        none = std::move(large);  // NOLINT(bugprone-use-after-move): of nothing
        same = same && taken.data() == at_large && none.data() == at_small;
    }
    const size_t mapped_behind = mapped_bytes(), allocated_behind = allocated_bytes();
    CHECK(same);
    CHECK(mapped_behind < mapped + 3 * kHugePage);
    CHECK(allocated_behind < allocated + kRounds / 2 * 100 * Pages::kLine);
}

TEST_CASE("an impossible size is refused") { CHECK_THROWS_AS(Pages(size_t{1} << 60), std::bad_alloc); }

}  // namespace tracelint
