// The caller's options as the engine wants them.
#pragma once

#include "validator/bindings/c/tracelint.h"
#include "validator/tracelint.hpp"

namespace tracelint::c {

// What a check is told, and what it refers to. Does not move.
class CheckChoices {
  public:
    CheckChoices() = default;
    CheckChoices(const CheckChoices&) = delete;
    CheckChoices& operator=(const CheckChoices&) = delete;

    // Takes over the caller's options, which may be null.
    tracelint_error take(const tracelint_options* of_caller);

    CheckOptions options;

  private:
    tracelint_error take_format(const tracelint_options& given);
    tracelint_error take_filter(const tracelint_options& given);
    tracelint_error take_severities(const tracelint_options& given);
    tracelint_error take_settings(const tracelint_options& given);
    void take_limits(const tracelint_options& given);

    RuleFilter filter_;
    SeverityChoices severities_;
};

}  // namespace tracelint::c
