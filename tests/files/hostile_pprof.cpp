// Hostile profiles of profile.proto.
#include "tests/files/hostile.hpp"
#include "tests/files/pprof_file.hpp"

namespace tracelint::files {
namespace pprof_shapes {
namespace {

// Begins with what a profile is recognised by.
class HostileProfile : public PprofFile {
  public:
    explicit HostileProfile(const Target& to) : PprofFile(to) {
        field(1, number(1, 1) + number(2, 1));
        field(3, number(1, 1) + number(2, 0x1000) + number(3, 0x2000));
        field(4, number(1, 1) + number(2, 1) + number(3, 0x1100));
        field(5, number(1, 1) + number(2, 0));
        field(2, number(1, 1) + number(2, 1));
        field(11, number(1, 1) + number(2, 1));
        field(6, "");
    }
};

// Ids that are all different, and of which none is defined.
void dangling_ids(const Target& to) {
    HostileProfile file(to);
    for (uint64_t i = 2; file.wants_more(); ++i)
        file.field(2, PprofFile::number(1, shuffled(i)) + PprofFile::number(2, 1));
}

void colliding_ids(const Target& to) {
    HostileProfile file(to);
    for (uint64_t i = 2; file.wants_more(); ++i)
        file.field(4, PprofFile::number(1, colliding(i)) + PprofFile::number(3, 1));
}

void same_ids(const Target& to) {
    HostileProfile file(to);
    while (file.wants_more()) file.field(5, PprofFile::number(1, 7) + PprofFile::number(2, 0));
}

// One sample, as large as the file.
void large_sample(const Target& to) {
    HostileProfile file(to);
    std::string ids;
    for (uint64_t i = 1; ids.size() + 64 < file.wanted(); ++i) ids += PprofFile::varint(1 + i % 100);
    file.field(2, PprofFile::nested(1, ids) + PprofFile::number(2, 1));
}

// One sample of so many values, and others of one more and one less.
void value_counts(const Target& to) {
    HostileProfile file(to);
    for (uint64_t count = 0; file.wants_more(); count = (count + 1) % 1000)
        file.field(2, PprofFile::number(1, 1) + PprofFile::nested(2, std::string(count, '\1')));
}

void many_labels(const Target& to) {
    HostileProfile file(to);
    std::string labels;
    while (labels.size() + 64 < file.wanted()) labels += PprofFile::nested(3, PprofFile::number(1, 1));
    file.field(2, labels + PprofFile::number(2, 1));
}

void unknown_fields(const Target& to) {
    HostileProfile file(to);
    for (uint64_t i = 16; file.wants_more(); ++i) file.scalar(i % 500'000'000, i);
}

void sample_types(const Target& to) {
    HostileProfile file(to);
    for (uint64_t i = 0; file.wants_more(); ++i) file.field(1, PprofFile::number(1, i) + PprofFile::number(2, 0));
}

void overlapping_mappings(const Target& to) {
    HostileProfile file(to);
    for (uint64_t i = 2; file.wants_more(); ++i)
        file.field(3,
                   PprofFile::number(1, i) + PprofFile::number(2, 0x1000 + shuffled(i)) + PprofFile::number(3, kNone));
}

void padded_varints(const Target& to) {
    HostileProfile file(to);
    while (file.wants_more()) file.bytes(PprofFile::varint(15 << 3, 5) + PprofFile::varint(0, 10));
}

// A fault in every fifth field, from which the walk recovers.
void faulty_fields(const Target& to) {
    HostileProfile file(to);
    while (file.wants_more()) {
        file.bytes(std::string("\x79........", 9));
        for (int i = 0; i < 4; ++i) file.field(6, "");
    }
}

// A field that is too long, and behind it the same again.
void nested_faults(const Target& to) {
    HostileProfile file(to);
    while (file.wants_more()) file.field(4, std::string("\x22\x7f"));
}

void zeros(const Target& to) {
    HostileProfile file(to);
    file.fill(file.wanted(), '\0');
}

void different_strings(const Target& to) {
    HostileProfile file(to);
    for (uint64_t i = 0; file.wants_more(); ++i) file.field(6, "s" + std::to_string(shuffled(i)));
}

void indexes(const Target& to) {
    HostileProfile file(to);
    for (uint64_t i = 1; file.wants_more(); ++i) file.scalar(13, shuffled(i));
}

constexpr HostileFile kFiles[] = {
    {"pprof-dangling-ids", "samples of locations that do not exist, all different", dangling_ids},
    {"pprof-colliding-ids", "locations whose ids hash to the same slots without a seed", colliding_ids},
    {"pprof-same-ids", "functions of one id", same_ids},
    {"pprof-large-sample", "a sample as large as the file", large_sample},
    {"pprof-value-counts", "samples of other numbers of values", value_counts},
    {"pprof-many-labels", "a sample with many labels of one key", many_labels},
    {"pprof-unknown-fields", "fields of unknown numbers, all different", unknown_fields},
    {"pprof-sample-types", "sample types", sample_types},
    {"pprof-overlapping-mappings", "mappings that all overlap", overlapping_mappings},
    {"pprof-padded-varints", "padded varints", padded_varints},
    {"pprof-faulty-fields", "faults from which the walk recovers", faulty_fields},
    {"pprof-nested-faults", "messages with a fault inside", nested_faults},
    {"pprof-zeros", "a run of field number 0", zeros},
    {"pprof-different-strings", "strings that are all different", different_strings},
    {"pprof-indexes", "indexes of strings, all different", indexes},
};

}  // namespace
}  // namespace pprof_shapes

std::span<const HostileFile> hostile_pprof() { return pprof_shapes::kFiles; }

}  // namespace tracelint::files
