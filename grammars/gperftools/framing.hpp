// gperftools, section 4: where one part of a profile ends and the next begins. The walk and the framer share it.
#pragma once

#include "grammars/gperftools/identification.hpp"

namespace tracelint::gperftools {

std::unique_ptr<Framer> make_framer(const Settings& settings);

// Whether a whole line with its LF, not the first one of the file, is the last one of a wrapper (3.6).
inline bool ends_wrapper(std::string_view line) { return line == "--- profile\n" || line == "--- profile\r\n"; }

// Bytes from the header's start to the first record: extra words count only if the records make sense behind them,
// as a wrong number must not shift them. `look` shows the bytes from the header on, five slots at least.
template <Layout L, class LookAhead>
uint64_t behind_header(LookAhead&& look) {
    constexpr uint64_t plain = header_size(L), most = 65535;
    const Bytes bytes = look(plain);
    if (bytes.size() < plain) return plain;
    const uint64_t words = View<kHeader, L>(bytes.data(), 0, L.order, kNone).template get<"header_words">();
    if (words <= kKnownWords || words > most) return plain;
    const uint64_t extended = plain + (words - kKnownWords) * fixed_size(kExtraWord, L);
    if (look(extended).size() < extended) return plain;
    return is_plausible<L>(look, extended) || !is_plausible<L>(look, plain) ? extended : plain;
}

// Whether another profile begins where a line could (section 4).
template <Layout L>
bool begins_profile(Bytes bytes) {
    return bytes.size() >= header_size(L) && score_of<L>(bytes) == kFullScore;
}

// How many of the slots are not those of the trailer.
template <Layout L>
int wrong_slots(const View<kTrailer, L>& trailer) {
    return (trailer.template get<"sample_count">() != 0) + (trailer.template get<"num_pcs">() != 1) +
           (trailer.template get<"pc">() != 0);
}

// Whether it is intact: where many are tried, the first slot tells of most that they are not.
template <Layout L>
bool is_intact(const View<kTrailer, L>& trailer) {
    return trailer.template get<"sample_count">() == 0 && trailer.template get<"num_pcs">() == 1 &&
           trailer.template get<"pc">() == 0;
}

}  // namespace tracelint::gperftools
