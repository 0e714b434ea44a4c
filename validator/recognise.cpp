// Recognises formats.
#include "validator/recognise.hpp"

namespace tracelint {

namespace {

Opening opening_of(Bytes file, size_t most, std::string_view path) {
    return {file.first(std::min(file.size(), most)), path.substr(path.rfind('/') + 1)};
}

}  // namespace

Opening opening_of(Bytes file, std::string_view path) { return opening_of(file, kDetectionBytes, path); }

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

const Format* recognise(std::span<const Format* const> candidates, Window& window, std::string_view path) {
    const Opening near = opening_of(window.view(0, kDetectionBytes), path);
    const Format* const found = recognise(candidates, near);
    if (found != nullptr || near.bytes.size() < kDetectionBytes) return found;
    return recognise(candidates, opening_of(window.view(0, kFarDetectionBytes), kFarDetectionBytes, path));
}

}  // namespace tracelint
