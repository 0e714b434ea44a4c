// gperftools, section 3.6: the text that may stand before a profile.
#include "grammars/gperftools/header.hpp"

#include "validator/text_scan.hpp"

namespace tracelint::gperftools {

Wrapper read_wrapper(Window& window) {
    Wrapper wrapper;
    if (!as_text(window.view(0, kWrapperStart.size())).starts_with(kWrapperStart)) return wrapper;
    wrapper.exists = true;
    constexpr size_t enough = 16;  // bytes of a line, to know the last one
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

}  // namespace tracelint::gperftools
