// Edits of a file, and the edited file as a source.
#include "validator/salvage/edits.hpp"

#include <algorithm>
#include <tuple>

namespace tracelint {
namespace {

// No file has so many bytes. Whoever looks for the end of one seeks beyond it.
constexpr uint64_t kBeyondAll = uint64_t{1} << 63;

// Whether `next` continues what `edit` leaves out, for the same reason.
bool joins(const Edit& edit, const Edit& next) {
    return edit.is_drop() && next.is_drop() && edit.end() == next.offset && edit.rule == next.rule &&
           edit.cause == next.cause && (edit.cause != Cause::dependence || edit.related == next.related);
}

}  // namespace

bool Edits::add(const Edit& edit) {
    if (!list_.empty() && joins(list_.back(), edit)) {
        list_[list_.size() - 1].length += edit.length;
        list_[list_.size() - 1].records += edit.records;
        return true;
    }
    return list_.push_back(edit);
}

void Edits::finish() {
    const auto before = [](const Edit& a, const Edit& b) {
        return std::tuple(a.offset, a.end(), a.size) < std::tuple(b.offset, b.end(), b.size);
    };
    std::sort(list_.begin(), list_.end(), before);
    size_t kept = 0;
    uint64_t shift = 0, end = 0;
    for (size_t i = 0; i < list_.size(); ++i) {
        Edit edit = list_[i];
        if (edit.offset < end) continue;  // within one that leaves more out
        if (kept != 0 && joins(list_[kept - 1], edit)) {
            list_[kept - 1].length += edit.length;
            list_[kept - 1].records += edit.records;
        } else {
            edit.shift = shift;
            list_[kept++] = edit;
        }
        shift += edit.length - edit.size;
        end = edit.end();
    }
    list_.keep_first(kept);
}

uint64_t Edits::new_offset(uint64_t offset) const {
    const auto next = std::ranges::upper_bound(list_, offset, {}, &Edit::offset);
    if (next == list_.begin()) return offset;
    const Edit& edit = *(next - 1);
    return offset < edit.end() ? edit.new_offset() : edit.new_end() + (offset - edit.end());
}

uint64_t Edits::old_offset(uint64_t offset) const {
    const auto next = std::ranges::upper_bound(list_, offset, {}, &Edit::new_offset);
    if (next == list_.begin()) return offset;
    const Edit& edit = *(next - 1);
    return offset < edit.new_end() ? edit.offset : edit.end() + (offset - edit.new_end());
}

size_t Edits::first_after(uint64_t new_offset) const {
    return static_cast<size_t>(std::ranges::upper_bound(list_, new_offset, {}, &Edit::new_end) - list_.begin());
}

EditedSource::EditedSource(Source& trace, const Edits& edits, Budget& budget)
    : trace_(trace), edits_(edits), budget_(budget) {
    window_.emplace(trace_, nullptr, &budget_);
    next_ = edits_.first_after(0);
}

size_t EditedSource::read(uint8_t* to, size_t bytes) {
    size_t done = 0;
    while (done < bytes && at_ < kBeyondAll) {
        const Edit* const edit = next_ < edits_.size() ? &edits_[next_] : nullptr;
        if (edit != nullptr && at_ >= edit->new_offset()) {
            const Bytes left = edit->replacement().subspan(at_ - edit->new_offset());
            const size_t count = std::min(left.size(), bytes - done);
            std::copy_n(left.data(), count, to + done);
            done += count;
            at_ += count;
            if (count == left.size()) ++next_;
            continue;
        }
        const Edit* const before = next_ == 0 ? nullptr : &edits_[next_ - 1];
        const uint64_t from = before == nullptr ? at_ : before->end() + (at_ - before->new_end());
        const uint64_t room = edit == nullptr ? kNone : edit->new_offset() - at_;
        const size_t wanted = static_cast<size_t>(std::min<uint64_t>({room, bytes - done, kWindow / 2}));
        const Bytes seen = window_->view(from, wanted);
        const size_t count = std::min(seen.size(), wanted);
        std::copy_n(seen.data(), count, to + done);
        done += count;
        at_ += count;
        if (count < wanted) break;  // the end of the file
    }
    return done;
}

bool EditedSource::seek(uint64_t offset) {
    if (offset < at_) {
        if (!trace_.seek(0)) return false;
        window_.reset();
        window_.emplace(trace_, nullptr, &budget_);
    }
    at_ = offset;
    next_ = edits_.first_after(offset);
    return true;
}

uint64_t EditedSource::size() const {
    const uint64_t size = trace_.size();
    return size == kNone ? kNone : edits_.new_offset(size);
}

}  // namespace tracelint
