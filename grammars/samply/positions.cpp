// samply, section 5.4: a positions record, its offsets, positions and chains of callers.
#include "grammars/samply/positions.hpp"

namespace tracelint::samply {
namespace {

constexpr uint64_t kListsAt = fixed_size(kPositions);
constexpr uint64_t kNoPosition = 0xffffffff;
constexpr int64_t kNoIndex = -1;  // no caller; no file

template <FixedName Name>
constexpr const Field& kList = View<kPositions>::field<Name>();

}  // namespace

bool Positions::check(bool bound_wrongly) {
    if (!check_header()) return true;
    Strings strings(info_, kList<"strings">, positions_.end(), info_.total_size, context_);
    if (!strings.locate(head_.get<"string_count">(), findings_)) return !strings.is_short_of_memory();
    if (strings.after() < info_.total_size) findings_.doubt();
    check_trailing_bytes(info_, kPositions, strings.after(), findings_);
    if (!strings.check(findings_)) return false;

    check_offsets();
    if (!scratch_.assign(callers_, positions_.count(), kNoCaller)) return false;
    check_positions(strings.count());
    if (!check_callers()) return false;
    check_roots(strings);
    return findings_.errors() != 0 || bound_wrongly || check_references(strings.count());
}

// --- HEADER --------------------------------------------------------------------------------------------

bool Positions::check_header() {
    if (info_.total_size < kListsAt) {
        findings_.add(kRecordTooShort, head_.place<"total_size">(), {info_.total_size});
        return false;
    }
    // Counts have 64 bits: they are compared by division, never multiplied before they are known to fit.
    uint64_t left = info_.total_size - kListsAt;
    const auto fits = [&](uint64_t count, uint64_t size, const Place& counter) {
        if (count <= left / size) {
            left -= count * size;
            return true;
        }
        findings_.add(kListExceedsRecord, counter, {count, size, left});
        return false;
    };
    const uint64_t offsets = head_.get<"code_offset_count">(), positions = head_.get<"source_position_count">();
    if (!fits(offsets, Elements<kCodeOffset>::kSize, head_.place<"code_offset_count">())) return false;
    if (!fits(positions, Elements<kSourcePosition>::kSize, head_.place<"source_position_count">())) return false;
    if (!info_.is_whole()) return false;
    offsets_ = {info_, kList<"code_offsets">, kListsAt, offsets};
    positions_ = {info_, kList<"source_positions">, offsets_.end(), positions};
    return fits(head_.get<"string_count">(), 1, head_.place<"string_count">());
}

// --- OFFSETS -------------------------------------------------------------------------------------------

void Positions::check_offsets() {
    for (uint64_t i = 0; i < offsets_.count(); ++i) {
        check_code_offset(info_, offsets_, i, findings_);
        const View<kCodeOffset> entry = offsets_[i];
        const uint64_t position = entry.get<"source_position">();
        if (position < positions_.count()) continue;
        const Place place = entry.place<"source_position">();
        position == kNoPosition ? findings_.add_overridden(kPositionIndexRange, place)
                                : findings_.add(kPositionIndexRange, place, {position, positions_.count()});
    }
}

// --- POSITIONS -----------------------------------------------------------------------------------------

void Positions::check_positions(uint64_t strings) {
    for (uint64_t i = 0; i < positions_.count(); ++i) check_position(i, strings);
}

void Positions::check_position(uint64_t number, uint64_t strings) {
    const View<kSourcePosition> position = positions_[number];
    const auto check_index = [&](const Rule& rule, const Place& place, int64_t index, uint64_t limit) {
        if (index < kNoIndex) return findings_.add_overridden(rule, place, {static_cast<uint64_t>(-index)});
        if (index != kNoIndex && static_cast<uint64_t>(index) >= limit)
            findings_.add(rule, place, {static_cast<uint64_t>(index), limit});
    };
    const auto caller = static_cast<int64_t>(position.get<"caller_index">());
    check_index(kCallerIndexRange, position.place<"caller_index">(), caller, positions_.count());
    if (static_cast<uint64_t>(caller) < positions_.count())  // none if it is negative
        callers_[number] = static_cast<uint32_t>(caller);

    const uint64_t name = position.get<"function_name">();
    if (name >= strings) findings_.add(kPositionNameIndexRange, position.place<"function_name">(), {name, strings});
    check_index(kPositionFileIndexRange, position.place<"file">(), static_cast<int64_t>(position.get<"file">()),
                strings);
    const uint64_t line = position.get<"line">(), start = position.get<"function_start_line">();
    if (line != 0 && line < start) findings_.add(kLineBeforeFunctionStart, position.place<"line">(), {line, start});
}

// --- CALLERS -------------------------------------------------------------------------------------------

// P5. Follows each chain once: a position is marked with the chain that met it first.
bool Positions::check_callers() {
    std::vector<uint32_t> met_by;  // by position: 1 + the position whose chain met it; 0: none did
    if (!scratch_.assign(met_by, positions_.count(), uint32_t{0})) return false;
    for (uint32_t first = 0; first < positions_.count(); ++first) {
        uint32_t at = first;
        for (; at != kNoCaller && met_by[at] == 0; at = callers_[at]) met_by[at] = first + 1;
        if (at == kNoCaller || met_by[at] != first + 1) continue;
        uint32_t lowest = at, length = 1;
        for (uint32_t on = callers_[at]; on != at; on = callers_[on], ++length) lowest = std::min(lowest, on);
        findings_.add(kCallerCycle, positions_[lowest].place<"caller_index">(), {length});
    }
    context_.work.add(positions_.count());
    return true;
}

// --- ROOTS ---------------------------------------------------------------------------------------------

void Positions::check_roots(const Strings& strings) {
    std::optional<uint64_t> first_root, its_name;
    for (uint64_t i = 0; i < positions_.count(); ++i) {
        const View<kSourcePosition> position = positions_[i];
        const uint64_t name = position.get<"function_name">();
        if (static_cast<int64_t>(position.get<"caller_index">()) != kNoIndex || name >= strings.count()) continue;
        if (!first_root) {
            first_root = i;
            its_name = name;
        }
        if (!strings.differ(*its_name, name)) continue;
        return findings_.add(kRootFunctionDiffers, position.place<"function_name">(), {*first_root});
    }
}

// --- REFS ----------------------------------------------------------------------------------------------

bool Positions::check_references(uint64_t strings) {
    std::vector<bool> position_used, string_used;
    if (!scratch_.assign(position_used, positions_.count(), false) || !scratch_.assign(string_used, strings, false))
        return false;
    const auto use = [](std::vector<bool>& used, uint64_t index) {
        if (index < used.size()) used[index] = true;  // the others stand for none
    };
    for (uint64_t i = 0; i < offsets_.count(); ++i) use(position_used, offsets_[i].get<"source_position">());
    for (uint64_t i = 0; i < positions_.count(); ++i) {
        use(position_used, positions_[i].get<"caller_index">());
        use(string_used, positions_[i].get<"function_name">());
        use(string_used, positions_[i].get<"file">());
    }
    samply::check_references(position_used, head_.place<"source_position_count">(), findings_);
    samply::check_references(string_used, head_.place<"string_count">(), findings_);
    return true;
}

}  // namespace tracelint::samply
