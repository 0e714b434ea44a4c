// mlpd: the fast lane. ENTER, LEAVE, EXC_LEAVE and ALLOC are most of a large file. As long as nothing can be said
// about them they are taken here, nearly without branches; the first event that is unusual in any way is left to its
// plan.
#include "grammars/mlpd/event_reader.hpp"
#include "grammars/mlpd/leb128.hpp"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace tracelint::mlpd {
namespace {

constexpr size_t kRoom = 32;     // bytes that must be in hand: 16 are looked at together, words inside are loaded whole
constexpr unsigned kWidest = 8;  // bytes of a number

// For each of 16 bytes a bit: whether a number ends there.
inline unsigned ends_of(const uint8_t* from) {
#ifdef __SSE2__
    __m128i bytes;
    std::memcpy(&bytes, from, sizeof bytes);
    return static_cast<unsigned>(_mm_movemask_epi8(bytes)) ^ 0xffffu;
#else
    const auto half = [](const uint8_t* at) {
        const uint64_t ends = ~load(at, 8, ByteOrder::little) & 0x8080808080808080;
        return static_cast<unsigned>(((ends >> 7) * 0x0102040810204080) >> 56);
    };
    return half(from) | half(from + 8) << 8;
#endif
}

// By the bytes of a number: its bits, its sign bit when they are packed, and the smallest number that needs so many.
struct Widths {
    std::array<uint64_t, kWidest + 1> bits{}, sign{}, least{};
};
constexpr Widths kWidths = [] {
    Widths widths;
    for (unsigned n = 1; n <= kWidest; ++n) {
        widths.bits[n] = widths.bits[n - 1] << 8 | 0x7f;
        widths.sign[n] = uint64_t{1} << (7 * n - 1);
        widths.least[n] = n == 1 ? 0 : uint64_t{1} << (7 * (n - 1));
    }
    return widths;
}();

// Two numbers that follow each other, the seven bits of their bytes side by side.
struct Pair {
    uint64_t first, second;
};

// Packs each half of a word.
inline uint64_t halves_packed(uint64_t bytes) {
    bytes = (bytes & 0x7f007f007f007f00) >> 1 | (bytes & 0x007f007f007f007f);
    return (bytes & 0x3fff00003fff0000) >> 2 | (bytes & 0x00003fff00003fff);
}

[[gnu::noinline]] Pair read_wide_pair(const uint8_t* from, unsigned first, unsigned second) {
    const auto read = [](const uint8_t* at, unsigned bytes) {
        const uint64_t halves = halves_packed(load(at, 8, ByteOrder::little) & kWidths.bits[bytes]);
        return (halves & 0x0fffffff00000000) >> 4 | (halves & 0x0fffffff);
    };
    return {read(from, first), read(from + first, second)};
}

inline Pair read_pair(const uint8_t* from, unsigned first, unsigned second) {
    if (((first - 1) | (second - 1)) >= 4) [[unlikely]]
        return read_wide_pair(from, first, second);
    const uint64_t halves = halves_packed((load(from, 4, ByteOrder::little) & kWidths.bits[first]) |
                                          (load(from + first, 4, ByteOrder::little) & kWidths.bits[second]) << 32);
    return {halves & 0xffffffff, halves >> 32};
}

// The sign of a number of `bytes` bytes, carried up.
inline uint64_t with_sign(uint64_t value, unsigned bytes) {
    return (value ^ kWidths.sign[bytes]) - kWidths.sign[bytes];
}

// As numbers, so that they can be put together without branches.
inline uint64_t is_below(uint64_t value, uint64_t least) { return value < least ? 1 : 0; }
// Whether a number could be shorter.
inline uint64_t is_long(uint64_t value, unsigned bytes) { return is_below(value, kWidths.least[bytes]); }
inline uint64_t is_long_signed(uint64_t value, unsigned bytes) {
    return is_below(value + kWidths.least[bytes] / 2, kWidths.least[bytes]);
}

inline unsigned first_of(unsigned ends) { return static_cast<unsigned>(std::countr_zero(ends)); }
inline unsigned without_first(unsigned ends) { return ends & (ends - 1); }

// By Lane.
constexpr const Record* kLaneRecords[] = {nullptr, &kEnter, &kLeave, &kExceptionLeave, &kAlloc};

}  // namespace

void EventReader::open_lanes() {
    for (size_t i = 1; i < kLanes; ++i) {
        lanes_[kLaneRecords[i]->tag] = static_cast<Lane>(i);
        lane_plans_[i] = plan_of(*kLaneRecords[i]);
    }
}

// Takes events while they are in hand whole, with room behind them.
void EventReader::run_lane() { layout_.word_size == 4 ? take_events<true>() : take_events<false>(); }

