// perf.data, section 5.6: which samples are in code that was generated while the program ran.
#include "grammars/perfdata/checks/generated_code.hpp"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

namespace tracelint::perfdata {
namespace {

constexpr Rule kGeneratedCodeWithoutDump{
    .id = "perfdata/generated-code-without-dump",
    .severity = Severity::note,
    .statement =
        "a process with samples in generated code maps a jitdump, or the images that perf inject built from it",
    .message =
        "{0} of {1 sample|samples} of process {2} are in generated code, and no jitdump is mapped: perf inject --jit "
        "has nothing to add",
    .why =
        "names can only come from the perf map of the process, /tmp/perf-PID.map, if the runtime writes one and perf "
        "uses it; perf ignores it for memory named [anon:...] or /memfd:... Let the runtime write a dump, and record "
        "with `perf record -k mono` from the start of the process",
    .spec = "5.6 Generated code",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

// The names of memory that belongs to no file, as the summary shows them.
constexpr std::string_view kNames[] = {"//anon",         "[anon:", "/memfd:", "/dev/zero",
                                       "/anon_hugepage", "/SYSV",  "[heap]",  "[stack"};

uint8_t name_of(std::string_view name) {
    const auto is_start = [&](std::string_view start) { return name.starts_with(start); };
    return static_cast<uint8_t>(std::ranges::find_if(kNames, is_start) - std::begin(kNames));
}

// "jit-<digits>.dump", the only names that perf takes for a dump's, and "jitted-<digits>-<digits>.so".
bool is_numbered(std::string_view name, std::string_view before, std::string_view after) {
    if (!name.starts_with(before) || !name.ends_with(after) || name.size() <= before.size() + after.size())
        return false;
    name = name.substr(before.size(), name.size() - before.size() - after.size());
    return std::ranges::all_of(name, [](char c) { return (c >= '0' && c <= '9') || c == '-'; });
}

constexpr size_t kLongestPath = 4095;                     // PATH_MAX of Linux, without the NUL
constexpr uint64_t kLeastSamples = 20, kLeastShare = 20;  // one in so many

}  // namespace

GeneratedCode::GeneratedCode(State& state)
    : state_(state),
      processes_(state.context.budget, state.context.work),
      families_(state.context.budget),
      ranges_(state.context.budget),
      texts_(state.context.budget),
      first_list_(state.context.budget),
      second_list_(state.context.budget) {}

// False: there is no memory for the first family, so nothing is followed.
bool GeneratedCode::start() {
    if (is_cut_) return false;
    if (!families_.push_back({})) lose();
    return !families_.empty();
}

uint32_t GeneratedCode::add_family(uint32_t pid) {
    if (families_.size() > ~uint32_t{0} >> 1 || !families_.push_back({.pid = pid})) {
        lose();
        return 0;
    }
    return static_cast<uint32_t>(families_.size() - 1);
}

// 0: it cannot be followed.
uint32_t GeneratedCode::family_of(uint32_t pid) {
    if (pid == last_pid_ && last_ != 0) return last_;
    if (pid == 0 || pid == ~uint32_t{0} || (families_.empty() && !start())) return 0;
    if (const Process* const known = processes_.find(pid)) return known->family;
    const uint32_t family = add_family(pid);
    if (family != 0 && !processes_.insert({pid, family})) lose();
    return family;
}

void GeneratedCode::look_up(uint32_t pid) {
    settle();
    last_ = family_of(pid);
    last_pid_ = pid;
}

GeneratedCode::Range* GeneratedCode::find(const Family& family, uint64_t address) {
    if (family.ranges == 0 || address - family.lowest > family.span) return nullptr;
    const std::span<Range> ranges = ranges_of(family);
    const auto after = std::ranges::upper_bound(ranges, address, {}, &Range::start);
    if (after == ranges.begin() || (after - 1)->last < address) return nullptr;
    return &*(after - 1);
}

// Room for a sample that waits. False: nothing more is followed.
bool GeneratedCode::make_room(uint64_t words) {
    if (families_.empty() && !start()) return false;
    while (words > room_ - filled_ && waiting_->size() < kMostBlocks) {
        const uint64_t blocks = std::max<uint64_t>(2 * waiting_->size(), kFirstBlocks);
        if (!waiting_->reserve(blocks)) break;
        while (waiting_->size() < blocks) (void)waiting_->push_back({});  // there is room
        room_ = room_of(*waiting_);
    }
    if (words > room_ - filled_) {
        take(*before_, filled_before_);
        std::swap(waiting_, before_);
        filled_before_ = std::exchange(filled_, 0);
        while (waiting_->size() < before_->size() && waiting_->push_back({})) {
        }
        room_ = room_of(*waiting_);
    }
    list_ = waiting_->empty() ? nullptr : (*waiting_)[0].words;
    if (words > room_ - filled_) lose();
    return words <= room_ - filled_;
}

// Adds up what was counted of the last process.
void GeneratedCode::settle() {
    if (!families_.empty()) families_[last_].samples += std::exchange(counted_, 0);
}

// Takes the samples that have waited, as many words. Without generated code there is nothing to look for.
void GeneratedCode::take(const Waiting& list, uint64_t end) {
    if (ranges_.empty() || list.empty()) return;
    const uint64_t* const waiting = list[0].words;
    for (uint64_t at = 0; at < end;) {
        const uint64_t head = waiting[at], frames = (head & ~kIsNumbered) >> 32;
        const bool is_numbered = (head & kIsNumbered) != 0;
        auto number = static_cast<uint32_t>(head);
        if (families_[number].joined != 0) number = families_[number].joined;
        if (Family& family = families_[number]; family.ranges != 0)
            tally(family, is_numbered ? waiting[at + kHeadWords + frames] : kNone, waiting[at + 1],
                  std::span(waiting + at + kHeadWords, frames));
        at += kHeadWords + frames + (is_numbered ? 1 : 0);
    }
}

// A sample counts once. With facts, all frames in generated code are recorded.
void GeneratedCode::tally(Family& family, uint64_t number, uint64_t address, std::span<const uint64_t> frames) {
    Range* const leaf = find(family, address);
    if (leaf != nullptr) count(family, *leaf, family.leaves);
    bool is_counted = leaf != nullptr;
    for (const uint64_t frame : frames) {
        if (is_counted && number == kNone) return;
        if (frame - family.lowest > family.span || frame == address) continue;
        Range* const range = find(family, frame);
        if (range == nullptr) continue;
        if (number != kNone) state_.context.facts->recording.add_frame(number, frame);
        if (!is_counted) count(family, *range, family.in_chains);
        is_counted = true;
    }
}

// Ranges of a family are in one block, which is copied to a larger one when it is full.
bool GeneratedCode::insert(Family& family, size_t at, const Range& range) {
    if (family.ranges == family.room) {
        const uint32_t room = std::max<uint32_t>(2 * family.room, 1);
        const size_t first = ranges_.size();
        if (room > kMostRanges || first > ~uint32_t{0} - room) return false;
        if (!ranges_.reserve(first + room)) {
            lose();
            return false;
        }
        for (uint32_t i = 0; i < room; ++i)  // there is room
            (void)ranges_.push_back(i < family.ranges ? ranges_[family.first + i] : Range{});
        family.first = static_cast<uint32_t>(first);
        family.room = room;
    }
    const auto begin = ranges_.begin() + family.first + static_cast<std::ptrdiff_t>(at);
    const auto end = ranges_.begin() + family.first + family.ranges;
    state_.context.work.add(1 + static_cast<uint64_t>(end - begin) / 8);
    std::move_backward(begin, end, end + 1);
    *begin = range;
    ++family.ranges;
    return true;
}

void GeneratedCode::erase(Family& family, size_t at, size_t count) {
    const auto begin = ranges_.begin() + family.first + static_cast<std::ptrdiff_t>(at);
    std::move(begin + static_cast<std::ptrdiff_t>(count), ranges_.begin() + family.first + family.ranges, begin);
    family.ranges -= static_cast<uint32_t>(count);
}

// Memory from `start` to `last` is mapped anew: by `by`, or by a file if that is null. Mappings of the same memory, one
// after the other, are one range.
void GeneratedCode::replace(Family& family, uint64_t start, uint64_t last, const Range* by) {
    const std::span<Range> ranges = ranges_of(family);
    size_t at = static_cast<size_t>(std::ranges::lower_bound(ranges, start, {}, &Range::last) - ranges.begin());
    size_t end = at;
    while (end < ranges.size() && ranges[end].start <= last) ++end;
    state_.context.work.add(end - at + 1);
    if (by != nullptr && end - at == 1 && ranges[at].start <= start && ranges[at].last >= last &&
        ranges[at].name == by->name)
        return;
    Range before{}, after{};
    if (at != end) {
        before = ranges[at];
        after = ranges[end - 1];
        before.last = start - 1;
        after.start = last + 1;
        if (&ranges[at] == &ranges[end - 1]) after.samples = 0;
    }
    const bool has_before = at != end && ranges[at].start < start, has_after = at != end && ranges[end - 1].last > last;
    Range whole = by == nullptr ? Range{} : *by;
    for (size_t i = at; by != nullptr && i < end; ++i)
        if (ranges[i].name == by->name && ranges[i].start >= start && ranges[i].last <= last)
            whole.samples += ranges[i].samples;
    erase(family, at, end - at);
    bool is_well = !has_before || insert(family, at++, before);
    is_well = is_well && (by == nullptr || insert(family, at++, whole));
    is_well = is_well && (!has_after || insert(family, at, after));
    is_cut_ = is_cut_ || !is_well;
    const std::span<Range> now = ranges_of(family);
    family.lowest = now.empty() ? 0 : now.front().start;
    family.span = now.empty() ? 0 : now.back().last - family.lowest;
}

void GeneratedCode::map(const RecordInFile& record, const Mapped& mapped) {
    if (mapped.length == 0) return;
    const uint32_t number = family_of(mapped.pid);
    if (number == 0) return;
    Family& family = families_[number];
    const uint64_t last = mapped.start + std::min(mapped.length - 1, ~uint64_t{0} - mapped.start);
    if (!is_anonymous_name(mapped.name)) {
        const std::string_view base = mapped.name.substr(mapped.name.rfind('/') + 1);
        family.images += is_numbered(base, "jitted-", ".so");
        if (is_numbered(base, "jit-", ".dump") && family.dumps++ == 0 && mapped.name.size() <= kLongestPath &&
            texts_.reserve(texts_.size() + mapped.name.size())) {
            family.dump = texts_.size();
            family.dump_length = static_cast<uint16_t>(mapped.name.size());
            for (const char c : mapped.name) (void)texts_.push_back(c);  // there is room
        }
        if (family.ranges != 0) replace(family, mapped.start, last, nullptr);
        return;
    }
    const RecordAt at{record.offset, record.index, static_cast<uint32_t>(record.length), record.is_inside};
    const Range range{.start = mapped.start,
                      .last = last,
                      .samples = 0,
                      .at = at,
                      .record = record.record,
                      .name = name_of(mapped.name),
                      .is_consulted = is_consulted_for_map(mapped.name, mapped.is_huge)};
    replace(family, mapped.start, last, &range);
}

void GeneratedCode::name(uint32_t pid, Bytes command) {
    const uint32_t number = family_of(pid);
    if (number == 0 || families_[number].pid != pid) return;
    Family& family = families_[number];
    const size_t most = std::min(command.size(), sizeof family.command);
    size_t length = 0;
    while (length < most && command[length] != 0) ++length;
    family.command_length = static_cast<uint8_t>(length);
    std::copy_n(command.begin(), length, family.command);
}

void GeneratedCode::exec(uint32_t pid) {
    settle();
    const uint32_t number = family_of(pid);
    // A process that has nothing of a former program stays as it is.
    const bool is_new = number != 0 && families_[number].pid == pid && families_[number].ranges == 0 &&
                        families_[number].images + families_[number].dumps == 0;
    if (number == 0 || is_new) return;
    Process* const known = processes_.find(pid);
    families_[number].forked -= families_[number].pid != pid && families_[number].forked != 0;
    if (const uint32_t family = add_family(pid); family != 0 && known != nullptr) known->family = family;
    last_pid_ = 0;
    last_ = 0;
}

void GeneratedCode::fork(uint32_t pid, uint32_t parent) {
    settle();
    const uint32_t family = family_of(parent);
    if (family == 0 || pid == 0 || pid == ~uint32_t{0} || pid == parent) return;
    Process* const child = processes_.find_or_insert({pid, family});
    if (child == nullptr) return lose();
    // Its samples may have come before.
    Family& former = families_[child->family];
    if (child->family != family && former.pid == pid && former.ranges == 0 && former.images + former.dumps == 0) {
        former.joined = family;
        families_[family].samples += std::exchange(former.samples, 0);
    }
    child->family = family;
    ++families_[family].forked;
    last_pid_ = 0;
    last_ = 0;
}

// generated-code-without-dump: once for each process.
bool GeneratedCode::is_without_dump(const Family& family) {
    const uint64_t inside = family.leaves + family.in_chains;
    return family.samples >= kLeastSamples && kLeastShare * inside >= family.samples &&
           family.images + family.dumps == 0;
}

void GeneratedCode::finish(bool is_known) {
    settle();
    take(*before_, std::exchange(filled_before_, 0));
    take(*waiting_, std::exchange(filled_, 0));
    if (is_out_of_memory_) state_.hit_limit({});
    if (!is_known || is_cut_) return;
    for (const Family& family : families_) {
        if (family.pid == 0 || !is_without_dump(family)) continue;
        state_.context.work.add(family.ranges);
        const std::span<Range> ranges = ranges_of(family);
        const Range& most = *std::ranges::max_element(ranges, {}, &Range::samples);
        state_.report.add<kGeneratedCodeWithoutDump>(place_of(most.at, most.record),
                                                     {family.leaves + family.in_chains, family.samples, family.pid});
    }
}

void GeneratedCode::sum_up(RecordingSummary& summary) const {
    constexpr size_t kMostListed = 3;
    summary.is_least |= is_cut_;
    std::vector<const Family*> listed;
    for (const Family& family : families_) {
        summary.processes += family.pid != 0 && family.samples != 0;
        const bool has_code = family.leaves + family.in_chains != 0;
        summary.with_code += has_code;
        if (!has_code && family.dumps + family.images == 0) continue;
        const auto rank = [](const Family* one) {
            return std::tuple(one->leaves + one->in_chains, one->samples, ~one->pid);
        };
        const auto place = std::ranges::upper_bound(listed, rank(&family), std::greater(), rank);
        if (place == listed.end() && listed.size() == kMostListed) continue;
        listed.insert(place, &family);
        if (listed.size() > kMostListed) listed.pop_back();
    }
    for (const Family* family : listed) {
        RecordedProcess process{.pid = family->pid,
                                .forked = family->forked,
                                .samples = family->samples,
                                .leaves = family->leaves,
                                .in_chains = family->in_chains,
                                .not_consulted = family->not_consulted,
                                .images = family->images,
                                .dumps = family->dumps};
        if (family->dump_length != 0) process.dump.assign(&texts_[family->dump], family->dump_length);
        process.command.assign(family->command, family->command_length);
        const Range* most = nullptr;
        for (uint32_t i = 0; i < family->ranges; ++i)
            if (const Range& one = ranges_[family->first + i]; most == nullptr || one.samples > most->samples)
                most = &one;
        if (most != nullptr) process.memory = kNames[most->name];
        summary.listed.push_back(std::move(process));
    }
}

constinit const RuleList kGeneratedCodeRules = rules<&kGeneratedCodeWithoutDump>;

}  // namespace tracelint::perfdata
