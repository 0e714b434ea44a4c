// gperftools, section 5.0: rules that are said once in a profile.
#include "grammars/gperftools/once.hpp"

#include <algorithm>

namespace tracelint::gperftools {

void OncePerProfile::add(const Rule& rule, const Place& place, std::initializer_list<uint64_t> numbers) {
    Diagnostic found{.rule = &rule, .place = place};
    std::copy(numbers.begin(), numbers.end(), found.numbers.begin() + 1);
    add(found);
}

void OncePerProfile::add(const Diagnostic& first, uint64_t times) {
    const auto said = std::ranges::find_if(said_, [&](const Said& s) { return s.first.rule == first.rule; });
    if (said == said_.end()) return said_.push_back({first, times});
    said->times += times;
    if (first.place.offset < said->first.place.offset) said->first = first;
}

void OncePerProfile::drop(const Rule& rule) {
    std::erase_if(said_, [&](const Said& s) { return s.first.rule == &rule; });
}

void OncePerProfile::report_to(Report& report) {
    for (Said& said : said_) {
        said.first.numbers[0] = said.times;
        if (said.first.place.offset >= cut_) said.first.about_end = true;
        report.add(said.first);
    }
    said_.clear();
}

}  // namespace tracelint::gperftools
