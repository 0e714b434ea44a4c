// What perf 6.1 reads or writes past its buffers.
#include <algorithm>

#include "grammars/perfdata/perfdata.hpp"
#include "grammars/perfdata/readers/perf_session.hpp"
#include "validator/readers/follow_context.hpp"

namespace tracelint::perfdata {
namespace {

constexpr uint64_t kBuildIdSizeAt = fixed_offset(kBuildIdEntry, "build_id_size", {}),
                   kBuildIdNameAt = fixed_offset(kBuildIdEntry, "filename", {});
// Bytes of the stack that are not looked at again: two buffers of 4096 for names. Of a build id, those of which the
// hexadecimal digits fit into a buffer up to the canary.
constexpr uint64_t kRoomForName = 8201, kRoomForBuildId = 28;
constexpr std::string_view kBuildIdTooLong = "it prints the build id over its stack",
                           kCountPastFile = "a count in the record leads past the end of the file",
                           kSamplePastFile = "a size in the sample leads past the end of the file";

// What malloc gives for so many bytes.
constexpr uint64_t usable(uint64_t bytes) { return std::max<uint64_t>(24, (bytes + 23) / 16 * 16 - 8); }

// Whether it swaps a field of an attribute that lies past the `room` for the attribute: it looks whether a field is
// there by the size in the attribute, `own`.
bool swaps_past(uint64_t own, uint64_t room) {
    struct Swapped {
        uint64_t offset, width;
    };
    constexpr Swapped kLaterFields[] = {{56, 8}, {64, 8}, {72, 8}, {80, 8}, {88, 4}, {104, 4}, {108, 2}, {112, 4}};
    return std::ranges::any_of(
        kLaterFields, [=](const Swapped& field) { return own > field.offset && field.offset + field.width > room; });
}

}  // namespace

// It reads the name of each file into one buffer, and the build id into another.
bool PerfFeatures::take_build_ids(Bytes file, uint64_t at, uint64_t size) {
    for (const uint64_t start = at; at - start < size;) {
        if (at > file.size() || file.size() - at < kBuildIdNameAt) return true;
        if (!context_.spend(kBuildIdNameAt)) return false;
        const uint64_t own = load(file.data() + at + 6, 2, order_), left = file.size() - at;
        const bool has_size = (load(file.data() + at + 4, 2, order_) & kHasBuildIdSize) != 0;
        const bool is_too_long = has_size && file[at + kBuildIdSizeAt] > kRoomForBuildId;
        const bool is_whole = own >= kBuildIdNameAt && own <= left;
        if (std::min(own, left) > kBuildIdNameAt + kRoomForName || (is_whole && is_too_long)) {
            overrun_ = {ReaderOutcome::crashes, at};
            return false;
        }
        if (!is_whole) return true;
        at += own;
    }
    return true;
}

// Big-endian: each attribute is read into room for as many bytes as the section says one has.
bool PerfFeatures::take_event_desc(Bytes bytes, uint64_t at) {
    constexpr uint64_t kFront = 8, kOwnSizeAt = 4, kCounts = 8;
    if (order_ != ByteOrder::big || at > bytes.size() || bytes.size() - at < kFront) return true;
    const auto number = [&](uint64_t offset) { return load(bytes.data() + offset, 4, order_); };
    const uint64_t size = number(at + 4);
    uint64_t events = number(at);
    for (at += kFront; events > 0; --events) {
        if (size < kFront || bytes.size() - at < size || bytes.size() - at - size < kCounts) return true;
        if (!context_.spend(size + kCounts)) return false;
        if (swaps_past(number(at + kOwnSizeAt), usable(size))) {
            overrun_ = {ReaderOutcome::may_crash, at};
            return false;
        }
        at += size;
        const uint64_t ids = number(at), name = number(at + 4), left = bytes.size() - at - kCounts;
        if (name > left || ids > (left - name) / 8) return true;
        at += kCounts + name + 8 * ids;
    }
    return true;
}

// Of each node it allocates a bitmap by the low 32 bits of a number, signed, and fills it by all 64.
bool PerfFeatures::take_memory_nodes(Bytes bytes, uint64_t at) {
    constexpr uint64_t kNumbers = 24;     // bytes of the three before the nodes, and of those before a bitmap
    constexpr uint64_t kFewestWords = 3;  // that an allocation has room for
    if (at > bytes.size()) return false;
    Bytes rest = bytes.subspan(at);
    const auto number = [&](uint64_t offset) { return load(rest.data() + offset, 8, order_); };
    const auto words_of = [](uint64_t bits) { return bits / 64 + (bits % 64 != 0 ? 1 : 0); };
    if (rest.size() < kNumbers || number(0) != 1) return false;
    uint64_t nodes = number(16);
    for (rest = rest.subspan(kNumbers); nodes > 0; --nodes) {
        if (rest.size() < kNumbers || !context_.spend(kNumbers)) return false;
        const uint64_t bits = number(16), words = words_of(bits), low = bits & 0xffff'ffff;
        rest = rest.subspan(kNumbers);
        if (low >> 31 != 0) return false;  // more than it can allocate
        if (std::min<uint64_t>(words, rest.size() / 8) > std::max(words_of(low), kFewestWords)) {
            overrun_ = {ReaderOutcome::may_crash, at};
            return false;
        }
        if (words > rest.size() / 8) return false;
        rest = rest.subspan(8 * words);
    }
    return true;
}

// perf report -D prints the build id of each mapping. perf script prints it where it looks for symbols of the mapping:
// at a later event, if at all.
EventOutcome Session::mapping_overrun(Bytes record, uint32_t type, bool waits) {
    constexpr uint64_t kBuildIdAt = fixed_offset(kMmap2, "maj", {});
    if (type != kMmap2Type || (number(record, 4, 2) & kMappedWithBuildId) == 0) return {};
    if (number(record, kBuildIdAt, 1) <= kRoomForBuildId) return {};
    if (!is_script_) return crash(kBuildIdTooLong);
    if (waits) return risk(kMappedBuildIdTooLong);
    has_long_build_id_ = true;
    return {};
}

EventOutcome Session::kernel_overrun(Bytes record, Bytes rest, uint32_t type) const {
    constexpr uint64_t kNamespacesAt = 24, kNamespaceBytes = 16;
    if (type != kNamespacesType || record.size() < kNamespacesAt) return {};
    const uint64_t count = number(record, kNamespacesAt - 8);
    if (count > kNone / kNamespaceBytes / 2) return crash(kCountPastFile);
    return past_file(kNamespacesAt + kNamespaceBytes * count, rest, kCountPastFile);
}

// Big-endian: it swaps the bytes of raw data and the flags of branches before it looks whether they are there.
EventOutcome Session::swap_unchecked(const Attribute& a, uint64_t size_of_fields, Bytes rest) const {
    if (!is_swapped_ || a.is_streamed || size_of_fields <= rest.size()) return {};
    return past_file(size_of_fields, rest, kSamplePastFile);
}

EventOutcome Session::processors_overrun(Bytes record, Bytes rest) const {
    const uint64_t kind = number(record, 8, 2), count = number(record, 10, 2), width = number(record, 12, 2);
    if (kind == 0) return past_file(12 + 2 * count, rest, kCountPastFile);
    if (kind == 1) return past_file(width == 4 ? 14 + 4 * count : 18 + 8 * count, rest, kCountPastFile);
    return {};
}

EventOutcome Session::build_id_overrun(Bytes record) const {
    const bool has_size = (number(record, 4, 2) & kHasBuildIdSize) != 0;
    return has_size && number(record, kBuildIdSizeAt, 1) > kRoomForBuildId ? crash(kBuildIdTooLong) : EventOutcome{};
}

EventOutcome Session::settings_overrun(Bytes record, Bytes rest) const {
    const uint64_t count = number(record, fixed_size(kPrefix));
    return past_file(saturating_add(16, count > kNone / 16 ? kNone : 16 * count), rest, kCountPastFile);
}

}  // namespace tracelint::perfdata
