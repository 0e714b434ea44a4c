// jitdump: LOAD and MOVE records, and the functions that they describe.
#include "grammars/jitdump/checks/code.hpp"

#include "grammars/jitdump/checks/unwinding.hpp"

namespace tracelint::jitdump {

// What a dump says to the checks between files.

void record_header_fact(CodeDump& dump, const View<kHeader>& header) {
    const View<kLoad> first(nullptr, 0, header.order(), 0);
    dump.is_present = true;
    dump.pid = static_cast<uint32_t>(header.get<"pid">());
    dump.has_counter_times = (header.get<"flags">() & 1) != 0;
    dump.magic = header.place<"magic">();
    dump.pid_place = header.place<"pid">();
    dump.flags = header.place<"flags">();
    dump.record = &kLoad;
    dump.function_pid = first.place<"pid">();
    dump.function_time = first.place<"timestamp">();
    dump.function_index = first.place<"code_index">();
}

void record_load_fact(CodeDump& dump, const View<kLoad>& load, uint64_t total_size) {
    const uint64_t start = load.get<"code_addr">(), size = load.get<"code_size">();
    if (size > total_size || ends_above_2_64(start, size)) return;
    dump.functions.add({.at = {load.offset(), load.record_index(), static_cast<uint32_t>(total_size), false},
                        .time = load.get<"timestamp">(),
                        .start = start,
                        .index = load.get<"code_index">(),
                        .size = static_cast<uint32_t>(size),
                        .pid = static_cast<uint32_t>(load.get<"pid">())});
}

// LOAD and MOVE (sections 3.3, 3.4 and 5.3).

namespace {

constexpr uint64_t kNameAt = View<kLoad>::offset_of<"name">();
constexpr uint64_t kLargestCode = (uint64_t{1} << 31) - 1;

// Whether the fields fit when tid has 64 bits, as CPython for macOS writes it (section 3.3.1).
bool fits_shifted(Bytes front, uint64_t total_size, ByteOrder order, uint64_t& name_length) {
    constexpr uint64_t name_at = View<kShiftedLoad>::offset_of<"name">();
    name_length = front.size() <= name_at ? kNone : length_to_nul(front.subspan(name_at));
    if (name_length == kNone) return false;
    const View<kShiftedLoad> load(front.data(), 0, order, 0);
    return load.get<"code_size">() == total_size - (name_at + name_length + 1);
}

constexpr Rule kLoadNameEmpty{
    .id = "jitdump/load-name-empty",
    .severity = Severity::note,
    .statement = "a function has a name",
    .message = "the name is empty",
    .why = "profiles show the function without a name",
    .spec = "3.3 JIT_CODE_LOAD (0)",
    .since = "0.1.0",
};

constexpr Rule kLoadNameInvalidUtf8{
    .id = "jitdump/load-name-invalid-utf8",
    .severity = Severity::warning,
    .statement = "the name is valid UTF-8",
    .message = "the name has invalid UTF-8 at byte {0} ({1x})",
    .why = "samply replaces the whole name with an empty one",
    .spec = "3.3 JIT_CODE_LOAD (0)",
    .since = "0.1.0",
};

constexpr Rule kLoadNameNonAscii{
    .id = "jitdump/load-name-non-ascii",
    .severity = Severity::note,
    .statement = "the name is ASCII",
    .message = "the name has a non-ASCII character at byte {0}",
    .why = "the specification demands ASCII; all known readers accept UTF-8",
    .spec = "3.3 JIT_CODE_LOAD (0)",
    .since = "0.1.0",
};

void check_name(State& state, const View<kLoad>& load, const LoadFacts& facts) {
    if (facts.name_length == 0) state.report.add<kLoadNameEmpty>(load.place<"name">(kNameAt, 1));
    if (facts.name.non_ascii == kNone) [[likely]]
        return;
    if (facts.name.ill_formed != kNone)
        state.report.add<kLoadNameInvalidUtf8>(load.place<"name">(kNameAt + facts.name.ill_formed, 1),
                                               {facts.name.ill_formed, facts.ill_formed_byte});
    else
        state.report.add<kLoadNameNonAscii>(load.place<"name">(kNameAt + facts.name.non_ascii, 1),
                                            {facts.name.non_ascii});
}

constexpr Rule kLoadNameUnterminated{
    .id = "jitdump/load-name-unterminated",
    .severity = Severity::error,
    .statement = "the name of the function ends in a NUL inside the record",
    .message = "the name has no terminating NUL in the {0 byte|bytes} left in the record",
    .why = "perf reads the rest of the name from stale memory; samply's reader stops with an error",
    .spec = "3.3 JIT_CODE_LOAD (0)",
    .since = "0.1.0",
};

constexpr Rule kLoadCodeExceedsRecord{
    .id = "jitdump/load-code-exceeds-record",
    .severity = Severity::error,
    .statement = "the code fits into the record after the name",
    .message = "code_size is {0}, but the record has only {1 byte|bytes} left for code",
    .why = "perf copies unrelated memory into the function's image; samply's reader stops with an error",
    .spec = "3.3 JIT_CODE_LOAD (0)",
    .since = "0.1.0",
};

constexpr Rule kLoadCodeTooLarge{
    .id = "jitdump/load-code-too-large",
    .severity = Severity::error,
    .statement = "the code is smaller than 2 GiB",
    .message = "code_size is {0}; the maximum is 2^31-1",
    .why = "perf stores the size in a signed 32-bit integer",
    .spec = "3.3 JIT_CODE_LOAD (0)",
    .since = "0.1.0",
};

constexpr Rule kLoadTrailingBytes{
    .id = "jitdump/load-trailing-bytes",
    .severity = Severity::error,
    .statement = "the record ends at the end of the code",
    .message = "{0 byte follows|bytes follow} the code of {1 byte|bytes}",
    .why =
        "perf takes the code from the end of the record, other readers from the end of the name: they show "
        "different instructions",
    .spec = "3.3 JIT_CODE_LOAD (0)",
    .since = "0.1.0",
};

// The size of the code, or kNone if it is unknown. The first check that fails ends the others (section 5.3).
uint64_t check_size(State& state, const View<kLoad>& load, const LoadFacts& facts) {
    const uint64_t code_size = load.get<"code_size">();
    if (facts.name_length == kNone) {
        const uint64_t left = facts.total_size - kNameAt;
        state.report.add<kLoadNameUnterminated>(load.place<"name">(kNameAt, left), {left});
        return kNone;
    }
    const uint64_t code_at = kNameAt + facts.name_length + 1;
    const uint64_t room = facts.total_size - code_at;
    if (code_size > room) {
        Diagnostic finding{
            .rule = &kLoadCodeExceedsRecord, .place = load.place<"code_size">(), .numbers = {code_size, room}};
        if (facts.shifted) finding.hint = "the sizes fit if tid has 64 bits, as CPython for macOS declares it";
        state.report.add(finding);
        return kNone;
    }
    if (code_size > kLargestCode) state.report.add<kLoadCodeTooLarge>(load.place<"code_size">(), {code_size});
    if (code_size < room) {
        state.report.add<kLoadTrailingBytes>(load.part(code_at + code_size, room - code_size),
                                             {room - code_size, code_size});
        return kNone;
    }
    return code_size;
}

struct CodeRange {
    uint32_t pid;
    uint64_t address, size, index;
    bool address_known;
};

constexpr Rule kDuplicateCodeIndex{
    .id = "jitdump/duplicate-code-index",
    .severity = Severity::error,
    .statement = "code_index is unique within its process",
    .message = "code_index {0} of process {1} was already used by an earlier LOAD",
    .why =
        "perf names the function's image after it and overwrites the first image, which then shows the code of "
        "this function. perf's own agent for Java does this when two threads compile at the same time",
    .spec = "3.3 JIT_CODE_LOAD (0)",
    .since = "0.1.0",
};

constexpr Rule kLoadOverlapsLive{
    .id = "jitdump/load-overlaps-live",
    .severity = Severity::note,
    .statement = "code is loaded at addresses that no other live code occupies",
    .message = "{1 byte|bytes} of code at {0x} replace code that was loaded earlier",
    .why = "normal after garbage collection of code, because no record unloads code",
    .spec = "3.3 JIT_CODE_LOAD (0); 4.3 Live ranges",
    .since = "0.1.0",
};

Function function_of(const CodeRange& code, uint64_t record) {
    Function function;
    function.address = code.address;
    function.record = record;
    function.know_address(code.address_known);
    if (code.size != kNone) function.size = static_cast<uint32_t>(code.size);
    return function;
}

// Remembers the function. Without `reports`, it does not report what it finds.
void track(State& state, const View<kLoad>& load, const CodeRange& code, const Place& index_place,
           PendingUnwinding& unwinding, bool reports) {
    if (!state.tracking) return;
    const Function* earlier = state.functions.find(code.pid, code.index);
    if (earlier != nullptr && reports)
        state.report.add({.rule = &kDuplicateCodeIndex,
                          .place = index_place,
                          .numbers = {code.index, code.pid},
                          .related_offset = earlier->load(),
                          .related_length = fixed_size(kPrefix)});
    bool overlapped = false;
    const bool fits = state.functions.enter(code.pid, code.index, function_of(code, load.offset())) &&
                      state.code.load({code.pid, code.size == kNone ? 0 : static_cast<uint32_t>(code.size),
                                       code.address, load.offset()},
                                      overlapped);
    if (overlapped && reports)
        state.report.add<kLoadOverlapsLive>(load.place<"code_addr">(), {code.address, code.size});
    if (!fits) return state.stop_tracking(load.whole(fixed_size(kPrefix)));
    if (code.size != kNone && reports) unwinding.check_extent(state, load, code.pid, code.address, code.size);
}

}  // namespace

LoadFacts load_facts(Bytes front, uint64_t offset, uint64_t index, uint64_t total_size, ByteOrder order) {
    LoadFacts facts;
    facts.front = front.data();
    facts.offset = offset;
    facts.index = index;
    facts.total_size = total_size;
    facts.name_length = length_to_nul(front.subspan(kNameAt));
    if (facts.name_length == kNone) {
        facts.wants_more = front.size() < total_size;
        return facts;
    }
    facts.name = scan_text(front.subspan(kNameAt, facts.name_length));
    if (facts.name.ill_formed != kNone) facts.ill_formed_byte = front[kNameAt + facts.name.ill_formed];
    const uint64_t room = total_size - (kNameAt + facts.name_length + 1);
    if (View<kLoad>(front.data(), offset, order, index).get<"code_size">() > room) [[unlikely]] {
        uint64_t name_length = kNone;  // in that layout
        facts.shifted = fits_shifted(front, total_size, order, name_length);
        facts.wants_more = name_length == kNone && front.size() < total_size;
    }
    return facts;
}

constexpr Rule kLoadAddressOverflow{
    .id = "jitdump/load-address-overflow",
    .severity = Severity::error,
    .statement = "the code ends at or below address 2^64",
    .message = "{1 byte|bytes} of code at {0x} end above address 2^64",
    .why = "samply's arithmetic overflows, and no sample can be attributed to the function",
    .spec = "3.3 JIT_CODE_LOAD (0)",
    .since = "0.1.0",
};

constexpr Rule kLoadAddressZero{
    .id = "jitdump/load-address-zero",
    .severity = Severity::warning,
    .statement = "a function with code has a nonzero address",
    .message = "code_addr is 0 for a function with {0 byte|bytes} of code",
    .why = "no sample is ever attributed to the function",
    .spec = "3.3 JIT_CODE_LOAD (0)",
    .since = "0.1.0",
};

constexpr Rule kLoadVmaMismatch{
    .id = "jitdump/load-vma-mismatch",
    .severity = Severity::note,
    .statement = "vma equals code_addr",
    .message = "vma is {0x}, but code_addr is {1x}",
    .why = "no known reader uses vma; LLVM 14 writes 0",
    .spec = "3.3 JIT_CODE_LOAD (0)",
    .since = "0.1.0",
};

constexpr Rule kLoadPidMismatch{
    .id = "jitdump/load-pid-mismatch",
    .severity = Severity::warning,
    .statement = "pid equals the pid of the file header",
    .message = "pid is {0}, but the file header has {1}",
    .why =
        "readers attribute the function to another process; the usual cause is a forked child that keeps writing "
        "to its parent's file",
    .spec = "3.3 JIT_CODE_LOAD (0)",
    .since = "0.1.0",
};

Loaded check_load(State& state, const LoadFacts& facts, PendingUnwinding& unwinding) {
    const View<kLoad> load(facts.front, facts.offset, state.order, facts.index);
    Loaded loaded;
    if (facts.wants_more) {  // out of view: neither the layout nor the sizes can be judged
        state.lose_track(load.whole(fixed_size(kPrefix)), facts.total_size);
        loaded.code_addr = loaded.standard_addr = load.get<"code_addr">();
        return loaded;
    }
    loaded.size = check_size(state, load, facts);
    loaded.standard_addr = load.get<"code_addr">();
    loaded.standard_size = loaded.size;
    const uint32_t pid = static_cast<uint32_t>(load.get<"pid">());

    if (facts.shifted) {  // one finding covers it; continue with the fields that the writer meant
        const View<kShiftedLoad> meant(facts.front, facts.offset, state.order, facts.index);
        loaded.code_addr = meant.get<"code_addr">();
        loaded.size = meant.get<"code_size">();
        if (ends_above_2_64(loaded.code_addr, loaded.size)) loaded.size = kNone;
        const bool known = loaded.size != kNone;
        track(state, load, {pid, loaded.code_addr, loaded.size, meant.get<"code_index">(), known}, {}, unwinding,
              false);
        return loaded;
    }

    loaded.code_addr = loaded.standard_addr;
    const uint64_t code_size = load.get<"code_size">();
    bool address_known = true;
    if (loaded.size != kNone && ends_above_2_64(loaded.code_addr, code_size)) {
        state.report.add<kLoadAddressOverflow>(load.place<"code_addr">(), {loaded.code_addr, code_size});
        loaded.size = kNone;
        address_known = false;
    }
    if (loaded.code_addr == 0 && code_size > 0)
        state.report.add<kLoadAddressZero>(load.place<"code_addr">(), {code_size});
    if (facts.name_length != kNone) check_name(state, load, facts);
    if (facts.name_length != kNone && state.context.names != nullptr)
        state.context.names->on_name({facts.front + kNameAt, static_cast<size_t>(facts.name_length)});
    if (load.get<"vma">() != loaded.code_addr)
        state.report.add<kLoadVmaMismatch>(load.place<"vma">(), {load.get<"vma">(), loaded.code_addr});
    if (state.header_pid != 0 && pid != state.header_pid)
        state.report.add<kLoadPidMismatch>(load.place<"pid">(), {pid, state.header_pid});
    track(state, load, {pid, loaded.code_addr, loaded.size, load.get<"code_index">(), address_known},
          load.place<"code_index">(), unwinding, true);
    if (loaded.size != kNone) unwinding.check_range(state, loaded.code_addr, loaded.size);
    return loaded;
}

namespace {

constexpr Rule kMoveSizeMismatch{
    .id = "jitdump/move-size-mismatch",
    .severity = Severity::error,
    .statement = "a MOVE does not change the size of the function",
    .message = "code_size is {0}, but the function was loaded with {1 byte|bytes}",
    .why = "readers map the wrong range",
    .spec = "3.4 JIT_CODE_MOVE (1)",
    .since = "0.1.0",
};

constexpr Rule kMoveOldAddressMismatch{
    .id = "jitdump/move-old-address-mismatch",
    .severity = Severity::error,
    .statement = "old_code_addr is the current address of the function",
    .message = "old_code_addr is {0x}, but the function is at {1x}",
    .why = "samply looks the function up by this address and does not find it",
    .spec = "3.4 JIT_CODE_MOVE (1)",
    .since = "0.1.0",
};

constexpr Rule kMoveAddressOverflow{
    .id = "jitdump/move-address-overflow",
    .severity = Severity::error,
    .statement = "the moved code ends at or below address 2^64",
    .message = "{1 byte|bytes} of code moved to {0x} end above address 2^64",
    .why = "samply's arithmetic overflows, and no sample can be attributed to the function",
    .spec = "3.4 JIT_CODE_MOVE (1)",
    .since = "0.1.0",
};

// Whether code of `size` bytes fits at the new address.
bool check_new_address(State& state, const View<kMove>& move, uint64_t size) {
    const uint64_t new_address = move.get<"new_code_addr">();
    const bool fits = !ends_above_2_64(new_address, size);
    if (!fits) state.report.add<kMoveAddressOverflow>(move.place<"new_code_addr">(), {new_address, size});
    return fits;
}

// Compares the MOVE with its function and moves it.
void move_function(State& state, const View<kMove>& move, uint32_t pid, Function& function) {
    const uint64_t old_address = move.get<"old_code_addr">(), new_address = move.get<"new_code_addr">();
    const uint64_t own_size = move.get<"code_size">();
    const bool size_known = function.size != Function::kUnknownSize;
    if (size_known && own_size != function.size)
        state.report.add<kMoveSizeMismatch>(move.place<"code_size">(), {own_size, function.size});
    if (function.is_address_known() && old_address != function.address)
        state.report.add<kMoveOldAddressMismatch>(move.place<"old_code_addr">(), {old_address, function.address});

    const uint64_t size = size_known ? function.size : own_size;
    function.know_address(check_new_address(state, move, size));
    if (!function.is_address_known()) return;
    const uint64_t range_start = std::exchange(function.address, new_address);
    if (!size_known || size == 0) return;
    if (!state.code.move(range_start, {pid, function.size, new_address, function.load()}))
        state.stop_tracking(move.whole(fixed_size(kPrefix)));
}

}  // namespace

constexpr Rule kMoveTrailingBytes{
    .id = "jitdump/move-trailing-bytes",
    .severity = Severity::warning,
    .statement = "MOVE has 64 bytes",
    .message = "{0 byte follows|bytes follow} the fields of the MOVE",
    .why = "readers ignore them; the writer may lay the record out differently than they do",
    .spec = "3.4 JIT_CODE_MOVE (1)",
    .since = "0.1.0",
};

constexpr Rule kMoveVmaMismatch{
    .id = "jitdump/move-vma-mismatch",
    .severity = Severity::note,
    .statement = "vma equals new_code_addr",
    .message = "vma is {0x}, but new_code_addr is {1x}",
    .why = "no known reader uses vma",
    .spec = "3.4 JIT_CODE_MOVE (1)",
    .since = "0.1.0",
};

constexpr Rule kMoveNoop{
    .id = "jitdump/move-noop",
    .severity = Severity::note,
    .statement = "MOVE changes the address",
    .message = "old_code_addr and new_code_addr are both {0x}",
    .why = "the record has no effect",
    .spec = "3.4 JIT_CODE_MOVE (1)",
    .since = "0.1.0",
};

constexpr Rule kMoveUnknownCodeIndex{
    .id = "jitdump/move-unknown-code-index",
    .severity = Severity::error,
    .statement = "MOVE refers to a function that was loaded earlier",
    .message = "no earlier LOAD has code_index {0}",
    .why = "perf emits a mapping of a file that does not exist",
    .spec = "3.4 JIT_CODE_MOVE (1)",
    .since = "0.1.0",
};

constexpr Rule kMovePidMismatch{
    .id = "jitdump/move-pid-mismatch",
    .severity = Severity::warning,
    .statement = "MOVE has the pid of the function's LOAD",
    .message = "process {0} did not load code_index {1}; process {2} did",
    .why = "readers look for the function in the wrong process",
    .spec = "3.4 JIT_CODE_MOVE (1)",
    .since = "0.1.0",
};

void check_move(State& state, const View<kMove>& move, uint64_t total_size) {
    constexpr uint64_t whole = minimum_size(kMove);
    if (total_size > whole)
        state.report.add<kMoveTrailingBytes>(move.part(whole, total_size - whole), {total_size - whole});
    const uint64_t new_address = move.get<"new_code_addr">(), index = move.get<"code_index">();
    if (move.get<"vma">() != new_address)
        state.report.add<kMoveVmaMismatch>(move.place<"vma">(), {move.get<"vma">(), new_address});
    if (move.get<"old_code_addr">() == new_address)
        state.report.add<kMoveNoop>(move.place<"new_code_addr">(), {new_address});
    if (!state.tracking) return;

    const uint32_t pid = static_cast<uint32_t>(move.get<"pid">());
    Functions::Found found{state.functions.find(pid, index), pid};
    if (found.function == nullptr) {
        found = state.functions.find_latest(index);
        if (found.function == nullptr) {
            state.report.add<kMoveUnknownCodeIndex>(move.place<"code_index">(), {index});
            check_new_address(state, move, move.get<"code_size">());
            return;
        }
        state.report.add<kMovePidMismatch>(move.place<"pid">(), {pid, index, found.pid});
    }
    move_function(state, move, found.pid, *found.function);
}

constinit const RuleList kCodeRules =
    rules<&kLoadNameEmpty, &kLoadNameInvalidUtf8, &kLoadNameNonAscii, &kLoadNameUnterminated, &kLoadCodeExceedsRecord,
          &kLoadCodeTooLarge, &kLoadTrailingBytes, &kDuplicateCodeIndex, &kLoadOverlapsLive, &kLoadAddressOverflow,
          &kLoadAddressZero, &kLoadVmaMismatch, &kLoadPidMismatch, &kMoveSizeMismatch, &kMoveOldAddressMismatch,
          &kMoveAddressOverflow, &kMoveTrailingBytes, &kMoveVmaMismatch, &kMoveNoop, &kMoveUnknownCodeIndex,
          &kMovePidMismatch>;

}  // namespace tracelint::jitdump
