// samply: tree records, and how the ranges of their calls nest.
#include "grammars/jitdump/samply/checks/tree.hpp"

#include <bit>

#include "grammars/jitdump/samply/checks/positions.hpp"
#include "validator/memory/sorted_table.hpp"

namespace tracelint::samply {

// The ranges of inlined calls, compared with those of their callers and neighbours (sections 3.1.4 and 5.3).

namespace {

// A range, sorted by the caller of its call.
struct Owned {
    uint64_t key;  // caller (counted from 1; 0: the outer function) and start
    uint32_t range;
    uint32_t call;
};

constexpr Rule kChildRangeOutsideParent{
    .id = "samply/child-range-outside-parent",
    .severity = Severity::error,
    .statement = "the ranges of a call are within those of its caller",
    .message =
        "the range {0x} to {1x} is not inside the ranges of its caller, inline_call_list[{2}]; {3 such range|such "
        "ranges} in all",
    .why = "the tree contradicts itself: readers show the frame without its caller, or not at all",
    .spec = "3.1.4 Range",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kSiblingRangesOverlap{
    .id = "samply/sibling-ranges-overlap",
    .severity = Severity::warning,
    .statement = "ranges of different calls with the same caller do not overlap",
    .message =
        "the range begins at {0x}, before {1x}, the end of a range of inline_call_list[{2}], which has the same caller",
    .why = "which of the two calls the code belongs to is undefined",
    .spec = "3.1.4 Range",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kRangeSelfOverlap{
    .id = "samply/range-self-overlap",
    .severity = Severity::warning,
    .statement = "the ranges of a call do not overlap",
    .message = "the range begins at {0x}, before {1x}, the end of another range of the same call",
    .why = "readers count the code twice, or the ranges are wrong",
    .spec = "3.1.4 Range",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

class Nesting {
  public:
    Nesting(const TreeLists& lists, const ScratchVector<Call>& calls, ScratchVector<Span>& spans,
            ValidationContext& context, ScratchMemory& memory, Findings& findings)
        : lists_(lists), calls_(calls), spans_(spans), context_(context), memory_(memory), findings_(findings) {}

    bool check() {
        Scratch scratch(memory_);
        return scratch.assign(is_outside_, lists_.ranges.count(), uint8_t{0}) && check_callers() && check_neighbours();
    }

  private:
    uint64_t start_of(uint32_t range) const { return lists_.ranges[range].get<"start_offset">(); }
    uint64_t size_of(uint32_t range) const { return lists_.ranges[range].get<"size">(); }

    // Checks each range against the spans of its caller, which precedes it.
    bool check_callers() {
        Scratch scratch(memory_);
        ScratchVector<Span> sorting;
        ScratchVector<uint32_t> first_spans;  // by call
        if (!scratch.reserve(sorting, lists_.ranges.count()) || !scratch.reserve(first_spans, calls_.size()))
            return false;
        for (uint32_t i = 0; i < calls_.size(); ++i) {
            first_spans.push_back(static_cast<uint32_t>(spans_.size()));
            const uint32_t caller = calls_[i].caller;
            if (caller != Call::kOuter) {
                const size_t from = first_spans[caller], to = first_spans[caller + 1];
                check_inside_caller(calls_[i], {spans_.data() + from, to - from});
            }
            merge_ranges(i, sorting);
        }
        if (outside_ == 0) return true;
        const uint64_t start = start_of(first_outside_), end = start + size_of(first_outside_);
        findings_.add<kChildRangeOutsideParent>(lists_.ranges[first_outside_].whole(lists_.ranges.kSize),
                                                {start, end, caller_of_first_, outside_});
        return true;
    }

    void check_inside_caller(const Call& call, std::span<const Span> caller) {
        context_.work.add(call.range_count * static_cast<uint64_t>(std::bit_width(caller.size())));
        for (uint32_t i = call.first_range; i < call.first_range + call.range_count; ++i) {
            const uint64_t start = start_of(i), size = size_of(i);
            if (size == 0 || is_inside(caller, start, start + size - 1)) continue;
            is_outside_[i] = 1;
            if (outside_++ > 0) continue;
            first_outside_ = i;
            caller_of_first_ = call.caller;
        }
    }

    // Whether one of the spans contains [start, last]. They are sorted and do not touch. The search has no branch on
    // what it compares: hostile ranges come in random order.
    static bool is_inside(std::span<const Span> spans, uint64_t start, uint64_t last) {
        if (spans.empty()) return false;
        size_t at = 0;
        for (size_t left = spans.size(); left > 1;) {
            const size_t half = left / 2;
            at = start < spans[at + half].start ? at : at + half;
            left -= half;
        }
        return spans[at].start <= start && last <= spans[at].last;
    }

    // Adds the spans of call `number`.
    void merge_ranges(uint32_t number, ScratchVector<Span>& sorting) {
        const Call& call = calls_[number];
        const size_t first = spans_.size();
        for (uint32_t i = call.first_range; i < call.first_range + call.range_count; ++i) {
            const uint64_t start = start_of(i), size = size_of(i);
            if (size != 0)
                spans_.push_back({static_cast<uint32_t>(start), static_cast<uint32_t>(start + size - 1), number});
        }
        const std::span<Span> own(spans_.begin() + first, spans_.end());
        sort_by_key(own, sorting, [](const Span& span) { return span.start; }, context_.work);
        size_t kept = first;
        for (size_t i = first; i < spans_.size(); ++i) {
            if (kept > first && spans_[i].start <= uint64_t{spans_[kept - 1].last} + 1)
                spans_[kept - 1].last = std::max(spans_[kept - 1].last, spans_[i].last);
            else
                spans_[kept++] = spans_[i];
        }
        spans_.resize(kept);
    }

    // Checks the ranges of each caller against each other.
    bool check_neighbours() {
        Scratch scratch(memory_);
        ScratchVector<Owned> owned, sorting;
        if (!scratch.reserve(owned, lists_.ranges.count()) || !scratch.reserve(sorting, lists_.ranges.count()))
            return false;
        for (uint32_t c = 0; c < calls_.size(); ++c)
            for (uint32_t i = calls_[c].first_range; i < calls_[c].first_range + calls_[c].range_count; ++i)
                if (size_of(i) != 0 && is_outside_[i] == 0)
                    owned.push_back({uint64_t{calls_[c].caller + 1} << 32 | start_of(i), i, c});
        sort_by_key(std::span(owned), sorting, [](const Owned& one) { return one.key; }, context_.work);
        uint64_t highest = 0;  // end of the ranges of one caller so far
        uint32_t owner = 0;    // the call that reached it first
        for (size_t i = 0; i < owned.size(); ++i) {
            if (i == 0 || owned[i].key >> 32 != owned[i - 1].key >> 32) highest = 0;
            const uint64_t start = start_of(owned[i].range), end = start + size_of(owned[i].range);
            if (start < highest) {
                const Place place = lists_.ranges[owned[i].range].whole(lists_.ranges.kSize);
                owner == owned[i].call ? findings_.add<kRangeSelfOverlap>(place, {start, highest})
                                       : findings_.add<kSiblingRangesOverlap>(place, {start, highest, owner});
            }
            if (end <= highest) continue;
            highest = end;
            owner = owned[i].call;
        }
        return true;
    }

    const TreeLists& lists_;
    const ScratchVector<Call>& calls_;
    ScratchVector<Span>& spans_;
    ValidationContext& context_;
    ScratchMemory& memory_;
    Findings& findings_;
    ScratchVector<uint8_t> is_outside_;  // by range
    uint64_t outside_ = 0;
    uint32_t first_outside_ = 0;  // its number
    uint64_t caller_of_first_ = 0;
};

}  // namespace

bool check_nesting(const TreeLists& lists, const ScratchVector<Call>& calls, ScratchVector<Span>& spans,
                   ValidationContext& context, Scratch& scratch, Findings& findings) {
    return scratch.reserve(spans, lists.ranges.count()) &&
           Nesting(lists, calls, spans, context, scratch.memory(), findings).check();
}

// A tree record: its structure and its references (sections 3.1 and 5.2).

namespace {

constexpr uint64_t kListsAt = fixed_size(kTree);
constexpr uint64_t kAlignment = 4;        // of the sizes of string lists
constexpr uint64_t kMostListPadding = 3;  // bytes
constexpr uint64_t kEndOfOffsets = uint64_t{1} << 32;

template <FixedName Name>
constexpr const Field& kList = View<kTree>::field<Name>();

}  // namespace

Tree::Tree(const Info2& info, ValidationContext& context, ScratchMemory& memory)
    : info_(info),
      context_(context),
      findings_(context.report, info.load),
      scratch_(memory),
      head_(info.bytes.data(), info.offset, info.order, info.index) {}

bool Tree::check() {
    if (!check_header() || !info_.is_whole()) return true;

    const uint64_t names_end = names_at_ + head_.get<"function_names_list_size">();
    Strings files(info_, kList<"file_list">, files_at_, names_at_, context_, scratch_);
    Strings names(info_, kList<"function_names_list">, names_at_, names_end, context_, scratch_);
    if (!check_strings(files, head_.get<"file_count">(), files_countable_)) return false;
    if (!check_strings(names, head_.get<"function_names_count">(), names_countable_)) return false;
    if (context_.names != nullptr) names.tell(*context_.names);

    const uint64_t errors_of_strings = findings_.errors();
    check_functions();
    if (!scratch_.assign(calls_, lists_.calls.count(), Call{})) return false;
    if (!check_calls()) return false;
    check_ranges();

    const uint64_t faults_before = findings_.faults();
    ScratchVector<Span> spans;
    if (findings_.errors() == errors_of_strings && !check_nesting(lists_, calls_, spans, context_, scratch_, findings_))
        return false;
    const bool nesting_is_clean = findings_.faults() == faults_before;
    check_lines();

    if (findings_.errors() == 0 && nesting_is_clean && info_.code_size)
        if (!check_line_match(info_, lists_, spans, files, context_, scratch_, findings_)) return false;
    if (findings_.errors() != 0) return true;
    return check_references(files.count(), names.count());
}

// --- HEADER --------------------------------------------------------------------------------------------

constexpr Rule kListSizeUnaligned{
    .id = "samply/list-size-unaligned",
    .severity = Severity::error,
    .statement = "the sizes of the string lists are multiples of 4",
    .message = "the list has {0 byte|bytes}; expected a multiple of 4",
    .why = "all later lists are unaligned; a reader that rounds the size up reads them shifted",
    .spec = "3.1.1 String lists",
    .since = "0.1.0",
};

bool Tree::check_header() {
    if (!has_fixed_fields(info_, head_.place<"total_size">(), findings_)) return false;
    const uint64_t calls = head_.get<"inline_call_record_count">();
    ListLayout next(findings_, kListsAt, info_.total_size - kListsAt);
    files_at_ = next.place(head_.get<"file_list_size">(), 1, head_.place<"file_list_size">());
    names_at_ = next.place(head_.get<"function_names_list_size">(), 1, head_.place<"function_names_list_size">());
    const auto list = [&] < const auto & Element > (Elements<Element> & elements, const Field& field, uint64_t count,
                                                    const Place& counter) {
        elements = {info_, field, next.place(count, Elements<Element>::kSize, counter), count};
    };
    list(lists_.functions, kList<"function_list">, head_.get<"function_count">(), head_.place<"function_count">());
    list(lists_.calls, kList<"inline_call_list">, calls, head_.place<"inline_call_record_count">());
    list(lists_.ranges, kList<"range_list">, head_.get<"range_count">(), head_.place<"range_count">());
    list(lists_.lines, kList<"line_record_list">, head_.get<"line_record_count">(), head_.place<"line_record_count">());
    if (next.failed()) return false;

    if (next.end() < info_.total_size) findings_.doubt();
    check_trailing_bytes(info_, kTree, next.end(), findings_);
    const auto check_size = [&](uint64_t size, const Place& place) {
        if (size % kAlignment != 0) findings_.add<kListSizeUnaligned>(place, {size});
    };
    check_size(head_.get<"file_list_size">(), head_.place<"file_list_size">());
    check_size(head_.get<"function_names_list_size">(), head_.place<"function_names_list_size">());
    return true;
}

// --- FILES, NAMES --------------------------------------------------------------------------------------

constexpr Rule kStringListExcess{
    .id = "samply/string-list-excess",
    .severity = Severity::error,
    .statement = "at most 3 bytes of padding follow the announced strings of a list",
    .message =
        "{0 byte follows|bytes follow} the announced {1 string|strings} of the list; expected at most 3 bytes of "
        "padding",
    .why = "the count or the size is wrong: references into the list show the wrong text, or none",
    .spec = "3.1.1 String lists",
    .since = "0.1.0",
};

constexpr Rule kPaddingNonzero{
    .id = "samply/padding-nonzero",
    .severity = Severity::warning,
    .statement = "the padding of a string list is zero",
    .message = "the padding of the list contains {0x}",
    .why = "readers ignore it, but it may be the rest of a string that was cut",
    .spec = "3.1.1 String lists",
    .since = "0.1.0",
};

// False if memory is short. `countable`: cleared if the announced count is not plausible.
bool Tree::check_strings(Strings& strings, uint64_t announced, bool& countable) {
    if (!strings.locate(announced, findings_)) return !strings.is_short_of_memory();
    if (!strings.check(findings_)) return false;
    const Bytes padding = info_.bytes.subspan(strings.after(), strings.end() - strings.after());
    if (padding.size() > kMostListPadding) {
        countable = false;
        findings_.add<kStringListExcess>(head_.part(strings.after(), padding.size()), {padding.size(), announced});
        return true;
    }
    for (size_t i = 0; i < padding.size(); ++i) {
        if (padding[i] == 0) continue;
        findings_.add<kPaddingNonzero>(head_.part(strings.after() + i, 1), {padding[i]});
        break;
    }
    return true;
}

// --- FUNCTIONS -----------------------------------------------------------------------------------------

constexpr Rule kNoFunctions{
    .id = "samply/no-functions",
    .severity = Severity::error,
    .statement = "function_list has at least one entry, the outer function",
    .message = "function_count is 0",
    .why = "the lines of the record belong to no function",
    .spec = "3.1 SAMPLY_JIT_CODE_DEBUG_INFO2 (tree)",
    .since = "0.1.0",
};

constexpr Rule kFunctionNameIndexRange{
    .id = "samply/function-name-index-range",
    .severity = Severity::error,
    .statement = "function_name_index is an index into function_names_list",
    .message = "function_name_index is {0}; expected less than {1}, the number of strings in function_names_list",
    .why = "the function has no name, or a reader fails on the index",
    .spec = "3.1.2 FunctionRecord",
    .since = "0.1.0",
};

constexpr Rule kFunctionFileIndexRange{
    .id = "samply/function-file-index-range",
    .severity = Severity::error,
    .statement = "file_index of a function is an index into file_list",
    .message = "file_index is {0}; expected less than {1}, the number of strings in file_list",
    .why = "calls in this function have no file, or a reader fails on the index",
    .spec = "3.1.2 FunctionRecord",
    .since = "0.1.0",
};

constexpr Rule kFunctionFlagsUndefined{
    .id = "samply/function-flags-undefined",
    .severity = Severity::note,
    .statement = "flags of a function are 0 because no flag is defined",
    .message = "flags is {0x}; no flag is defined",
    .why = "readers cannot interpret them",
    .spec = "3.1.2 FunctionRecord",
    .since = "0.1.0",
};

void Tree::check_functions() {
    const uint64_t files = head_.get<"file_count">(), names = head_.get<"function_names_count">();
    if (lists_.functions.count() == 0) findings_.add<kNoFunctions>(head_.place<"function_count">());
    bool flags_reported = false;
    for (uint64_t i = 0; i < lists_.functions.count(); ++i) {
        const View<kFunctionRecord> function = lists_.functions[i];
        const uint64_t name = function.get<"function_name_index">(), file = function.get<"file_index">();
        if (name >= names && names_countable_)
            findings_.add<kFunctionNameIndexRange>(function.place<"function_name_index">(), {name, names});
        if (file >= files && files_countable_)
            findings_.add<kFunctionFileIndexRange>(function.place<"file_index">(), {file, files});
        const uint64_t flags = function.get<"flags">();
        if (flags != 0 && !std::exchange(flags_reported, true))
            findings_.add<kFunctionFlagsUndefined>(function.place<"flags">(), {flags});
    }
}

// --- CALLS ---------------------------------------------------------------------------------------------

constexpr Rule kRangeCountUnused{
    .id = "samply/range-count-unused",
    .severity = Severity::error,
    .statement = "every range belongs to a call",
    .message = "range_list has {1 more range|more ranges} than the {0} that its calls need",
    .why = "a range_count is too low, and the ranges of all later calls belong to the wrong call",
    .spec = "3.1.3 InlineCallRecord",
    .since = "0.1.0",
};

bool Tree::check_calls() {
    Scratch scratch(scratch_.memory());
    ScratchVector<uint32_t> stack;  // the callers of the next call; never longer than the list
    if (!scratch.reserve(stack, lists_.calls.count())) return false;
    for (uint64_t i = 0; i < lists_.calls.count(); ++i) check_call(i, stack);
    const uint64_t unclaimed = lists_.ranges.count() - ranges_taken_;
    if (overrun_ || has_rangeless_call_ || unclaimed == 0) return true;
    const Place first = lists_.ranges[ranges_taken_].whole(unclaimed * lists_.ranges.kSize);
    findings_.add<kRangeCountUnused>(first, {ranges_taken_, unclaimed});
    return true;
}

constexpr Rule kInlineDepthJump{
    .id = "samply/inline-depth-jump",
    .severity = Severity::error,
    .statement = "a call is at most one level deeper than the previous call, and the first has depth 0",
    .message = "depth is {0}; expected at most {1}",
    .why = "the caller of this call does not exist: a reader that keeps a call stack fails or shows a wrong one",
    .spec = "3.1.3 InlineCallRecord",
    .since = "0.1.0",
};

constexpr Rule kInlineFunctionIndexRange{
    .id = "samply/inline-function-index-range",
    .severity = Severity::error,
    .statement = "function_index is an index into function_list",
    .message = "function_index is {0}; expected less than {1}, the number of functions in function_list",
    .why = "the inlined frame has no name, or a reader fails on the index",
    .spec = "3.1.3 InlineCallRecord",
    .since = "0.1.0",
};

constexpr Rule kInlineOfOuterFunction{
    .id = "samply/inline-of-outer-function",
    .severity = Severity::note,
    .statement = "the outer function is not inlined into itself",
    .message = "function_index is 0, the outer function",
    .why = "recursive inlining is legal; if the runtime does none, the index is wrong",
    .spec = "3.1.3 InlineCallRecord",
    .since = "0.1.0",
};

constexpr Rule kLineZero{
    .id = "samply/line-zero",
    .severity = Severity::note,
    .statement = "lines are counted from 1",
    .message = "the line is 0",
    .why = "readers show line 0; in DWARF it means that the code belongs to no line",
    .spec = "3.3.4 Lines",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

void Tree::check_call(uint64_t number, ScratchVector<uint32_t>& stack) {
    const View<kInlineCallRecord> call = lists_.calls[number];
    const uint64_t depth = call.get<"depth">();
    const uint64_t most = number == 0 ? 0 : lists_.calls[number - 1].get<"depth">() + 1;
    if (depth > most) findings_.add<kInlineDepthJump>(call.place<"depth">(), {depth, most});
    stack.resize(std::min<uint64_t>(depth, stack.size()));
    calls_[number].caller = stack.empty() ? Call::kOuter : stack.back();
    stack.push_back(static_cast<uint32_t>(number));

    take_ranges(number);
    const uint64_t function = call.get<"function_index">(), functions = lists_.functions.count();
    if (function >= functions && functions != 0)
        findings_.add<kInlineFunctionIndexRange>(call.place<"function_index">(), {function, functions});
    if (function == 0) findings_.add<kInlineOfOuterFunction>(call.place<"function_index">());
    if (call.get<"call_line_number">() == 0) findings_.add<kLineZero>(call.place<"call_line_number">());
}

constexpr Rule kRangeCountZero{
    .id = "samply/range-count-zero",
    .severity = Severity::error,
    .statement = "a call has at least one range",
    .message = "range_count is 0",
    .why = "the call has no code; a reader that uses its first range uses that of another call",
    .spec = "3.1.3 InlineCallRecord",
    .since = "0.1.0",
};

constexpr Rule kRangeCountOverrun{
    .id = "samply/range-count-overrun",
    .severity = Severity::error,
    .statement = "the calls together have as many ranges as range_list",
    .message = "the calls up to this one need {0 range|ranges}, but range_list has only {1}",
    .why = "readers read past the end of the list, or fail",
    .spec = "3.1.3 InlineCallRecord",
    .since = "0.1.0",
};

void Tree::take_ranges(uint64_t number) {
    const View<kInlineCallRecord> call = lists_.calls[number];
    const uint64_t wanted = call.get<"range_count">();
    if (wanted == 0) {
        has_rangeless_call_ = true;
        return findings_.add<kRangeCountZero>(call.place<"range_count">());
    }
    if (overrun_) return;
    overrun_ = wanted > lists_.ranges.count() - ranges_taken_;
    if (overrun_)
        return findings_.add<kRangeCountOverrun>(call.place<"range_count">(),
                                                 {ranges_taken_ + wanted, lists_.ranges.count()});
    calls_[number].first_range = static_cast<uint32_t>(ranges_taken_);
    calls_[number].range_count = static_cast<uint32_t>(wanted);
    ranges_taken_ += wanted;
}

// --- RANGES --------------------------------------------------------------------------------------------

constexpr Rule kRangeOverflow{
    .id = "samply/range-overflow",
    .severity = Severity::error,
    .statement = "a range ends at or below offset 2^32",
    .message = "the range of {1x} bytes at {0x} ends above 2^32",
    .why = "its end wraps around, so that it covers nothing or everything",
    .spec = "3.1.4 Range",
    .since = "0.1.0",
};

constexpr Rule kRangeBeyondCode{
    .id = "samply/range-beyond-code",
    .severity = Severity::error,
    .statement = "a range is within the code of its function",
    .message = "the range ends at {0x}, past the end of the code of {1x} bytes",
    .why = "readers show the frames for code of another function, or not at all",
    .spec = "3.1.4 Range",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kRangeEmpty{
    .id = "samply/range-empty",
    .severity = Severity::warning,
    .statement = "a range is not empty",
    .message = "the size of the range is 0",
    .why = "it covers nothing; a call without any other range is not shown",
    .spec = "3.1.4 Range",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

void Tree::check_ranges() {
    for (uint64_t i = 0; i < lists_.ranges.count(); ++i) {
        const View<kRange> range = lists_.ranges[i];
        const uint64_t start = range.get<"start_offset">(), size = range.get<"size">();
        if (start + size > kEndOfOffsets)
            findings_.add<kRangeOverflow>(range.whole(lists_.ranges.kSize), {start, size});
        else if (info_.code_size && start + size > *info_.code_size)
            findings_.add<kRangeBeyondCode>(range.whole(lists_.ranges.kSize), {start + size, *info_.code_size});
        if (size == 0) findings_.add<kRangeEmpty>(range.place<"size">());
    }
}

// --- LINES ---------------------------------------------------------------------------------------------

constexpr Rule kLineFileIndexRange{
    .id = "samply/line-file-index-range",
    .severity = Severity::error,
    .statement = "file_index of a line is an index into file_list",
    .message = "file_index is {0}; expected less than {1}, the number of strings in file_list",
    .why = "the line has no file, or a reader fails on the index",
    .spec = "3.1.5 LineRecord",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

void Tree::check_lines() {
    const uint64_t files = head_.get<"file_count">();
    for (uint64_t i = 0; i < lists_.lines.count(); ++i) {
        check_code_offset(info_, lists_.lines, i, findings_);
        const View<kLineRecord> line = lists_.lines[i];
        const uint64_t file = line.get<"file_index">();
        if (file >= files && files_countable_)
            findings_.add<kLineFileIndexRange>(line.place<"file_index">(), {file, files});
        if (line.get<"line_number">() == 0) findings_.add<kLineZero>(line.place<"line_number">());
    }
}

// --- REFS ----------------------------------------------------------------------------------------------

bool Tree::check_references(uint64_t files, uint64_t names) {
    ScratchVector<uint8_t> file_used, name_used, function_used;
    if (!scratch_.assign(file_used, files, uint8_t{0}) || !scratch_.assign(name_used, names, uint8_t{0}) ||
        !scratch_.assign(function_used, lists_.functions.count(), uint8_t{0}))
        return false;
    // Bytes that are written could be parts of the lists, for all that the compiler knows: it would read those again.
    const auto [functions, calls, ranges, lines] = lists_;
    uint8_t *const files_seen = file_used.data(), *const names_seen = name_used.data();
    uint8_t* const functions_seen = function_used.data();
    functions_seen[0] = 1;
    for (uint64_t i = 0; i < functions.count(); ++i) {
        files_seen[functions[i].get<"file_index">()] = 1;
        names_seen[functions[i].get<"function_name_index">()] = 1;
    }
    for (uint64_t i = 0; i < lines.count(); ++i) files_seen[lines[i].get<"file_index">()] = 1;
    for (uint64_t i = 0; i < calls.count(); ++i) functions_seen[calls[i].get<"function_index">()] = 1;
    samply::check_references(file_used, head_.place<"file_count">(), findings_);
    samply::check_references(name_used, head_.place<"function_names_count">(), findings_);
    samply::check_references(function_used, head_.place<"function_count">(), findings_);
    return true;
}

constinit const RuleList kTreeRules =
    rules<&kChildRangeOutsideParent, &kSiblingRangesOverlap, &kRangeSelfOverlap, &kListSizeUnaligned,
          &kStringListExcess, &kPaddingNonzero, &kNoFunctions, &kFunctionNameIndexRange, &kFunctionFileIndexRange,
          &kFunctionFlagsUndefined, &kRangeCountUnused, &kInlineDepthJump, &kInlineFunctionIndexRange,
          &kInlineOfOuterFunction, &kLineZero, &kRangeCountZero, &kRangeCountOverrun, &kRangeOverflow,
          &kRangeBeyondCode, &kRangeEmpty, &kLineFileIndexRange>;

}  // namespace tracelint::samply
