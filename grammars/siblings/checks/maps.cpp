// Images that perf inject added to a recording, and perf maps.
#include <algorithm>
#include <tuple>
#include <utility>

#include "grammars/siblings/checks/rules.hpp"
#include "grammars/siblings/checks/sweep.hpp"

namespace tracelint::siblings {

// What perf inject added to a recording (section 4.4).

constexpr Rule kAlreadyInjected{
    .id = "siblings/already-injected",
    .severity = Severity::note,
    .statement = "a recording that belongs to a dump may hold the functions of the dump",
    .message = "perf inject --jit has added the functions of the dump; this is the first of {0 image|images}",
    .why = "nothing to do: perf report shows their names as long as the images stay where they are",
    .spec = "4.4 After perf inject",
    .since = "0.2.0",
    .needs = kTimeNeeds,
};

constexpr Rule kInjectedIncomplete{
    .id = "siblings/injected-incomplete",
    .severity = Severity::warning,
    .statement = "perf inject --jit has added all functions of the dump",
    .message = "{0} of {1 function|functions} have no image in the recording; this is the first",
    .why =
        "perf inject ran while the process was still writing, or with an older dump: these functions stay "
        "[unknown]. Run it again on the original recording",
    .spec = "4.4 After perf inject",
    .since = "0.2.0",
    .needs = kTimeNeeds | kUnreadPart,
};

constexpr Rule kInjectedRange{
    .id = "siblings/injected-range",
    .severity = Severity::error,
    .statement = "an image covers the code of its function",
    .message = "the image of function {0} begins at {1x}; its code begins at {2x} and takes {3 byte|bytes}",
    .why = "the images are from another run: perf report shows names of functions that are elsewhere",
    .spec = "4.4 After perf inject",
    .since = "0.2.0",
    .needs = kTimeNeeds | kUnreadPart,
};

namespace {

using Key = std::tuple<uint64_t, uint64_t>;
Key key_of(const Image& image) { return {image.pid, image.index}; }

// already-injected.
void report_images(const Pair& pair) {
    const InjectedImages images = images_of(pair.recording, pair.tables);
    if (images.count == 0) return;
    const Mapping& first = pair.recording.mapping(images.first);
    pair.check.add<kAlreadyInjected>(pair.recording.member, pair.member, place_of(first.at, first.record),
                                     {images.count});
}

// injected-incomplete.
void check_completeness(Pair& pair) {
    const std::span<const Image> images = pair.recording.images();
    uint64_t missing = 0, all = 0;
    const CodeFunction* first = nullptr;
    for (const CodeFunction& function : pair.dump.functions) {
        if (function.size == 0) continue;
        ++all;
        if (std::ranges::binary_search(images, Key(function.pid, function.index), {}, key_of)) continue;
        ++missing;
        if (first == nullptr) first = &function;
    }
    if (missing == 0) return;
    if (pair.check.add<kInjectedIncomplete>(pair.member, pair.recording.member,
                                            pair.place(*first, pair.dump.function_index), {missing, all}))
        pair.advise(Step::inject_original);
}

// An image that does not cover its function; null if none was found so far.
struct Wrong {
    const Image* image = nullptr;
    const CodeFunction* function = nullptr;
};

// The first wrong image of a function in the file, if it is before `wrong`.
void compare(const RecordingTables& recording, const CodeFunction& function, std::span<const Image> images,
             Wrong& wrong) {
    for (const Image& image : images) {
        const Mapping& mapping = recording.mapping(image.mapping);
        if (mapping.start == function.start && mapping.length >= function.size) continue;
        if (wrong.image == nullptr || image.mapping < wrong.image->mapping) wrong = {&image, &function};
    }
}

// injected-range. If several functions have the same number, the last one wins.
void check_ranges(Pair& pair) {
    const auto& functions = pair.dump.functions;
    const auto key = [&](uint64_t number) { return Key(functions[number].pid, functions[number].index); };
    if (!pair.tables.sort_by_index())
        return report_limit(pair.check, pair.member, pair.recording.member, pair.dump.magic,
                            "memory limit: siblings/injected-range was not checked");
    const std::span<const uint64_t> numbers = pair.tables.by_index();
    Wrong wrong;
    for (size_t i = 0; i < numbers.size(); ++i) {
        if (i + 1 < numbers.size() && key(numbers[i + 1]) == key(numbers[i])) continue;
        const auto images = std::ranges::equal_range(pair.recording.images(), key(numbers[i]), {}, key_of);
        if (!pair.afford(images.size())) return;
        compare(pair.recording, functions[numbers[i]], {images.begin(), images.end()}, wrong);
    }
    if (wrong.image == nullptr) return;
    const Mapping& mapping = pair.recording.mapping(wrong.image->mapping);
    const CodeFunction& expected = *wrong.function;
    if (pair.check.add<kInjectedRange>(pair.recording.member, pair.member, place_of(mapping.at, mapping.record),
                                       {wrong.image->index, mapping.start, expected.start, expected.size},
                                       pair.related(expected)))
        pair.advise(Step::inject_original);
}

}  // namespace

void check_images(Pair& pair) {
    if (!pair.is_injected || pair.is_done) return;
    report_images(pair);
    pair.advise(Step::is_injected);
    const uint64_t functions = pair.dump.functions.size(), images = pair.recording.images().size();
    if (!pair.can_check(kInjectedIncomplete) || !pair.afford(functions * (2 + 2 * levels_of(images)))) return;
    check_completeness(pair);
    check_ranges(pair);
}

// A perf map with a recording, and with a dump (section 4.5).

constexpr Rule kMapPidUnknown{
    .id = "siblings/map-pid-unknown",
    .severity = Severity::warning,
    .statement = "the process in the name of a perf map occurs in the recording",
    .message = "process {0}, after which the map is named, does not occur in the recording",
    .why =
        "perf and samply look for the map of each recorded process by its number, so they never open this one. The "
        "number is that of a pid namespace (a container), or the map is from another run",
    .spec = "4.5 Perf maps",
    .since = "0.2.0",
    .needs = kKindPart | kProcessesPart | kUnreadPart,
};

constexpr Rule kMapResolvesNothing{
    .id = "siblings/map-resolves-nothing",
    .severity = Severity::warning,
    .statement = "samples in anonymous executable memory are in ranges of the perf map",
    .message = "{0} of {1 sample|samples} of process {2} in anonymous executable memory are in no range of the map",
    .why =
        "they stay [unknown]: the map is from before an exec or from an earlier process, its writer started late, or "
        "it was written once, after code had been freed: let the runtime write it as it runs",
    .spec = "4.5 Perf maps",
    .since = "0.2.0",
    .needs = kKindPart | kMappingsPart | kProcessesPart | kSamplesPart | kRangesPart,
};

constexpr Rule kMapNotConsulted{
    .id = "siblings/map-not-consulted",
    .severity = Severity::error,
    .statement = "perf uses the perf map for the memory that holds the functions",
    .message =
        "{0} of {1 sample|samples} in functions of the map are in memory named /memfd:... or [anon:..., for which perf "
        "reads no perf map",
    .why =
        "perf report shows addresses for them, wherever the map is; samply reads it. perf uses a map only for memory "
        "named //anon, /dev/zero, /anon_hugepage, /SYSV, [heap] and [stack]. .NET maps its code from a memfd unless "
        "DOTNET_EnableWriteXorExecute is 0; with DOTNET_PerfMapEnabled=2 it writes a dump for perf inject",
    .spec = "4.5 Perf maps",
    .since = "0.2.0",
    .needs = kKindPart | kMappingsPart | kProcessesPart | kSamplesPart | kRangesPart,
};

constexpr Rule kMapAndDump{
    .id = "siblings/map-and-dump",
    .severity = Severity::note,
    .statement = "a process writes a dump or a perf map, not both",
    .message = "process {0} also wrote a perf map",
    .why =
        "perf report uses the names of the map before perf inject has run, and those of the dump's images afterwards",
    .spec = "4.5 Perf maps",
    .since = "0.2.0",
    .needs = kKindPart,
};

namespace {

constexpr Place kWholeMap{};

// Whether an address, which rises from call to call, is in a range.
class RangesByStart {
  public:
    explicit RangesByStart(const FactTable<CodeRange>& by_start) : by_start_(by_start) {}

