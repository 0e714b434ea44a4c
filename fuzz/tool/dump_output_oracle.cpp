#include "fuzz/tool/dump_output_oracle.hpp"

#include <nlohmann/json.hpp>
#include <sstream>

#include "fuzz/tool/dump_oracle.hpp"
#include "fuzz/tool/writers_oracle.hpp"
#include "validator/recognise.hpp"
#include "validator/tool/dump/renderer.hpp"

namespace tracelint {
namespace {

// Null format: the file is not recognised, and the dump is empty.
std::string dump_text(const DumpKind& kind, const Input& input, const Selection& selection) {
    MemorySource source(input.bytes);
    DumpContext context(input.limits);
    OpenedInput opened(source, context.budget);
    Window window(opened.trace(), nullptr, &context.budget);
    const Format* format = input.format != nullptr ? input.format : recognise(formats(), window, std::string_view());
    StringSink sink;
    if (format == nullptr) return {};
    const std::unique_ptr<Renderer> renderer = kind.make({"\xff\"\x1b", format->id}, selection, context, sink);
    renderer->start();
    walk_records(window, *format->framer(input.settings), context, *renderer);
    renderer->finish();
    return sink.text;
}

// The size that bounds the text: of the file, decompressed.
uint64_t dumped_size(const Input& input) {
    MemorySource source(input.bytes);
    Budget budget(Limits{}.memory);
    OpenedInput opened(source, budget);
    Window window(opened.trace());
    window.reaches(kNone);
    return window.size();
}

// The records and gaps of a dump; null: it does not parse.
nlohmann::json objects_of(std::string_view kind, const std::string& text) {
    if (kind == "json") {
        const nlohmann::json document = nlohmann::json::parse(text, nullptr, false);
        return document.is_object() && document.contains("records") ? document.at("records") : nlohmann::json();
    }
    nlohmann::json objects = nlohmann::json::array();
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        nlohmann::json object = nlohmann::json::parse(line, nullptr, false);
        if (!object.is_object() || !object.contains("type")) return {};
        if (object.at("type") == "record" || object.at("type") == "gap") objects.push_back(std::move(object));
    }
    return objects;
}

}  // namespace

Selection any_selection(Random& random, uint64_t size) {
    constexpr std::string_view kFields[] = {"name", "code",    "fields",      "fields[0].tag",
                                            "text", "padding", "entries.line"};
    Selection selection;
    if (one_in(random, 4)) selection.field = FieldName(std::string(kFields[below(random, std::size(kFields))]));
    if (one_in(random, 3)) {
        selection.around = below(random, size + 2);
    } else if (one_in(random, 2)) {
        selection.first = below(random, 8);
        if (!one_in(random, 3)) selection.last = selection.first + below(random, 4);
    }
    return selection;
}

Complaint dump_output(const Input& input, const Selection& selection) {
    std::optional<nlohmann::json> before;
    for (const DumpKind& kind : dump_kinds()) {
        const std::string text = dump_text(kind, input, selection);
        if (text.empty()) continue;
        if (!is_printable(text)) return std::string(kind.name) + " dump: unprintable characters";
        if (const uint64_t most = most_dumped(kind, dumped_size(input)); text.size() > most)
            return std::string(kind.name) + " dump: " + std::to_string(text.size()) + " bytes, more than " +
                   std::to_string(most);
        if (kind.name == "text" || kind.name == "csv") continue;
        nlohmann::json objects = objects_of(kind.name, text);
        if (objects.is_null()) return std::string(kind.name) + " dump: does not parse";
        if (before && *before != objects) return "the kinds of JSON dumps differ";
        before = std::move(objects);
    }
    return std::nullopt;
}

}  // namespace tracelint
