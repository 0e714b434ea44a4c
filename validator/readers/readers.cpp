// The list of readers.
#include <algorithm>

#include "grammars/readers.hpp"
#include "validator/readers/reader.hpp"

namespace tracelint {

std::vector<const TraceReader*> all_readers() {
    std::vector<const TraceReader*> readers;
    for (const ReaderList* list : kReaderLists)
        for (const TraceReader& reader : list->readers) readers.push_back(&reader);
    return readers;
}

const ReaderList* reader_list_of(const Format& format) {
    for (const ReaderList* list : kReaderLists)
        if (!list->readers.empty() && list->readers.front().format == &format) return list;
    return nullptr;
}

std::vector<const Rule*> reader_rules() {
    std::vector<const Rule*> rules = {&kOtherFormat, &kModelLimit};
    for (const TraceReader* reader : all_readers())
        for (const Hazard& hazard : reader->hazards)
            if (std::ranges::find(rules, hazard.rule) == rules.end()) rules.push_back(hazard.rule);
    return rules;
}

}  // namespace tracelint
