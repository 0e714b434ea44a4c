// samply, section 5.2: the structure of a tree record, and what refers to what in it.
#include "grammars/samply/tree.hpp"

#include "grammars/samply/nesting.hpp"
#include "grammars/samply/sync.hpp"

namespace tracelint::samply {
namespace {

constexpr uint64_t kListsAt = fixed_size(kTree);
constexpr uint64_t kAlignment = 4;        // of the sizes of string lists
constexpr uint64_t kMostListPadding = 3;  // bytes
constexpr uint64_t kEndOfOffsets = uint64_t{1} << 32;

template <FixedName Name>
constexpr const Field& kList = View<kTree>::field<Name>();

// Gives lists their places one after the other, as long as they fit (S2).
class Layouter {
  public:
    Layouter(Findings& findings, uint64_t left) : findings_(findings), left_(left) {}

    // Where a list of `count` elements of `size` bytes begins; `counter` is the place of that count. The factors
    // have 32 bits and 5 bits, so no product overflows.
    uint64_t place(uint64_t count, uint64_t size, const Place& counter) {
        const uint64_t at = at_;
        if (failed_) return at;
        if (count * size > left_) {
            findings_.add(kListExceedsRecord, counter, {count, size, left_});
            failed_ = true;
            return at;
        }
        at_ += count * size;
        left_ -= count * size;
        return at;
    }
    bool failed() const { return failed_; }
    uint64_t end() const { return at_; }

