// What the files of this folder offer to the format.
#pragma once

#include <initializer_list>

#include "grammars/perfdata/records.hpp"
#include "validator/format.hpp"

namespace tracelint::perfdata {

// perf.data, section 2: whether a file is a perf.data file, and in which byte order.

// Whether the file has version 1 of the format.
bool has_legacy_magic(Bytes bytes);

// The byte order of a file that begins with one of the magic numbers. Version 1 needs 24 bytes, or 16 of a
// stream.
std::optional<ByteOrder> order_of_magic(Bytes bytes);

int recognise(const Opening& opening);

// Bits of misc: an MMAP2 has a build id (section 3.3), a build id gives its size (section 3.7).
inline constexpr uint16_t kMappedWithBuildId = 1 << 14, kHasBuildIdSize = 1 << 15;

// The words of a sample, and of a trailer, whose fields sample_type chooses (sections 3.5 and 3.6). Of the time, the
// bits of the fields before it in a sample, and after it in a trailer.
inline constexpr std::initializer_list<unsigned> kBeforeTime{kIdentifierBit, kIpBit, kTidBit},
    kAfterTimeInTrailer{kIdBit, kStreamIdBit, kCpuBit, kIdentifierBit};
constexpr unsigned count_of(uint64_t sample_type, std::initializer_list<unsigned> bits) {
    unsigned count = 0;
    for (const unsigned bit : bits) count += static_cast<unsigned>(sample_type >> bit & 1);
    return count;
}

// perf.data, section 3: finds the records and sections of a file without judging them.

std::unique_ptr<Framer> make_framer(const Settings& settings);

// The table of a type of records; kOther for those without one.
const Record& record_of(uint64_t type);

// The version of the table that the record, which is all in view, has (sections 3.2 and 3.4).
uint16_t version_of(uint64_t type, Bytes record, ByteOrder order);

// The table of a feature section; null for BUILD_ID, which consists of entries.
const Record* section_of(uint64_t feature);

}  // namespace tracelint::perfdata
