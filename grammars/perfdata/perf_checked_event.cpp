// perf 7.2 and one record: it looks at the sizes and counts of most before it reads them, and passes over or refuses
// those that are wrong.
#include <algorithm>

#include "grammars/perfdata/perf_event.hpp"

namespace tracelint::perfdata {
namespace {

constexpr Event kRefused{ReaderOutcome::refuses};
constexpr uint32_t kKnownTypes = 87;
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

Event Session::checked_event(Bytes record, Bytes rest, uint32_t type) {
    const bool may_be_unaligned =
        type == kHeaderTracingDataType || type == kCompressedType || type == kHeaderFeatureType;
    if (record.size() % 8 != 0 && !may_be_unaligned) return kRefused;
    if (type >= kKnownTypes || record.size() < least_size(type)) return {};
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

Event Session::checked_own(Bytes record, Bytes rest, uint32_t type) {
    switch (type) {
        case kHeaderAttrType: return checked_attribute(record);
        case kHeaderFeatureType: return checked_feature(record);
        case kEventUpdateType: return checked_update(record);
        case kCpuMapType: return checked_processors(record);
        case kThreadMapType:
            if (number(record, 8) > (record.size() - 16) / 24) return is_swapped_ ? Event{} : kRefused;
            has_threads_ = true;
            return {};
        case kCompressed2Type:
            if (most_plain() == 0 || number(record, 8) > record.size() - 16) return kRefused;
            return packed();
        default: return own(record, rest, type);
    }
}

Event Session::checked_attribute(Bytes record) {
    const uint64_t given = number(record, 12, 4), room = record.size() - 8;
    const uint64_t own = given == 0 ? kLeastAttrSize : given;
    if (own < kLeastAttrSize || own % 8 != 0 || own > room) return is_swapped_ ? Event{} : kRefused;
    const auto field = [&](uint64_t at, unsigned width) {
        return at + width <= own ? number(record, 8 + at, width) : 0;
    };
    Attribute a = attribute_with(field, is_swapped_);
    a.is_streamed = true;
    if (!add_with_ids(a, record, 8 + own)) return kRefused;
    const bool is_first = attributes_.back().is_first_of_type;
    if (is_script_ && is_first && a.type < 6 && a.type != 2 && a.sample_type != 0 && !a.has(kIpBit) && !a.has(kAddrBit))
        return kRefused;
    return {};
}

bool Session::take_section(unsigned feature, Bytes section) {
    environment_.events = attributes_.size();
    return take_strictly(feature, section, order(), true, environment_);
}

// A record without content may end the features, and then it does not matter.
Event Session::checked_feature(Bytes record) {
    const uint64_t feature = number(record, 8);
    const auto narrow = static_cast<int32_t>(static_cast<uint32_t>(feature));
    if (narrow <= 0 || narrow == 0x7fff'ffff) return kRefused;
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
    return is_taken || is_end ? Event{} : kRefused;
}

Event Session::checked_update(Bytes record) {
    const uint64_t kind = number(record, 8);
    const bool is_text = kind == 0 || kind == 2;
    if (is_text && !has_end(record, 24)) return {};
    if ((kind == 1 || kind == 3) && record.size() < 32) return {};
    if (attributes_.empty()) return kRefused;
    const uint64_t id = number(record, 16);
    if (attributes_.size() == 1 || id == 0 || by_id(id) != nullptr || !attributes_[0].has_trailers) return {};
    return kRefused;
}

// A list of processors, or a mask of words of 4 or 8 bytes; an empty one is an error.
Event Session::checked_processors(Bytes record) {
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
    if (is_script_ && !has_cpus_ && !is_usable) return kRefused;
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
