// mlpd: the fast lane. ENTER, LEAVE, EXC_LEAVE and ALLOC make up most of a large file. As long as they have no finding
// they are taken here. The first event that is unusual in any way is left to its plan.
#include "grammars/mlpd/events/event_reader.hpp"
#include "grammars/mlpd/events/narrow_numbers.hpp"
#include "grammars/mlpd/events/short_numbers.hpp"

namespace tracelint::mlpd {
namespace {

constexpr std::ptrdiff_t kRoom = 1 + 4 * kShortRoom;  // bytes that must be in hand: ALLOC has the most

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
    const uint8_t* const last = stop_ - std::min(stop_ - cursor_, kRoom);
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
            uint64_t passed = 0, distance = 0;
            const uint8_t* end = read_short<false>(cursor + 1, passed);
            if (end == nullptr) [[unlikely]]
                break;
            end = read_short<true>(end, distance);
            if (end == nullptr) [[unlikely]]
                break;
            const uint64_t now = time + passed;
            const uint64_t called = Narrow ? (method + distance) & 0xffffffff : method + distance;
            if (Narrow && !fits_32_bits(distance)) break;
            if (any_negative(now | unless_null(called))) [[unlikely]]
                break;
            const uint32_t leaves = lane == Lane::enter ? 0 : 1;
            const uint64_t offset = origin + reinterpret_cast<uintptr_t>(cursor);
            const auto length = static_cast<uint64_t>(end - cursor);
            if (!calls.step(called, leaves, offset, length, index)) [[unlikely]]
                break;
            time = now;
            method = called;
            ++taken[static_cast<size_t>(lane)];
            ++index;
            cursor = end;
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
    uint64_t passed = 0, distance = 0, away = 0, size = 0;
    const uint8_t* end = read_short<false>(cursor + 1, passed);
    if (end != nullptr) end = read_short<true>(end, distance);
    if (end != nullptr) end = read_short<true>(end, away);
    if (end != nullptr) end = read_short<false>(end, size);
    if (end == nullptr) [[unlikely]]
        return false;
    const uint64_t now = time + passed, object = ((layout.obj_base + away) << kLiveObject.shift) & width;
    if (Narrow && !(fits_32_bits(distance) && fits_32_bits(away))) return false;
    if ((size & layout.size_bits) != 0 || size < layout.least_size) [[unlikely]]
        return false;
    if (any_negative(now | unless_null(object))) [[unlikely]]
        return false;
    if (!with_.session.step_alloc((layout.ptr_base + distance) & width)) [[unlikely]]
        return false;
    time = now;
    cursor = end;
    return true;
}

}  // namespace tracelint::mlpd
