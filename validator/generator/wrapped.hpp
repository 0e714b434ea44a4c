// Puts traces into containers, for tests of readers that open those, and takes them out.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "validator/input/container.hpp"

namespace tracelint {

// What options call the containers, in the order of Container.
inline constexpr std::array<std::string_view, 3> kContainerNames = {"none", "gzip", "zstd"};

// The trace as a gzip file of one member, or a zstd file of one frame. It is stored, not compressed: the same trace
// gives the same bytes on every system, whatever version of a compressor it has, and what a fuzzer changes in it shows
// in the trace. Takes 5 bytes more for each 65,535, or 3 for each 131,072, and up to 23 once. At most 4 GiB.
std::string wrapped(Container container, std::string trace);

struct Unwrapped {
    Container container;
    std::string trace;
};

// The trace in a container, up to the container's first fault. Nothing if the file is in no container, or the trace is
// empty or larger than `most` bytes.
std::optional<Unwrapped> unwrapped(Bytes file, uint64_t most);

}  // namespace tracelint
