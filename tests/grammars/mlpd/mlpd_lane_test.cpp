// mlpd's fast lane and straight code take nearly all events; they must find what the plans of the events find.
#include <doctest/doctest.h>

#include <map>
#include <random>

#include "grammars/mlpd/mlpd.hpp"
#include "grammars/mlpd/records_events.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/lane_check.hpp"
#include "validator/tables/leb128.hpp"

namespace tracelint {
namespace {

constexpr WalkUnderTest kWalk{mlpd::validate_file};

// A file of one buffer, with events of values of all widths.
class File {
  public:
    File(uint8_t version, uint8_t pointer_size, std::mt19937_64& random) : random_(random), version_(version) {
        mask_ = pointer_size == 4 ? 0xffffffff : ~uint64_t{0};
        time_base_ = (uint64_t{random_() % 2 == 0} << 63) - random_() % 60'000;
        header_ = {1, 0x5a, 0x50, 0x4d, 0, 4, version, pointer_size};
        header_.resize(32);
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

  protected:
    static constexpr uint64_t kFirstMethod = 0x1000, kPointerBase = 0x2000, kObjectBase = 0x300;

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
        const unsigned spare = 63 - static_cast<unsigned>(random_() % bits);
        const uint64_t value = random_() >> spare;
        return number(is_signed && random_() % 2 == 0 ? ~value : value, is_signed);
    }

    std::mt19937_64& random_;
    const uint8_t version_;
    uint64_t mask_ = 0, time_base_ = 0;

  private:
    std::vector<uint8_t> header_, events_;
};

// Eight methods are defined, the classes of ALLOC are not. Nearly all calls nest, so that a number that is misread
// shows; the time goes over the middle or the end of its range, and events come before a sync point: each is said at
// the event that does it.
class Calls : public File {
  public:
    Calls(uint8_t version, uint8_t pointer_size, std::mt19937_64& random) : File(version, pointer_size, random) {
        for (uint8_t i = 0; i < kMethods; ++i) put({0x43, 1, static_cast<uint8_t>(i == 0 ? 0 : 8), 0, 0, 'm', 0});
        method_ = kFirstMethod + 8 * (kMethods - 1);
    }

    void call() {
        const bool enters = open_.empty() || random_() % 2 == 0;
        put({static_cast<uint8_t>(enters ? 0x23 : random_() % 8 == 0 ? 0x33 : 0x13)});
        drawn(10, false);
        const uint64_t choice = random_() % 64;
        if (choice < 3) {
            method_ += drawn(40, true);
        } else {
            const uint64_t method = choice == 3 ? 0 : enters ? kFirstMethod + 8 * (random_() % kMethods) : open_.back();
            method_ += number(method - method_ + too_far(), true);
        }
        method_ &= mask_;
        if (enters)
            open_.push_back(method_);
        else
            open_.pop_back();
    }
    void alloc() {
        put({0x00});
        drawn(12, false);
        if (random_() % 8 == 0) {
            drawn(60, true);
        } else {
            const uint64_t distance = 8 * (random_() % 16) - 64;
            number(distance + too_far(), true);
        }
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
        if (version_ < 13) return;
        const bool goes_back = random_() % 2 == 0;
        put({static_cast<uint8_t>(goes_back ? 0x47 : 0x0a)});
        number(goes_back ? 0 - random_() % 2000 : random_() % 200, false);
        put({0});
    }

  private:
    static constexpr uint64_t kMethods = 8;

    // Rule 28: what narrow pointers lead to is the same, and is reported.
    uint64_t too_far() { return ~mask_ != 0 && random_() % 16 == 0 ? uint64_t{1} << 32 : 0; }

    uint64_t method_ = 0;
    std::vector<uint64_t> open_;
};

// Events of every kind that the version has, field by field as their tables say.
class AnyEvents : public File {
  public:
    using File::File;

    void event() {
        const mlpd::EventRow& row = mlpd::kEvents[random_() % std::size(mlpd::kEvents)];
        if (version_ < row.first || version_ > row.last) return;
        const Record* record = row.record;
        if (record == nullptr) record = mlpd::kMetadataRecords[random_() % std::size(mlpd::kMetadataRecords)];
        op_ = row.op;
        if (record->exists_in(version_)) write(*record);
    }

