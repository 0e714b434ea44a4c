// mlpd: the fast lane. ENTER, LEAVE, EXC_LEAVE and ALLOC make up most of a large file. As long as they have no finding
// they are taken here, nearly without branches. The first event that is unusual in any way is left to its plan.
#include "grammars/mlpd/events/event_reader.hpp"
#include "grammars/mlpd/events/narrow_numbers.hpp"

namespace tracelint::mlpd {
namespace {

constexpr size_t kRoom = 32;  // bytes that must be in hand: more than any event of the lane has

// Indexed by the bytes of a number except its last: the smallest number that needs that many, unsigned and signed (as a
// distance from 0 or -1).
struct Least {
    std::array<uint64_t, 8> of_unsigned{}, of_signed{};
};
constexpr Least kLeast = [] {
    Least least;
    for (unsigned before = 1; before < 8; ++before) {
        least.of_unsigned[before] = uint64_t{1} << (7 * before);
        least.of_signed[before] = least.of_unsigned[before] / 2;
    }
    return least;
}();

// The low seven bits of eight bytes, packed side by side.
inline uint64_t packed(uint64_t bytes) {
    bytes = (bytes & 0x7f007f007f007f00) >> 1 | (bytes & 0x007f007f007f007f);
    bytes = (bytes & 0x3fff00003fff0000) >> 2 | (bytes & 0x00003fff00003fff);
    return (bytes & 0x0fffffff00000000) >> 4 | (bytes & 0x000000000fffffff);
}

// Two consecutive LEB128 numbers of at most eight bytes together. In healthy files only the first ones of a buffer are
// longer.
class Pair {
  public:
    // False: the two are longer. No other member may be called then.
    [[nodiscard]] bool read(const uint8_t* from) {
        const uint64_t word = load(from, 8, ByteOrder::little), ends = ~word & 0x8080808080808080;
        const uint64_t later_ends = ends & (ends - 1);
        if (later_ends == 0) [[unlikely]]
            return false;
        const unsigned end = static_cast<unsigned>(std::countr_zero(ends));
        const unsigned second_end = static_cast<unsigned>(std::countr_zero(later_ends));
        before_first_end_ = end / 8;
        before_end_ = second_end / 8;
        above_first_ = before_first_end_ - end;  // 64 less seven for each byte, as shifts count
        above_ = before_end_ - second_end;
        bits_ = packed(word);
        return true;
    }

    unsigned bytes() const { return before_end_ + 1; }
    uint64_t first() const { return up(bits_, above_first_) >> (above_first_ & 63); }
    uint64_t first_signed() const { return sign_kept(up(bits_, above_first_), above_first_); }
    uint64_t second() const { return up(bits_, above_) >> ((above_ - above_first_) & 63); }
    uint64_t second_signed() const { return sign_kept(up(bits_, above_), above_ - above_first_); }

    // Negative if the number could be shorter.
    uint64_t spare_first(uint64_t number) const { return number - kLeast.of_unsigned[before_first_end_]; }
    uint64_t spare_first_signed(uint64_t number) const {
        return unsigned_of(number) - kLeast.of_signed[before_first_end_];
    }
    uint64_t spare_second(uint64_t number) const { return number - kLeast.of_unsigned[second_before_end()]; }
    uint64_t spare_second_signed(uint64_t number) const {
        return unsigned_of(number) - kLeast.of_signed[second_before_end()];
    }

  private:
    // Shift counts are taken modulo 64.
    static uint64_t up(uint64_t number, unsigned bits) { return number << (bits & 63); }
    static uint64_t sign_kept(uint64_t number, unsigned bits) {
        return static_cast<uint64_t>(static_cast<int64_t>(number) >> (bits & 63));
    }
    static uint64_t unsigned_of(uint64_t number) { return number ^ sign_kept(number, 63); }
    unsigned second_before_end() const { return before_end_ - before_first_end_ - 1; }

