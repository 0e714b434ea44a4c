// Leaves out parts from the last of the least kind on.
#include "validator/tool/page/parts.hpp"

#include <algorithm>

namespace tracelint {

void Parts::add(PartKind kind, Part part) {
    size_ += part.text.size();
    kept_[static_cast<size_t>(kind)].push_back(std::move(part));
    fit();
}

void Parts::add_first(PartKind kind, Part part) {
    size_ += part.text.size();
    first_size_ += part.text.size();
    first_[static_cast<size_t>(kind)].push_back(std::move(part));
    fit();
}

void Parts::charge(size_t bytes) {
    size_ += bytes;
    fit();
}

// Null: there are no parts.
std::vector<Part>* Parts::least_of(ByKind& parts) {
    const auto least = std::find_if(parts.rbegin(), parts.rend(), [](const auto& some) { return !some.empty(); });
    return least == parts.rend() ? nullptr : &*least;
}

void Parts::fit() {
    while (first_size_ > reserve_) {  // then there is a part that comes first
        std::vector<Part>& from = *least_of(first_);
        std::vector<Part>& to = kept_[static_cast<size_t>(&from - first_.data())];
        first_size_ -= from.back().text.size();
        to.insert(std::ranges::lower_bound(to, from.back().file, {}, &Part::file), std::move(from.back()));
        from.pop_back();
    }
    while (size_ > limit_) {
        std::vector<Part>* least = least_of(kept_);
        const bool comes_first = least == nullptr;
        if (comes_first) least = least_of(first_);
        if (least == nullptr) return;
        size_ -= least->back().text.size();
        if (comes_first) first_size_ -= least->back().text.size();
        least->pop_back();
    }
}

}  // namespace tracelint
