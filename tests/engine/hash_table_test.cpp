// The hash table against std::map, and its bounds.
#include "validator/memory/hash_table.hpp"

#include <doctest/doctest.h>

#include <map>

#include "validator/generator/record_values.hpp"

namespace tracelint {
namespace {

struct Count {
    uint64_t key = 0;
    uint64_t value = 0;  // not 0 in the table
    bool is_vacant() const { return value == 0; }
};

// All keys have the same hash.
struct Crowd {
    struct Key {
        uint64_t number = 0;
        bool operator==(const Key&) const = default;
        uint64_t hash_with(uint64_t) const { return ~uint64_t{0}; }
    } key;
    bool is_there = false;
    bool is_vacant() const { return !is_there; }
};

}  // namespace

TEST_CASE("a hash table equals its model, whatever is inserted and erased") {
    for (uint64_t seed = 1; seed <= 40; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        Budget budget(kNone);
        WorkCounter work;
        HashTable<Count> table(budget, work, random());
        std::map<uint64_t, uint64_t> model;
        const auto keys = pick<uint64_t>(random, {5, 60, 4000});
        const auto inserts = pick<uint64_t>(random, {3, 5, 7});  // of 10
        for (uint64_t i = 1; i <= 3000; ++i) {
            const uint64_t key = below(random, keys) << below(random, 2) * 32;
            Count* const found = table.find(key);
            const auto known = model.find(key);
            REQUIRE((found == nullptr) == (known == model.end()));
            if (found != nullptr) REQUIRE(found->value == known->second);
            if (found == nullptr && below(random, 10) < inserts) {
                if (below(random, 2) == 0) {
                    REQUIRE(table.insert({key, i}));
                } else {
                    Count* const added = table.find_or_insert({key, 0});
                    REQUIRE(added != nullptr);
                    added->value = i;
                    REQUIRE(table.find_or_insert({key, i + 1}) == added);
                    REQUIRE(added->value == i);
                }
                model[key] = i;
            } else if (found != nullptr) {
                table.erase(found);
                model.erase(known);
            }
            REQUIRE(table.size() == model.size());
            REQUIRE(table.empty() == model.empty());
        }
        std::map<uint64_t, uint64_t> visited;
        table.for_each([&](const Count& item) { visited[item.key] = item.value; });
        CHECK(visited == model);
        table.clear();
        CHECK(table.size() == 0);
        CHECK(table.find(0) == nullptr);
        CHECK(budget.allows(kNone));
        REQUIRE(table.insert({1, 1}));
        CHECK(table.find(1) != nullptr);
    }
}

TEST_CASE("keys that share a slot are found across the end of a hash table, and when some are erased") {
    Budget budget(kNone);
    WorkCounter work;
    HashTable<Crowd> table(budget, work, 1);
    constexpr uint64_t kKeys = 50;
    for (uint64_t erased = 0; erased < kKeys; ++erased) {
        CAPTURE(erased);
        table.clear();
        for (uint64_t number = 0; number < kKeys; ++number) REQUIRE(table.insert({{number}, true}));
        table.erase(table.find({erased}));
        for (uint64_t number = 0; number < kKeys; ++number)
            REQUIRE((table.find({number}) != nullptr) == (number != erased));
    }
}

TEST_CASE("a hash table has at most five of eight slots in use, and gives its memory back") {
    constexpr uint64_t kSlots = 8 * sizeof(Count);  // what the first slots cost
    const struct {
        const char* what;
        uint64_t memory, inserts;
        bool fits;
        uint64_t left;
    } tables[] = {
        {"the first entry needs eight slots", kSlots - 1, 1, false, kSlots - 1},
        {"five fit into them", kSlots, 5, true, 0},
        {"six need twice as many, next to the first", 3 * kSlots, 6, true, kSlots},
        {"less is not enough", 3 * kSlots - 1, 6, false, 2 * kSlots - 1},
    };
    for (const auto& t : tables) {
        CAPTURE(t.what);
        Budget budget(t.memory);
        WorkCounter work;
        {
            HashTable<Count> table(budget, work);
            bool fits = true;
            for (uint64_t i = 1; i <= t.inserts && fits; ++i) fits = table.insert({i, i});
            CHECK(fits == t.fits);
            CHECK((table.find_or_insert({t.inserts, 1}) != nullptr) == t.fits);
            CHECK(budget.allows(t.left));
            CHECK_FALSE(budget.allows(t.left + 1));
            for (uint64_t i = 1; i < t.inserts; ++i) CHECK((table.find(i) != nullptr) == (t.memory >= kSlots));
        }
        CHECK(budget.allows(t.memory));
    }
}

// Numbers that collide in tables without a seed, at equal distances, or in their high or low halves only.
TEST_CASE("no choice of keys takes many probes") {
    constexpr uint64_t kKeys = 20'000;
    const struct {
        const char* what;
        uint64_t (*key)(uint64_t number);
    } choices[] = {
        {"consecutive", [](uint64_t number) { return number; }},
        {"pages", [](uint64_t number) { return number << 12; }},
        {"in the upper half", [](uint64_t number) { return number << 32; }},
        {"in the top bits", [](uint64_t number) { return number << 49; }},
        {"with the same high bits when multiplied",
         [](uint64_t number) {
             uint64_t inverse = kSpread;  // correct in the lowest 3 bits; each step doubles their number
             for (int i = 0; i < 5; ++i) inverse *= 2 - kSpread * inverse;
             return number * inverse;
         }},
    };
    for (const auto& choice : choices) {
        CAPTURE(choice.what);
        Budget budget(kNone);
        WorkCounter work;
        HashTable<Count> table(budget, work);
        for (uint64_t number = 0; number < kKeys; ++number) {
            REQUIRE(table.find(choice.key(number)) == nullptr);
            REQUIRE(table.insert({choice.key(number), 1}));
        }
        for (uint64_t number = 0; number < kKeys; ++number) REQUIRE(table.find(choice.key(number)) != nullptr);
        CHECK(work.total() <= 24 * kKeys);
    }
}

TEST_CASE("the hash of bytes depends on each of them, on their number, and on the seed") {
    const std::string text = "the quick brown fox";
    const auto hash = [](std::string_view bytes, uint64_t seed) { return seeded(as_bytes(bytes), seed); };
    CHECK(hash(text, 1) == hash(text, 1));
    CHECK(hash(text, 1) != hash(text, 2));
    CHECK(hash("", 1) != hash(std::string_view("\0", 1), 1));
    for (size_t i = 0; i < text.size(); ++i) {
        CAPTURE(i);
        std::string other = text;
        other[i] = static_cast<char>(other[i] ^ 0x80);
        CHECK(hash(other, 1) != hash(text, 1));
        CHECK(hash(std::string_view(text).substr(0, i), 1) != hash(text, 1));
    }
}

TEST_CASE("the seed of a run does not change") { CHECK(hash_seed() == hash_seed()); }

}  // namespace tracelint