    bool have(uint64_t address) {
        for (; next_ < by_start_.size() && by_start_[next_].start <= address; ++next_)
            last_ = std::max(last_, by_start_[next_].last);
        return next_ != 0 && last_ >= address;
    }

  private:
    const FactTable<CodeRange>& by_start_;
    size_t next_ = 0;
    uint64_t last_ = 0;
};

// False: the budget does not allow for it.
bool tally_of(const RecordingTables& recording, uint32_t pid, const FactTable<CodeRange>& by_start, GroupCheck& check,
              MapTally& tally) {
    Chained chained(check.budget, !recording.facts.frames.empty());
    AnonymousMemory anonymous(recording, pid, check.work), of_frames(recording, pid, check.work);
    RangesByStart ranges(by_start), ranges_of_frames(by_start);
    const auto order = [](const Mapping& one) { return std::pair(one.at.offset, one.at.index); };
    for (const Sample& sample : recording.samples_of(pid)) {
        const Mapping* const memory = anonymous.at(sample.address);
        const bool is_hit = ranges.have(sample.address);
        if (memory == nullptr) continue;
        ++(is_hit ? tally.hits : tally.misses);
        if (!is_hit) continue;
        if (!chained.note(sample, false)) return false;
        if (memory->is_consulted) continue;
        ++tally.not_consulted;
        if (tally.memory == nullptr || order(*memory) < order(*tally.memory)) tally.memory = memory;
    }
    for (const Sample& frame : recording.frames_of(pid))
        if (of_frames.at(frame.address) != nullptr && ranges_of_frames.have(frame.address) &&
            !chained.note(frame, true))
            return false;
    tally.in_chains = chained.count(check.work);
    return true;
}

}  // namespace

std::optional<uint32_t> pid_of_map(const GroupMember& member) {
    const std::optional<uint64_t> number = number_in(written_name_of(member.path), "perf-", ".map");
    if (!member.facts->map.is_present || !number || *number >= ~uint32_t{0}) return std::nullopt;
    return static_cast<uint32_t>(*number);
}

std::optional<MapTally> tally_map(GroupCheck& check, RecordingTables& recording, size_t map, uint64_t& work_left) {
    FactTable<CodeRange>& ranges = check.members[map].facts->map.ranges;
    const uint32_t pid = pid_of_map(check.members[map]).value();
    const uint64_t work = 2 * ranges.size() + recording.samples_of(pid).size() + recording.frames_of(pid).size() +
                          2 * recording.mappings_of(pid).size();
    if (!check.can_check(kMapResolvesNothing, map, recording.member) || work > work_left) return std::nullopt;
    work_left -= work;
    check.work.add(work);
    if (!std::ranges::is_sorted(ranges, {}, &CodeRange::start)) {
        check.work.add(sorting_of(ranges.size()));
        std::ranges::sort(ranges, {}, &CodeRange::start);
    }
    MapTally tally;
    if (!tally_of(recording, pid, ranges, check, tally)) return std::nullopt;
    return tally;
}

namespace {

// V8 runs them in the code of its interpreter, to which the samples belong.
std::string give_code(uint64_t functions) {
    return "start node with --interpreted-frames-native-stack: " + std::to_string(functions) +
           (functions == 1 ? " function is interpreted and has" : " functions are interpreted and have") + " no code";
}

// Where perf looks for the map, and what to do about it.
std::string next_step(std::string_view recording, uint32_t pid) {
    return "keep the map as /tmp/perf-" + std::to_string(pid) + ".map, where `perf report -i " + shell_word(recording) +
           "` reads it";
}

}  // namespace

constexpr std::string_view kPassedOver =
    "let the runtime write a jitdump for perf inject (.NET: DOTNET_PerfMapEnabled=2) or map its code otherwise (.NET: "
    "DOTNET_EnableWriteXorExecute=0), or use samply, which reads the map";

void check_map(GroupCheck& check, RecordingTables& recording, size_t map, uint64_t& work_left) {
    const SymbolMap& symbols = check.members[map].facts->map;
    const std::optional<uint32_t> named = pid_of_map(check.members[map]);
    Pairing pairing{.recording = check.members[recording.member].path, .functions = symbols.ranges.size()};
    pairing.is_least = symbols.ranges.is_cut();
    if (!named) {
        pairing.remark = "its process is unknown: the map is not named perf-PID.map";
        pairing.next_step = "name it after the process, as in perf-1234.map";
    } else {
        const uint32_t pid = *named;
        pairing.processes = 1;
        pairing.pid = pid;
        pairing.forked = recording.forked_from(pid);
        pairing.samples = recording.samples_of(pid).size();
        pairing.is_least |= recording.facts.samples.is_cut();
        if (recording.is_unread()) pairing.remark = kUnread;
        const bool is_unknown =
            !recording.facts.has_seen(pid) && check.add<kMapPidUnknown>(map, recording.member, kWholeMap, {pid});
        const std::optional<MapTally> tally = tally_map(check, recording, map, work_left);
        const bool is_miss = tally && tally->misses >= 20 && tally->misses > tally->hits;
        // Of V8: nobody else's maps have such names.
        const bool is_bytecode = tally && symbols.bytecode != 0 && 2 * tally->hits < pairing.samples;
        bool is_passed_over = tally && tally->hits >= 20 && 2 * tally->not_consulted > tally->hits;
        if (!tally) {
            report_limit(check, map, recording.member, kWholeMap, "siblings/map-resolves-nothing was not checked");
        } else {
            pairing.in_functions = tally->hits - tally->not_consulted;
            pairing.in_chains = tally->in_chains;
            pairing.not_consulted = tally->not_consulted;
            if (is_passed_over)
                is_passed_over = check.add<kMapNotConsulted>(recording.member, map,
                                                             place_of(tally->memory->at, tally->memory->record),
                                                             {tally->not_consulted, tally->hits});
            if (is_miss)
                check.add<kMapResolvesNothing>(map, recording.member, kWholeMap,
                                               {tally->misses, tally->hits + tally->misses, pid});
        }
        pairing.next_step = is_unknown ? "name the map after the process as the recording has it: `perf script -F "
                                         "pid,comm` lists them"
                            : is_passed_over ? std::string(kPassedOver)
                            : is_miss        ? "record again, and keep the map that this run writes"
                            : is_bytecode    ? give_code(symbols.bytecode)
                                             : next_step(pairing.recording, pid);
    }
    keep(check, map, recording.member, std::move(pairing));
}

void report_map_and_dump(GroupCheck& check, size_t map, size_t dump) {
    const CodeDump& facts = check.members[dump].facts->dump;
    check.add<kMapAndDump>(dump, map, facts.pid_place, {facts.pid}, {0, 0});
}

constinit const RuleList kMapsRules = rules<&kAlreadyInjected, &kInjectedIncomplete, &kInjectedRange, &kMapPidUnknown,
                                            &kMapResolvesNothing, &kMapNotConsulted, &kMapAndDump>;

}  // namespace tracelint::siblings
