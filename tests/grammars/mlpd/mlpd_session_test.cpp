// mlpd's tables and machines against plain readings of the specification, and against hostile ids.
#include "grammars/mlpd/checks/session.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>

#include "grammars/mlpd/checks/values.hpp"
#include "grammars/mlpd/lane.hpp"
#include "validator/generator/record_values.hpp"
#include "validator/tracelint.hpp"

namespace tracelint::mlpd {
namespace {

struct Number {
    uint64_t key = 0;
    uint64_t value = 0;
};

constexpr uint64_t kSeed = 0x123456789abcdef;

// The id of which the hash with kSeed is `hash`.
uint64_t id_with(uint64_t hash) {
    uint64_t inverse = kSpread;  // modulo 2^64; correct in the lowest 3 bits, and each step doubles their number
    for (int i = 0; i < 5; ++i) inverse *= 2 - kSpread * inverse;
    return hash * inverse ^ kSeed;
}
// The id of which the hash without a seed is `hash`.
uint64_t crowding_id(uint64_t hash) { return id_with(hash) ^ kSeed; }

// A session of one thread with a counter for places.
struct Recorded {
    explicit Recorded(uint16_t version, uint64_t memory = kNone)
        : context({}, {.memory = memory}), findings(context.report), session(context, findings, version) {
        session.begin_buffer(7, event());
    }
    Spot event() {
        at += 10;
        return {at, 10, at / 10, &kGcEvent};
    }
    void gc(std::initializer_list<uint64_t> codes, uint64_t generation) {
        for (const uint64_t code : codes) {
            const Spot now = event();
            session.gc_event(code, generation, now.place(), now);
        }
    }
    uint64_t count(const Rule& rule) { return context.report.count(rule); }
    uint64_t count(std::string_view rule) { return count(*find_rule(rule)); }

    ValidationContext context;
    Findings findings;
    Session session;
    uint64_t at = 0;
};

// Takes all the memory that is left, for as long as it lives.
class Drought {
  public:
    explicit Drought(Budget& budget) : budget_(budget) {
        for (uint64_t part = uint64_t{1} << 63; part != 0; part /= 2)
            if (budget_.take(part)) taken_ += part;
    }
    Drought(const Drought&) = delete;
    Drought& operator=(const Drought&) = delete;
    ~Drought() { budget_.give_back(taken_); }

