// gperftools, section 2: there is no magic number, so word size and byte order are those in which the first five
// slots make most sense.
#pragma once

#include <functional>

#include "grammars/gperftools/records.hpp"
#include "validator/format.hpp"
#include "validator/view.hpp"

namespace tracelint::gperftools {

// The first bytes of symbols that are wrapped around a profile (3.6).
inline constexpr std::string_view kWrapperStart = "--- symbol";

// How sure it is that a file is a profile, forced or not.
int recognise(const Opening& opening);

// Shows the bytes from the header's first one on: as many as are wanted, or fewer where the input ends.
using Look = std::function<Bytes(size_t wanted)>;

// The number of the layout in kLayouts that the header makes most sense in, come what may (step 5: the format is
// forced). Fewer bytes than that layout's header has are a header that is cut.
size_t identify(const Look& look);

// Points for the slots that are as they must be, 0 to 5. The bytes hold a whole header.
template <Layout L>
int score_of(Bytes bytes) {
    const View<kHeader, L> header(bytes.data(), 0, L.order, kNone);
    const uint64_t period = header.template get<"period">();
    return (header.template get<"header_count">() == 0) + (header.template get<"header_words">() == kKnownWords) +
           (header.template get<"format_version">() <= kJavaVersion) + (period >= 1 && period <= 1'000'000'000) +
           (header.template get<"padding">() == 0);
}
inline constexpr int kFullScore = 5;

// Whether a record that makes sense stands `at` bytes behind what `look` shows, or the file ends there (section 4).
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
