// gperftools, sections 3.4 and 5.3: the text behind the records.
#include "grammars/gperftools/text.hpp"

#include "grammars/gperftools/coverage.hpp"
#include "validator/text_scan.hpp"

namespace tracelint::gperftools {

void Text::begin(Kind kind, uint64_t offset) {
    kind_ = kind;
    start_ = offset;
    is_empty_ = true;
}

uint64_t Text::take(uint64_t offset) {
    const Extent extent = extent_at(offset);
    const bool has_crlf = extent.is_terminated && extent.ends_with_cr;
    const bool is_long = extent.whole > kLongestLine;
    const uint64_t length = extent.whole - (has_crlf ? 1 : 0);
    const Bytes front(extent.front, std::min<uint64_t>(length, kLongestLine));
    const View<kLine> record(nullptr, offset, profile_.layout.order, profile_.index++);
    const Line line{record, as_text(front), length, is_long};
    is_empty_ = false;
    ++profile_.totals.lines;
    if (!extent.is_terminated) profile_.once.cut_from(offset);
    check_bytes(line, extent);
    if (kind_ == Kind::locations)
        profile_.locations.take(profile_, line);
    else
        check_mappings(line);
    return extent.whole + (extent.is_terminated ? 1 : 0);
}

// --- the bytes of a line ---------------------------------------------------------------------------------------

Text::Extent Text::extent_at(uint64_t offset) {
    Bytes bytes = window_.view(offset, 1);
    uint64_t whole = length_to('\n', bytes);
    if (whole == kNone && bytes.size() <= kLongestLine + 1) {
        bytes = window_.view(offset, kLongestLine + 2);
        whole = length_to('\n', bytes);
    }
    if (whole != kNone) return extent_of(bytes.first(whole), true);
    if (bytes.size() <= kLongestLine + 1) return extent_of(bytes, false);
    return long_extent(offset, bytes);
}

Text::Extent Text::extent_of(Bytes line, bool is_terminated) const {
    return {line.size(), is_terminated, !line.empty() && line.back() == '\r', length_to_nul(line), line.data()};
}

// Its end is out of view: keeps what is looked into.
Text::Extent Text::long_extent(uint64_t offset, Bytes front) {
    front_.assign(front.begin(), front.begin() + kLongestLine);
    Extent extent{.front = front_.data()};
    for (Bytes bytes = front; !bytes.empty() && !extent.is_terminated;) {
        const uint64_t to_end = length_to('\n', bytes);
        extent.is_terminated = to_end != kNone;
        const Bytes piece = bytes.first(std::min<uint64_t>(bytes.size(), to_end));
        const uint64_t nul = length_to_nul(piece);
        if (extent.first_nul == kNone && nul != kNone) extent.first_nul = extent.whole + nul;
        if (!piece.empty()) extent.ends_with_cr = piece.back() == '\r';
        extent.whole += piece.size();
        if (!extent.is_terminated) bytes = window_.view(offset + extent.whole, 1);
    }
    return extent;
}

// What is said of any line, whatever it is.
void Text::check_bytes(const Line& line, const Extent& extent) {
    const auto place = [&](uint64_t at, uint64_t length) { return line.record.place<"text">(at, length); };
    if (!extent.is_terminated) profile_.report.add(kMapLineUnterminated, place(0, extent.whole), {extent.whole});
    if (extent.first_nul != kNone) profile_.once.add(kTextNul, place(extent.first_nul, 1));
    if (kind_ == Kind::mappings) {
        if (line.is_long) profile_.report.add(kTextLineTooLong, place(0, extent.whole), {extent.whole});
        if (line.length < extent.whole) profile_.once.add(kTextCrlf, place(line.length, 2));
    }
    if (line.is_long) return;
    const TextScan scan = scan_text(as_bytes(line.text));
    if (scan.ill_formed != kNone) [[unlikely]]
        profile_.once.add(kMapPathNotUtf8, place(scan.ill_formed, scan.ill_formed_length),
                          {static_cast<uint8_t>(line.text[scan.ill_formed])});
}

// --- lists of mapped objects -------------------------------------------------------------------------------------

// In the order in which 3.4 tries the kinds of lines.
void Text::check_mappings(const Line& line) {
    if (const std::optional<Piece> value = build_specifier_in(line.text))
        return profile_.mappings.define_build(profile_, line, *value);
    if (const std::optional<Mapping> mapping = mapping_in(line.text))
        return profile_.mappings.add(profile_, line, *mapping);
    if (line.is_long || is_blank(line.text)) return;
    const std::optional<Misreading> misread = misreading_of(line.text);
    if (misread && misread->start.fits && misread->end.fits && misread->is_executable)
        profile_.once.add(kMapLineMisread, line.whole(), {misread->start.value, misread->end.value});
    else
        profile_.once.add(kMapLineUnrecognized, line.whole());
}

void Text::finish(uint64_t end) {
    if (kind_ == Kind::mappings) return finish_mappings(end);
    profile_.locations.finish(profile_);
}

void Text::finish_mappings(uint64_t end) {
    if (is_empty_ || profile_.sums.records == 0) return;
    const Mappings& mappings = profile_.mappings;
    const bool about_end = profile_.ends_file;
    if (mappings.count() == 0)
        return profile_.report.add({.rule = &kNoMappingLine, .place = {.offset = start_}, .about_end = about_end});
    if (mappings.executable_count() == 0)
        return profile_.report.add({.rule = &kNoExecutableMapping,
                                    .place = {.offset = start_, .length = end - start_},
                                    .numbers = {mappings.count()},
                                    .about_end = about_end});
    if (!profile_.wrapped) check_coverage(profile_);
}

}  // namespace tracelint::gperftools
