// Manifests: what they say, what is wrong with them, how they are divided; and the hash that tells them apart.
#include <doctest/doctest.h>

#include "fuzz/merge_oracle.hpp"
#include "tests/oracle_files.hpp"
#include "validator/tool/fleet/manifest.hpp"

namespace tracelint {
namespace {

using std::string_literals::operator""s;

Manifest read(const std::string& text, char end = '\n', Shard shard = {}) {
    Manifest manifest(end, shard);
    MemorySource source(as_bytes(text));
    read_manifest(source, manifest);
    return manifest;
}

// "1:a,,,|2:b,7,etag,xray"
std::string entries_of(const Manifest& manifest) {
    std::string text;
    for (const ManifestEntry& entry : manifest.entries())
        text += (text.empty() ? "" : "|") + std::to_string(entry.number) + ':' + entry.path + ',' +
                (entry.size ? std::to_string(*entry.size) : "") + ',' + entry.etag + ',' +
                std::string(entry.format == nullptr ? "" : entry.format->id);
    return text;
}

TEST_CASE("an entry is a path, or a path, a size, an etag and a format") {
    struct Case {
        std::string text;
        char end;
        std::string entries;
    };
    const Case cases[] = {
        {"", '\n', ""},
        {"a", '\n', "1:a,,,"},
        {"a\nb c\n", '\n', "1:a,,,|2:b c,,,"},
        {"\n\na\r\n", '\n', "3:a,,,"},
        {"a\t12\t\"9f-2\"\txray\r\n", '\n', "1:a,12,\"9f-2\",xray"},
        {"a\t\t\t\n", '\n', "1:a,,,"},
        {"a\t18446744073709551615\t\t\n", '\n', "1:a,18446744073709551615,,"},
        {"a\tb\tc\td\t7\t\t\n", '\n', "1:a\tb\tc\td,7,,"},
        {"a\nb\0c\r\0"s, '\0', "1:a\nb,,,|2:c\r,,,"},
        {"a\nb\t3\t\tjitdump\0"s, '\0', "1:a\nb,3,,jitdump"},
        {"a\nb\na\n", '\n', "1:a,,,|2:b,,,"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.text);
        const Manifest manifest = read(c.text, c.end);
        CHECK(manifest.fault() == "");
        CHECK(entries_of(manifest) == c.entries);
    }
    CHECK(read("a\nb\na\n\nb\n").count() == 4);
    CHECK(read("a\nb\na\n\nb\n").repeated() == 2);
}

TEST_CASE("what is no manifest is named with its line") {
    struct Case {
        std::string text;
        std::string fault;
    };
    const Case cases[] = {
        {"a\nb\t1\n",
         "line 2 has fewer than three tabs; expected a path, or a path, a size, an etag and a format with tabs between "
         "them"},
        {"\t1\t\t\n", "line 1 has no path"},
        {"a\t-1\t\t\n", "line 1 has an invalid size '-1'; expected a number of bytes"},
        {"a\t1K\t\t\n", "line 1 has an invalid size '1K'; expected a number of bytes"},
        {"a\t18446744073709551616\t\t\n",
         "line 1 has an invalid size '18446744073709551616'; expected a number of bytes"},
        {"a\t\t" + std::string(1025, 'e') + "\t\n", "line 1 has an etag of more than 1024 bytes"},
        {"-\n", "line 1 is -, which is no file; for a file of this name, write ./-"},
        {"a\nb\0c"s, "line 2 has a NUL; a manifest whose entries end in NULs needs -0"},
        {std::string(4096, 'x'), "line 1 has a path of more than 4095 bytes; is this a manifest?"},
        {std::string(9000, 'x'), "line 1 is longer than 8192 bytes; is this a manifest?"},
        {"a\t1\t\t\nb\na\t2\t\t\n", "line 3 has a path that occurs before, with another size, etag or format"},
        {"a\na\t\t\txray\n", "line 2 has a path that occurs before, with another size, etag or format"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.text);
        CHECK(read(c.text).fault() == c.fault);
    }
    CHECK(read("a\t\t\txrya\n").fault().starts_with("line 1 has an unknown format 'xrya'; expected jitdump, "));
    CHECK(read("a\0b\t1\0"s, '\0').fault().starts_with("entry 2 has fewer than three tabs"));
    CHECK(read(std::string(4095, 'x')).fault() == "");
}

TEST_CASE("a path's shard is the remainder of its CRC-32") {
    CHECK(shard_of("123456789", 1'000'000'007) == 0xcbf43926 % 1'000'000'007 + 1);
    CHECK(shard_of("123456789", 7) == 6);
    CHECK(shard_of("traces/a.dump", 16) == 15);
    CHECK(shard_of("", 5) == 1);
    std::string text;
    for (int i = 0; i < 1000; ++i) text += "traces/" + std::to_string(i) + ".dump\n";
    size_t all = 0;
    for (uint64_t index = 1; index <= 8; ++index) {
        const Manifest manifest = read(text, '\n', {index, 8});
        CHECK(manifest.count() == 1000);
        CHECK(manifest.entries().size() > 80);
        for (const ManifestEntry& entry : manifest.entries()) CHECK(shard_of(entry.path, 8) == index);
        all += manifest.entries().size();
    }
    CHECK(all == 1000);
}

TEST_CASE("the hash of a manifest is BLAKE2b with 256 bits") {
    // Of b2sum -l 256.
    struct Case {
        std::string text;
        std::string hash;
    };
    std::string alphabet;
    for (int i = 0; i < 40; ++i) alphabet += "abcdefghijklmnopqrstuvwxyz";
    const Case cases[] = {
        {"", "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"},
        {"abc", "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"},
        {alphabet.substr(0, 128), "362f4baa8a41484b362c7dee9605b22c9ef18b4930abb85348fa54a43cfa19a9"},
        {alphabet.substr(0, 129), "43e7c863a2faa256b007de3e4a92d9251b087024733014163b13a34b9bcbadb7"},
        {alphabet, "52864333c1dfb4fe9136eb0b17e81480972ce018735e7466859a9a84a0f938d9"},
    };
    for (const Case& c : cases)
        for (const size_t step : {size_t{1}, size_t{127}, size_t{128}, size_t{4096}}) {
            Blake2 hashing;
            for (size_t at = 0; at < c.text.size(); at += step) hashing.take(std::string_view(c.text).substr(at, step));
            CHECK(hashing.finish() == c.hash);
        }
    CHECK(read("abc").hash() == cases[1].hash);
}

TEST_CASE("any bytes are a manifest or a fault") {
    Random random(1);
    constexpr std::string_view kBytes("ab/-9\t\t\t\r\n\n\0", 12);
    for (uint64_t left = seeds(2000); left > 0; --left) {
        std::string text(below(random, 60), '\0');
        for (char& c : text) c = kBytes[below(random, kBytes.size())];
        CAPTURE(text);
        hold(manifest_holds(text, random()));
    }
}

}  // namespace
}  // namespace tracelint
