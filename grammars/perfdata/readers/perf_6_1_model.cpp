// How perf 6.1 handles a feature and a record, and how 7.2 handles a record that has passed its checks.
#include <algorithm>
#include <bit>
#include <vector>

#include "grammars/perfdata/perfdata.hpp"
#include "grammars/perfdata/readers/perf_session.hpp"

namespace tracelint::perfdata {
namespace {

constexpr unsigned kCpuTopologyFeature = 13, kNumaTopologyFeature = 14, kPmuMappingsFeature = 16,
                   kMemTopologyFeature = 22;
constexpr uint64_t kTableEntry = 16;
constexpr uint64_t kMostOfHeap = 1 << 16;  // bytes that are surely there

// What comes before the first NUL.
std::string_view without_nul(std::string_view text) { return text.substr(0, text.find('\0')); }

// perf reads one field after the other, up to the end of the file, whatever the size of the section.
class Fields {
  public:
    Fields(FollowContext& context, Bytes bytes, uint64_t at, ByteOrder order)
        : context_(context), bytes_(bytes), at_(at), order_(order) {}

    uint64_t left() const { return at_ > bytes_.size() ? 0 : bytes_.size() - at_; }
    bool take(unsigned width, uint64_t& value) {
        if (left() < width || !context_.spend(width)) return false;
        value = load(bytes_.data() + at_, width, order_);
        at_ += width;
        return true;
    }
    bool skip(unsigned width) {
        uint64_t value;
        return take(width, value);
    }
    bool take_text(std::string_view& text) {
        uint64_t size = 0;
        if (!take(4, size) || size > left()) return false;
        text = {reinterpret_cast<const char*>(bytes_.data() + at_), static_cast<size_t>(size)};
        at_ += size;
        return true;
    }
    // A count and that many texts. `counted` grows by the size that perf computes for them: it assumes that each text
    // is padded to 64 bytes, as perf writes it.
    bool skip_texts(uint64_t& counted) {
        constexpr uint64_t kFilledTo = 64;
        uint64_t count = 0;
        std::string_view text;
        if (!take(4, count)) return false;
        counted += 4;
        for (; count > 0; --count) {
            if (!take_text(text)) return false;
            const uint64_t length = std::min(text.find('\0'), text.size());
            counted += 4 + (length + kFilledTo) / kFilledTo * kFilledTo;
        }
        return true;
    }
    bool skip_texts() {
        uint64_t counted = 0;
        return skip_texts(counted);
    }

