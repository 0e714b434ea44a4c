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

}  // namespace tracelint::gperftools
