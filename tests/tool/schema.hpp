// Holds JSON to a schema: the few keywords that the schemas of the tree use, and a complaint about any other.
// Stricter than a schema's readers: a member that the schema does not describe is a fault.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tracelint {

// What is wrong, as "/files/0/size: is no integer"; empty where all is well. `definition` is a name in
// $defs, empty for the root.
std::string schema_fault(const nlohmann::json& schema, const std::string& definition, const nlohmann::json& value);

// The schemas of the tree: of reports, of configurations, of baselines, of dumps, of what was salvaged or shrunk.
const nlohmann::json& output_schema();
const nlohmann::json& configuration_schema();
const nlohmann::json& baseline_schema();
const nlohmann::json& dump_schema();
const nlohmann::json& expected_schema();  // of the conformance corpus
const nlohmann::json& scoreboard_schema();
const nlohmann::json& description_schema();
const nlohmann::json& salvage_schema();
const nlohmann::json& shrink_schema();

}  // namespace tracelint
