// jitdump: LOAD records in bulk, with prefetching.
#include "grammars/jitdump/lane.hpp"

#include "grammars/jitdump/walk.hpp"

namespace tracelint::jitdump {

// Prefetching for the LOADs after the cursor (sections 4.2 and 4.3).

namespace {

constexpr uint64_t kReach = 1024;  // bytes after the cursor: many records if they are small

}  // namespace

// Looks at two records for each one that is checked, until it is far enough ahead.
void Prefetcher::advance(Bytes in_view, uint64_t offset) {
    next_ = std::max(next_, offset);
    for (int records = 0; records < 2 && next_ - offset < std::min<uint64_t>(kReach, in_view.size()); ++records) {
        const Bytes rest = in_view.subspan(next_ - offset);
        if (rest.size() < minimum_size(kLoad)) return;
        const View<kLoad> load(rest.data(), next_, state_.order, kNone);
        const uint64_t total_size = load.get<"total_size">();
        if (total_size < fixed_size(kPrefix) || total_size > in_view.size()) return;
        if (load.get<"id">() == kLoadId) prefetch(load);
        next_ += total_size;
    }
}

void Prefetcher::prefetch(const View<kLoad>& load) {
    const Load seen{static_cast<uint32_t>(load.get<"pid">()), load.get<"code_index">(), load.get<"code_addr">()};
    state_.functions.prefetch_group(seen.pid, seen.index);
    state_.code.prefetch_group(seen.pid, seen.address);
    loads_.add(seen, [this](const Load& earlier) {
        state_.functions.prefetch(earlier.pid, earlier.index);
        state_.code.prefetch(earlier.pid, earlier.address);
    });
}

// The lane of the most frequent records: LOADs without a fault, and the records that belong to one. It leaves every
// record that is not in view as a whole, and every LOAD that is not the next one in all respects, to the tables.

namespace {

constexpr uint64_t kNameAt = View<kLoad>::offset_of<"name">();
constexpr uint64_t kLargest = kFreeWindow / 2;  // bytes of a record; as many can always be in view

// Whether no check of the LOAD by itself reports anything (section 5.3).
bool is_sound(const View<kLoad>& load, Bytes record, uint32_t header_pid) {
    const EndedText name = ended_text(record.subspan(kNameAt));
    const uint64_t address = load.get<"code_addr">(), size = load.get<"code_size">();
    return name.is_ascii && name.length > 0 && size == record.size() - (kNameAt + name.length + 1) && size > 0 &&
           address != 0 && address == load.get<"vma">() && !ends_above_2_64(address, size) &&
           load.get<"pid">() == header_pid;
}

}  // namespace

void Walk::take_lane() {
    if (mode_ == WalkMode::plain || phase_ != Phase::records) return;
    if (state_.order == ByteOrder::little)
        take_lane_in<ByteOrder::little>();
    else
        take_lane_in<ByteOrder::big>();
}

template <ByteOrder Order>
void Walk::take_lane_in() {
    const uint64_t largest = std::min(state_.context.limits.record, kLargest);
    Bytes in_view = window_.view(offset_, fixed_size(kPrefix));
    while (in_view.size() >= fixed_size(kPrefix)) {
        const View<kPrefix> prefix(in_view.data(), offset_, Order, index_);
        const uint64_t total_size = prefix.get<"total_size">(), id = prefix.get<"id">();
        if (total_size > in_view.size() || total_size > largest) return;
        const Bytes record = in_view.first(total_size);
        if (id == kLoadId && total_size >= minimum_size(kLoad)) {
            if (!take_next_load({record.data(), offset_, Order, index_}, record)) return;
        } else if (id == kDebugInfoId && total_size >= minimum_size(kDebugInfo)) {
            take_whole(Symbol::debug_info, record);
        } else if (id == kUnwindingInfoId && total_size >= minimum_size(kUnwindingInfo)) {
            take_whole(Symbol::unwinding_info, record);
        } else {
            return;
        }
        in_view = in_view.subspan(total_size);
    }
}

// Takes a LOAD if there is nothing to report about it: the function and its code are the next ones of those that are
// remembered. False: nothing has changed.
inline bool Walk::take_next_load(const View<kLoad>& load, Bytes record) {
    if (!is_sound(load, record, state_.header_pid) || !clock_.ascends_to(load.get<"timestamp">())) return false;
    const auto pid = static_cast<uint32_t>(load.get<"pid">()), size = static_cast<uint32_t>(load.get<"code_size">());
    const uint64_t address = load.get<"code_addr">();
    if (!state_.functions.is_next(pid, load.get<"code_index">())) return false;
    if (!state_.code.load_at_tail({pid, size, address, offset_})) return false;
    state_.functions.append({address, offset_, size});
    clock_.ascend(load.get<"timestamp">(), offset_, index_);
    tell(load, record.size());
    ++complete_;
    ++by_symbol_[static_cast<size_t>(Symbol::load)];
    if (pending_unwinding_.waits()) {
        pending_unwinding_.check_extent(state_, load, pid, address, size);
        pending_unwinding_.check_range(state_, address, size);
    }
    settle_load({.code_addr = address, .size = size, .standard_addr = address, .standard_size = size});
    offset_ += record.size();
    ++index_;
    return true;
}

// What the machine does with a complete record of one of these kinds.
void Walk::take_whole(Symbol symbol, Bytes record) {
    input_.symbol = symbol;
    input_.bytes = record;
    input_.total_size = record.size();
    accept(symbol);
}

}  // namespace tracelint::jitdump
