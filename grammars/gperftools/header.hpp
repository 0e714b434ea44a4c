// gperftools, sections 3.1, 3.6 and 5.1: the header of a profile, and the text that may stand before the first one.
#pragma once

#include "grammars/gperftools/framing.hpp"
#include "grammars/gperftools/profile.hpp"
#include "validator/window.hpp"

namespace tracelint::gperftools {

// The text before a profile, if there is any.
struct Wrapper {
    bool exists = false;
    bool is_whole = false;
    uint64_t length = 0;  // with the line `--- profile`; all of the file if that is missing
};
Wrapper read_wrapper(Window& window);

// All rules of a header that is there; what they say about the profile goes into its registers.
template <Layout L>
void check_header(Profile& profile, const View<kHeader, L>& header) {
    Report& report = profile.report;
    const uint64_t count = header.template get<"header_count">(), words = header.template get<"header_words">();
    if (count != 0) report.add(kHeaderCountNonzero, header.template place<"header_count">(), {count});
    if (words < kKnownWords) report.add(kHeaderWordsTooSmall, header.template place<"header_words">(), {words});
    if (words > kKnownWords) report.add(kHeaderExtraWords, header.template place<"header_words">(), {words});

    const uint64_t version = header.template get<"format_version">();
    const Place version_place = header.template place<"format_version">();
    profile.version = version;
    if (version == kJavaVersion) report.add(kJavaVariant, version_place);
    if (version > kJavaVersion) report.add(kHeaderVersion, version_place, {version});

    const uint64_t period = header.template get<"period">();
    const Place period_place = header.template place<"period">();
    profile.sums.set_period(period);
    if (period == 0)
        report.add(kPeriodZero, period_place);
    else if (period > kLargestPeriod)
        report.add(kPeriodTooLarge, period_place, {period});
    else if (period > kLongestPeriod)
        report.add(kPeriodImplausible, period_place, {period});

    const uint64_t padding = header.template get<"padding">();
    if (padding != 0) report.add(kHeaderPaddingNonzero, header.template place<"padding">(), {padding});
}

}  // namespace tracelint::gperftools
