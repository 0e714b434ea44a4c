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
    std::vector<std::array<uint64_t, 4>> numbers;  // what they say
    std::vector<std::pair<std::string_view, uint64_t>> statistics;
};

Seen seen_at(WalkMode mode, Bytes bytes) {
    MemorySource source(bytes);
    ValidationContext context({}, {});
    Window window(source);
    mlpd::validate_file(window, context, mode);
    context.report.finish();
    Seen seen;
    for (const Diagnostic& diagnostic : context.report.diagnostics()) {
        seen.findings.push_back(expectation_of(diagnostic));
        seen.numbers.push_back(diagnostic.numbers);
    }
    seen.statistics = context.statistics;
    return seen;
}

void check_paces(Bytes bytes) {
    const Seen fast = seen_at(WalkMode::fast, bytes), plain = seen_at(WalkMode::plain, bytes);
    CHECK(fast.statistics == plain.statistics);
    REQUIRE(fast.findings.size() == plain.findings.size());
    for (size_t i = 0; i < fast.findings.size(); ++i) CHECK(line_of(fast.findings[i]) == line_of(plain.findings[i]));
    CHECK(fast.numbers == plain.numbers);
}

// A file of one buffer: eight methods are defined, the classes of ALLOC are not. Nearly all calls nest, so that a
// number that is misread shows; the time goes over the middle or the end of its range, and events come before a sync
// point: each is said at the event that does it.
class File {
  public:
    File(uint8_t version, uint8_t pointer_size, std::mt19937_64& random) : random_(random), is_new_(version >= 13) {
        mask_ = pointer_size == 4 ? 0xffffffff : ~uint64_t{0};
        time_base_ = (uint64_t{random_() % 2 == 0} << 63) - random_() % 60'000;
        header_ = {1, 0x5a, 0x50, 0x4d, 0, 4, version, pointer_size};
        header_.resize(32);
        for (uint8_t i = 0; i < kMethods; ++i) put({0x43, 1, static_cast<uint8_t>(i == 0 ? 0 : 8), 0, 0, 'm', 0});
        method_ = kFirstMethod + 8 * (kMethods - 1);
    }

    void call() {
        const bool enters = open_.empty() || random_() % 2 == 0;
        put({static_cast<uint8_t>(enters ? 0x23 : random_() % 8 == 0 ? 0x33 : 0x13)});
        drawn(10, false);
        const uint64_t choice = random_() % 64;
        if (choice < 3)
            method_ += drawn(40, true);
        else
            method_ += number((choice == 3 ? 0
                               : enters    ? kFirstMethod + 8 * (random_() % kMethods)
                                           : open_.back()) -
                                  method_ + too_far(),
                              true);
        method_ &= mask_;
        if (enters)
            open_.push_back(method_);
        else
            open_.pop_back();
    }
    void alloc() {
        put({0x00});
        drawn(12, false);
        if (random_() % 8 == 0)
            drawn(60, true);
        else
            number(8 * (random_() % 16) - 64 + too_far(), true);
        if (random_() % 32 == 0)
            number(0 - kObjectBase, true);
        else
            drawn(random_() % 8 == 0 ? 60 : 30, true);
        if (random_() % 2 == 0)
            put({static_cast<uint8_t>(8 * (random_() % 8))});
        else
            drawn(40, false);
    }
    // A SYNC_POINT, or COUNTERS without any that lead back in time, so that what follows may come before the former.
    void time() {
        if (!is_new_) return;
        const bool goes_back = random_() % 2 == 0;
        put({static_cast<uint8_t>(goes_back ? 0x47 : 0x0a)});
        number(goes_back ? 0 - random_() % 2000 : random_() % 200, false);
        put({0});
    }

    std::vector<uint8_t> bytes() const {
        std::vector<uint8_t> all = header_;
        const auto word = [&](uint64_t value, size_t width) {
            for (size_t i = 0; i < width; ++i) all.push_back(static_cast<uint8_t>(value >> (8 * i)));
        };
        word(mlpd::kBufferId, 4);
        word(events_.size(), 4);
        for (const uint64_t value : {time_base_, kPointerBase, kObjectBase, uint64_t{7}, kFirstMethod}) word(value, 8);
        all.insert(all.end(), events_.begin(), events_.end());
        return all;
    }

  private:
    static constexpr uint64_t kFirstMethod = 0x1000, kMethods = 8, kPointerBase = 0x2000, kObjectBase = 0x300;

    // Rule 28: what narrow pointers lead to is the same, and is reported.
    uint64_t too_far() { return ~mask_ != 0 && random_() % 16 == 0 ? uint64_t{1} << 32 : 0; }

    void put(std::initializer_list<uint8_t> bytes) { events_.insert(events_.end(), bytes); }

    // Now and then longer than it need be.
    uint64_t number(uint64_t value, bool is_signed) {
        std::string shortest, written;
        append_leb(shortest, value, is_signed);
        append_leb(written, value, is_signed, shortest.size() + (random_() % 64 == 0 ? 1 : 0));
        events_.insert(events_.end(), written.begin(), written.end());
        return value;
    }
    // Of up to `bits` bits.
    uint64_t drawn(unsigned bits, bool is_signed) {
        const uint64_t value = random_() >> (63 - random_() % bits);
        return number(is_signed && random_() % 2 == 0 ? ~value : value, is_signed);
    }

    std::mt19937_64& random_;
    const bool is_new_;  // with sync points
    uint64_t mask_ = 0, time_base_ = 0, method_ = 0;
    std::vector<uint64_t> open_;
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
        for (int i = 0; i < 400; ++i) {
            if (random() % 40 == 0) file.time();
            random() % 3 == 0 ? file.alloc() : file.call();
        }
        const std::vector<uint8_t> bytes = file.bytes();
        check_paces(bytes);
        check_paces(Bytes(bytes).first(bytes.size() - random() % 40));
    }
}

}  // namespace tracelint