  private:
    Budget& budget_;
    uint64_t taken_ = 0;
};

}  // namespace

TEST_CASE("an id table finds what was put in, in the same order, whatever the ids") {
    REQUIRE(spread(crowding_id(12345)) == 12345);
    REQUIRE(spread(id_with(12345) ^ kSeed) == 12345);
    constexpr uint64_t (*kChoices[])(uint64_t) = {
        [](uint64_t i) { return i * 8; },
        crowding_id,
        [](uint64_t i) { return i < 100 ? crowding_id(i) : id_with(i); },
    };
    for (const auto id : kChoices) {
        CAPTURE(id(100));
        Budget budget(kNone);
        WorkCounter work;
        IdTable<Number> table(budget, work, kSeed);
        constexpr uint64_t kIds = 20'000;
        for (uint64_t i = 0; i < kIds; ++i) {
            Number* number = table.find_or_insert(id(i));
            REQUIRE(number != nullptr);
            number->value = i;
        }
        CHECK(table.size() == kIds);
        CHECK(work.total() <= 12 * kIds);
        for (uint64_t i = 0; i < kIds; ++i) {
            const Number* number = table.find(id(i));
            REQUIRE(number != nullptr);
            CHECK(number->value == i);
            CHECK(table.at(static_cast<uint32_t>(i)).value == i);
        }
        CHECK(table.find(id(kIds)) == nullptr);
        table.clear();
        CHECK(budget.allows(kNone));
    }
}

#ifdef TRACELINT_AGREEMENT  // else work is not counted
TEST_CASE("ids that share a slot share none once there are many of them") {
    constexpr uint64_t kIds = 20'000;
    const auto work_for = [](uint64_t (*id)(uint64_t)) {
        Budget budget(kNone);
        WorkCounter work;
        IdTable<Number> table(budget, work, kSeed);
        for (uint64_t i = 0; i < kIds; ++i) REQUIRE(table.find_or_insert(id(i)) != nullptr);
        return work.total();
    };
    const uint64_t at_equal_distances = work_for([](uint64_t i) { return i * 8; });
    CHECK(at_equal_distances >= kIds);
    CHECK(work_for(crowding_id) < at_equal_distances + at_equal_distances / 4);
}
#endif

TEST_CASE("an id table ends its entries and gives their memory back, when it is cleared and when it ends") {
    struct Held {
        uint64_t key = 0;
        std::shared_ptr<int> token;
    };
    const auto token = std::make_shared<int>(0);
    Budget budget(kNone);
    {
        WorkCounter work;
        IdTable<Held> table(budget, work);
        for (int round = 0; round < 2; ++round) {
            if (round > 0) table.clear();
            CHECK(token.use_count() == 1);
            CHECK(budget.allows(kNone));
            CHECK(table.size() == 0);
            CHECK(table.find(5) == nullptr);
            for (uint64_t id = 0; id < 100; ++id) REQUIRE(table.find_or_insert(id, token) != nullptr);
            CHECK(token.use_count() == 101);
            CHECK(table.size() == 100);
        }
    }
    CHECK(token.use_count() == 1);
    CHECK(budget.allows(kNone));
}

TEST_CASE("an id table finds what it has taken, though it has no memory for ids that crowd") {
    for (uint64_t memory = 1024; memory < 16'384; memory += 64) {
        CAPTURE(memory);
        Budget budget(memory);
        WorkCounter work;
        IdTable<Number> table(budget, work, kSeed);
        uint64_t id = 0;
        const auto next = [&] { return id < 50 ? crowding_id(id) : id_with(id); };
        for (; table.find_or_insert(next()) != nullptr; ++id) REQUIRE(table.find(next()) != nullptr);
        CHECK(id >= 16);
        CHECK(id * sizeof(Number) < memory);
    }
}

TEST_CASE("a plan is made once") {
    Plans plans(17);
    const Plan* const plan = &plans.of(kEnter);
    CHECK(plan != &plans.of(kLeave));
    CHECK(plan == &plans.of(kEnter));
}

TEST_CASE("an id table grows no further than the budget") {
    Budget budget(4096);
    WorkCounter work;
    IdTable<Number> table(budget, work);
    uint64_t id = 0;
    while (table.find_or_insert(id) != nullptr) ++id;
    CHECK(id > 50);
    CHECK(id * sizeof(Number) < 4096);
}

TEST_CASE("a collection is in order as section 4.3 has it, and with any two of its steps exchanged it is not") {
    struct Cycle {
        uint16_t version;
        std::vector<uint64_t> codes;
    };
    for (const Cycle& cycle : {Cycle{17, {6, 10, 7, 0, 5, 8, 9, 11}}, Cycle{12, {6, 7, 0, 1, 5, 8, 9}},
                               Cycle{13, {6, 10, 7, 0, 2, 5, 8, 9, 11}}}) {
        CAPTURE(cycle.version);
        const auto findings = [&](const std::vector<uint64_t>& codes) {
            Recorded recorded(cycle.version);
            for (int i = 0; i < 2; ++i)
                for (const uint64_t code : codes) recorded.gc({code}, 1);
            recorded.session.finish();
            return recorded.count(kGcEventOrder);
        };
        CHECK(findings(cycle.codes) == 0);
        for (size_t i = 1; i < cycle.codes.size(); ++i) {
            std::vector<uint64_t> exchanged = cycle.codes;
            std::swap(exchanged[i - 1], exchanged[i]);
            CAPTURE(i);
            CHECK(findings(exchanged) > 0);
        }
    }
}

TEST_CASE("START and END outside of a collection are in order while no generation but 0 was seen") {
    Recorded boehm(17);
    boehm.gc({0, 6, 10, 7, 8, 9, 11, 5}, 0);
    CHECK(boehm.count(kGcEventOrder) == 0);
    boehm.gc({0}, 1);
    CHECK(boehm.count(kGcEventOrder) == 1);
}

TEST_CASE("a class or vtable that is used after its image, domain or class is gone is said once for each load") {
    Recorded recorded(17);
    const auto sync = [&] { recorded.session.sync_point(0, recorded.at, recorded.event()); };
    const auto use = [&] {
        if (!recorded.session.step_alloc(100)) recorded.session.alloc(100, recorded.event());
    };
    const auto load = [&] {
        recorded.session.metadata({.kind = Kind::image, .x = 2, .pointer = 1}, recorded.event());
        recorded.session.metadata({.kind = Kind::klass, .x = 2, .has_owner = true, .pointer = 10, .owner = 1},
                                  recorded.event());
        recorded.session.metadata(
            {.kind = Kind::vtable, .x = 2, .has_owner = true, .pointer = 100, .owner = 0, .klass = 10},
            recorded.event());
    };
    for (uint64_t round = 1; round <= 3; ++round) {
        load();
        use();
        sync();
        use();
        recorded.session.metadata({.kind = Kind::image, .x = 4, .pointer = 1}, recorded.event());
        use();
        CHECK(recorded.count("mlpd/use-after-unload") == round - 1);
        sync();
        use();
        use();
        CHECK(recorded.count("mlpd/use-after-unload") == round);
    }
    recorded.session.finish();
    CHECK(recorded.count(kDuplicateLoad) == 2);  // of the vtable: its domain lives on
    CHECK(recorded.context.report.count(Severity::warning) == 0);
}

TEST_CASE("delayed entries are not lost, and the delay changes nothing") {
    for (const uint64_t count : {1u, 15u, 16u, 17u, 100u}) {
        CAPTURE(count);
        Recorded recorded(17);
        for (uint64_t i = 1; i <= count; ++i) recorded.session.use(2 * i, recorded.event().place());
        for (uint64_t i = 1; i <= count; ++i) recorded.session.use(2 * i, recorded.event().place());
        for (uint64_t i = 1; i <= count; i += 2) recorded.session.jit(2 * i, recorded.event());
        recorded.session.end_buffer();
        CHECK(recorded.count("mlpd/method-defined-after-use") == (count + 1) / 2);

        recorded.session.heap_start(recorded.event());
        for (uint64_t i = 1; i <= count; ++i) {
            recorded.session.heap_reference(2 * i, recorded.event().place());      // listed next
            recorded.session.heap_reference(2 * i + 1, recorded.event().place());  // never listed
            recorded.session.heap_object(2 * i, 1, 24, recorded.event());
        }
        for (uint64_t i = 1; i <= count; ++i) recorded.session.heap_object(2 * i, 1, 24, recorded.event());
        recorded.session.heap_object(2, 1, 0, recorded.event());
        CHECK(recorded.count("mlpd/heap-object-duplicate") == count);
        CHECK(recorded.count("mlpd/heap-object-continuation-unknown") == 0);
        recorded.session.heap_end(recorded.event());
        CHECK(recorded.count("mlpd/heap-ref-dangling") == count);
        recorded.session.finish();
        CHECK(recorded.count("mlpd/undefined-method") == count / 2);
    }
}

TEST_CASE("the first use of a method is the one that is named, however many others came between") {
    Recorded recorded(17);
    recorded.session.use(2, recorded.event().place());
    const uint64_t first = recorded.at;
    constexpr uint64_t kOthers = 200'000;  // more than are known to be settled at a time
    for (uint64_t i = 2; i < kOthers; ++i) recorded.session.use(2 * i, recorded.event().place());
    recorded.session.use(2, recorded.event().place());
    recorded.session.jit(2, recorded.event());
    recorded.session.end_buffer();
    recorded.context.report.finish();
    REQUIRE(recorded.context.report.diagnostics().size() == 1);
    CHECK(recorded.context.report.diagnostics()[0].place.offset == first);
}

TEST_CASE("a place that was remembered comes out as it was") {
    PlaceKinds kinds;
    const Field* field = kFrame.find("method");
    const std::vector<Place> places = {
        {10, 3, &kEnter, nullptr, nullptr, 1, kNone},
        {20, 4, &kLeave, nullptr, nullptr, 2, kNone},
        {30, 1, &kFrame, field, kAllocBacktrace.find("backtrace"), 3, 5},
        {40, 2, &kFrame, field, kThrowBacktrace.find("backtrace"), 4, 6},
        {50, 2, &kFrame, nullptr, kThrowBacktrace.find("backtrace"), 5, 7},
        {60, 255, &kEnter, nullptr, nullptr, 6, kNone},
    };
    std::vector<ShortPlace> remembered;
    for (const Place& place : places) remembered.push_back(kinds.packed(place));
    for (size_t i = 0; i < places.size(); ++i) {
        CAPTURE(i);
        const Place place = kinds.place(remembered[i]);
        CHECK(remembered[i].is_set());
        CHECK(place.offset == places[i].offset);
        CHECK(place.length == places[i].length);
        CHECK(place.record == places[i].record);
        CHECK(place.field == places[i].field);
        CHECK(place.list == places[i].list);
        CHECK(place.record_index == places[i].record_index);
        CHECK(place.element == places[i].element);
    }
}

TEST_CASE("a text in pieces is judged as it is in one") {
    const std::string texts[] = {"plain",
                                 "\xc3\xa9t\xc3\xa9",
                                 "\xe2\x82\xac \xef\xbf\xbd",
                                 "\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf",
                                 "\xe0\xa4",
                                 "\xe0\xa4\x85",
                                 "a\xf0\x9f\x98",
                                 "\xc3(",
                                 "ab\x80\x80\x80\x80\x80",
                                 "\xf0\x9f\x98\x80\x80",
                                 "\xed\xa0\x80",
                                 "\xc0\x80",
                                 "x\xff\xc3\xa9"};
    const auto bytes_of = [](std::string_view text) {
        return Bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size());
    };
    for (const std::string& text : texts) {
        CAPTURE(text);
        TextJudge whole;
        CHECK(whole.take(bytes_of(text), true) == text.size());
        CHECK(whole.ill_formed() == scan_text(bytes_of(text)).ill_formed);
        for (size_t first = 0; first <= text.size(); ++first)
            for (size_t second = first; second <= text.size(); ++second) {
                CAPTURE(first);
                CAPTURE(second);
                TextJudge judge;
                size_t done = 0;
                for (const size_t end : {first, second}) {
                    const size_t taken = judge.take(bytes_of(text).subspan(done, end - done), false);
                    CHECK(end - done - taken <= 3);
                    done += taken;
                }
                // Only bytes that may continue a character are held back.
                if (text == "plain" || (second == text.size() && whole.ill_formed() == kNone)) CHECK(done == second);
                CHECK(judge.take(bytes_of(text).subspan(done), true) == text.size() - done);
                CHECK(judge.ill_formed() == whole.ill_formed());
            }
    }
}

