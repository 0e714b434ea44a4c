// Formats and rules with strings that end in a zero byte, as C wants them.
#pragma once

#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "validator/bindings/c/tracelint.h"
#include "validator/tracelint.hpp"

namespace tracelint::c {

class Catalogue {
  public:
    // Made by the first call, and never freed.
    static const Catalogue& get();

    const std::vector<tracelint_rule>& rules() const { return rules_; }
    const std::vector<tracelint_format>& formats() const { return formats_; }
    const char* id_of(const Rule& rule) const { return ids_.at(&rule); }
    // The id with a zero byte after it. There must be such a rule.
    const char* rule_id(std::string_view id) const { return rule_ids_.at(id); }
    const char* id_of(const Format& format) const { return ids_.at(&format); }
    const std::string& json() const { return json_; }

  private:
    Catalogue();
    const char* keep(std::string_view text);
    void add(const Rule& rule);

    std::deque<std::string> texts_;                     // elements never move
    std::unordered_map<const void*, const char*> ids_;  // of rules and formats
    std::unordered_map<std::string_view, const char*> rule_ids_;
    std::vector<tracelint_rule> rules_;
    std::vector<tracelint_format> formats_;
    std::string json_;
};

tracelint_severity severity_number(Severity severity);

}  // namespace tracelint::c
