// gperftools, section 2.1: identification, in six steps.
#include "grammars/gperftools/recognise.hpp"

#include <tuple>

namespace tracelint::gperftools {
namespace {

// Step 2: the header as read in one of the four layouts.
struct Reading {
    bool exists = false;  // its five slots are present
    int score = 0;
    uint64_t words = 0, period = 0;
};
using Readings = std::array<Reading, kLayoutCount>;

constexpr bool is_wide(size_t layout) { return kLayouts[layout].word_size == 8; }

template <Layout L>
Reading read_as(Bytes bytes) {
    if (bytes.size() < header_size(L)) return {};
    const View<kHeader, L> header(bytes.data(), 0, L.order, kNone);
    return {true, score_of<L>(bytes), header.template get<"header_words">(), header.template get<"period">()};
}

Readings read_all(Bytes bytes) {
    Readings readings;
    for (size_t layout = 0; layout < kLayoutCount; ++layout)
        readings[layout] = with_layout(layout, [&]<Layout L>() { return read_as<L>(bytes); });
    return readings;
}

// Whether a plausible record follows the header.
bool is_followed_by_record(const Look& look, size_t layout) {
    return with_layout(layout, [&]<Layout L>() { return is_plausible<L>(look, header_size(L)); });
}

std::optional<size_t> with_full_score(const Look& look, const Readings& readings) {
    for (size_t found = 0; found < kLayoutCount; ++found) {
        if (readings[found].score != kFullScore) continue;
        if (is_wide(found)) return found;
        // A big-endian header of 8-byte slots with a damaged first slot may be a perfect header of 4-byte slots.
        for (size_t wide = 0; wide < kLayoutCount; ++wide) {
            const Reading& other = readings[wide];
            if (is_wide(wide) && other.score == kFullScore - 1 && other.words == kKnownWords &&
                !is_followed_by_record(look, found) && is_followed_by_record(look, wide))
                return wide;
        }
        return found;
    }
    return std::nullopt;
}

// Step 3: whether the bytes are a truncated header.
template <Layout L>
bool is_truncated_header(Bytes bytes) {
    constexpr unsigned width = L.word_size, known = 3 * width;
    if (bytes.size() >= header_size(L)) return false;
    if (bytes.size() < (L.order == ByteOrder::little ? width + 1 : 2 * width)) return false;
    const size_t compared = std::min<size_t>(bytes.size(), known);
    for (const uint64_t version : {kNativeVersion, kJavaVersion}) {
        uint8_t wanted[known] = {};
        store(wanted + View<kHeader, L>::template offset_of<"header_words">(), width, L.order, kKnownWords);
        store(wanted + View<kHeader, L>::template offset_of<"format_version">(), width, L.order, version);
        if (std::equal(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(compared), wanted)) return true;
    }
    return false;
}

std::optional<size_t> with_truncated_header(Bytes bytes) {
    for (size_t layout = 0; layout < kLayoutCount; ++layout)
        if (with_layout(layout, [&]<Layout L>() { return is_truncated_header<L>(bytes); })) return layout;
    return std::nullopt;
}

// Steps 4 and 5: the layout with the best score. Step 4 breaks ties.
std::optional<size_t> with_best_score(const Look& look, const Readings& readings) {
    int best_wide = 0, best = 0;
    for (size_t i = 0; i < kLayoutCount; ++i) {
        best = std::max(best, readings[i].score);
        if (is_wide(i)) best_wide = std::max(best_wide, readings[i].score);
    }
    // Four zero bytes as a 4-byte [1] mean that slots have 8 bytes.
    const auto is_candidate = [&](size_t i) {
        return readings[i].exists && (is_wide(i) || readings[i].words != 0 || best_wide < kFullScore - 1);
    };
    const auto rank = [&](size_t i) {
        const Reading& reading = readings[i];
        return std::tuple(!is_followed_by_record(look, i), reading.words != kKnownWords,
                          reading.period > kLongestPeriod, reading.words, reading.period);
    };
    std::optional<size_t> chosen;
    for (size_t i = 0; i < kLayoutCount; ++i) {
        if (!is_candidate(i) || readings[i].score != best) continue;
        if (!chosen || rank(i) < rank(*chosen)) chosen = i;
    }
    return chosen;
}

// Step 6: NAME.prof, NAME.prof.N, NAME.prof_N.
bool is_profile_name(std::string_view name) {
    constexpr std::string_view extension = ".prof";
    const size_t digits = name.find_last_not_of("0123456789") + 1;
    if (digits < name.size() && digits > 0 && (name[digits - 1] == '.' || name[digits - 1] == '_'))
        name = name.substr(0, digits - 1);
    return name.ends_with(extension);
}

// Whether a layout with one wrong slot has a plausible record, or the end of the file, where its records begin.
bool is_borne_out(const Look& look, size_t layout) {
    return with_layout(layout, [&]<Layout L>() { return is_plausible<L>(look, header_length<L>(look)); });
}

}  // namespace

size_t identify(const Look& look) {
    const Bytes bytes = look(header_size(kLayouts[0]));
    const Readings readings = read_all(bytes);
    if (const std::optional<size_t> found = with_full_score(look, readings)) return *found;
    if (const std::optional<size_t> truncated = with_truncated_header(look(header_size(kLayouts[0]))))
        return *truncated;
    return with_best_score(look, readings).value_or(0);
}

int recognise(const Opening& opening) {
    if (as_text(opening.bytes).starts_with(kWrapperStart)) return 100;
    if (opening.bytes.empty()) return is_profile_name(opening.file_name) ? 40 : 0;
    const Look look = [&](size_t) { return opening.bytes; };
    const Readings readings = read_all(opening.bytes);
    bool is_likely = false;
    for (size_t layout = 0; layout < kLayoutCount; ++layout) {
        if (readings[layout].score == kFullScore) return 100;
        if (readings[layout].score == kFullScore - 1) is_likely = is_likely || is_borne_out(look, layout);
    }
    return is_likely || with_truncated_header(opening.bytes) ? 60 : 0;
}

}  // namespace tracelint::gperftools
