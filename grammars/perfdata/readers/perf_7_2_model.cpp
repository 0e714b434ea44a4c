// What perf 7.2 makes of a feature and of a record, as far as it differs from 6.1.
#include <algorithm>
#include <utility>

#include "grammars/perfdata/perfdata.hpp"
#include "grammars/perfdata/readers/perf_session.hpp"

namespace tracelint::perfdata {
namespace {

// Features that tracelint does not look into, but perf does.
enum OtherFeature : unsigned {
    kCpuTopology = 13,
    kNumaTopology = 14,
    kPmuMappings = 16,
    kGroupDesc = 17,
    kAuxtraceIndex = 18,
    kCache = 20,
    kMemTopology = 22,
    kDirFormat = 24,
    kBpfProgInfo = 25,
    kBpfBtf = 26,
    kCpuPmuCaps = 28,
    kHybridTopology = 30,
    kPmuCaps = 31,
    kCpuDomainInfo = 32,
    kEMachine = 33,
    kCacheLineSize = 34,
};

constexpr uint64_t kMostProcessors = 1 << 20, kMostArguments = 1 << 20, kMostGroups = 1 << 15, kMostCaches = 1 << 15;
constexpr uint64_t kMostNodes = 4096, kMostPmus = 4096, kMostCapabilities = 512, kMostDomains = 64;
constexpr uint64_t kMostPrograms = 1 << 17, kMostProgramBytes = 256 << 20, kProgramInfo = 232;
constexpr uint64_t kPageSize = 4096;
constexpr uint8_t kTracingStart[] = {23, 8, 68, 't', 'r', 'a', 'c', 'i', 'n', 'g'};

// FeatureFields one after the other; perf reads none that ends after the section.
class FeatureFields {
  public:
    FeatureFields(FollowContext& context, Bytes bytes, ByteOrder order)
        : context_(context), bytes_(bytes), order_(order) {}

    uint64_t size() const { return bytes_.size(); }
    uint64_t left() const { return bytes_.size() - at_; }
    uint64_t taken() const { return at_; }
    bool take(unsigned width, uint64_t& value) {
        if (left() < width || !context_.spend(width)) return false;
        value = load(bytes_.data() + at_, width, order_);
        at_ += width;
        return true;
    }
    bool take_count(uint64_t most, uint64_t& count) { return take(4, count) && count <= most; }
    bool skip(uint64_t bytes) {
        if (left() < bytes) return false;
        at_ += bytes;
        return true;
    }
    bool take_text(std::string_view& text) {
        uint64_t size = 0;
        if (!take(4, size) || size == 0 || size > left()) return false;
        text = {reinterpret_cast<const char*>(bytes_.data() + at_), static_cast<size_t>(size - 1)};
        at_ += size;
        return true;
    }
    bool skip_texts(uint64_t count) {
        std::string_view text;
        for (; count > 0; --count)
            if (!take_text(text)) return false;
        return true;
    }

