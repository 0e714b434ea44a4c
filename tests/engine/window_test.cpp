// The window against a plain reference: whatever the source and the sizes of its reads, a view holds the input's bytes
// at its offset, and the end of the input is found.
#include <doctest/doctest.h>

#include <functional>

#include "fuzz/chunked_source.hpp"
#include "tests/support/allocated_bytes.hpp"
#include "tests/support/scratch.hpp"
#include "validator/input/window.hpp"

namespace tracelint {
namespace {

std::string noise(size_t size, uint64_t seed) {
    std::mt19937_64 random(seed);
    std::string bytes(size, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    return bytes;
}

// Views must show this much of the input from their offset on, or up to its end.
void check_view(Window& window, Bytes input, uint64_t offset, size_t wanted) {
    CAPTURE(offset);
    CAPTURE(wanted);
    const Bytes seen = window.view(offset, wanted);
    const Bytes expected = offset < input.size() ? input.subspan(offset) : Bytes{};
    REQUIRE(seen.size() >= std::min(wanted, expected.size()));
    REQUIRE(seen.size() <= expected.size());
    REQUIRE(std::equal(seen.begin(), seen.end(), expected.begin()));
    if (seen.size() < wanted) REQUIRE(window.size() == input.size());
}

void check_reaches(Window& window, Bytes input, uint64_t end) {
    CAPTURE(end);
    const bool reached = end <= input.size();
    REQUIRE(window.reaches(end) == reached);
    if (!reached) REQUIRE(window.size() == input.size());
}

// A number of any magnitude up to 2^`bits`.
uint64_t any_size(std::mt19937_64& random, uint64_t bits) { return random() >> (63 - random() % bits); }

// What walks do: views of buffered bytes and of more, short and long skips, questions about the end.
void walk_at_random(Window& window, Bytes input, uint64_t seed) {
    std::mt19937_64 random(seed);
    uint64_t offset = 0;
    for (int step = 0; step < 200; ++step) {
        if (random() % 4 == 0) {
            const uint64_t end = saturating_add(offset, any_size(random, 20));
            check_reaches(window, input, end);
            offset = std::max(offset, end == 0 ? 0 : end - 1);
        } else {
            check_view(window, input, offset, any_size(random, random() % 8 == 0 ? 20 : 8));
            offset = saturating_add(offset, any_size(random, random() % 8 == 0 ? 20 : 10));
        }
        if (random() % 64 == 0) offset = saturating_add(offset, any_size(random, 63));
    }
    check_reaches(window, input, input.size() + 1);
    check_reaches(window, input, input.size());
    check_reaches(window, input, kNone);
}

TEST_CASE("a window over chunked memory shows the input's bytes") {
    const Chunking kinds[] = {
        {}, {.sizes = {1}}, {.sizes = {1, 4096}}, {.sizes = {kWindow - 1, 3}}, {.seed = 1}, {.seed = 2},
    };
    constexpr size_t kSizes[] = {0, 1, 100, 8191, 70'000, kWindow, kWindow + 1, 3 * kWindow + 5};
    for (const size_t size : kSizes) {
        const std::string input = noise(size, size);
        for (Chunking chunking : kinds) {
            for (uint64_t seed = 0; seed < 24; ++seed) {
                chunking.seekable = seed % 2 == 0;
                CAPTURE(size);
                CAPTURE(seed);
                ChunkedSource source(as_bytes(input), chunking);
                Window window(source);
                walk_at_random(window, as_bytes(input), seed);
            }
        }
    }
}

TEST_CASE("a window over a file shows the file's bytes") {
    for (const size_t size : {size_t{0}, size_t{5000}, 4 * kWindow + 77}) {
        const std::string input = noise(size, size);
        const ScratchFile file(input);
        for (uint64_t seed = 0; seed < 50; ++seed) {
            CAPTURE(seed);
            const auto source = open_file(file.path());
            Window window(*source);
            walk_at_random(window, as_bytes(input), seed);
        }
    }
}

TEST_CASE("the end is exact for any question about it") {
    constexpr uint64_t kEnds[] = {
        0,
        1,
        99,
        100,
        101,
        102,
        8192,
        kWindow,
        kWindow + 101,
        uint64_t{1} << 40,
        INT64_MAX - 1,
        INT64_MAX,
        uint64_t{INT64_MAX} + 1,
        uint64_t{INT64_MAX} + 2,
        kNone - 1,
        kNone,
    };
    const std::string input = noise(100, 1);
    const ScratchFile file(input);
    for (const uint64_t end : kEnds) {
        for (const bool seekable : {true, false}) {
            ChunkedSource source(as_bytes(input), {.seekable = seekable});
            Window window(source);
            check_reaches(window, as_bytes(input), end);
        }
        const auto source = open_file(file.path());
        Window window(*source);
        check_view(window, as_bytes(input), 10, 20);
        check_reaches(window, as_bytes(input), end);
        CHECK(source->failure().empty());
    }
}

TEST_CASE("records that end where the input ends") {
    const std::string input = noise(64 * 9, 1);
    for (const bool seekable : {true, false}) {
        for (const size_t chunk : {size_t{1}, size_t{64}, size_t{100}, size_t{1000}}) {
            ChunkedSource source(as_bytes(input), {.sizes = {chunk}, .seekable = seekable});
            Window window(source);
            for (uint64_t at = 0; at <= input.size(); at += 64) check_view(window, as_bytes(input), at, 64);
            check_reaches(window, as_bytes(input), kNone);
        }
    }
}

TEST_CASE("an empty view does not move the end") {
    ChunkedSource source(as_bytes("0123456789"));
    Window window(source);
    CHECK(window.view(100, 0).empty());
    CHECK(window.size() == kNone);
    CHECK_FALSE(window.reaches(100));
    CHECK(window.size() == 10);
}

TEST_CASE("a short read is not the end") {
    ChunkedSource source(as_bytes("0123456789"), {.short_at = 4});
    Window window(source);
    CHECK(as_text(window.view(2, 4)) == "23456789");
    CHECK(window.size() == kNone);
}

TEST_CASE("a window does not wait for bytes that it does not need") {
    for (const bool seekable : {true, false}) {
        ChunkedSource source(as_bytes("0123456789"), {.sizes = {1}, .seekable = seekable});
        Window window(source);
        CHECK(window.reaches(1));
        CHECK(source.bytes_given() == 1);
        CHECK(window.view(0, 4).size() == 4);
        CHECK(source.bytes_given() == 4);
        CHECK(window.reaches(5));
        CHECK(source.bytes_given() == 5);
    }
}

TEST_CASE("a source ends where it fails") {
    ChunkedSource source(as_bytes("0123456789"), {.fails_at = 6});
    Window window(source);
    CHECK(as_text(window.view(0, 8)) == "012345");
    CHECK(window.size() == 6);
    CHECK_FALSE(source.failure().empty());
}

TEST_CASE("after the end nothing more is read") {
    for (const bool seekable : {true, false}) {
        ChunkedSource source(as_bytes("0123456789"), {.seekable = seekable});
        Window window(source);
        CHECK(window.view(5, 100).size() == 5);
        const uint64_t reads = source.reads();
        CHECK(window.view(5, 100).size() == 5);
        CHECK(window.view(9, 2).size() == 1);
        CHECK(window.view(1000, 1).empty());
        CHECK_FALSE(window.reaches(kNone));
        CHECK(source.reads() == reads);
    }
}

TEST_CASE("a file that grew after its end was met keeps its size") {
    const ScratchFile file("0123456789");
    const auto source = open_file(file.path());
    Window window(*source);
    CHECK(window.view(0, 11).size() == 10);
    file.append("more");
    CHECK(window.view(5, 20).size() == 5);
    CHECK(window.size() == 10);
}

// Seeks, and does not know how much there is.
class Unsized final : public ForwardingSource {
  public:
    using ForwardingSource::ForwardingSource;
    uint64_t size() const override { return Source::size(); }
};

TEST_CASE("if only reading shows the size, the end is after the last byte read") {
    MemorySource memory(as_bytes("0123456789"));
    Unsized source(memory);
    Window window(source);
    CHECK(as_text(window.view(0, 4)).starts_with("0123"));
    CHECK(window.view(100, 1).empty());
    CHECK(window.size() == 10);
}

TEST_CASE("skipped bytes are not read") {
    const std::string input = noise(64 * kMiB, 1);
    ChunkedSource source(as_bytes(input));
    WorkCounter work;
    Window window(source, &work);
    constexpr uint64_t kRecord = kMiB;  // 40 bytes of header, then bytes that are skipped
    uint64_t records = 0;
    for (uint64_t at = 0; at < input.size(); at += kRecord, ++records) {
        check_view(window, as_bytes(input), at, 40);
        REQUIRE(window.reaches(at + kRecord));
    }
    // Two short reads a record: its header and its last byte.
    CHECK(source.bytes_given() <= kWindow + records * 2 * kReadAfterJump);
#ifdef TRACELINT_AGREEMENT
    CHECK(work.total() <= source.bytes_given() + records * kReadAfterJump);
#endif
}

TEST_CASE("reads grow again if everything is needed") {
    const std::string input = noise(16 * kMiB, 1);
    ChunkedSource source(as_bytes(input));
    Window window(source);
    check_view(window, as_bytes(input), kMiB, 8);
    CHECK(source.bytes_given() == kReadAfterJump);
    for (uint64_t at = kMiB; at < input.size(); at += 64) check_view(window, as_bytes(input), at, 64);
    CHECK(source.bytes_given() == 15 * kMiB);
    CHECK(source.reads() <= 15 * kMiB / kWindow + 12);
}

TEST_CASE("short skips do not make reads short") {
    const std::string input = noise(16 * kMiB, 1);
    ChunkedSource source(as_bytes(input));
    Window window(source);
    for (uint64_t at = 0; at < input.size(); at += 1000) check_view(window, as_bytes(input), at, 40);
    CHECK(source.reads() <= input.size() / kWindow + 2);
}

TEST_CASE("memory grows with the bytes there are, not with the bytes requested") {
    // Under ASan an allocation of these sizes ends the program.
    for (const size_t wanted : {size_t{1} << 44, size_t{1} << 62, ~size_t{0}}) {
        for (const bool seekable : {true, false}) {
            const std::string input = noise(3 * kWindow, 1);
            ChunkedSource source(as_bytes(input), {.seed = 5, .seekable = seekable});
            Window window(source);
            check_view(window, as_bytes(input), 3, wanted);
            check_view(window, as_bytes(input), 1000, wanted);
        }
    }
}

// An endless supply of sevens.
class Endless final : public Source {
  public:
    size_t read(uint8_t* to, size_t bytes) override {
        std::fill_n(to, bytes, uint8_t{7});
        return bytes;
    }
    bool seek(uint64_t) override { return true; }
};

TEST_CASE("a view far inside of a source may be larger than the buffer") {
    Endless source;
    Window window(source);
    const Bytes seen = window.view((uint64_t{1} << 40) + 5, 3 * kWindow);
    CHECK(seen.size() >= 3 * kWindow);
    CHECK(std::count(seen.begin(), seen.end(), 7) == static_cast<std::ptrdiff_t>(seen.size()));
}

TEST_CASE("the buffer does not grow if views fit into it") {
    const std::string input = noise(16 * kMiB, 1);
    for (const bool seekable : {true, false}) {
        const size_t before = allocated_bytes();
        ChunkedSource source(as_bytes(input), {.seekable = seekable});
        Window window(source);
        check_view(window, as_bytes(input), 0, 1);
        check_view(window, as_bytes(input), 100'000, 200'000);  // the first of these bytes are there already
        for (uint64_t at = 100'000; at < input.size(); at += 64) window.view(at, 64);
        CHECK(allocated_bytes() < before + kWindow + kWindow / 2);
    }
}

TEST_CASE("a small input takes little memory") {
    constexpr size_t kSizes[] = {0, 1, 4095, 4096, 4097, 8191, 20'480};
    for (const size_t size : kSizes) {
        CAPTURE(size);
        const std::string input = noise(size, 1);
        const size_t before = allocated_bytes();
        MemorySource source(as_bytes(input));
        Window window(source);
        check_view(window, as_bytes(input), 0, 1);
        check_view(window, as_bytes(input), size / 2, 100'000);
        check_view(window, as_bytes(input), size, 1);
        CHECK(allocated_bytes() < before + kWindow / 8);
    }
}

// As for a file that has grown, or that the system generates while it is read.
class ClaimsSize final : public ForwardingSource {
  public:
    ClaimsSize(Source& inner, uint64_t claimed) : ForwardingSource(inner), claimed_(claimed) {}
    uint64_t size() const override { return claimed_; }

  private:
    uint64_t claimed_;
};

TEST_CASE("the size that a source claims does not affect the bytes seen") {
    for (const size_t size : {size_t{0}, size_t{5000}, 2 * kWindow + 77}) {
        const std::string input = noise(size, size);
        for (const uint64_t claimed : {uint64_t{0}, uint64_t{1}, uint64_t{4999}, uint64_t{100'000}, kNone - 1, kNone}) {
            CAPTURE(size);
            CAPTURE(claimed);
            ChunkedSource source(as_bytes(input), {.seed = 1, .seekable = false});
            ClaimsSize claims(source, claimed);
            Window window(claims);
            walk_at_random(window, as_bytes(input), claimed);
        }
    }
}

#ifdef TRACELINT_AGREEMENT
TEST_CASE("bytes read while skipping count as work") {
    const std::string input = noise(kMiB, 1);
    ChunkedSource source(as_bytes(input), {.seekable = false});
    WorkCounter work;
    Window window(source, &work);
    CHECK(window.reaches(input.size()));
    CHECK(work.total() == input.size());
}

TEST_CASE("work is linear in the input, whatever the reads and overlaps") {
    const std::string input = noise(kMiB, 1);
    struct Walk {
        size_t wanted;
        uint64_t step;
    };
    for (const auto [wanted, step] : {Walk{40, 40}, Walk{4096, 8}, Walk{4096, 4096}, Walk{300'000, 300'000}}) {
        for (const size_t chunk : {size_t{1}, size_t{8}, size_t{4096}, kWindow}) {
            CAPTURE(wanted);
            CAPTURE(chunk);
            ChunkedSource source(as_bytes(input), {.sizes = {chunk}, .seekable = false});
            WorkCounter work;
            Window window(source, &work);
            for (uint64_t at = 0; at < input.size(); at += step) window.view(at, wanted);
            CHECK(work.total() <= 2 * input.size());
        }
    }
}
#endif

}  // namespace
}  // namespace tracelint
