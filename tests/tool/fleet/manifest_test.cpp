// Manifests: their content, their faults, how they are divided; and the hash that distinguishes them.
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "fuzz/tool/merge_oracle.hpp"
#include "tests/support/oracle_files.hpp"
#include "tests/support/paths.hpp"
#include "validator/tool/inputs/manifest.hpp"

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

// A text of the table: its characters are bytes, and a pair of a text and a number is the text so often.
std::string bytes_of(const nlohmann::json& text) {
    std::string bytes;
    if (text.is_string()) {
        const auto utf8 = text.get<std::string>();
        for (size_t i = 0; i < utf8.size(); ++i) {
            const auto lead = static_cast<uint8_t>(utf8[i]);
            bytes += static_cast<char>(lead < 0x80 ? lead : lead << 6 | (utf8[++i] & 0x3f));
        }
    } else if (text.size() == 2 && text[1].is_number()) {
        for (int i = 0; i < text[1]; ++i) bytes += bytes_of(text[0]);
    } else {
        for (const nlohmann::json& piece : text) bytes += bytes_of(piece);
    }
    return bytes;
}

TEST_CASE("a manifest says what the table says") {
    std::ifstream file(paths::root() + "/tests/fleet/manifests.json");
    const nlohmann::json table = nlohmann::json::parse(file);
    CHECK(table.at("cases").size() > 40);
    for (const nlohmann::json& c : table.at("cases")) {
        CAPTURE(c.at("what"));
        const Manifest manifest = read(bytes_of(c.at("manifest")), c.at("null") ? '\0' : '\n');
        if (c.contains("fault")) {
            const auto fault = c.at("fault").get<std::string>();
            CHECK_MESSAGE(manifest.fault().starts_with(fault), manifest.fault());
            continue;
        }
        CHECK(manifest.fault() == "");
        std::string entries;
        for (const nlohmann::json& entry : c.at("entries"))
            entries += (entries.empty() ? "" : "|") + entry[0].dump() + ':' + bytes_of(entry[1]) + ',' +
                       (entry[2].is_null() ? "" : entry[2].dump()) + ',' + bytes_of(entry[3]) + ',' +
                       bytes_of(entry[4]);
        CHECK(entries_of(manifest) == entries);
        CHECK(manifest.repeated() == c.at("repeated"));
        CHECK(manifest.count() == manifest.entries().size() + manifest.repeated());
    }
    CHECK(read("a\nb\0c"s).fault() == "line 2 has a NUL; use -0 for a manifest whose entries end with NUL");
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
