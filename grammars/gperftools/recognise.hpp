// gperftools, section 2: identification. There is no magic number: word size and byte order are those in which the
// first five slots make the most sense.
#pragma once

#include <functional>

#include "grammars/gperftools/records.hpp"
#include "validator/format.hpp"
#include "validator/tables/view.hpp"

namespace tracelint::gperftools {

// The first bytes of a wrapper (section 3.6).
inline constexpr std::string_view kWrapperStart = "--- symbol";

// How certain it is that a file is a profile: 0 (not at all) to 100.
int recognise(const Opening& opening);

// Shows the bytes from the start of the header on: as many as are wanted, or fewer if the input ends.
using Look = std::function<Bytes(size_t wanted)>;

// The index in kLayouts of the layout in which the header makes the most sense, even if it makes little (section 2.1,
// step 5: the format is forced). Fewer bytes than a header of that layout are a truncated header.
size_t identify(const Look& look);

// Section 2.1, step 2: one point for each correct slot, 0 to 5. The bytes hold a whole header.
template <Layout L>
int score_of(Bytes bytes) {
    const View<kHeader, L> header(bytes.data(), 0, L.order, kNone);
    const uint64_t period = header.template get<"period">();
    return (header.template get<"header_count">() == 0) + (header.template get<"header_words">() == kKnownWords) +
           (header.template get<"format_version">() <= kJavaVersion) + (period >= 1 && period <= 1'000'000'000) +
           (header.template get<"padding">() == 0);
}
inline constexpr int kFullScore = 5;

// Section 4.2: whether a plausible record, or the end of the file, is `at` bytes after the first byte that `look`
// shows.
template <Layout L, class LookAhead>
bool is_plausible(LookAhead&& look, uint64_t at) {
    const Bytes front = look(at + front_size(L));
    if (front.size() < at + front_size(L)) return front.size() == at;
    const View<kRecord, L> record(front.data() + at, 0, L.order, 0);
    const uint64_t pcs = record.template get<"num_pcs">();
    if (record.template get<"sample_count">() >= uint64_t{1} << 31 || pcs == 0 || pcs > kReaderDepth) return false;
    const uint64_t end = at + record_size(L, pcs);
    return look(end).size() >= end;
}

// gperftools, section 4: where one part of a profile ends and the next begins. The walk and the framer share it.

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
// continues after bytes that are not a record (resync, section 4.1). At least the three slots must be there.
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
