// The gzip container: the decompressed data of its members, and the findings about a container that is cut, damaged,
// followed by something else, or too large.
#include <doctest/doctest.h>

#include <random>

#include "fuzz/chunked_source.hpp"
#include "fuzz/containers.hpp"
#include "tests/support/text_to_compress.hpp"
#include "validator/input/gzip.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

struct Decompressed {
    std::string data{}, rule{}, hint{}, failure{};
    uint64_t offset = 0, length = 0, after = 0;
    bool cut = false;

    bool operator==(const Decompressed&) const = default;
};

Decompressed decompress(std::string_view file, const Chunking& chunking = {}, uint64_t largest = kLargestInflated) {
    ChunkedSource compressed(as_bytes(file), chunking);
    GzipSource source(compressed, largest);
    Decompressed result;
    uint8_t to[1000];
    const size_t asked = chunking.sizes.empty() ? sizeof to : chunking.sizes.front();
    while (const size_t got = source.read(to, std::min(asked, sizeof to))) result.data += as_text({to, got});
    CHECK(source.read(to, 1) == 0);
    result.failure = source.failure();
    result.cut = source.is_cut();
    if (const auto& fault = source.fault()) {
        result.rule = fault->rule->id;
        result.hint = fault->hint;
        result.offset = fault->place.offset;
        result.length = fault->place.length;
        result.after = fault->numbers[0];
        CHECK(result.offset + result.length <= file.size());
    }
    return result;
}

// The result is the same for reads of any size on either side.
Decompressed decompress_every_way(std::string_view file, uint64_t largest = kLargestInflated) {
    const Decompressed whole = decompress(file, {}, largest);
    for (const size_t size : {size_t{1}, size_t{2}, size_t{3}, size_t{7}, size_t{300}}) {
        CAPTURE(size);
        const Decompressed pieces = decompress(file, {.sizes = {size}}, largest);
        CHECK(pieces == whole);
    }
    return whole;
}

