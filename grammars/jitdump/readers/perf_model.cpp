// perf, followed through a dump: each record in turn.
#include "grammars/jitdump/readers/perf_model.hpp"

#include <algorithm>
#include <utility>

#include "grammars/jitdump/checks/header.hpp"
#include "validator/readers/follow_context.hpp"
#include "validator/tables/view.hpp"

namespace tracelint::jitdump {

constinit const Rule kPerfEmptyCode{
    .id = "reader/perf-empty-code",
    .severity = Severity::error,
    .statement = "perf reads functions without code if no other function has the same address",
    .message = "perf may hang at this function: a function without code begins inside the one that it overlaps",
    .why =
        "before perf adds this function it trims the mappings of both, and if both begin at the same address it may do "
        "so forever; leave out functions with code_size 0",
    .spec = "grammars/jitdump/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constinit const Rule kPerfLineTable{
    .id = "reader/perf-line-table",
    .severity = Severity::error,
    .statement = "perf stays inside the line tables of a big-endian dump",
    .message = "perf writes past the end of its copy of this line table",
    .why =
        "it swaps the bytes of the entries as if each had 16 bytes, so it no longer finds the ends of their names; "
        "whether it crashes depends on the memory after the copy",
    .spec = "grammars/jitdump/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constinit const Rule kPerfMove{
    .id = "reader/perf-move",
    .severity = Severity::error,
    .statement = "perf 7.2 reads dumps in which no function moves",
    .message = "perf 7.2 crashes at the first JIT_CODE_MOVE",
    .why =
        "perf inject follows a null pointer there, and no function of this dump gets its name; use another version of "
        "perf, or write a JIT_CODE_LOAD with an index of its own at the new address",
    .spec = "grammars/jitdump/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constinit const Rule kPerfBuildId{
    .id = "reader/perf-build-id",
    .severity = Severity::error,
    .statement = "perf 7.2 reads functions whose code_size fits into their record",
    .message = "perf 7.2 crashes at this function: its code_size is far larger than the record",
    .why =
        "perf hashes the code for a build id, and looks for it code_size bytes before the end of the record; set "
        "code_size to the number of code bytes in the record",
    .spec = "grammars/jitdump/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

PerfMappings::Start* PerfMappings::at(uint64_t address) {
    if (Start* const known = starts_.find(address)) return known;
    return starts_.insert({address}) ? starts_.find(address) : nullptr;
}

// What is left of a mapping that ends behind the new one. False: the budget is spent.
bool PerfMappings::keep_rest(uint64_t start, uint64_t end) {
    if (end <= start) return true;
    Start* const rest = at(start);
    if (rest != nullptr) rest->end = end;
    return rest != nullptr;
}

PerfMappings::Added PerfMappings::add(uint64_t start, uint64_t size) {
    if (size > ~start) return Added::done;
    const uint64_t end = start + size;
    if (Start* const before = starts_.before(start); before != nullptr && before->end > start) {
        if (before->has_empty) return Added::hangs;
        const uint64_t old_end = std::exchange(before->end, start);
        if (!keep_rest(end, old_end)) return Added::no_memory;
    }
    for (Start* next = starts_.at_or_after(start); next != nullptr && next->key < end;
         next = starts_.at_or_after(start)) {
        const Start cut = *next;
        starts_.erase(cut.key);
        if (!keep_rest(end, cut.end)) return Added::no_memory;
    }
    Start* const added = at(start);
    if (added == nullptr) return Added::no_memory;
    if (size == 0)
        added->has_empty = true;
    else
        added->end = end;
    return Added::done;
}

namespace {

constexpr uint64_t kEntry = 16;   // bytes of an entry before its name: its address, its line and its discriminator
constexpr uint64_t kAddress = 8;  // bytes of the address

// The bytes of the copy, as glibc allocates them.
constexpr uint64_t allocated(uint64_t size) { return std::max<uint64_t>(24, (size + 23) / 16 * 16 - 8); }

// The entries after perf has swapped them.
class SwappedTable {
  public:
    SwappedTable(Bytes entries, uint64_t count) : entries_(entries), swapped_(count * kEntry) {}

    // The offset of the NUL of a name that begins there; the size if absent.
    uint64_t end_of_name(uint64_t index) const {
        while (index < entries_.size() && at(index) != 0) ++index;
        return index;
    }

  private:
    uint8_t at(uint64_t index) const {
        if (index >= swapped_) return entries_[index];
        const uint64_t start = index / kEntry * kEntry, offset = index % kEntry;
        if (offset < 8) return entries_[start + 7 - offset];
        return entries_[start + (offset < 12 ? 19 : 27) - offset];
    }

    Bytes entries_;
    uint64_t swapped_;  // bytes at the front
};

// How perf reads the line table of a big-endian dump: it swaps the bytes of the entries as if all had 16, so names lose
// their ends, and it changes an address in each of the entries that it then believes in. Whether it writes past its
// copy of the `entries`, of which the record claims `count`.
bool overruns_line_table(Bytes entries, uint64_t count) {
    if (count > entries.size() / kEntry) return false;  // jitdump/debug-entry-count-overflow
    const SwappedTable table(entries, count);
    for (uint64_t at = 0; count > 0; --count) {
        if (at >= entries.size() || at + kAddress > allocated(entries.size())) return true;
        at = table.end_of_name(at + kEntry) + 1;
    }
    return false;
}

class Perf {
  public:
    Perf(PerfVersion version, FollowContext& context)
        : version_(version),
          context_(context),
          order_(context.file.identity.byte_order.value_or(ByteOrder::little)),
          mappings_(context.budget, context.work) {}

    Followed run() {
        const Bytes opening = context_.trace.view(0, fixed_size(kHeader));
        if (opening.size() < fixed_size(kHeader)) return NoOpinion();
        // It takes any more bytes of the header for records, and refuses a header of twice the size, flags that it does
        // not know, and timestamps for which the recording has no conversion.
        uint64_t at = fixed_size(kHeader);
        const View<kHeader> header(opening.data(), 0, order_, 0);
        if (header.get<"magic">() != kMagic || header.get<"version">() > 1 || header.get<"flags">() != 0 ||
            header.get<"total_size">() > 2 * at)
            return NoOpinion();
        for (uint64_t size = 0;; at += size) {
            const Bytes bytes = context_.trace.view(at, kMost);
            if (bytes.size() < fixed_size(kPrefix)) return NoOpinion();
            const View<kPrefix> prefix(bytes.data(), at, order_, 0);
            size = prefix.get<"total_size">();
            // It reads the rest of the record at once, and stops where that has no bytes or not all of them.
            if (size <= fixed_size(kPrefix) || size > context_.file.size - at) return NoOpinion();
            if (!context_.spend(std::min<uint64_t>(size, kMost))) return NoOpinion();
            if (!take(prefix.get<"id">(), bytes.first(std::min<uint64_t>(bytes.size(), size)), at, size))
                return end_ ? Followed(*end_) : NoOpinion();
        }
    }

  private:
    static constexpr size_t kMost = minimum_size(kMove);  // bytes of a record that are looked at
    static constexpr int64_t kLikelyItsMemory = 64 << 10, kCertainlyNotItsMemory = 1 << 20;

    // `record`: as much of it as is looked at. False: perf ends here, or it cannot be followed further.
    bool take(uint64_t id, Bytes record, uint64_t at, uint64_t size) {
        if (id == kUnwindingInfoId && record.size() >= minimum_size(kUnwindingInfo))
            unwinding_ = View<kUnwindingInfo>(record.data(), 0, order_, 0).get<"mapped_size">();
        if (id == kDebugInfoId && order_ == ByteOrder::big) return take_line_table(at, size);
        if (id == kLoadId && overrun_) return fail(*overrun_);
        if (id == kMoveId && version_ == PerfVersion::v7_2) return fail({ReaderOutcome::crashes, &kPerfMove, at, size});
        if (id == kLoadId && record.size() >= fixed_size(kLoad)) {
            const View<kLoad> load(record.data(), 0, order_, 0);
            if (version_ == PerfVersion::v7_2 && !hash(load.get<"code_size">(), at, size)) return false;
            return map(load.get<"code_addr">(), mapped(load.get<"code_size">(), std::exchange(unwinding_, 0)), at,
                       size);
        }
        if (id == kMoveId && record.size() >= minimum_size(kMove)) {
            const View<kMove> move(record.data(), 0, order_, 0);
            return map(move.get<"new_code_addr">(), mapped(move.get<"code_size">(), unwinding_), at, size);
        }
        return true;
    }

    bool map(uint64_t start, uint64_t bytes, uint64_t at, uint64_t size) {
        if (version_ != PerfVersion::v6_1) return true;  // later ones keep them in an array
        const auto added = mappings_.add(start, bytes);
        if (added == PerfMappings::Added::hangs) return fail(risk(kPerfEmptyCode, at, size));
        return added == PerfMappings::Added::done || context_.stop(Unpredicted::memory);
    }

    // perf hashes the code at the end of the record into a build id; it uses a signed 32-bit size. How much of its
    // memory precedes the record depends on the machine.
    bool hash(uint64_t code_size, uint64_t at, uint64_t size) {
        const auto taken = static_cast<int32_t>(static_cast<uint32_t>(code_size));
        const int64_t before = taken - static_cast<int64_t>(size);
        if (taken < 0 || before > kCertainlyNotItsMemory)
            return fail({ReaderOutcome::crashes, &kPerfBuildId, at, size});
        return before <= kLikelyItsMemory || fail({ReaderOutcome::may_crash, &kPerfBuildId, at, size});
    }

    // It goes through the table when it comes to the LOAD. If the record ends before its number of entries, perf swaps
    // as many as an earlier record left in its place, and at once.
    bool take_line_table(uint64_t at, uint64_t size) {
        const Forecast here = risk(kPerfLineTable, at, size);
        if (size < fixed_size(kDebugInfo)) return fail(here);
        overrun_ = std::nullopt;
        if (context_.trace.affordable(size) < size) return context_.stop(Unpredicted::memory);
        const Bytes bytes = context_.trace.view(at, size);
        if (bytes.size() < size || !context_.spend(size)) return false;
        const uint64_t count = View<kDebugInfo>(bytes.data(), at, order_, 0).get<"nr_entry">();
        const Bytes entries = bytes.first(size).subspan(fixed_size(kDebugInfo));
        if (overruns_line_table(entries, count)) overrun_ = here;
        return true;
    }

    // The unwinding data comes after the code, at a multiple of 8.
    static uint64_t mapped(uint64_t code, uint64_t unwinding) {
        return unwinding == 0 ? code : (code + 7) / 8 * 8 + unwinding;
    }

    static Forecast risk(const Rule& rule, uint64_t at, uint64_t size) {
        return {.outcome = ReaderOutcome::may_crash, .rule = &rule, .offset = at, .length = size, .of_one_fault = true};
    }
    bool fail(const Forecast& forecast) {
        end_ = forecast;
        return false;
    }

    const PerfVersion version_;
    FollowContext& context_;
    const ByteOrder order_;
    PerfMappings mappings_;
    uint64_t unwinding_ = 0;
    std::optional<Forecast> overrun_;  // of a line table, which waits for its LOAD
    std::optional<Forecast> end_;
};

}  // namespace

Followed follow_perf_inject(PerfVersion version, FollowContext& context) {
    if (context.file.container != Container::none) return NoOpinion();
    return Perf(version, context).run();
}

}  // namespace tracelint::jitdump
