// Samples, counters, coverage and the rest.
#include "grammars/mlpd/generator/model_activities.hpp"

namespace tracelint::mlpd {
namespace {

constexpr uint64_t kPeriodic = 0;
constexpr uint16_t kFirstCut = 13, kLastCut = 14;  // versions that truncate units and variances to a byte

}  // namespace

void Program::sample() {
    const uint64_t frames = below(random(), 5);
    PlannedRecord& hit = plan_.event(kSampleHit).size("addresses", between(random(), 1, 3)).size("frames", frames);
    for (uint64_t i = 0; i < frames; ++i) hit.with("method", method(), i);
    plan_.make_earlier(hit);
}

void Program::name_symbol() { plan_.event(kSampleSymbol).text("name", "memcpy"); }

void Program::name_binary() { plan_.event(kSampleBinary).text("name", "/usr/lib/libc.so.6"); }

void Program::describe_counters() {
    const uint64_t count = between(random(), 1, 3);
    PlannedRecord& event = plan_.event(kCountersDescription).size("descriptors", count);
    for (uint64_t i = 0; i < count; ++i) {
        counters_.push_back({counters_.size() + 1, below(random(), std::size(kCounterTypes))});
        event.with("index", counters_.back().index, i).with("type", counters_.back().type, i);
        if (kFirstCut <= plan_.version() && plan_.version() <= kLastCut)
            event.with("unit", 0, i).with("variance", 0, i);
    }
}

void Program::sample_counters() {
    if (counters_.empty()) return describe_counters();
    const uint64_t first = below(random(), counters_.size()), count = counters_.size() - first;
    PlannedRecord& event = plan_.event(kCounters).size("samples", count + 1).with("index", 0, count);
    for (uint64_t i = 0; i < count; ++i)
        event.with("index", counters_[first + i].index, i).with("type", counters_[first + i].type, i);
    plan_.make_earlier(event);
}

// Not trampolines of monitors and methods, which some versions do not have.
void Program::make_helper() {
    const uint64_t shift = plan_.version() < 14 ? 1 : 0;
    plan_.event(kJitHelper)
        .with("type", shift + pick<uint64_t>(random(), {0, 2, 3, 4, 5, 6, 8}))
        .text("name", "helper");
}

void Program::cover() {
    const uint64_t id = ++covered_, statements = below(random(), 4);
    if (one_in(random(), 2)) plan_.event(kCoverageAssembly);
    plan_.event(kCoverageMethod).with("method_id", id).with("statement_count", statements);
    for (uint64_t i = 0; i < statements; ++i) plan_.event(kCoverageStatement).with("method_id", id);
    if (one_in(random(), 2)) plan_.event(kCoverageClass);
}

void Program::synchronise() { plan_.event(kSyncPoint).with("type", kPeriodic); }

void Program::identify_aot() { plan_.event(kAotId).text("guid", "00112233-4455-6677-8899-aabbccddeeff"); }

}  // namespace tracelint::mlpd
