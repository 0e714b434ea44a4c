// perf.data, sections 3.4 to 3.7 and 5.3: the records of the data, and of compressed data.
#include "grammars/perfdata/checks/events.hpp"

#include <algorithm>
#include <utility>

#include "grammars/perfdata/checks/features.hpp"
#include "grammars/perfdata/checks/records.hpp"
#include "grammars/perfdata/perfdata.hpp"

namespace tracelint::perfdata {
namespace {

constexpr Rule kRoundOrder{
    .id = "perfdata/round-order",
    .severity = Severity::warning,
    .statement = "no record is older than the records before the last FINISHED_ROUND but one",
    .message =
        "the time of the record is {0}, but records up to {1} were complete two FINISHED_ROUNDs ago; this is the "
        "first such record",
    .why = "perf has already emitted later records: it counts this one as out of order and finds wrong mappings",
    .spec = "3.7 Records of perf; 5.3 Rounds",
    .since = "0.2.0",
};

constexpr Rule kLostEvents{
    .id = "perfdata/lost-events",
    .severity = Severity::note,
    .statement = "no records were lost",
    .message = "{0} of {1} samples were lost ({2} %); this is the first loss",
    .why =
        "perf record could not keep up with the kernel, and mappings may also be missing: give it a larger buffer "
        "(-m), a lower frequency (-F) or smaller stacks",
    .spec = "3.4 Kernel records; 5.5 Losses",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
    .severity_override =
        SeverityOverride{
            .severity = Severity::warning, .when = "5 % or more of the samples were lost", .message = {}, .why = {}},
};

constexpr Rule kMmap2WithoutProt{
    .id = "perfdata/mmap2-without-prot",
    .severity = Severity::error,
    .statement = "an MMAP2 has prot and flags before the file name",
    .message =
        "the file name of the MMAP2 begins at 64, where prot and flags are expected; this is the first such record",
    .why =
        "perf reads the first 8 bytes of each name as prot and flags, so it finds none of the files; the kernel of "
        "RHEL 7.0 (3.10.0-123) writes such records",
    .spec = "3.4 Kernel records",
    .since = "0.2.0",
};

constexpr uint64_t kHeaderBytes = fixed_size(kPrefix);
// misc (section 3.3).
constexpr uint16_t kCpuMode = 7, kUserMode = 2, kDataMapping = 1 << 13, kByExec = 1 << 13;
constexpr uint16_t kSynthesizedFork = 1 << 13;             // the child does not have the mappings of its parent
constexpr uint64_t kExecutable = 4, kHugePages = 0x40000;  // PROT_EXEC, MAP_HUGETLB

// Whether the child of a FORK with a time has the mappings of its parent. Those that perf makes up for processes that
// are there already have a time of 0.
bool inherits(const RecordInFile& fork) {
    return (fork.misc() & kSynthesizedFork) == 0 && fork.view<kFork>().get<"time">() != 0;
}

}  // namespace

void Rounds::judge(const RecordInFile& record, uint64_t time) {
    report_.add_first<kRoundOrder>(record.place(0, kHeaderBytes), {time, limit_});
}

Classified Events::classify(const RecordInFile& record) {
    using As = Classified::As;
    const uint32_t type = record.type();
    switch (kind_of(type)) {
        case Kind::newer: return {.as = As::newer};
        case Kind::simpleperf: return {.as = As::simpleperf};
        case Kind::unknown: return {.as = As::unknown};
        case Kind::known: break;
    }
    if (!is_kernel_type(type)) {
        const uint16_t version = type == kHeaderAttrType ? kCurrent : version_of(type, record.bytes, record.order);
        const uint64_t least = least_size(type, version);
        return {.as = record.size() < least ? As::too_small : As::known, .version = version, .least = least};
    }
    if (!attrs_.has_known_layout()) return {};
    if (type == kSampleType) return classify_sample(record);
    const Attr* const attr = attrs_.of_record(record.bytes);
    const uint64_t trailer = attr == nullptr ? 0 : attr->trailer_bytes();
    // A kernel that knows of trailers writes times.
    const bool may_lack_time = attr == nullptr || !attr->is_sample_id_all;
    const bool is_task = type == kForkType || type == kExitType;
    const uint16_t version = is_task && !may_lack_time ? kCurrent : version_of(type, record.bytes, record.order);
    if (type == kMmap2Type) state_.context.work.add(record.size());  // its name was looked at
    const uint64_t least = least_size(type, version) + trailer;
    return {.as = record.size() < least ? As::too_small : As::known,
            .attr = attr,
            .version = version,
            .trailer = trailer,
            .least = least};
}

Classified Events::classify_sample(const RecordInFile& record) {
    using As = Classified::As;
    if (attrs_.empty()) return {};
    const Attr* attr = &attrs_[0];
    if (attrs_.size() > 1 && attr->id_word != kNoWord) {
        const uint64_t id_at = kHeaderBytes + 8 * uint64_t{attr->id_word};
        if (record.size() < id_at + 8) return {.as = As::too_small, .least = id_at + 8};
        attr = attrs_.of_id(record.number(id_at, 8));
        if (attr == nullptr) return {.as = As::unknown_event, .least = id_at};
    }
    const uint64_t least = kHeaderBytes + 8 * uint64_t{attr->fixed_words};
    return {.as = record.size() < least ? As::too_small : As::known, .attr = attr, .least = least};
}

void Events::check_kernel_record(const RecordInFile& record, const Classified& classified) {
    const uint32_t type = record.type();
    if (type == kSampleType) {
        count_samples(1, 1u << (record.misc() & kCpuMode));
        if (classified.attr != nullptr) check_sample(record, *classified.attr);
        return;
    }
    const bool is_mapping = type == kMmapType || type == kMmap2Type;
    mappings_ += is_mapping;
    if (type == kLostType || type == kLostSamplesType) check_lost(record);
    if (!attrs_.has_known_layout()) return;
    if (type == kMmap2Type && classified.version == kEarlier)
        state_.report.add_first<kMmap2WithoutProt>(
            record.place(fixed_offset(kMmap2, "filename", kEarlierLayout), 8, "prot"));
    if (type == kMmap2Type && classified.version != kEarlier && (record.misc() & kMappedWithBuildId) != 0)
        check_build_id_size(state_, record.number(View<kMmap2>::offset_of<"maj">(), 1),
                            record.place(View<kMmap2>::offset_of<"maj">(), 1, "maj"));
    check_contents(state_, record, classified.version, classified.trailer);
    const uint64_t end = record.size() - classified.trailer;
    const Attr* const attr = classified.attr;
    uint64_t time = 0;
    if (classified.trailer != 0 && attr->trailer_time_word != kNoWord)
        time = record.number(end + 8 * uint64_t{attr->trailer_time_word}, 8);
    rounds_.time(record, time);
    if (is_mapping)
        see_mapping(record, classified);
    else
        see_process(record, classified);
    if (state_.context.facts != nullptr) tell(record, classified, time);
}

namespace {

// The frames of a sample whose fields are in the record. Those behind the values of counters are not looked for.
GeneratedCode::Chain chain_of(const RecordInFile& record, const Attr& attr) {
    const uint64_t at = kHeaderBytes + 8 * uint64_t{attr.fixed_words};
    if (!attr.has(kCallchainBit) || attr.has(kReadBit) || record.size() < at + 8) return {};
    const uint64_t count = record.number(at, 8), room = (record.size() - at - 8) / 8;
    const uint64_t frames = std::min(count, room);
    return {record.bytes.data() + at + 8, frames, room};
}

}  // namespace

namespace {

// Whether the name of a mapping may be that of generated code or of a dump or image: by its first characters and its
// last ones. Most are those of programs and libraries.
bool may_be_of_code(std::string_view name) {
    if (name.size() < 2) return false;
    // "//anon", "/memfd:", "/dev/zero", "/anon_hugepage", "/SYSV"; "[anon:", "[heap]", "[stack"
    const std::string_view second = name[0] == '/' ? "/mdaS" : name[0] == '[' ? "ahs" : "";
    return second.find(name[1]) != std::string_view::npos || name.ends_with(".dump") || name.ends_with(".so");
}

uint64_t name_at_of_mapping(uint32_t type, bool is_earlier) {
    constexpr uint64_t kInMmap = View<kMmap>::offset_of<"filename">(), kInMmap2 = View<kMmap2>::offset_of<"filename">(),
                       kInEarlierMmap2 = fixed_offset(kMmap2, "filename", kEarlierLayout);
    return type == kMmapType ? kInMmap : is_earlier ? kInEarlierMmap2 : kInMmap2;
}

}  // namespace

// What a mapping says of generated code.
void Events::see_mapping(const RecordInFile& record, const Classified& classified) {
    const bool is_earlier = classified.version == kEarlier, has_prot = record.type() == kMmap2Type && !is_earlier;
    const uint64_t name_at = name_at_of_mapping(record.type(), is_earlier);
    const std::string_view name = text_at(record, name_at, record.size() - classified.trailer);
    state_.context.work.add(1);
    if (!code_.has_any() && !may_be_of_code(name)) return;
    maps_image_ = maps_image_ || (name.ends_with(".so") && name.find("/jitted-") != std::string_view::npos);
    const auto mmap = record.view<kMmap>();  // the same fields as in MMAP2
    GeneratedCode::Mapped mapped{.pid = static_cast<uint32_t>(mmap.get<"pid">()),
                                 .start = mmap.get<"start">(),
                                 .length = mmap.get<"len">(),
                                 .name = name};
    if (has_prot) {
        const auto mmap2 = record.view<kMmap2>();
        if ((mmap2.get<"prot">() & kExecutable) == 0) return;
        mapped.is_huge = (mmap2.get<"flags">() & kHugePages) != 0;
    } else if ((record.misc() & kDataMapping) != 0) {
        return;
    }
    code_.map(record, mapped);
}

// What a process says of generated code: which program it is, and whose mappings it has.
void Events::see_process(const RecordInFile& record, const Classified& classified) {
    const uint64_t end = record.size() - classified.trailer;
    const bool is_earlier = classified.version == kEarlier;
    switch (record.type()) {
        case kCommType: {
            constexpr uint64_t kNameAt = View<kComm>::offset_of<"comm">();
            const auto comm = record.view<kComm>();
            const auto pid = static_cast<uint32_t>(comm.get<"pid">());
            if ((record.misc() & kByExec) != 0) code_.exec(pid);
            if (pid == comm.get<"tid">())
                code_.name(pid, record.bytes.subspan(kNameAt, std::min<uint64_t>(end - kNameAt, 16)));
            return;
        }
        case kForkType: {
            const auto fork = record.view<kFork>();
            const auto pid = static_cast<uint32_t>(fork.get<"pid">()),
                       parent = static_cast<uint32_t>(fork.get<"ppid">());
            const bool is_process = pid != parent && pid == fork.get<"tid">();
            if (is_process && !is_earlier && inherits(record)) code_.fork(pid, parent);
            return;
        }
        default: return;
    }
}

void Events::check_sample(const RecordInFile& record, const Attr& attr) {
    const bool is_fixed =
        attr.shape == Attr::Shape::first_words && record.size() == kHeaderBytes + 8 * uint64_t{attr.fixed_words};
    if (!is_fixed && !check_sample_fields(state_, record, attr)) return;
    const uint64_t time = attr.time_word == kNoWord ? 0 : record.number(kHeaderBytes + 8 * uint64_t{attr.time_word}, 8);
    rounds_.time(record, time);
    if (attr.thread_word == kNoWord) return;
    const auto pid = static_cast<uint32_t>(record.number(kHeaderBytes + 8 * uint64_t{attr.thread_word}, 4));
    if (state_.context.facts != nullptr) record_sample_fact(record, attr, time);
    const uint64_t address = attr.ip_word == kNoWord ? 0 : record.number(kHeaderBytes + 8 * uint64_t{attr.ip_word}, 8);
    if (record.order == ByteOrder::little)
        code_.sample<ByteOrder::little>(pid, address, chain_of(record, attr));
    else
        code_.sample<ByteOrder::big>(pid, address, chain_of(record, attr));
}

void Events::check_lost(const RecordInFile& record) {
    if (!attrs_.is_complete()) return;  // the record may be too small for a trailer that could not be remembered
    const bool counts_samples = record.type() == kLostSamplesType;
    const uint64_t at = counts_samples ? View<kLostSamples>::offset_of<"lost">() : View<kLost>::offset_of<"lost">();
    if (record.size() < at + 8) return;  // the layout is not known, so the least size was not asked for
    const uint64_t lost = record.number(at, 8);
    const Place place = record.place(at, 8, "lost");
    if (state_.context.facts != nullptr && !state_.context.facts->recording.lost)
        state_.context.facts->recording.lost = record.whole();
    if (lost == 0) return;
    if (!lost_) lost_ = place;
    uint64_t& sum = counts_samples ? lost_samples_ : lost_records_;
    sum = saturating_add(sum, lost);
}

// Section 5.5: LOST_SAMPLES says again what LOST said.
void Events::judge_lost() {
    if (!lost_) return;
    const uint64_t lost = std::max(lost_records_, lost_samples_), all = saturating_add(lost, samples_);
    constexpr uint64_t kMuch = 5;  // per cent
    // The last digits of large numbers do not matter, and must not overflow.
    const uint64_t percent = all < kNone / 100 ? 100 * lost / all : lost / (all / 100);
    if (percent < kMuch) return state_.report.add<kLostEvents>(*lost_, {lost, all, percent});
    state_.report.add_overridden<kLostEvents>(*lost_, {lost, all, percent});
}

// --- Facts for checks between files ----------------------------------------------------------------------------

namespace {

RecordAt at_of(const RecordInFile& record) {
    return {record.offset, record.index, static_cast<uint32_t>(record.length), record.is_inside};
}

template <const auto& R>
Mapping mapping_of(const RecordInFile& record, uint64_t time) {
    const auto mmap = record.view<R>();
    Mapping mapping;
    mapping.at = at_of(record);
    mapping.record = record.record;
    mapping.time = time;
    mapping.start = mmap.template get<"start">();
    mapping.length = mmap.template get<"len">();
    mapping.pid = static_cast<uint32_t>(mmap.template get<"pid">());
    mapping.is_data = (record.misc() & kDataMapping) != 0;
    return mapping;
}

}  // namespace

void Events::tell(const RecordInFile& record, const Classified& classified, uint64_t time) {
    const uint64_t end = record.size() - classified.trailer;  // where the trailer begins
    const bool is_earlier = classified.version == kEarlier;
    Recording& facts = state_.context.facts->recording;
    switch (record.type()) {
        case kMmapType: {
            const Mapping mapping = mapping_of<kMmap>(record, time);
            facts.see(mapping.pid, time);
            return facts.add_mapping(mapping, text_at(record, View<kMmap>::offset_of<"filename">(), end));
        }
        case kMmap2Type: {
            Mapping mapping = mapping_of<kMmap2>(record, time);
            mapping.has_protection = !is_earlier;
            if (!is_earlier) mapping.protection = static_cast<uint32_t>(record.view<kMmap2>().get<"prot">());
            mapping.is_huge = !is_earlier && (record.view<kMmap2>().get<"flags">() & kHugePages) != 0;
            facts.see(mapping.pid, time);
            const Layout layout{.version = classified.version};
            return facts.add_mapping(mapping, text_at(record, fixed_offset(kMmap2, "filename", layout), end));
        }
        case kCommType: {
            const auto pid = static_cast<uint32_t>(record.view<kComm>().get<"pid">());
            facts.see(pid, time);
            if ((record.misc() & kByExec) != 0) facts.births.add({.time = time, .pid = pid});
            return;
        }
        case kForkType:
        case kExitType: {
            const auto fork = record.view<kFork>();
            const auto pid = static_cast<uint32_t>(fork.get<"pid">());
            if (is_earlier) return facts.see(pid, time);  // its time is unknown
            const uint64_t own_time = fork.get<"time">();
            facts.see(pid, own_time);
            if (pid != fork.get<"tid">()) return;
            if (record.type() == kExitType)
                facts.deaths.add({.time = own_time, .pid = pid});
            else if (pid != fork.get<"ppid">())
                facts.births.add({own_time, pid, inherits(record) ? static_cast<uint32_t>(fork.get<"ppid">()) : 0});
            return;
        }
        default: return;
    }
}

void Events::record_sample_fact(const RecordInFile& record, const Attr& attr, uint64_t time) {
    Recording& facts = state_.context.facts->recording;
    const auto pid = static_cast<uint32_t>(record.number(kHeaderBytes + 8 * uint64_t{attr.thread_word}, 4));
    facts.see(pid, time);
    code_.number_samples(kNone);
    // A time of 0 means that there is no time, unless no times are recorded.
    const bool lacks_time = time == 0 && attr.time_word != kNoWord;
    if (lacks_time || attr.ip_word == kNoWord || (record.misc() & kCpuMode) != kUserMode) return;
    const uint64_t ip = record.number(kHeaderBytes + 8 * uint64_t{attr.ip_word}, 8);
    if (!facts.samples.is_cut()) code_.number_samples(facts.samples.size());
    facts.add_sample(at_of(record), time, ip, pid);
}

constinit const RuleList kEventRules = rules<&kRoundOrder, &kLostEvents, &kMmap2WithoutProt>;

}  // namespace tracelint::perfdata
