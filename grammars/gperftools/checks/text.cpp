// gperftools, sections 3.4 and 5.3: the text after the records.
#include "grammars/gperftools/checks/text.hpp"

#include "grammars/gperftools/checks/profile.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint::gperftools {

void Text::begin(uint64_t offset) {
    start_ = offset;
    is_empty_ = true;
}

uint64_t Text::check_line(TextKind kind, uint64_t offset) {
    if (const uint64_t empty = kind == TextKind::mappings ? empty_lines_at(offset) : 0; empty > 0) {
        is_empty_ = false;
        profile_.index += empty;
        profile_.totals.lines += empty;
        return empty;
    }
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
    check_bytes(kind, line, extent);
    if (kind == TextKind::locations)
        profile_.locations.check_line(profile_, line);
    else
        check_mapping_text(line);
    return extent.whole + (extent.is_terminated ? 1 : 0);
}

// --- the bytes of a line ---------------------------------------------------------------------------------------------

// How many lines in view are empty, up to the first that is not. No rule is about them.
uint64_t Text::empty_lines_at(uint64_t offset) {
    const std::string_view text = as_text(window_.view(offset, 1));
    return std::min(text.find_first_not_of('\n'), text.size());
}

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

// The end of the line is out of view: keeps a copy of its front.
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

constexpr Rule kMapLineUnterminated{
    .id = "gperftools/map-line-unterminated",
    .severity = Severity::warning,
    .statement = "the text ends with a line end",
    .message = "the last line, of {0 byte|bytes}, has no line end",
    .why =
        "readers use the line as if it were complete, but its path or even its permissions may be truncated, and more "
        "lines may be missing: the process died while it wrote, or the disk was full",
    .spec = "3.4.1 Lines",
    .since = "0.1.0",
    .about_end = true,
};

constexpr Rule kTextNul{
    .id = "gperftools/text-nul",
    .severity = Severity::warning,
    .statement = "the text contains no NUL bytes",
    .message = "a NUL byte in the text ({0 line|lines} of this profile)",
    .why =
        "no path can contain NUL, and readers keep it in names: part of the file was lost or overwritten, so mappings "
        "may be missing",
    .spec = "3.4.1 Lines",
    .since = "0.1.0",
};

constexpr Rule kTextLineTooLong{
    .id = "gperftools/text-line-too-long",
    .severity = Severity::error,
    .statement = "a line of the text has fewer than 65536 bytes",
    .message = "the line has {0} bytes, more than the 65535 that Go pprof accepts",
    .why = "Go pprof refuses the whole file (\"bufio.Scanner: token too long\"); google-pprof accepts the line",
    .spec = "3.4.1 Lines",
    .since = "0.1.0",
};

constexpr Rule kTextCrlf{
    .id = "gperftools/text-crlf",
    .severity = Severity::warning,
    .statement = "a line ends with LF, not with CR LF",
    .message = "the line ends with CR LF ({0 line|lines} of this profile)",
    .why =
        "google-pprof finds no library, because its patterns end at the path, and shows only addresses; Go pprof "
        "accepts the line. The file was transferred as text, which probably also damaged its binary part",
    .spec = "3.4.1 Lines",
    .since = "0.1.0",
};

constexpr Rule kMapPathNotUtf8{
    .id = "gperftools/map-path-not-utf8",
    .severity = Severity::note,
    .statement = "the bytes of a line are UTF-8",
    .message = "byte {1x} is not valid UTF-8 ({0 line|lines} of this profile)",
    .why =
        "paths may contain any bytes on Linux, but profile.proto requires UTF-8, so a converted profile may be refused",
    .spec = "3.4.1 Lines",
    .since = "0.1.0",
};

