// nettrace, section 4.1: how a block is left at a fault, or where the file is cut.
#include "grammars/nettrace/checks/session.hpp"

namespace tracelint::nettrace {

bool BlockCursor::is_block_cut() {
    const uint64_t kept = session_.window.affordable(std::min(left(), session_.context.limits.record));
    if (session_.window.view(at_, kept).size() < kept) return true;
    if (kept == left()) return false;
    session_.is_search_cut = true;
    return !session_.window.reaches(end_);
}

Walked BlockCursor::fail(const PartReader& part) {
    if (part.is_fault_of_end() && is_block_cut()) return Walked::cut;
    return leave(part.fault());
}

Walked BlockCursor::leave(const Diagnostic& fault) {
    left_at_ = fault.place.offset;
    session_.findings.note_framing_fault();
    session_.findings.add(fault, fault.numbers);
    return Walked::left;
}

Walked BlockCursor::fail(const Rule& rule, const Place& place, std::initializer_list<uint64_t> numbers, bool at_end) {
    PartReader part(session_.findings, {}, at_, {nullptr, kNone});
    part.fail(rule, place, numbers, at_end);
    return fail(part);
}

}  // namespace tracelint::nettrace
