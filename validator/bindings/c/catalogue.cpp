// The functions of the C interface about rules and formats.
#include "validator/bindings/c/catalogue.hpp"

#include "validator/bindings/c/errors.hpp"
#include "validator/tool/json/rule_info.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint::c {

tracelint_severity severity_number(Severity severity) {
    switch (severity) {
        case Severity::note: return TRACELINT_NOTE;
        case Severity::warning: return TRACELINT_WARNING;
        case Severity::error: return TRACELINT_ERROR;
    }
    return 0;
}

const Catalogue& Catalogue::get() {
    static const Catalogue& catalogue = *new Catalogue;  // used until the last thread ends
    return catalogue;
}

Catalogue::Catalogue() {
    for (const Format* format : tracelint::formats()) {
        tracelint_format entry{};
        entry.id = ids_[format] = keep(format->id);
        entry.title = keep(format->title);
        formats_.push_back(entry);
    }
    const std::vector<const Rule*> rules = all_rules();
    for (const Rule* rule : rules) add(*rule);
    StringSink json;
    write_rules_json(rules, json);
    json_ = std::move(json.text);
}

const char* Catalogue::keep(std::string_view text) {
    texts_.emplace_back(text);
    return texts_.back().c_str();
}

void Catalogue::add(const Rule& rule) {
    const Format* format = format_of(rule);
    tracelint_rule entry{};
    entry.id = ids_[&rule] = rule_ids_[rule.id] = keep(rule.id);
    entry.format = format == nullptr ? nullptr : id_of(*format);
    entry.statement = keep(rule.statement);
    entry.why = keep(rule.why);
    entry.spec = keep(rule.spec);
    entry.since = keep(rule.since.text);
    entry.status = keep(rule.status);
    entry.severity = severity_number(rule.severity);
    if (rule.severity_override) {
        entry.milder_severity = severity_number(rule.severity_override->severity);
        entry.milder_when = keep(rule.severity_override->when);
    }
    rules_.push_back(entry);
}

namespace {

// Fills the caller's struct with the element of an index.
template <class Entry>
tracelint_error fill_from(const std::vector<Entry>& entries, size_t index, Entry* of_caller) {
    if (of_caller == nullptr) return fail(TRACELINT_ERROR_NULL_ARGUMENT);
    if (index >= entries.size()) return fail(TRACELINT_ERROR_OUT_OF_RANGE);
    return fill(of_caller, entries[index]);
}

template <class Count>
size_t count_or_none(Count count) noexcept {
    size_t result = 0;
    guarded([&] {
        result = count();
        return TRACELINT_OK;
    });
    return result;
}

}  // namespace
}  // namespace tracelint::c

using tracelint::c::Catalogue;
using tracelint::c::fail;
using tracelint::c::fill;
using tracelint::c::fill_from;
using tracelint::c::guarded;

size_t tracelint_rule_count() {
    return tracelint::c::count_or_none([] { return Catalogue::get().rules().size(); });
}

tracelint_error tracelint_rule_at(size_t index, tracelint_rule* rule) {
    return guarded([&] { return fill_from(Catalogue::get().rules(), index, rule); });
}

tracelint_error tracelint_rule_find(const char* id, tracelint_rule* rule) {
    return guarded([&] {
        if (id == nullptr || rule == nullptr) return fail(TRACELINT_ERROR_NULL_ARGUMENT);
        for (const tracelint_rule& entry : Catalogue::get().rules())
            if (std::strcmp(entry.id, id) == 0) return fill(rule, entry);
        return fail(TRACELINT_ERROR_NOT_FOUND, tracelint::pattern_fault(id));
    });
}

tracelint_error tracelint_rules_json(const char** json, size_t* length) {
    return guarded([&] {
        if (json == nullptr) return fail(TRACELINT_ERROR_NULL_ARGUMENT);
        const std::string& text = Catalogue::get().json();
        *json = text.c_str();
        if (length != nullptr) *length = text.size();
        return tracelint_error{TRACELINT_OK};
    });
}

size_t tracelint_format_count() {
    return tracelint::c::count_or_none([] { return Catalogue::get().formats().size(); });
}

tracelint_error tracelint_format_at(size_t index, tracelint_format* format) {
    return guarded([&] { return fill_from(Catalogue::get().formats(), index, format); });
}
