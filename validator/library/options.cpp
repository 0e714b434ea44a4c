// Turns the public options into the engine's.
#include <algorithm>

#include "validator/library/state.hpp"

namespace tracelint {
namespace {

template <class Items>
std::string list_of(const Items& items) {
    std::string text;
    for (const auto& item : items) text += (text.empty() ? "" : ", ") + std::string(item);
    return text;
}

}  // namespace

void CallbackObserver::found(const Diagnostic& diagnostic) {
    if (failed_ || is_over_) return;
    try {
        callback_(Finding(diagnostic, names_));
        return;
    } catch (const std::exception& error) {
        failed_ = true;
        try {
            thrown_ = error.what();
        } catch (const std::bad_alloc&) {
            thrown_.clear();
        }
    } catch (...) {
        failed_ = true;
    }
}

PreparedOptions::PreparedOptions(const Options& options)
    : companions_(options.companions), observer_(options.on_finding) {
    if (!options.format.empty()) {
        engine_.format = find_format(options.format);
        std::vector<std::string_view> known;
        for (const Format* format : formats()) known.push_back(format->id);
        if (engine_.format == nullptr)
            complain("no format is called '" + options.format + "'; there are " + list_of(known));
    }
    engine_.limits = options.limits;
    take_patterns(options);
    for (const Setting& setting : options.settings) take_setting(setting);
    for (const std::string& word : options.readers) take_reader(word);
    if (options.growing) engine_.is_growing = [] { return true; };
    if (options.growing && !options.readers.empty())
        complain("a file that is still being written cannot be judged for readers");
    engine_.report.kept_per_rule = options.kept_per_rule;
    engine_.report.filter = &filter_;
    engine_.report.severities = &severities_;
    if (options.on_finding) engine_.report.observer = &observer_;
}

void PreparedOptions::take_patterns(const Options& options) {
    const auto expect_rules = [this](const std::string& pattern) {
        if (!covers_any(pattern))
            complain("no rule matches '" + pattern +
                     "'; expected an id, a format or a prefix that ends in a slash or dash");
    };
    for (const std::string& pattern : options.select) {
        expect_rules(pattern);
        filter_.select(pattern);
    }
    for (const std::string& pattern : options.ignore) {
        expect_rules(pattern);
        filter_.ignore(pattern);
    }
    for (const SeverityChoice& choice : options.severities) {
        expect_rules(choice.rules);
        severities_.choose(choice.rules, choice.severity);
    }
}

void PreparedOptions::take_setting(const Setting& setting) {
    for (const Option* option : all_options()) {
        if (option->name != setting.name) continue;
        const auto choice = std::ranges::find(option->choices, setting.choice);
        if (choice == option->choices.end())
            return complain("'" + setting.choice + "' is no choice for " + setting.name + "; expected " +
                            list_of(option->choices));
        return engine_.settings.set(*option, static_cast<size_t>(choice - option->choices.begin()));
    }
    complain("no format has an option '" + setting.name + "'");
}

void PreparedOptions::take_reader(const std::string& word) {
    if (readers_.add(word)) return;
    const std::vector<std::string_view> versions = versions_of(std::string_view(word).substr(0, word.find('@')));
    if (versions.empty())
        complain("no reader is called '" + word + "'; there are any, " + list_of(reader_names()));
    else
        complain("there is no '" + word + "'; its versions are " + list_of(versions));
}

// The first fault is enough.
void PreparedOptions::complain(std::string fault) {
    if (fault_.empty()) fault_ = std::move(fault);
}

}  // namespace tracelint