    unsigned before_first_end_ = 0, before_end_ = 0;  // bytes
    unsigned above_first_ = 0, above_ = 0;            // bits of a word above the first, and above both
    uint64_t bits_ = 0;
};

// Negative if the id is 0, and also if it is in the upper half, which no process uses.
inline uint64_t unless_null(uint64_t id) { return id - 1; }
// Of numbers combined with |.
inline bool any_negative(uint64_t together) { return static_cast<int64_t>(together) < 0; }

}  // namespace

// Takes events while they are in hand whole, with kRoom bytes to spare. Times only grow here: if the last one is in
// order, so are the next ones, up to one that leaves the range of signed numbers.
void EventReader::run_lane() {
    if (with_.session.is_early(time_) || any_negative(time_)) return;
    layout_.word_size == 4 ? take_events<true>() : take_events<false>();
}

// ENTER, LEAVE and EXC_LEAVE: the event byte, the time, the method. ALLOC: see take_alloc().
template <bool Narrow>
void EventReader::take_events() {
    const uint8_t* cursor = cursor_;
    const uint8_t* const last = stop_ - std::min<std::ptrdiff_t>(stop_ - cursor_, kRoom);
    uint64_t time = time_, method = layout_.bases[kMethodBase.number], index = event_.index;
    const uint64_t origin = data_at_ - reinterpret_cast<uintptr_t>(data_);
    const Lane* const lanes = lanes_.data();
    const AllocLayout allocs = alloc_layout();
    std::array<uint64_t, kLanes> taken{};  // by Lane
    {
        Session::CallRun calls(with_.session);
        while (cursor < last) {
            const Lane lane = lanes[*cursor];
            if (lane == Lane::alloc) {
                if (!take_alloc<Narrow>(allocs, cursor, time)) break;
                ++taken[static_cast<size_t>(Lane::alloc)];
                ++index;
                continue;
            }
            if (lane == Lane::none) break;
            Pair pair;
            if (!pair.read(cursor + 1)) [[unlikely]]
                break;
            const uint64_t passed = pair.first(), distance = pair.second_signed(), now = time + passed;
            const uint64_t called = Narrow ? (method + distance) & 0xffffffff : method + distance;
            if (Narrow && !fits_32_bits(distance)) break;
            if (any_negative(pair.spare_first(passed) | pair.spare_second_signed(distance) | now | unless_null(called)))
                [[unlikely]]
                break;
            // 0 or 1, computed so that compilers emit no branch: which of them comes next is unpredictable.
            const uint32_t leaves = static_cast<uint32_t>(lane) >> 1;
            const uint64_t offset = origin + reinterpret_cast<uintptr_t>(cursor), length = pair.bytes() + 1;
            if (!calls.step(called, leaves, offset, length, index)) [[unlikely]]
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
    // The bits that a size must not have (kObjectSizeUnaligned). If there are any, the size must not be 0 either.
    const uint64_t size_bits = kAllocatedSize.exists_in(layout_.version) ? ~kAllocatedSize.checks[0].value : 0;
    return {layout_.bases[kPointerBase.number], layout_.bases[kObjectBase.number], size_bits,
            size_bits != 0 ? uint64_t{1} : 0};
}

// ALLOC: the event byte, the time, the class or vtable, the object, the size. False: nothing was done.
template <bool Narrow>
inline bool EventReader::take_alloc(const AllocLayout& layout, const uint8_t*& cursor, uint64_t& time) {
    constexpr uint64_t width = Narrow ? 0xffffffff : ~uint64_t{0};
    Pair front, rest;
    if (!front.read(cursor + 1) || !rest.read(cursor + 1 + front.bytes())) [[unlikely]]
        return false;
    const uint64_t passed = front.first(), distance = front.second_signed();
    const uint64_t away = rest.first_signed(), size = rest.second();
    const uint64_t now = time + passed, object = ((layout.obj_base + away) << kLiveObject.shift) & width;
    if (Narrow && !(fits_32_bits(distance) && fits_32_bits(away))) return false;
    if ((size & layout.size_bits) != 0 || size < layout.least_size) [[unlikely]]
        return false;
    if (any_negative(front.spare_first(passed) | front.spare_second_signed(distance) | rest.spare_first_signed(away) |
                     rest.spare_second(size) | now | unless_null(object))) [[unlikely]]
        return false;
    if (!with_.session.step_alloc((layout.ptr_base + distance) & width)) [[unlikely]]
        return false;
    time = now;
    cursor += 1 + front.bytes() + rest.bytes();
    return true;
}

}  // namespace tracelint::mlpd
