// Gzip files that a second thread inflates: bytes and faults are those that the reader's own thread would get.
#include <doctest/doctest.h>

#include <stdexcept>

#include "fuzz/chunked_source.hpp"
#include "fuzz/containers.hpp"
#include "validator/input/gzip.hpp"
#include "validator/memory/hash_table.hpp"
#include "validator/tool/inputs/inflate_ahead.hpp"

namespace tracelint {
namespace {

constexpr size_t kKiB = size_t{1} << 10;

// Text of which some parts come again, so that it shrinks by half.
std::string some_text(size_t size) {
    std::string text;
    for (uint64_t i = 0; text.size() < size; ++i) text += std::to_string(spread(i) % 100'000) + " record ";
    text.resize(size);
    return text;
}

std::string described(const std::optional<Diagnostic>& fault) {
    if (!fault) return "none";
    return std::string(fault->rule->id) + " at " + std::to_string(fault->place.offset) + ", " +
           std::to_string(fault->place.length) + " bytes, after " + std::to_string(fault->numbers[0]) + ", " +
           std::string(fault->hint);
}

// All that a container says, and how far its data may be decompressed once more.
struct Inflated {
    std::string data{}, fault{}, fault_with_padding{}, failure{};
    bool is_cut = false;
    std::vector<uint64_t> limits{};

    bool operator==(const Inflated&) const = default;
};

Inflated inflated(ContainerSource& source, size_t read_size) {
    Inflated result;
    std::vector<uint8_t> to(read_size);
    while (const size_t got = source.read(to.data(), to.size())) result.data += as_text({to.data(), got});
    CHECK(source.read(to.data(), 1) == 0);
    result.fault = described(source.fault());
    result.fault_with_padding = described(source.fault_with_padding());
    result.failure = source.failure();
    result.is_cut = source.is_cut();
    for (uint64_t at = 0; at <= result.data.size(); at += kMiB)
        result.limits.push_back(source.inflation().limit_at(at));
    return result;
}

struct File {
    const char* title;
    std::string bytes;
};

std::vector<File> files() {
    const std::string text = some_text(3 * kMiB + 5), packed = gzip_member(text, {.level = 1});
    const auto changed = [&](size_t at) {
        std::string bytes = packed;
        bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
        return bytes;
    };
    return {
        {"nothing in it", gzip_member("")},
        {"one byte", gzip_member("a")},
        {"exactly one block", gzip_member(some_text(256 * kKiB))},
        {"exactly two steps", gzip_member(some_text(2 * kMiB), {.level = 1})},
        {"several blocks", packed},
        {"stored", gzip_member(text, {.level = 0})},
        {"three members", packed + gzip_member("") + packed},
        {"padding", packed + std::string(100'000, '\0')},
        {"other bytes after it", packed + "something else"},
        {"cut in its header", packed.substr(0, 5)},
        {"cut in its data", packed.substr(0, packed.size() / 2)},
        {"cut in its checksum", packed.substr(0, packed.size() - 6)},
        {"damaged at the start", changed(0)},
        {"damaged in its data", changed(packed.size() / 3)},
        {"damaged in its checksum", changed(packed.size() - 7)},
        {"damaged in its length", changed(packed.size() - 1)},
    };
}

TEST_CASE("inflated ahead, a gzip file is the same") {
    for (const File& file : files())
        for (const size_t read_size : {size_t{1000}, 300 * kKiB}) {
            CAPTURE(file.title);
            CAPTURE(read_size);
            MemorySource one(as_bytes(file.bytes)), two(as_bytes(file.bytes));
            GzipSource plain(one);
            InflateAhead ahead(two);
            CHECK((inflated(ahead, read_size) == inflated(plain, read_size)));
        }
}

TEST_CASE("what was not read to its end has no fault yet, and its thread ends") {
    const std::string packed = gzip_member(some_text(8 * kMiB), {.level = 1});
    for (const size_t reads : {size_t{0}, size_t{1}, size_t{5}}) {
        MemorySource compressed(as_bytes(packed).first(packed.size() - 4));
        InflateAhead ahead(compressed);
        std::vector<uint8_t> to(300 * kKiB);
        for (size_t i = 0; i < reads; ++i) CHECK(ahead.read(to.data(), to.size()) > 0);
        CHECK(!ahead.fault());
        CHECK(!ahead.is_cut());
    }
}

// Fails or throws after so many bytes.
class BreakingSource final : public ForwardingSource {
  public:
    BreakingSource(Source& inner, uint64_t left, bool throws) : ForwardingSource(inner), left_(left), throws_(throws) {}
    size_t read(uint8_t* to, size_t bytes) override {
        if (left_ == 0 && throws_) throw std::runtime_error("thrown");
        const size_t got = ForwardingSource::read(to, std::min<uint64_t>(bytes, left_));
        left_ -= got;
        return got;
    }
    std::string failure() const override { return left_ == 0 ? "failed" : ""; }

  private:
    uint64_t left_;
    bool throws_;
};

TEST_CASE("a read that fails ends the data without a fault of the container") {
    const std::string packed = gzip_member(some_text(3 * kMiB), {.level = 1});
    for (const uint64_t left : {uint64_t{0}, uint64_t{70'000}, packed.size() / 2}) {
        MemorySource one(as_bytes(packed)), two(as_bytes(packed));
        BreakingSource first(one, left, false), second(two, left, false);
        GzipSource plain(first);
        InflateAhead ahead(second);
        const Inflated result = inflated(ahead, 1000);
        CHECK(result.failure == "failed");
        CHECK(result.fault == "none");
        CHECK((result == inflated(plain, 1000)));
    }
}

TEST_CASE("what reading throws comes through") {
    const std::string packed = gzip_member(some_text(3 * kMiB), {.level = 1});
    MemorySource compressed(as_bytes(packed));
    BreakingSource breaking(compressed, 200'000, true);
    InflateAhead ahead(breaking);
    std::vector<uint8_t> to(kMiB);
    CHECK_THROWS_WITH(while (ahead.read(to.data(), to.size()) > 0){}, "thrown");
}

TEST_CASE("only a large gzip file of known size is inflated ahead") {
    Budget budget(kMiB * 64);
    const std::string small = gzip_member("a");
    MemorySource source(as_bytes(small));
    const auto opened = open_container_ahead(Container::gzip, source, budget);
    CHECK(dynamic_cast<InflateAhead*>(opened.get()) == nullptr);
    const std::string large = gzip_member(some_text(2 * kMiB), {.level = 0});
    MemorySource other(as_bytes(large));
    const auto ahead = open_container_ahead(Container::gzip, other, budget);
    CHECK((dynamic_cast<InflateAhead*>(ahead.get()) != nullptr) == (std::thread::hardware_concurrency() > 1));
}

}  // namespace
}  // namespace tracelint
