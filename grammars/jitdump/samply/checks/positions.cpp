// samply: positions records, and how they match the lines of a tree.
#include "grammars/jitdump/samply/checks/positions.hpp"

#include "validator/memory/sorted_table.hpp"

namespace tracelint::samply {

// A positions record: its offsets, positions and chains of callers (sections 3.2 and 5.4).

namespace {

constexpr uint64_t kPositionListsAt = fixed_size(kPositions);
constexpr uint64_t kNoPosition = 0xffffffff;
constexpr int64_t kNoIndex = -1;  // no caller, no file

template <FixedName Name>
constexpr const Field& kPositionList = View<kPositions>::field<Name>();

}  // namespace

bool Positions::check(bool is_misplaced) {
    if (!has_fixed_fields(info_, head_.place<"total_size">(), findings_) || !place_lists()) return true;
    Strings strings(info_, kPositionList<"strings">, positions_.end(), info_.total_size, context_, scratch_);
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
    ListLayout next(findings_, kPositionListsAt, info_.total_size - kPositionListsAt);
    const uint64_t offsets_at = next.place(offsets, Elements<kCodeOffset>::kSize, head_.place<"code_offset_count">());
    const uint64_t positions_at =
        next.place(positions, Elements<kSourcePosition>::kSize, head_.place<"source_position_count">());
    if (next.failed() || !info_.is_whole()) return false;
    offsets_ = {info_, kPositionList<"code_offsets">, offsets_at, offsets};
    positions_ = {info_, kPositionList<"source_positions">, positions_at, positions};
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
        SeverityOverride{Severity::note, "it is 0xffffffff", "source_position is 0xffffffff, meant as \"none\"",
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
                                          "caller_index is -{0}; only -1 means \"none\"", "readers treat it as -1"},
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
                                          "file is -{0}; only -1 means \"unknown\"", "readers treat it as -1"},
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
    if (static_cast<uint64_t>(caller) < positions_.count())  // also false for a negative one
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
    ScratchVector<uint8_t> position_used, string_used;
    if (!scratch_.assign(position_used, positions_.count(), uint8_t{0}) ||
        !scratch_.assign(string_used, strings, uint8_t{0}))
        return false;
    const auto use = [](ScratchVector<uint8_t>& used, uint64_t index) {
        if (index < used.size()) used[index] = 1;  // the others mean "none"
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

// The lines, compared with the inlined calls that they are in (sections 3.1.5 and 5.3).

namespace {

// A range of code with one innermost function. It extends to the start of the next one.
struct Segment {
    uint32_t start;
    uint32_t function;
};

constexpr Rule kLineFileMismatch{
    .id = "samply/line-file-mismatch",
    .severity = Severity::warning,
    .statement = "a line belongs to the file of the function that its code is inlined from",
    .message =
        "the line at {0x} is in another file than its innermost function, function_list[{1}]; {2 such line|such lines} "
        "in all",
    .why = "readers show the function with a line of another file; macros and includes also cause this",
    .spec = "3.1.5 LineRecord",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kLineSpansInlineBoundary{
    .id = "samply/line-spans-inline-boundary",
    .severity = Severity::warning,
    .statement = "a line record ends where the innermost function changes",
    .message = "the record begins in function_list[{0}] and extends past {1x}, where function_list[{2}] begins",
    .why = "readers show a line of one function in another",
    .spec = "3.1.5 LineRecord",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kLineRecordRedundant{
    .id = "samply/line-record-redundant",
    .severity = Severity::note,
    .statement = "each contiguous range of one location has one line record",
    .message =
        "the record repeats the previous one, and no inlined range begins or ends "
        "between them; {0 such record|such records} in all",
    .why = "it wastes space",
    .spec = "3.1.5 LineRecord",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

class LineMatch {
  public:
    LineMatch(const Info2& info, const TreeLists& lists, const ScratchVector<Span>& spans, const Strings& files,
              ValidationContext& context, Scratch& scratch, Findings& findings)
        : info_(info),
          lists_(lists),
          spans_(spans),
          files_(files),
          context_(context),
          scratch_(scratch),
          findings_(findings) {}

    bool check() {
        if (!cut_into_segments()) return false;
        if (!scratch_.assign(mismatches_, lists_.functions.count(), Mismatch{})) return false;
        check_lines();
        report_collected();
        return true;
    }

  private:
    struct Mismatch {
        uint32_t first_line = 0;
        uint32_t count = 0;
    };
    // A span that has begun.
    struct Open {
        uint64_t end;
        uint32_t function;
    };

    // The nesting is clean, so two spans are either nested or disjoint; callers precede their callees.
    bool cut_into_segments() {
        if (!scratch_.reserve(segments_, 2 * spans_.size() + 1)) return false;
        Scratch scratch(scratch_.memory());
        ScratchVector<Span> ascending, sorting;
        ScratchVector<Open> open;
        if (!scratch.reserve(ascending, spans_.size()) || !scratch.reserve(sorting, spans_.size()) ||
            !scratch.reserve(open, spans_.size() + 1))
            return false;
        for (const Span& span : spans_) ascending.push_back(span);
        sort_by_key(std::span(ascending), sorting, [](const Span& span) { return span.start; }, context_.work);
        segments_.push_back({0, 0});
        open.push_back({kNone, 0});  // the outer function covers everything
        for (const Span& span : ascending) {
            close_before(open, span.start);
            open.push_back({uint64_t{span.last} + 1, function_of(span)});
            begin_segment(span.start, open.back().function);
        }
        close_before(open, kNone - 1);
        return true;
    }

    // Ends the spans that end at or before the offset.
    void close_before(ScratchVector<Open>& open, uint64_t offset) {
        while (open.back().end <= offset) {
            const uint64_t end = open.back().end;
            open.pop_back();
            begin_segment(static_cast<uint32_t>(end), open.back().function);
        }
    }
    void begin_segment(uint32_t start, uint32_t function) {
        if (segments_.back().start != start) segments_.push_back({start, 0});
        segments_.back().function = function;
    }

    uint32_t function_of(const Span& span) const {
        return static_cast<uint32_t>(lists_.calls[span.call].get<"function_index">());
    }

    uint64_t offset_of(uint64_t line) const { return lists_.lines[line].get<"code_offset">(); }

    // Lines ascend, so one pass over the segments suffices.
    void check_lines() {
        const uint64_t count = lists_.lines.count(), code_size = *info_.code_size;
        uint64_t before = kNone;
        uint64_t offset = count == 0 ? code_size : offset_of(0);
        for (uint64_t i = 0; offset < code_size; ++i) {  // the last line extends to the end of the code
            const uint64_t next = i + 1 < count ? offset_of(i + 1) : code_size;
            const size_t segment_before = segment_;
            while (segment_ + 1 < segments_.size() && segments_[segment_ + 1].start <= offset) ++segment_;
            if (segment_ == segment_before && offset > before && repeats(i)) {
                if (redundant_++ == 0) first_redundant_ = lists_.lines[i].place<"code_offset">();
            }
            if (offset < next) check_line(i, std::min(next, code_size));
            before = offset;
            offset = next;
        }
    }

    // Checks a line that covers code up to `end`.
    void check_line(uint64_t number, uint64_t end) {
        const View<kLineRecord> line = lists_.lines[number];
        const uint32_t function = segments_[segment_].function;
        const View<kFunctionRecord> described = lists_.functions[function];
        if (files_.differ(line.get<"file_index">(), described.get<"file_index">())) {
            if (mismatches_[function].count++ == 0) mismatches_[function].first_line = static_cast<uint32_t>(number);
            return;
        }
        check_end(line, end);
        const uint64_t number_in_file = line.get<"line_number">(), start = described.get<"start_line">();
        if (number_in_file < start)
            check_line_in_function(number_in_file, start, line.place<"line_number">(), findings_);
    }

    // Whether the line has the location of the previous one.
    bool repeats(uint64_t number) const {
        constexpr uint64_t kPayload = View<kLineRecord>::offset_of<"file_index">();
        const uint8_t* line = lists_.lines[number].data();
        const uint8_t* before = lists_.lines[number - 1].data();
        return std::memcmp(line + kPayload, before + kPayload, lists_.lines.kSize - kPayload) == 0;
    }

    void check_end(const View<kLineRecord>& line, uint64_t end) {
        const uint32_t function = segments_[segment_].function;
        for (size_t i = segment_ + 1; i < segments_.size() && segments_[i].start < end; ++i) {
            if (segments_[i].function == function) continue;
            return findings_.add<kLineSpansInlineBoundary>(line.place<"code_offset">(),
                                                           {function, segments_[i].start, segments_[i].function});
        }
    }

    void report_collected() {
        for (uint64_t function = 0; function < mismatches_.size(); ++function) {
            if (mismatches_[function].count == 0) continue;
            const uint64_t number = mismatches_[function].first_line;
            findings_.add<kLineFileMismatch>(lists_.lines[number].place<"file_index">(),
                                             {offset_of(number), function, mismatches_[function].count});
        }
        if (redundant_ > 0) findings_.add<kLineRecordRedundant>(first_redundant_, {redundant_});
    }

    const Info2& info_;
    const TreeLists& lists_;
    const ScratchVector<Span>& spans_;
    const Strings& files_;
    ValidationContext& context_;
    Scratch& scratch_;
    Findings& findings_;
    ScratchVector<Segment> segments_;
    size_t segment_ = 0;                  // that contains the current line
    ScratchVector<Mismatch> mismatches_;  // by function
    uint64_t redundant_ = 0;
    Place first_redundant_;
};

}  // namespace

bool check_line_match(const Info2& info, const TreeLists& lists, const ScratchVector<Span>& spans, const Strings& files,
                      ValidationContext& context, Scratch& scratch, Findings& findings) {
    return LineMatch(info, lists, spans, files, context, scratch, findings).check();
}

constinit const RuleList kPositionsRules =
    rules<&kPositionIndexRange, &kCallerIndexRange, &kPositionNameIndexRange, &kPositionFileIndexRange, &kCallerCycle,
          &kRootFunctionDiffers, &kLineFileMismatch, &kLineSpansInlineBoundary, &kLineRecordRedundant>;

}  // namespace tracelint::samply
