#include "validator/tool/conformance/expected.hpp"

#include "validator/tool/json/json_text.hpp"

namespace tracelint {
namespace {

constexpr int kExpectedVersion = 1;

JsonText finding_of(const Expectation& expected) {
    return JsonObject{{"rule", expected.rule},
                      {"severity", to_string(expected.severity)},
                      {"offset", expected.offset},
                      {"length", expected.length},
                      {"field", expected.field.value_or("")}};
}

}  // namespace

ExpectedWriter::ExpectedWriter(Sink& sink, const Format& format) : sink_(sink) {
    const JsonObject head{{"schema_version", kExpectedVersion}, {"format", format.id}};
    sink_.write(head.open_text() + ",\"files\":[");
}

void ExpectedWriter::add(const ExpectedFile& file) {
    JsonArray options, findings;
    for (const std::string& option : file.options) options.add(option);
    for (const Expectation& expected : file.findings) findings.add(finding_of(expected));
    JsonObject object{{"file", JsonText::path(file.file)},
                      {"kind", file.kind},
                      {"shows", file.shows},
                      {"rule", file.rule.empty() ? JsonText(nullptr) : JsonText(file.rule)},
                      {"spec", file.spec},
                      {"reader", to_string(file.duty)},
                      {"options", options},
                      {"findings", findings}};
    if (file.kind == "exhibit") object.add("report", file.report).add("story", file.story).add("cost", file.cost);
    sink_.write((any_file_ ? ",\n" : "\n") + object.text());
    any_file_ = true;
}

void ExpectedWriter::finish() { sink_.write("\n]}\n"); }

}  // namespace tracelint
