// samply, section 4: what waits for a LOAD, and what is done when the wait is over.
#include "grammars/samply/pending.hpp"

#include "grammars/samply/positions.hpp"
#include "grammars/samply/tree.hpp"
#include "validator/text_scan.hpp"

namespace tracelint::samply {
namespace {

constexpr uint64_t kPrefixSize = fixed_size(kPrefix);
constexpr uint64_t kSmallestPositions = minimum_size(kPositions) - kPrefixSize;  // bytes of the body
constexpr uint64_t kCodeAddrEnd = View<kPositions>::offset_of<"code_addr">() + 8;
constexpr uint64_t kKeptBytes = 1 << 20;  // memory that is kept from record to record

Place place_of(uint64_t offset, uint64_t index) {
    return View<kPrefix>(nullptr, offset, ByteOrder::little, index).whole(kPrefixSize);
}

}  // namespace

Pending::Pending(ValidationContext& context)
    : context_(context), contested_(static_cast<Contested>(context.settings.of(kContestedOption))) {}

Pending::~Pending() { context_.budget.give_back(charged_); }

// --- Section 2: what is a DEBUG_INFO2 ------------------------------------------------------------------

bool Pending::may_wait(uint32_t id) const {
    return id == kTreeId || (id == kPositionsId && contested_ != Contested::tier);
}

// Line 1, and everything that has no layout.
bool Pending::is_opaque(const Record& record) {
    if (!may_wait(record.id)) return true;
    const bool short_of_positions = record.total_size < kPrefixSize + kSmallestPositions;
    return record.id == kPositionsId && contested_ == Contested::decide && short_of_positions;
}

// Lines 2 to 4.
bool Pending::is_positions(const Event& event) const {
    if (contested_ == Contested::positions) return true;
    const std::optional<uint64_t> own = own_code_addr();  // there is one, after line 1
    return own == code_addr_before_ || own == event.load.code_addr || is_built_like_positions();
}

// Never true of a record that is not in view as a whole: no list of it fits.
bool Pending::is_built_like_positions() const {
    const View<kPositions> head(info_.bytes.data(), info_.offset, info_.order, info_.index);
    const uint64_t offsets = head.get<"code_offset_count">(), positions = head.get<"source_position_count">();
    const uint64_t strings = head.get<"string_count">();
    Bytes rest = info_.bytes.subspan(fixed_size(kPositions));
    if ((offsets | positions | strings) == 0 || offsets > rest.size() / fixed_size(kCodeOffset)) return false;
    rest = rest.subspan(offsets * fixed_size(kCodeOffset));
    if (positions > rest.size() / fixed_size(kSourcePosition)) return false;
    rest = rest.subspan(positions * fixed_size(kSourcePosition));
    for (uint64_t i = 0; i < strings; ++i) {
        const uint64_t length = length_to_nul(rest);
        if (length == kNone) return false;
        rest = rest.subspan(length + 1);
    }
    return rest.size() <= kMostPadding && all_zero(rest);
}

// Nothing where the record is too short to hold it.
std::optional<uint64_t> Pending::own_code_addr() const {
    if (info_.bytes.size() < kCodeAddrEnd) return std::nullopt;
    return View<kPositions>(info_.bytes.data(), info_.offset, info_.order, info_.index).get<"code_addr">();
}

// --- Section 4: the wait -------------------------------------------------------------------------------

void Pending::record(const Record& record) {
    if (is_opaque(record)) {
        note_opaque(record);
        return take({Symbol::opaque});
    }
    take({Symbol::debug_info2});
    keep(record);
}

void Pending::debug_info() {
    take({Symbol::debug_info});
    has_debug_info_ = true;
}

void Pending::load(const Load& load) {
    take({Symbol::load, load});
    code_addr_before_ = load.code_addr;
    has_debug_info_ = false;
}

void Pending::close() {
    take({Symbol::close});
    has_debug_info_ = false;
}

void Pending::end(bool cut) {
    take({cut ? Symbol::cut : Symbol::end_of_file});
    say_opaque();
}

void Pending::take(const Event& event) {
    const Edge<Wait, Symbol>& edge = kMachine.at(wait_, event.symbol);
    const bool goes_on = edge.to == Wait::pending && edge.rule == nullptr;
    if (wait_ == Wait::pending && !goes_on) end_wait(event, edge.rule);
    wait_ = edge.to;
}

// Holds the record until its wait is over; above the limits only as much as its header takes.
void Pending::keep(const Record& record) {
    id_ = record.id;
    Bytes bytes = record.bytes;
    if (bytes.size() > charged_) {
        if (context_.budget.take(bytes.size() - charged_))
            charged_ = bytes.size();
        else
            bytes = bytes.first(std::min<uint64_t>(bytes.size(), kFront));
    }
    context_.work.add(bytes.size());
    kept_.assign(bytes.begin(), bytes.end());
    info_ = {kept_, record.offset, record.index, record.total_size, record.order, std::nullopt};
}

void Pending::release() {
    if (charged_ <= kKeptBytes) return;
    kept_ = std::vector<uint8_t>();  // where {} alone would keep the memory
    context_.budget.give_back(std::exchange(charged_, 0));
}

// --- Section 4.1: its end ------------------------------------------------------------------------------

void Pending::end_wait(const Event& event, const Rule* rule) {
    info_.code_size = event.load.code_size;
    if (event.symbol == Symbol::load) info_.load = event.load.offset;
    const bool positions = id_ == kPositionsId;
    if (positions && !is_positions(event)) {
        say_unrecognised();
        return release();
    }
    check_body(positions, say_binding(event, rule, positions));
    release();
}

// Line 4. Without its body it might have been recognised: above the record limit that counts for nothing, for
// want of memory nothing is said but that.
void Pending::say_unrecognised() {
    const Place record = place_of(info_.offset, info_.index);
    const bool want_of_memory = !info_.is_whole() && info_.total_size <= context_.limits.record;
    if (!info_.is_whole()) context_.limit_hit = true;
    if (want_of_memory)
        context_.report.add(kTrackingLimit, record, {info_.total_size});
    else
        context_.report.add(kIdConflict, record, {info_.total_size - kPrefixSize});
}

// Whether P1 or P2 was said.
bool Pending::say_binding(const Event& event, const Rule* rule, bool positions) {
    Report& report = context_.report;
    const Place record = place_of(info_.offset, info_.index);
    if (event.symbol == Symbol::load && has_debug_info_) report.add(kBothDebugInfos, record);
    if (positions && rule != &kInfo2Superseded && event.symbol != Symbol::cut) {
        const View<kPositions> head(info_.bytes.data(), info_.offset, info_.order, info_.index);
        const std::optional<uint64_t> own = own_code_addr();
        const bool bound = event.symbol == Symbol::load && (!event.load.code_addr || own == event.load.code_addr);
        if (own && !bound && own == code_addr_before_) {
            report.add(kInfo2AfterLoad, head.place<"code_addr">(), {*own});
            return true;
        }
        if (own && !bound && event.symbol == Symbol::load) {
            report.add(kInfo2CodeAddrMismatch, head.place<"code_addr">(), {*own, *event.load.code_addr});
            return true;
        }
    }
    if (rule != nullptr) report.add(*rule, record);
    return false;
}

void Pending::check_body(bool positions, bool bound_wrongly) {
    const bool complete = positions ? Positions(info_, context_).check(bound_wrongly) : Tree(info_, context_).check();
    if (complete && info_.is_whole()) return;
    context_.report.add(kTrackingLimit, place_of(info_.offset, info_.index), {info_.total_size});
    context_.limit_hit = true;
}

// --- Section 3.5: what is not looked into --------------------------------------------------------------

void Pending::note_opaque(const Record& record) {
    const Place place = place_of(record.offset, record.index);
    if (record.id == kPositionsId && contested_ == Contested::decide)
        return context_.report.add_overridden(kIdConflict, place, {record.total_size - kPrefixSize});
    for (size_t i = 0; i < std::size(kIds); ++i) {
        if (kIds[i] != record.id) continue;
        if (opaque_[i].count++ == 0) opaque_[i].first = place;
    }
}

void Pending::say_opaque() {
    for (size_t i = 0; i < std::size(kIds); ++i) {
        if (opaque_[i].count == 0) continue;
        if (kIds[i] == kInlineInfoId)
            context_.report.add(kInlineInfoExperimental, opaque_[i].first, {opaque_[i].count});
        else
            context_.report.add(kOpaqueRecord, opaque_[i].first, {kIds[i], opaque_[i].count});
    }
}

}  // namespace tracelint::samply
