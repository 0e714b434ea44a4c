// Valid files out of the tables: a format's model says which record comes next and what ties records
// together; everything else is drawn from what the tables allow.
#pragma once

#include "validator/generator/generator.hpp"

namespace tracelint {

struct GenerateOptions {
    uint64_t seed = 1;
    uint64_t size = 4096;  // bytes wanted; the file ends with the first record that reaches it
    ModelOptions model;
};

// A file as drafts, one a record in file order.
using FileRecords = std::vector<RecordValues>;

FileRecords generate(const Generator& generator, const GenerateOptions& options);
// For a format of the list.
FileRecords generate(const Format& format, const GenerateOptions& options);

// One record alone: what the model does not say is drawn from the record's table.
RecordValues generate_record(Model& model, Random& random, const Record& record);

// The bytes of the drafts. `offsets`, if given, receives where each draft starts.
std::string bytes_of(const FileRecords& drafts, std::vector<uint64_t>* offsets = nullptr);

// Takes a whole file apart with the format's framer. Bytes that no record explains become a draft with
// one raw value, so that bytes_of gives back the same bytes for any input.
FileRecords take_apart(const Format& format, Bytes file);

// Forgets in how many bytes LEB128 numbers were read, so that they are as short as they can be, whatever they become.
// Those that this would change stay as they are.
void forget_leb_sizes(FileRecords& drafts);

}  // namespace tracelint
