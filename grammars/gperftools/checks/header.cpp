// gperftools, sections 3.1 and 3.6: the header of a profile, and the wrapper that may precede the first one.
#include "grammars/gperftools/checks/header.hpp"

#include <algorithm>

#include "validator/tables/text_scan.hpp"

namespace tracelint::gperftools {

// --- 3.6 Text wrapper ------------------------------------------------------------------------------------------------

Wrapper read_wrapper(Window& window) {
    Wrapper wrapper;
    if (!as_text(window.view(0, kWrapperStart.size())).starts_with(kWrapperStart)) return wrapper;
    wrapper.exists = true;
    constexpr size_t enough = 16;  // bytes of a line that show whether it is the last one
    bool at_line_start = true;
    while (!wrapper.is_whole) {
        const Bytes bytes = window.view(wrapper.length, enough);
        if (bytes.empty()) return wrapper;
        const uint64_t to_end = length_to('\n', bytes);
        const bool has_end = to_end != kNone;
        const size_t piece = has_end ? to_end + 1 : bytes.size();
        wrapper.is_whole = at_line_start && ends_wrapper(as_text(bytes.first(piece)));
        wrapper.length += piece;
        at_line_start = has_end;
    }
    return wrapper;
}

// --- 3.1 Binary Header -----------------------------------------------------------------------------------------------

// Only the first violated check of a field is reported: a period that is too large is also implausible.
void check_header_fields(Profile& profile, const View<kHeader>& header) {
    const uint64_t slot = profile.layout.word_size;
    uint64_t at = 0;
    for (const Field& field : kHeader.fields().first(kKnownWords + 2)) {
        const uint64_t value = read_fixed(field, profile.layout, header.data() + at);
        const std::span<const Check> checks = field.checks;
        const auto broken = std::ranges::find_if(
            checks, [&](const Check& check) { return check.rule != nullptr && !obeys(field, check, value); });
        if (broken != checks.end()) {
            Place place = header.part(at, slot);
            place.field = &field;
            profile.report.add(*broken->rule, place, {value});
        }
        at += slot;
    }
}

}  // namespace tracelint::gperftools