  private:
    void write(const Record& record) {
        std::map<std::string_view, uint64_t> numbers;
        for (const Field& field : record.fields()) {
            const auto decides = numbers.find(field.condition.field);
            const bool is_there =
                !field.is_optional() || (decides != numbers.end() && field.condition.holds_for(decides->second));
            if (!field.exists_in(version_) || !is_there) continue;
            if (field.type == Type::list)
                write_list(field, numbers);
            else if (field.type == Type::string)
                text();
            else
                numbers[field.name] = value(record, field);
        }
    }

    void write_list(const Field& list, const std::map<std::string_view, uint64_t>& numbers) {
        const uint64_t count = list.ends_with_zero ? random_() % 3 : numbers.at(list.counter);
        for (uint64_t i = 0; i < count; ++i) write(*list.element);
        if (list.ends_with_zero) put({0});
    }

    // Mostly one that its checks allow.
    uint64_t value(const Record& record, const Field& field) {
        if (field.name == "op") return fixed(field, op_);
        const auto counts = [&](const Field& list) { return list.counter == field.name; };
        if (std::ranges::any_of(record.fields(), counts)) return number(2 * (random_() % 4), false);
        const Check& check = field.checks[0];
        const bool obeys = random_() % 32 != 0;
        if (obeys && check.must == Check::Must::equal) return fixed(field, check.value);
        if (obeys && !field.names.empty()) return fixed(field, field.names[random_() % field.names.size()].value);
        if (!field.is_leb()) return fixed(field, random_() % 4);
        const bool is_signed = field.type == Type::sleb128;
        if (obeys && check.must == Check::Must::be_within_mask) return number(8 * (random_() % 100), is_signed);
        return drawn(field.name == "time" ? 12 : random_() % 4 == 0 ? 60 : 30, is_signed);
    }

    uint64_t fixed(const Field& field, uint64_t value) {
        if (field.is_leb()) return number(value, field.type == Type::sleb128);
        for (unsigned i = 0; i < field.width; ++i) put({static_cast<uint8_t>(value >> (8 * i))});
        return value;
    }

    // Now and then not of ASCII, or a GUID.
    void text() {
        const uint64_t length = random_() % 40;
        for (uint64_t i = 0; i < length; ++i) put({static_cast<uint8_t>(random_() % 256 == 0 ? 0xc3 : 'a' + i % 26)});
        put({0});
    }

    uint8_t op_ = 0;
};

}  // namespace

TEST_CASE("mlpd: the fast lane and the plans find the same in every case") {
    const Format& format = *find_format("mlpd");
    Errors errors;
    for (const CaseFile& file : corpus_cases(format, errors))
        for (const CaseBlock& block : file.blocks) {
            CAPTURE(file.path);
            CAPTURE(block.line);
            if (block.bytes.size() < 1 << 20) check_lane(kWalk, as_bytes(block.bytes.head), block.line);
        }
}

TEST_CASE("mlpd: the fast lane and the plans find the same in calls and allocations of all widths") {
    std::mt19937_64 random(20260114);
    for (int round = 0; round < 300; ++round) {
        CAPTURE(round);
        const uint8_t versions[] = {4, 12, 14, 17};
        Calls file(versions[round % 4], round / 4 % 2 == 0 ? 8 : 4, random);
        for (int i = 0; i < 400; ++i) {
            if (random() % 40 == 0) file.time();
            random() % 3 == 0 ? file.alloc() : file.call();
        }
        const std::vector<uint8_t> bytes = file.bytes();
        check_lane(kWalk, bytes, static_cast<uint64_t>(round));
        check_lane(kWalk, Bytes(bytes).first(bytes.size() - random() % 40), static_cast<uint64_t>(round));
    }
}

TEST_CASE("mlpd: straight code and the plans find the same in events of every kind and version") {
    std::mt19937_64 random(20261123);
    for (int round = 0; round < 20 * mlpd::kNewestVersion; ++round) {
        CAPTURE(round);
        const auto version = static_cast<uint8_t>(mlpd::kOldestVersion + round % mlpd::kNewestVersion);
        AnyEvents file(version, round / mlpd::kNewestVersion % 2 == 0 ? 8 : 4, random);
        for (int i = 0; i < 300; ++i) file.event();
        const std::vector<uint8_t> bytes = file.bytes();
        check_lane(kWalk, bytes, static_cast<uint64_t>(round));
        check_lane(kWalk, Bytes(bytes).first(bytes.size() - random() % 40), static_cast<uint64_t>(round));
    }
}

}  // namespace tracelint
