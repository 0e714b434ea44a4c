// The facts that a walk records about a file, for the checks between files.
#include "validator/facts.hpp"

#include <algorithm>

namespace tracelint {
namespace {

constexpr size_t kLongestBaseName = 255;  // NAME_MAX of Linux; no file has a longer one
constexpr size_t kLongestPath = 4095;     // PATH_MAX of Linux, without the NUL
constexpr uint64_t kStepsToMark = 64;

constexpr std::string_view kDroppedNames[] = {"//anon", "[anon:", "/memfd:"};
constexpr std::string_view kKeptNames[] = {"/dev/zero", "/anon_hugepage", "/SYSV", "[heap]", "[stack"};

Mapping::Kind kind_of(std::string_view name) {
    const auto begins = [&](std::string_view start) { return name.starts_with(start); };
    if (std::ranges::any_of(kDroppedNames, begins)) return Mapping::Kind::dropped_anonymous;
    return std::ranges::any_of(kKeptNames, begins) ? Mapping::Kind::kept_anonymous : Mapping::Kind::file;
}

}  // namespace

// is_anon_memory() and is_no_dso_memory() of perf's map.c.
bool is_consulted_for_map(std::string_view name, bool is_huge) {
    constexpr std::string_view kWhole[] = {"//anon", "[heap]"};
    constexpr std::string_view kStarts[] = {"/dev/zero", "/anon_hugepage", "[stack", "/SYSV"};
    return is_huge || std::ranges::find(kWhole, name) != std::end(kWhole) ||
           std::ranges::any_of(kStarts, [&](std::string_view start) { return name.starts_with(start); });
}

bool is_anonymous_name(std::string_view name) { return kind_of(name) != Mapping::Kind::file; }

void Recording::see(uint32_t pid, uint64_t time) {
    if (time != 0) {
        first_time = std::min(first_time, time);
        last_time = std::max(last_time, time);
    }
    if (pid == last_seen_ || pid == 0 || pid == ~uint32_t{0}) return;
    last_seen_ = pid;
    if (pids_.find_or_insert({pid}) == nullptr) is_cut_ = true;
}

void Recording::add_mapping(Mapping mapping, std::string_view name) {
    mapping.kind = kind_of(name);
    mapping.is_consulted = is_consulted_for_map(name, mapping.is_huge);
    const std::string_view base = name.substr(name.rfind('/') + 1);
    mapping.name = names_.size();
    mapping.base_name_length = mapping.folder_length = 0;
    if (base.size() <= kLongestBaseName && mapping.kind == Mapping::Kind::file) {
        const std::string_view kept = base.ends_with(".dump") && name.size() <= kLongestPath ? name : base;
        if (names_.reserve(names_.size() + kept.size())) {
            for (const char c : kept) (void)names_.push_back(c);  // there is room
            mapping.base_name_length = static_cast<uint16_t>(base.size());
            mapping.folder_length = static_cast<uint16_t>(kept.size() - base.size());
        } else {
            is_cut_ = true;
        }
    }
    mappings.add(mapping);
}

void Recording::add_sample(const RecordAt& at, uint64_t time, uint64_t address, uint32_t pid) {
    if (samples.is_cut()) return;
    const size_t number = samples.size();
    constexpr uint32_t kMost = std::numeric_limits<uint32_t>::max() >> 1;
    if (number > kMost || !sample_places_.add(at)) return samples.cut();
    samples.add({.time = time, .address = address, .pid = pid, .number = static_cast<uint32_t>(number) & kMost});
}

void Recording::add_frame(uint64_t number, uint64_t address) {
    if (number >= samples.size()) return;
    Sample frame = samples[number];
    frame.address = address;
    frames.add(frame);
}

Place Recording::place_of_sample(const Sample& sample) const {
    const RecordAt at = sample_places_[sample.number];
    return place_of(at, at.is_inside ? outer_record : sample_record);
}

// A step is a number whose lowest two bits are its kind. Above them are the repetitions, or the length of the record; a
// record anywhere is followed by its offset, index and whether it is inside of another.
bool RecordPlaces::add(const RecordAt& at) {
    const bool any = size_ != 0;
    const Step step = any && !at.is_inside && at == next_behind(last_, last_.length) ? Step::again
                      : any && at == last_                                           ? Step::same_place
                      : any && at == next_behind(last_, at.length)                   ? Step::behind
                                                                                     : Step::anywhere;
    const bool is_repeated = step == Step::again || step == Step::same_place;
    if (repeats_ != 0 && step != repeated_ && !write_repeated()) return false;
    if (is_repeated) {
        if (repeats_ == 0) before_repeats_ = last_;
        repeated_ = step;
        ++repeats_;
    } else {
        constexpr size_t kMost = 4 * 10;  // bytes of the numbers of a step
        if (!mark(last_, size_) || !steps_.reserve(steps_.size() + kMost)) return false;
        write(uint64_t{at.length} << 2 | static_cast<uint64_t>(step));
        if (step == Step::anywhere) {
            write(at.offset);
            write(at.index);
            write(at.is_inside ? 1 : 0);
        }
    }
    last_ = at;
    ++size_;
    return true;
}

bool RecordPlaces::write_repeated() {
    if (!mark(before_repeats_, size_ - repeats_) || !steps_.reserve(steps_.size() + 10)) return false;
    write(repeats_ << 2 | static_cast<uint64_t>(repeated_));
    repeats_ = 0;
    return true;
}

bool RecordPlaces::mark(const RecordAt& before, uint64_t number) {
    if (steps_written_ % kStepsToMark == 0 && !marks_.push_back({before, number, steps_.size()})) return false;
    ++steps_written_;
    return true;
}

void RecordPlaces::write(uint64_t value) {
    for (; value >= 0x80; value >>= 7) (void)steps_.push_back(static_cast<uint8_t>(value | 0x80));  // there is room
    (void)steps_.push_back(static_cast<uint8_t>(value));
}

uint64_t RecordPlaces::read(uint64_t& position) const {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        const uint8_t byte = steps_[position++];
        value |= uint64_t{byte & 0x7fU} << shift;
        if (byte < 0x80) return value;
    }
}

