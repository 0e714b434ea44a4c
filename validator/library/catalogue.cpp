// The catalogue, made from the formats' tables.
#include "tracelint/catalogue.hpp"

#include <new>
#include <vector>

#include "validator/group.hpp"
#include "validator/input/input_rules.hpp"
#include "validator/readers/reader.hpp"
#include "validator/report/expectation_rules.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

RuleInfo info_of(const Rule& rule, std::string_view format) {
    RuleInfo info{rule.id,     format, rule.severity, rule.statement, rule.why, rule.spec, rule.since.text,
                  rule.status, {},     rule.severity};
    if (rule.severity_override) {
        info.milder_when = rule.severity_override->when;
        info.milder_severity = rule.severity_override->severity;
    }
    return info;
}

struct Lists {
    Lists() {
        for (const std::span<const Rule* const> own : {input_rules(), expectation_rules()})
            for (const Rule* rule : own) rules.push_back(info_of(*rule, {}));
        for (const Rule* rule : reader_rules()) rules.push_back(info_of(*rule, {}));
        for (const Format* format : tracelint::formats()) {
            formats.push_back({format->id, format->title});
            for (const Rule* rule : rules_of(*format)) rules.push_back(info_of(*rule, format->id));
        }
        for (const GroupGrammar* group : group_grammars())
            for (const Rule* rule : rules_of(*group->grammar)) rules.push_back(info_of(*rule, {}));
        for (const Option* option : all_options()) options.push_back({option->name, option->doc, option->choices});
    }

    std::vector<RuleInfo> rules;
    std::vector<FormatInfo> formats;
    std::vector<OptionInfo> options;
};

}  // namespace

Catalogue catalogue() noexcept {
    try {
        static const Lists lists;
        return {lists.rules, lists.formats, lists.options};
    } catch (const std::bad_alloc&) {
        return {};
    }
}

const RuleInfo* rule_info(std::string_view id) noexcept {
    for (const RuleInfo& rule : catalogue().rules)
        if (rule.id == id) return &rule;
    return nullptr;
}

}  // namespace tracelint
