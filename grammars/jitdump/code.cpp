// jitdump, section 5.3: LOAD and MOVE.
#include "grammars/jitdump/code.hpp"

#include "grammars/jitdump/walk.hpp"

namespace tracelint::jitdump {
namespace {

constexpr uint64_t kNameAt = View<kLoad>::offset_of<"name">();
constexpr uint64_t kOffsetMask = kNone >> 1;  // no file is larger
constexpr uint64_t kLargestCode = (uint64_t{1} << 31) - 1;

// Whether the fields fit when tid is read as 64 bits, as CPython for macOS writes it (3.3).
bool fits_shifted(Bytes front, uint64_t total_size, ByteOrder order, uint64_t& name_length) {
    constexpr uint64_t name_at = View<kShiftedLoad>::offset_of<"name">();
    name_length = front.size() <= name_at ? kNone : length_to_nul(front.subspan(name_at));
    if (name_length == kNone) return false;
    const View<kShiftedLoad> load(front.data(), 0, order, 0);
    return load.get<"code_size">() == total_size - (name_at + name_length + 1);
}

void check_name(State& state, const View<kLoad>& load, const LoadFacts& facts) {
    if (facts.name_length == 0) state.report.add(kLoadNameEmpty, load.place<"name">(kNameAt, 1));
    if (facts.name.non_ascii == kNone) [[likely]]
        return;
    if (facts.name.ill_formed != kNone)
        state.report.add(kLoadNameInvalidUtf8, load.place<"name">(kNameAt + facts.name.ill_formed, 1),
                         {facts.name.ill_formed, facts.ill_formed_byte});
    else
        state.report.add(kLoadNameNonAscii, load.place<"name">(kNameAt + facts.name.non_ascii, 1),
                         {facts.name.non_ascii});
}

// Rules 30 to 34 in the order of their silencing. Returns the size if it can be believed.
uint64_t check_extent(State& state, const View<kLoad>& load, const LoadFacts& facts) {
    const uint64_t code_size = load.get<"code_size">();
    if (facts.name_length == kNone) {
        const uint64_t left = facts.total_size - kNameAt;
        state.report.add(kLoadNameUnterminated, load.place<"name">(kNameAt, left), {left});
        return kNone;
    }
    const uint64_t code_at = kNameAt + facts.name_length + 1;
    const uint64_t room = facts.total_size - code_at;
    if (code_size > room) {
        Diagnostic finding{
            .rule = &kLoadCodeExceedsRecord, .place = load.place<"code_size">(), .numbers = {code_size, room}};
        if (facts.shifted) finding.hint = "the sizes fit if tid is 64 bits wide, as CPython for macOS declares it";
        state.report.add(finding);
        return kNone;
    }
    if (code_size > kLargestCode) state.report.add(kLoadCodeTooLarge, load.place<"code_size">(), {code_size});
    if (code_size < room) {
        state.report.add(kLoadTrailingBytes, load.part(code_at + code_size, room - code_size),
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

// Enters the function into everything that is remembered (rules 40, 42, 43).
void track(State& state, const View<kLoad>& load, const CodeRange& code, const Place& index_place,
           PendingUnwinding& unwinding, bool speaks) {
    if (!state.tracking) return;
    const Function* earlier = state.functions.find(code.pid, code.index);
    if (earlier != nullptr && speaks)
        state.report.add({.rule = &kDuplicateCodeIndex,
                          .place = index_place,
                          .numbers = {code.index, code.pid},
                          .related_offset = earlier->record,
                          .related_length = 16});
    const uint32_t size = code.size == kNone ? Function::kUnknownSize : static_cast<uint32_t>(code.size);
    const Function function{.pid = code.pid,
                            .size = size,
                            .address = code.address,
                            .record = load.offset() & kOffsetMask,
                            .address_known = code.address_known};
    bool fits = state.functions.enter(code.index, function);
    if (fits && state.code_addresses.find(code.address) == nullptr) fits = state.code_addresses.insert({code.address});
    if (fits && code.size != kNone && code.size > 0) {
        bool met = false;
        fits = state.live.enter({{code.pid, code.address}, code.address + (code.size - 1), load.offset()}, met);
        if (met && speaks) state.report.add(kLoadOverlapsLive, load.place<"code_addr">(), {code.address, code.size});
    }
    if (!fits) return state.stop_tracking(load.whole(16));
    if (code.size != kNone && speaks) unwinding.check_extent(state, load, code.pid, code.address, code.size);
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

Loaded check_load(State& state, const LoadFacts& facts, PendingUnwinding& unwinding) {
    const View<kLoad> load(facts.front, facts.offset, state.order, facts.index);
    Loaded loaded;
    if (facts.wants_more) {  // which layout it has, and whether its sizes fit, cannot be told
        state.leave_out(load.whole(16));
        loaded.code_addr = loaded.standard_addr = load.get<"code_addr">();
        return loaded;
    }
    loaded.size = check_extent(state, load, facts);
    loaded.standard_addr = load.get<"code_addr">();
    loaded.standard_size = loaded.size;
    const uint32_t pid = static_cast<uint32_t>(load.get<"pid">());

    if (facts.shifted) {  // rule 31 has said it all; go on with what was meant
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
        state.report.add(kLoadAddressOverflow, load.place<"code_addr">(), {loaded.code_addr, code_size});
        loaded.size = kNone;
        address_known = false;
    }
    if (loaded.code_addr == 0 && code_size > 0)
        state.report.add(kLoadAddressZero, load.place<"code_addr">(), {code_size});
    if (facts.name_length != kNone) check_name(state, load, facts);
    if (load.get<"vma">() != loaded.code_addr)
        state.report.add(kLoadVmaMismatch, load.place<"vma">(), {load.get<"vma">(), loaded.code_addr});
    if (state.header_pid != 0 && pid != state.header_pid)
        state.report.add(kLoadPidMismatch, load.place<"pid">(), {pid, state.header_pid});
    track(state, load, {pid, loaded.code_addr, loaded.size, load.get<"code_index">(), address_known},
          load.place<"code_index">(), unwinding, true);
    return loaded;
}

namespace {

// Rules 46 and 47 and the function's new place.
void move_function(State& state, const View<kMove>& move, Function& function) {
    const uint64_t old_address = move.get<"old_code_addr">(), new_address = move.get<"new_code_addr">();
    const uint64_t own_size = move.get<"code_size">();
    const bool size_known = function.size != Function::kUnknownSize;
    if (size_known && own_size != function.size)
        state.report.add(kMoveSizeMismatch, move.place<"code_size">(), {own_size, function.size});
    if (function.address_known && old_address != function.address)
        state.report.add(kMoveOldAddressMismatch, move.place<"old_code_addr">(), {old_address, function.address});

    const uint64_t size = size_known ? function.size : own_size;
    const bool overflow = ends_above_2_64(new_address, size);
    if (overflow) state.report.add(kMoveAddressOverflow, move.place<"new_code_addr">(), {new_address, size});
    function.address_known = !overflow;
    if (overflow) return;
    const uint64_t range_start = std::exchange(function.address, new_address);
    if (!size_known || size == 0) return;
    state.live.leave(function.pid, range_start, function.record);
    bool ignored = false;
    const LiveRange range{{function.pid, new_address}, new_address + (size - 1), function.record};
    if (!state.live.enter(range, ignored)) state.stop_tracking(move.whole(16));
}

}  // namespace

void check_move(State& state, const View<kMove>& move, uint64_t total_size) {
    constexpr uint64_t whole = minimum_size(kMove);
    if (total_size > whole)
        state.report.add(kMoveTrailingBytes, move.part(whole, total_size - whole), {total_size - whole});
    const uint64_t new_address = move.get<"new_code_addr">(), index = move.get<"code_index">();
    if (move.get<"vma">() != new_address)
        state.report.add(kMoveVmaMismatch, move.place<"vma">(), {move.get<"vma">(), new_address});
    if (move.get<"old_code_addr">() == new_address)
        state.report.add(kMoveNoop, move.place<"new_code_addr">(), {new_address});
    if (!state.tracking) return;

    const uint32_t pid = static_cast<uint32_t>(move.get<"pid">());
    Function* function = state.functions.find(pid, index);
    if (function == nullptr) {
        function = state.functions.find_latest(index);
        if (function == nullptr) {
            state.report.add(kMoveUnknownCodeIndex, move.place<"code_index">(), {index});
            if (ends_above_2_64(new_address, move.get<"code_size">()))
                state.report.add(kMoveAddressOverflow, move.place<"new_code_addr">(),
                                 {new_address, move.get<"code_size">()});
            return;
        }
        state.report.add(kMovePidMismatch, move.place<"pid">(), {pid, index, function->pid});
    }
    move_function(state, move, *function);
}

}  // namespace tracelint::jitdump
