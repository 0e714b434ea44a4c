// Sorting by keys: ordered and stable for any input.
#include "validator/memory/sorted_table.hpp"

#include <doctest/doctest.h>

#include "validator/generator/record_values.hpp"

namespace tracelint {
namespace {

struct Keyed {
    uint64_t key;
    size_t number;  // in the order of arrival
};

std::vector<Keyed> sorted(const std::vector<uint64_t>& keys) {
    std::vector<Keyed> items, scratch;
    for (const uint64_t key : keys) items.push_back({key, items.size()});
    WorkCounter work;
    sort_by_key(std::span(items), scratch, [](const Keyed& item) { return item.key; }, work);
    return items;
}

void check_sorted(const std::vector<uint64_t>& keys) {
    const std::vector<Keyed> items = sorted(keys);
    REQUIRE(items.size() == keys.size());
    for (size_t i = 0; i < items.size(); ++i) {
        REQUIRE(items[i].key == keys[items[i].number]);
        if (i == 0) continue;
        const bool in_order = items[i - 1].key < items[i].key ||
                              (items[i - 1].key == items[i].key && items[i - 1].number < items[i].number);
        REQUIRE(in_order);
    }
}

}  // namespace

TEST_CASE("any number of keys of any width is sorted stably") {
    Random random(1);
    for (const size_t count : {0u, 1u, 2u, 24u, 25u, 300u, 2047u, 2048u, 5000u})
        for (const unsigned bits : {1u, 8u, 11u, 12u, 33u, 64u}) {
            std::vector<uint64_t> keys(count);
            for (uint64_t& key : keys) key = bits == 64 ? random() : below(random, uint64_t{1} << bits);
            check_sorted(keys);
            std::sort(keys.begin(), keys.end());
            check_sorted(keys);
            std::reverse(keys.begin(), keys.end());
            check_sorted(keys);
        }
}

TEST_CASE("any single bit decides the order") {
    for (unsigned bit = 0; bit < 64; ++bit) {
        std::vector<uint64_t> keys(100);
        for (size_t i = 0; i < keys.size(); ++i) keys[i] = uint64_t{i % 2 == 0} << bit;
        check_sorted(keys);
    }
}

TEST_CASE("scratch memory is used only if many elements are out of order") {
    struct Case {
        const char* what;
        std::vector<uint64_t> keys;
        bool takes_room;
    };
    std::vector<uint64_t> ascending(100), equal(100, 7), few(10);
    for (size_t i = 0; i < ascending.size(); ++i) ascending[i] = i;
    for (size_t i = 0; i < few.size(); ++i) few[i] = few.size() - i;
    const std::vector<uint64_t> descending(ascending.rbegin(), ascending.rend());
    const Case cases[] = {
        {"in order", ascending, false},
        {"all the same", equal, false},
        {"a few out of order", few, false},
        {"many out of order", descending, true},
    };
    for (const auto& [what, keys, takes_room] : cases) {
        CAPTURE(what);
        std::vector<uint64_t> items = keys, scratch;
        WorkCounter work;
        sort_by_key(std::span(items), scratch, [](uint64_t key) { return key; }, work);
        CHECK(std::is_sorted(items.begin(), items.end()));
        CHECK(scratch.size() == (takes_room ? items.size() : 0));
    }
}

}  // namespace tracelint
