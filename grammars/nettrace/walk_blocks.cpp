#include "grammars/nettrace/walk_blocks.hpp"

namespace tracelint::nettrace {

BlockWalk::Symbol BlockWalk::look() {
    if (state_ != State::walked) return look_at_block();
    if (ended_.walked == Walked::whole) return Symbol::whole;
    if (ended_.walked == Walked::left) return Symbol::left;
    return session_.findings.is_in_doubt() ? Symbol::cut_in_doubt : Symbol::cut;
}

BlockWalk::Symbol BlockWalk::look_at_block() {
    constexpr uint64_t kSize = fixed_size(kPlainBlock, kPlainLayout);
    const Bytes bytes = session_.window.view(offset_, kSize);
    if (bytes.empty()) return Symbol::end_of_file;
    if (bytes.size() < kSize) return Symbol::cut_header;
    const View<kPlainBlock, kPlainLayout> header(bytes.data(), offset_, ByteOrder::little, session_.index);
    const uint64_t kind = header.get<"kind">(), size = header.get<"size">(), begin = offset_ + kSize;
    block_ = {.kind = kind < static_cast<uint64_t>(Kind::unknown) ? static_cast<Kind>(kind) : Kind::unknown,
              .begin = begin,
              .end = begin + size,
              .size_place = header.whole(kSize)};
    kind_ = kind;
    switch (block_.kind) {
        case Kind::trace: return Symbol::trace;
        case Kind::end_of_stream: return size == 0 ? Symbol::end_of_stream : Symbol::end_with_size;
        case Kind::unknown: return Symbol::unknown_block;
        default: return Symbol::block;
    }
}

void BlockWalk::report(const Rule& rule, Symbol) {
    Findings& findings = session_.findings;
    const auto add = [&](const Place& place, std::initializer_list<uint64_t> numbers = {}, bool is_overridden = false) {
        findings.add_outside({.rule = &rule, .place = place, .is_overridden = is_overridden},
                             std::span(numbers.begin(), numbers.size()));
    };
    const uint64_t size = block_.end - block_.begin;
    if (&rule == &kMissingEndOfStream) return add({.offset = offset_});
    if (&rule == &kUnknownBlockKind) return add(block_.size_place, {kind_}, minor_ > 0);
    if (&rule == &kEndOfStreamSize) return add(block_.size_place, {size});
    if (&rule == &kTruncatedBlock)
        return add(block_.size_place, {size, saturating_sub(session_.window.size(), block_.begin)});
    if (&rule == &kTruncatedObject) {
        const uint64_t left = session_.window.size() - offset_;
        return add({offset_, left, &kPlainBlock, nullptr, nullptr, session_.index, kNone}, {left});
    }
    add(block_.size_place);
    if (&rule != &kFirstObjectNotTrace) return;
    session_.lose_all();
    findings.set_quiet(true);
}

void BlockWalk::accept(Symbol symbol) {
    switch (symbol) {
        case Symbol::trace:
        case Symbol::block: return walk_block();
        default: offset_ = block_.end; return;
    }
}

// Prefetches what the checks of the next blocks look up, if stacks or label lists are many.
void BlockWalk::look_ahead() {
    constexpr uint64_t kAhead = 256;  // bytes
    constexpr uint64_t kSize = fixed_size(kPlainBlock, kPlainLayout), kFirst = 4;
    const Bytes seen = session_.window.view(offset_, kSize);
    ahead_at_ = std::max(ahead_at_, block_.end);
    for (;;) {
        const uint64_t from = ahead_at_ - offset_;
        if (from >= kAhead || seen.size() < from + kSize + kFirst) return;
        const View<kPlainBlock, kPlainLayout> header(seen.data() + from, ahead_at_, ByteOrder::little, 0);
        const uint64_t kind = header.get<"kind">(), first = load(seen.data() + from + kSize, kFirst, ByteOrder::little);
        session_.context.work.add(1);
        if (kind == static_cast<uint64_t>(Kind::stacks)) session_.stacks.announce(first);
        if (kind == static_cast<uint64_t>(Kind::labels)) session_.labels.announce(first);
        ahead_at_ += kSize + header.get<"size">();
    }
}

void BlockWalk::walk_block() {
    if (session_.stacks.is_large() || session_.labels.is_large()) look_ahead();
    Findings& findings = session_.findings;
    findings.begin_block();
    ++session_.index;
    const bool is_trace = block_.kind == Kind::trace, is_quiet = findings.is_quiet();
    ended_ = is_trace ? walk_plain_trace(session_, block_) : walk_content(session_, block_);
    const bool is_left = ended_.walked == Walked::left;
    const uint64_t unchecked_from = is_quiet ? block_.begin : ended_.unchecked_from;
    if (unchecked_from != kNone) session_.unchecked.add(unchecked_from, block_.end);
    lose_content(session_, block_.kind, is_left);
    if (is_left) session_.lose_all();
    if (is_left)
        findings.set_quiet(true);
    else if (!findings.has_framing_fault())
        findings.set_quiet(false);
}

// A second Trace, and blocks of unknown kinds.
void BlockWalk::skip(Symbol symbol) {
    session_.findings.begin_block();
    session_.lose_all();
    if (symbol == Symbol::trace) session_.findings.set_quiet(true);
    ++session_.index;
    if (block_.begin != block_.end) ++session_.index;
    const bool is_there = block_.begin == block_.end || session_.window.reaches(block_.end);
    session_.unchecked.add(block_.begin, block_.end);
    ended_ = {is_there ? Walked::whole : Walked::cut};
}

void BlockWalk::stop(Symbol symbol) {
    if (symbol != Symbol::end_of_stream && symbol != Symbol::end_with_size) return;
    ++session_.index;
    if (block_.begin == block_.end || session_.window.reaches(block_.end)) return report_trailing(session_, block_.end);
    const uint64_t size = block_.end - block_.begin;
    session_.findings.add_outside<kTruncatedBlock>(block_.size_place,
                                                   {size, saturating_sub(session_.window.size(), block_.begin)});
}

}  // namespace tracelint::nettrace
