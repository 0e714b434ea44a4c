// Plans what a caller chooses to leave out and to change.
#include "validator/salvage/planner.hpp"

namespace tracelint {

Planner::Planner(const Composition& composition, const Choice& choice, Budget& budget, Edits& edits)
    : Planner(composition, {}, Reach::records, budget, edits) {
    choice_ = &choice;
}

void Planner::settle_chosen() {
    const Reason chosen{true, Cause::choice, nullptr, kNone};
    const Role role = piece_->record == nullptr ? Role::alone : piece_->role;
    const bool is_left_out = is_chosen();
    change_piece();
    if (role == Role::group && !(is_left_out && choice_->is_exact)) open_group();
    if (!is_left_out) group_.is_wanted = true;
    const bool stays = !is_left_out || is_needed();
    if (piece_->record == awaited_) awaited_ = nullptr;
    if (role == Role::ahead && stays) awaited_ = piece_->row->target;
    if (role == Role::core && stays && group_.is_open && piece_->total.field != nullptr) open_content();
    if (role == Role::group_end && group_.is_open) {
        group_.is_ended = true;
        end_group(piece_->offset);
        if (group_.lost.is_given) return drop(group_.lost, false);
    }
    if (role == Role::announced) return judge_entry(stays ? Reason{} : chosen);
    return stays ? keep() : drop(chosen, false);
}

// Whether the piece is within a range that is to be left out.
bool Planner::is_chosen() {
    const std::span<const Choice::Range> ranges = choice_->left_out;
    while (next_range_ < ranges.size() && ranges[next_range_].end <= piece_->offset) ++next_range_;
    if (next_range_ == ranges.size()) return false;
    return ranges[next_range_].begin <= piece_->offset && piece_->end() <= ranges[next_range_].end;
}

// Whether the piece stays although it is chosen, because others cannot be read without it.
bool Planner::is_needed() const {
    if (choice_->is_exact || piece_->record == nullptr) return false;
    switch (piece_->role) {
        case Role::essential:
        case Role::closing: return true;
        case Role::group:
        case Role::core:
        case Role::group_end: return group_.is_open;
        case Role::rest: return !last_reason_.is_given;
        default: return piece_->record == awaited_;
    }
}

void Planner::change_piece() {
    for (; next_change_ < choice_->changes.size(); ++next_change_) {
        const Edit& change = choice_->changes[next_change_];
        if (change.offset >= piece_->end()) break;
        group_.dropped += change.length - change.size;
        add(change);
    }
}

}  // namespace tracelint
