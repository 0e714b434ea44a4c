// perf.data, section 3.8: the contents of feature sections.
#include "grammars/perfdata/checks/features.hpp"

#include <charconv>
#include <cstring>

#include "grammars/perfdata/checks/records.hpp"
#include "grammars/perfdata/perfdata.hpp"

namespace tracelint::perfdata {
namespace {

constexpr Rule kFeatureUnknown{
    .id = "perfdata/feature-unknown",
    .severity = Severity::note,
    .statement = "all features are known",
    .message = "feature {0} is not known; this is the first unknown one",
    .why = "perf skips it: the file is from a newer perf",
    .spec = "3.8 Feature sections",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kFeatureTooSmall{
    .id = "perfdata/feature-too-small",
    .severity = Severity::error,
    .statement = "a feature section holds the fields of its feature",
    .message = "{text} has {0 byte|bytes}; expected {1} or more",
    .why = "perf reads the missing bytes from the next section",
    .spec = "3.8 Feature sections",
    .since = "0.2.0",
};

constexpr Rule kFeatureString{
    .id = "perfdata/feature-string",
    .severity = Severity::error,
    .statement = "the strings of a feature section are inside the section",
    .message = "{text} has {1 byte|bytes} left, but {0} or more are expected",
    .why =
        "perf continues reading in the next section; hotspot allocates what the length says and ends with "
        "std::bad_alloc",
    .spec = "3.8 Feature sections",
    .since = "0.2.0",
};

constexpr Rule kFeatureStringUnterminated{
    .id = "perfdata/feature-string-unterminated",
    .severity = Severity::error,
    .statement = "a string of a feature section ends with a NUL",
    .message = "no NUL in the {0 byte|bytes} of a string in {text}",
    .why = "perf reads past the memory of the string",
    .spec = "3.8 Feature sections",
    .since = "0.2.0",
};

constexpr Rule kEventDescBroken{
    .id = "perfdata/event-desc-broken",
    .severity = Severity::error,
    .statement = "the events of EVENT_DESC are inside the section",
    .message = "EVENT_DESC has {1 byte|bytes} left, which is too few for this count, length or entry ({0})",
    .why = "linux-perf-data, the reader of samply, allocates by the count and aborts; perf ignores the section",
    .spec = "3.8 Feature sections",
    .since = "0.2.0",
};

constexpr Rule kEventDescDiffers{
    .id = "perfdata/event-desc-differs",
    .severity = Severity::warning,
    .statement = "EVENT_DESC has the ids of the attributes",
    .message = "the ids of {0 event|events} in EVENT_DESC differ from those of {1 attribute|attributes}",
    .why = "samply uses EVENT_DESC and perf the attributes: they count samples for different events",
    .spec = "3.8 Feature sections",
    .since = "0.2.0",
};

constexpr Rule kBuildIdEntryRule{
    .id = "perfdata/build-id-entry",
    .severity = Severity::error,
    .statement = "the entries of BUILD_ID have their fields, and fill the section",
    .message = "the size of the entry is {0}; expected 37 or more, and at most the {1 byte|bytes} left in BUILD_ID",
    .why = "perf silently drops this build id and all after it, and finds no symbols for their files",
    .spec = "3.8 Feature sections",
    .since = "0.2.0",
};

constexpr Rule kBuildIdShort{
    .id = "perfdata/build-id-short",
    .severity = Severity::note,
    .statement = "build ids have 20 bytes",
    .message = "the build id has {0 byte|bytes}; this is the first such build id",
    .why =
        "legal, and what ld.lld writes without --build-id=sha1; but perf2bolt before LLVM 14 and Propeller compare 20 "
        "bytes, and do not find the program",
    .spec = "3.7 Records of perf; 3.8 Feature sections",
    .since = "0.2.0",
};

constexpr Rule kBuildIdTooLong{
    .id = "perfdata/build-id-too-long",
    .severity = Severity::error,
    .statement = "build ids have 20 bytes at most",
    .message = "the build id has {0} bytes; expected 20 or fewer",
    .why =
        "perf 6.1 prints it over its stack, and dies of SIGABRT if it has more than 28 bytes: \"stack smashing "
        "detected\"",
    .spec = "3.4 Kernel records; 3.7 Records of perf; 3.8 Feature sections",
    .since = "0.2.0",
};

constexpr Rule kSampleTimeOrder{
    .id = "perfdata/sample-time-order",
    .severity = Severity::warning,
    .statement = "the first sample is not later than the last one",
    .message = "in SAMPLE_TIME, the first sample is at {0}, the last one at {1}",
    .why = "perf script --time, with percents of the time, selects no samples",
    .spec = "3.8 Feature sections",
    .since = "0.2.0",
};

constexpr Rule kClockDataDiffers{
    .id = "perfdata/clock-data-differs",
    .severity = Severity::warning,
    .statement = "CLOCK_DATA has version 1 and the clock of the attributes",
    .message =
        "version {0} and clock {1d} in CLOCK_DATA; expected version 1 and the clock of "
        "the attributes",
    .why = "times of samples are converted to wrong times of day",
    .spec = "3.8 Feature sections",
    .since = "0.2.0",
};

constexpr Rule kStreamFeature{
    .id = "perfdata/stream-feature",
    .severity = Severity::warning,
    .statement = "a HEADER_FEATURE has a feature of its own, from 1 to 255",
    .message = "feat_id is {0}, which is not a feature, or one that an earlier HEADER_FEATURE has",
    .why = "perf stops at one that it does not know, and takes the last one of several",
    .spec = "3.7 Records of perf; 3.8 Feature sections",
    .since = "0.2.0",
};

constexpr uint64_t kFirstUnknown = std::size(kFeatureNames) + 1, kFirstSimpleperf = 128, kLastSimpleperf = 132;
constexpr uint64_t kMinBuildId = minimum_size(kBuildIdEntry);
constexpr uint64_t kBuildIdNameAt = fixed_offset(kBuildIdEntry, "filename", {});

// The least size of a section; 0: any.
constexpr uint64_t least_size_of(uint64_t feature) {
    switch (feature) {
        case kNrCpusFeature: return fixed_size(kNrCpus);
        case kTotalMemFeature: return 8;
        case kCmdlineFeature: return 4;
        case kSampleTimeFeature: return 16;
        case kClockIdFeature: return 8;
        case kCompressedFeature: return 20;
        case kClockDataFeature: return 24;
        default: return 0;
    }
}
static_assert(least_size_of(kNrCpusFeature) == 8 && least_size_of(kClockDataFeature) == minimum_size(kClockData));

bool is_text(uint64_t feature) { return section_of(feature) == &kTextFeature; }

// The three numbers that a version begins with; empty: it does not.
std::optional<Release> release_of(std::string_view version) {
    Release release{};
    const char* at = version.data();
    const char* const end = at + version.size();
    for (size_t i = 0; i < release.size(); ++i) {
        if (i != 0) {
            if (at == end || *at != '.') return std::nullopt;
            ++at;
        }
        const auto [rest, error] = std::from_chars(at, end, release[i]);
        if (error != std::errc()) return std::nullopt;
        at = rest;
    }
    return release;
}

}  // namespace

Place FeatureSection::place(uint64_t at, uint64_t length, std::string_view field) const {
    if (record != nullptr) return record->place(offset - record->offset + at, length, "section");
    const Record* const table = feature == kBuildIdFeature ? &kBuildIdEntry : section_of(feature);
    return {.offset = offset + at,
            .length = length,
            .record = table,
            .field = field.empty() ? nullptr : table->find(field)};
}

void Features::note(uint64_t feature, const Place& place) {
    seen_[feature / 64] |= uint64_t{1} << feature % 64;
    const bool is_known = feature < kFirstUnknown || (feature >= kFirstSimpleperf && feature <= kLastSimpleperf);
    if (!is_known) state_.report.add_first<kFeatureUnknown>(place, {feature});
}

bool Features::is_judged(uint64_t feature) { return section_of(feature) != &kOtherSection; }

bool Features::is_read_as_whole(uint64_t feature) {
    return is_text(feature) || feature == kBuildIdFeature || feature == kCmdlineFeature || feature == kEventDescFeature;
}

void Features::check_record(const RecordInFile& record) {
    const auto view = record.view<kHeaderFeature>();
    const uint64_t feature = view.get<"feat_id">();
    const Place place = view.place<"feat_id">();
    if (feature == 0 || feature >= kFeatureBits) return state_.report.add<kStreamFeature>(place, {feature});
    if (has(feature)) state_.report.add<kStreamFeature>(place, {feature});
    note(feature, place);
    constexpr uint64_t kStart = fixed_size(kHeaderFeature);
    check({feature, record.bytes.subspan(kStart), record.offset + kStart, &record});
}

void Features::check(const FeatureSection& section) {
    state_.context.work.add(is_read_as_whole(section.feature) ? section.bytes.size() : 1);
    if (is_text(section.feature)) return check_text(section);
    if (section.feature == kBuildIdFeature) return check_build_ids(section);
    if (section.feature == kEventDescFeature) return check_events(section);
    if (!is_large_enough(section)) return;
    switch (section.feature) {
        case kCmdlineFeature: return check_command_line(section);
        case kSampleTimeFeature: {
            const uint64_t first = number(section, 0, 8), last = number(section, 8, 8);
            if (first > last) state_.report.add<kSampleTimeOrder>(section.place(0, 16), {first, last});
            return;
        }
        case kCompressedFeature: {
            constexpr uint64_t kZstd = 1;
            if (number(section, 4, 4) != kZstd || number(section, 16, 4) == 0)
                unusable_compression_ = section.place(0, 20);
            return;
        }
        case kClockDataFeature: return check_clock(section);
        default: return;
    }
}

bool Features::is_large_enough(const FeatureSection& section) {
    const uint64_t least = least_size_of(section.feature);
    if (section.bytes.size() >= least) return true;
    state_.report.add({.rule = &kFeatureTooSmall,
                       .place = section.whole(),
                       .numbers = {section.bytes.size(), least},
                       .text = feature_name(section.feature)});
    return false;
}

void Features::report_short(const Rule& rule, const FeatureSection& section, const Place& place, uint64_t needed,
                            uint64_t left) {
    Diagnostic finding{.rule = &rule, .place = place, .numbers = {needed, left}, .text = feature_name(section.feature)};
    if (section.bytes.empty())
        finding.hint =
            "the section is empty: perf reads the bytes after it as its length, and then usually misses the later "
            "features; perf 3.14 wrote such a CPUDESC on ARM";
    state_.report.add(finding);
}

uint64_t Features::check_string_at(const FeatureSection& section, uint64_t at, const Rule& too_long) {
    const uint64_t left = section.bytes.size() - at;
    if (left < 4) {
        report_short(too_long, section, section.place(at, left), 4, left);
        return kNone;
    }
    const uint64_t length = number(section, at, 4);
    if (length > left - 4) {
        report_short(too_long, section, section.place(at, 4), length, left - 4);
        return kNone;
    }
    const Bytes text = section.bytes.subspan(at + 4, length);
    if (text.empty() || std::memchr(text.data(), 0, text.size()) == nullptr)
        state_.report.add({.rule = &kFeatureStringUnterminated,
                           .place = section.place(at + 4, length),
                           .numbers = {length},
                           .text = feature_name(section.feature)});
    return at + 4 + length;
}

void Features::check_text(const FeatureSection& section) {
    const uint64_t end = check_string_at(section, 0, kFeatureString);
    if (section.feature != kVersionFeature || end == kNone) return;
    const std::string_view text = as_text(section.bytes.subspan(4, end - 4));
    const std::string_view version = text.substr(0, text.find('\0'));
    version_place_ = section.place(4, version.size(), "text");
    version_ = release_of(version);
}

void Features::check_command_line(const FeatureSection& section) {
    const uint64_t count = number(section, 0, 4), size = section.bytes.size();
    if (count > (size - 4) / 4)
        return report_short(kFeatureString, section, section.place(0, 4, "nr"), 4 * count, size - 4);
    uint64_t at = 4;
    for (uint64_t i = 0; i < count && at != kNone; ++i) at = check_string_at(section, at, kFeatureString);
}

// In the order of section 5.4.
void Features::check_events(const FeatureSection& section) {
    const uint64_t size = section.bytes.size();
    const auto broken = [&](uint64_t at, uint64_t length, uint64_t claimed) {
        state_.report.add<kEventDescBroken>(section.place(at, length), {claimed, size - at});
    };
    constexpr uint64_t kFront = fixed_size(kEventDesc), kCounts = 8;  // the number of ids, and the length of the name
    if (size < kFront) return broken(0, size, kFront);
    const uint64_t count = number(section, 0, 4), attr_size = number(section, 4, 4);
    if (attr_size < kAttrSizes[0] || attr_size % 8 != 0) return broken(4, 4, attr_size);
    if (count > (size - kFront) / (attr_size + kCounts)) return broken(0, 4, count);
    uint64_t at = kFront;
    bool is_same = count == attrs_.size();
    for (uint64_t i = 0; i < count; ++i) {
        if (size - at < attr_size + kCounts) return broken(at, size - at, attr_size + kCounts);
        const uint64_t ids_at = at + attr_size, ids = number(section, ids_at, 4);
        const uint64_t end = check_string_at(section, ids_at + 4, kEventDescBroken);
        if (end == kNone) return;
        if (ids > (size - end) / 8) return broken(ids_at, 4, ids);
        const std::span<const uint64_t> known =
            is_same ? attrs_.ids_of(attrs_[static_cast<size_t>(i)]) : std::span<const uint64_t>();
        is_same = is_same && known.size() == ids;
        for (uint64_t id = 0; is_same && id < ids; ++id) is_same = known[id] == number(section, end + 8 * id, 8);
        at = end + 8 * ids;
    }
    if (is_same || attrs_.empty() || !attrs_.is_complete()) return;
    state_.report.add<kEventDescDiffers>(section.place(0, 4, "nr"), {count, attrs_.size()});
}

constexpr uint64_t kBuildIdBytes = 20;  // of SHA-1

// Section 3.7: before bit 15 of misc there was no size, and a build id had 20 bytes.
void check_build_id(State& state, uint16_t misc, uint64_t size, const Place& place) {
    if ((misc & kHasBuildIdSize) != 0 && size != 0 && size < kBuildIdBytes)
        state.report.add_first<kBuildIdShort>(place, {size});
}

void check_build_id_size(State& state, uint64_t size, const Place& place) {
    if (size > kBuildIdBytes) state.report.add<kBuildIdTooLong>(place, {size});
}

void Features::check_build_ids(const FeatureSection& section) {
    constexpr uint64_t kIdAt = fixed_offset(kBuildIdEntry, "build_id", {});
    constexpr uint64_t kIdSizeAt = fixed_offset(kBuildIdEntry, "build_id_size", {});
    for (uint64_t at = 0; at < section.bytes.size();) {
        const uint64_t room = section.bytes.size() - at;
        const uint64_t size = room < kPrefixSize ? 0 : number(section, at + 6, 2);
        if (size < kMinBuildId || size > room)
            return state_.report.add<kBuildIdEntryRule>(section.place(at, std::min(kPrefixSize, room)), {size, room});
        const uint64_t name = size - kBuildIdNameAt;
        check_string(state_, section.place(at + kBuildIdNameAt, name, "filename"),
                     section.bytes.subspan(at + kBuildIdNameAt, name));
        const uint64_t id_size = number(section, at + kIdSizeAt, 1);
        const auto misc = static_cast<uint16_t>(number(section, at + 4, 2));
        check_build_id(state_, misc, id_size, section.place(at + kIdAt, id_size, "build_id"));
        if ((misc & kHasBuildIdSize) != 0)
            check_build_id_size(state_, id_size, section.place(at + kIdSizeAt, 1, "build_id_size"));
        at += size;
    }
}

void Features::check_clock(const FeatureSection& section) {
    constexpr uint64_t kVersion = 1;
    const uint64_t version = number(section, 0, 4);
    const auto clock = static_cast<int32_t>(number(section, 4, 4));
    if (version != kVersion || attrs_.use_clock_other_than(clock))
        state_.report.add<kClockDataDiffers>(section.place(0, 8), {version, static_cast<uint64_t>(int64_t{clock})});
}

constinit const RuleList kFeatureRules =
    rules<&kFeatureUnknown, &kFeatureTooSmall, &kFeatureString, &kFeatureStringUnterminated, &kEventDescBroken,
          &kEventDescDiffers, &kBuildIdEntryRule, &kBuildIdShort, &kBuildIdTooLong, &kSampleTimeOrder,
          &kClockDataDiffers, &kStreamFeature>;

}  // namespace tracelint::perfdata
