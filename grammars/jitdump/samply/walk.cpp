// Follows samply's records through a jitdump file (section 4).
#include "grammars/jitdump/samply/walk.hpp"

#include "grammars/jitdump/samply/checks/positions.hpp"
#include "grammars/jitdump/samply/checks/tree.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint::samply {
namespace {

constexpr uint64_t kPrefixSize = fixed_size(kPrefix);
constexpr uint64_t kCodeAddrEnd = View<kPositions>::offset_of<"code_addr">() + 8;
constexpr uint64_t kKeptBytes = 1 << 20;  // of memory that is reused from record to record

Place place_of(uint64_t offset, uint64_t index) {
    return View<kPrefix>(nullptr, offset, ByteOrder::little, index).whole(kPrefixSize);
}

}  // namespace

SamplyExtension::SamplyExtension(ValidationContext& context)
    : context_(context),
      contested_(static_cast<Contested>(context.settings.of(kContestedOption))),
      scratch_(context.budget) {}

SamplyExtension::~SamplyExtension() { context_.budget.give_back(charged_); }

Place SamplyExtension::kept_record() const { return place_of(info_.offset, info_.index); }

// --- What is a DEBUG_INFO2 (section 2.1) ---------------------------------------------------------------

bool SamplyExtension::may_wait(uint32_t id) const {
    return id == kTreeId || (id == kPositionsId && contested_ != Contested::tier);
}

// A record without a layout, or too short for that of positions.
bool SamplyExtension::is_opaque(const Record& record) {
    if (!may_wait(record.id)) return true;
    const bool is_too_short = record.total_size < minimum_size(kPositions);
    return record.id == kPositionsId && contested_ == Contested::decide && is_too_short;
}

// What the kept record is, as far as it shows without the LOAD that follows.
Event SamplyExtension::arrival() const {
    if (code_addr_ && code_addr_ == previous_code_addr_) return Event::names_previous_load;
    if (id_ == kTreeId || contested_ == Contested::positions || is_built_like_positions()) return Event::recognised;
    return info_.is_whole() ? Event::unrecognised : Event::unseen;
}