// The rules for any line, whatever its kind.
void Text::check_bytes(TextKind kind, const Line& line, const Extent& extent) {
    const auto place = [&](uint64_t at, uint64_t length) { return line.record.place<"text">(at, length); };
    if (!extent.is_terminated) profile_.report.add<kMapLineUnterminated>(place(0, extent.whole), {extent.whole});
    if (extent.first_nul != kNone) profile_.once.add<kTextNul>(place(extent.first_nul, 1));
    if (kind == TextKind::mappings) {
        if (line.is_long) profile_.report.add<kTextLineTooLong>(place(0, extent.whole), {extent.whole});
        if (line.length < extent.whole) profile_.once.add<kTextCrlf>(place(line.length, 2));
    }
    if (line.is_long) return;
    const TextScan scan = scan_text(as_bytes(line.text));
    if (scan.ill_formed != kNone) [[unlikely]]
        profile_.once.add<kMapPathNotUtf8>(place(scan.ill_formed, scan.ill_formed_length),
                                           {static_cast<uint8_t>(line.text[scan.ill_formed])});
}

// --- lists of mapped objects -----------------------------------------------------------------------------------------

constexpr Rule kMapLineUnrecognized{
    .id = "gperftools/map-line-unrecognized",
    .severity = Severity::note,
    .statement = "a line is a mapping or a build specifier",
    .message = "neither a mapping nor a build specifier ({0 line|lines} of this profile)",
    .why = "readers ignore such lines, as the document asks them to; if this was a mapping, it is lost",
    .spec = "3.4.1 Lines",
    .since = "0.1.0",
};

constexpr Rule kMapLineMisread{
    .id = "gperftools/map-line-misread",
    .severity = Severity::warning,
    .statement = "no reader mistakes another line for a mapping",
    .message = "Go pprof reads this line as an executable mapping from {1x} to {2x} ({0 line|lines} of this profile)",
    .why =
        "Go pprof assigns the PCs of that range to a nameless mapping instead of the true one; google-pprof ignores "
        "the line, as the document asks it to",
    .spec = "3.4.1 Lines",
    .since = "0.1.0",
};

// Tries the kinds of lines in the order of section 3.4.1.
void Text::check_mapping_text(const Line& line) {
    if (const std::optional<Piece> value = build_specifier_in(line.text))
        return profile_.mappings.define_build(profile_, line, *value);
    if (const std::optional<Mapping> mapping = mapping_in(line.text))
        return profile_.mappings.add(profile_, line, *mapping);
    if (line.is_long || is_blank(line.text)) return;
    const std::optional<Misreading> misread = misreading_of(line.text);
    if (misread && misread->start.fits && misread->end.fits && misread->is_executable)
        profile_.once.add<kMapLineMisread>(line.whole(), {misread->start.value, misread->end.value});
    else
        profile_.once.add<kMapLineUnrecognized>(line.whole());
}

void Text::finish(TextKind kind, uint64_t end) {
    if (kind == TextKind::mappings) return finish_mappings(end);
    profile_.locations.finish(profile_);
}

constexpr Rule kNoMappingLine{
    .id = "gperftools/no-mapping-line",
    .severity = Severity::warning,
    .statement = "the text has a mapping line",
    .message = "no line of the text is a mapping, so the addresses of the program and its libraries are unknown",
    .why =
        "Go pprof assigns every PC to one nameless mapping of the whole address space, and libraries cannot be "
        "symbolized",
    .spec = "3.4 Text List of Mapped Objects",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kNoExecutableMapping{
    .id = "gperftools/no-executable-mapping",
    .severity = Severity::warning,
    .statement = "at least one mapping is executable",
    .message = "no mapping is executable ({0 mapping|mappings} in all)",
    .why = "readers use executable mappings only: nothing can be symbolized",
    .spec = "3.4.4 Ranges and PCs",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

// Section 5.3, whole-text rules.
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
    if (!profile_.wrapped) check_unmapped_pcs(profile_);
}

constinit const RuleList kTextRules =
    rules<&kMapLineUnterminated, &kTextNul, &kTextLineTooLong, &kTextCrlf, &kMapPathNotUtf8, &kMapLineUnrecognized,
          &kMapLineMisread, &kNoMappingLine, &kNoExecutableMapping>;

}  // namespace tracelint::gperftools
