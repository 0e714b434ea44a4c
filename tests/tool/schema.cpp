// The small schema validator.
#include "tests/tool/schema.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include "tests/support/paths.hpp"

namespace tracelint {
namespace {

using Json = nlohmann::json;

bool is_of_type(const Json& value, const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "integer") return value.is_number_integer();
    if (type == "boolean") return value.is_boolean();
    if (type == "null") return value.is_null();
    return false;
}

class Validator {
  public:
    explicit Validator(const Json& root) : root_(root) {}

    // Validates, and requires every member to be described.
    std::string whole(const Json& schema, const Json& value, const std::string& at) const {
        std::set<std::string> described;
        std::string fault = one(schema, value, at, described);
        if (!fault.empty() || !value.is_object()) return fault;
        for (const auto& [name, member] : value.items())
            if (!described.contains(name)) return at + "/" + name + ": is not described";
        return {};
    }

  private:
    using Names = std::set<std::string>;

    std::string one(const Json& schema, const Json& value, const std::string& at, Names& described) const {
        for (const auto& [keyword, demand] : schema.items()) {
            const std::string fault = keyword_fault(keyword, demand, schema, value, at, described);
            if (!fault.empty()) return fault;
        }
        return {};
    }

    std::string keyword_fault(const std::string& keyword, const Json& demand, const Json& schema, const Json& value,
                              const std::string& at, Names& described) const {
        const auto fail_unless = [&](bool good, const char* what, const Json& operand) {
            return good ? "" : at + ": " + what + operand.dump();
        };
        if (keyword == "$ref") return one(target(demand), value, at, described);
        if (keyword == "const") return fail_unless(value == demand, "is not ", demand);
        if (keyword == "enum")
            return fail_unless(std::find(demand.begin(), demand.end(), value) != demand.end(), "is none of ", demand);
        if (keyword == "minimum")
            return fail_unless(!value.is_number() || value >= demand, "is below the minimum of ", demand);
        if (keyword == "type") return fail_unless(has_type(demand, value), "is no ", demand);
        if (keyword == "required") return required(demand, value, at);
        if (keyword == "properties") return properties(demand, value, at, described);
        if (keyword == "additionalProperties") return others(demand, schema, value, at, described);
        if (keyword == "items") return items(demand, value, at);
        if (keyword == "allOf") return all_of(demand, value, at, described);
        if (keyword == "oneOf") return one_of(demand, value, at, described);
        static const std::set<std::string> kAnnotations = {"$schema", "$id", "$defs", "title", "description"};
        return fail_unless(kAnnotations.contains(keyword), "the schema has an unknown keyword, ", keyword);
    }

    const Json& target(const std::string& reference) const { return root_.at(Json::json_pointer(reference.substr(1))); }

    static bool has_type(const Json& demand, const Json& value) {
        if (demand.is_string()) return is_of_type(value, demand);
        return std::any_of(demand.begin(), demand.end(), [&](const Json& type) { return is_of_type(value, type); });
    }

    static std::string required(const Json& demand, const Json& value, const std::string& at) {
        for (const std::string name : demand)
            if (value.is_object() && !value.contains(name)) return at + ": has no " + name;
        return {};
    }

    std::string properties(const Json& demand, const Json& value, const std::string& at, Names& described) const {
        for (const auto& [name, schema] : demand.items()) {
            if (!value.is_object() || !value.contains(name)) continue;
            described.insert(name);
            const std::string fault = whole(schema, value.at(name), at + "/" + name);
            if (!fault.empty()) return fault;
        }
        return {};
    }

    std::string others(const Json& demand, const Json& schema, const Json& value, const std::string& at,
                       Names& described) const {
        if (!value.is_object()) return {};
        for (const auto& [name, member] : value.items()) {
            if (schema.contains("properties") && schema.at("properties").contains(name)) continue;
            if (demand == false) return at + "/" + name + ": is not described";
            described.insert(name);
            const std::string fault = whole(demand, member, at + "/" + name);
            if (!fault.empty()) return fault;
        }
        return {};
    }

    std::string items(const Json& demand, const Json& value, const std::string& at) const {
        for (size_t i = 0; value.is_array() && i < value.size(); ++i) {
            const std::string fault = whole(demand, value[i], at + "/" + std::to_string(i));
            if (!fault.empty()) return fault;
        }
        return {};
    }

    std::string all_of(const Json& demand, const Json& value, const std::string& at, Names& described) const {
        for (const Json& schema : demand) {
            const std::string fault = one(schema, value, at, described);
            if (!fault.empty()) return fault;
        }
        return {};
    }

    std::string one_of(const Json& demand, const Json& value, const std::string& at, Names& described) const {
        std::string faults;
        size_t fitting = 0;
        for (const Json& schema : demand) {
            Names here;
            const std::string fault = one(schema, value, at, here);
            faults += " (" + fault + ")";
            if (!fault.empty()) continue;
            ++fitting;
            described.merge(here);
        }
        return fitting == 1 ? "" : at + ": fits " + std::to_string(fitting) + " of oneOf" + faults;
    }

    const Json& root_;
};

}  // namespace

std::string schema_fault(const Json& schema, const std::string& definition, const Json& value) {
    const Json& start = definition.empty() ? schema : schema.at("$defs").at(definition);
    return Validator(schema).whole(start, value, "");
}

namespace {

// `path`: below validator/tool/. Each is read once.
const Json& schema_of(const std::string& path) {
    static std::map<std::string, Json> schemas;
    Json& schema = schemas[path];
    if (schema.is_null()) {
        std::ifstream file(paths::root() + "/validator/tool/" + path);
        schema = Json::parse(file);
    }
    return schema;
}

}  // namespace

const Json& output_schema() { return schema_of("writers/output.schema.json"); }
const Json& configuration_schema() { return schema_of("options/configuration.schema.json"); }
const Json& baseline_schema() { return schema_of("inputs/baseline.schema.json"); }
const Json& dump_schema() { return schema_of("dump/dump.schema.json"); }
const Json& expected_schema() { return schema_of("conformance/expected.schema.json"); }
const Json& scoreboard_schema() { return schema_of("conformance/scoreboard.schema.json"); }
const Json& description_schema() { return schema_of("catalogue/description.schema.json"); }
const Json& salvage_schema() { return schema_of("salvage/salvage.schema.json"); }
const Json& shrink_schema() { return schema_of("shrink/shrink.schema.json"); }

}  // namespace tracelint
