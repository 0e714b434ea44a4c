// Compressed records in a compressed file: one bound over both layers.
#include "validator/input/inflation.hpp"

#include <doctest/doctest.h>

#include "fuzz/containers.hpp"
#include "fuzz/oracles.hpp"
#include "tests/files/perfdata_file.hpp"
#include "tests/support/skip.hpp"
#include "validator/input/zstd.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kLongestRecord = 0xfff8;  // bytes of the longest record, compressed or not

std::string compressed_record(const std::string& payload) {
    std::string record;
    {
        files::PerfdataFile file({0, nullptr, &record});
        file.prefix(81, 8 + payload.size());
        file.bytes(payload);
    }
    return record.substr(16);  // without the header of a stream
}

// A payload whose records are as much larger as is allowed for data of that size. The frame that the ballast is in has
// no data.
std::string bomb(char ballast) {
    std::string plain;
    while (plain.size() + kLongestRecord <= (kLongestRecord - 8) * kLargestZstdRatio * 9 / 10) {
        plain.append("\x40\x0d\x03\x00\x00\x00\xf8\xff", 8);  // of an unknown type, of kLongestRecord bytes
        plain.append(kLongestRecord - 8, '\0');
    }
    const std::string frame = zstd_frame(plain);
    REQUIRE(frame.size() < kLongestRecord / 2);
    return skippable_frame(std::string(kLongestRecord - 16 - frame.size(), ballast)) + frame;
}

// A stream of bombs, with `before` in front of them.
std::string stream_of(size_t bombs, const std::string& before = {}) {
    std::string stream;
    {
        files::PerfdataFile file({0, nullptr, &stream});
        file.attr(1), file.number(1, 8);
        file.bytes(compressed_record(zstd_frame(std::string("\x44\0\0\0\0\0\x08\0", 8))));  // FINISHED_ROUND
    }
    stream += before;
    const std::string record = compressed_record(bomb('\0'));
    for (size_t i = 0; i < bombs; ++i) stream += record;
    return stream;
}

Outcome outcome_of(const std::string& file) {
    const Complaint complaint = never_crash({as_bytes(file)});
    CHECK_MESSAGE(!complaint, *complaint);
    Input input{as_bytes(file)};
    input.kept_per_rule = kShownPerRule;
    return check_all(input);
}

constexpr size_t kBombs = 3;

}  // namespace

TEST_CASE("what may be decompressed once more goes by the container up to the last whole MiB") {
    constexpr uint64_t kRatio = 1024, kStored = kInflatedFreely / kRatio;
    Inflation inflation(kRatio);
    CHECK(inflation.limit_at(0) == kInflatedFreely);
    CHECK(inflation.limit_at(kNone) == kInflatedFreely);
    CHECK(inflation.at_once(5) == 5);
    CHECK(inflation.at_once(2 * kMiB) == kMiB);
    inflation.note(kMiB - 1, kStored + 5);
    CHECK(inflation.at_once(2 * kMiB) == 1);
    CHECK(inflation.limit_at(kMiB) == kInflatedFreely);
    inflation.note(kMiB, kStored + 7);
    CHECK(inflation.at_once(2 * kMiB) == kMiB);
    inflation.note(2 * kMiB - 1, 3 * kStored);
    CHECK(inflation.limit_at(kMiB - 1) == kInflatedFreely);
    CHECK(inflation.limit_at(kMiB) == (kStored + 7) * kRatio);
    CHECK(inflation.limit_at(kNone) == (kStored + 7) * kRatio);
    inflation.note(2 * kMiB, kNone / kRatio);
    CHECK(inflation.limit_at(2 * kMiB - 1) == (kStored + 7) * kRatio);
    CHECK(inflation.limit_at(2 * kMiB) == kLargestInflated);
}

TEST_CASE("compressed records may be as large as the size of the file allows, whatever it is compressed with") {
    if (!has_zstd()) return skip("this build has no zstd");
    const std::string plain = stream_of(kBombs);
    const Outcome alone = outcome_of(plain);
    CHECK_FALSE(alone.context.limit_hit);
    CHECK(alone.context.inflated > 2 * kInflatedFreely);
    for (const std::string& packed : {zstd_frame(plain, {.level = 19}), gzip_member(plain)}) {
        REQUIRE(packed.size() < 4096);
        const Outcome inside = outcome_of(packed);
        CHECK(inside.container != Container::none);
        CHECK(inside.size == plain.size());
        CHECK(inside.context.inflated == kInflatedFreely);
        CHECK(inside.context.limit_hit);
        uint64_t notes = 0;
        for (const auto& [rule, count] : inside.report().counts())
            notes += rule == "perfdata/tracking-limit" ? count : 0;
        CHECK(notes == 1);
    }
}

TEST_CASE("a container that hardly shrinks its data takes nothing from compressed records") {
    if (!has_zstd()) return skip("this build has no zstd");
    std::string before;
    Random random(1);
    while (before.size() <= kMiB)
        before += compressed_record(skippable_frame(random_bytes(random, kLongestRecord - 16)));
    const std::string plain = stream_of(kBombs, before);
    const Outcome inside = outcome_of(zstd_frame(plain));
    CHECK(inside.container == Container::zstd);
    CHECK_FALSE(inside.context.limit_hit);
    CHECK(inside.context.inflated == outcome_of(plain).context.inflated);
}

}  // namespace tracelint
