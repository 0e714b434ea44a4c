// mlpd: plans of events, and the lane for calls.
#include "grammars/mlpd/lane.hpp"

#include "grammars/mlpd/walk_events.hpp"

namespace tracelint::mlpd {

// mlpd: lays out plans from the record tables.

Plan& Plans::of(const Record& record) {
    for (const auto& plan : plans_)
        if (plan->record == &record) return *plan;
    Plan& plan = *plans_.emplace_back(std::make_unique<Plan>());
    plan.record = &record;
    lay_out(plan);
    return plan;
}

void Plans::lay_out(Plan& plan) {
    const Record& record = *plan.record;
    // Counts are judged by the size of frames without offsets.
    plan.minimum = minimum_size(record, {ByteOrder::little, 8, std::min(version_, kNewestVersion), {}});
    plan.actions = EventReader::actions_of(record);
    for (const Field& field : record.fields()) {
        if (!field.exists_in(version_)) continue;
        Step step;
        step.field = &field;
        step.slot = slot_of(record, field.name);
        step.has_checks = std::ranges::any_of(field.checks, [](const Check& check) { return check.rule != nullptr; });
        step.act = EventReader::action_of(plan.actions, field.name);
        if (field.is_optional()) step.decides = slot_of(record, field.condition.field);
        if (field.type == Type::list) step.element = &of(*field.element);
        if (!field.counter.empty()) {
            step.counter = slot_of(record, field.counter);
            for (size_t before = 0; before < plan.steps.size(); ++before)
                if (plan.steps[before].slot == step.counter) step.counter_step = static_cast<uint8_t>(before);
            plan.steps[step.counter_step].counts = true;
        }
        plan.steps.push_back(step);
    }
}

std::vector<const Plan*> Plans::made() const {
    std::vector<const Plan*> made;
    const auto add = [&](const Record* record) {
        if (record == nullptr) return;
        for (const auto& plan : plans_)
            if (plan->record == record && std::ranges::find(made, plan.get()) == made.end()) made.push_back(plan.get());
    };
    for (const EventRow& row : kEvents) {
        if (row.record != nullptr) {
            add(row.record);
            continue;
        }
        for (const Record* record : kMetadataRecords) add(record);
    }
    return made;
}

// mlpd: the fast lane. ENTER, LEAVE, EXC_LEAVE and ALLOC make up most of a large file. As long as they have no finding
// they are taken here. The first event that is unusual in any way is left to its plan.

namespace {

constexpr std::ptrdiff_t kRoom = 1 + 4 * kShortRoom;  // bytes that must be in hand: ALLOC has the most
constexpr uint64_t kFarTime = uint64_t{1} << 62;      // all that is in hand is much shorter

constexpr std::ptrdiff_t kReturnSize = 3;  // of the shortest LEAVE

// Whether a LEAVE of the method that the event before it entered begins here, with a time of one byte. Most calls of
// real files call nothing else, so that they need not enter the stack.
inline bool returns_at_once(const uint8_t* at) {
    constexpr uint64_t kMask = 0xff80ff;  // the event byte, whether the time continues, the method's distance
    return (load(at, 4, ByteOrder::little) & kMask) == kLeave.tag;
}

// Negative if the id is 0, and also if it is in the upper half, which no process uses.
inline uint64_t unless_null(uint64_t id) { return id - 1; }

}  // namespace

// Takes events while they are in hand whole, with kRoom bytes to spare. Times only grow here: if the last one is in
// order, so are the next ones, up to one that leaves the range of signed numbers.
void EventReader::run_lane() {
    if (with_.session.is_early(time_) || any_negative(time_)) return;
    layout_.word_size == 4 ? take_events<true>() : take_events<false>();
}

template <bool Narrow>
void EventReader::take_events() {
    const uint8_t* const last = stop_ - std::min(stop_ - cursor_, kRoom);
    for (bool continues = true; continues && cursor_ < last;) {
        if (time_ < kFarTime) take_calls<Narrow>(last);
        const Lane lane = lanes_[*cursor_];
        continues = cursor_ < last && (lane == Lane::alloc ? take_allocs<Narrow>(last) : take_call<Narrow>(lane));
    }
}

// ENTER and LEAVE: the event byte, the time, here of one or two bytes, and the method. What else there may be is left
// out, so that the inner loop runs in registers.
template <bool Narrow>
void EventReader::take_calls(const uint8_t* last) {
    const uint8_t *cursor = cursor_, *end = cursor_;
    uint64_t time = time_, method = layout_.bases[kMethodBase.number], index = event_.index;
    const uint64_t origin = data_at_ - reinterpret_cast<uintptr_t>(data_);
    const auto offset = [&] { return origin + reinterpret_cast<uintptr_t>(cursor); };
    const auto length = [&] { return static_cast<uint64_t>(end - cursor); };
    {
        Session::CallRun calls(with_.session);
        const size_t open_before = calls.open();
        uint64_t unknown = 0;  // the method that the inner loop stopped at; 0: it stopped for good
        do {
            unknown = 0;
            while (cursor < last) {
                const uint8_t op = *cursor;
                if (op != kEnter.tag && op != kLeave.tag) break;
                uint64_t passed = 0, distance = 0;
                end = read_short<false, 2>(cursor + 1, passed);
                if (end == nullptr) [[unlikely]]
                    break;
                end = read_short<true>(end, distance);
                if (end == nullptr) [[unlikely]]
                    break;
                const uint64_t called = Narrow ? (method + distance) & 0xffffffff : method + distance;
                if ((Narrow && !fits_32_bits(distance)) || any_negative(unless_null(called))) [[unlikely]]
                    break;
                if (op == kEnter.tag) {
                    if (!calls.knows(called)) [[unlikely]] {
                        unknown = called;
                        break;
                    }
                    if (!calls.has_room()) [[unlikely]]
                        break;
                    if (returns_at_once(end)) {
                        time += end[1];
                        end += kReturnSize;
                        ++index;
                    } else {
                        calls.enter(called, ShortSpot(offset(), length(), index));
                    }
                } else if (!calls.leave(called)) [[unlikely]] {
                    break;
                }
                time += passed;
                method = called;
                ++index;
                cursor = end;
            }
            if (unknown != 0) calls.use(unknown, {offset(), length(), index, &kEnter});
        } while (unknown != 0);
        // Each ENTER opened a call, each LEAVE closed one.
        const uint64_t all = index - event_.index, entered = (all + calls.open() - open_before) / 2;
        taken(Lane::enter) += entered;
        taken(Lane::leave) += all - entered;
    }
    cursor_ = cursor;
    time_ = time;
    layout_.bases[kMethodBase.number] = method;
    event_.index = index;
}

// ENTER, LEAVE or EXC_LEAVE with numbers of any length. False: nothing was done.
template <bool Narrow>
bool EventReader::take_call(Lane lane) {
    if (lane == Lane::none) return false;
    uint64_t passed = 0, distance = 0;
    const uint8_t* end = read_short<false>(cursor_ + 1, passed);
    if (end != nullptr) end = read_short<true>(end, distance);
    if (end == nullptr) return false;
    const uint64_t now = time_ + passed, method = layout_.bases[kMethodBase.number] + distance;
    const uint64_t called = Narrow ? method & 0xffffffff : method;
    if ((Narrow && !fits_32_bits(distance)) || any_negative(now | unless_null(called))) return false;
    const Spot event{at(), static_cast<uint64_t>(end - cursor_), event_.index, &kEnter};
    if (!(lane == Lane::enter ? with_.session.step_enter(called, event) : with_.session.step_leave(called)))
        return false;
    time_ = now;
    layout_.bases[kMethodBase.number] = called;
    cursor_ = end;
    ++taken(lane);
    ++event_.index;
    return true;
}

// A LEAVE that does not match the innermost call is looked up among all open ones, and so may the next ones be:
// prefetches the counts of the next calls.
void EventReader::look_ahead() {
    constexpr unsigned kAhead = 16;  // calls
    if (at() < ahead_) return;
    const uint64_t width = layout_.word_size == 4 ? 0xffffffff : ~uint64_t{0};
    const uint8_t* cursor = cursor_;
    uint64_t method = layout_.bases[kMethodBase.number];
    for (unsigned i = 0; i < kAhead && stop_ - cursor > kRoom; ++i) {
        if (*cursor != kEnter.tag && *cursor != kLeave.tag) break;
        uint64_t passed = 0, distance = 0;
        const uint8_t* end = read_short<false>(cursor + 1, passed);
        if (end != nullptr) end = read_short<true>(end, distance);
        if (end == nullptr) break;
        method = (method + distance) & width;
        with_.session.prefetch_call(method);
        cursor = end;
    }
    ahead_ = at() + static_cast<uint64_t>(cursor - cursor_);
}

template <bool Narrow>
bool EventReader::take_allocs(const uint8_t* last) {
    const AllocLayout layout = alloc_layout();
    const uint8_t* cursor = cursor_;
    uint64_t time = time_, count = 0;
    while (cursor < last && *cursor == kAlloc.tag && take_alloc<Narrow>(layout, cursor, time)) ++count;
    cursor_ = cursor;
    time_ = time;
    taken(Lane::alloc) += count;
    event_.index += count;
    return count != 0;
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
