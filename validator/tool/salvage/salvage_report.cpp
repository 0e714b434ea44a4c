// The edits of a salvaged file, one by one.
#include "validator/tool/salvage/salvage_report.hpp"

#include <fmt/core.h>

#include "validator/tool/json/json_text.hpp"

namespace tracelint {
namespace {

// Incremented by changes that break readers.
constexpr int kSalvageSchemaVersion = 1;
constexpr size_t kEditsShown = 20;  // in text

std::string hex_bytes(Bytes bytes, const char* separator) {
    std::string text;
    for (const uint8_t byte : bytes) text += fmt::format("{}{:02x}", text.empty() ? "" : separator, byte);
    return text;
}

std::string_view change_of(const Edit& edit) {
    return edit.is_drop() ? "left out" : edit.length == 0 ? "inserted" : "set";
}

std::string_view cause_text(Cause cause) {
    switch (cause) {
        case Cause::error: return "error";
        case Cause::dependence: return "depends";
        case Cause::end: return "end of file";
        case Cause::unknown: return "not a record";
        case Cause::setting: return "follows";
        case Cause::choice: return "chosen";
    }
    return "";
}

// "header.flags"; empty if the edit is not of a field.
std::string edited_place(const Edit& edit) {
    if (edit.record == nullptr) return {};
    if (edit.field == nullptr) return std::string(edit.record->name);
    return fmt::format("{}.{}", edit.record->name, edit.field->name);
}

std::string edit_line(const Edit& edit) {
    std::string line;
    if (edit.is_drop()) {
        line = fmt::format("left out {}", counted(edit.length, "byte"));
        if (edit.records != 0) line += fmt::format(", {}", counted(edit.records, "record"));
        if (edit.cause == Cause::unknown) line += ", where no record is recognised";
        if (edit.cause == Cause::end) line += ", where the file ends inside of a record";
        if (edit.cause == Cause::dependence)
            line += fmt::format(", because of what was left out at {:#x}", edit.related);
    } else {
        line = fmt::format("{} {}: {}", change_of(edit), edited_place(edit), hex_bytes(edit.replacement(), " "));
    }
    if (edit.rule != nullptr) line += fmt::format(" [{}]", edit.rule->id);
    return line;
}

struct Totals {
    uint64_t dropped = 0, rewritten = 0, inserted = 0;  // bytes

    explicit Totals(const Edits& edits) {
        for (const Edit& edit : edits)
            (edit.is_drop()     ? dropped
             : edit.length == 0 ? inserted
                                : rewritten) += edit.is_drop() ? edit.length : edit.size;
    }
};

std::string edit_json(const Edit& edit) {
    JsonObject object{{"change", change_of(edit)},
                      {"offset", edit.offset},
                      {"length", edit.length},
                      {"new_offset", edit.new_offset()},
                      {"cause", cause_text(edit.cause)},
                      {"rule", edit.rule == nullptr ? JsonText(nullptr) : JsonText(edit.rule->id)}};
    if (edit.is_drop()) {
        object.add("records", edit.records);
        object.add("depends_on", edit.related == kNone ? JsonText(nullptr) : JsonText(edit.related));
    } else {
        object.add("field", edited_place(edit));
        object.add("bytes", hex_bytes(edit.replacement(), ""));
    }
    return object.text();
}

}  // namespace

void write_salvage_text(const SalvagedFile& file, Sink& sink) {
    const Salvage& salvage = file.salvage;
    const std::string path = shown_path(file.path), output = shown_path(file.output);
    if (file.verdict == SalvageVerdict::clean) {
        sink.write(fmt::format("{}: has no error; {} is a copy\n", path, output));
        return;
    }
    if (file.verdict != SalvageVerdict::salvaged) {
        sink.write(fmt::format("{}: cannot be salvaged: {}\n", path, salvage.why()));
        return;
    }
    const Totals totals(salvage.edits());
    const PlannedRecords& records = salvage.records();
    sink.write(fmt::format("{}: {} of {} kept, {} of {}; {} has no error\n", path, records.kept,
                           counted(records.kept + records.dropped, "record"), salvage.size() - totals.dropped,
                           counted(salvage.size(), "byte"), output));
    if (salvage.container() != Container::none)
        sink.write(fmt::format(
            "{}: offsets are those of the decompressed data; {} is not compressed{}\n", path, output,
            salvage.container_error() == nullptr ? "" : fmt::format(" [{}]", salvage.container_error()->id)));
    size_t shown = 0;
    for (const Edit& edit : salvage.edits()) {
        if (shown++ == kEditsShown) break;
        sink.write(fmt::format("{}:{:#x}: {}\n", path, edit.offset, edit_line(edit)));
    }
    if (salvage.edits().size() > kEditsShown)
        sink.write(fmt::format("{}: {} more are not shown; --output json has all\n", path,
                               counted(salvage.edits().size() - kEditsShown, "change")));
}

void write_salvage_json(const SalvagedFile& file, Sink& sink) {
    constexpr std::string_view kVerdicts[] = {"clean", "salvaged", "impossible", "limited", "unreadable"};
    const Salvage& salvage = file.salvage;
    const bool is_written = file.verdict == SalvageVerdict::clean || file.verdict == SalvageVerdict::salvaged;
    const Totals totals(salvage.edits());
    JsonObject object{
        {"schema_version", kSalvageSchemaVersion},
        {"tool", JsonObject{{"name", "tracelint"}, {"version", TRACELINT_VERSION}}},
        {"path", JsonText::path(file.path)},
        {"output", is_written ? JsonText::path(file.output) : JsonText(nullptr)},
        {"format", salvage.format() == nullptr ? JsonText(nullptr) : JsonText(salvage.format()->id)},
        {"container",
         salvage.container() == Container::none ? JsonText(nullptr) : JsonText(to_string(salvage.container()))},
        {"container_rule",
         salvage.container_error() == nullptr ? JsonText(nullptr) : JsonText(salvage.container_error()->id)},
        {"verdict", kVerdicts[static_cast<size_t>(file.verdict)]},
        {"why", salvage.why().empty() ? JsonText(nullptr) : JsonText(salvage.why())},
        {"size", salvage.size()},
        {"new_size", is_written ? JsonText(salvage.new_size()) : JsonText(nullptr)},
        {"bytes", JsonObject{{"kept", is_written ? salvage.size() - totals.dropped - totals.rewritten : 0},
                             {"left_out", totals.dropped},
                             {"set", totals.rewritten},
                             {"inserted", totals.inserted}}},
        {"records",
         file.verdict == SalvageVerdict::salvaged
             ? JsonText(JsonObject{{"kept", salvage.records().kept}, {"left_out", salvage.records().dropped}})
             : JsonText(nullptr)},
    };
    sink.write(object.open_text());
    sink.write(",\"changes\":[");
    bool is_first = true;
    for (const Edit& edit : salvage.edits()) {
        sink.write(is_first ? "\n" : ",\n");
        sink.write(edit_json(edit));
        is_first = false;
    }
    sink.write("]}\n");
}

}  // namespace tracelint
