// Leaves out parts from the last of the least kind on.
#include "validator/tool/page/parts.hpp"

#include <algorithm>

namespace tracelint {

void Parts::add(PartKind kind, Part part) {
    size_ += part.text.size();
    kept_[static_cast<size_t>(kind)].push_back(std::move(part));
    fit();
}

void Parts::charge(size_t bytes) {
    size_ += bytes;
    fit();
}

void Parts::fit() {
    while (size_ > limit_) {
        const auto least = std::find_if(kept_.rbegin(), kept_.rend(), [](const auto& parts) { return !parts.empty(); });
        if (least == kept_.rend()) return;
        size_ -= least->back().text.size();
        least->pop_back();
    }
}

}  // namespace tracelint
