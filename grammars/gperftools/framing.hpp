// gperftools, section 4: where one part of a profile ends and the next begins. The walk and the framer share it.
#pragma once

#include "grammars/gperftools/identification.hpp"

namespace tracelint::gperftools {

std::unique_ptr<Framer> make_framer(const Settings& settings);

// Whether a line with its LF, other than the first line of the file, ends a wrapper (section 3.6).
inline bool ends_wrapper(std::string_view line) { return line == "--- profile\n" || line == "--- profile\r\n"; }

// Bytes from the header's start to the first record. Extra words count only if a plausible record follows them, so
// that a damaged number does not shift the records (section 4.1). `look` shows the bytes from the header on; at least
// the five slots must be there.
template <Layout L, class LookAhead>
uint64_t header_length(LookAhead&& look) {
    constexpr uint64_t plain = header_size(L), most = 65535;
    const Bytes bytes = look(plain);
    if (bytes.size() < plain) return plain;
    const uint64_t words = View<kHeader, L>(bytes.data(), 0, L.order, kNone).template get<"header_words">();
    if (words <= kKnownWords || words > most) return plain;
    const uint64_t extended = plain + (words - kKnownWords) * fixed_size(kExtraWord, L);
    if (look(extended).size() < extended) return plain;
    return is_plausible<L>(look, extended) || !is_plausible<L>(look, plain) ? extended : plain;
}

// Whether a further profile begins at the start of a line (section 4.1).
template <Layout L>
bool begins_profile(Bytes bytes) {
    return bytes.size() >= header_size(L) && score_of<L>(bytes) == kFullScore;
}

// How many of the three slots differ from those of the trailer.
template <Layout L>
int wrong_slots(const View<kTrailer, L>& trailer) {
    return (trailer.template get<"sample_count">() != 0) + (trailer.template get<"num_pcs">() != 1) +
           (trailer.template get<"pc">() != 0);
}

// Whether the trailer is intact. Faster than wrong_slots() where most places are not a trailer: the first slot decides.
template <Layout L>
bool is_intact(const View<kTrailer, L>& trailer) {
    return trailer.template get<"sample_count">() == 0 && trailer.template get<"num_pcs">() == 1 &&
           trailer.template get<"pc">() == 0;
}

// Whether an intact trailer begins here and the next slot, as far as the file has one, holds only text: where reading
// goes on after what is no record (resync, section 4.1). At least the three slots must be there.
template <Layout L>
bool is_trailer_before_text(Bytes bytes) {
    if (!is_intact(View<kTrailer, L>(bytes.data(), 0, L.order, 0))) return false;
    const auto is_text = [](uint8_t byte) {
        return (byte >= ' ' && byte <= '~') || byte == '\t' || byte == '\n' || byte == '\r';
    };
    const Bytes after = bytes.subspan(trailer_size(L));
    return std::ranges::all_of(after.first(std::min<size_t>(after.size(), L.word_size)), is_text);
}

}  // namespace tracelint::gperftools
