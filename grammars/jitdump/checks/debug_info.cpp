// DEBUG_INFO, its entries, and the LOAD that it waits for (sections 3.5, 4.4 and 5.4).
#include "grammars/jitdump/checks/debug_info.hpp"

#include "validator/tables/text_scan.hpp"

namespace tracelint::jitdump {
namespace {

constexpr uint64_t kEntriesAt = fixed_size(kDebugInfo);
constexpr uint64_t kSmallestEntry = minimum_size(kDebugEntry);
constexpr uint64_t kEntryNameAt = View<kDebugEntry>::offset_of<"name">();
constexpr const Field& kEntries = View<kDebugInfo>::field<"entries">();

constexpr uint64_t kKeptBytes = 1 << 20;  // of memory that is reused from record to record

constexpr uint64_t kElfHeader = 0x40;  // bytes that V8 and LLVM add to the addresses of entries
// How many bytes outside the code an entry still counts as near it.
constexpr uint64_t kNearBefore = 128;
constexpr uint64_t kNearAfter = kElfHeader;

bool repeats_previous(Bytes name) { return name.size() == 1 && name[0] == 0xff; }

// Whether `address` is in [start - before, start + size + after]; start + size is at most 2^64.
bool is_within(uint64_t address, uint64_t start, uint64_t size, uint64_t before, uint64_t after) {
    if (address < start) return start - address <= before;
    const uint64_t distance = address - start;
    return distance <= size || distance - size <= after;
}

}  // namespace

void EntryFaults::add(const Diagnostic& finding) {
    if (context_.limit_hit) {
        return;
    } else if (garbled_) {
        ++others_;
    } else if (!is_holding_) {
        context_.report.add(finding);
    } else if (held_.size() < kHeld) {
        held_.push_back(finding);
    } else {
        release();
        context_.report.add(finding);
    }
}

void EntryFaults::add_garbled(const Diagnostic& finding) {
    if (garbled_) {
        ++others_;
        return;
    }
    garbled_ = finding;
    others_ = held_.size();
    held_.clear();
}

// Whatever the cause is, it is not that.
void EntryFaults::release() {
    for (const Diagnostic& finding : held_) context_.report.add(finding);
    held_.clear();
    is_holding_ = false;
}

void EntryFaults::finish() {
    if (context_.limit_hit) held_.clear();
    release();
    if (!garbled_ || context_.limit_hit) return;
    garbled_->numbers[2] = others_;
    garbled_->is_overridden = others_ != 0;
    context_.report.add(*garbled_);
    garbled_.reset();
}

Place PendingDebug::place_of(const Pending& pending) const {
    return View<kDebugInfo>(nullptr, pending.offset, state_.order, pending.index).place<"code_addr">();
}

void PendingDebug::debug_info(Bytes record, uint64_t offset, uint64_t index, uint64_t total_size) {
    const View<kDebugInfo> info(record.data(), offset, state_.order, index);
    Pending pending{info.get<"code_addr">(), ++records_, offset, index, state_.loads, entries_.size(), 0};
    const bool counted = check_count(info, record.size(), total_size);
    // The record is large enough for as many entries.
    if (counted && state_.tracking && !entries_.reserve(entries_.size() + info.get<"nr_entry">()))
        stop_tracking(info.whole(fixed_size(kPrefix)));
    const bool whole = counted && walk_entries(info, record);
    if (!whole && state_.tracking) entries_.keep_first(pending.first);
    pending.count = entries_.size() - pending.first;
    if (state_.tracking && !recent_.push_back(pending)) stop_tracking(info.whole(fixed_size(kPrefix)));
}

void PendingDebug::stop_tracking(const Place& record) {
    drop();
    state_.stop_tracking(record);
}

constexpr Rule kDebugEntryCountOverflow{
    .id = "jitdump/debug-entry-count-overflow",
    .severity = Severity::error,
    .statement = "nr_entry entries fit into the record",
    .message = "nr_entry is {0}, but the record has room for at most {1 entry|entries}",
    .why = "perf corrupts its heap or crashes; samply's reader panics on the largest counts",
    .spec = "3.5 JIT_CODE_DEBUG_INFO (2)",
    .since = "0.1.0",
};

constexpr Rule kDebugNoEntries{
    .id = "jitdump/debug-no-entries",
    .severity = Severity::note,
    .statement = "a DEBUG_INFO has entries",
    .message = "nr_entry is 0",
    .why = "the record carries no information; perf leaks it",
    .spec = "3.5 JIT_CODE_DEBUG_INFO (2)",
    .since = "0.1.0",
};

constexpr Rule kDebugTrailingBytes{
    .id = "jitdump/debug-trailing-bytes",
    .severity = Severity::warning,
    .statement = "at most 7 zero bytes follow the last entry",
    .message = "{0 byte follows|bytes follow} the last entry; expected at most 7 zero bytes of padding",
    .why =
        "readers ignore them, but the entries before them are probably garbage: Node writes freed memory as file "
        "names, and a NUL in one shifts all later entries",
    .spec = "3.5 JIT_CODE_DEBUG_INFO (2)",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

// Checks what needs no entry. Whether the entries can be walked.
bool PendingDebug::check_count(const View<kDebugInfo>& info, uint64_t in_view, uint64_t total_size) {
    const uint64_t count = info.get<"nr_entry">(), left = total_size - kEntriesAt, room = left / kSmallestEntry;
    if (count > room) {
        state_.report.add<kDebugEntryCountOverflow>(info.place<"nr_entry">(), {count, room});
        return false;
    }
    if (count == 0) state_.report.add<kDebugNoEntries>(info.place<"nr_entry">());
    if (in_view == total_size) return true;
    if (count == 0) {
        state_.report.add<kDebugTrailingBytes>(info.part(kEntriesAt, left), {left});
        return false;
    }
    state_.leave_unchecked(info.whole(fixed_size(kPrefix)), total_size);
    // What is reported at its first place in the file may have been in this record.
    repeat_reported_ = bias_reported_ = true;
    return false;
}

constexpr Rule kDebugEntryTruncated{
    .id = "jitdump/debug-entry-truncated",
    .severity = Severity::error,
    .statement = "every entry has its address, line and discriminator",
    .message = "entry {0} needs 16 bytes, but only {1 byte is|bytes are} left in the record",
    .why = "perf reads past the end of the record; samply's reader stops with an error",
    .spec = "3.5.1 debug_entry",
    .since = "0.1.0",
};

constexpr Rule kDebugNameUnterminated{
    .id = "jitdump/debug-name-unterminated",
    .severity = Severity::error,
    .statement = "the file name of an entry ends in a NUL inside the record",
    .message = "the file name of entry {0} has no terminating NUL in the {1 byte|bytes} left in the record",
    .why = "perf reads past the end of the record; samply's reader stops with an error",
    .spec = "3.5.1 debug_entry",
    .since = "0.1.0",
};

// Whether all entries are complete, so that their addresses can be used.
bool PendingDebug::walk_entries(const View<kDebugInfo>& info, Bytes record) {
    const uint64_t count = info.get<"nr_entry">();
    state_.context.work.add(count);
    non_ascii_reported_ = false;
    uint64_t at = kEntriesAt, previous = 0;
    for (uint64_t i = 0; i < count; ++i) {
        const View<kDebugEntry> entry(record.data() + at, info.offset() + at, info.order(), info.record_index(),
                                      kEntries, i);
        const uint64_t left = record.size() - at;
        if (left < kEntryNameAt) {
            state_.report.add<kDebugEntryTruncated>(entry.whole(left), {i, left});
            return false;
        }
        const EndedText name = ended_text(record.subspan(at + kEntryNameAt));
        if (name.length == kNone) {
            state_.report.add<kDebugNameUnterminated>(entry.place<"name">(kEntryNameAt, left - kEntryNameAt),
                                                      {i, left - kEntryNameAt});
            return false;
        }
        const bool first = i == 0, last = i + 1 == count;
        check_entry(entry, previous, name.length == 0, last);
        if (!name.is_ascii) [[unlikely]]
            check_name(entry, record.subspan(at + kEntryNameAt, name.length), first);
        previous = entry.get<"addr">();
        if (state_.tracking) [[likely]]
            (void)entries_.push_back({previous, at});  // there is room
        at += kEntryNameAt + name.length + 1;
    }
    const Bytes rest = record.subspan(at);
    if (rest.size() > kMostPadding || !all_zero(rest))
        faults_.add<kDebugTrailingBytes>(info.part(at, rest.size()), {rest.size()});
    return true;
}

constexpr Rule kDebugLineInvalid{
    .id = "jitdump/debug-line-invalid",
    .severity = Severity::warning,
    .statement = "line is below 2^31",
    .message = "line is -{0} as a signed number",
    .why = "readers store lines in a signed integer and show nonsense",
    .spec = "3.5.1 debug_entry",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kDebugLineZero{
    .id = "jitdump/debug-line-zero",
    .severity = Severity::note,
    .statement = "lines are counted from 1",
    .message = "line is 0",
    .why = "readers show line 0; in DWARF it means that the code belongs to no line",
    .spec = "3.5.1 debug_entry",
    .since = "0.1.0",
};

constexpr Rule kDebugEntryOrder{
    .id = "jitdump/debug-entry-order",
    .severity = Severity::warning,
    .statement = "the addresses of the entries ascend",
    .message = "address {0x} is below {1x}, the address of the previous entry",
    .why = "samply finds entries by binary search and shows wrong lines",
    .spec = "3.5.1 debug_entry",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

// `unnamed`: its file name is empty.
inline void PendingDebug::check_entry(const View<kDebugEntry>& entry, uint64_t previous, bool unnamed, bool last) {
    const int64_t line = static_cast<int64_t>(entry.get<"line">());
    if (line < 0) [[unlikely]]
        faults_.add<kDebugLineInvalid>(entry.place<"line">(), {static_cast<uint64_t>(-line)});
    if (line == 0 && (!last || !unnamed)) [[unlikely]]
        state_.report.add<kDebugLineZero>(entry.place<"line">());
    if (entry.get<"addr">() < previous) [[unlikely]]
        faults_.add<kDebugEntryOrder>(entry.place<"addr">(), {entry.get<"addr">(), previous});
}

constexpr Rule kDebugNameRepeatFirst{
    .id = "jitdump/debug-name-repeat-first",
    .severity = Severity::warning,
    .statement = "the first entry of a record has a file name of its own",
    .message = "the first entry repeats the previous file name (FF 00), but no name precedes it",
    .why = "readers show no file, or a file named by the byte FF",
    .spec = "3.5.1 debug_entry",
    .since = "0.1.0",
};

constexpr Rule kDebugNameRepeat{
    .id = "jitdump/debug-name-repeat",
    .severity = Severity::note,
    .statement = "every entry has its file name",
    .message = "the entry repeats the previous file name with the bytes FF 00",
    .why = "perf up to 6.1 and samply's reader show a file named by the byte FF; Node 18 writes this",
    .spec = "3.5.1 debug_entry",
    .since = "0.1.0",
};

constexpr Rule kDebugNameInvalidUtf8{
    .id = "jitdump/debug-name-invalid-utf8",
    .severity = Severity::warning,
    .statement = "file names are valid UTF-8",
    .message = "the file name has invalid UTF-8 at byte {0} ({1x})",
    .why = "readers show replacement characters or no file; Node writes freed memory here",
    .spec = "3.5.1 debug_entry; 5.4 JIT_CODE_DEBUG_INFO",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
    .severity_override =
        SeverityOverride{
            .severity = Severity::warning,
            .when = "entries have more faults, which such names may have caused",
            .message = "the file name has invalid UTF-8 at byte {0} ({1x}); {2 more fault|more faults} in entries, "
                       "here and elsewhere, may have the same cause",
            .why = "Node 16 to 20 write freed memory as file names, and a NUL in one shifts all later entries of its "
                   "record: readers show wrong files and lines, and the right names of functions"},
};

constexpr Rule kDebugNameNonAscii{
    .id = "jitdump/debug-name-non-ascii",
    .severity = Severity::note,
    .statement = "file names are ASCII",
    .message = "the file name has a non-ASCII character at byte {0}",
    .why = "the specification demands ASCII; all known readers accept UTF-8",
    .spec = "3.5.1 debug_entry",
    .since = "0.1.0",
};

// Checks a name that is not plain ASCII.
void PendingDebug::check_name(const View<kDebugEntry>& entry, Bytes name, bool first) {
    if (repeats_previous(name)) {
        if (first) return state_.report.add<kDebugNameRepeatFirst>(entry.place<"name">(kEntryNameAt, 2));
        if (!std::exchange(repeat_reported_, true))
            state_.report.add<kDebugNameRepeat>(entry.place<"name">(kEntryNameAt, 2));
        return;
    }
    const TextScan scan = scan_text(name);
    if (scan.ill_formed != kNone)
        return faults_.add_garbled({.rule = &kDebugNameInvalidUtf8,
                                    .place = entry.place<"name">(kEntryNameAt + scan.ill_formed, 1),
                                    .numbers = {scan.ill_formed, name[scan.ill_formed]}});
    if (!std::exchange(non_ascii_reported_, true))
        state_.report.add<kDebugNameNonAscii>(entry.place<"name">(kEntryNameAt + scan.non_ascii, 1), {scan.non_ascii});
}

void PendingDebug::load(uint64_t code_addr, uint64_t size) {
    if (!state_.tracking) [[unlikely]]
        return drop();
    if (!older_.empty()) [[unlikely]]
        settle_older(code_addr, size);
    for (const Pending& pending : recent_) {
        if (pending.code_addr == code_addr)
            settle(pending, std::span(entries_).subspan(pending.first, pending.count), size);
        else if (!make_older(pending))
            return;
    }
    clear_recent();
}

void PendingDebug::settle_older(uint64_t code_addr, uint64_t size) {
    for (;;) {
        const Older* next = older_.at_or_after({code_addr, 0});
        if (next == nullptr || next->key.code_addr != code_addr) return;
        const Pending pending = take_older(*next);
        settle(pending, std::span(older_entries_).subspan(pending.first, pending.count), size);
    }
}

constexpr Rule kDebugNotAdjacent{
    .id = "jitdump/debug-not-adjacent",
    .severity = Severity::warning,
    .statement = "no other LOAD or DEBUG_INFO comes between a DEBUG_INFO and its LOAD",
    .message = "another LOAD or DEBUG_INFO comes between this DEBUG_INFO and the LOAD of its function at {0x}",
    .why =
        "perf and samply attach the last DEBUG_INFO to the next LOAD and ignore the addresses: one function gets wrong "
        "lines, another none",
    .spec = "4.4 DEBUG_INFO and its LOAD",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

// Called when the LOAD of `waiting` arrives.
void PendingDebug::settle(const Pending& pending, std::span<const Entry> entries, uint64_t size) {
    if (pending.loads != state_.loads || pending.number != records_)
        state_.report.add<kDebugNotAdjacent>(place_of(pending), {pending.code_addr});
    if (size != kNone && !entries.empty()) check_addresses(pending, entries, size);
}

constexpr Rule kDebugEntryElfBias{
    .id = "jitdump/debug-entry-elf-bias",
    .severity = Severity::note,
    .statement = "the addresses of entries are addresses of the code",
    .message = "the entries are 0x40 bytes above their code at {0x}, as V8 and LLVM write them",
    .why =
        "writers add the size of an ELF header for old readers; current perf and samply show these lines 0x40 bytes "
        "too late",
    .spec = "3.5.1 debug_entry; 5.4 JIT_CODE_DEBUG_INFO",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kDebugEntryOutOfRange{
    .id = "jitdump/debug-entry-out-of-range",
    .severity = Severity::warning,
    .statement = "the addresses of entries are in the code of their function",
    .message = "address {0x} is far from the code ({2 byte|bytes} at {1x})",
    .why = "readers show the line for other code, or not at all",
    .spec = "3.5.1 debug_entry; 5.4 JIT_CODE_DEBUG_INFO",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kDebugEntryNearCode{
    .id = "jitdump/debug-entry-near-code",
    .severity = Severity::note,
    .statement = "the addresses of entries are in the code of their function",
    .message = "address {0x} is just outside the code ({2 byte|bytes} at {1x})",
    .why = "no sample ever shows this line; Erlang marks the header of each function with such an entry",
    .spec = "3.5.1 debug_entry; 5.4 JIT_CODE_DEBUG_INFO",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

// Compares the addresses of the entries with the code (section 5.4).
void PendingDebug::check_addresses(const Pending& pending, std::span<const Entry> entries, uint64_t size) {
    const uint64_t start = pending.code_addr;
    const auto outside = [&](const Entry& entry) { return !is_within(entry.address, start, size, 0, 0); };
    if (entries[0].address - start != kElfHeader && std::none_of(entries.begin(), entries.end(), outside)) [[likely]]
        return;

    const auto place = [&](const Entry& entry) {
        const auto element = static_cast<uint64_t>(&entry - entries.data());
        return View<kDebugEntry>(nullptr, pending.offset + entry.at, state_.order, pending.index, kEntries, element)
            .place<"addr">();
    };
    // All in [start + 0x40, start + size + 0x40]. That this is no coincidence was established above: one is outside
    // [start, start + size], or the first is exactly at start + 0x40.
    const bool shifted = std::all_of(entries.begin(), entries.end(), [&](const Entry& entry) {
        return entry.address >= start && entry.address - start >= kElfHeader &&
               entry.address - start - kElfHeader <= size;
    });
    if (shifted) {
        if (!std::exchange(bias_reported_, true)) state_.report.add<kDebugEntryElfBias>(place(entries[0]), {start});
        return;
    }
    for (const Entry& entry : entries) {
        if (!outside(entry)) continue;
        if (is_within(entry.address, start, size, kNearBefore, kNearAfter))
            state_.report.add<kDebugEntryNearCode>(place(entry), {entry.address, start, size});
        else
            faults_.add<kDebugEntryOutOfRange>(place(entry), {entry.address, start, size});
    }
}

bool PendingDebug::make_older(const Pending& pending) {
    Older older{{pending.code_addr, pending.number}, pending};
    older.pending.first = older_entries_.size();
    if (!older_entries_.reserve(older_entries_.size() + pending.count) || !older_.insert(older)) {
        stop_tracking(
            View<kDebugInfo>(nullptr, pending.offset, state_.order, pending.index).whole(fixed_size(kPrefix)));
        return false;
    }
    for (size_t i = pending.first; i < pending.first + pending.count; ++i)
        (void)older_entries_.push_back(entries_[i]);  // there is room
    return true;
}

// Removes a record from the table. Its entries remain until the next call.
PendingDebug::Pending PendingDebug::take_older(const Older& found) {
    // Compacting visits all records and entries that remain, so it waits until as many entries are dead.
    if (older_dead_ > older_entries_.size() / 2 && older_dead_ > older_.size()) compact_older();
    const Pending pending = found.pending;
    older_dead_ += pending.count;
    older_.erase({pending.code_addr, pending.number});
    return pending;
}

// Frees the entries of settled records, unless the budget does not allow for a copy of the others.
void PendingDebug::compact_older() {
    BudgetedVector<Entry> alive(state_.context.budget);
    if (!alive.reserve(older_entries_.size() - older_dead_)) return;
    older_.for_each([&](Older& older) {
        const size_t first = older.pending.first;
        older.pending.first = alive.size();
        for (size_t i = first; i < first + older.pending.count; ++i) (void)alive.push_back(older_entries_[i]);
    });
    state_.context.work.add(older_.size() + alive.size());
    older_entries_.swap(alive);
    older_dead_ = 0;
}

// The vectors keep their memory for the next record, unless this one was unusually large.
void PendingDebug::clear_recent() {
    recent_.clear();
    entries_.clear();
    if (recent_.charged() + entries_.charged() <= kKeptBytes) [[likely]]
        return;
    recent_.release();
    entries_.release();
}

constexpr Rule kDebugOrphan{
    .id = "jitdump/debug-orphan",
    .severity = Severity::warning,
    .statement = "the LOAD of the function follows its DEBUG_INFO",
    .message = "no LOAD with code_addr {0x} follows this DEBUG_INFO before CLOSE or the end of the file",
    .why = "readers attach the lines to whichever function is loaded next, or to none",
    .spec = "4.4 DEBUG_INFO and its LOAD",
    .since = "0.1.0",
    .about_end = true,
    .depends_on = {.later_records = true},
};

constexpr Rule kDebugAfterLoad{
    .id = "jitdump/debug-after-load",
    .severity = Severity::error,
    .statement = "DEBUG_INFO precedes the LOAD of its function",
    .message = "the function at {0x} was loaded before its DEBUG_INFO",
    .why = "perf attaches the lines to the function that is loaded next",
    .spec = "4.4 DEBUG_INFO and its LOAD",
    .since = "0.1.0",
    .about_end = true,
    .depends_on = {.later_records = true},
};

void PendingDebug::report_unsettled(const Pending& pending) {
    if (state_.code.was_loaded_at(pending.code_addr))
        state_.report.add<kDebugAfterLoad>(place_of(pending), {pending.code_addr});
    else
        state_.report.add<kDebugOrphan>(place_of(pending), {pending.code_addr});
}

void PendingDebug::end() {
    if (!state_.tracking) return drop();
    older_.for_each([&](const Older& older) { report_unsettled(older.pending); });
    for (const Pending& pending : recent_) report_unsettled(pending);
    drop();
}

void PendingDebug::drop() {
    older_.clear();
    older_entries_.release();
    older_dead_ = 0;
    clear_recent();
}

constinit const RuleList kDebugInfoRules =
    rules<&kDebugEntryCountOverflow, &kDebugNoEntries, &kDebugTrailingBytes, &kDebugEntryTruncated,
          &kDebugNameUnterminated, &kDebugLineInvalid, &kDebugLineZero, &kDebugEntryOrder, &kDebugNameRepeatFirst,
          &kDebugNameRepeat, &kDebugNameInvalidUtf8, &kDebugNameNonAscii, &kDebugNotAdjacent, &kDebugEntryElfBias,
          &kDebugEntryOutOfRange, &kDebugEntryNearCode, &kDebugOrphan, &kDebugAfterLoad>;

}  // namespace tracelint::jitdump
