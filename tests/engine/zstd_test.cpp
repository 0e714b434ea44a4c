// The zstd container: the decompressed data of its frames, and the findings about one that is cut, damaged, followed by
// something else, or asks for too much.
#include <doctest/doctest.h>

#include "fuzz/chunked_source.hpp"
#include "fuzz/containers.hpp"
#include "tests/support/skip.hpp"
#include "tests/support/text_to_compress.hpp"
#include "validator/input/foreign_formats.hpp"
#include "validator/input/input_rules.hpp"
#include "validator/input/zstd_source.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

using std::string_literals::operator""s;

struct Unpacked {
    std::string data{}, rule{}, hint{}, failure{};
    uint64_t offset = 0, length = 0, after = 0;
    bool cut = false;

    bool operator==(const Unpacked&) const = default;
};

struct Allowed {
    uint64_t largest = kLargestInflated;
    uint64_t memory = Limits{}.memory;
};

Unpacked unpack(std::string_view file, const Chunking& chunking = {}, const Allowed& allowed = {}) {
    Unpacked result;
    Budget budget(allowed.memory);
    {
        ChunkedSource compressed(as_bytes(file), chunking);
        ZstdSource source(compressed, budget, allowed.largest);
        std::vector<uint8_t> to(chunking.sizes.empty() ? 1000 : chunking.sizes.front());
        while (const size_t got = source.read(to.data(), to.size())) result.data += as_text(Bytes(to).first(got));
        CHECK(source.read(to.data(), 1) == 0);
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
    }
    CHECK(budget.is_whole());
    return result;
}

// The result is the same for reads of any size on either side.
Unpacked unpack_every_way(std::string_view file, const Allowed& allowed = {}) {
    const Unpacked whole = unpack(file, {}, allowed);
    for (const size_t size : {size_t{1}, size_t{2}, size_t{3}, size_t{7}, size_t{300}, size_t{1} << 20}) {
        CAPTURE(size);
        const Unpacked pieces = unpack(file, {.sizes = {size}}, allowed);
        CHECK(pieces == whole);
    }
    return whole;
}

// RFC 8878, section 3.1.1: magic, a descriptor that asks for nothing, a window of 2 MiB.
const std::string kHeader = "\x28\xb5\x2f\xfd\x00\x58"s;

// A block of the data as they are; the lowest bit says that it is the last one.
std::string stored(std::string_view data, bool is_last) {
    const size_t head = data.size() << 3 | (is_last ? 1 : 0);
    std::string block;
    for (int shift = 0; shift < 24; shift += 8) block += static_cast<char>(head >> shift);
    return block.append(data);
}

// Blocks of one byte, repeated 128 KiB times each.
std::string repeated(size_t blocks) {
    std::string all;
    for (size_t i = 0; i < blocks; ++i) all += "\x02\x00\x10\x00"s;
    return all;
}

bool lacks_zstd() {
    if (!has_zstd()) skip("this build has no zstd");
    return !has_zstd();
}

TEST_CASE("frames that are typed give their data") {
    if (lacks_zstd()) return;
    CHECK(unpack_every_way(kHeader + "\x29\x00\x00hello"s) == Unpacked{.data = "hello"});
    CHECK(unpack_every_way(kHeader + stored("hel", false) + stored("", false) + stored("lo", true)) ==
          Unpacked{.data = "hello"});
    // "a" five times.
    CHECK(unpack_every_way(kHeader + "\x2b\x00\x00\x61"s) == Unpacked{.data = "aaaaa"});
    // A single segment, whose size stands for the window.
    CHECK(unpack_every_way("\x28\xb5\x2f\xfd\x20\x05\x29\x00\x00hello"s) == Unpacked{.data = "hello"});
}

