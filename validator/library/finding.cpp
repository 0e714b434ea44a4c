// A finding as users see it: the engine's, with the place in two numbers.
#include <utility>

#include "validator/library/state.hpp"

namespace tracelint {

Finding::Finding(const Diagnostic& from, std::shared_ptr<const void> names) noexcept
    : place_{from.place.offset, from.place.length},
      related_file_(from.related_file),
      names_(std::move(names)),
      rule_(from.rule),
      record_(from.place.record),
      field_(from.place.field),
      list_(from.place.list),
      record_index_(from.place.record_index),
      element_(from.place.element),
      numbers_(from.numbers),
      hint_(from.hint),
      text_(from.text),
      chosen_(from.chosen),
      is_overridden_(from.is_overridden),
      about_end_(from.about_end) {
    if (from.related_offset != kNone) related_ = {from.related_offset, from.related_length};
}

Diagnostic Finding::diagnostic() const noexcept {
    Diagnostic diagnostic;
    diagnostic.rule = rule_;
    diagnostic.place = {place_.offset, place_.length, record_, field_, list_, record_index_, element_};
    diagnostic.numbers = numbers_;
    diagnostic.hint = hint_;
    diagnostic.text = text_;
    if (related_) diagnostic.related_offset = related_->offset, diagnostic.related_length = related_->length;
    diagnostic.related_file = related_file_;
    diagnostic.chosen = chosen_;
    diagnostic.is_overridden = is_overridden_;
    diagnostic.about_end = about_end_;
    return diagnostic;
}

std::string_view Finding::rule() const noexcept { return rule_->id; }
Severity Finding::severity() const noexcept { return severity_of(diagnostic()); }
bool Finding::is_about_container() const noexcept { return rule_->of_container; }
std::string Finding::field() const { return field_path(diagnostic().place); }
std::string Finding::message() const { return message_of(diagnostic()); }
std::string Finding::help() const { return help_of(diagnostic()); }

}  // namespace tracelint
