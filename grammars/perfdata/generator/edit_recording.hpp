// perf.data: changes of a recording, compressed records included.
#pragma once

#include <string>
#include <vector>

#include "grammars/perfdata/generator/model.hpp"
#include "grammars/perfdata/records.hpp"
#include "validator/generator/edit.hpp"
#include "validator/generator/record_values.hpp"

namespace tracelint::perfdata {

// perf.data: compressed records (section 3.9). The blocks of the stream are stored, not compressed, so that the files
// are the same whatever version of libzstd there is, or none.

// The one zstd stream of a file, which is never ended.
class StoredStream {
  public:
    // The next payloads: plain bytes in blocks, cut anywhere. The first payload of a stream has its whole magic.
    std::vector<std::string> payloads(Random& random, std::string_view plain);

  private:
    bool has_begun_ = false;
};

// perf.data: edits of a generated file or stream.

// What hides or moves samples when an attribute is gone, or read as another one.
inline const std::vector<std::string_view> kWrongLayout = {
    "perfdata/sample-unknown-id",     "perfdata/sample-overrun",     "perfdata/sample-trailing-bytes",
    "perfdata/record-body-too-small", "perfdata/event-desc-differs", "perfdata/round-order",
};

inline bool is_stream(const FileRecords& file) { return file[0].record == &kPipeHeader; }
inline bool has_feature_bits(const FileRecords& file) { return file[0].record == &kHeader; }

// The attributes, by their records: in a file those of its table, in a stream the HEADER_ATTR records.
std::vector<size_t> attributes_of(const FileRecords& file);
// One of them for which `fits(record)` holds.
template <class Fits>
std::optional<size_t> choose_attribute(const FileRecords& file, Random& random, Fits fits) {
    std::vector<size_t> places;
    for (const size_t at : attributes_of(file))
        if (fits(file[at])) places.push_back(at);
    if (places.empty()) return std::nullopt;
    return pick_of(random, places);
}
// The event of an attribute.
Event event_of(const FileRecords& file, size_t attribute);
// The offset of the ids in a HEADER_ATTR record.
uint64_t ids_offset(const RecordValues& attribute);

// The first record of a kind; the size of the file if absent.
size_t first_record(const FileRecords& file, const Record& kind);
// Where the records end.
size_t end_of_records(const FileRecords& file);
// Where a record may stand that perf synthesizes, or the kernel wrote before all others.
size_t early_place(const FileRecords& file);
// The place in the file of the section of a feature; nothing if the file does not have it.
std::optional<size_t> section_place(const FileRecords& file, uint64_t feature);

// A record of a type, with a header and a body, as bytes.
RecordValues record_with(const FileRecords& file, uint64_t type, uint64_t misc, std::string_view body);
// Puts it in, fits the file, and returns its place.
size_t put_early(FileRecords& file, uint64_t type, uint64_t misc, std::string_view body);
size_t put_last(FileRecords& file, uint64_t type, uint64_t misc, std::string_view body);

// What a record of the first event ends in, at a time before all others.
std::string early_trailer(const FileRecords& file);

}  // namespace tracelint::perfdata
