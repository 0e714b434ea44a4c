// A positions record: its offsets, positions and chains of callers (sections 3.2 and 5.4).
#include "grammars/samply/positions.hpp"

namespace tracelint::samply {
namespace {

constexpr uint64_t kListsAt = fixed_size(kPositions);
constexpr uint64_t kNoPosition = 0xffffffff;
constexpr int64_t kNoIndex = -1;  // no caller, no file

template <FixedName Name>
constexpr const Field& kList = View<kPositions>::field<Name>();

}  // namespace

bool Positions::check(bool is_misplaced) {
    if (!has_fixed_fields(info_, head_.place<"total_size">(), findings_) || !place_lists()) return true;
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
    return findings_.errors() != 0 || is_misplaced || check_references(strings.count());
}

// --- HEADER --------------------------------------------------------------------------------------------

bool Positions::place_lists() {
    const uint64_t offsets = head_.get<"code_offset_count">(), positions = head_.get<"source_position_count">();
    ListLayout next(findings_, kListsAt, info_.total_size - kListsAt);
    const uint64_t offsets_at = next.place(offsets, Elements<kCodeOffset>::kSize, head_.place<"code_offset_count">());
    const uint64_t positions_at =
        next.place(positions, Elements<kSourcePosition>::kSize, head_.place<"source_position_count">());
    if (next.failed() || !info_.is_whole()) return false;
    offsets_ = {info_, kList<"code_offsets">, offsets_at, offsets};
    positions_ = {info_, kList<"source_positions">, positions_at, positions};
    next.place(head_.get<"string_count">(), 1, head_.place<"string_count">());  // each takes at least one byte
    return !next.failed();
}

// --- OFFSETS -------------------------------------------------------------------------------------------

constexpr Rule kPositionIndexRange{
    .id = "samply/position-index-range",
    .severity = Severity::error,
    .statement = "source_position is an index into source_positions",
    .message = "source_position is {0}; expected less than {1}, the number of source positions",
    .why = "readers silently show no frames for this code",
    .spec = "3.2.1 CodeOffset",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
    .severity_override =
        SeverityOverride{Severity::note, "it is 0xffffffff", "source_position is 0xffffffff, taken for \"none\"",
                         "readers show no frames for this code"},
};

void Positions::check_offsets() {
    for (uint64_t i = 0; i < offsets_.count(); ++i) {
        check_code_offset(info_, offsets_, i, findings_);
        const View<kCodeOffset> entry = offsets_[i];
        const uint64_t position = entry.get<"source_position">();
        if (position < positions_.count()) continue;
        const Place place = entry.place<"source_position">();
        position == kNoPosition ? findings_.add_overridden<kPositionIndexRange>(place, {position, positions_.count()})
                                : findings_.add<kPositionIndexRange>(place, {position, positions_.count()});
    }
}

// --- POSITIONS -----------------------------------------------------------------------------------------

void Positions::check_positions(uint64_t strings) {
    for (uint64_t i = 0; i < positions_.count(); ++i) check_position(i, strings);
}

constexpr Rule kCallerIndexRange{
    .id = "samply/caller-index-range",
    .severity = Severity::error,
    .statement = "caller_index is an index into source_positions, or -1",
    .message = "caller_index is {0}; expected less than {1}, the number of source positions",
    .why = "readers silently end the chain of callers here: the outer frames are lost",
    .spec = "3.2.2 SourcePosition",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
    .severity_override = SeverityOverride{Severity::warning, "it is below -1",
                                          "caller_index is -{0}; only -1 means \"none\"", "readers take it for -1"},
};

constexpr Rule kPositionNameIndexRange{
    .id = "samply/position-name-index-range",
    .severity = Severity::error,
    .statement = "function_name is an index into strings",
    .message = "function_name is {0}; expected less than {1}, the number of strings",
    .why = "readers silently show a frame without a name",
    .spec = "3.2.2 SourcePosition",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kPositionFileIndexRange{
    .id = "samply/position-file-index-range",
    .severity = Severity::error,
    .statement = "file is an index into strings, or -1",
    .message = "file is {0}; expected less than {1}, the number of strings",
    .why = "readers silently show a frame without a file",
    .spec = "3.2.2 SourcePosition",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
    .severity_override = SeverityOverride{Severity::warning, "it is below -1",
                                          "file is -{0}; only -1 means \"unknown\"", "readers take it for -1"},
};

// An index below -1 is a lesser fault than one that is too high.
template <const Rule& R>
void Positions::check_index(const Place& place, int64_t index, uint64_t limit) {
    if (index < kNoIndex) return findings_.add_overridden<R>(place, {static_cast<uint64_t>(-index), limit});
    if (index != kNoIndex && static_cast<uint64_t>(index) >= limit)
        findings_.add<R>(place, {static_cast<uint64_t>(index), limit});
}

void Positions::check_position(uint64_t number, uint64_t strings) {
    const View<kSourcePosition> position = positions_[number];
    const auto caller = static_cast<int64_t>(position.get<"caller_index">());
    check_index<kCallerIndexRange>(position.place<"caller_index">(), caller, positions_.count());
    if (static_cast<uint64_t>(caller) < positions_.count())  // a negative one is none
        callers_[number] = static_cast<uint32_t>(caller);

    const uint64_t name = position.get<"function_name">();
    if (name >= strings) findings_.add<kPositionNameIndexRange>(position.place<"function_name">(), {name, strings});
    check_index<kPositionFileIndexRange>(position.place<"file">(), static_cast<int64_t>(position.get<"file">()),
                                         strings);
    check_line_in_function(position.get<"line">(), position.get<"function_start_line">(), position.place<"line">(),
                           findings_);
}

// --- CALLERS -------------------------------------------------------------------------------------------

constexpr Rule kCallerCycle{
    .id = "samply/caller-cycle",
    .severity = Severity::error,
    .statement = "no position is its own caller, directly or through others",
    .message = "the callers of this position form a cycle of {0 position|positions}",
    .why = "samply's reader loops forever and allocates memory at every step",
    .spec = "3.2.2 SourcePosition",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

// Follows each chain once: each position is marked with the chain that visits it first.
bool Positions::check_callers() {
    ScratchVector<uint32_t> visited_by;  // by position: 1 + the position whose chain visited it; 0: none
    if (!scratch_.assign(visited_by, positions_.count(), uint32_t{0})) return false;
    for (uint32_t first = 0; first < positions_.count(); ++first) {
        uint32_t at = first;
        for (; at != kNoCaller && visited_by[at] == 0; at = callers_[at]) visited_by[at] = first + 1;
        if (at == kNoCaller || visited_by[at] != first + 1) continue;
        uint32_t lowest = at, length = 1;
        for (uint32_t on = callers_[at]; on != at; on = callers_[on], ++length) lowest = std::min(lowest, on);
        findings_.add<kCallerCycle>(positions_[lowest].place<"caller_index">(), {length});
    }
    context_.work.add(positions_.count());
    return true;
}

// --- ROOTS ---------------------------------------------------------------------------------------------

constexpr Rule kRootFunctionDiffers{
    .id = "samply/root-function-differs",
    .severity = Severity::warning,
    .statement = "all positions without a caller belong to one function, that of the LOAD",
    .message =
        "this position has no caller, but belongs to another function than position {0}, the first without a caller",
    .why = "readers show another function as the outermost frame of this code",
    .spec = "3.2.2 SourcePosition",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

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
        return findings_.add<kRootFunctionDiffers>(position.place<"function_name">(), {*first_root});
    }
}

// --- REFS ----------------------------------------------------------------------------------------------

bool Positions::check_references(uint64_t strings) {
    std::vector<bool> position_used, string_used;
    if (!scratch_.assign(position_used, positions_.count(), false) || !scratch_.assign(string_used, strings, false))
        return false;
    const auto use = [](std::vector<bool>& used, uint64_t index) {
        if (index < used.size()) used[index] = true;  // the others mean "none"
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

namespace {}  // namespace
constinit const RuleList kPositionsRules = rules<&kPositionIndexRange, &kCallerIndexRange, &kPositionNameIndexRange,
                                                 &kPositionFileIndexRange, &kCallerCycle, &kRootFunctionDiffers>;

}  // namespace tracelint::samply
