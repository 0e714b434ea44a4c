// What `salvage` says of its work, as text and as JSON (salvage.schema.json).
#pragma once

#include <string>

#include "validator/salvage/salvage.hpp"
#include "validator/tool/json/sink.hpp"

namespace tracelint {

struct SalvagedFile {
    const std::string& path;    // of the file
    const std::string& output;  // of the salvaged one
    SalvageVerdict verdict;
    const Salvage& salvage;
};

void write_salvage_text(const SalvagedFile& file, Sink& sink);
void write_salvage_json(const SalvagedFile& file, Sink& sink);

}  // namespace tracelint
