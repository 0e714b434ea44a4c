// Readers by the words that users have for them.
#include "validator/readers/chosen_readers.hpp"

#include <algorithm>
#include <utility>

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

bool ChosenReaders::add(std::string_view word) {
    const std::vector<const TraceReader*> named = readers_named(word);
    const std::string_view name = word.substr(0, word.find('@'));
    for (const TraceReader* reader : named)
        if (std::ranges::find(readers, reader) == readers.end()) readers.push_back(reader);
    if (named.empty() || name == "any" || word != name) return !named.empty();
    for (const TraceReader* reader : all_readers()) {
        const bool is_newest = std::ranges::find(named, reader) != named.end();
        const bool is_new = std::ranges::find(older, reader) == older.end();
        if (reader->name == name && !is_newest && is_new) older.push_back(reader);
    }
    return true;
}

}  // namespace tracelint