TEST_CASE("a whole container gives its data and has no fault") {
    for (const size_t size : {size_t{0}, size_t{1}, size_t{1000}, size_t{100'000}, 3 * kMiB}) {
        CAPTURE(size);
        const std::string text = text_to_compress(size);
        const Decompressed result = decompress(gzip_member(text));
        CHECK(result == Decompressed{.data = text});
    }
    CHECK(decompress_every_way(gzip_member("hello")) == Decompressed{.data = "hello"});
}

TEST_CASE("zero padding is not a fault") {
    CHECK(decompress_every_way(gzip_member("hello") + std::string(1, '\0')) == Decompressed{.data = "hello"});
    CHECK(decompress_every_way(gzip_member("hello") + std::string(70'000, '\0')) == Decompressed{.data = "hello"});
}

TEST_CASE("members that follow each other are one stream") {
    const std::string text = text_to_compress(5000), one = gzip_member(text), nothing = gzip_member("");
    CHECK(decompress_every_way(gzip_member("hello") + gzip_member(" world")) == Decompressed{.data = "hello world"});
    CHECK(decompress_every_way(one + one) == Decompressed{.data = text + text});
    CHECK(decompress_every_way(nothing + one + nothing + nothing) == Decompressed{.data = text});
    CHECK(decompress_every_way(one + nothing + std::string(512, '\0')) == Decompressed{.data = text});
    std::string many, all;
    for (int i = 0; i < 1000; ++i) {
        many += gzip_member(std::to_string(i), {.level = i % 10});
        all += std::to_string(i);
    }
    CHECK(decompress_every_way(many) == Decompressed{.data = all});
}

TEST_CASE("each member has a header, a CRC-32 and a length of its own; offsets count in the compressed file") {
    const std::string first = gzip_member("hello"), second = gzip_member("world"), both = first + second;
    const size_t start = first.size();
    const auto with = [&](size_t at, char byte) {
        std::string file = both;
        file[at] = byte;
        return file + first;  // a third member, which is not read
    };
    struct Damage {
        std::string file;
        uint64_t offset, length;
        std::string_view hint;
        std::string_view data;
    };
    const Damage damages[] = {
        {with(start - 8, '\x11'), start - 8, 4, "the stored CRC-32 does not match the data", "hello"},
        {with(start - 4, 6), start - 4, 4, "the stored length does not match the data", "hello"},
        {with(start + 2, 7), start + 3, 1, "a member's header names an unknown compression method", "hello"},
        {with(start + 10, 7), start + 10, 1, "the deflate data cannot be decoded", "hello"},
        {with(both.size() - 8, '\x11'), both.size() - 8, 4, "the stored CRC-32 does not match the data", "helloworld"},
        {with(both.size() - 1, 1), both.size() - 4, 4, "the stored length does not match the data", "helloworld"},
    };
    for (const auto& [file, offset, length, hint, data] : damages) {
        CAPTURE(offset);
        CHECK(decompress_every_way(file) == Decompressed{.data = std::string(data),
                                                         .rule = "gzip/corrupt",
                                                         .hint = std::string(hint),
                                                         .offset = offset,
                                                         .length = length,
                                                         .after = data.size(),
                                                         .cut = true});
    }
}

TEST_CASE("gzip/truncated in any member") {
    const std::string first = gzip_member("hello"), both = first + gzip_member("world");
    for (size_t size = first.size() + 2; size < both.size(); ++size) {
        CAPTURE(size);
        const Decompressed result = decompress_every_way(both.substr(0, size));
        CHECK(std::string_view("helloworld").starts_with(result.data));
        CHECK(result == Decompressed{.data = result.data,
                                     .rule = "gzip/truncated",
                                     .offset = size,
                                     .after = result.data.size(),
                                     .cut = true});
    }
}

TEST_CASE("gzip/trailing-data") {
    struct Trailing {
        std::string bytes;
        uint64_t offset = 0;   // of the first byte that is no padding, from the end of the members
        uint64_t length = 16;  // no more are marked
    };
    const Trailing trailing[] = {
        {"x", 0, 1},
        {"junk", 0, 4},
        {"\x1f", 0, 1},
        {"\x1f\x8c and more than is marked"},
        {std::string("\0\0junk", 6), 2, 4},
        {std::string(100, '\0') + gzip_member("after padding"), 100},
        {std::string(200'000, 'x')},
        {std::string(200'000, '\0') + 'x', 200'000, 1},
    };
    for (const std::string& members : {gzip_member("hello"), gzip_member("hel") + gzip_member("lo")})
        for (const auto& [bytes, offset, length] : trailing) {
            CAPTURE(bytes.size());
            const Decompressed result = decompress_every_way(members + bytes);
            CHECK(result == Decompressed{.data = "hello",
                                         .rule = "gzip/trailing-data",
                                         .offset = members.size() + offset,
                                         .length = length,
                                         .after = 5});
        }
}

TEST_CASE("more zeros than any block size are no padding") {
    const std::string whole = gzip_member("hello"), padded = whole + std::string(kLargestPadding, '\0');
    CHECK(decompress(padded) == Decompressed{.data = "hello"});
    for (const size_t size : {size_t{1}, size_t{70'000}}) {
        CAPTURE(size);
        for (const Chunking& chunking : {Chunking{}, Chunking{.sizes = {1000, 1}}})
            CHECK(decompress(padded + std::string(size, '\0'), chunking) ==
                  Decompressed{.data = "hello",
                               .rule = "gzip/trailing-data",
                               .offset = padded.size(),
                               .length = std::min<size_t>(size, 16),
                               .after = 5});
    }
}

TEST_CASE("bytes after the members are not read to their end") {
    const std::string file = gzip_member("hello") + std::string(10 * kMiB, 'x');
    ChunkedSource compressed(as_bytes(file), {.seekable = false});
    GzipSource source(compressed);
    uint8_t to[100];
    CHECK(source.read(to, sizeof to) == 5);
    CHECK(source.read(to, sizeof to) == 0);
    CHECK(source.fault());
    CHECK(compressed.bytes_given() < kMiB);
}

TEST_CASE("gzip/truncated at every place but the end") {
    const std::string text = text_to_compress(1500), file = gzip_member(text);
    for (size_t size = 0; size < file.size(); ++size) {
        CAPTURE(size);
        const Decompressed result = decompress_every_way(file.substr(0, size));
        CHECK(text.starts_with(result.data));
        CHECK(result.rule == "gzip/truncated");
        CHECK(result.offset == size);
        CHECK(result.length == 0);
        CHECK(result.after == result.data.size());
        CHECK(result.cut);
        if (size + 8 >= file.size()) CHECK(result.data == text);
    }
}

TEST_CASE("gzip/corrupt after any flipped bit that matters") {
    const std::string text = text_to_compress(1500), whole = gzip_member(text);
    constexpr size_t kFlags = 3, kDeflated = 10;
    for (size_t at = 0; at < whole.size(); ++at) {
        for (int bit = 0; bit < 8; ++bit) {
            CAPTURE(at);
            CAPTURE(bit);
            std::string file = whole;
            file[at] = static_cast<char>(file[at] ^ (1 << bit));
            const Decompressed result = decompress_every_way(file);
            // Time, operating system and the text flag have no invalid values.
            if ((at > kFlags && at < kDeflated) || (at == kFlags && bit == 0)) {
                CHECK(result == Decompressed{.data = text});
                continue;
            }
            // Nor have the unused bits of the last byte of deflate data.
            if (at + 9 == whole.size() && result.rule.empty()) {
                CHECK(result == Decompressed{.data = text});
                continue;
            }
            // A flipped bit can also make the data seem to continue after its end, or to end early.
            CHECK(result.rule.starts_with("gzip/"));
            const bool is_crc = at + 4 < whole.size();
            CHECK(result.cut == is_crc);  // the CRC-32 proves that the data are whole
            if (at + 8 < whole.size()) continue;
            CHECK(result == Decompressed{.data = text,
                                         .rule = "gzip/corrupt",
                                         .hint = is_crc ? "the stored CRC-32 does not match the data"
                                                        : "the stored length does not match the data",
                                         .offset = whole.size() - (is_crc ? 8 : 4),
                                         .length = 4,
                                         .after = text.size(),
                                         .cut = is_crc});
        }
    }
}

TEST_CASE("gzip/corrupt names what is wrong") {
    const std::string whole = gzip_member("hello");
    const auto with = [&](size_t at, char byte) {
        std::string file = whole;
        file[at] = byte;
        return file;
    };
    struct Damage {
        std::string file;
        uint64_t offset, length;
        std::string_view hint;
    };
    const Damage damages[] = {
        {with(1, 'x'), 1, 1, "a member's header is corrupt"},
        {with(2, 7), 3, 1, "a member's header names an unknown compression method"},
        {with(3, '\x80'), 3, 1, "a member's header has reserved flags set"},
        {with(3, 2), 11, 1, "the CRC-16 of a member's header does not match"},
        {with(10, 7), 10, 1, "the deflate data cannot be decoded"},
    };
    for (const auto& [file, offset, length, hint] : damages) {
        CAPTURE(hint);
        const Decompressed result = decompress_every_way(file);
        CHECK(result.rule == "gzip/corrupt");
        CHECK(result.offset == offset);
        CHECK(result.length == length);
        CHECK(result.hint == hint);
        CHECK(result.cut);
    }
}

TEST_CASE("a zlib container is not a gzip container") {
    const std::string empty("\x78\x9c\x03\x00\x00\x00\x00\x01", 8);
    const Decompressed result = decompress_every_way(empty);
    CHECK(result.rule == "gzip/corrupt");
    CHECK(result.hint == "a member's header is corrupt");
}

TEST_CASE("a read of 0 bytes gives nothing and loses nothing") {
    const std::string file = gzip_member("hello");
    MemorySource compressed(as_bytes(file));
    GzipSource source(compressed);
    uint8_t to[10];
    CHECK(source.read(to, 0) == 0);
    CHECK(source.read(to, sizeof to) == 5);
}

TEST_CASE("no read exceeds the buffer, even within the magic of the next member") {
    // Gives all but one byte of the next member's magic, then the rest.
    struct Halting final : Source {
        explicit Halting(std::string_view with) : bytes(with) {}
        size_t read(uint8_t* to, size_t size) override {
            most = std::max(most, size);
            if (at == 0) room = size;
            if (at == halt) room_at_halt = size;
            const size_t piece = std::min(size, (at < halt ? halt : bytes.size()) - at);
            std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), piece, to);
            at += piece;
            return piece;
        }
        std::string_view bytes;
        size_t halt = 0, at = 0, most = 0, room = 0, room_at_halt = 0;
    };
    const std::string first = gzip_member("hello"), file = first + gzip_member("again");
    Halting compressed(file);
    compressed.halt = first.size() + 1;
    GzipSource source(compressed);
    uint8_t to[10];
    CHECK(source.read(to, sizeof to) == 5);
    CHECK(source.read(to, sizeof to) == 5);
    CHECK(source.read(to, sizeof to) == 0);
    CHECK_FALSE(source.fault());
    CHECK(compressed.most == compressed.room);
    CHECK(compressed.room_at_halt == compressed.room - 1);
}

TEST_CASE("data before corrupt deflate data is given") {
    const std::string text = text_to_compress(100'000);
    std::string file = gzip_member(text);
    for (size_t at = file.size() / 2; at < file.size() / 2 + 100; ++at) file[at] = '\xff';
    const Decompressed result = decompress_every_way(file);
    CHECK(result.rule == "gzip/corrupt");
    CHECK(result.after == result.data.size());
    CHECK(result.data.size() > 10'000);
    CHECK(result.data.substr(0, 10'000) == text.substr(0, 10'000));
}

TEST_CASE("gzip/too-large") {
    const std::string text = text_to_compress(3000);
    const std::string file = gzip_member(text);
    for (const uint64_t largest : {uint64_t{0}, uint64_t{1}, uint64_t{999}, uint64_t{1000}, uint64_t{2999}}) {
        CAPTURE(largest);
        CHECK(decompress_every_way(file, largest) == Decompressed{.data = text.substr(0, largest),
                                                                  .rule = "gzip/too-large",
                                                                  .length = 10,
                                                                  .after = largest,
                                                                  .cut = true});
    }
    CHECK(decompress_every_way(file, 3000) == Decompressed{.data = text});
    CHECK(decompress_every_way(gzip_member(""), 0) == Decompressed{});
}

TEST_CASE("a decompression bomb is detected by its ratio") {
    const std::string zeros(2 * kInflatedFreely, '\0'), file = gzip_member(zeros);
    REQUIRE(zeros.size() / file.size() > kLargestInflationRatio);
    const Decompressed result = decompress(file, {});
    CHECK(result.rule == "gzip/too-large");
    CHECK(result.data.size() == kInflatedFreely);
    const std::string half(kInflatedFreely, '\0');
    CHECK(decompress(gzip_member(half), {}) == Decompressed{.data = half});
}

TEST_CASE("a decompression bomb after incompressible data is detected by the ratio of both together") {
    std::mt19937_64 random(1);
    std::string data;
    while (data.size() < kInflatedFreely / kLargestInflationRatio + 4096) data += static_cast<char>(random());
    data.resize(data.size() + 2 * kInflatedFreely);
    const Decompressed result = decompress(gzip_member(data));
    CHECK(result.rule == "gzip/too-large");
    const uint64_t decompressed = result.data.size(), packed = gzip_member(result.data).size();
    CHECK(decompressed > kInflatedFreely);
    CHECK(decompressed < (packed + 64) * kLargestInflationRatio);
    CHECK(decompressed > (packed - 64) * kLargestInflationRatio);
}

TEST_CASE("limits hold for the sum of all members") {
    const std::string half = text_to_compress(1500), members = gzip_member(half) + gzip_member(half);
    CHECK(
        decompress_every_way(members, 2999) ==
        Decompressed{
            .data = (half + half).substr(0, 2999), .rule = "gzip/too-large", .length = 10, .after = 2999, .cut = true});
    CHECK(decompress_every_way(members, 3000) == Decompressed{.data = half + half});
    std::string bombs;
    for (int i = 0; i < 9; ++i) bombs += gzip_member(std::string(kInflatedFreely / 8, '\0'));
    const Decompressed result = decompress(bombs);
    CHECK(result.rule == "gzip/too-large");
    CHECK(result.data.size() == kInflatedFreely);
}

TEST_CASE("a large file with a usual ratio is not a decompression bomb") {
    const std::string piece = text_to_compress(kMiB);
    std::string text = piece;
    while (text.size() <= kInflatedFreely) text += piece;
    const std::string file = gzip_member(text, {.level = 1});
    REQUIRE(text.size() / file.size() < kLargestInflationRatio);
    CHECK(decompress(file, {}) == Decompressed{.data = text});
}

TEST_CASE("a read error is not a truncated container") {
    const std::string text = text_to_compress(3000), file = gzip_member(text);
    const Decompressed result = decompress(file, {.fails_at = 40});
    CHECK(result.rule.empty());
    CHECK_FALSE(result.failure.empty());
    CHECK(text.starts_with(result.data));
}

}  // namespace
}  // namespace tracelint
