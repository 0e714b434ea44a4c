// What one reader does by rule, looked up once for each rule, whatever the number of findings.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "validator/readers/reader.hpp"

namespace tracelint {

class OutcomeTable {
  public:
    explicit OutcomeTable(const TraceReader& reader) : reader_(&reader) {}

    ReaderOutcome outcome_of(const Rule& rule, const FindingTraits& finding) {
        const Entry& entry = entry_of(rule);
        auto outcome = entry.fixed.value_or(ReaderOutcome::untried);
        for (const ReaderRow* row : entry.rows)
            if (row->fits(finding)) outcome = row->outcome;
        return outcome;
    }

    // What it misreads because of the finding, as a part of a sentence; empty if unknown.
    std::string_view misreading_of(const Rule& rule, const FindingTraits& finding) {
        std::string_view says;
        for (const ReaderRow* row : entry_of(rule).rows)
            if (row->fits(finding)) says = row->outcome == ReaderOutcome::misreads ? row->says : std::string_view();
        return says;
    }

    // The least that it does because of a finding of the rule, whatever its traits.
    ReaderOutcome mildest_of(const Rule& rule) {
        const Entry& entry = entry_of(rule);
        if (entry.rows.empty()) return entry.fixed.value_or(ReaderOutcome::untried);
        return (*std::ranges::min_element(entry.rows, {}, &ReaderRow::outcome))->outcome;
    }

    // Whether models report the rule: the forecast of each covers its own reader.
    bool is_predicted(const Rule& rule) { return entry_of(rule).is_predicted; }

  private:
    struct Entry {
        bool is_predicted = false;
        std::optional<ReaderOutcome> fixed;
        std::vector<const ReaderRow*> rows;
    };
    const Entry& entry_of(const Rule& rule) {
        const auto [entry, is_new] = entries_.try_emplace(&rule);
        if (is_new) {
            entry->second.fixed = fixed_outcome(*reader_, rule);
            entry->second.is_predicted = std::ranges::any_of(reader_->hazards, [&](const Hazard& hazard) {
                return hazard.rule == &rule && hazard.of_file == is_found_by_model;
            });
            if (!entry->second.fixed) entry->second.rows = rows_of(*reader_, rule);
        }
        return entry->second;
    }

    const TraceReader* reader_;
    std::unordered_map<const Rule*, Entry> entries_;
};

}  // namespace tracelint