// Whether the structure of the record proves that it is positions. It must be in view as a whole for that.
bool SamplyExtension::is_built_like_positions() const {
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

// Empty for a tree, and for positions too short to hold it.
std::optional<uint64_t> SamplyExtension::code_addr_of_kept() const {
    if (id_ != kPositionsId || info_.bytes.size() < kCodeAddrEnd) return std::nullopt;
    return View<kPositions>(info_.bytes.data(), info_.offset, info_.order, info_.index).get<"code_addr">();
}

// --- The wait (section 4) ------------------------------------------------------------------------------

void SamplyExtension::record(const Record& record) {
    if (is_opaque(record)) {
        note_opaque(record);
        return take(Event::opaque);
    }
    take(Event::debug_info2);
    keep(record);
    take(arrival());
}

void SamplyExtension::debug_info() {
    take(Event::debug_info);
    has_debug_info_ = true;
}

void SamplyExtension::load(const Load& load) {
    const bool is_other = code_addr_ && code_addr_ != load.code_addr;
    take(!load.code_addr ? Event::short_load : is_other ? Event::other_load : Event::load, load);
    previous_code_addr_ = load.code_addr;
    has_debug_info_ = false;
}

void SamplyExtension::close() {
    take(Event::close);
    has_debug_info_ = false;
}

void SamplyExtension::end(bool cut) {
    take(cut ? Event::cut : Event::end_of_file);
    report_opaque();
}

void SamplyExtension::take(Event event, const Load& load) {
    const Wait before = wait_;
    const Rule* rule = step(kTracker, wait_, event);
    if (is_waiting(before) && !is_waiting(wait_)) end_wait(before, event, rule, load);
}

// Holds the record until its wait is over. Above the limits, only its fixed part.
void SamplyExtension::keep(const Record& record) {
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
    code_addr_ = code_addr_of_kept();
}

void SamplyExtension::release() {
    code_addr_.reset();
    if (charged_ <= kKeptBytes) return;
    kept_ = PagedVector<uint8_t>();  // {} would keep the memory
    context_.budget.give_back(std::exchange(charged_, 0));
}

// --- The end of the wait (section 4.1) -----------------------------------------------------------------

constexpr Rule kBothDebugInfos{
    .id = "samply/both-debug-infos",
    .severity = Severity::note,
    .statement = "a LOAD has a DEBUG_INFO or a DEBUG_INFO2, not both",
    .message = "the same LOAD also has a DEBUG_INFO",
    .why =
        "writers emit both for the sake of perf, which reads DEBUG_INFO only; samply's "
        "reader ignores the DEBUG_INFO, even for code that the DEBUG_INFO2 does not cover",
    .spec = "4.1 End of the wait",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

// `wait`: its state when the event arrived.
void SamplyExtension::end_wait(Wait wait, Event event, const Rule* rule, const Load& load) {
    const bool is_load = event == Event::load || event == Event::other_load || event == Event::short_load;
    const bool is_recognised = !is_doubtful(wait) || rule == nullptr;
    if (is_load) info_.load = load.offset;
    info_.code_size = load.code_size;
    if (is_recognised && is_load && has_debug_info_) context_.report.add<kBothDebugInfos>(kept_record());
    if (rule != nullptr) report_end(wait, event, *rule, load);
    if (is_recognised) {
        const bool is_misplaced = rule != nullptr && (wait == Wait::late || event == Event::other_load);
        check_body(is_misplaced && event != Event::debug_info2);
    }
    release();
}

void SamplyExtension::report_end(Wait wait, Event event, const Rule& rule, const Load& load) {
    Report& report = context_.report;
    const View<kPositions> head(info_.bytes.data(), info_.offset, info_.order, info_.index);
    if (is_doubtful(wait) && !info_.is_whole()) context_.limit_hit = true;
    if (wait == Wait::unseen) return report_limit();
    // At the end, the LOAD that would prove it is not there.
    if (wait == Wait::unrecognised)
        return report.add({.rule = &rule,
                           .place = kept_record(),
                           .numbers = {info_.total_size - kPrefixSize},
                           .about_end = event == Event::end_of_file || event == Event::cut});
    if (event == Event::debug_info2) return report.add(rule, kept_record());
    if (wait == Wait::late) return report.add(rule, head.place<"code_addr">(), {*code_addr_});
    if (event == Event::other_load) return report.add(rule, head.place<"code_addr">(), {*code_addr_, *load.code_addr});
    report.add(rule, kept_record());
}

// `is_misplaced`: a finding says that the record is not about the LOAD that follows.
void SamplyExtension::check_body(bool is_misplaced) {
    const bool is_complete = id_ == kPositionsId ? Positions(info_, context_, scratch_).check(is_misplaced)
                                                 : Tree(info_, context_, scratch_).check();
    if (is_complete && info_.is_whole()) return;
    report_limit();
    context_.limit_hit = true;
}

void SamplyExtension::report_limit() {
    const bool is_above_record_limit = info_.total_size > context_.limits.record;
    context_.report.add({.rule = &kTrackingLimit,
                         .place = kept_record(),
                         .numbers = {is_above_record_limit ? context_.limits.record : context_.limits.memory},
                         .hint = is_above_record_limit ? "record limit: the body of this record is not checked"
                                                       : "memory limit: not all of this record is checked"});
}

// --- Opaque records (section 3.5) ----------------------------------------------------------------------

void SamplyExtension::note_opaque(const Record& record) {
    const Place place = place_of(record.offset, record.index);
    if (record.id == kPositionsId && contested_ == Contested::decide)
        return context_.report.add_overridden<kIdConflict>(place, {record.total_size - kPrefixSize});
    for (size_t i = 0; i < std::size(kIds); ++i) {
        if (kIds[i] != record.id) continue;
        if (opaque_[i].count++ == 0) opaque_[i].first = place;
    }
}

constexpr Rule kInlineInfoExperimental{
    .id = "samply/inline-info-experimental",
    .severity = Severity::note,
    .statement = "the file has no records of the experimental inline info, id 5",
    .message = "records of id 5 have two incompatible layouts and are not checked ({0 such record|such records})",
    .why = "no released reader uses them, and perf may assign the id to something else",
    .spec = "3.5 Opaque records",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kOpaqueRecord{
    .id = "samply/opaque-record",
    .severity = Severity::note,
    .statement = "every record is of a type with a defined layout",
    .message =
        "records of id {0} have no defined layout and are not checked ({1 such "
        "record|such records})",
    .why = "no known reader uses them",
    .spec = "3.5 Opaque records",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

void SamplyExtension::report_opaque() {
    for (size_t i = 0; i < std::size(kIds); ++i) {
        if (opaque_[i].count == 0) continue;
        if (kIds[i] == kInlineInfoId)
            context_.report.add<kInlineInfoExperimental>(opaque_[i].first, {opaque_[i].count});
        else
            context_.report.add<kOpaqueRecord>(opaque_[i].first, {kIds[i], opaque_[i].count});
    }
}

constinit const RuleList kExtensionRules = rules<&kBothDebugInfos, &kInlineInfoExperimental, &kOpaqueRecord>;

}  // namespace tracelint::samply
