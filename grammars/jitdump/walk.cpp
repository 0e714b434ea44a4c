// The walk over a file (section 4).
#include "grammars/jitdump/walk.hpp"

#include "grammars/jitdump/checks/code.hpp"
#include "grammars/jitdump/samply/samply.hpp"

namespace tracelint::jitdump {
namespace {

constexpr uint64_t kHeaderSize = fixed_size(kHeader);
constexpr uint64_t kPrefixSize = fixed_size(kPrefix);
constexpr uint64_t kFront = fixed_size(kShiftedLoad);  // the longest fixed part of a record
constexpr uint64_t kNameGuess = 512;                   // bytes of a LOAD that nearly always contain its name

struct Kind {
    Symbol symbol;
    uint64_t minimum;  // bytes
};
// By id.
constexpr Kind kKinds[] = {
    {Symbol::load, minimum_size(kLoad)},
    {Symbol::move, minimum_size(kMove)},
    {Symbol::debug_info, minimum_size(kDebugInfo)},
    {Symbol::close, minimum_size(kClose)},
    {Symbol::unwinding_info, minimum_size(kUnwindingInfo)},
};

// A header whose byte order is unknown.
View<kHeader> header_of(Bytes opening) { return {opening.data(), 0, ByteOrder::little, kNone}; }

Symbol symbol_of(uint64_t id, uint64_t total_size) {
    if (id < std::size(kKinds)) return total_size < kKinds[id].minimum ? Symbol::too_small : kKinds[id].symbol;
    return samply::kExtension.owns(id) ? Symbol::extension : Symbol::unknown;
}

}  // namespace

void validate_file(Window& window, ValidationContext& context, WalkMode mode) {
    const std::unique_ptr<Extension> extension = samply::kExtension.make(context);
    Walk(window, context, *extension, mode).run();
}

void Walk::run() {
    read_opening();
    take(kMachine, phase_, input_.symbol, *this);
    while (phase_ != Phase::stopped) {
        take_lane();
        read_record();
        take(kMachine, phase_, input_.symbol, *this);
    }
    // No limit keeps the walk from the fixed part of a LOAD.
    if (state_.context.facts != nullptr) state_.context.facts->keep_whole(kLimitedParts);
}

// --- The header ------------------------------------------------------------------------------------------

void Walk::read_opening() {
    const Bytes bytes = window_.view(0, kHeaderSize + kPrefixSize);
    if (state_.context.facts != nullptr) state_.context.facts->dump.is_dump = true;
    input_.bytes = bytes;
    input_.symbol = Symbol::unknown_magic;
    if (bytes.size() >= 4 && !order_of_magic(bytes)) return;
    input_.symbol = Symbol::truncated_header;
    if (bytes.size() < kHeaderSize) return;

    state_.order = *order_of_file(bytes);
    const View<kHeader> header(bytes.data(), 0, state_.order, kNone);
    check_header(state_, header, state_.context.file_name);
    clock_.header(header.get<"timestamp">(), header.place<"timestamp">());
    state_.header_pid = static_cast<uint32_t>(header.get<"pid">());
    state_.pointer_width = pointer_width_of(header.get<"elf_mach">());
    state_.context.identity = {header.get<"version">(), state_.order, std::nullopt};
    input_.symbol = place_first_record(header, bytes.subspan(kHeaderSize));
    if (input_.symbol == Symbol::header && state_.context.facts != nullptr)
        record_header_fact(state_.context.facts->dump, header);
}

constexpr Rule kHeaderSizeTooSmall{
    .id = "jitdump/header-size-too-small",
    .severity = Severity::error,
    .statement = "total_size of the header is 40",
    .message = "total_size of the header is {0}; expected 40",
    .why = "samply's reader rejects the file; perf ignores the field",
    .spec = "3.1 Jitdump file header",
    .since = "0.1.0",
};

// Finds out where the records begin.
Symbol Walk::place_first_record(const View<kHeader>& header, Bytes after_header) {
    const uint64_t claimed = header.get<"total_size">();
    offset_ = kHeaderSize;
    if (claimed < kHeaderSize) state_.report.add<kHeaderSizeTooSmall>(header.place<"total_size">(), {claimed});
    if (claimed <= kHeaderSize) return Symbol::header;
    header_size_ = header.place<"total_size">();
    claimed_header_size_ = claimed;
    if (is_plausible_prefix(after_header, state_.order)) return Symbol::header;  // only the field is wrong
    if (!window_.reaches(claimed)) return Symbol::oversized_header;
    offset_ = claimed;
    return Symbol::header;
}

constexpr Rule kHeaderSizeExtended{
    .id = "jitdump/header-size-extended",
    .severity = Severity::error,
    .statement = "total_size of the header is 40",
    .message = "total_size of the header is {0}; expected 40",
    .why = "perf reads records from offset 40 regardless and silently loses every one of them; above 80 it fails",
    .spec = "3.1 Jitdump file header",
    .since = "0.1.0",
    .depends_on = {.file_size = true},
};

// Reports a total_size above 40. The size of a piped file is known at its end only.
void Walk::settle_header_size() {
    if (header_size_.record == nullptr) return;
    if (window_.reaches(claimed_header_size_))
        state_.report.add<kHeaderSizeExtended>(header_size_, {claimed_header_size_});
    else
        state_.report.add<kHeaderSizeExceedsFile>(header_size_, {claimed_header_size_});
}

// --- Reading what is at the cursor -------------------------------------------------------------------

void Walk::read_record() {
    input_.symbol = Symbol::end_of_file;
    input_.total_size = 0;
    input_.bytes = window_.view(offset_, kPrefixSize);
    if (input_.bytes.empty()) [[unlikely]]
        return;
    prefetcher_.run(input_.bytes, offset_);
    input_.symbol = Symbol::truncated_record_header;
    if (input_.bytes.size() < kPrefixSize) [[unlikely]]
        return;
    input_.total_size = prefix().get<"total_size">();
    input_.symbol = Symbol::size_too_small;
    if (input_.total_size < kPrefixSize) [[unlikely]]
        return;
    classify_record(prefix().get<"id">());
}

// A record must be complete before anything is reported about it, so what its checks need is gathered first.
void Walk::classify_record(uint64_t id) {
    input_.symbol = symbol_of(id, input_.total_size);
    if (!bring_record(id)) [[unlikely]]
        input_.symbol = Symbol::truncated_record;
}

// Brings what the checks need into view. False: the file ends inside the record.
bool Walk::bring_record(uint64_t id) {
    const bool fits = most_in_view() == input_.total_size;
    const uint64_t whole = fits ? input_.total_size : std::min(input_.total_size, kFront);
    switch (input_.symbol) {
        case Symbol::load: return bring_load();
        case Symbol::move: return bring(minimum_size(kMove));
        case Symbol::debug_info:
        case Symbol::unwinding_info: return bring(whole);
        case Symbol::extension: {
            const bool body = fits && extension_.wants_body(static_cast<uint32_t>(id));
            return bring(body ? whole : std::min(whole, Extension::kFront));
        }
        default: return bring(kPrefixSize);
    }
}

// As much of the record as the limits allow to be in view.
uint64_t Walk::most_in_view() const {
    return window_.affordable(std::min(input_.total_size, state_.context.limits.record));
}

// Brings the first `needed` bytes of the record into view and skips the rest.
bool Walk::bring(uint64_t needed) {
    if (input_.bytes.size() < needed) [[unlikely]]
        input_.bytes = window_.view(offset_, needed);
    if (input_.bytes.size() < needed) [[unlikely]]
        return false;
    const bool in_view = input_.bytes.size() >= input_.total_size;
    input_.bytes = input_.bytes.first(needed);
    return in_view || bring_rest();
}

// The checks of a LOAD need its name, however long, but not its code.
bool Walk::bring_load() {
    const uint64_t most = std::min(input_.total_size, std::max(most_in_view(), kFront));
    for (uint64_t wanted = std::min(most, kNameGuess);; wanted = std::min(most, 2 * wanted)) {
        if (input_.bytes.size() < wanted) [[unlikely]]
            input_.bytes = window_.view(offset_, wanted);
        if (input_.bytes.size() < wanted) [[unlikely]]
            return false;
        const Bytes seen = input_.bytes.first(std::min<uint64_t>(input_.bytes.size(), most));
        input_.load = load_facts(seen, offset_, index_, input_.total_size, state_.order);
        if (!input_.load.wants_more || seen.size() == most) break;
    }
    if (input_.bytes.size() >= input_.total_size) [[likely]]
        return true;
    const bool complete = bring_rest();
    input_.load.front = input_.bytes.data();
    return complete;
}

// Keeps the fixed part, drops the view, and returns whether the file contains the rest of the record.
bool Walk::bring_rest() {
    const Bytes front = input_.bytes.first(std::min<size_t>(input_.bytes.size(), front_.size()));
    std::copy(front.begin(), front.end(), front_.begin());
    input_.bytes = Bytes(front_).first(front.size());
    return window_.reaches(offset_ + input_.total_size);
}

// --- Executing the machine ---------------------------------------------------------------------------------

void Walk::report(const Rule& rule, Symbol symbol) {
    Report& report = state_.report;
    const View<kPrefix> record = prefix();
    const uint64_t seen = input_.bytes.size();
    if (phase_ == Phase::closed && is_complete_record(symbol))  // it follows CLOSE
        return report.add(rule, record.whole(kPrefixSize));
    switch (symbol) {
        case Symbol::unknown_magic: {
            const View<kHeader> header = header_of(input_.bytes);
            return report.add(rule, header.place<"magic">(), {header.get<"magic">()});
        }
        case Symbol::truncated_header: return report.add(rule, header_of(input_.bytes).whole(seen), {seen});
        case Symbol::oversized_header: return report.add(rule, header_size_, {claimed_header_size_});
        case Symbol::too_small: return report_too_small(rule);
        case Symbol::unknown: return report_unknown(rule);
        case Symbol::truncated_record_header: return report.add(rule, record.whole(seen), {seen});
        case Symbol::size_too_small: return report.add(rule, record.place<"total_size">(), {input_.total_size});
        case Symbol::truncated_record: {
            const uint64_t left = window_.size() - offset_;
            return report.add(rule, record.whole(left), {input_.total_size, left});
        }
        default: return refuse_impossible();  // no edge of these has a rule
    }
}

void Walk::report_too_small(const Rule& rule) {
    const View<kPrefix> record = prefix();
    const uint64_t id = record.get<"id">();
    Diagnostic finding{.rule = &rule, .place = record.place<"total_size">()};
    finding.numbers = {input_.total_size, kKinds[id].minimum};
    if (input_.total_size == kPrefixSize)
        finding.hint = "perf stops reading at any 16-byte record and loses all functions after it";
    else if (id == kUnwindingInfoId)
        finding.hint = "perf crashes on an UNWINDING_INFO of this size";
    state_.report.add(finding);
}

void Walk::report_unknown(const Rule& rule) {
    const View<kPrefix> record = prefix();
    const auto id = static_cast<uint32_t>(record.get<"id">());
    Diagnostic finding{.rule = &rule, .place = record.place<"id">(), .numbers = {id}};
    const uint32_t swapped = __builtin_bswap32(id);
    if (swapped < std::size(kKinds) || samply::kExtension.owns(swapped))
        finding.hint = "with its bytes swapped it is a known id: the record may have the wrong byte order";
    state_.report.add(finding);
}

void Walk::accept(Symbol symbol) {
    if (symbol == Symbol::header) [[unlikely]]
        return;
    count_record(symbol);
    check(symbol);
    step_over();
}

constexpr Rule kHeaderOnlyRecord{
    .id = "jitdump/header-only-record",
    .severity = Severity::warning,
    .statement = "only CLOSE consists of nothing but its 16-byte header",
    .message = "a record of unknown type has no body, only its 16-byte header",
    .why = "perf stops reading at any 16-byte record and loses all functions after it",
    .spec = "3.2 Record header",
    .since = "0.1.0",
};

void Walk::skip(Symbol symbol) {
    count_record(symbol);
    if (symbol == Symbol::too_small)
        note_too_small();
    else if (input_.total_size == kPrefixSize)
        state_.report.add<kHeaderOnlyRecord>(prefix().place<"total_size">());
    step_over();
}

void Walk::stop(Symbol symbol) {
    switch (symbol) {
        case Symbol::unknown_magic:
        case Symbol::truncated_header:
        case Symbol::oversized_header: return;
        default:
            if (symbol != Symbol::end_of_file) state_.context.left_at = offset_;
            return finish(symbol != Symbol::end_of_file);
    }
}

// --- The records -------------------------------------------------------------------------------------------

void Walk::count_record(Symbol symbol) {
    if (complete_++ == 0) first_record_ = prefix().place<"id">();
    ++by_symbol_[static_cast<size_t>(symbol)];
    clock_.record(prefix());
}

void Walk::check(Symbol symbol) {
    switch (symbol) {
        case Symbol::load: return check_load_record();
        case Symbol::move:
            return check_move(state_, {input_.bytes.data(), offset_, state_.order, index_}, input_.total_size);
        case Symbol::debug_info:
            extension_.debug_info();
            return pending_debug_.debug_info(input_.bytes, offset_, index_, input_.total_size);
        case Symbol::unwinding_info:
            return check_unwinding(state_, input_.bytes, offset_, index_, input_.total_size, pending_unwinding_);
        case Symbol::extension: {
            const auto id = static_cast<uint32_t>(prefix().get<"id">());
            return extension_.record({id, index_, offset_, input_.total_size, state_.order, input_.bytes});
        }
        case Symbol::close: return check_close();
        default: return refuse_impossible();  // not accepted
    }
}

void Walk::check_load_record() {
    tell(View<kLoad>(input_.load.front, offset_, state_.order, index_), input_.total_size);
    settle_load(check_load(state_, input_.load, pending_unwinding_));
}

// What follows CLOSE is not read by anyone.
void Walk::tell(const View<kLoad>& load, uint64_t total_size) {
    if (state_.context.facts != nullptr && phase_ == Phase::records) [[unlikely]]
        record_load_fact(state_.context.facts->dump, load, total_size);
}

// Ends what waits for the LOAD.
void Walk::settle_load(const Loaded& loaded) {
    pending_debug_.load(loaded.code_addr, loaded.size);
    pending_unwinding_.drop();
    ++state_.loads;
    const std::optional<uint64_t> size =
        loaded.standard_size == kNone ? std::nullopt : std::optional(loaded.standard_size);
    extension_.load({offset_, loaded.standard_addr, size});
}

// The body is not read, but a LOAD of any size ends what waits for one.
void Walk::note_too_small() {
    const uint64_t id = prefix().get<"id">();
    if (id == kDebugInfoId) extension_.debug_info();
    if (id != kLoadId) return;
    pending_debug_.unreadable_load();
    pending_unwinding_.drop();
    ++state_.loads;
    extension_.load({.offset = offset_});
}

constexpr Rule kCloseSize{
    .id = "jitdump/close-size",
    .severity = Severity::warning,
    .statement = "CLOSE has no body: its total_size is 16",
    .message = "total_size of CLOSE is {0}; expected 16",
    .why = "perf does not recognise it as the end and continues reading",
    .spec = "3.6 JIT_CODE_CLOSE (3)",
    .since = "0.1.0",
};

void Walk::check_close() {
    if (input_.total_size > kPrefixSize)
        state_.report.add<kCloseSize>(prefix().place<"total_size">(), {input_.total_size});
    pending_debug_.end();
    pending_unwinding_.end(state_);
    extension_.close();
}

void Walk::step_over() {
    offset_ += input_.total_size;
    ++index_;
}

// --- The end -----------------------------------------------------------------------------------------------

constexpr Rule kNoRecords{
    .id = "jitdump/no-records",
    .severity = Severity::note,
    .statement = "records follow the header",
    .message = "the file ends after its header",
    .why = "readers find no functions",
    .spec = "3.1 Jitdump file header",
    .since = "0.1.0",
    .about_end = true,
};

constexpr Rule kNoLoad{
    .id = "jitdump/no-load",
    .severity = Severity::note,
    .statement = "the file has at least one LOAD",
    .message = "no LOAD among {0 record|records}",
    .why = "readers find no functions",
    .spec = "3.1 Jitdump file header",
    .since = "0.1.0",
    .about_end = true,
};

// `cut`: the walk stopped at an error, and the missing bytes may contain the LOAD that a record waits for.
void Walk::finish(bool cut) {
    clock_.end();
    if (!cut) {
        pending_debug_.end();
        pending_unwinding_.end(state_);
        if (index_ == 0) state_.report.add<kNoRecords>({.offset = offset_});
        if (complete_ > 0 && state_.loads == 0) state_.report.add<kNoLoad>(first_record_, {complete_});
    }
    pending_debug_.finish();
    extension_.end(cut);
    settle_header_size();
    count_records();
}

void Walk::count_records() {
    auto& statistics = state_.context.statistics;
    statistics.emplace_back("records", complete_);
    for (auto symbol = static_cast<size_t>(Symbol::load); symbol <= static_cast<size_t>(Symbol::unknown); ++symbol)
        if (by_symbol_[symbol] != 0) statistics.emplace_back(kSymbolNames[symbol], by_symbol_[symbol]);
}

constinit const RuleList kWalkRules =
    rules<&kHeaderSizeTooSmall, &kHeaderSizeExtended, &kHeaderOnlyRecord, &kCloseSize, &kNoRecords, &kNoLoad>;

}  // namespace tracelint::jitdump