RecordAt RecordPlaces::operator[](uint64_t number) const {
    const auto moved = [](RecordAt at, Step step, uint64_t times) {
        if (step == Step::same_place) return at;
        return RecordAt{at.offset + times * at.length, at.index + times, at.length, false};
    };
    const uint64_t written = size_ - repeats_;
    if (number >= written) return moved(before_repeats_, repeated_, number - written + 1);
    const auto after = std::ranges::upper_bound(marks_, number, {}, &Mark::number);
    const Mark& mark = *(after - 1);
    RecordAt at = mark.at;
    for (uint64_t next = mark.number, position = mark.position;;) {
        const uint64_t value = read(position), above = value >> 2;
        const auto step = static_cast<Step>(value & 3);
        if (step == Step::again || step == Step::same_place) {
            if (number < next + above) return moved(at, step, number - next + 1);
            at = moved(at, step, above);
            next += above;
            continue;
        }
        const auto length = static_cast<uint32_t>(above);
        if (step == Step::behind) {
            at = next_behind(at, length);
        } else {
            at.offset = read(position);
            at.index = read(position);
            at = {at.offset, at.index, length, read(position) != 0};
        }
        if (next++ == number) return at;
    }
}

void Facts::lose(FactParts parts) {
    const auto cuts = [&](FactParts part, auto&... tables) {
        if ((parts & part) != 0) (tables.cut(), ...);
    };
    cuts(kEventsPart, recording.events);
    cuts(kMappingsPart, recording.mappings);
    cuts(kProcessesPart, recording);
    cuts(kLivesPart, recording.births, recording.deaths);
    cuts(kSamplesPart, recording.samples, recording.frames);
    cuts(kFunctionsPart, dump.functions);
    cuts(kRangesPart, map.ranges);
    is_kind_lost_ |= (parts & kKindPart) != 0;
}

FactParts Facts::missing() const {
    FactParts missing = 0;
    const auto add = [&](FactParts part, bool is_missing) {
        if (is_missing) missing |= part;
    };
    add(kKindPart, is_kind_lost_);
    add(kEventsPart, recording.events.is_cut());
    add(kMappingsPart, recording.mappings.is_cut() || recording.is_cut());
    add(kProcessesPart, recording.is_cut());
    add(kLivesPart, recording.births.is_cut() || recording.deaths.is_cut());
    add(kSamplesPart, recording.samples.is_cut());
    add(kFunctionsPart, dump.functions.is_cut());
    add(kRangesPart, map.ranges.is_cut());
    add(kUnreadPart, recording.is_blind);
    return missing;
}

}  // namespace tracelint
