// gperftools, sections 3.1 and 3.6: the header of a profile, and the wrapper that may precede the first one.
#pragma once

#include "grammars/gperftools/checks/profile.hpp"
#include "grammars/gperftools/recognise.hpp"
#include "validator/input/window.hpp"

namespace tracelint::gperftools {

// The text before a profile, if there is any.
struct Wrapper {
    bool exists = false;
    bool is_whole = false;
    uint64_t length = 0;  // in bytes, with the line `--- profile`; the whole file if that line is missing
};
Wrapper read_wrapper(Window& window);

// Checks the five slots of a header against their table.
void check_header_fields(Profile& profile, const View<kHeader>& header);

inline constexpr Rule kJavaVariant{
    .id = "gperftools/java-variant",
    .severity = Severity::note,
    .statement = "slot 2 of the header, the format version, is 0",
    .message = "format version is 1: the Java dialect, with ids instead of addresses",
    .why = "only Go pprof knows the dialect; google-pprof treats the ids as addresses",
    .spec = "3.1 Binary Header; 3.5 Dialects",
    .since = "0.1.0",
};

// Checks a complete header, and notes in the profile what it says.
template <Layout L>
void check_header(Profile& profile, const View<kHeader, L>& header) {
    check_header_fields(profile, {header.data(), header.offset(), header.order(), header.record_index()});
    profile.version = header.template get<"format_version">();
    profile.sums.set_period(header.template get<"period">());
    profile.period = header.template place<"period">();
    if (profile.version == kJavaVersion) profile.report.add<kJavaVariant>(header.template place<"format_version">());
}

inline constexpr RuleList kHeaderRules = rules<&kJavaVariant>;

}  // namespace tracelint::gperftools
