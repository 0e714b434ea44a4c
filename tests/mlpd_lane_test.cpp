// mlpd's fast lane takes most events of a large file; it must find what the plans of the events find.
#include <doctest/doctest.h>

#include <random>

#include "grammars/mlpd/walk.hpp"
#include "tests/corpus.hpp"
#include "validator/leb128.hpp"

namespace tracelint {
namespace {

struct Seen {
    std::vector<Expectation> findings;
    std::vector<std::pair<std::string_view, uint64_t>> statistics;
};

Seen seen_at(mlpd::Pace pace, Bytes bytes) {
    MemorySource source(bytes);
    Inspection inspection({}, {});
    Window window(source);
    mlpd::validate_file(window, inspection, pace);
    inspection.report.finish();
    Seen seen;
    for (const Diagnostic& diagnostic : inspection.report.diagnostics())
        seen.findings.push_back(expectation_of(diagnostic));
    seen.statistics = inspection.statistics;
    return seen;
}

void check_paces(Bytes bytes) {
    const Seen fast = seen_at(mlpd::Pace::fast, bytes), plain = seen_at(mlpd::Pace::plain, bytes);
    CHECK(fast.statistics == plain.statistics);
    REQUIRE(fast.findings.size() == plain.findings.size());
    for (size_t i = 0; i < fast.findings.size(); ++i) CHECK(line_of(fast.findings[i]) == line_of(plain.findings[i]));
}

// A file of one buffer: the methods 0x1000, 0x1008, .. are defined and the classes of `kAlloc` are not.
class File {
  public:
    File(uint8_t version, uint8_t pointer_size, std::mt19937_64& random) : random_(random) {
        header_ = {1, 0x5a, 0x50, 0x4d, 0, 4, version, pointer_size};
        header_.resize(32);
        for (uint8_t i = 0; i < 8; ++i) put({0x43, 1, static_cast<uint8_t>(i == 0 ? 0 : 8), 0, 0, 'm', 0});
    }

    void call() {
        const bool enters = random_() % 2 == 0;
        put({static_cast<uint8_t>(enters ? 0x23 : random_() % 8 == 0 ? 0x33 : 0x13)});
        number(10, false);
        if (random_() % 16 != 0)
            put({static_cast<uint8_t>(random_() % 2 == 0 ? 0x78 : 0x08)});
        else
            number(40, true);
    }
    void alloc() {
        put({0x00});
        number(12, false);
        number(random_() % 8 == 0 ? 60 : 20, true);
        number(random_() % 8 == 0 ? 60 : 30, true);
        if (random_() % 2 == 0)
            put({static_cast<uint8_t>(8 * (random_() % 8))});
        else
            number(40, false);
    }

    std::vector<uint8_t> bytes() const {
        std::vector<uint8_t> all = header_;
        const auto word = [&](uint64_t value, size_t width) {
            for (size_t i = 0; i < width; ++i) all.push_back(static_cast<uint8_t>(value >> (8 * i)));
        };
        word(mlpd::kBufferId, 4);
        word(events_.size(), 4);
        for (const uint64_t value :
             {uint64_t{1} << 62, uint64_t{0x2000}, uint64_t{0x300}, uint64_t{7}, uint64_t{0x1000}})
            word(value, 8);
        all.insert(all.end(), events_.begin(), events_.end());
        return all;
    }

  private:
    void put(std::initializer_list<uint8_t> bytes) { events_.insert(events_.end(), bytes); }

    // A number of up to `bits` bits; now and then longer than it need be.
    void number(unsigned bits, bool is_signed) {
        uint64_t value = random_() >> (63 - random_() % bits);
        if (is_signed && random_() % 2 == 0) value = ~value;
        std::string shortest, written;
        append_leb(shortest, value, is_signed);
        append_leb(written, value, is_signed, shortest.size() + (random_() % 64 == 0 ? 1 : 0));
        events_.insert(events_.end(), written.begin(), written.end());
    }

    std::mt19937_64& random_;
    std::vector<uint8_t> header_, events_;
};

}  // namespace

TEST_CASE("mlpd: the fast lane and the plans find the same in every case") {
    const Format& format = *find_format("mlpd");
    Errors errors;
    for (const CaseFile& file : corpus_cases(format, errors))
        for (const CaseBlock& block : file.blocks) {
            CAPTURE(file.path);
            CAPTURE(block.line);
            if (block.bytes.size() < 1 << 20) check_paces(as_bytes(block.bytes.head));
        }
}

TEST_CASE("mlpd: the fast lane and the plans find the same in calls and allocations of all widths") {
    std::mt19937_64 random(20260114);
    for (int round = 0; round < 300; ++round) {
        CAPTURE(round);
        const uint8_t versions[] = {4, 12, 14, 17};
        File file(versions[round % 4], round / 4 % 2 == 0 ? 8 : 4, random);
        for (int i = 0; i < 400; ++i) random() % 3 == 0 ? file.alloc() : file.call();
        const std::vector<uint8_t> bytes = file.bytes();
        check_paces(bytes);
        check_paces(Bytes(bytes).first(bytes.size() - random() % 40));
    }
}

}  // namespace tracelint
