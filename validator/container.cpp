// Opens containers.
#include "validator/container.hpp"

#include <algorithm>

namespace tracelint {
namespace {

// Fills `to`, or as much of it as the source has.
Bytes read_fully(Source& source, std::span<uint8_t> to) {
    size_t filled = 0;
    while (filled < to.size()) {
        const size_t got = source.read(to.data() + filled, to.size() - filled);
        if (got == 0) break;
        filled += got;
    }
    return to.first(filled);
}

}  // namespace

size_t ReplayedSource::read(uint8_t* to, size_t bytes) {
    if (first_.empty()) return rest_.read(to, bytes);
    const Bytes piece = first_.first(std::min(bytes, first_.size()));
    std::copy(piece.begin(), piece.end(), to);
    first_ = first_.subspan(piece.size());
    return piece.size();
}

OpenedInput::OpenedInput(Source& input)
    : first_(read_fully(input, buffer_)),
      replayed_(input, first_),
      plain_(input.seek(0) ? input : static_cast<Source&>(replayed_)) {
    if (is_gzip(first_)) gzip_.emplace(plain_);
}

}  // namespace tracelint
