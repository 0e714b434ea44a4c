// What repeats the table of options, and does not follow from it: the schema of configurations, which is blessed, and
// the option lists of the bindings.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "tests/support/corpus.hpp"
#include "validator/tool/options/command_line.hpp"
#include "validator/tool/options/configuration.hpp"

namespace tracelint {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const std::string& path) { return read_file(kRoot / path).value(); }

std::vector<OptionRow> options_of_check() { return options_of("check").options; }

std::string sentence(std::string_view doc) {
    std::string text(doc);
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text.ends_with('.') ? text : text + '.';
}

// Whether the option is one of a format: then it is under $defs, because overrides also have it.
const Option* format_option_of(const OptionRow& row) {
    for (const Option* option : all_options())
        if (option->name == row.name()) return option;
    return nullptr;
}

Json schema_of(const OptionRow& row) {
    const std::string key = configuration_key(std::string(row.name()));
    const auto ref = [](const std::string& name) { return Json{{"$ref", "#/$defs/" + name}}; };
    if (key == "expect" || format_option_of(row) != nullptr) return ref(key);
    Json schema = {{"description", sentence(row.facts.key_doc.empty() ? row.doc : row.facts.key_doc)}};
    if (row.facts.key == ConfigurationKey::several)
        schema.update(ref("words"));
    else if (row.value.empty())
        schema["type"] = "boolean";
    else if (!row.choices.empty())
        schema["enum"] = row.choices;
    else if (row.value == "FORMAT")
        schema.update(ref("format"));
    else if (row.value == "N" || row.value == "BYTES")
        schema.update(ref("number"));
    else
        schema["type"] = "string";
    return schema;
}

// The schema with what the tables say; all else stays as it is.
Json with_options(Json schema) {
    Json properties = Json::object();
    Json& old = schema.at("properties");
    properties["$schema"] = old.at("$schema");
    Json overrides = old.at("overrides");
    Json& definitions = schema.at("$defs");
    std::vector<std::string> ids;
    for (const Format* format : formats()) ids.emplace_back(format->id);
    definitions["format"]["enum"] = ids;
    for (const OptionRow& row : options_of_check()) {
        if (!is_configuration_key(row)) continue;
        const std::string key = configuration_key(std::string(row.name()));
        properties[key] = schema_of(row);
        const Option* const option = format_option_of(row);
        if (option == nullptr) continue;
        overrides["items"]["properties"][key] = properties[key];
        definitions[key] = {{"description", sentence(option->doc)}, {"enum", option->choices}};
    }
    properties["severities"] = old.at("severities");
    properties["overrides"] = std::move(overrides);
    schema["properties"] = std::move(properties);
    return schema;
}

TEST_CASE("the schema of configurations is that of the table of options") {
    const std::string path = "validator/tool/options/configuration.schema.json";
    const std::string written = text_of(path);
    const std::string wanted = with_options(Json::parse(written)).dump(2) + '\n';
    if (is_blessing()) return write_file(kRoot / path, wanted);
    CHECK_MESSAGE(written == wanted, path << " is not up to date (run scripts/bless)");
}

// The usual names of traces as a regular expression of paths.
std::string names_of_traces() {
    std::string names;
    for (const Format* format : formats())
        for (const std::string_view pattern : format->file_names) {
            names += names.empty() ? "" : "|";
            for (const char c : pattern)
                names += c == '.' ? "\\." : c == '*' ? "[^/]*" : c == '?' ? "[^/]" : std::string(1, c);
        }
    return "(^|/)(" + names + R"()(\.gz|\.zst)?$)";
}

TEST_CASE("hooks are run for the files that are named as the formats say") {
    const std::string path = ".pre-commit-hooks.yaml", written = text_of(path);
    // In a replacement, "$$" is a dollar sign.
    const std::string wanted =
        std::regex_replace(written, std::regex(R"(\n  files: .*)"), "\n  files: " + names_of_traces() + '$');
    if (is_blessing()) return write_file(kRoot / path, wanted);
    CHECK_MESSAGE(written == wanted, path << " is not up to date (run scripts/bless)");
}