  private:
    FollowContext& context_;
    Bytes bytes_;
    uint64_t at_;
    ByteOrder order_;
};

// On these architectures firmware chooses the socket numbers, and perf accepts any.
bool has_free_sockets(std::string_view architecture) {
    return architecture.starts_with("s390") || architecture.starts_with("aarch64");
}

// What comes after the threads is newer, and may be left out.
bool is_cpu_topology(Fields fields, uint64_t size, uint64_t processors, bool has_free_sockets) {
    uint64_t counted = 0;
    if (!fields.skip_texts(counted) || !fields.skip_texts(counted)) return false;
    if (counted >= size) return true;
    uint64_t socket = 0;
    for (uint64_t i = 0; i < processors; ++i) {
        if (!fields.skip(4) || !fields.take(4, socket)) return false;
        if (!has_free_sockets && socket != 0xffff'ffff && socket > processors) return false;
    }
    if (counted + 8 * processors >= size) return true;
    if (!fields.skip_texts()) return false;
    for (uint64_t i = 0; i < processors; ++i)
        if (!fields.skip(4)) return false;
    return true;
}

bool is_numa_topology(Fields fields) {
    uint64_t nodes = 0;
    std::string_view processors;
    if (!fields.take(4, nodes)) return false;
    for (; nodes > 0; --nodes) {
        if (!fields.skip(4) || !fields.skip(8) || !fields.skip(8) || !fields.take_text(processors)) return false;
        if (!processors.empty() && processors[0] != '\0' && (processors[0] < '0' || processors[0] > '9')) return false;
    }
    return true;
}

bool is_x86(std::string_view name) {
    return name.starts_with("x86") || (name.size() == 4 && name[0] == 'i' && name.substr(2) == "86");
}

}  // namespace

void PerfFeatures::take_sections(Bytes file, uint64_t at, uint64_t bits) {
    if (at > file.size()) return;
    for (unsigned bit = 0; bit < 64; ++bit) {
        if ((bits >> bit & 1) == 0) continue;
        if (file.size() - at < kTableEntry) return;
        const uint64_t offset = load(file.data() + at, 8, order_), size = load(file.data() + at + 8, 8, order_);
        at += kTableEntry;
        if (bit == kBuildIdFeature ? !take_build_ids(file, offset, size) : !take(bit, file, offset, size)) return;
    }
}

bool PerfFeatures::take(unsigned feature, Bytes bytes, uint64_t at, uint64_t size) {
    Fields fields(context_, bytes, at, order_);
    std::string_view text;
    uint64_t number = 0;
    if (section_of(feature) == &kTextFeature) {
        if (!fields.take_text(text)) return false;
        if (feature != kArchFeature && feature != kCpuIdFeature) return true;
        (feature == kArchFeature ? architecture_ : processor_) = without_nul(text);
        if (!context_.spend(text.size())) return false;
        return true;
    }
    switch (feature) {
        case kNrCpusFeature: return fields.take(4, processors_) && fields.skip(4);
        case kTotalMemFeature:
        case kClockIdFeature: return fields.skip(8);
        case kSampleTimeFeature: return fields.skip(8) && fields.skip(8);
        case kCmdlineFeature: return fields.skip_texts();
        case kCpuTopologyFeature:
            return is_cpu_topology(fields, size, processors_, has_free_sockets(architecture_.value_or("")));
        case kNumaTopologyFeature: return is_numa_topology(fields);
        case kPmuMappingsFeature: return take_pmu_names(bytes, at);
        case kMemTopologyFeature: return take_memory_nodes(bytes, at);
        case kEventDescFeature: return take_event_desc(bytes, at);
        case kCompressedFeature: {
            const bool is_whole = fields.skip(8) && fields.skip(8) && fields.take(4, number);
            if (is_whole) most_plain_ = number;
            return is_whole;
        }
        case kClockDataFeature:
            return fields.take(4, number) && number == 1 && fields.skip(4) && fields.skip(8) && fields.skip(8);
        default: return true;
    }
}

// It keeps how many there are before it reads them.
bool PerfFeatures::take_pmu_names(Bytes bytes, uint64_t at) {
    Fields fields(context_, bytes, at, order_);
    uint64_t count = 0;
    std::string_view text;
    if (!fields.take(4, count)) return false;
    pmu_names_at_ = at;
    unread_pmu_names_ = count;
    for (; count > 0; --count)
        if (!fields.skip(4) || !fields.take_text(text)) return false;
    unread_pmu_names_ = 0;
    return true;
}

// On AMD's processors it goes through so many names of PMUs; if it could not read them, those of this machine.
std::optional<PerfFeatures::Overrun> PerfFeatures::later_overrun() const {
    if (unread_pmu_names_ <= kMostOfHeap || !is_x86(architecture_.value_or("x86"))) return std::nullopt;
    if (!processor_) return Overrun{ReaderOutcome::may_crash, pmu_names_at_};
    if (!processor_->starts_with("AuthenticAMD")) return std::nullopt;
    return Overrun{ReaderOutcome::crashes, pmu_names_at_};
}

namespace {

// Why perf dies, in the words of its user.
constexpr std::string_view kNoNames = "it compares the names of events that have none",
                           kNoWidth = "it prints the width of branch counters, but no capabilities give it",
                           kNoBranches = "it expects branches in samples with a call stack, but finds no branches",
                           kBadTrailer = "the bytes left for the trailer are not a multiple of 8";

constexpr uint32_t kTypesOf6_1 = 83;    // that it knows
constexpr uint32_t kFarType = 1 << 17;  // past its table, and all else that it has
constexpr uint64_t kOwnAttrSize = 128, kLastFeature = 32;
constexpr unsigned kCallStackBit = 11, kHwIndexBit = 17;
constexpr uint64_t kBranchSize = 24;
constexpr uint64_t kUserMarker = uint64_t{0} - 512;

// Whether it swaps the words of big-endian records of this type.
bool is_known_to_swap(PerfVersion version, uint32_t type) {
    if (version != PerfVersion::v6_1) return type != 0 && type <= kCallchainDeferredType;
    return type != kKsymbolType && type != kBpfEventType && type != 0 && type < kCallchainDeferredType;
}

}  // namespace

bool Session::add(Attribute attribute) {
    const uint64_t types = types_.size();
    if (types_.find_or_insert({attribute.type + 1}) == nullptr) return context_.stop(Unpredicted::memory);
    attribute.is_first_of_type = types_.size() != types;
    return attributes_.push_back(attribute) || context_.stop(Unpredicted::memory);
}

bool Session::add_id(uint64_t id) {
    Owner* const owner = by_id_.find_or_insert({id, attributes_.size()});
    if (owner == nullptr) return context_.stop(Unpredicted::memory);
    owner->attribute = attributes_.size();
    return true;
}

// The ids are in the record, from `at` on. 6.1 swaps only those that follow an attribute of the largest size that it
// knows, however large this one is.
bool Session::add_with_ids(const Attribute& attribute, Bytes record, uint64_t at) {
    if (!add(attribute)) return false;
    for (; at + 8 <= record.size(); at += 8) {
        const bool is_swapped = is_swapped_ && (!is_6_1() || at >= 8 + kOwnAttrSize);
        if (!add_id(load(record.data() + at, 8, is_swapped ? ByteOrder::big : ByteOrder::little))) return false;
    }
    return true;
}

bool Session::has_tracepoints() const {
    return std::ranges::any_of(attributes_, [](const Attribute& a) { return a.type == 2; });
}

namespace {

// Index of the id word, from the start of a sample and from the end of a trailer; -1 if absent.
int sample_place(const Attribute& a) {
    if (a.has(kIdentifierBit)) return 0;
    if (!a.has(kIdBit)) return -1;
    return a.has(kIpBit) + a.has(kTidBit) + a.has(kTimeBit) + a.has(kAddrBit);
}
int trailer_place(const Attribute& a) {
    if (a.has(kIdentifierBit)) return 1;
    if (!a.has(kIdBit)) return -1;
    return 1 + a.has(kCpuBit) + a.has(kStreamIdBit);
}

// Index of the time, likewise; it is there.
int sample_time_place(const Attribute& a) { return a.has(kIdentifierBit) + a.has(kIpBit) + a.has(kTidBit); }
int trailer_time_place(const Attribute& a) {
    return 1 + a.has(kIdentifierBit) + a.has(kCpuBit) + a.has(kStreamIdBit) + a.has(kIdBit);
}

}  // namespace

// Whether it puts the record into the order of times before it delivers it: not without a time, for which it takes
// 0 and 2^64 - 1.
bool Session::is_queued(Bytes record, uint32_t type, const Attribute& a) const {
    if (!a.has(kTimeBit) || !a.has_trailers) return false;
    const uint64_t words = (record.size() - 8) / 8;
    const auto place = static_cast<uint64_t>(type == kSampleType ? sample_time_place(a) : trailer_time_place(a));
    if (place >= words + (type == kSampleType ? 0 : 1)) return true;
    const uint64_t time = number(record, type == kSampleType ? 8 + 8 * place : record.size() - 8 * place);
    return time != 0 && time != kNone;
}

bool Session::attributes_agree() const {
    if (attributes_.empty()) return true;
    const Attribute& first = attributes_[0];
    if (first.has(kReadBit) && (first.read_format & 4) == 0) return false;
    for (const Attribute& a : attributes_) {
        if (a.has_trailers != first.has_trailers) return false;
        if (attributes_.size() == 1) continue;
        if (sample_place(first) < 0 || trailer_place(first) < 0) return false;
        if (sample_place(a) != sample_place(first) || trailer_place(a) != trailer_place(first)) return false;
    }
    return true;
}

bool Session::shows_addresses() const {
    return std::ranges::none_of(attributes_, [](const Attribute& a) {
        return a.is_first_of_type && a.type != 2 && !a.has(kIpBit) && !a.has(kAddrBit);
    });
}

uint64_t Session::number(Bytes record, uint64_t at, unsigned width) const {
    if (at + width > record.size()) return 0;
    return load(record.data() + at, width, order());
}

uint64_t Session::word(Bytes record, uint64_t index) const { return number(record, 8 + 8 * index); }

const Attribute* Session::by_id(uint64_t id) {
    const Owner* const found = by_id_.find(id);
    return found == nullptr ? nullptr : &attributes_[found->attribute - 1];
}

const Attribute* Session::attribute_of(Bytes record, uint32_t type) {
    if (attributes_.empty()) return nullptr;
    const Attribute& first = attributes_[0];
    if (attributes_.size() == 1 || (!first.has_trailers && type != kSampleType)) return &first;
    const auto words = static_cast<int64_t>((record.size() - 8) / 8);
    int64_t place = sample_place(first);
    if (type == kSampleType) {
        if (place < 0 || place >= words) return nullptr;
    } else {
        place = words - trailer_place(first);
        if (place < 0 || place >= words) return nullptr;
    }
    const uint8_t* const at = record.data() + 8 + 8 * place;
    const bool is_big = is_swapped_ && is_known_to_swap(version_, type);
    const uint64_t id = load(at, 8, is_big ? ByteOrder::big : ByteOrder::little);
    return id == 0 ? &first : by_id(id);
}

// It swaps trailers by words, and ends itself if the rest after the fields is not a multiple of them.
bool Session::breaks_swap(Bytes record, uint32_t type) const {
    if (attributes_.empty() || !attributes_[0].has_trailers) return false;
    const auto behind_text = [&](uint64_t at) {
        uint64_t end = at;
        while (end < record.size() && record[end] != 0) ++end;
        return at + (end - at + 1 + 7) / 8 * 8;
    };
    uint64_t start = 8;
    switch (type) {
        case kMmapType: start = behind_text(40); break;
        case kMmap2Type: start = behind_text(72); break;
        case kCommType: start = behind_text(16); break;
        case kCgroupType: start = behind_text(16); break;
        default:
            return record.size() % 8 != 0 && type != kSampleType && type != kLostType && type != kLostSamplesType &&
                   type != kAuxOutputHwIdType && is_known_to_swap(version_, type);
    }
    return (start > record.size() ? start - record.size() : record.size() - start) % 8 != 0;
}

EventOutcome Session::event(Bytes record, Bytes rest) {
    const auto type = static_cast<uint32_t>(number(record, 0, 4));
    if (!is_6_1()) return checked_event(record, rest, type);
    // The function that swaps it is looked up before its type is checked.
    constexpr std::string_view kNoSwap = "it reads past its table of the functions that swap records";
    if (is_swapped_ && type > kTypesOf6_1) return type >= kFarType ? crash(kNoSwap) : risk(kNoSwap);
    if (type >= kTypesOf6_1) return refused(kUnknownType);
    return type < kHeaderAttrType ? kernel(record, rest, type) : own(record, rest, type);
}

EventOutcome Session::kernel(Bytes record, Bytes rest, uint32_t type) {
    if (is_6_1() && is_swapped_ && breaks_swap(record, type)) return crash(kBadTrailer);
    if (attributes_.empty()) return refused(kNoAttributes);
    const Attribute* const attribute = attribute_of(record, type);
    if (attribute == nullptr) return refused(kUnknownId);
    const bool waits = is_queued(record, type, *attribute);
    if (has_long_build_id_) return waits ? late(risk(kMappedBuildIdTooLong)) : risk(kMappedBuildIdTooLong);
    if (type == kSampleType) return sample(record, rest, *attribute);
    // Those that it does not know are an error where they are delivered.
    const uint32_t unknown = is_6_1() ? kCallchainDeferredType : kCallchainDeferredType + 1;
    if (type == 0 || type >= unknown) return waits ? late(refused(kUnknownType)) : refused(kUnknownType);
    if (!is_6_1()) return {};
    const EventOutcome mapped = mapping_overrun(record, type, waits);
    if (mapped.is_bad()) return waits ? late(mapped) : mapped;
    const EventOutcome event = kernel_overrun(record, rest, type);
    return event.is_bad() && waits && !is_swapped_ ? late(event) : event;
}

EventOutcome Session::sample(Bytes record, Bytes rest, const Attribute& a) {
    uint64_t at = 8;
    const auto has = [&](uint64_t bytes) { return bytes <= record.size() && at <= record.size() - bytes; };
    const auto skip = [&](uint64_t bytes) {
        if (!has(bytes)) return false;
        at += bytes;
        return true;
    };
    for (const unsigned bit :
         {kIdentifierBit, kIpBit, kTidBit, kTimeBit, kAddrBit, kIdBit, kStreamIdBit, kCpuBit, kPeriodBit})
        if (a.has(bit) && !skip(8)) return refused(kSampleTooShort);
    // The fields above are looked at when it is queued, those below when it is delivered.
    const bool waits = is_queued(record, kSampleType, a);
    const auto delivered = [=](EventOutcome event) { return waits ? late(event) : event; };
    const EventOutcome too_short = delivered(refused(kSampleTooShort));
    if (a.has(kReadBit)) {
        const auto format = [&](unsigned bit) { return (a.read_format >> bit & 1) != 0; };
        const uint64_t count = format(3) ? number(record, at) : 1;
        if (!skip(8) || (format(0) && !skip(8)) || (format(1) && !skip(8))) return too_short;
        const uint64_t each = (format(3) ? 16 : 8) + (format(4) ? 8 : 0);  // the id is not checked
        if (count > record.size() / 8 || !skip(count * each)) return too_short;
    }
    bool has_user_part = false;
    if (a.has(kCallchainBit)) {
        const uint64_t frames = number(record, at);
        if (!skip(8) || frames > record.size() / 8) return too_short;
        for (uint64_t i = 0; i < frames && has(8 * (i + 1)); ++i)
            has_user_part |= number(record, at + 8 * i) == kUserMarker;
        if (!skip(8 * frames)) return too_short;
    }
    if (a.has(kRawBit)) {
        // With a streamed attribute of the other byte order it reads the next four bytes as the size.
        const uint64_t size = number(record, is_swapped_ && a.is_streamed ? at + 4 : at, 4);
        if (!has(8)) return too_short;
        if (const EventOutcome swapped = swap_unchecked(a, at + size, rest); swapped.is_bad())
            return delivered(swapped);
        at += 4;
        if (!skip(size)) return too_short;
    }
    bool prints_missing_width = false;  // of the counters of branches, which the capabilities of a PMU have
    if (a.has(kBranchStackBit)) {
        const uint64_t branches = number(record, at);
        const uint64_t index = (a.branches >> kHwIndexBit & 1) != 0 ? 8 : 0;
        if (!skip(8) || branches > kNone / kBranchSize) return too_short;
        const EventOutcome swapped = swap_unchecked(a, saturating_add(at + index, branches * kBranchSize), rest);
        if (swapped.is_bad()) return delivered(swapped);
        if (branches > record.size() / kBranchSize || !skip(index + branches * kBranchSize)) return too_short;
        if (!is_6_1()) {
            if (compares_no_names()) return delivered(crash(kNoNames));
            if (has_branch_counters(a) && !skip(8 * branches)) return too_short;
            prints_missing_width = has_branch_counters(a) && !is_script_ && !environment_.has_capabilities;
        }
    }
    const auto registers = [&](uint64_t mask) {
        const bool has_any = number(record, at) != 0;
        return skip(8) && (!has_any || skip(8 * static_cast<uint64_t>(std::popcount(mask))));
    };
    if (a.has(kRegsUserBit) && !registers(a.user_registers)) return too_short;
    if (a.has(kStackUserBit)) {
        const uint64_t size = number(record, at);
        if (!skip(8)) return too_short;
        if (size != 0) {
            if (!skip(size) || !has(8) || number(record, at) > size) return too_short;
            at += 8;
        }
    }
    for (const unsigned bit : {kWeightBit, kWeightStructBit, kDataSrcBit, kTransactionBit})
        if (a.has(bit) && !skip(8)) return too_short;
    if (a.has(kRegsIntrBit) && !registers(a.own_registers)) return too_short;
    for (const unsigned bit : {kPhysAddrBit, kCgroupBit, kDataPageSizeBit, kCodePageSizeBit})
        if (a.has(bit) && !skip(8)) return too_short;
    if (a.has(kAuxBit)) {
        const uint64_t size = number(record, at);
        if (!skip(8) || !skip(size)) return too_short;
    }
    if (prints_missing_width) return delivered(crash(kNoWidth));
    // It expects the branches of a call stack in each such sample.
    if (has_user_part && (a.branches >> kCallStackBit & 1) != 0 && !a.has(kBranchStackBit))
        return delivered(crash(kNoBranches));
    return {};
}

EventOutcome Session::stream_attribute(Bytes record) {
    const uint64_t own = number(record, 12, 4);
    if (own > record.size() - fixed_size(kPrefix)) return refused("the attribute is larger than the record");
    const auto field = [&](uint64_t at, unsigned width) {
        return is_swapped_ && own < at + width ? load(record.data() + 8 + at, width, ByteOrder::little)
                                               : number(record, 8 + at, width);
    };
    Attribute a = attribute_with(field, is_swapped_);
    a.is_streamed = true;
    if (!add_with_ids(a, record, 8 + own)) return refused(kNoAttributes);
    if (is_script_ && a.type < 6 && a.type != 2 && a.sample_type != 0 && !a.has(kIpBit) && !a.has(kAddrBit))
        return refused(kNoAddresses);
    return {};
}

EventOutcome Session::stream_feature(Bytes record) {
    const uint64_t feature = load(record.data() + 8, 8, ByteOrder::little);  // it does not swap it
    if (feature >= kLastFeature) return is_script_ ? EventOutcome{} : refused(kBadFeature);
    if (feature == 0) return refused(kBadFeature);
    const bool is_known = features_.take(static_cast<unsigned>(feature), record, 16, record.size() - 16);
    return is_known ? EventOutcome{} : refused(kBadFeature);
}

EventOutcome Session::packed() const {
    EventOutcome event = most_plain() == 0 ? refused("no feature says how to decompress it") : EventOutcome{};
    event.is_packed = most_plain() != 0;
    return event;
}

// perf script sets up the decoder of the tracer. Those of Intel PT, BTS and HiSilicon's PTT accept any data; those of
// Arm's SPE, CoreSight and s390's samples fail on some.
EventOutcome Session::trace_info(Bytes record) {
    enum Tracer : uint32_t { intel_pt = 1, intel_bts, core_sight_etm, arm_spe, s390_cpumsf, hisi_ptt };
    constexpr uint64_t kWordsAt = 16, kFilterLengthAt = kWordsAt + uint64_t{8} * 16, kFilterAt = kFilterLengthAt + 8,
                       kBtsMultiplierAt = kWordsAt + 16;
    constexpr uint64_t kLeastWords[] = {0, 9, 5, 1, 2, 0, 1};
    const auto tracer = static_cast<uint32_t>(number(record, 8, 4));
    if (tracer == 0 || tracer > hisi_ptt) return refused("it does not know this type of tracer");
    if (is_stream_ || is_swapped_) {
        context_.stop(Unpredicted::trace);
        return {};
    }
    if (record.size() < kWordsAt + 8 * kLeastWords[tracer]) return refused("the record is too small for its tracer");
    if (tracer == intel_pt && record.size() >= kFilterAt && number(record, kFilterLengthAt) > record.size() - kFilterAt)
        return refused("the filter of the trace is longer than the record");
    if (tracer == core_sight_etm) return core_sight(record);
    // With a multiplier of 0 it divides by it where it meets a time.
    if (tracer == intel_bts && number(record, kBtsMultiplierAt) == 0) context_.stop(Unpredicted::trace);
    decodes_trace_ = true;
    may_refuse_trace_ = tracer == arm_spe || tracer == s390_cpumsf;
    return {};
}

// The metadata of each processor begin with a magic, and its trace ids differ. What does not fit into the record is not
// followed.
EventOutcome Session::core_sight(Bytes record) {
    constexpr uint64_t kVersionAt = 16, kProcessorsAt = 24, kFirstAt = 40;
    constexpr uint64_t kEtmV3 = 0x3030'3030'3030'3030, kEtmV4 = 0x4040'4040'4040'4040, kEte = 0x5050'5050'5050'5050;
    constexpr uint64_t kWordsOfV3 = 6, kWordsOfV4 = 9;
    const uint64_t version = number(record, kVersionAt), processors = number(record, kProcessorsAt, 4);
    if (version > 1) return refused("it does not know this version of CoreSight metadata");
    std::vector<uint64_t> ids;  // fewer than words in a record
    uint64_t at = kFirstAt;
    for (uint64_t i = 0; i < processors && at + 8 * kWordsOfV3 <= record.size(); ++i) {
        const uint64_t magic = number(record, at);
        if (magic != kEtmV3 && magic != kEtmV4 && magic != kEte)
            return refused("the metadata of a processor do not begin with a magic number of CoreSight");
        const uint64_t counted = 3 + std::min<uint64_t>(number(record, at + 16), record.size());
        ids.push_back(number(record, at + (version == 1 ? 32 : 24)));
        at += 8 * (version == 1 ? counted : magic == kEtmV3 ? kWordsOfV3 : kWordsOfV4);
    }
    if (ids.size() != processors || at != record.size()) {
        context_.stop(Unpredicted::trace);
        return {};
    }
    std::ranges::sort(ids);
    if (std::ranges::adjacent_find(ids) != ids.end()) return refused("two processors have the same trace id");
    const uint64_t type = number(record, kProcessorsAt) >> 32;
    if (std::ranges::none_of(attributes_, [&](const Attribute& a) { return a.type == type; }))
        return refused("no event belongs to the tracer");
    decodes_trace_ = may_refuse_trace_ = true;
    return {};
}

EventOutcome Session::own(Bytes record, Bytes rest, uint32_t type) {
    switch (type) {
        case kHeaderAttrType: return stream_attribute(record);
        case kHeaderTracingDataType: {
            // It must be what the kernel writes.
            const uint64_t size = number(record, 8, 4);
            if (!begins_like_tracing_data(rest.subspan(record.size())))
                return is_script_ ? refused("its data do not begin like the kernel's tracing data") : EventOutcome{};
            return {ReaderOutcome::loads, (size + 7) / 8 * 8};
        }
        case kFinishedRoundType: {
            EventOutcome round;
            round.is_round = true;
            return round;
        }
        case kIdIndexType: {
            const uint64_t count = number(record, 8);
            if (record.size() < 16) return is_script_ ? refused(kCountTooLarge) : crash(kCountTooLarge);
            if (count > (record.size() - 16) / 32) return refused(kCountTooLarge);
            for (uint64_t i = 0; i < count; ++i)
                if (by_id(number(record, 16 + 32 * i)) == nullptr) return refused(kUnknownId);
            return {};
        }
        case kAuxtraceInfoType: return is_script_ ? trace_info(record) : EventOutcome{};
        case kAuxtraceType: {
            const uint64_t data = number(record, 8);
            if (!is_script_) return {ReaderOutcome::loads, data};
            if (!decodes_trace_) return refused("no AUXTRACE_INFO before it describes the trace");
            if (may_refuse_trace_ && data != 0) context_.stop(Unpredicted::trace);
            return data > rest.size() - record.size() ? crash("its data end past the end of the file")
                                                      : EventOutcome{ReaderOutcome::loads, data};
        }
        case kThreadMapType: {
            const uint64_t count = number(record, 8);
            if (record.size() < 16 || count > (record.size() - 16) / 24)
                return is_swapped_ || count > 4096 ? crash(kCountTooLarge) : EventOutcome{};
            has_threads_ = true;
            return {};
        }
        case kCpuMapType: {
            const uint64_t kind = number(record, 8, 2);
            if (is_script_ && kind > 2) return refused("it does not know this kind of processor list");
            has_cpus_ = true;
            // perf script swaps the processors, but does not print them.
            return is_6_1() && (is_swapped_ || !is_script_) ? processors_overrun(record, rest) : EventOutcome{};
        }
        case kStatType: {
            if (!is_script_) return {};
            const bool is_first = attributes_.size() == 1 || number(record, 8) == 0;
            if (attributes_.empty() || (!is_first && by_id(number(record, 8)) == nullptr)) return refused(kUnknownId);
            return has_threads_ && has_cpus_ ? EventOutcome{} : refused("no THREAD_MAP and CPU_MAP come before it");
        }
        case kEventUpdateType: {
            if (!is_script_) return {};
            const uint64_t id = number(record, 16);
            if (attributes_.empty()) return refused(kUnknownId);
            if (attributes_.size() == 1 || id == 0 || by_id(id) != nullptr || !attributes_[0].has_trailers) return {};
            return refused(kUnknownId);
        }
        case kStatConfigType: return is_6_1() ? settings_overrun(record, rest) : EventOutcome{};
        case kHeaderBuildIdType: return is_6_1() ? build_id_overrun(record) : EventOutcome{};
        case kHeaderFeatureType: return record.size() < 16 ? refused(kBadFeature) : stream_feature(record);
        case kCompressedType: return packed();
        default: return {};
    }
}

}  // namespace tracelint::perfdata