  private:
    FollowContext& context_;
    Bytes bytes_;
    ByteOrder order_;
    uint64_t at_ = 0;
};

bool take_processors(FeatureFields fields, PerfEnvironment& environment) {
    uint64_t available = 0, online = 0;
    if (!fields.take_count(kMostProcessors, available) || !fields.take_count(available, online)) return false;
    environment.processors = available;
    environment.online_processors = online;
    return true;
}

// What comes after the threads is newer, and may be left out.
bool is_cpu_topology(FeatureFields fields, uint64_t processors) {
    uint64_t cores = 0, threads = 0, dies = 0;
    if (processors == 0) return false;
    if (!fields.take_count(processors, cores) || !fields.skip_texts(cores)) return false;
    if (!fields.take_count(processors, threads) || !fields.skip_texts(threads)) return false;
    if (fields.left() == 0) return true;
    if (!fields.skip(8 * processors)) return false;
    if (fields.left() == 0) return true;
    return fields.take_count(processors, dies) && fields.skip_texts(dies) && fields.skip(4 * processors);
}

bool is_numa_topology_7_2(FeatureFields fields) {
    uint64_t nodes = 0;
    std::string_view processors;
    if (!fields.take_count(kMostNodes, nodes) || fields.left() < 20 * nodes) return false;
    for (; nodes > 0; --nodes) {
        if (!fields.skip(20) || !fields.take_text(processors)) return false;
        if (!processors.empty() && processors[0] != '\0' && (processors[0] < '0' || processors[0] > '9')) return false;
    }
    return true;
}

bool is_memory_topology(FeatureFields fields) {
    uint64_t version = 0, nodes = 0;
    if (!fields.take(8, version) || version != 1 || !fields.skip(8) || !fields.take(8, nodes)) return false;
    if (nodes > kMostNodes || fields.left() < 24 * nodes) return false;
    for (; nodes > 0; --nodes) {
        uint64_t bits = 0;
        if (!fields.skip(16) || !fields.take(8, bits) || bits > 0x7fff'ffff) return false;
        if (!fields.skip((bits + 63) / 64 * 8)) return false;
    }
    return true;
}

// perf goes through the events: where the leader of the next group is one of them, the group before must be complete.
bool is_group_desc(FeatureFields fields, uint64_t events) {
    uint64_t groups = 0;
    std::string_view name;
    if (!fields.take_count(kMostGroups, groups)) return false;
    if (groups == 0) return true;
    if (fields.left() < 12 * groups) return false;
    uint64_t next = 0;  // the event that it comes to
    uint64_t left = 0;  // members of the group that are still to come
    for (; groups > 0; --groups) {
        uint64_t leader = 0, members = 0;
        if (!fields.take_text(name) || !fields.take(4, leader) || !fields.take(4, members)) return false;
        if (leader < next || leader >= events || left > leader - next) return false;
        next = leader + 1;
        left = static_cast<uint32_t>(members - 1);
    }
    return left <= events - next;
}

bool is_cache(FeatureFields fields) {
    uint64_t version = 0, caches = 0;
    if (!fields.take(4, version) || version != 1 || !fields.take_count(kMostCaches, caches)) return false;
    if (fields.left() < 28 * caches) return false;
    for (; caches > 0; --caches)
        if (!fields.skip(16) || !fields.skip_texts(3)) return false;
    return true;
}

bool are_capabilities(FeatureFields& fields, uint64_t& count) {
    return fields.take_count(kMostCapabilities, count) && fields.skip_texts(2 * count);
}

bool take_cpu_capabilities(FeatureFields fields, PerfEnvironment& environment) {
    uint64_t count = 0;
    if (!are_capabilities(fields, count)) return false;
    environment.has_capabilities |= count > 0;
    return true;
}

bool take_pmu_capabilities(FeatureFields fields, PerfEnvironment& environment) {
    uint64_t pmus = 0, count = 0;
    if (!fields.take_count(kMostPmus, pmus) || fields.left() < 4 * pmus) return false;
    for (uint64_t i = 0; i < pmus; ++i)
        if (!are_capabilities(fields, count) || !fields.skip_texts(1)) return false;
    environment.has_capabilities |= pmus > 0;
    return true;
}

bool are_pmu_mappings(FeatureFields fields) {
    uint64_t pmus = 0;
    if (!fields.take_count(kMostPmus, pmus) || fields.left() < 8 * pmus) return false;
    for (; pmus > 0; --pmus)
        if (!fields.skip(4) || !fields.skip_texts(1)) return false;
    return true;
}

bool is_hybrid_topology(FeatureFields fields) {
    uint64_t nodes = 0;
    return fields.take_count(kMostPmus, nodes) && fields.left() >= 8 * nodes && fields.skip_texts(2 * nodes);
}

bool are_bpf_programs(FeatureFields fields) {
    uint64_t programs = 0, info = 0, data = 0;
    if (!fields.take_count(kMostPrograms, programs) || fields.left() < 16 * programs) return false;
    for (; programs > 0; --programs) {
        if (!fields.take_count(kProgramInfo, info) || !fields.take_count(kMostProgramBytes, data)) return false;
        if (!fields.skip(8) || !fields.skip(info) || !fields.skip(data)) return false;
    }
    return true;
}

bool are_bpf_types(FeatureFields fields) {
    uint64_t nodes = 0, data = 0;
    if (!fields.take_count(kMostPrograms, nodes) || fields.left() < 8 * nodes) return false;
    for (; nodes > 0; --nodes)
        if (!fields.skip(4) || !fields.take_count(kMostProgramBytes, data) || !fields.skip(data)) return false;
    return true;
}

bool are_domains(FeatureFields fields, PerfEnvironment& environment) {
    uint64_t version = 0, most = 0;
    if (environment.processors == 0 || environment.online_processors == 0) return false;
    if (fields.size() < 8 + 8 * environment.online_processors) return false;
    if (!fields.take(4, version) || !fields.take_count(kMostDomains, most)) return false;
    ++environment.lists;
    for (uint64_t i = 0; i < environment.online_processors; ++i) {
        uint64_t processor = 0, domains = 0, domain = 0, known = 0;
        if (!fields.take(4, processor) || processor >= environment.processors) return false;
        if (!environment.list(processor)) return false;
        if (!fields.take_count(most, domains)) return false;
        for (; domains > 0; --domains) {
            if (!fields.take(4, domain) || domain >= most || (known >> domain & 1) != 0) return false;
            known |= uint64_t{1} << domain;
            if (!fields.skip_texts(version >= 17 ? 3 : 2)) return false;
        }
    }
    return true;
}

// The names of the events; a description that it cannot read is left out.
uint64_t named_events(FeatureFields fields) {
    uint64_t events = 0, attribute_size = 0, ids = 0;
    if (!fields.take(4, events) || !fields.take(4, attribute_size)) return 0;
    if (events == 0 || attribute_size < 64 || attribute_size > fields.size()) return 0;
    if (events > fields.left() / (attribute_size + 4)) return 0;
    for (uint64_t i = 0; i < events; ++i) {
        uint64_t own = 0;
        FeatureFields attribute = fields;
        if (!fields.skip(attribute_size) || !attribute.skip(4) || !attribute.take(4, own)) return 0;
        if (own != 0 && (own < 64 || own > attribute_size)) return 0;
        if (!fields.take(4, ids) || !fields.skip_texts(1) || ids > fields.left() / 8 || !fields.skip(8 * ids)) return 0;
    }
    return events;
}

bool take_compression(FeatureFields fields, PerfEnvironment& environment) {
    uint64_t size = 0;
    if (!fields.skip(16) || !fields.take(4, size)) return false;
    environment.most_plain = size;
    return size >= kPageSize && size % kPageSize == 0;
}

bool is_clock_data(FeatureFields fields) {
    uint64_t version = 0;
    return fields.take(4, version) && version == 1 && fields.skip(20);
}

bool is_auxtrace_index(FeatureFields fields) {
    uint64_t entries = 0;
    return fields.take(8, entries) && entries <= fields.left() / 16;
}

}  // namespace

bool PerfEnvironment::list(uint64_t processor) {
    if (Processor* const known = listed.find(processor)) return std::exchange(known->in_list, lists) != lists;
    return listed.insert({processor, lists}) || context.stop(Unpredicted::memory);
}

bool take_strictly(unsigned feature, Bytes section, ByteOrder order, bool in_file, PerfEnvironment& environment) {
    FeatureFields fields(environment.context, section, order);
    uint64_t count = 0;
    if (section_of(feature) == &kTextFeature) return fields.skip_texts(1);
    switch (feature) {
        case kTracingDataFeature:
            return in_file && section.size() >= sizeof kTracingStart &&
                   std::ranges::equal(section.first(sizeof kTracingStart), kTracingStart);
        case kNrCpusFeature: return take_processors(fields, environment);
        case kTotalMemFeature:
        case kClockIdFeature: return fields.skip(8);
        case kEMachine: return fields.skip(8);
        case kCacheLineSize: return fields.skip(4);
        case kSampleTimeFeature: return fields.skip(16);
        case kCmdlineFeature: return fields.take_count(kMostArguments, count) && fields.skip_texts(count);
        case kEventDescFeature:
            if (in_file) environment.named_events = named_events(fields);
            return true;
        case kCpuTopology: return is_cpu_topology(fields, environment.processors);
        case kNumaTopology: return is_numa_topology_7_2(fields);
        case kPmuMappings: return are_pmu_mappings(fields);
        case kGroupDesc: return is_group_desc(fields, environment.events);
        case kAuxtraceIndex: return in_file && is_auxtrace_index(fields);
        case kCache: return is_cache(fields);
        case kMemTopology: return is_memory_topology(fields);
        case kDirFormat: return false;  // a file is not a folder
        case kBpfProgInfo: return order == ByteOrder::big || are_bpf_programs(fields);
        case kBpfBtf: return order == ByteOrder::big || are_bpf_types(fields);
        case kCompressedFeature: return take_compression(fields, environment);
        case kCpuPmuCaps: return take_cpu_capabilities(fields, environment);
        case kClockDataFeature: return is_clock_data(fields);
        case kHybridTopology: return is_hybrid_topology(fields);
        case kPmuCaps: return take_pmu_capabilities(fields, environment);
        case kCpuDomainInfo: return are_domains(fields, environment);
        default: return true;
    }
}

// It looks at the sizes and counts of most records before it reads them, and passes over or refuses those that are
// wrong.
namespace {

constexpr uint32_t kTypesOf7_2 = 87;
constexpr uint64_t kLeastAttrSize = 64;

// The least size of the records that it may fail on; smaller ones are passed over.
uint64_t least_size(uint32_t type) {
    switch (type) {
        case kMmapType: return 41;
        case kLostType: return 24;
        case kCommType: return 17;
        case kExitType:
        case kForkType:
        case kThrottleType:
        case kUnthrottleType: return 32;
        case kReadType: return 24;
        case kMmap2Type: return 73;
        case kLostSamplesType: return 16;
        case kAuxType: return 32;
        case kItraceStartType:
        case kSwitchCpuWideType: return 16;
        case kNamespacesType: return 24;
        case kKsymbolType: return 25;
        case kBpfEventType: return 24;
        case kCgroupType: return 17;
        case kTextPokeType: return 24;
        case kAuxOutputHwIdType:
        case kCallchainDeferredType: return 16;
        case kHeaderAttrType: return 72;
        case kHeaderTracingDataType: return 12;
        case kIdIndexType:
        case kAuxtraceInfoType:
        case kThreadMapType:
        case kCpuMapType:
        case kHeaderFeatureType:
        case kCompressed2Type: return 16;
        case kAuxtraceType:
        case kStatType: return 48;
        case kEventUpdateType: return 24;
        default: return 8;
    }
}

bool has_end(Bytes record, uint64_t at) {
    return at < record.size() &&
           std::find(record.begin() + static_cast<std::ptrdiff_t>(at), record.end(), 0) != record.end();
}

}  // namespace

EventOutcome Session::checked_event(Bytes record, Bytes rest, uint32_t type) {
    const bool may_be_unaligned =
        type == kHeaderTracingDataType || type == kCompressedType || type == kHeaderFeatureType;
    if (record.size() % 8 != 0 && !may_be_unaligned) return refused("the size of the record is not a multiple of 8");
    if (type >= kTypesOf7_2 || record.size() < least_size(type)) return {};
    if (is_swapped_ && cannot_swap(record, type)) return {};
    return type < kHeaderAttrType ? kernel(record, rest, type) : checked_own(record, rest, type);
}

// It looks for the trailer after the text.
bool Session::cannot_swap(Bytes record, uint32_t type) const {
    if (attributes_.empty() || !attributes_[0].has_trailers) return false;
    switch (type) {
        case kMmapType: return !has_end(record, 40);
        case kMmap2Type: return !has_end(record, 72);
        case kCommType:
        case kCgroupType: return !has_end(record, 16);
        case kKsymbolType: return !has_end(record, 24);
        default: return false;
    }
}

EventOutcome Session::checked_own(Bytes record, Bytes rest, uint32_t type) {
    switch (type) {
        case kHeaderAttrType: return checked_attribute(record);
        case kHeaderFeatureType: return checked_feature(record);
        case kEventUpdateType: return checked_update(record);
        case kCpuMapType: return checked_processors(record);
        case kThreadMapType:
            if (number(record, 8) > (record.size() - 16) / 24)
                return is_swapped_ ? EventOutcome{} : refused(kCountTooLarge);
            has_threads_ = true;
            return {};
        case kCompressed2Type:
            if (most_plain() == 0 || number(record, 8) > record.size() - 16)
                return refused("nothing in it can be decompressed");
            return packed();
        default: return own(record, rest, type);
    }
}

EventOutcome Session::checked_attribute(Bytes record) {
    const uint64_t given = number(record, 12, 4), room = record.size() - 8;
    const uint64_t own = given == 0 ? kLeastAttrSize : given;
    if (own < kLeastAttrSize || own % 8 != 0 || own > room)
        return is_swapped_ ? EventOutcome{}
                           : refused("it knows no attribute of this size, or the attribute exceeds the record");
    const auto field = [&](uint64_t at, unsigned width) {
        return at + width <= own ? number(record, 8 + at, width) : 0;
    };
    Attribute a = attribute_with(field, is_swapped_);
    a.is_streamed = true;
    if (!add_with_ids(a, record, 8 + own)) return refused(kNoAttributes);
    const bool is_first = attributes_.back().is_first_of_type;
    if (is_script_ && is_first && a.type < 6 && a.type != 2 && a.sample_type != 0 && !a.has(kIpBit) && !a.has(kAddrBit))
        return refused(kNoAddresses);
    return {};
}

bool Session::take_section(unsigned feature, Bytes section) {
    environment_.events = attributes_.size();
    return take_strictly(feature, section, order(), true, environment_);
}

// A record without content may end the features, and then it does not matter.
EventOutcome Session::checked_feature(Bytes record) {
    const uint64_t feature = number(record, 8);
    const auto narrow = static_cast<int32_t>(static_cast<uint32_t>(feature));
    if (narrow <= 0 || narrow == 0x7fff'ffff) return refused(kBadFeature);
    const auto known = static_cast<uint64_t>(narrow);
    bool is_end = false;
    if (known >= last_feature_) {
        is_end = record.size() == 16;
        if (!is_end)
            last_feature_ = std::min<uint64_t>(known + 1, kPerf7_2Features);
        else if (known > last_feature_)
            last_feature_ = std::min<uint64_t>(known, kPerf7_2Features);
    }
    if (known >= kPerf7_2Features) return {};
    environment_.events = attributes_.size();
    const bool is_taken = take_strictly(static_cast<unsigned>(known), record.subspan(16), order(), false, environment_);
    return is_taken || is_end ? EventOutcome{} : refused(kBadFeature);
}

EventOutcome Session::checked_update(Bytes record) {
    const uint64_t kind = number(record, 8);
    const bool is_text = kind == 0 || kind == 2;
    if (is_text && !has_end(record, 24)) return {};
    if ((kind == 1 || kind == 3) && record.size() < 32) return {};
    if (attributes_.empty()) return refused(kUnknownId);
    const uint64_t id = number(record, 16);
    if (attributes_.size() == 1 || id == 0 || by_id(id) != nullptr || !attributes_[0].has_trailers) return {};
    return refused(kUnknownId);
}

// A list of processors, or a mask of words of 4 or 8 bytes; an empty one is an error.
EventOutcome Session::checked_processors(Bytes record) {
    const uint64_t kind = number(record, 8, 2), count = number(record, 10, 2), width = number(record, 12, 2);
    bool is_usable = kind <= 2;
    if (kind == 0) {
        if (count > (record.size() - 12) / 2) return {};
        is_usable = count > 0;
    } else if (kind == 1) {
        const uint64_t mask_at = width == 4 ? 14 : 18;
        if ((width != 4 && width != 8) || record.size() < mask_at) return {};
        if (count > (record.size() - mask_at) / width) return {};
        const Bytes mask = record.subspan(mask_at, count * width);
        is_usable = std::ranges::any_of(mask, [](uint8_t byte) { return byte != 0; });
    }
    if (is_script_ && !has_cpus_ && !is_usable) return refused("the list of processors is empty");
    has_cpus_ = true;
    return {};
}

// Where it first meets branches, it compares the names of all events that have counters in them. Only EVENT_DESC gives
// names.
bool Session::compares_no_names() {
    if (are_names_compared_) return false;
    are_names_compared_ = true;
    uint64_t counting = 0, named = 0;
    for (uint64_t i = 0; i < attributes_.size(); ++i) {
        if (!has_branch_counters(attributes_[i])) continue;
        ++counting;
        named += i < environment_.named_events;
    }
    return counting > 1 && named < counting;
}

}  // namespace tracelint::perfdata