// ENTER, LEAVE and EXC_LEAVE: the event byte, the time, the method. ALLOC: see take_alloc().
template <bool Narrow>
void EventReader::take_events() {
    const uint8_t* cursor = cursor_;
    const uint8_t* const last = stop_ - std::min<std::ptrdiff_t>(stop_ - cursor_, kRoom);
    uint64_t time = time_, method = layout_.bases[kMethodBase.number], index = event_.index;
    const uint64_t origin = data_at_ - reinterpret_cast<uintptr_t>(data_), floor = with_.session.floor();
    const Lane* const lanes = lanes_.data();
    const AllocLayout allocs = alloc_layout();
    std::array<uint64_t, kLanes> taken{};  // by Lane
    {
        Session::CallRun calls(with_.session);
        while (cursor < last) {
            const Lane lane = lanes[*cursor];
            if (lane == Lane::alloc) {
                if (!take_alloc<Narrow>(allocs, floor, cursor, time)) break;
                ++taken[static_cast<size_t>(Lane::alloc)];
                ++index;
                continue;
            }
            if (lane == Lane::none) break;
            const unsigned ends = ends_of(cursor) & ~1u, ends2 = without_first(ends);
            if (ends2 == 0) break;
            const unsigned end = first_of(ends), end2 = first_of(ends2);
            const unsigned bytes = end, bytes2 = end2 - end;
            if (((bytes - 1) | (bytes2 - 1)) >= kWidest) [[unlikely]]
                break;
            const Pair pair = read_pair(cursor + 1, bytes, bytes2);
            const uint64_t distance = with_sign(pair.second, bytes2), now = time + pair.first;
            const uint64_t called = Narrow ? (method + distance) & 0xffffffff : method + distance;
            const uint64_t odd = is_long(pair.first, bytes) | is_long_signed(distance, bytes2) | (~time & now) >> 63 |
                                 is_below(now, floor) | is_below(called, 1);
            if (Narrow && !fits_32_bits(distance)) break;
            // 0 or 1, made so that compilers see no condition in it: nothing foretells which of them comes next.
            const uint32_t leaves = static_cast<uint32_t>(lane) >> 1;
            const uint64_t offset = origin + reinterpret_cast<uintptr_t>(cursor), length = end2 + 1;
            if (odd != 0 || !calls.step(called, leaves, offset, length, index)) [[unlikely]]
                break;
            time = now;
            method = called;
            ++taken[static_cast<size_t>(lane)];
            ++index;
            cursor += length;
        }
    }
    cursor_ = cursor;
    time_ = time;
    layout_.bases[kMethodBase.number] = method;
    event_.index = index;
    for (size_t i = 1; i < kLanes; ++i) lane_plans_[i]->count += taken[i];
}

EventReader::AllocLayout EventReader::alloc_layout() const {
    // Rule 71: bits that a size must not have; where it has any, the size must not be 0 either.
    const uint64_t size_bits = kAllocatedSize.exists_in(layout_.version) ? ~kAllocatedSize.checks[0].value : 0;
    return {layout_.bases[kPointerBase.number], layout_.bases[kObjectBase.number], size_bits,
            size_bits != 0 ? uint64_t{1} : 0};
}

// ALLOC: the event byte, the time, the class or vtable, the object, the size. False: nothing is done.
template <bool Narrow>
inline bool EventReader::take_alloc(const AllocLayout& layout, uint64_t floor, const uint8_t*& cursor, uint64_t& time) {
    constexpr uint64_t width = Narrow ? 0xffffffff : ~uint64_t{0};
    const unsigned ends = ends_of(cursor) & ~1u, ends2 = without_first(ends), ends3 = without_first(ends2),
                   ends4 = without_first(ends3);
    if (ends4 == 0) return false;
    const unsigned end = first_of(ends), end2 = first_of(ends2), end3 = first_of(ends3), end4 = first_of(ends4);
    const unsigned bytes = end, bytes2 = end2 - end, bytes3 = end3 - end2, bytes4 = end4 - end3;
    if (((bytes - 1) | (bytes2 - 1) | (bytes3 - 1) | (bytes4 - 1)) >= kWidest) [[unlikely]]
        return false;
    const Pair front = read_pair(cursor + 1, bytes, bytes2), rest = read_pair(cursor + 1 + end2, bytes3, bytes4);
    const uint64_t distance = with_sign(front.second, bytes2), away = with_sign(rest.first, bytes3);
    const uint64_t now = time + front.first, size = rest.second;
    const uint64_t object = ((layout.obj_base + away) << kLiveObject.shift) & width;
    const uint64_t odd = is_long(front.first, bytes) | is_long_signed(distance, bytes2) | is_long_signed(away, bytes3) |
                         is_long(size, bytes4) | (~time & now) >> 63 | is_below(now, floor) | is_below(object, 1) |
                         (size & layout.size_bits) | is_below(size, layout.least_size);
    if (Narrow && !(fits_32_bits(distance) && fits_32_bits(away))) return false;
    if (odd != 0 || !with_.session.step_alloc((layout.ptr_base + distance) & width)) [[unlikely]]
        return false;
    time = now;
    cursor += end4 + 1;
    return true;
}

}  // namespace tracelint::mlpd
