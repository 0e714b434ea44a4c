// jitdump's lane takes most records of a large file; it must find what the tables and machines find.
#include <doctest/doctest.h>

#include "grammars/jitdump/walk.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/lane_check.hpp"
#include "validator/generator/record_values.hpp"

namespace tracelint::jitdump {
namespace {

constexpr WalkUnderTest kWalk{.validate = validate_file, .gives_facts = true};

// A writer of files that are nearly sound, in either byte order. Addresses and indices mostly go up, in one of a few
// regions and processes; now and then code replaces other code, an index is repeated or skipped, or a field is wrong.
class File {
  public:
    // One field in about `mischief` is wrong.
    File(Random& random, uint64_t mischief)
        : random_(random), order_(pick(random, {ByteOrder::little, ByteOrder::big})), mischief_(mischief) {
        processes_ = pick<uint64_t>(random, {1, 1, 1, 3});
        for (const uint64_t number : {kMagic, uint64_t{1}, uint64_t{40}, uint64_t{62}, uint64_t{0}, uint64_t{kPid}})
            put(4, number);
        put(8, 1000);
        put(8, 0);
        for (uint64_t& next : next_) next = draw_page();
    }

    void function() {
        const uint64_t region = one_in(random_, 6) ? below(random_, 3) : 0, size = wrong() ? 0 : 1 + below(random_, 40);
        uint64_t& next = next_[region];
        if (wrong()) next = draw_page() - below(random_, 60);
        if (wrong()) next -= std::min<uint64_t>(next, 200);
        if (wrong()) next = pick<uint64_t>(random_, {0, 0 - size, 0 - size - 1, uint64_t{1} << 63});
        if (one_in(random_, 3)) unwinding();
        if (one_in(random_, 3)) lines(wrong() ? next + 8 : next, size);
        load(next, size);
        if (one_in(random_, 20)) move(next, size);
        next += size + (one_in(random_, 2) ? 0 : below(random_, 50));
    }

    void load(uint64_t address, uint64_t size) {
        std::string name(1 + below(random_, 20), 'f');
        if (wrong()) name.clear();
        if (wrong()) name += pick(random_, {"\xc3\xa9", "\xc3", "\xff"});
        const uint64_t index = draw_index(), process = wrong() ? 1 : below(random_, processes_);
        prefix(kLoadId, 57 + name.size() + size);
        put(4, kPid + process);
        put(4, 7);
        put(8, wrong() ? 0 : address);
        put(8, address);
        put(8, wrong() ? size + below(random_, 3) - 1 : size);
        put(8, index);
        bytes_ += name;
        bytes_ += wrong() ? 'x' : '\0';
        bytes_.append(size, '\x90');
    }

    const std::string& bytes() const { return bytes_; }

  private:
    static constexpr uint32_t kPid = 1001;

    bool wrong() { return one_in(random_, mischief_); }
    uint64_t draw_page() { return 0x10000 * (1 + below(random_, 8)); }
    void put(unsigned width, uint64_t number) {
        uint8_t stored[8];
        store(stored, width, order_, number);
        bytes_.append(reinterpret_cast<const char*>(stored), width);
    }
    void prefix(uint64_t id, uint64_t size) {
        time_ = wrong() ? time_ - below(random_, 2000) : time_ + below(random_, 50);
        put(4, wrong() ? 1 + below(random_, 6) : id);
        put(4, wrong() ? size + below(random_, 9) - 4 : size);
        put(8, wrong() ? 0 : time_);
    }
    uint64_t draw_index() {
        if (wrong()) return below(random_, index_ + 3);
        if (wrong()) index_ += below(random_, 3);
        if (wrong()) return pick<uint64_t>(random_, {0, kNone, index_ + 2});
        return ++index_;
    }
    void move(uint64_t from, uint64_t size) {
        const uint64_t page = draw_page(), to = page + below(random_, 999);
        prefix(kMoveId, 64);
        put(4, kPid + (wrong() ? 1 : 0));
        put(4, 7);
        put(8, to);
        put(8, wrong() ? from + 1 : from);
        put(8, to);
        put(8, wrong() ? size + 1 : size);
        put(8, one_in(random_, 2) ? index_ : below(random_, index_ + 2));
    }
    void lines(uint64_t address, uint64_t size) {
        const std::string name(below(random_, 12), 'f');
        const uint64_t count = below(random_, 4);
        prefix(kDebugInfoId, 32 + count * (17 + name.size()));
        put(8, address);
        put(8, wrong() ? count + 1 : count);
        for (uint64_t i = 0; i < count; ++i) {
            put(8, address + (wrong() ? 0x40 : 0) + i * size / count);
            put(4, wrong() ? 0 : 10 + i);
            put(4, 0);
            bytes_ += name;
            if (wrong() && !name.empty()) bytes_.back() = '\xe4';
            bytes_ += '\0';
        }
    }
    void unwinding() {
        const uint64_t size = 8 * below(random_, 3);
        prefix(kUnwindingInfoId, 40 + size);
        put(8, size);
        put(8, 0);
        put(8, wrong() ? size + 1 : size);
        bytes_.append(size, '\0');
    }

    Random& random_;
    const ByteOrder order_;
    const uint64_t mischief_;
    std::string bytes_;
    uint64_t processes_ = 0, time_ = 2000, index_ = 0;
    std::array<uint64_t, 3> next_{};  // address of each region
};

}  // namespace

TEST_CASE("the lane sees what tables and machines see, in files with all kinds of faults") {
    uint64_t functions = 0;
    for (uint64_t seed = 1; seed <= 300; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        File file(random, pick<uint64_t>(random, {4, 30, 1000}));
        for (uint64_t left = pick<uint64_t>(random, {3, 40, 600}); left > 0; --left, ++functions) file.function();
        std::string bytes = file.bytes();
        if (one_in(random, 4)) bytes.resize(below(random, bytes.size()));
        check_lane(kWalk, as_bytes(bytes), seed);
        const uint64_t memory = below(random, 40'000), record = 60 + below(random, 60);
        check_lane(kWalk, as_bytes(bytes), seed, {.memory = memory});
        check_lane(kWalk, as_bytes(bytes), seed, {.record = record});
    }
    CHECK(functions > 10'000);
}

#ifdef TRACELINT_AGREEMENT
// Otherwise the test above would compare the walk with itself.
TEST_CASE("LOADs without a fault go through the lane, and none does in a plain walk") {
    constexpr uint64_t kLoads = 150;
    Random random(1);
    File file(random, 1'000'000'000);
    for (uint64_t i = 0; i < kLoads; ++i) file.load(0x10000 + 8 * i, 8);
    const auto work = [&](WalkMode mode) {
        MemorySource source(as_bytes(file.bytes()));
        ValidationContext context({}, {});
        Window window(source, &context.work);
        validate_file(window, context, mode);
        return context.work.total();
    };
    CHECK(work(WalkMode::plain) > work(WalkMode::fast) + kLoads / 2);  // a few make room for the others
}
#endif

TEST_CASE("the lane sees what tables and machines see in real files") {
    for (const Format* format : tested_formats()) {
        if (format->id != "jitdump") continue;
        for (const auto& path : corpus_files(*format, "real", ".dump")) {
            CAPTURE(shown(path));
            const std::string bytes = read_file(path).value_or("");
            REQUIRE_FALSE(bytes.empty());
            check_lane(kWalk, as_bytes(bytes), 1);
        }
    }
}

}  // namespace tracelint::jitdump
