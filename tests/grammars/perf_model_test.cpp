// Parts of the models of perf that are faster than perf's own loops: they must come to the same results.
#include <doctest/doctest.h>

#include <map>
#include <string>

#include "grammars/jitdump/readers/perf_model.hpp"
#include "grammars/perfdata/readers/perf_session.hpp"
#include "validator/generator/record_values.hpp"

namespace tracelint {
namespace {

using Added = jitdump::PerfMappings::Added;

// The mappings by the addresses where they begin, each cut by the ones after it.
class PlainMappings {
  public:
    Added add(uint64_t start, uint64_t size) {
        if (size > ~start) return Added::done;
        const uint64_t end = start + size;
        std::map<uint64_t, Start> left;
        for (const auto& [from, mapping] : starts_) {
            const bool is_before = from < start;
            if (is_before && mapping.end > start && mapping.has_empty) return Added::hangs;
            if (is_before) left[from] = {std::min(mapping.end, start), mapping.has_empty};
            if (from >= end) left[from] = mapping;
        }
        for (const auto& [from, mapping] : starts_)
            if (from < end && mapping.end > end && (from >= start || mapping.end > start)) left[end].end = mapping.end;
        if (size == 0)
            left[start].has_empty = true;
        else
            left[start].end = end;
        starts_ = std::move(left);
        return Added::done;
    }

  private:
    struct Start {
        uint64_t end = 0;
        bool has_empty = false;
    };
    std::map<uint64_t, Start> starts_;
};

struct Group {
    uint64_t leader, members;
};

// What perf does: it goes through all events.
bool is_sound(const std::vector<Group>& groups, uint64_t events) {
    size_t next = 0;
    uint32_t left = 0;
    for (uint64_t event = 0; event < events; ++event) {
        if (next < groups.size() && groups[next].leader == event) {
            if (left > 0) return false;
            left = static_cast<uint32_t>(groups[next++].members - 1);
        } else if (left > 0) {
            --left;
        }
    }
    return next == groups.size() && left == 0;
}

void put(std::string& bytes, uint64_t number) {
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(number >> 8 * i);
}

// What a model of perf needs while it looks at features.
struct Environment {
    ReaderFile file;
    MemorySource source{{}};
    Window window{source};
    Budget budget{kNone};
    WorkCounter work;
    FollowContext::IsInterrupted never;
    FollowContext context{file, window, budget, work, never};
    perfdata::PerfEnvironment perf{context};
};

bool takes(Environment& environment, unsigned feature, const std::string& bytes) {
    return perfdata::take_strictly(feature, as_bytes(bytes), ByteOrder::little, false, environment.perf);
}

}  // namespace

TEST_CASE("mappings are cut and hang as perf's are") {
    uint64_t hung = 0;
    for (uint64_t seed = 0; seed < 2000; ++seed) {
        Random random(seed);
        Budget budget(kNone);
        WorkCounter work;
        jitdump::PerfMappings mappings(budget, work);
        PlainMappings plain;
        for (int i = 0; i < 30; ++i) {
            const uint64_t start = below(random, 24), size = one_in(random, 4) ? 0 : below(random, 10);
            const Added added = mappings.add(start, size);
            REQUIRE_MESSAGE(added == plain.add(start, size), "seed " << seed << ", mapping " << i);
            hung += added == Added::hangs;
            if (added == Added::hangs) break;
        }
    }
    CHECK(hung > 100);
}

TEST_CASE("groups are taken or refused as by perf, which goes through all events") {
    constexpr unsigned kGroupDesc = 17;
    uint64_t sound = 0;
    for (uint64_t seed = 0; seed < 20'000; ++seed) {
        Random random(seed);
        std::vector<Group> groups(below(random, 4));
        uint64_t next = below(random, 2);
        std::string bytes;
        put(bytes, groups.size());
        for (Group& group : groups) {
            group = {one_in(random, 8) ? below(random, 8) : next,
                     one_in(random, 8) ? below(random, 4) : 1 + below(random, 3)};
            next = group.leader + group.members;
            put(bytes, 1), bytes += '\0', put(bytes, group.leader), put(bytes, group.members);
        }
        Environment environment;
        environment.perf.events = next + below(random, 2);
        // Without groups it looks at nothing.
        const bool expected = groups.empty() || is_sound(groups, environment.perf.events);
        const bool is_long_enough = bytes.size() - 4 >= 12 * groups.size();
        REQUIRE_MESSAGE(takes(environment, kGroupDesc, bytes) == (expected && is_long_enough), "seed " << seed);
        sound += expected;
    }
    CHECK(sound > 1000);
}

TEST_CASE("a processor may be in each list of domains once") {
    constexpr unsigned kNrCpus = 7, kDomains = 32;
    Environment environment;
    std::string processors, list, twice;
    put(processors, 2), put(processors, 2);
    REQUIRE(takes(environment, kNrCpus, processors));
    for (const unsigned one : {17u, 1u, 0u, 0u, 1u, 0u}) put(list, one);
    for (const unsigned one : {17u, 1u, 1u, 0u, 1u, 0u}) put(twice, one);
    CHECK(takes(environment, kDomains, list));
    CHECK(takes(environment, kDomains, list));
    CHECK_FALSE(takes(environment, kDomains, twice));
    CHECK(takes(environment, kDomains, list));
}

}  // namespace tracelint
