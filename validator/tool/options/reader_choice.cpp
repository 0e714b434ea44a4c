// Finds readers by their names.
#include "validator/tool/options/reader_choice.hpp"

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

std::vector<std::string> reader_words() {
    const std::vector<std::string_view> names = reader_names();
    std::vector<std::string> words(names.begin(), names.end());
    words.insert(words.end(), {"any", "list"});
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

}  // namespace tracelint
