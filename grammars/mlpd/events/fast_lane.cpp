// mlpd: the fast lane. ENTER, LEAVE, EXC_LEAVE and ALLOC make up most of a large file. As long as they have no finding
// they are taken here, nearly without branches. The first event that is unusual in any way is left to its plan.
#include "grammars/mlpd/events/event_reader.hpp"
#include "grammars/mlpd/events/narrow_numbers.hpp"
#include "grammars/mlpd/events/short_numbers.hpp"

namespace tracelint::mlpd {
namespace {

constexpr size_t kRoom = 32;  // bytes that must be in hand: more than any event of the lane has

// Negative if the id is 0, and also if it is in the upper half, which no process uses.
inline uint64_t unless_null(uint64_t id) { return id - 1; }
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