TEST_CASE("a whole container gives its data and has no fault") {
    if (lacks_zstd()) return;
    for (const size_t size : {size_t{0}, size_t{1}, size_t{1000}, size_t{100'000}, 3 * kMiB})
        for (const bool with : {false, true}) {
            CAPTURE(size);
            CAPTURE(with);
            const std::string text = text_to_compress(size);
            const std::string frame = zstd_frame(text, {.level = with ? 3 : 1, .has_checksum = with, .has_size = with});
            CHECK(unpack(frame) == Unpacked{.data = text});
            if (size <= 100'000) CHECK(unpack_every_way(frame) == Unpacked{.data = text});
        }
}

TEST_CASE("frames that follow each other are one stream, and skippable ones hold nothing") {
    if (lacks_zstd()) return;
    const std::string text = text_to_compress(5000), one = zstd_frame(text), nothing = zstd_frame("");
    CHECK(unpack_every_way(one + one) == Unpacked{.data = text + text});
    CHECK(unpack_every_way(nothing + one + nothing) == Unpacked{.data = text});
    CHECK(unpack_every_way(skippable_frame("size") + one + skippable_frame("") + one) == Unpacked{.data = text + text});
    CHECK(unpack_every_way(skippable_frame(std::string(70'000, 'x'))) == Unpacked{});
    std::string many, all;
    for (int i = 0; i < 300; ++i) {
        many += zstd_frame(std::to_string(i), {.level = i % 10, .has_checksum = i % 3 == 0, .has_size = i % 2 == 0});
        all += std::to_string(i);
    }
    CHECK(unpack_every_way(many) == Unpacked{.data = all});
}

TEST_CASE("zstd/truncated at every place but the ends of frames") {
    if (lacks_zstd()) return;
    const std::string first = text_to_compress(700), frame = zstd_frame(first);
    const std::string file = frame + skippable_frame("abc") + zstd_frame("world");
    const size_t skipped = frame.size() + 11;
    for (size_t size = 4; size < file.size(); ++size) {
        CAPTURE(size);
        const Unpacked result = unpack_every_way(std::string_view(file).substr(0, size));
        if (size == frame.size() || size == skipped) {
            CHECK(result == Unpacked{.data = first});
            continue;
        }
        // Up to three bytes of a magic are any data.
        const bool is_magic =
            (size > frame.size() && size < frame.size() + 4) || (size > skipped && size < skipped + 4);
        CHECK((first + "world").starts_with(result.data));
        CHECK(result.rule == (is_magic ? "zstd/trailing-data" : "zstd/truncated"));
        CHECK(result.offset + result.length == size);
        CHECK(result.after == result.data.size());
        CHECK(result.cut == !is_magic);
        if (!is_magic) CHECK(result.length == 0);
    }
}

TEST_CASE("zstd/trailing-data") {
    if (lacks_zstd()) return;
    struct Trailing {
        std::string bytes;
        uint64_t length = 16;  // no more are marked
    };
    const Trailing trailing[] = {
        {"x", 1},     {"\0"s, 1},  // zstd(1) knows no padding
        {"junk!", 5}, {"\x28\xb5\x2f", 3}, {"\x28\xb5\x2f\xfe and more than is marked"}, {std::string(200'000, '\0')},
    };
    const std::string frame = zstd_frame("hello");
    for (const auto& [bytes, length] : trailing) {
        CAPTURE(length);
        CHECK(unpack_every_way(frame + bytes) ==
              Unpacked{
                  .data = "hello", .rule = "zstd/trailing-data", .offset = frame.size(), .length = length, .after = 5});
    }
}

TEST_CASE("zstd/corrupt marks the frame and names what is wrong") {
    if (lacks_zstd()) return;
    const std::string first = zstd_frame("hello"), second = zstd_frame("world");
    std::string wrong_checksum = first + second + first;  // the third is not read
    wrong_checksum[first.size() + second.size() - 1] ^= 1;
    struct Damage {
        std::string file;
        uint64_t offset;
        std::string hint, data;
    };
    const std::string undecodable = "the data of a frame cannot be decoded";
    const Damage damages[] = {
        {wrong_checksum, first.size(), "the checksum of a frame does not match its data", "helloworld"},
        // A reserved bit of the descriptor; a reserved type of block; a block that is larger than 128 KiB.
        {"\x28\xb5\x2f\xfd\x08\x58\x29\x00\x00hello"s, 0, undecodable, ""},
        {kHeader + stored("hel", false) + "\x2f\x00\x00lo"s, 0, undecodable, "hel"},
        {kHeader + stored("hel", false) + "\x01\x01\x10lo"s, 0, undecodable, "hel"},
        {"\x28\xb5\x2f\xfd\x01\x58\x07\x29\x00\x00hello"s, 0, "a frame needs a dictionary", ""},
    };
    for (const auto& [file, offset, hint, data] : damages) {
        CAPTURE(hint);
        CHECK(unpack_every_way(file) == Unpacked{.data = data,
                                                 .rule = "zstd/corrupt",
                                                 .hint = hint,
                                                 .offset = offset,
                                                 .length = 4,
                                                 .after = data.size(),
                                                 .cut = true});
    }
}

// Leaves memory as another context may leave it to the next one, which libzstd does not clear: its state would be that
// of a reader before a block. What is returned keeps it from going back to the system.
std::vector<uint32_t> spoil_memory() {
    constexpr uint32_t kBeforeBlock = 2;
    std::vector<std::vector<uint32_t>> blocks(8);
    for (auto& block : blocks) block.assign(25'000, kBeforeBlock);
    return std::move(blocks.back());
}

TEST_CASE("what is left in memory decides nothing") {
    if (lacks_zstd()) return;
    const std::string dictionary = "\x28\xb5\x2f\xfd\x02\x00\x40\x00\xda"s;
    const std::vector<uint32_t> kept = spoil_memory();
    const Unpacked result = unpack(dictionary);
    CHECK(result.rule == "zstd/corrupt");
    CHECK(result.hint == "a frame needs a dictionary");
}

TEST_CASE("any flipped bit after the magic has a fault, or no effect") {
    if (lacks_zstd()) return;
    const std::string text = text_to_compress(400), whole = zstd_frame(text);
    size_t faults = 0;
    for (size_t bit = 8 * kZstdMagic.size(); bit < 8 * whole.size(); ++bit) {
        CAPTURE(bit);
        std::string file = whole;
        file[bit / 8] = static_cast<char>(file[bit / 8] ^ (1 << bit % 8));
        const Unpacked result = unpack_every_way(file);
        faults += !result.rule.empty();
        if (result.rule.empty()) CHECK(result.data == text);
    }
    CHECK(faults > 8 * (whole.size() - 6));
}

TEST_CASE("zstd/window-too-large") {
    if (lacks_zstd()) return;
    const std::string hello = stored("hello", true);
    // 128 MiB, and the next larger window.
    CHECK(unpack("\x28\xb5\x2f\xfd\x00\x88"s + hello) == Unpacked{.data = "hello"});
    CHECK(unpack_every_way("\x28\xb5\x2f\xfd\x00\x89"s + hello) ==
          Unpacked{.rule = "zstd/window-too-large", .length = 4, .cut = true});
    // A single segment of 2^62 bytes.
    CHECK(unpack_every_way("\x28\xb5\x2f\xfd\xe0\0\0\0\0\0\0\0\x40"s + hello) ==
          Unpacked{.rule = "zstd/window-too-large", .length = 4, .cut = true});
}

TEST_CASE("zstd/tracking-limit: a window takes from the budget") {
    if (lacks_zstd()) return;
    const std::string small = kHeader + stored("small", true);
    const std::string large = "\x28\xb5\x2f\xfd\x00\x80"s + stored("large", true);  // 64 MiB
    CHECK(unpack_every_way(small + large) == Unpacked{.data = "smalllarge"});
    CHECK(unpack_every_way(small + large, {.memory = 8 * kMiB}) == Unpacked{.data = "small",
                                                                            .rule = "zstd/tracking-limit",
                                                                            .offset = small.size(),
                                                                            .length = 4,
                                                                            .after = 5,
                                                                            .cut = true});
    CHECK(unpack(small, {}, {.memory = 0}) == Unpacked{.rule = "zstd/tracking-limit", .length = 4, .cut = true});
}

TEST_CASE("zstd/too-large, by size and by ratio") {
    if (lacks_zstd()) return;
    const std::string text = text_to_compress(3000), file = zstd_frame(text) + zstd_frame("x");
    for (const uint64_t largest : {uint64_t{0}, uint64_t{1}, uint64_t{2999}, uint64_t{3000}}) {
        CAPTURE(largest);
        CHECK(
            unpack_every_way(file, {.largest = largest}) ==
            Unpacked{
                .data = text.substr(0, largest), .rule = "zstd/too-large", .length = 4, .after = largest, .cut = true});
    }
    CHECK(unpack_every_way(file, {.largest = 3001}) == Unpacked{.data = text + "x"});

    const size_t blocks = kInflatedFreely >> 17;
    const std::string last = "\x01\x00\x00"s;
    for (const size_t size : {size_t{1000}, size_t{77'777}}) {
        CHECK(unpack(kHeader + repeated(blocks) + last, {.sizes = {size}}).data.size() == kInflatedFreely);
        const Unpacked bomb = unpack(kHeader + repeated(blocks + 1) + last, {.sizes = {size}});
        CHECK(bomb.rule == "zstd/too-large");
        CHECK(bomb.data.size() == kInflatedFreely);
    }
    // Below the ratio, more is allowed.
    const std::string ballast = skippable_frame(std::string(2 * kInflatedFreely / kLargestZstdRatio, 'x'));
    CHECK(unpack(ballast + kHeader + repeated(blocks + 1) + last).data.size() == (blocks + 1) << 17);
}

TEST_CASE("a read error is not a truncated container") {
    if (lacks_zstd()) return;
    const std::string file = zstd_frame(text_to_compress(3000));
    const Unpacked result = unpack(file, {.fails_at = 40});
    CHECK(result.rule.empty());
    CHECK_FALSE(result.failure.empty());
}

TEST_CASE("a stream that is never ended is decoded piece by piece") {
    if (lacks_zstd()) return;
    const std::string text = text_to_compress(200'000),
                      stream = kHeader + stored(text.substr(0, 100'000), false) + stored(text.substr(100'000), false);
    for (const size_t size : {size_t{1}, size_t{5}, size_t{65'000}, stream.size()}) {
        CAPTURE(size);
        Budget budget(Limits{}.memory);
        ZstdDecoder decoder(budget);
        std::string data;
        for (size_t at = 0; at < stream.size(); at += size) {
            Bytes piece = as_bytes(stream).subspan(at, std::min(size, stream.size() - at));
            uint8_t to[4096];
            size_t got = 0;
            do {
                got = decoder.decode(piece, to, sizeof to);
                data += as_text({to, got});
            } while (got > 0 || (decoder.fault() == ZstdDecoder::Fault::none && !piece.empty()));
        }
        CHECK(data == text);
        CHECK(decoder.is_in_frame());
        CHECK(decoder.taken() == stream.size());
        CHECK(decoder.given() == text.size());
        CHECK_FALSE(budget.is_whole());
    }
}

TEST_CASE("of a block that is not compressed, and not the last one, each byte is given as it comes") {
    if (lacks_zstd()) return;
    const std::string block = kHeader + stored("hello", false), last = kHeader + stored("hello", true);
    const size_t begin = block.size() - 5;
    for (size_t size = begin; size < block.size(); ++size) {
        CAPTURE(size);
        const Unpacked result = unpack_every_way(std::string_view(block).substr(0, size));
        CHECK(result.data == std::string_view("hello").substr(0, size - begin));
        CHECK(result.rule == "zstd/truncated");
    }
    // With the last one, the frame as a whole is checked.
    CHECK(unpack_every_way(last.substr(0, last.size() - 1)).data.empty());
}

// What a check makes of it all.
TEST_CASE("a trace in zstd is checked as without, and limits are named") {
    if (lacks_zstd()) return;
    const auto rules_of = [](const Outcome& outcome) {
        std::string rules;
        for (const Diagnostic& finding : outcome.report().diagnostics()) rules += std::string(finding.rule->id) + ' ';
        return rules;
    };
    const auto outcome_of = [](const std::string& file, uint64_t memory = Limits{}.memory) {
        MemorySource source(as_bytes(file));
        CheckOptions options;
        options.limits.memory = memory;
        return check(source, options);
    };
    const std::string header = "JiTD", packed = zstd_frame(header);
    CHECK(rules_of(outcome_of(packed)) == rules_of(outcome_of(header)));
    CHECK(outcome_of(packed).container == Container::zstd);
    CHECK(rules_of(outcome_of(zstd_frame("what is this") + "x")) == "input/unknown-format zstd/trailing-data ");
    CHECK(rules_of(outcome_of(zstd_frame(""))) == "input/empty ");
    const Outcome limited = outcome_of(packed, 1000);
    CHECK(rules_of(limited) == "zstd/tracking-limit ");
    CHECK(limited.context.limit_hit);
    CHECK_FALSE(limited.size);
    const std::string zeros = repeated(1 + (kInflatedFreely >> 17));
    const Outcome bomb = outcome_of(kHeader + stored("JiTD" + std::string(36, '\0'), false) + zeros);
    CHECK(bomb.report().count(kZstdTooLarge) == 1);
    CHECK(bomb.context.limit_hit);
}

TEST_CASE("a build without zstd names what it cannot open") {
    const std::string_view hint = foreign_format_hint(as_bytes(kHeader));
    CHECK((hint.find("cannot open") == std::string_view::npos) == has_zstd());
    CHECK(hint.starts_with("this is compressed with zstd"));
}

}  // namespace
}  // namespace tracelint
