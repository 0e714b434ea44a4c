// nettrace: what makes valid files, and the lists of ways to break them.
#pragma once

#include "grammars/nettrace/generator/layouts.hpp"
#include "grammars/nettrace/records.hpp"
#include "validator/generator/generator.hpp"

namespace tracelint::nettrace {

// A session of a random version: threads that produce events, with their metadata and stacks.
std::unique_ptr<Model> make_model(Random& random, const ModelOptions& options);

// The layout of the records after the header. A netperf file states its version in its first object.
inline const Layout& session_layout(const FileRecords& file) { return file[file.size() > 1 ? 1 : 0].layout; }

// Sets what follows from the sizes and offsets of records: sizes of blocks, rows and events, padding, end labels.
void update_blocks(FileRecords& file);

}  // namespace tracelint::nettrace
