// Compressed files that a second thread inflates: bytes and faults are those that the reader's own thread would get.
#include <doctest/doctest.h>

#include <stdexcept>

#include "fuzz/chunked_source.hpp"
#include "fuzz/containers.hpp"
#include "validator/input/zstd.hpp"
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
    Container container = Container::gzip;
    uint64_t memory = 64 * kMiB;
};

std::vector<File> gzip_files() {
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

std::vector<File> zstd_files() {
    if (!has_zstd()) return {};
    const std::string text = some_text(3 * kMiB + 5), packed = zstd_frame(text), small = zstd_frame("a");
    const auto changed = [&](size_t at) {
        std::string bytes = packed;
        bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
        return bytes;
    };
    const std::string medium = zstd_frame(some_text(100'000)), windows = small + medium + packed + medium;
    std::vector<File> files = {
        {"nothing in it", zstd_frame("")},
        {"several blocks", packed},
        {"without a checksum", zstd_frame(text, {.has_checksum = false})},
        {"without a size", zstd_frame(text, {.has_size = false})},
        {"frames with larger and larger windows", windows},
        {"a frame between others", packed + skippable_frame("something else") + small},
        {"other bytes after it", packed + "something else"},
        {"cut in its header", packed.substr(0, 5)},
        {"cut in its data", packed.substr(0, packed.size() / 2)},
        {"cut in its checksum", packed.substr(0, packed.size() - 3)},
        {"damaged in its data", changed(packed.size() / 3)},
        {"damaged in its checksum", changed(packed.size() - 1)},
        // The context, and the window of the second frame, but not that of the third.
        {"too little memory for a window", windows, Container::zstd, kMiB},
        {"too little memory", packed, Container::zstd, kKiB},
    };
    for (File& file : files) file.container = Container::zstd;
    return files;
}

std::vector<File> files() {
    std::vector<File> files = gzip_files();
    for (File& file : zstd_files()) files.push_back(std::move(file));
    return files;
}

// Reads like a check: as much as it asks for, and it takes and gives back memory on its way.
class TakingSource final : public ContainerSource {
  public:
    TakingSource(ContainerSource& inner, Budget& budget) : ContainerSource(1), inner_(inner), budget_(budget) {}
    ~TakingSource() override { budget_.give_back(held_); }
    TakingSource(const TakingSource&) = delete;
    TakingSource& operator=(const TakingSource&) = delete;

    size_t read(uint8_t* to, size_t bytes) override {
        if (reads_++ % 4 == 0) budget_.give_back(std::exchange(held_, 0));
        if (budget_.take(64 * kKiB)) held_ += 64 * kKiB;
        left_.push_back(budget_.left());
        size_t filled = 0;
        while (filled < bytes) {
            const size_t got = inner_.read(to + filled, bytes - filled);
            filled += got;
            if (got == 0) break;
        }
        inflation_ = inner_.inflation();
        return filled;
    }
    std::string failure() const override { return inner_.failure(); }
    bool is_cut() const override { return inner_.is_cut(); }
    const std::optional<Diagnostic>& fault() const override { return inner_.fault(); }
    const std::optional<Diagnostic>& fault_with_padding() const override { return inner_.fault_with_padding(); }
    const std::vector<uint64_t>& left() const { return left_; }

  private:
    ContainerSource& inner_;
    Budget& budget_;
    uint64_t held_ = 0, reads_ = 0;
    std::vector<uint64_t> left_;  // before each read
};

TEST_CASE("inflated ahead, a file is the same, and takes the same memory at the same places") {
    for (const File& file : files())
        for (const size_t read_size : {size_t{1000}, 256 * kKiB, 300 * kKiB}) {
            CAPTURE(file.title);
            CAPTURE(read_size);
            MemorySource one(as_bytes(file.bytes)), two(as_bytes(file.bytes));
            Budget first(file.memory), second(file.memory);
            {
                const std::unique_ptr<ContainerSource> plain = open_container(file.container, one, first);
                InflateAhead ahead(file.container, two, second);
                TakingSource taking(*plain, first), taking_ahead(ahead, second);
                CHECK((inflated(taking_ahead, read_size) == inflated(taking, read_size)));
                CHECK((taking_ahead.left() == taking.left()));
            }
            CHECK(first.is_whole());
            CHECK(second.is_whole());
        }
}

TEST_CASE("what was not read to its end has no fault yet, and its thread ends") {
    const std::string text = some_text(8 * kMiB);
    for (const Container container : {Container::gzip, Container::zstd}) {
        if (container == Container::zstd && !has_zstd()) continue;
        const std::string packed = container == Container::gzip ? gzip_member(text, {.level = 1}) : zstd_frame(text);
        for (const size_t reads : {size_t{0}, size_t{1}, size_t{5}}) {
            MemorySource compressed(as_bytes(packed).first(packed.size() - 4));
            Budget budget(64 * kMiB);
            {
                InflateAhead ahead(container, compressed, budget);
                std::vector<uint8_t> to(300 * kKiB);
                for (size_t i = 0; i < reads; ++i) CHECK(ahead.read(to.data(), to.size()) > 0);
                CHECK(!ahead.fault());
                CHECK(!ahead.is_cut());
            }
            CHECK(budget.is_whole());
        }
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
        Budget budget(64 * kMiB);
        const std::unique_ptr<ContainerSource> plain = open_container(Container::gzip, first, budget);
        InflateAhead ahead(Container::gzip, second, budget);
        const Inflated result = inflated(ahead, 1000);
        CHECK(result.failure == "failed");
        CHECK(result.fault == "none");
        CHECK((result == inflated(*plain, 1000)));
    }
}

TEST_CASE("what reading throws comes through") {
    const std::string packed = gzip_member(some_text(3 * kMiB), {.level = 1});
    MemorySource compressed(as_bytes(packed));
    BreakingSource breaking(compressed, 200'000, true);
    Budget budget(64 * kMiB);
    InflateAhead ahead(Container::gzip, breaking, budget);
    std::vector<uint8_t> to(kMiB);
    CHECK_THROWS_WITH(while (ahead.read(to.data(), to.size()) > 0){}, "thrown");
}

TEST_CASE("only a large file of known size is inflated ahead") {
    Budget budget(kMiB * 64);
    const bool pays = std::thread::hardware_concurrency() > 1;
    const auto is_ahead = [&](Container container, const std::string& bytes) {
        MemorySource source(as_bytes(bytes));
        const auto opened = open_container_ahead(container, source, budget);
        return dynamic_cast<InflateAhead*>(opened.get()) != nullptr;
    };
    CHECK_FALSE(is_ahead(Container::gzip, gzip_member("a")));
    CHECK_FALSE(is_ahead(Container::zstd, zstd_frame("a")));
    CHECK(is_ahead(Container::gzip, gzip_member(some_text(2 * kMiB), {.level = 0})) == pays);
    CHECK(is_ahead(Container::zstd, zstd_frame(some_text(16 * kMiB))) == pays);
}

}  // namespace
}  // namespace tracelint
