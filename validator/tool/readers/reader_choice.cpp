// Finds readers by their names, and the severities that go with them.
#include "validator/tool/readers/reader_choice.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

// Without the earlier versions of the same reader for the same format.
void keep_newest(std::vector<const TraceReader*>& readers) {
    std::vector<const TraceReader*> newest;
    for (const TraceReader* reader : readers) {
        const auto same = std::ranges::find_if(newest, [&](const TraceReader* other) {
            return other->name == reader->name && other->format == reader->format;
        });
        if (same == newest.end())
            newest.push_back(reader);
        else
            *same = reader;
    }
    readers = std::move(newest);
}

// The worst of what the readers do; untried if that is unknown of one of them and nothing is worse.
ReaderOutcome worst_of(const std::vector<const TraceReader*>& readers, const Rule& rule) {
    auto worst = ReaderOutcome::loads;
    for (const TraceReader* reader : readers) worst = std::max(worst, worst_outcome_of(*reader, rule));
    return worst;
}

void choose(SeverityChoices& choices, const std::vector<const TraceReader*>& readers, const Rule& rule) {
    const ReaderOutcome outcome = worst_of(readers, rule);
    if (outcome != ReaderOutcome::untried) choices.choose(rule.id, severity_of(outcome));
}

}  // namespace

std::vector<const TraceReader*> readers_named(std::string_view word) {
    const size_t at = word.find('@');
    const std::string_view name = word.substr(0, at);
    std::vector<const TraceReader*> readers = all_readers();
    std::erase_if(readers, [&](const TraceReader* reader) {
        if (word == "any") return reader->evidence == "by a report";
        return reader->name != name || (at != word.npos && reader->version != word.substr(at + 1));
    });
    keep_newest(readers);
    return readers;
}

std::vector<std::string_view> reader_names() {
    std::vector<std::string_view> names;
    for (const TraceReader* reader : all_readers())
        if (std::ranges::find(names, reader->name) == names.end()) names.push_back(reader->name);
    return names;
}

std::vector<std::string_view> versions_of(std::string_view name) {
    std::vector<std::string_view> versions;
    for (const TraceReader* reader : all_readers())
        if (reader->name == name && std::ranges::find(versions, reader->version) == versions.end())
            versions.push_back(reader->version);
    return versions;
}

std::vector<std::string> reader_versions() {
    std::vector<std::string> words;
    for (const TraceReader* reader : all_readers()) {
        std::string word = fmt::format("{}@{}", reader->name, reader->version);
        if (std::ranges::find(words, word) == words.end()) words.push_back(std::move(word));
    }
    return words;
}

std::string reader_list() {
    std::string text;
    for (const TraceReader* reader : all_readers())
        text += fmt::format("{:<26}  {:<10}  {:<13}  {}\n", fmt::format("{}@{}", reader->name, reader->version),
                            reader->format->id, reader->evidence, reader->command);
    return text;
}

SeverityChoices severities_for(const std::vector<const TraceReader*>& readers) {
    SeverityChoices choices;
    for (const Format* format : formats()) {
        std::vector<const TraceReader*> own = readers;
        std::erase_if(own, [&](const TraceReader* reader) { return reader->format != format; });
        if (own.empty()) continue;
        for (const Rule* rule : rules_of(*format)) choose(choices, own, *rule);
    }
    for (const Rule* rule : reader_rules()) {
        std::vector<const TraceReader*> own = readers;
        std::erase_if(own, [&](const TraceReader* reader) {
            return std::ranges::find(reader->hazards, rule, &Hazard::rule) == reader->hazards.end();
        });
        if (!own.empty()) choose(choices, own, *rule);
    }
    return choices;
}

}  // namespace tracelint
