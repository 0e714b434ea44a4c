// perf.data: the lane of samples gives the findings, numbers and statistics that the tables give, whatever the file.
#include <doctest/doctest.h>

#include <random>

#include "grammars/perfdata/walk.hpp"
#include "tests/support/lane_check.hpp"
#include "tests/support/oracle_files.hpp"

namespace tracelint {
namespace {

constexpr WalkUnderTest kWalk{perfdata::validate_file};

// The recording of a process, as a stream: samples with up to 20 frames and FINISHED_ROUNDs. The memory that every
// third one is in, and every fifth one calls from, is mapped behind the last of them.
class LateMapping {
  public:
    static constexpr uint64_t kElsewhere = 0x5000, kCode = 0x100000;

    LateMapping(ByteOrder order, bool has_chains, uint64_t samples) : order_(order), has_chains_(has_chains) {
        text_ = order == ByteOrder::little ? "PERFILE2" : "2ELIFREP";
        put(16, 8);
        attribute();
        for (uint64_t i = 1; i <= samples; ++i) {
            sample(i);
            if (i % 100 == 0) prefix(68, 8);
        }
        prefix(1, 48, 2);
        put(7, 4), put(7, 4), put(kCode, 8), put(0x1000, 8), put(0, 8);
        text_ += {"//anon\0\0", 8};
    }
    const std::string& text() const { return text_; }
    uint64_t inside() const { return inside_; }

  private:
    void put(uint64_t number, unsigned width) {
        text_.resize(text_.size() + width);
        store(reinterpret_cast<uint8_t*>(text_.data()) + text_.size() - width, width, order_, number);
    }
    void prefix(uint64_t type, uint64_t size, uint64_t misc = 0) { put(type, 4), put(misc, 2), put(size, 2); }
    void attribute() {
        constexpr uint64_t kSize = 64, kIpAndThread = 3, kCallChain = 1 << 5;
        prefix(64, 8 + kSize);
        put(1, 4), put(kSize, 4), put(0, 8), put(1000, 8), put(kIpAndThread | (has_chains_ ? kCallChain : 0), 8);
        for (int i = 0; i < 4; ++i) put(0, 8);
    }
    void sample(uint64_t i) {
        const uint64_t frames = has_chains_ ? i % 21 : 0, caller = i % 5 == 0 ? frames : 0;
        prefix(9, 8 + 16 + (has_chains_ ? 8 + 8 * frames : 0), 2);
        put(i % 3 == 0 ? kCode + 8 : kElsewhere, 8), put(7, 4), put(7, 4);
        if (has_chains_) put(frames, 8);
        for (uint64_t frame = 1; frame <= frames; ++frame) put(frame == caller ? kCode + 16 : kElsewhere, 8);
        inside_ += i % 3 == 0 || caller != 0;
    }

    const ByteOrder order_;
    const bool has_chains_;
    std::string text_;
    uint64_t inside_ = 0;
};

}  // namespace

TEST_CASE("perf.data: samples of the lane wait for the mapping of their code, with all frames") {
    for (const ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
        for (const bool has_chains : {false, true}) {
            CAPTURE(has_chains);
            const LateMapping few(order, has_chains, 2000), many(order, has_chains, 60'000);
            const std::string expected = std::to_string(few.inside()) + " of 2000 samples of process 7";
            MemorySource source(as_bytes(few.text()));
            const WalkResult found = result_of(kWalk, WalkMode::fast, source);
            CHECK(std::ranges::any_of(found.messages, [&](const std::string& message) {
                return message.find(expected) != std::string::npos;
            }));
            for (const LateMapping* file : {&few, &many}) check_lane(kWalk, as_bytes(file->text()), 1);
        }
    }
}

TEST_CASE("perf.data: the lane agrees with the tables on the corpus, and after bytes are changed") {
    for (const auto& [name, bytes] : corpus_bytes(*find_format("perfdata"))) {
        CAPTURE(name);
        check_lane(kWalk, as_bytes(bytes), 1);
        if (bytes.size() > 2048) continue;
        std::mt19937_64 random(bytes.size());
        for (uint64_t round = 0; round < seeds(10); ++round) {
            std::string changed = bytes;
            if (changed.empty()) break;
            const size_t at = random() % changed.size();
            changed[at] = static_cast<char>(random());
            check_lane(kWalk, as_bytes(changed), round);
        }
    }
}

}  // namespace tracelint
