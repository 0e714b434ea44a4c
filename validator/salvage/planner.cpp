// Goes through the records of a file, and decides by their roles what each damage costs.
#include "validator/salvage/planner.hpp"

#include <algorithm>

#include "validator/salvage/resuming_framer.hpp"

namespace tracelint {
namespace {

bool contains(std::span<const std::string_view> rules, std::string_view id) {
    return std::ranges::find(rules, id) != rules.end();
}

constexpr uint8_t kMostBroken = 0xff;  // no anchor helps: what was lost may have been one of any rank

// The one value that the rules of a field allow in place of this one; empty if there is none.
std::optional<uint64_t> only_value(const Field& field, const Rule& rule, uint64_t value) {
    const auto check_of = [&](Check::Must must) {
        const auto found = std::ranges::find(field.checks, must, &Check::must);
        return found == field.checks.end() ? nullptr : &*found;
    };
    if (const Check* const equal = check_of(Check::Must::equal)) return equal->value;
    if (std::ranges::find(field.checks, &rule, &Check::rule) == field.checks.end()) return std::nullopt;
    const Check* const least = check_of(Check::Must::be_at_least);
    const Check* const most = check_of(Check::Must::be_at_most);
    if (least != nullptr && most != nullptr && least->value == most->value) return least->value;
    if (const Check* const mask = check_of(Check::Must::be_within_mask)) return value & mask->value;
    return std::nullopt;
}

// The bytes of a record all of whose fields have only one value.
Edit constant_record(const Record& record, const Layout& layout) {
    Edit edit;
    edit.record = &record;
    edit.cause = Cause::setting;
    for (const Field& field : record.fields()) {
        if (!field.exists_in(layout.version) || !ends_its_number(field)) continue;
        const unsigned width = width_of(field, layout);
        if (edit.size + width > Edit::kMostBytes) break;
        const auto check = std::ranges::find(field.checks, Check::Must::equal, &Check::must);
        store(&edit.bytes[edit.size], width, layout.order, check == field.checks.end() ? 0 : check->value);
        edit.size = static_cast<uint8_t>(edit.size + width);
    }
    return edit;
}

}  // namespace

Planner::Planner(const Composition& composition, std::span<const Damage> damages, Reach reach, Budget& budget,
                 Edits& edits)
    : composition_(composition),
      damages_(damages),
      reach_(reach),
      edits_(edits),
      ahead_(budget),
      located_(budget),
      padded_(budget) {}

Obstacle Planner::plan(Source& trace, const Limits& limits, const Settings& settings) {
    for (const Damage& damage : damages_)
        if (contains(composition_.fatal, damage.rule->id))
            return {Obstacle::Kind::fatal, damage.offset, damage.rule, nullptr};
    DumpContext context(limits);
    Window window(trace, nullptr, &context.budget);
    ResumingFramer framer(composition_.format->framer(settings), composition_, damages_);
    framer_ = &framer;
    walk_records(window, framer, context, *this);
    if (!context.left_out.empty()) obstacle_.kind = Obstacle::Kind::memory;
    if (obstacle_.kind == Obstacle::Kind::none) {
        window.reaches(kNone);  // so that its size is known
        size_ = window.size();
        end_at(size_);
    }
    if (obstacle_.kind == Obstacle::Kind::none && choice_ == nullptr && records_.kept == 0 && records_.dropped != 0)
        obstacle_.kind = Obstacle::Kind::no_records;
    edits_.finish();
    if (obstacle_.kind != Obstacle::Kind::none) return obstacle_;
    drop_entries();
    set_flags();
    set_extents();
    set_padding();
    return obstacle_;
}

const RecordRole* Planner::row_of(const Record& record, uint16_t version) const {
    for (const RecordRole& row : composition_.roles)
        if (row.record == &record && row.first_version <= version && version <= row.last_version) return &row;
    return nullptr;
}

// --- What the walk calls

bool Planner::wants(const FramedRecord& record) {
    settle(true);
    Piece& piece = piece_.emplace(Piece{});
    piece.record = record.record;
    piece.layout = framer_->layout();
    piece.row = row_of(*record.record, piece.layout.version);
    piece.role = piece.row == nullptr ? composition_.others : piece.row->role;
    piece.offset = record.offset;
    piece.length = record.length;
    const Role role = piece.role;
    if (role == Role::essential || role == Role::group || role == Role::closing || role == Role::appendix)
        close_group(piece.offset);
    return piece.role == Role::essential || (piece.row != nullptr && !piece.row->total.empty()) ||
           piece.role == Role::announced ||
           std::ranges::find(composition_.extents, piece.record, &Extent::record) != composition_.extents.end();
}

void Planner::begin(const SeenRecord& record) {
    Piece& piece = *piece_;
    if (piece.row != nullptr && !piece.row->total.empty()) piece.total = number_of(record, piece.row->total);
    for (const Extent& extent : composition_.extents) {
        if (extent.record != record.record || !record.is_whole()) continue;
        Located located;
        located.offset = number_of(record, extent.offset);
        located.size = number_of(record, extent.size);
        located.record = record.record;
        located.layout = piece.layout;
        for (size_t i = next_damage_; i < damages_.size() && damages_[i].offset < piece.end(); ++i)
            if (damages_[i].field != nullptr && damages_[i].field->name == extent.size) located.is_wrong = true;
        if (located.offset.field == nullptr || located.size.field == nullptr) continue;
        if (!located_.push_back(located)) obstacle_.kind = Obstacle::Kind::memory;
    }
    if (record.record == composition_.announcement.header) {
        flagged_ = record.record;
        flagged_layout_ = piece.layout;
        for (size_t i = 0; i < flags_.size(); ++i) flags_[i] = number_of(record, composition_.announcement.flags[i]);
    }
    // A field of an essential record that may have one value only is set to it.
    for (size_t i = next_damage_; i < damages_.size() && damages_[i].offset < piece.end(); ++i) {
        const Damage& damage = damages_[i];
        if (piece.role != Role::essential || damage.field == nullptr) continue;
        const Number number = number_of(record, damage.field->name);
        if (number.field == nullptr || damage.field->type == Type::bits) continue;
        const std::optional<uint64_t> value = repaired(damage, number.value);
        if (value) set(number, *value, piece.record, piece.layout, damage.rule);
        // A header that is longer than it may be.
        const uint64_t least = fixed_size(*piece.record, piece.layout);
        if (!value || piece.length <= least || piece.length > record.bytes.size()) continue;
        drop_range(piece.offset + least, piece.length - least, 0, {true, Cause::error, damage.rule, kNone});
    }
}

void Planner::gap(const Gap& gap, GapBytes&) {
    settle(true);
    Piece& piece = piece_.emplace(Piece{});
    piece.offset = gap.offset;
    piece.length = gap.length == kNone ? kNone - gap.offset : gap.length;
}

// A number of fixed width at a fixed place.
Planner::Number Planner::number_of(const SeenRecord& record, std::string_view field) const {
    Number number;
    const Field* const found = record.record->find(field);
    const uint64_t at = fixed_offset(*record.record, field, record.layout());
    if (found == nullptr || at == kNone || !found->is_fixed()) return number;
    number.width = width_of(*found, record.layout());
    if (at + number.width > record.bytes.size()) return number;
    number.field = found;
    number.offset = record.offset + at;
    number.value = load(record.bytes.data() + at, number.width, record.layout().order);
    if (found->type == Type::bits && found->bit_offset == 0 && record.layout().order == ByteOrder::little) {
        const uint64_t mask = (uint64_t{1} << found->bit_width) - 1;
        number.others = number.value & ~mask;
        number.value &= mask;
    }
    return number;
}

// --- What becomes of a piece

void Planner::settle(bool is_whole) {
    if (!piece_ || obstacle_.kind != Obstacle::Kind::none) return;
    if (choice_ != nullptr) return settle_chosen();
    if (piece_->record == nullptr) return settle_gap();
    const Role role = piece_->role;
    const Reason reason = reason_for(is_whole);
    switch (role) {
        case Role::essential: return judge_essential(reason);
        case Role::group:
            open_group();
            if (reason.is_given) lose_group(reason);
            return keep();
        case Role::core:
            if (reason.is_given && group_.is_open) lose_group(reason);
            if (!reason.is_given && piece_->total.field != nullptr && group_.is_open) open_content();
            return reason.is_given ? drop(reason, false) : keep();
        case Role::group_end: return judge_group_end(reason);
        case Role::member: return judge_member(reason);
        case Role::announced: return judge_entry(reason);
        case Role::ahead:
            if (reason.is_given) return drop(reason, false);
            hold_ahead();
            return keep();
        case Role::behind:
        case Role::rest:
            if (last_reason_.is_given) return drop(dependence_on(last_reason_, last_.offset), false);
            if (!reason.is_given) return keep();
            if (role == Role::rest) {
                drop_range(last_.offset, last_.length, 1, dependence_on(reason, piece_->offset));
                --records_.kept;
                last_reason_ = reason;
            }
            return drop(reason, false);
        case Role::closing:
            if (reason.is_given) return drop(reason, false);
            closing_ = nullptr;
            return keep();
        case Role::appendix: close_part(piece_->offset); [[fallthrough]];
        case Role::alone: break;
    }
    // What is damaged may have been of any kind.
    const bool is_target = !ahead_.empty() && ahead_.back().record == piece_->record;
    if (is_target || (reason.is_given && piece_->record->fallback)) release_ahead(reason);
    if (reason.is_given) return drop(reason, false);
    keep();
}

// Whether the file does not begin with its header.
bool Planner::is_header_missing() const {
    const auto is_essential = [](const RecordRole& row) { return row.role == Role::essential; };
    return !has_opening_ && std::ranges::any_of(composition_.roles, is_essential);
}

void Planner::settle_gap() {
    Reason reason = reason_for(true);
    if (is_header_missing()) {
        obstacle_ = {Obstacle::Kind::essential, piece_->offset, reason.rule, nullptr};
        return;
    }
    if (!reason.is_given) reason = {true, Cause::unknown, nullptr, kNone};
    release_ahead(reason);
    drop(reason, true);
}

// Takes the damages of the piece.
Planner::Reason Planner::reason_for(bool is_whole) {
    Reason reason;
    const Piece& piece = *piece_;
    if (piece.offset < damaged_to_) reason = {true, Cause::error, damaged_by_, kNone};
    for (; next_damage_ < damages_.size() && concerns_piece(damages_[next_damage_]); ++next_damage_) {
        const Damage& damage = damages_[next_damage_];
        const bool is_late = damage.offset >= piece.end();
        // Where the length is wrong, so is that of the damage.
        const bool is_sized = !contains(composition_.unsized, damage.rule->id);
        if (!is_late && is_sized && saturating_add(damage.offset, damage.length) > damaged_to_) {
            damaged_to_ = saturating_add(damage.offset, damage.length);
            damaged_by_ = damage.rule;
        }
        if (is_missing_end(damage) || (!is_late && repairs(damage))) continue;
        if (!reason.is_given) reason = {true, Cause::error, damage.rule, kNone};
    }
    if (!is_whole && !reason.is_given) reason = {true, Cause::end, nullptr, kNone};
    return reason;
}

bool Planner::concerns_piece(const Damage& damage) const {
    if (damage.offset < piece_->end()) return true;
    return damage.offset == piece_->end() && contains(composition_.late, damage.rule->id);
}

// Whether the damage is that a closing record is missing, which is inserted.
bool Planner::is_missing_end(const Damage& damage) const {
    return std::ranges::any_of(composition_.roles, [&](const RecordRole& row) {
        return row.role == Role::closing && row.missing == damage.rule->id;
    });
}

// Whether the damage is to a number that is set anyway.
bool Planner::repairs(const Damage& damage) {
    if (damage.field == nullptr || piece_->record == nullptr) return false;
    if (damage.field == piece_->total.field) {
        piece_->total_wrong_by = damage.rule;
        return true;
    }
    for (const Extent& extent : composition_.extents)
        if (extent.record == piece_->record && piece_->role == Role::essential &&
            (extent.size == damage.field->name || extent.offset == damage.field->name))
            return true;
    return piece_->role == Role::essential && damage.field->type != Type::bits && repaired(damage, 0).has_value();
}

// The value that a damaged field of the piece must have; empty if that is not known.
std::optional<uint64_t> Planner::repaired(const Damage& damage, uint64_t value) const {
    if (damage.field->is_record_size) return piece_->length;
    return only_value(*damage.field, *damage.rule, value);
}

void Planner::judge_essential(const Reason& reason) {
    if (reason.is_given) {
        obstacle_ = {Obstacle::Kind::essential, piece_->offset, reason.rule, piece_->record};
        return;
    }
    const bool opens_part = std::ranges::any_of(composition_.roles, [&](const RecordRole& row) {
        return row.role == Role::closing && row.target == piece_->record;
    });
    if (opens_part) close_part(piece_->offset);
    const auto closing = std::ranges::find_if(composition_.roles, [&](const RecordRole& row) {
        const uint16_t version = piece_->layout.version;
        return row.role == Role::closing && row.target == piece_->record && row.first_version <= version &&
               version <= row.last_version &&
               (row.missing.empty() ||
                std::ranges::any_of(damages_, [&](const Damage& damage) { return damage.rule->id == row.missing; }));
    });
    if (closing != composition_.roles.end()) {
        closing_ = closing->record;
        closing_layout_ = piece_->layout;
    }
    has_opening_ = true;
    last_ = *piece_;
    last_reason_ = {};
    broken_ = 0;
    piece_.reset();
}

void Planner::judge_member(const Reason& reason) {
    const uint8_t anchor = piece_->row == nullptr ? 0 : piece_->row->anchor;
    if (reason.is_given) {
        drop(reason, false);
        if (broken_ == 0) broken_by_ = dependence_on(reason, last_.offset);
        broken_ = std::max<uint8_t>({broken_, anchor, 1});
        return;
    }
    if (broken_ != 0 && anchor < broken_) return drop(broken_by_, false);
    broken_ = 0;
    keep();
}

Planner::Reason Planner::dependence_on(const Reason& reason, uint64_t offset) const {
    if (reason.cause == Cause::dependence) return reason;
    return {true, Cause::dependence, reason.rule, offset};
}

void Planner::keep() {
    ++records_.kept;
    if (piece_->row != nullptr && piece_->row->alignment != 0) {
        Edit padding;
        padding.cause = Cause::setting;
        padding.offset = piece_->offset + fixed_size(*piece_->record, piece_->layout);
        padding.length = piece_->end() - padding.offset;
        padding.record = piece_->record;
        padding.field = &piece_->record->fields().back();
        padding.records = piece_->row->alignment;
        if (!padded_.push_back(padding)) obstacle_.kind = Obstacle::Kind::memory;
    }
    ++group_.pieces;
    if (piece_->role != Role::behind && piece_->role != Role::rest) {
        last_ = *piece_;
        last_reason_ = {};
    }
    piece_.reset();
}

// `breaks_chain`: what is left out may be any number of members.
void Planner::drop(const Reason& reason, bool breaks_chain) {
    const Piece& piece = *piece_;
    const bool has_placeholder = piece.row != nullptr && !piece.row->placeholder.empty();
    drop_range(piece.offset, piece.length, piece.record == nullptr ? 0 : 1, reason,
               has_placeholder ? piece.row->placeholder : std::string_view());
    if (piece.role != Role::behind && piece.role != Role::rest) {
        last_ = piece;
        last_reason_ = reason;
    }
    if (breaks_chain && group_.is_open) {
        if (broken_ == 0) broken_by_ = dependence_on(reason, piece.offset);
        broken_ = kMostBroken;
    }
    piece_.reset();
}

void Planner::drop_range(uint64_t offset, uint64_t length, uint64_t records, const Reason& reason,
                         std::string_view placeholder) {
    Edit edit;
    edit.size = static_cast<uint8_t>(placeholder.size());
    std::ranges::copy(placeholder, edit.bytes.begin());
    edit.offset = offset;
    edit.length = length;
    edit.records = records;
    edit.rule = reason.rule;
    edit.cause = reason.cause;
    edit.related = reason.related;
    records_.dropped += records;
    group_.dropped_pieces += records;
    group_.dropped = saturating_add(group_.dropped, length);
    add(edit);
}

void Planner::add(const Edit& edit) {
    if (!edits_.add(edit)) obstacle_.kind = Obstacle::Kind::memory;
}

void Planner::set(const Number& number, uint64_t value, const Record* record, const Layout& layout, const Rule* rule) {
    Edit edit;
    edit.offset = number.offset;
    edit.length = number.width;
    edit.rule = rule;
    edit.cause = Cause::setting;
    edit.record = record;
    edit.field = number.field;
    edit.size = static_cast<uint8_t>(number.width);
    store(edit.bytes.data(), number.width, layout.order, value | number.others);
    add(edit);
}

// --- Groups

void Planner::open_group() {
    group_ = {};
    group_.is_open = true;
    group_.start = piece_->offset;
    group_.content = piece_->end();
    group_.first_edit = edits_.size();
    group_.wrong_by = piece_->total_wrong_by;
    group_.total = piece_->total;
    group_.layout = piece_->layout;
    group_.record = piece_->record;
    broken_ = 0;
}

// The record of the piece has the total of its group, and the content follows it.
void Planner::open_content() {
    group_.content = piece_->end();
    group_.dropped = 0;
    group_.wrong_by = piece_->total_wrong_by;
    group_.total = piece_->total;
    group_.layout = piece_->layout;
    group_.record = piece_->record;
}

void Planner::judge_group_end(const Reason& reason) {
    if (reason.is_given && group_.is_open) lose_group(reason);
    if (!group_.is_open) return reason.is_given ? drop(reason, false) : keep();
    group_.is_ended = true;
    const Reason lost = group_.lost;
    end_group(piece_->offset);
    if (group_.lost.is_given) return drop(group_.lost, false);
    return lost.is_given ? drop(lost, false) : keep();
}

void Planner::lose_group(const Reason& reason) {
    if (!group_.lost.is_given) group_.lost = dependence_on(reason, piece_->offset);
    if (group_.lost.related == group_.start) group_.lost = reason;
}

// `end`: where the next group begins, or the file ends.
void Planner::close_group(uint64_t end) {
    const bool was_open = group_.is_open;
    end_group(end);
    if (!was_open || group_.lost.is_given || group_.is_ended || choice_ != nullptr) return;
    const auto row = std::ranges::find(composition_.roles, Role::group_end, &RecordRole::role);
    if (row == composition_.roles.end() || group_.total.field == nullptr) return;
    if (group_.layout.version < row->first_version || row->last_version < group_.layout.version) return;
    Edit edit = constant_record(*row->record, group_.layout);
    edit.offset = end;
    add(edit);
}

void Planner::end_group(uint64_t end) {
    if (!group_.is_open) return;
    group_.is_open = false;
    broken_ = 0;
    const uint64_t content = end > group_.content ? end - group_.content : 0;
    const uint64_t dropped = std::min(group_.dropped, content);
    const bool is_empty = dropped == content && dropped != 0 && choice_ == nullptr;
    if (choice_ != nullptr && !group_.is_wanted) group_.lost = {true, Cause::choice, nullptr, kNone};
    if (!group_.lost.is_given && (is_empty || (reach_ == Reach::groups && group_.dropped != 0))) {
        const Edit& first = edits_[group_.first_edit];
        group_.lost = dependence_on({true, first.cause, first.rule, first.related}, first.offset);
    }
    // If the total is right, something else is wrong with the group.
    const uint64_t total = choice_ == nullptr ? content - dropped : group_.total.value - group_.dropped;
    if (!group_.lost.is_given && group_.wrong_by != nullptr && total == group_.total.value)
        group_.lost = {true, Cause::error, group_.wrong_by, kNone};
    if (group_.lost.is_given) {
        edits_.keep_first(group_.first_edit);
        const uint64_t kept = group_.pieces;
        records_.kept -= kept;
        records_.dropped -= group_.dropped_pieces;
        drop_range(group_.start, end - group_.start, kept + group_.dropped_pieces, group_.lost);
        last_reason_ = group_.lost;
        return;
    }
    if (group_.total.field == nullptr || (dropped == 0 && group_.wrong_by == nullptr)) return;
    if (total != group_.total.value) set(group_.total, total, group_.record, group_.layout, nullptr);
}

// --- Records that belong to others

void Planner::hold_ahead() {
    Edit edit;
    edit.offset = piece_->offset;
    edit.length = piece_->length;
    edit.records = 1;
    edit.record = piece_->row->target;
    if (!ahead_.empty() && ahead_.back().end() == edit.offset && ahead_.back().record == edit.record) {
        ahead_[ahead_.size() - 1].length += edit.length;
        ++ahead_[ahead_.size() - 1].records;
    } else if (!ahead_.push_back(edit)) {
        obstacle_.kind = Obstacle::Kind::memory;
    }
}

// The record that others are ahead of has come, or may have; they are left out if it is.
void Planner::release_ahead(const Reason& reason) {
    if (reason.is_given)
        for (const Edit& edit : ahead_) {
            records_.kept -= edit.records;
            drop_range(edit.offset, edit.length, edit.records, dependence_on(reason, piece_->offset));
        }
    ahead_.clear();
}

// Inserts the closing record that is missing before `offset`.
void Planner::close_part(uint64_t offset) {
    if (closing_ == nullptr) return;
    Edit edit = constant_record(*closing_, closing_layout_);
    edit.offset = offset;
    add(edit);
    closing_ = nullptr;
}

// --- The end

void Planner::end_at(uint64_t size) {
    if (piece_) {
        const bool is_whole = piece_->end() <= size;
        if (!is_whole) piece_->length = size - std::min(size, piece_->offset);
        if (reach_ == Reach::groups)  // what is missing at the end is the last record's fault
            for (; next_damage_ < damages_.size() && damages_[next_damage_].offset >= piece_->end(); ++next_damage_)
                damaged_to_ = kNone, damaged_by_ = damages_[next_damage_].rule;
        settle(is_whole);
    }
    close_group(size);
    close_part(size);
}

}  // namespace tracelint
