// Generates valid files from a format's tables. The format's model decides which record comes next and what ties
// records together; all other values are drawn from what the tables allow.
#pragma once

#include "validator/generator/generator.hpp"

namespace tracelint {

struct GenerateOptions {
    uint64_t seed = 1;
    uint64_t size = 4096;     // bytes wanted; the file ends with the first record that reaches it
    uint64_t memory = kNone;  // bytes that the records and their encoded form may take
    ModelOptions model;
};

// Throws std::bad_alloc if there is too little memory.
FileRecords generate(const Generator& generator, const GenerateOptions& options);
// For a format in the list of generators.
FileRecords generate(const Format& format, const GenerateOptions& options);

// Generates a single record. Values that the model leaves open are drawn from the record's table.
RecordValues generate_record(Model& model, Random& random, const Record& record);

// Encodes the records. `offsets`, if given, receives the offset at which each record starts, in bytes.
std::string bytes_of(const FileRecords& file, std::vector<uint64_t>* offsets = nullptr);

// Decodes a whole file, record by record, with the format's framer. Bytes that belong to no record become one raw
// value at the end, so bytes_of() reproduces any input.
FileRecords decode_file(const Format& format, Bytes file);

// Discards the lengths that LEB128 numbers were read with, so that they are encoded in as few bytes as possible.
// Numbers whose bytes would change are left alone.
void reset_leb_lengths(FileRecords& file);

}  // namespace tracelint
