// perf 7.2 and the features of a recording.
#include "grammars/perfdata/perf_strict_features.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "grammars/perfdata/perfdata.hpp"

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
constexpr uint64_t kPage = 4096;
constexpr uint8_t kTracingStart[] = {23, 8, 68, 't', 'r', 'a', 'c', 'i', 'n', 'g'};

// Fields one after the other; perf reads none that ends after the section.
class Fields {
  public:
    Fields(FollowContext& context, Bytes bytes, ByteOrder order) : context_(context), bytes_(bytes), order_(order) {}

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

bool take_processors(Fields fields, PerfEnvironment& environment) {
    uint64_t available = 0, online = 0;
    if (!fields.take_count(kMostProcessors, available) || !fields.take_count(available, online)) return false;
    environment.processors = available;
    environment.online_processors = online;
    return true;
}

// What comes after the threads is newer, and may be left out.
bool is_cpu_topology(Fields fields, uint64_t processors) {
    uint64_t cores = 0, threads = 0, dies = 0;
    if (processors == 0) return false;
    if (!fields.take_count(processors, cores) || !fields.skip_texts(cores)) return false;
    if (!fields.take_count(processors, threads) || !fields.skip_texts(threads)) return false;
    if (fields.left() == 0) return true;
    if (!fields.skip(8 * processors)) return false;
    if (fields.left() == 0) return true;
    return fields.take_count(processors, dies) && fields.skip_texts(dies) && fields.skip(4 * processors);
}

bool is_numa_topology(Fields fields) {
    uint64_t nodes = 0;
    std::string_view processors;
    if (!fields.take_count(kMostNodes, nodes) || fields.left() < 20 * nodes) return false;
    for (; nodes > 0; --nodes) {
        if (!fields.skip(20) || !fields.take_text(processors)) return false;
        if (!processors.empty() && processors[0] != '\0' && (processors[0] < '0' || processors[0] > '9')) return false;
    }
    return true;
}

bool is_memory_topology(Fields fields) {
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
bool is_group_desc(Fields fields, uint64_t events) {
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

bool is_cache(Fields fields) {
    uint64_t version = 0, caches = 0;
    if (!fields.take(4, version) || version != 1 || !fields.take_count(kMostCaches, caches)) return false;
    if (fields.left() < 28 * caches) return false;
    for (; caches > 0; --caches)
        if (!fields.skip(16) || !fields.skip_texts(3)) return false;
    return true;
}

bool are_capabilities(Fields& fields, uint64_t& count) {
    return fields.take_count(kMostCapabilities, count) && fields.skip_texts(2 * count);
}

bool take_cpu_capabilities(Fields fields, PerfEnvironment& environment) {
    uint64_t count = 0;
    if (!are_capabilities(fields, count)) return false;
    environment.has_capabilities |= count > 0;
    return true;
}

bool take_pmu_capabilities(Fields fields, PerfEnvironment& environment) {
    uint64_t pmus = 0, count = 0;
    if (!fields.take_count(kMostPmus, pmus) || fields.left() < 4 * pmus) return false;
    for (uint64_t i = 0; i < pmus; ++i)
        if (!are_capabilities(fields, count) || !fields.skip_texts(1)) return false;
    environment.has_capabilities |= pmus > 0;
    return true;
}

bool are_pmu_mappings(Fields fields) {
    uint64_t pmus = 0;
    if (!fields.take_count(kMostPmus, pmus) || fields.left() < 8 * pmus) return false;
    for (; pmus > 0; --pmus)
        if (!fields.skip(4) || !fields.skip_texts(1)) return false;
    return true;
}

bool is_hybrid_topology(Fields fields) {
    uint64_t nodes = 0;
    return fields.take_count(kMostPmus, nodes) && fields.left() >= 8 * nodes && fields.skip_texts(2 * nodes);
}

bool are_bpf_programs(Fields fields) {
    uint64_t programs = 0, info = 0, data = 0;
    if (!fields.take_count(kMostPrograms, programs) || fields.left() < 16 * programs) return false;
    for (; programs > 0; --programs) {
        if (!fields.take_count(kProgramInfo, info) || !fields.take_count(kMostProgramBytes, data)) return false;
        if (!fields.skip(8) || !fields.skip(info) || !fields.skip(data)) return false;
    }
    return true;
}

bool are_bpf_types(Fields fields) {
    uint64_t nodes = 0, data = 0;
    if (!fields.take_count(kMostPrograms, nodes) || fields.left() < 8 * nodes) return false;
    for (; nodes > 0; --nodes)
        if (!fields.skip(4) || !fields.take_count(kMostProgramBytes, data) || !fields.skip(data)) return false;
    return true;
}

bool are_domains(Fields fields, PerfEnvironment& environment) {
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
uint64_t named_events(Fields fields) {
    uint64_t events = 0, attribute_size = 0, ids = 0;
    if (!fields.take(4, events) || !fields.take(4, attribute_size)) return 0;
    if (events == 0 || attribute_size < 64 || attribute_size > fields.size()) return 0;
    if (events > fields.left() / (attribute_size + 4)) return 0;
    for (uint64_t i = 0; i < events; ++i) {
        uint64_t own = 0;
        Fields attribute = fields;
        if (!fields.skip(attribute_size) || !attribute.skip(4) || !attribute.take(4, own)) return 0;
        if (own != 0 && (own < 64 || own > attribute_size)) return 0;
        if (!fields.take(4, ids) || !fields.skip_texts(1) || ids > fields.left() / 8 || !fields.skip(8 * ids)) return 0;
    }
    return events;
}

bool take_compression(Fields fields, PerfEnvironment& environment) {
    uint64_t size = 0;
    if (!fields.skip(16) || !fields.take(4, size)) return false;
    environment.most_plain = size;
    return size >= kPage && size % kPage == 0;
}

bool is_clock_data(Fields fields) {
    uint64_t version = 0;
    return fields.take(4, version) && version == 1 && fields.skip(20);
}

bool is_auxtrace_index(Fields fields) {
    uint64_t entries = 0;
    return fields.take(8, entries) && entries <= fields.left() / 16;
}

}  // namespace

bool PerfEnvironment::list(uint64_t processor) {
    if (Processor* const known = listed.find(processor)) return std::exchange(known->in_list, lists) != lists;
    return listed.insert({processor, lists}) || context.stop(Unfollowed::memory);
}

bool take_strictly(unsigned feature, Bytes section, ByteOrder order, bool in_file, PerfEnvironment& environment) {
    Fields fields(environment.context, section, order);
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
        case kNumaTopology: return is_numa_topology(fields);
        case kPmuMappings: return are_pmu_mappings(fields);
        case kGroupDesc: return is_group_desc(fields, environment.events);
        case kAuxtraceIndex: return in_file && is_auxtrace_index(fields);
        case kCache: return is_cache(fields);
        case kMemTopology: return is_memory_topology(fields);
        case kDirFormat: return false;  // a file is no folder
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

}  // namespace tracelint::perfdata