  private:
    Findings& findings_;
    uint64_t left_;
    uint64_t at_ = kListsAt;
    bool failed_ = false;
};

}  // namespace

Tree::Tree(const Info2& info, ValidationContext& context)
    : info_(info),
      context_(context),
      findings_(context.report, info.load),
      scratch_(context.budget),
      head_(info.bytes.data(), info.offset, info.order, info.index) {}

bool Tree::check() {
    if (!check_header() || !info_.is_whole()) return true;

    const uint64_t names_end = names_at_ + head_.get<"function_names_list_size">();
    Strings files(info_, kList<"file_list">, files_at_, names_at_, context_);
    Strings names(info_, kList<"function_names_list">, names_at_, names_end, context_);
    if (!check_strings(files, head_.get<"file_count">(), files_countable_)) return false;
    if (!check_strings(names, head_.get<"function_names_count">(), names_countable_)) return false;

    const uint64_t errors_of_strings = findings_.errors();
    check_functions();
    if (!scratch_.assign(calls_, lists_.calls.count(), Call{})) return false;
    if (!check_calls()) return false;
    check_ranges();

    const uint64_t faults_before = findings_.faults();
    std::vector<Span> spans;
    if (findings_.errors() == errors_of_strings && !check_nesting(lists_, calls_, spans, context_, scratch_, findings_))
        return false;
    const bool nesting_is_clean = findings_.faults() == faults_before;
    check_lines();

    if (findings_.errors() == 0 && nesting_is_clean && info_.code_size)
        if (!check_sync(info_, lists_, spans, files, context_, findings_)) return false;
    if (findings_.errors() != 0) return true;
    return check_references(files.count(), names.count());
}

// --- HEADER --------------------------------------------------------------------------------------------

bool Tree::check_header() {
    if (info_.total_size < kListsAt) {
        findings_.add(kRecordTooShort, head_.place<"total_size">(), {info_.total_size});
        return false;
    }
    const uint64_t calls = head_.get<"inline_call_record_count">();
    Layouter next(findings_, info_.total_size - kListsAt);
    files_at_ = next.place(head_.get<"file_list_size">(), 1, head_.place<"file_list_size">());
    names_at_ = next.place(head_.get<"function_names_list_size">(), 1, head_.place<"function_names_list_size">());
    const auto list = [&] < const Record & Element > (Elements<Element> & elements, const Field& field, uint64_t count,
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
        if (size % kAlignment != 0) findings_.add(kListSizeUnaligned, place, {size});
    };
    check_size(head_.get<"file_list_size">(), head_.place<"file_list_size">());
    check_size(head_.get<"function_names_list_size">(), head_.place<"function_names_list_size">());
    return true;
}

// --- FILES, NAMES --------------------------------------------------------------------------------------

// False when memory is short. `countable`: the announced count can be believed.
bool Tree::check_strings(Strings& strings, uint64_t announced, bool& countable) {
    if (!strings.locate(announced, findings_)) return !strings.is_short_of_memory();
    if (!strings.check(findings_)) return false;
    const Bytes padding = info_.bytes.subspan(strings.after(), strings.end() - strings.after());
    if (padding.size() > kMostListPadding) {
        countable = false;
        findings_.add(kStringListExcess, head_.part(strings.after(), padding.size()), {padding.size(), announced});
        return true;
    }
    for (size_t i = 0; i < padding.size(); ++i) {
        if (padding[i] == 0) continue;
        findings_.add(kPaddingNonzero, head_.part(strings.after() + i, 1), {padding[i]});
        break;
    }
    return true;
}

// --- FUNCTIONS -----------------------------------------------------------------------------------------

void Tree::check_functions() {
    const uint64_t files = head_.get<"file_count">(), names = head_.get<"function_names_count">();
    if (lists_.functions.count() == 0) findings_.add(kNoFunctions, head_.place<"function_count">());
    bool flags_said = false;
    for (uint64_t i = 0; i < lists_.functions.count(); ++i) {
        const View<kFunctionRecord> function = lists_.functions[i];
        const uint64_t name = function.get<"function_name_index">(), file = function.get<"file_index">();
        if (name >= names && names_countable_)
            findings_.add(kFunctionNameIndexRange, function.place<"function_name_index">(), {name, names});
        if (file >= files && files_countable_)
            findings_.add(kFunctionFileIndexRange, function.place<"file_index">(), {file, files});
        const uint64_t flags = function.get<"flags">();
        if (flags != 0 && !std::exchange(flags_said, true))
            findings_.add(kFunctionFlagsUndefined, function.place<"flags">(), {flags});
    }
}

// --- CALLS ---------------------------------------------------------------------------------------------

bool Tree::check_calls() {
    Scratch scratch(context_.budget);
    std::vector<uint32_t> stack;  // the callers of the next call; never longer than the list
    if (!scratch.reserve(stack, lists_.calls.count())) return false;
    for (uint64_t i = 0; i < lists_.calls.count(); ++i) check_call(i, stack);
    const uint64_t unclaimed = lists_.ranges.count() - ranges_taken_;
    if (overrun_ || has_rangeless_call_ || unclaimed == 0) return true;
    const Place first = lists_.ranges[ranges_taken_].whole(unclaimed * lists_.ranges.kSize);
    findings_.add(kRangeCountUnused, first, {ranges_taken_, unclaimed});
    return true;
}

void Tree::check_call(uint64_t number, std::vector<uint32_t>& stack) {
    const View<kInlineCallRecord> call = lists_.calls[number];
    const uint64_t depth = call.get<"depth">();
    const uint64_t most = number == 0 ? 0 : lists_.calls[number - 1].get<"depth">() + 1;
    if (depth > most) findings_.add(kInlineDepthJump, call.place<"depth">(), {depth, most});
    stack.resize(std::min<uint64_t>(depth, stack.size()));
    calls_[number].caller = stack.empty() ? Call::kOuter : stack.back();
    stack.push_back(static_cast<uint32_t>(number));

    take_ranges(number);
    const uint64_t function = call.get<"function_index">(), functions = lists_.functions.count();
    if (function >= functions && functions != 0)
        findings_.add(kInlineFunctionIndexRange, call.place<"function_index">(), {function, functions});
    if (function == 0) findings_.add(kInlineOfOuterFunction, call.place<"function_index">());
    if (call.get<"call_line_number">() == 0) findings_.add(kLineZero, call.place<"call_line_number">());
}

void Tree::take_ranges(uint64_t number) {
    const View<kInlineCallRecord> call = lists_.calls[number];
    const uint64_t wanted = call.get<"range_count">();
    if (wanted == 0) {
        has_rangeless_call_ = true;
        return findings_.add(kRangeCountZero, call.place<"range_count">());
    }
    if (overrun_) return;
    overrun_ = wanted > lists_.ranges.count() - ranges_taken_;
    if (overrun_)
        return findings_.add(kRangeCountOverrun, call.place<"range_count">(),
                             {ranges_taken_ + wanted, lists_.ranges.count()});
    calls_[number].first_range = static_cast<uint32_t>(ranges_taken_);
    calls_[number].range_count = static_cast<uint32_t>(wanted);
    ranges_taken_ += wanted;
}

// --- RANGES --------------------------------------------------------------------------------------------

void Tree::check_ranges() {
    for (uint64_t i = 0; i < lists_.ranges.count(); ++i) {
        const View<kRange> range = lists_.ranges[i];
        const uint64_t start = range.get<"start_offset">(), size = range.get<"size">();
        if (start + size > kEndOfOffsets)
            findings_.add(kRangeOverflow, range.whole(lists_.ranges.kSize), {start, size});
        else if (info_.code_size && start + size > *info_.code_size)
            findings_.add(kRangeBeyondCode, range.whole(lists_.ranges.kSize), {start + size, *info_.code_size});
        if (size == 0) findings_.add(kRangeEmpty, range.place<"size">());
    }
}

// --- LINES ---------------------------------------------------------------------------------------------

void Tree::check_lines() {
    const uint64_t files = head_.get<"file_count">();
    for (uint64_t i = 0; i < lists_.lines.count(); ++i) {
        check_code_offset(info_, lists_.lines, i, findings_);
        const View<kLineRecord> line = lists_.lines[i];
        const uint64_t file = line.get<"file_index">();
        if (file >= files && files_countable_)
            findings_.add(kLineFileIndexRange, line.place<"file_index">(), {file, files});
        if (line.get<"line_number">() == 0) findings_.add(kLineZero, line.place<"line_number">());
    }
}

// --- REFS ----------------------------------------------------------------------------------------------

bool Tree::check_references(uint64_t files, uint64_t names) {
    std::vector<bool> file_used, name_used, function_used;
    if (!scratch_.assign(file_used, files, false) || !scratch_.assign(name_used, names, false) ||
        !scratch_.assign(function_used, lists_.functions.count(), false))
        return false;
    function_used[0] = true;
    for (uint64_t i = 0; i < lists_.functions.count(); ++i) {
        file_used[lists_.functions[i].get<"file_index">()] = true;
        name_used[lists_.functions[i].get<"function_name_index">()] = true;
    }
    for (uint64_t i = 0; i < lists_.lines.count(); ++i) file_used[lists_.lines[i].get<"file_index">()] = true;
    for (uint64_t i = 0; i < lists_.calls.count(); ++i) function_used[lists_.calls[i].get<"function_index">()] = true;
    samply::check_references(file_used, head_.place<"file_count">(), findings_);
    samply::check_references(name_used, head_.place<"function_names_count">(), findings_);
    samply::check_references(function_used, head_.place<"function_count">(), findings_);
    return true;
}

}  // namespace tracelint::samply