TEST_CASE("when the memory is spent, each kind of tracking stops with one note and nothing is made up") {
    for (const uint64_t memory : {uint64_t{0}, uint64_t{500}, uint64_t{3000}, uint64_t{10'000}}) {
        CAPTURE(memory);
        Recorded recorded(17, memory);
        for (uint64_t i = 1; i <= 500; ++i) {
            recorded.session.jit(i, recorded.event());
            recorded.session.enter(i, recorded.event());
            recorded.session.metadata({.kind = Kind::image, .x = 2, .pointer = i}, recorded.event());
            recorded.session.handle_created(2, i, recorded.event());
            recorded.session.root_registered(i, recorded.event());
            recorded.session.counter_described(i, 0, recorded.event().place());
        }
        for (uint64_t i = 500; i > 0; --i) {
            recorded.session.leave(i, false, recorded.event());
            recorded.session.handle_destroyed(2, i, recorded.event());
            recorded.session.root_unregistered(i, recorded.event());
            recorded.session.counter_sampled(i, recorded.event().place());
        }
        recorded.session.finish();
        CHECK(recorded.context.limit_hit);
        CHECK(recorded.count(kTrackingLimit) > 0);
        CHECK(recorded.count(kTrackingLimit) <= static_cast<uint64_t>(Tracking::count_));
        CHECK(recorded.context.report.count(Severity::note) == recorded.count(kTrackingLimit));
        CHECK(recorded.context.report.count(Severity::warning) == 0);
    }
}

TEST_CASE("what stops for want of memory stays stopped when there is memory again, and says one thing") {
    struct Tracked {
        const char* name;
        void (*with)(Recorded&);
        void (*without)(Recorded&);
        void (*again)(Recorded&);
    };
    const Tracked kinds[] = {
        {"counters", [](Recorded& t) { t.session.counter_described(5, 0, t.event().place()); },
         [](Recorded& t) {
             for (uint64_t index = 6; index < 20; ++index) t.session.counter_sampled(index, t.event().place());
         },
         [](Recorded& t) {
             t.session.counter_sampled(5, t.event().place());
             t.session.counter_sample_type(5, 1, t.event().place());
             t.session.counter_sampled(20, t.event().place());
             t.session.counter_described(20, 0, t.event().place());
         }},
        {"coverage", [](Recorded& t) { t.session.coverage_statement(1, t.event()); },
         [](Recorded& t) {
             for (uint64_t id = 2; id < 20; ++id) t.session.coverage_statement(id, t.event());
         },
         [](Recorded&) {}},
        {"finalizers", [](Recorded& t) { t.session.finalize_object_start(1, t.event()); },
         [](Recorded& t) {
             for (int i = 0; i < 20; ++i) t.session.finalize_object_start(1, t.event());
         },
         [](Recorded& t) { t.session.finalize_object_end(2, t.event()); }},
        {"methods", [](Recorded& t) { t.session.jit(2, t.event()); },
         [](Recorded& t) {
             for (uint64_t method = 3; method < 20; ++method) t.session.jit(method, t.event());
         },
         [](Recorded& t) { t.session.jit(2, t.event()); }},
        {"stacks",
         [](Recorded& t) {
             for (const uint64_t method : {1u, 2u}) t.session.jit(method, t.event());
             for (const uint64_t method : {1u, 2u}) t.session.enter(method, t.event());
         },
         [](Recorded& t) { t.session.leave(1, false, t.event()); },
         [](Recorded& t) {
             t.session.leave(1, false, t.event());
             t.session.leave(1, false, t.event());
         }},
        {"loads, a use",
         [](Recorded& t) {
             t.session.metadata({.kind = Kind::image, .x = 2, .pointer = 1}, t.event());
             t.session.metadata({.kind = Kind::klass, .x = 2, .has_owner = true, .pointer = 10, .owner = 1}, t.event());
         },
         [](Recorded& t) {
             t.session.metadata({.kind = Kind::klass, .x = 2, .has_owner = true, .pointer = 11, .owner = 2}, t.event());
         },
         [](Recorded& t) { t.session.metadata({.kind = Kind::image, .x = 2, .pointer = 1}, t.event()); }},
        {"loads, a context", [](Recorded&) {},
         [](Recorded& t) {
             t.session.metadata({.kind = Kind::context, .x = 2, .has_owner = true, .pointer = 3, .owner = 0},
                                t.event());
         },
         [](Recorded& t) {
             t.session.metadata({.kind = Kind::context, .x = 4, .has_owner = true, .pointer = 3, .owner = 0},
                                t.event());
         }},
        {"loads, the domain of a vtable",
         [](Recorded& t) {
             t.session.metadata({.kind = Kind::image, .x = 2, .pointer = 1}, t.event());
             t.session.metadata({.kind = Kind::klass, .x = 2, .has_owner = true, .pointer = 10, .owner = 1}, t.event());
         },
         [](Recorded& t) {
             t.session.metadata(
                 {.kind = Kind::vtable, .x = 2, .has_owner = true, .pointer = 100, .owner = 0, .klass = 10}, t.event());
         },
         [](Recorded& t) { t.session.alloc(101, t.event()); }},
        {"loads, an unload",
         [](Recorded& t) { t.session.metadata({.kind = Kind::image, .x = 2, .pointer = 1}, t.event()); },
         [](Recorded& t) { t.session.metadata({.kind = Kind::image, .x = 4, .pointer = 1}, t.event()); },
         [](Recorded& t) { t.session.metadata({.kind = Kind::image, .x = 4, .pointer = 1}, t.event()); }},
        {"threads",
         [](Recorded& t) {
             t.session.jit(1, t.event());
             for (const uint64_t id : {1u, 2u, 3u, 4u, 5u, 6u, 8u}) t.session.begin_buffer(id, t.event());
         },
         [](Recorded& t) { t.session.begin_buffer(9, t.event()); },
         [](Recorded& t) {
             t.session.begin_buffer(10, t.event());
             t.session.leave(1, false, t.event());
             t.session.begin_buffer(2, t.event());
             t.session.monitor(2, 5, t.event());
         }},
    };
    for (const Tracked& kind : kinds) {
        CAPTURE(kind.name);
        Recorded recorded(17, kMiB);
        kind.with(recorded);
        recorded.session.end_buffer();
        CHECK(recorded.count(kTrackingLimit) == 0);
        {
            const Drought drought(recorded.context.budget);
            kind.without(recorded);
            recorded.session.end_buffer();
        }
        CHECK(recorded.count(kTrackingLimit) == 1);
        kind.again(recorded);
        recorded.session.finish();
        CHECK(recorded.context.report.count(Severity::note) == 1);
        CHECK(recorded.context.report.count(Severity::warning) == 0);
        CHECK(recorded.context.report.count(Severity::error) == 0);
    }
}

TEST_CASE("the memory of objects that are finalized goes back when they are forgotten") {
    constexpr uint64_t kMemory = 16'384;
    Recorded recorded(17, kMemory);
    for (int i = 0; i < 1000; ++i) {
        recorded.session.finalize_object_start(1, recorded.event());
        recorded.session.finalize_object_end(2, recorded.event());
    }
    CHECK(recorded.count(kFinalizerOrder) == 1000);
    CHECK(recorded.count(kTrackingLimit) == 0);
    CHECK(!recorded.context.budget.allows(kMemory));
}

}  // namespace tracelint::mlpd
