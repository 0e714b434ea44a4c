// jitdump, section 4: the walk over a file.
#include "grammars/jitdump/walk.hpp"

#include "grammars/jitdump/extensions.hpp"

namespace tracelint::jitdump {
namespace {

constexpr uint64_t kHeaderSize = fixed_size(kHeader);
constexpr uint64_t kPrefixSize = fixed_size(kPrefix);
constexpr uint64_t kFront = fixed_size(kShiftedLoad);  // the longest fixed part of a record
constexpr uint64_t kNameGuess = 512;                   // bytes of a LOAD that nearly always hold its name

struct Kind {
    Symbol symbol;
    uint64_t minimum;
};
// By id.
constexpr Kind kKinds[] = {
    {Symbol::load, minimum_size(kLoad)},
    {Symbol::move, minimum_size(kMove)},
    {Symbol::debug_info, minimum_size(kDebugInfo)},
    {Symbol::close, minimum_size(kClose)},
    {Symbol::unwinding_info, minimum_size(kUnwindingInfo)},
};

// A header whose byte order is not known.
View<kHeader> header_of(Bytes opening) { return {opening.data(), 0, ByteOrder::little, kNone}; }

Symbol symbol_of(uint64_t id, uint64_t total_size) {
    if (id < std::size(kKinds)) return total_size < kKinds[id].minimum ? Symbol::too_small : kKinds[id].symbol;
    return kExtension.owns(id) ? Symbol::extension : Symbol::unknown;
}

}  // namespace

void Walk::run() {
    take(read_header());
    while (phase_ != Phase::stopped) {
        const Input input = classify();
        take(input);
        if (phase_ == Phase::stopped) return finish(input.symbol != Symbol::end_of_file);
        offset_ += input.total_size;
        ++index_;
    }
}

// --- H: the header -----------------------------------------------------------------------------------

Walk::Input Walk::read_header() {
    Input input;
    const Bytes bytes = window_.view(0, kHeaderSize + kPrefixSize);
    input.bytes = bytes;
    const std::optional<ByteOrder> order = order_of_magic(bytes);
    input.symbol = Symbol::foreign_magic;
    if (bytes.size() >= 4 && !order) return input;
    input.symbol = Symbol::cut_header;
    if (bytes.size() < kHeaderSize) return input;

    state_.order = *order;
    if (proves_other_order(bytes, *order)) {
        state_.order = opposite(*order);
        state_.report.add(kMagicByteOrder, View<kHeader>(bytes.data(), 0, *order, kNone).place<"magic">());
    }
    const View<kHeader> header(bytes.data(), 0, state_.order, kNone);
    check_header(state_, header, state_.context.file_name);
    clock_.header(header.get<"timestamp">(), header.place<"timestamp">());
    state_.header_pid = static_cast<uint32_t>(header.get<"pid">());
    state_.pointer_width = pointer_width_of(header.get<"elf_mach">());
    state_.context.identity = {header.get<"version">(), state_.order, std::nullopt};
    input.symbol = place_first_record(header, bytes.subspan(kHeaderSize));
    return input;
}

// Rules 6 to 8: where the records begin.
Symbol Walk::place_first_record(const View<kHeader>& header, Bytes behind) {
    const uint64_t says = header.get<"total_size">();
    offset_ = kHeaderSize;
    if (says < kHeaderSize) state_.report.add(kHeaderSizeTooSmall, header.place<"total_size">(), {says});
    if (says <= kHeaderSize) return Symbol::header;
    header_size_ = header.place<"total_size">();
    header_says_ = says;
    if (is_plausible_prefix(behind, state_.order)) return Symbol::header;  // only the number is wrong
    if (!window_.reaches(says)) return Symbol::oversized_header;
    offset_ = says;
    return Symbol::header;
}

// Rule 7 or 8, once it is known which.
void Walk::settle_header_size() {
    if (header_size_.record == nullptr) return;
    const bool within = window_.reaches(header_says_);
    state_.report.add(within ? kHeaderSizeExtended : kHeaderSizeExceedsFile, header_size_, {header_says_});
}

// --- R and C: what stands at the cursor ----------------------------------------------------------------

Walk::Input Walk::classify() {
    Input input;
    input.bytes = window_.view(offset_, kPrefixSize);
    if (input.bytes.empty()) [[unlikely]]
        return input;
    input.symbol = Symbol::cut_prefix;
    if (input.bytes.size() < kPrefixSize) [[unlikely]]
        return input;
    input.total_size = prefix(input).get<"total_size">();
    input.symbol = Symbol::short_size;
    if (input.total_size < kPrefixSize) [[unlikely]]
        return input;
    classify_record(input, prefix(input).get<"id">());
    return input;
}

// A record must be complete before anything is said of it, so what its checks need is gathered first.
void Walk::classify_record(Input& input, uint64_t id) {
    input.symbol = symbol_of(id, input.total_size);
    const bool fits = input.total_size <= state_.context.limits.record;
    const uint64_t whole = fits ? input.total_size : std::min(input.total_size, kFront);
    bool complete = true;
    switch (input.symbol) {
        case Symbol::load: complete = bring_load(input); break;
        case Symbol::move: complete = bring(input, minimum_size(kMove)); break;
        case Symbol::debug_info:
        case Symbol::unwinding_info: complete = bring(input, whole); break;
        case Symbol::extension: {
            const bool body = fits && extension_.wants_body(static_cast<uint32_t>(id));
            complete = bring(input, body ? whole : std::min(whole, Extension::kFront));
            break;
        }
        default: complete = bring(input, kPrefixSize); break;
    }
    if (!complete) [[unlikely]]
        input.symbol = Symbol::cut_record;
}

// Brings the record's first `needed` bytes into view; the rest is skipped. False: the file ends inside.
bool Walk::bring(Input& input, uint64_t needed) {
    if (input.bytes.size() < needed) [[unlikely]]
        input.bytes = window_.view(offset_, needed);
    if (input.bytes.size() < needed) [[unlikely]]
        return false;
    const bool in_view = input.bytes.size() >= input.total_size;
    input.bytes = input.bytes.first(needed);
    return in_view || bring_rest(input);
}

// A LOAD needs its name, however long, but not its code.
bool Walk::bring_load(Input& input) {
    const uint64_t most = std::min(input.total_size, std::max(state_.context.limits.record, kFront));
    for (uint64_t wanted = std::min(most, kNameGuess);; wanted = std::min(most, 2 * wanted)) {
        if (input.bytes.size() < wanted) [[unlikely]]
            input.bytes = window_.view(offset_, wanted);
        if (input.bytes.size() < wanted) [[unlikely]]
            return false;
        const Bytes seen = input.bytes.first(std::min<uint64_t>(input.bytes.size(), most));
        input.load = load_facts(seen, offset_, index_, input.total_size, state_.order);
        if (!input.load.wants_more || seen.size() == most) break;
    }
    if (input.bytes.size() >= input.total_size) [[likely]]
        return true;
    const bool complete = bring_rest(input);
    input.load.front = input.bytes.data();
    return complete;
}

// Lets go of the view, and keeps the fixed part: whether the file holds the rest of the record.
bool Walk::bring_rest(Input& input) {
    const Bytes front = input.bytes.first(std::min<size_t>(input.bytes.size(), front_.size()));
    std::copy(front.begin(), front.end(), front_.begin());
    input.bytes = Bytes(front_).first(front.size());
    return window_.reaches(offset_ + input.total_size);
}

// --- R and C: what is done with it -----------------------------------------------------------------------

void Walk::take(const Input& input) {
    const Edge<Phase, Symbol>* edge = nullptr;
    do {
        edge = &kMachine.at(phase_, input.symbol);
        if (edge->rule != nullptr) [[unlikely]]
            refuse(*edge, input);
        phase_ = edge->to;
    } while (edge->recovery == Recovery::again);
    if (edge->recovery == Recovery::stop || input.symbol == Symbol::header) return;

    if (complete_++ == 0) first_record_ = prefix(input).place<"id">();
    ++by_symbol_[static_cast<size_t>(input.symbol)];
    clock_.record(prefix(input));
    process(input);
}

// Says what an edge of the machine refuses.
void Walk::refuse(const Edge<Phase, Symbol>& edge, const Input& input) {
    const Rule& rule = *edge.rule;
    const View<kPrefix> record = prefix(input);
    if (edge.recovery == Recovery::again) return state_.report.add(rule, record.whole(kPrefixSize));
    switch (input.symbol) {
        case Symbol::foreign_magic: return refuse_magic(rule, input.bytes);
        case Symbol::cut_header:
            return state_.report.add(rule, header_of(input.bytes).whole(input.bytes.size()), {input.bytes.size()});
        case Symbol::oversized_header: return settle_header_size();
        case Symbol::cut_prefix: return state_.report.add(rule, record.whole(input.bytes.size()), {input.bytes.size()});
        case Symbol::cut_record: {
            const uint64_t left = window_.size() - offset_;
            return state_.report.add(rule, record.whole(left), {input.total_size, left});
        }
        case Symbol::short_size: return state_.report.add(rule, record.place<"total_size">(), {input.total_size});
        case Symbol::too_small: {
            Diagnostic finding{.rule = &rule, .place = record.place<"total_size">()};
            finding.numbers = {input.total_size, kKinds[record.get<"id">()].minimum};
            if (input.total_size == kPrefixSize)
                finding.hint = "perf stops reading at any 16-byte record: all functions after it are lost";
            else if (record.get<"id">() == kUnwindingInfoId)
                finding.hint = "perf crashes on an UNWINDING_INFO like this";
            return state_.report.add(finding);
        }
        case Symbol::unknown: return refuse_kind(rule, record);
        default: return;
    }
}

void Walk::refuse_magic(const Rule& rule, Bytes opening) {
    const View<kHeader> header = header_of(opening);
    state_.report.add(rule, header.place<"magic">(), {header.get<"magic">()});
}

void Walk::refuse_kind(const Rule& rule, const View<kPrefix>& record) {
    const auto id = static_cast<uint32_t>(record.get<"id">());
    Diagnostic finding{.rule = &rule, .place = record.place<"id">(), .numbers = {id}};
    const uint32_t other_order = __builtin_bswap32(id);
    if (other_order < std::size(kKinds) || kExtension.owns(other_order))
        finding.hint = "in the other byte order it is a known id: was the record written in the wrong one?";
    state_.report.add(finding);
}

void Walk::process(const Input& input) {
    switch (input.symbol) {
        case Symbol::load: return process_load(input);
        case Symbol::move:
            return check_move(state_, {input.bytes.data(), offset_, state_.order, index_}, input.total_size);
        case Symbol::debug_info:
            extension_.debug_info();
            return pending_debug_.debug_info(input.bytes, offset_, index_, input.total_size);
        case Symbol::unwinding_info:
            return check_unwinding(state_, input.bytes, offset_, index_, input.total_size, pending_unwinding_);
        case Symbol::close: return process_close(input);
        case Symbol::too_small: return process_too_small(input);
        case Symbol::extension: return process_extension(input);
        default:
            if (input.total_size == kPrefixSize)
                state_.report.add(kHeaderOnlyRecord, prefix(input).place<"total_size">());
            return;
    }
}

void Walk::process_load(const Input& input) {
    const Loaded loaded = check_load(state_, input.load, pending_unwinding_);
    pending_debug_.load(loaded.code_addr, loaded.size);
    pending_unwinding_.drop();
    ++state_.loads;
    const std::optional<uint64_t> size =
        loaded.standard_size == kNone ? std::nullopt : std::optional(loaded.standard_size);
    extension_.load({offset_, loaded.standard_addr, size});
}

// It is skipped, but a LOAD is a LOAD: what waited for it waits no more.
void Walk::process_too_small(const Input& input) {
    const uint64_t id = prefix(input).get<"id">();
    if (id == kDebugInfoId) extension_.debug_info();
    if (id != kLoadId) return;
    pending_debug_.unreadable_load();
    pending_unwinding_.drop();
    ++state_.loads;
    extension_.load({.offset = offset_});
}

void Walk::process_extension(const Input& input) {
    const auto id = static_cast<uint32_t>(prefix(input).get<"id">());
    extension_.record({id, index_, offset_, input.total_size, state_.order, input.bytes});
}

void Walk::process_close(const Input& input) {
    if (input.total_size > kPrefixSize)
        state_.report.add(kCloseSize, prefix(input).place<"total_size">(), {input.total_size});
    pending_debug_.end();
    pending_unwinding_.end(state_);
    extension_.close();
}

// --- X -------------------------------------------------------------------------------------------------

// `cut`: the walk stopped at an error, and the missing bytes may hold what is waited for.
void Walk::finish(bool cut) {
    clock_.end();
    if (!cut) {
        pending_debug_.end();
        pending_unwinding_.end(state_);
        if (index_ == 0) state_.report.add(kNoRecords, {.offset = offset_});
        if (complete_ > 0 && state_.loads == 0) state_.report.add(kNoLoad, first_record_, {complete_});
    }
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

}  // namespace tracelint::jitdump
