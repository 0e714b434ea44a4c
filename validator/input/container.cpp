// Opens containers.
#include "validator/input/container.hpp"

#include <algorithm>

#include "validator/input/gzip.hpp"
#include "validator/input/zstd_source.hpp"

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

// A build that cannot open zstd reports its frames as an unknown format, whose name says so.
Container container_of(Bytes first) {
    if (is_gzip(first)) return Container::gzip;
    return has_zstd() && begins_zstd_frame(first) ? Container::zstd : Container::none;
}

}  // namespace

std::string_view to_string(Container container) {
    switch (container) {
        case Container::gzip: return "gzip";
        case Container::zstd: return "zstd";
        case Container::none: break;
    }
    return {};
}

std::unique_ptr<ContainerSource> open_container(Container container, Source& compressed, Budget& budget) {
    switch (container) {
        case Container::gzip: return std::make_unique<GzipSource>(compressed);
        case Container::zstd: return std::make_unique<ZstdSource>(compressed, budget);
        case Container::none: break;
    }
    return nullptr;
}

size_t ReplayedSource::read(uint8_t* to, size_t bytes) {
    if (first_.empty()) return rest_.read(to, bytes);
    const Bytes piece = first_.first(std::min(bytes, first_.size()));
    std::copy(piece.begin(), piece.end(), to);
    first_ = first_.subspan(piece.size());
    return piece.size();
}

OpenedInput::OpenedInput(Source& input, Budget& budget, OpenContainer* open)
    : first_(read_fully(input, buffer_)),
      replayed_(input, first_),
      plain_(input.seek(0) ? input : static_cast<Source&>(replayed_)),
      container_(container_of(first_)),
      decompressed_(open(container_, plain_, budget)) {}

}  // namespace tracelint