// The text between two marks of a file.
std::string part_of(const std::string& path, std::string_view start, std::string_view end) {
    const std::string text = text_of(path);
    const size_t from = text.find(start), to = text.find(end, from);
    REQUIRE_MESSAGE((from != text.npos && to != text.npos), path);
    return text.substr(from, to - from);
}

std::set<std::string> matches(const std::string& text, const char* pattern) {
    const std::regex regex(pattern);
    std::set<std::string> found;
    for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match)
        found.insert((*match)[1]);
    return found;
}

TEST_CASE("the options of the library for C and Python are those of the table, a file's name and a function") {
    std::set<std::string> wanted = {"file_name", "on_finding"};
    for (const OptionRow& row : options_of_check())
        if (!row.facts.library.empty()) wanted.emplace(row.facts.library);
    CHECK(wanted.size() == 13);
    const std::string in_c = std::regex_replace(
        part_of("validator/bindings/c/tracelint.h", "typedef struct tracelint_options {", "} tracelint_options;"),
        std::regex(R"(/\*[^]*?\*/)"), "");
    std::set<std::string> members = matches(in_c, R"((\w+)(?:;|\)\())");
    std::erase_if(members,
                  [](const std::string& one) { return one == "size" || one == "user" || one.ends_with("_count"); });
    CHECK(members == wanted);
    const std::string in_python =
        part_of("validator/bindings/python/tracelint/_options.py", "class Options:", ") -> None:");
    CHECK(matches(in_python, R"(\n        (\w+): )") == wanted);
}

TEST_CASE("the npm package lists the options that it has of the table, and the kinds of output") {
    const std::string types = "validator/bindings/wasm/npm/index.d.ts";
    std::set<std::string> wanted = {"name"};
    for (const OptionRow& row : options_of_check()) {
        if (!row.facts.is_in_npm || format_option_of(row) != nullptr) continue;
        std::string camel;
        for (const char c : row.name())
            if (camel.ends_with('-'))
                camel.back() = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
            else
                camel += c;
        wanted.insert(camel);
    }
    CHECK(matches(part_of(types, "export interface CheckOptions {", "\n}"), R"(\n  (\w+)\?:)") == wanted);
    std::set<std::string> kinds;
    for (const WriterKind& kind : writer_kinds()) kinds.emplace(kind.name);
    CHECK(matches(part_of(types, "export type OutputKind =", ";"), R"x("(\w+)")x") == kinds);
}

TEST_CASE("a kind of output is known by the endings of its files, and suggested for them") {
    const std::pair<std::string_view, std::string_view> kCases[] = {
        {"txt", "text"},    {"log", "text"}, {"jsonl", "ndjson"}, {"jsonlines", "ndjson"}, {"xml", "junit"},
        {"md", "markdown"}, {"htm", "html"}, {"html", "html"},    {"sarif", "sarif"},
    };
    for (const auto& [ending, kind] : kCases) {
        CAPTURE(ending);
        REQUIRE(writer_kind_of_ending(ending) != nullptr);
        CHECK(writer_kind_of_ending(ending)->name == kind);
        const std::string file = "report." + std::string(ending);
        CHECK(parse_command_line({"--output", file, "a"})
                  .error.ends_with("did you mean '" + std::string(kind) + "=" + file + "'?"));
    }
    for (const std::string_view none : {"", "x", "t", "xt", "txt log", " "})
        CHECK(writer_kind_of_ending(none) == nullptr);
    CHECK(parse_command_line({"--output", "jsonl", "a"}).error.ends_with("did you mean 'ndjson'?"));
    CHECK(parse_command_line({"dump", "--output", "jsonl", "a"}).error.ends_with("did you mean 'ndjson'?"));
    // No two kinds share an ending, nor has one the name of another.
    std::set<std::string_view> seen;
    for (const WriterKind& kind : writer_kinds()) {
        CHECK(seen.insert(kind.name).second);
        CHECK(find_writer_kind(kind.name) == &kind);
        CHECK((doc_of(kind) == kind.doc) == (kind.most_findings == 0));
    }
}

}  // namespace
}  // namespace tracelint
