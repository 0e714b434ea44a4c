// gperftools, sections 3.4 and 5.3 (M): mapping lines and build specifiers.
#include "grammars/gperftools/mappings.hpp"

#include "grammars/gperftools/profile.hpp"

namespace tracelint::gperftools {
namespace {

constexpr uint64_t kPage = 4096;
constexpr std::string_view kDeleted = " (deleted)";
constexpr std::string_view kVariable = "$build";

constexpr bool is_word(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

bool are_permissions(std::string_view letters) {
    constexpr std::string_view allowed[] = {"r-", "w-", "x-", "ps-"};
    for (size_t i = 0; i < std::size(allowed); ++i)
        if (allowed[i].find(letters[i]) == std::string_view::npos) return false;
    return true;
}

// A cooked line stands for an executable mapping; of a full one the third letter tells.
bool is_executable(LineText line, const Mapping& mapping) {
    return mapping.is_cooked || mapping.permissions.of(line)[2] == 'x';
}

void check_permissions(Profile& profile, const Line& line, const Mapping& mapping) {
    if (mapping.is_cooked) return;
    const std::string_view letters = mapping.permissions.of(line.text);
    if (!are_permissions(letters))
        profile.once.add(kMapPermsInvalid, line.place(mapping.permissions));
    else if (letters.ends_with("xs"))
        profile.once.add(kMapPermsShared, line.place(mapping.permissions));
}

void check_path(Profile& profile, const Line& line, const Mapping& mapping) {
    if (line.is_long) return;
    const Place place = line.place(mapping.path);
    std::string_view path = mapping.path.of(line.text);
    if (mapping.is_glued) profile.once.add(kMapPathGlued, place);
    if (path.ends_with(kDeleted)) {
        if (is_executable(line.text, mapping)) profile.once.add(kMapPathDeleted, place);
        path.remove_suffix(kDeleted.size());
    }
    if (path.find(' ') != std::string_view::npos) profile.once.add(kMapPathSpace, place);
}

}  // namespace

// --- mapping lines -----------------------------------------------------------------------------------------

void Mappings::add(Profile& profile, const Line& line, const Mapping& mapping) {
    const bool executable = is_executable(line.text, mapping);
    ++count_;
    executable_count_ += executable;
    if (!mapping.is_cooked && mapping.blanks > 0)
        profile.once.add(kMapLineLeadingSpace, line.place({0, mapping.blanks}), {mapping.blanks});
    check_permissions(profile, line, mapping);
    check_path(profile, line, mapping);
    if (!line.is_long) builds_.check_path(profile, line, mapping.path);
    const bool is_kept = check_range(profile, line, mapping);
    if (is_kept) check_order(profile, line, mapping);
    if (profile.tracking) track(profile, line, mapping, is_kept, executable);
}

// The first of three rules that fires is the only one, and then the line takes no part in the others.
bool Mappings::check_range(Profile& profile, const Line& line, const Mapping& mapping) {
    const unsigned bits = 8 * profile.layout.word_size;
    const uint64_t start = mapping.start.value, end = mapping.end.value;
    const Place place = line.place(mapping.range);
    const bool is_wide = bits < 64 && (start >> bits != 0 || (end != 0 && (end - 1) >> bits != 0));
    if (!mapping.start.fits || !mapping.end.fits || is_wide) {
        profile.once.add(kMapAddressWidth, place, {bits});
        return false;
    }
    if (start > end) {
        profile.report.add(kMapRangeInverted, place, {start, end});
        return false;
    }
    if (start == end) profile.once.add(kMapRangeEmpty, place, {start});
    return start != end;
}

void Mappings::check_order(Profile& profile, const Line& line, const Mapping& mapping) {
    const uint64_t start = mapping.start.value, end = mapping.end.value;
    const Place place = line.place(mapping.range);
    if (start % kPage != 0 || end % kPage != 0) profile.once.add(kMapUnaligned, place, {start, end});
    if (start < last_start_) profile.once.add(kMapUnsorted, place, {start, last_start_});
    last_start_ = start;
}

// What the pc rules and map-overlap go by. A dropped line's range counts as mapped all the same, the right way round.
void Mappings::track(Profile& profile, const Line& line, const Mapping& mapping, bool is_kept, bool executable) {
    const auto [low, high] = std::minmax(mapping.start.value, mapping.end.value);
    const bool reaches_top = !mapping.start.fits || !mapping.end.fits;
    // An address that does not fit has the value of the highest one that does.
    const bool is_empty = low == high && mapping.start.fits == mapping.end.fits;
    if (is_empty) return;
    const uint64_t last = reaches_top ? high : high - 1;
    bool fits = true, overlaps = false, joined = false;
    if (is_kept) fits = all_.add(low, last, overlaps);
    if (fits && executable) fits = executable_.add(low, last, joined);
    if (overlaps) profile.once.add(kMapOverlap, line.place(mapping.range), {low, high});
    if (!fits) profile.stop_tracking(line.whole());
}

void Mappings::release() {
    all_.clear();
    executable_.clear();
}

void Mappings::clear() {
    release();
    builds_.clear();
    count_ = executable_count_ = last_start_ = 0;
}

// --- build specifiers -----------------------------------------------------------------------------------------

// Of a line that is too long nothing is said; as the first one it has bytes that are not looked into.
void BuildVariables::define(Profile& profile, const Line& line, const Piece& value) {
    const std::string_view text = value.of(line.text);
    const uint64_t length = line.length - value.at;
    if (!is_defined_) {
        is_defined_ = true;
        first_ = text;
        first_length_ = length;
        return;
    }
    const bool is_same = length == first_length_ && text.starts_with(first_);
    if (!is_same && !line.is_long) profile.once.add(kBuildRedefined, line.whole());
}

void BuildVariables::check_path(Profile& profile, const Line& line, const Piece& path) const {
    const std::string_view text = path.of(line.text);
    for (size_t at = text.find(kVariable); at != text.npos; at = text.find(kVariable, at + 1)) {
        const size_t behind = at + kVariable.size();
        const bool is_bounded = behind == text.size() || !is_word(text[behind]);
        const Place place = line.place({path.at + at, kVariable.size()});
        if (!is_defined_ && is_bounded) profile.once.add(kBuildVarUndefined, place);
        if (is_defined_ && !is_bounded) profile.once.add(kBuildVarBoundary, place);
    }
}

}  // namespace tracelint::gperftools
