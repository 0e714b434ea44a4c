// One line of what was done, and a line for each text that redaction kept.
#include "validator/tool/shrink/shrink_report.hpp"

#include <fmt/core.h>

#include "validator/tool/json/json_text.hpp"

namespace tracelint {
namespace {

// Incremented by changes that break readers.
constexpr int kShrinkSchemaVersion = 1;

std::string_view text_of(const ShrunkFile& file, const KeptText& kept) {
    return file.shrink.bytes().substr(kept.offset, kept.length);
}

}  // namespace

void write_shrink_text(const ShrunkFile& file, Sink& sink) {
    const Shrink& shrink = file.shrink;
    const std::string output = shown_path(file.output);
    sink.write(fmt::format("{}: {} of {} kept in {}; {} has {} at {:#x} and {} ({})\n", shown_path(file.path),
                           shrink.new_size(), counted(shrink.size(), "byte"), counted(shrink.records(), "record"),
                           output, file.rule.id, shrink.new_finding().place.offset,
                           shrink.others() == 0
                               ? "no other error or warning"
                               : counted(shrink.others(), "other error or warning") + " that comes with it",
                           counted(shrink.checks(), "check")));
    for (const KeptText& kept : shrink.kept_texts())
        sink.write(fmt::format("{}:{:#x}: the finding needs {} of {}: {}\n", output, kept.offset,
                               counted(kept.length, "byte"), kept.field.empty() ? "unknown data" : kept.field,
                               quoted(text_of(file, kept))));
}

void write_shrink_json(const ShrunkFile& file, Sink& sink) {
    constexpr std::string_view kVerdicts[] = {"shrunk", "absent", "impossible", "limited", "unreadable"};
    const Shrink& shrink = file.shrink;
    const bool is_written = file.verdict == ShrinkVerdict::shrunk;
    JsonArray kept_texts;
    for (const KeptText& kept : shrink.kept_texts())
        kept_texts.add(JsonObject{{"offset", kept.offset},
                                  {"length", kept.length},
                                  {"field", kept.field.empty() ? JsonText(nullptr) : JsonText(kept.field)},
                                  {"text", text_of(file, kept)}});
    JsonObject object{
        {"schema_version", kShrinkSchemaVersion},
        {"tool", JsonObject{{"name", "tracelint"}, {"version", TRACELINT_VERSION}}},
        {"path", JsonText::path(file.path)},
        {"output", is_written ? JsonText::path(file.output) : JsonText(nullptr)},
        {"rule", file.rule.id},
        {"format", shrink.format() == nullptr ? JsonText(nullptr) : JsonText(shrink.format()->id)},
        {"container",
         shrink.container() == Container::none ? JsonText(nullptr) : JsonText(to_string(shrink.container()))},
        {"verdict", kVerdicts[static_cast<size_t>(file.verdict)]},
        {"why", shrink.why().empty() ? JsonText(nullptr) : JsonText(shrink.why())},
        {"stopped_by", file.stopped_by.empty() ? JsonText(nullptr) : JsonText(file.stopped_by)},
        {"size", is_written ? JsonText(shrink.size()) : JsonText(nullptr)},
        {"new_size", is_written ? JsonText(shrink.new_size()) : JsonText(nullptr)},
        {"records", is_written ? JsonText(shrink.records()) : JsonText(nullptr)},
        {"offset", is_written ? JsonText(shrink.finding().place.offset) : JsonText(nullptr)},
        {"new_offset", is_written ? JsonText(shrink.new_finding().place.offset) : JsonText(nullptr)},
        {"others", is_written ? JsonText(shrink.others()) : JsonText(nullptr)},
        {"checks", shrink.checks()},
        {"not_redacted", kept_texts},
    };
    sink.write(object.text() + '\n');
}

}  // namespace tracelint
