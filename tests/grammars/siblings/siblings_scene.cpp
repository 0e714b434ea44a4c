// A recording, a dump and perf maps of one run as facts.
#include "tests/grammars/siblings/siblings_scene.hpp"

#include <algorithm>

#include "validator/tables/text_scan.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kMappings = 0x200, kMappingSize = 0x70;
constexpr uint64_t kSamples = 0x1000, kSampleSize = 40;
constexpr uint64_t kLoads = 40, kLoadSize = 100;

}  // namespace

SiblingsScene::SiblingsScene() {
    sample(30, 0x10010, kStart + 100);
    sample(2, 0x400010, kStart + 50);
}

SiblingsScene::NamedMapping SiblingsScene::mapping(const std::string& name, uint32_t pid, uint64_t time, uint64_t start,
                                                   uint64_t length) {
    Mapping mapping;
    mapping.time = time;
    mapping.start = start;
    mapping.length = length;
    mapping.pid = pid;
    mapping.protection = 5;
    mapping.has_protection = true;
    return {name, mapping};
}

CodeFunction SiblingsScene::function(uint64_t time, uint64_t start, uint32_t size, uint64_t index, uint32_t pid) {
    return {.at = {}, .time = time, .start = start, .index = index, .size = size, .pid = pid};
}

void SiblingsScene::sample(uint64_t count, uint64_t address, uint64_t time, uint32_t pid) {
    for (uint64_t i = 0; i < count; ++i) samples.push_back({.time = time + 10 * i, .address = address, .pid = pid});
}

void SiblingsScene::fill_recording(Recording& recording) const {
    recording.is_present = true;
    for (const SampledEvent& event : events) recording.events.add(event);
    recording.conversion = conversion;
    uint64_t index = 0;
    for (NamedMapping one : mappings) {
        one.mapping.at = {kMappings + kMappingSize * index, index, kMappingSize, false};
        recording.add_mapping(one.mapping, one.name);
        recording.see(one.mapping.pid, one.mapping.time);
        ++index;
    }
    for (const LifeEvent& birth : births) recording.births.add(birth);
    for (const LifeEvent& death : deaths) recording.deaths.add(death);
    for (const LifeEvent& death : deaths) recording.see(death.pid, death.time);
    uint64_t number = 0;
    for (const Sample& one : samples) {
        recording.add_sample({kSamples + kSampleSize * number, index + number, kSampleSize, false}, one.time,
                             one.address, one.pid);
        recording.see(one.pid, one.time);
        ++number;
    }
    for (const Frame& frame : frames) recording.add_frame(frame.sample, frame.address);
    for (const uint32_t pid : pids) recording.see(pid, 0);
    recording.stream = stream;
    recording.compressed = compressed;
    recording.lost = lost;
    recording.is_blind = is_blind;
    recording.pid_of_mapping = {8, 4};
}

void SiblingsScene::fill_dump(CodeDump& dump) const {
    dump.is_present = true;
    dump.pid = header_pid;
    dump.has_counter_times = has_counter_times;
    dump.has_unwinding = has_unwinding;
    dump.magic = {0, 4};
    dump.pid_place = {20, 4};
    dump.flags = {32, 8};
    dump.function_pid = {16, 4};
    dump.function_time = {8, 8};
    dump.function_index = {48, 8};
    uint64_t index = 0;
    for (CodeFunction one : functions) {
        one.at = {kLoads + kLoadSize * index, index, kLoadSize, false};
        dump.functions.add(one);
        ++index;
    }
}

SiblingsScene::Judged SiblingsScene::judge() const {
    Budget budget(memory);
    std::vector<std::string> paths = {recording_path};
    if (has_dump) paths.push_back(dump_path);
    for (const Map& map : maps) paths.push_back(map.path);
    std::vector<std::unique_ptr<Facts>> facts;
    std::vector<Report> reports(paths.size());
    std::vector<GroupMember> members;
    for (size_t i = 0; i < paths.size(); ++i) {
        facts.push_back(std::make_unique<Facts>(budget));
        members.push_back({paths[i], facts[i].get(), &reports[i]});
    }
    fill_recording(facts[0]->recording);
    if (has_dump) fill_dump(facts[1]->dump);
    for (size_t i = 0; i < maps.size(); ++i) {
        SymbolMap& map = facts[facts.size() - maps.size() + i]->map;
        map.is_present = true;
        map.bytecode = maps[i].bytecode;
        for (const CodeRange& range : maps[i].ranges) map.ranges.add(range);
    }
    GroupCheck check(members, budget, memory);
    judge_group(check);
    Judged judged;
    judged.work = check.work.total();
    for (size_t i = 0; i < paths.size(); ++i) {
        reports[i].finish();
        for (const Diagnostic& finding : reports[i].diagnostics())
            judged.findings.push_back(std::string(to_string(severity_of(finding))) + ' ' +
                                      std::string(finding.rule->id) + ' ' + paths[i] + ' ' + hex(finding.place.offset) +
                                      '+' + std::to_string(finding.place.length) + " with " +
                                      std::string(finding.related_file));
    }
    std::ranges::sort(judged.findings);
    for (const GroupCheck::Paired& paired : check.pairings) {
        judged.pairings.push_back(paired.pairing);
        judged.pairings.back().recording = {};
    }
    return judged;
}

std::vector<std::string> SiblingsScene::findings() const { return judge().findings; }

SiblingsScene::Costs SiblingsScene::costs() const {
    uint64_t facts =
        events.size() + mappings.size() + births.size() + deaths.size() + samples.size() + functions.size();
    for (const Map& map : maps) facts += map.ranges.size();
    return {judge().work, facts};
}

std::vector<Pairing> SiblingsScene::pairings() const { return judge().pairings; }

}  // namespace tracelint
