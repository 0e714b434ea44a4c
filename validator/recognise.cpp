// Recognises formats.
#include "validator/recognise.hpp"

namespace tracelint {

Opening opening_of(Bytes file, std::string_view path) {
    return {file.first(std::min(file.size(), kDetectionBytes)), path.substr(path.rfind('/') + 1)};
}

Opening opening_of(Window& window, std::string_view path) { return opening_of(window.view(0, kDetectionBytes), path); }

const Format* recognise(std::span<const Format* const> candidates, const Opening& opening) {
    const Format* best = nullptr;
    int surest = 0;
    for (const Format* format : candidates) {
        const int sure = format->recognise(opening);
        if (sure <= surest) continue;
        surest = sure;
        best = format;
    }
    return best;
}

}  // namespace tracelint
