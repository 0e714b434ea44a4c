// jitdump, section 5.4: DEBUG_INFO, its entries, and the LOAD that each one waits for.
#include "grammars/jitdump/debug_info.hpp"

#include "grammars/jitdump/walk.hpp"
#include "validator/text_scan.hpp"

namespace tracelint::jitdump {
namespace {

constexpr uint64_t kEntriesAt = fixed_size(kDebugInfo);
constexpr uint64_t kSmallestEntry = minimum_size(kDebugEntry);
constexpr uint64_t kNameAt = View<kDebugEntry>::offset_of<"name">();
constexpr const Field& kEntries = View<kDebugInfo>::field<"entries">();

constexpr uint64_t kKeptBytes = 1 << 20;  // memory that is kept from record to record

constexpr uint64_t kElfHeader = 0x40;     // what V8 and LLVM add to the addresses of entries
constexpr uint64_t kBefore = 128;         // how far before the code an entry may lie and still be near it
constexpr uint64_t kBehind = kElfHeader;  // and how far behind it

bool repeats_previous(Bytes name) { return name.size() == 1 && name[0] == 0xff; }

// Whether `address` is in [start - before, start + size + behind]; start + size is at most 2^64.
bool is_within(uint64_t address, uint64_t start, uint64_t size, uint64_t before, uint64_t behind) {
    if (address < start) return start - address <= before;
    const uint64_t distance = address - start;
    return distance <= size || distance - size <= behind;
}

}  // namespace

Place PendingDebug::place_of(const Waiting& waiting) const {
    return View<kDebugInfo>(nullptr, waiting.offset, state_.order, waiting.index).place<"code_addr">();
}

void PendingDebug::debug_info(Bytes record, uint64_t offset, uint64_t index, uint64_t total_size) {
    const View<kDebugInfo> info(record.data(), offset, state_.order, index);
    Waiting waiting{info.get<"code_addr">(), ++records_, offset, index, state_.loads, entries_.size(), 0};
    const bool counted = check_count(info, record.size(), total_size);
    if (counted && !state_.context.budget.allows(info.get<"nr_entry">() * sizeof(Entry))) give_up(info.whole(16));
    const bool whole = counted && walk_entries(info, record);
    if (!whole) entries_.resize(waiting.first);
    waiting.count = entries_.size() - waiting.first;
    recent_.push_back(waiting);
    if (!charge_recent()) give_up(info.whole(16));
}

void PendingDebug::give_up(const Place& record) {
    drop();
    state_.stop_tracking(record);
}

// Rules 52 and 56, which need no entry, and the limits. Whether the entries can be walked.
bool PendingDebug::check_count(const View<kDebugInfo>& info, uint64_t in_view, uint64_t total_size) {
    const uint64_t count = info.get<"nr_entry">(), left = total_size - kEntriesAt, room = left / kSmallestEntry;
    if (count > room) {
        state_.report.add(kDebugEntryCountOverflow, info.place<"nr_entry">(), {count, room});
        return false;
    }
    if (count == 0) state_.report.add(kDebugNoEntries, info.place<"nr_entry">());
    if (in_view == total_size) return true;
    if (count == 0)
        state_.report.add(kDebugTrailingBytes, info.part(kEntriesAt, left), {left});
    else
        state_.leave_out(info.whole(16));
    return false;
}

// Rules 53 to 55. Whether the entries are whole, so that their addresses can be used.
bool PendingDebug::walk_entries(const View<kDebugInfo>& info, Bytes record) {
    const uint64_t count = info.get<"nr_entry">();
    state_.context.work.add(count);
    non_ascii_said_ = false;
    uint64_t at = kEntriesAt, previous = 0;
    for (uint64_t i = 0; i < count; ++i) {
        const View<kDebugEntry> entry(record.data() + at, info.offset() + at, info.order(), info.record_index(),
                                      kEntries, i);
        const uint64_t left = record.size() - at;
        if (left < kNameAt) {
            state_.report.add(kDebugEntryTruncated, entry.whole(left), {i, left});
            return false;
        }
        const uint64_t length = length_to_nul(record.subspan(at + kNameAt));
        if (length == kNone) {
            state_.report.add(kDebugNameUnterminated, entry.place<"name">(kNameAt, left - kNameAt),
                              {i, left - kNameAt});
            return false;
        }
        const bool first = i == 0, last = i + 1 == count;
        check_entry(entry, record.subspan(at + kNameAt, length), previous, first, last);
        previous = entry.get<"addr">();
        if (state_.tracking) [[likely]]
            entries_.push_back({previous, at});
        at += kNameAt + length + 1;
    }
    const Bytes rest = record.subspan(at);
    if (rest.size() > 7 || !all_zero(rest))
        state_.report.add(kDebugTrailingBytes, info.part(at, rest.size()), {rest.size()});
    return true;
}

// Rules 57, 58, 62 to 65 and 82 of one entry.
void PendingDebug::check_entry(const View<kDebugEntry>& entry, Bytes name, uint64_t previous, bool first, bool last) {
    const int64_t line = static_cast<int64_t>(entry.get<"line">());
    if (line < 0) [[unlikely]]
        state_.report.add(kDebugLineInvalid, entry.place<"line">(), {static_cast<uint64_t>(-line)});
    if (line == 0 && (!last || !name.empty())) [[unlikely]]
        state_.report.add(kDebugLineZero, entry.place<"line">());
    if (entry.get<"addr">() < previous) [[unlikely]]
        state_.report.add(kDebugEntryOrder, entry.place<"addr">(), {entry.get<"addr">(), previous});
    const TextScan scan = scan_text(name);
    if (scan.non_ascii != kNone) [[unlikely]]
        check_name(entry, name, scan, first);
}

// The rules of names that are not plain ASCII.
void PendingDebug::check_name(const View<kDebugEntry>& entry, Bytes name, const TextScan& scan, bool first) {
    if (repeats_previous(name)) {
        if (first) return state_.report.add(kDebugNameRepeatFirst, entry.place<"name">(kNameAt, 2));
        if (!std::exchange(repeat_said_, true)) state_.report.add(kDebugNameRepeat, entry.place<"name">(kNameAt, 2));
        return;
    }
    if (scan.ill_formed != kNone)
        return state_.report.add(kDebugNameInvalidUtf8, entry.place<"name">(kNameAt + scan.ill_formed, 1),
                                 {scan.ill_formed, name[scan.ill_formed]});
    if (!std::exchange(non_ascii_said_, true))
        state_.report.add(kDebugNameNonAscii, entry.place<"name">(kNameAt + scan.non_ascii, 1), {scan.non_ascii});
}

void PendingDebug::load(uint64_t code_addr, uint64_t size) {
    if (!state_.tracking) [[unlikely]]
        return drop();
    if (!older_.empty()) [[unlikely]]
        settle_older(code_addr, size);
    for (const Waiting& waiting : recent_) {
        if (waiting.code_addr == code_addr)
            settle(waiting, std::span(entries_).subspan(waiting.first, waiting.count), size);
        else if (!make_older(waiting))
            return;
    }
    clear_recent();
}

void PendingDebug::settle_older(uint64_t code_addr, uint64_t size) {
    for (;;) {
        const Older* next = older_.at_or_after({code_addr, 0});
        if (next == nullptr || next->key.code_addr != code_addr) return;
        const Waiting waiting = take_older(*next);
        settle(waiting, std::span(older_entries_).subspan(waiting.first, waiting.count), size);
    }
}

// The LOAD of `waiting` has come (rules 68 and 59 to 61).
void PendingDebug::settle(const Waiting& waiting, std::span<const Entry> entries, uint64_t size) {
    if (waiting.loads != state_.loads || waiting.number != records_)
        state_.report.add(kDebugNotAdjacent, place_of(waiting), {waiting.code_addr});
    if (size != kNone && !entries.empty()) check_addresses(waiting, entries, size);
}

void PendingDebug::check_addresses(const Waiting& waiting, std::span<const Entry> entries, uint64_t size) {
    const uint64_t start = waiting.code_addr;
    const auto outside = [&](const Entry& entry) { return !is_within(entry.address, start, size, 0, 0); };
    if (entries[0].address - start != kElfHeader && std::none_of(entries.begin(), entries.end(), outside)) [[likely]]
        return;

    const auto place = [&](const Entry& entry) {
        const auto element = static_cast<uint64_t>(&entry - entries.data());
        return View<kDebugEntry>(nullptr, waiting.offset + entry.at, state_.order, waiting.index, kEntries, element)
            .place<"addr">();
    };
    // Rule 59: all in [start + 0x40, start + size + 0x40]. That one shows that this is no accident is known already.
    const bool shifted = std::all_of(entries.begin(), entries.end(), [&](const Entry& entry) {
        return entry.address >= start && entry.address - start >= kElfHeader &&
               entry.address - start - kElfHeader <= size;
    });
    if (shifted) {
        if (!std::exchange(bias_said_, true)) state_.report.add(kDebugEntryElfBias, place(entries[0]), {start});
        return;
    }
    for (const Entry& entry : entries) {
        if (!outside(entry)) continue;
        const bool near = is_within(entry.address, start, size, kBefore, kBehind);
        state_.report.add(near ? kDebugEntryNearCode : kDebugEntryOutOfRange, place(entry),
                          {entry.address, start, size});
    }
}

bool PendingDebug::make_older(const Waiting& waiting) {
    Older older{{waiting.code_addr, waiting.number}, waiting};
    older.waiting.first = older_entries_.size();
    const auto from = entries_.begin() + static_cast<std::ptrdiff_t>(waiting.first);
    if (older_.insert(older)) {
        older_entries_.insert(older_entries_.end(), from, from + static_cast<std::ptrdiff_t>(waiting.count));
        if (charge_older()) return true;
    }
    give_up(View<kDebugInfo>(nullptr, waiting.offset, state_.order, waiting.index).whole(16));
    return false;
}

bool PendingDebug::charge_older() {
    const uint64_t now = older_entries_.capacity() * sizeof(Entry);
    if (now <= older_charged_) return true;
    if (!state_.context.budget.take(now - older_charged_)) return false;
    older_charged_ = now;
    return true;
}

// Takes one out of the table. Its entries stay until the next call.
PendingDebug::Waiting PendingDebug::take_older(const Older& found) {
    // Looks at all that wait, so at least as many entries must have died since the last time.
    if (older_dead_ > older_entries_.size() / 2 && older_dead_ > older_.size()) compact_older();
    const Waiting waiting = found.waiting;
    older_dead_ += waiting.count;
    older_.erase({waiting.code_addr, waiting.number});
    return waiting;
}

// Gives up the entries that nobody waits for.
void PendingDebug::compact_older() {
    std::vector<Entry> alive;
    alive.reserve(older_entries_.size() - older_dead_);
    older_.for_each([&](Older& older) {
        const auto from = older_entries_.begin() + static_cast<std::ptrdiff_t>(older.waiting.first);
        older.waiting.first = alive.size();
        alive.insert(alive.end(), from, from + static_cast<std::ptrdiff_t>(older.waiting.count));
    });
    state_.context.work.add(older_.size() + alive.size());
    older_entries_ = std::move(alive);
    older_dead_ = 0;
    state_.context.budget.give_back(std::exchange(older_charged_, 0));
    (void)charge_older();  // less than before
}

// Charges what the recent ones have grown by; vectors are charged as they are allocated.
bool PendingDebug::charge_recent() {
    const uint64_t now = recent_.capacity() * sizeof(Waiting) + entries_.capacity() * sizeof(Entry);
    if (now <= recent_charged_) return true;
    if (!state_.context.budget.take(now - recent_charged_)) return false;
    recent_charged_ = now;
    return true;
}

// The vectors keep their memory for the next record, unless this one was out of the ordinary.
void PendingDebug::clear_recent() {
    recent_.clear();
    entries_.clear();
    if (recent_charged_ <= kKeptBytes) [[likely]]
        return;
    recent_ = std::vector<Waiting>();  // where {} alone would keep the memory
    entries_ = std::vector<Entry>();
    state_.context.budget.give_back(std::exchange(recent_charged_, 0));
}

void PendingDebug::report_unsettled(const Waiting& waiting) {
    const bool loaded_before = state_.code_addresses.find(waiting.code_addr) != nullptr;
    state_.report.add(loaded_before ? kDebugAfterLoad : kDebugOrphan, place_of(waiting), {waiting.code_addr});
}

void PendingDebug::end() {
    if (!state_.tracking) return drop();
    older_.for_each([&](const Older& older) { report_unsettled(older.waiting); });
    for (const Waiting& waiting : recent_) report_unsettled(waiting);
    drop();
}

void PendingDebug::drop() {
    older_.clear();
    older_entries_ = std::vector<Entry>();
    older_dead_ = 0;
    state_.context.budget.give_back(std::exchange(older_charged_, 0));
    clear_recent();
}

}  // namespace tracelint::jitdump
