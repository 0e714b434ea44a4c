// XRay, section 2: family and byte order of a file, and how sure its first bytes make it that it is one.
#include "grammars/xray/recognise.hpp"

#include <tuple>

#include "validator/input/foreign_formats.hpp"
#include "validator/tables/view.hpp"

namespace tracelint::xray {
namespace {

constexpr uint64_t kSlowestTsc = 1'000'000, kFastestTsc = 100'000'000'000;  // Hz

// Basic files up to this version are recognised, so that a version too new can be reported.
constexpr uint64_t kLikelyBasic = 5;

View<kHeader> header_of(Bytes opening, ByteOrder order) { return {opening.data(), 0, order, kNone}; }

// Whether a record of this kind seems to be at `at`.
bool introduces(Bytes opening, uint64_t at, Kind kind, ByteOrder order) {
    return at < opening.size() && opening[at] == introducer(kind, order);
}

// Section 2, FDR: at least version and type are there.
bool is_fdr(Bytes opening, ByteOrder order) {
    const auto header = header_of(opening, order);
    const uint64_t version = header.get<"version">();
    if (header.get<"type">() != kFdrType || version == 0 || version > 255) return false;
    const bool known = version <= kNewestFdr;
    if (opening.size() < kHeaderSize) return known;
    const uint64_t hertz = header.get<"cycle_frequency">();
    const bool has_extents = introduces(opening, kHeaderSize, kBufferExtentsKind, order);
    if (!known) return has_extents && introduces(opening, kHeaderSize + kMetadataSize, kNewBufferKind, order);
    if (is_plausible_frequency(hertz)) return true;
    if (opening.size() == kHeaderSize) return hertz == 0;
    return has_extents || introduces(opening, kHeaderSize, kNewBufferKind, order);
}

// How much a record shows.
enum class Evidence : uint8_t {
    kind,               // its kind is known
    function_and_time,  // it also has a function and a time, unlike a file of zeros
};

// Whether a complete record of basic mode seems to be at `at`.
bool is_basic_record(Bytes opening, uint64_t at, ByteOrder order, Evidence evidence) {
    if (opening.size() < at + kBasicSize) return false;
    const View<kBasicFunction> record(opening.data() + at, at, order, 0);
    const uint64_t type = record.get<"type">();
    if (type != 1 && (type != 0 || record.get<"action">() > kEntryArgs)) return false;
    if (evidence == Evidence::kind) return true;
    // An argument has its thread and process where a function has its time.
    return static_cast<int64_t>(record.get<"function_id">()) >= 1 && record.get<"tsc">() != 0;
}

// Section 2, basic. The header by itself is weak: with a version that no runtime writes or no frequency, a record must
// show more than its kind.
bool is_basic(Bytes opening, ByteOrder order) {
    if (opening.size() < kHeaderSize) return false;
    const auto header = header_of(opening, order);
    const uint64_t version = header.get<"version">(), hertz = header.get<"cycle_frequency">();
    if (header.get<"type">() != kBasicType || version == 0 || version > kLikelyBasic) return false;
    const bool known = version <= kNewestBasic, plausible = is_plausible_frequency(hertz);
    if (!plausible && (hertz != 0 || !known)) return false;
    if (opening.size() == kHeaderSize) return plausible && known;
    const Evidence evidence = plausible && known ? Evidence::kind : Evidence::function_and_time;
    const bool has_record = is_basic_record(opening, kHeaderSize, order, evidence) ||
                            is_basic_record(opening, kHeaderSize + kBasicSize, order, evidence);
    return has_record && !has_perf_records(opening);
}

}  // namespace

bool is_plausible_frequency(uint64_t hertz) { return kSlowestTsc <= hertz && hertz <= kFastestTsc; }

std::optional<ByteOrder> order_of_profile(Bytes opening) {
    if (opening.size() < 8) return std::nullopt;
    for (const ByteOrder order : {ByteOrder::little, ByteOrder::big})
        if (View<kProfileHeader>(opening.data(), 0, order, kNone).get<"magic">() == kProfileMagic) return order;
    return std::nullopt;
}

ByteOrder order_of_header(Bytes opening) {
    const auto rank = [&](ByteOrder order) {
        const auto header = header_of(opening, order);
        const uint64_t version = header.get<"version">(), type = header.get<"type">();
        const bool known_type = type == kBasicType || type == kFdrType;
        return std::tuple(!known_type, version < 1 || version > kNewestFdr, version);
    };
    return rank(ByteOrder::big) < rank(ByteOrder::little) ? ByteOrder::big : ByteOrder::little;
}

int recognise(const Opening& opening) {
    if (order_of_profile(opening.bytes)) return 100;
    if (opening.bytes.size() < 4) return 0;
    const ByteOrder order = order_of_header(opening.bytes);
    if (is_fdr(opening.bytes, order)) return 80;
    // A plausible frequency and record weigh more than a profile of gperftools with one bad slot: a multiple of 2^32 Hz
    // looks like that.
    return is_basic(opening.bytes, order) ? 70 : 0;
}

}  // namespace tracelint::xray
