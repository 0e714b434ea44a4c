// The addresses that the mapping lines of a profile list.
#include "grammars/gperftools/checks/mappings.hpp"

#include "grammars/gperftools/checks/profile.hpp"

namespace tracelint::gperftools {

namespace {

template <class Table>
auto overlapping_in(Table& table, uint64_t first, uint64_t last) {
    const auto [before, after] = table.around(first);
    if (after != nullptr && after->key <= last) return after;
    return before != nullptr && before->last >= first ? before : nullptr;
}

}  // namespace

AddressSet::Span* AddressSet::overlapping(uint64_t first, uint64_t last) { return overlapping_in(spans_, first, last); }

bool AddressSet::add(uint64_t first, uint64_t last) {
    for (Span* other = overlapping(first, last); other != nullptr; other = overlapping(first, last)) {
        if (other->key <= first && other->last >= last) return true;
        first = std::min(first, other->key);
        last = std::max(last, other->last);
        spans_.erase(other->key);
    }
    return spans_.insert_there({first, last});
}

Ranges::Range* Ranges::overlapping(uint64_t first, uint64_t last) { return overlapping_in(ranges_, first, last); }

bool Ranges::add(uint64_t first, uint64_t last, uint64_t image, bool is_executable, Overlap& overlap) {
    Range* other = overlapping(first, last);
    overlap = other == nullptr ? Overlap::none : Overlap::other;
    constexpr uint64_t kImageBits = ~uint64_t{0} >> 1;
    const Range added{first, last, image & kImageBits, is_executable};
    if (other != nullptr && other->key == first && other->last == last && added.image != 0 && other->image != 0) {
        if (added.image != other->image) overlap = Overlap::shared;
        other->is_executable |= added.is_executable;
        return true;
    }
    for (; other != nullptr; other = overlapping(first, last)) {
        if (other->key <= first && other->last >= last) {
            other->image = 0;
            return !is_executable || other->is_executable || executable_.add(first, last);
        }
        // If only one of the two is executable, what they are joined to is not.
        if (is_executable && !other->is_executable && !executable_.add(first, last)) return false;
        if (!is_executable && other->is_executable && !executable_.add(other->key, other->last)) return false;
        is_executable = is_executable && other->is_executable;
        first = std::min(first, other->key);
        last = std::max(last, other->last);
        ranges_.erase(other->key);
    }
    return ranges_.insert_there({first, last, overlap == Overlap::none ? added.image : 0, is_executable});
}

bool Ranges::is_executable(uint64_t address) {
    const Range* const range = overlapping(address, address);
    return (range != nullptr && range->is_executable) || executable_.contains(address);
}

// gperftools, sections 3.4.2 to 3.4.4: build specifiers and mapping lines.

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

// A cooked line counts as executable; for a full line the third letter decides.
bool is_executable(LineText line, const Mapping& mapping) {
    return mapping.is_cooked || mapping.permissions.of(line)[2] == 'x';
}

}  // namespace

// --- 3.4.3 Mapping lines ---------------------------------------------------------------------------------------------

constexpr Rule kMapPermsInvalid{
    .id = "gperftools/map-perms-invalid",
    .severity = Severity::warning,
    .statement = "the permissions of a mapping are r or -, w or -, x or -, and p, s or -",
    .message = "invalid permissions ({0 line|lines} of this profile)",
    .why = "google-pprof looks at the third letter only; Go pprof falls back to a pattern that loses the path",
    .spec = "3.4.3 Mapping lines",
    .since = "0.1.0",
};

constexpr Rule kMapPermsShared{
    .id = "gperftools/map-perms-shared",
    .severity = Severity::note,
    .statement = "an executable mapping is not marked as shared",
    .message = "the mapping is executable and marked as shared ({0 line|lines} of this profile)",
    .why = "Go pprof loses the path of such a line, and with it the symbols; gperftools itself writes - instead of s",
    .spec = "3.4.3 Mapping lines",
    .since = "0.1.0",
};

namespace {

void check_permissions(Profile& profile, const Line& line, const Mapping& mapping) {
    if (mapping.is_cooked) return;
    const std::string_view letters = mapping.permissions.of(line.text);
    if (!are_permissions(letters))
        profile.once.add<kMapPermsInvalid>(line.place(mapping.permissions));
    else if (letters.ends_with("xs"))
        profile.once.add<kMapPermsShared>(line.place(mapping.permissions));
}

}  // namespace

constexpr Rule kMapPathGlued{
    .id = "gperftools/map-path-glued",
    .severity = Severity::warning,
    .statement = "a blank separates the path of a mapping from its inode",
    .message = "the path follows the inode without a blank ({0 line|lines} of this profile)",
    .why =
        "Go pprof reads a mapping without a file name, and google-pprof finds no library: there are no symbols. "
        "gperftools 2.16 writes this for inodes of 11 digits or more, as on overlay and network file systems",
    .spec = "3.4.3 Mapping lines",
    .since = "0.1.0",
};

constexpr Rule kMapPathDeleted{
    .id = "gperftools/map-path-deleted",
    .severity = Severity::note,
    .statement = "the file of an executable mapping exists",
    .message = "the file was deleted or replaced while the program ran ({0 line|lines} of this profile)",
    .why =
        "google-pprof ignores the line; Go pprof drops the suffix, and uses the symbols of another build if one took "
        "the file's place",
    .spec = "3.4.3 Mapping lines",
    .since = "0.1.0",
};

constexpr Rule kMapPathSpace{
    .id = "gperftools/map-path-space",
    .severity = Severity::note,
    .statement = "the path of a mapping contains no blank",
    .message = "the path contains a blank ({0 line|lines} of this profile)",
    .why =
        "Go pprof cuts the name at the blank, and google-pprof drops it unless it is a library: the file is not "
        "found, and its functions have no names",
    .spec = "3.4.3 Mapping lines",
    .since = "0.1.0",
};

namespace {

void check_path(Profile& profile, const Line& line, const Mapping& mapping) {
    if (line.is_long) return;
    const Place place = line.place(mapping.path);
    std::string_view path = mapping.path.of(line.text);
    if (mapping.is_glued) profile.once.add<kMapPathGlued>(place);
    if (path.ends_with(kDeleted)) {
        if (is_executable(line.text, mapping)) profile.once.add<kMapPathDeleted>(place);
        path.remove_suffix(kDeleted.size());
    }
    if (path.find(' ') != std::string_view::npos) profile.once.add<kMapPathSpace>(place);
}

}  // namespace

constexpr Rule kMapLineLeadingSpace{
    .id = "gperftools/map-line-leading-space",
    .severity = Severity::warning,
    .statement = "a mapping line begins with its start address",
    .message = "{1 blank precedes|blanks precede} the start address ({0 line|lines} of this profile)",
    .why = "google-pprof ignores the line, so the object's functions have no names; Go pprof accepts it",
    .spec = "3.4.3 Mapping lines",
    .since = "0.1.0",
};

void Mappings::add(Profile& profile, const Line& line, const Mapping& mapping) {
    const bool executable = is_executable(line.text, mapping);
    ++count_;
    executable_count_ += executable;
    if (!mapping.is_cooked && mapping.blanks > 0)
        profile.once.add<kMapLineLeadingSpace>(line.place({0, mapping.blanks}), {uint64_t{mapping.blanks}});
    check_permissions(profile, line, mapping);
    check_path(profile, line, mapping);
    if (!line.is_long) builds_.check_path(profile, line, mapping.path);
    const bool is_kept = check_range(profile, line, mapping);
    if (is_kept) check_order(profile, line, mapping);
    if (profile.tracking) track(profile, line, mapping, is_kept, executable);
}

// --- 3.4.4 Ranges and PCs --------------------------------------------------------------------------------------------

constexpr Rule kMapAddressWidth{
    .id = "gperftools/map-address-width",
    .severity = Severity::warning,
    .statement = "the addresses of a mapping fit into the slots of the profile",
    .message = "an address exceeds {1} bits ({0 line|lines} of this profile)",
    .why =
        "Go pprof ignores a line above 64 bits, and google-pprof warns about 64-bit addresses in a 32-bit profile; "
        "the line is damaged, or belongs to another process than the PCs",
    .spec = "3.4.4 Ranges and PCs",
    .since = "0.1.0",
};

constexpr Rule kMapRangeInverted{
    .id = "gperftools/map-range-inverted",
    .severity = Severity::error,
    .statement = "a mapping does not end before it starts",
    .message = "the mapping starts at {0x} but ends at {1x}",
    .why =
        "it matches no PC in any reader, so the symbols of the object are lost; no writer can produce it: the line is "
        "damaged",
    .spec = "3.4.4 Ranges and PCs",
    .since = "0.1.0",
};

constexpr Rule kMapRangeEmpty{
    .id = "gperftools/map-range-empty",
    .severity = Severity::note,
    .statement = "a mapping has at least one byte",
    .message = "the mapping at {1x} is empty ({0 line|lines} of this profile)",
    .why = "it matches no PC; macOS lists empty segments",
    .spec = "3.4.4 Ranges and PCs",
    .since = "0.1.0",
};

// Only the first of the three rules that is violated is reported, and then the line is dropped.
bool Mappings::check_range(Profile& profile, const Line& line, const Mapping& mapping) {
    const unsigned bits = 8 * profile.layout.word_size;
    const uint64_t start = mapping.start.value, end = mapping.end.value;
    const Place place = line.place(mapping.range);
    const bool is_wide = bits < 64 && (start >> bits != 0 || (end != 0 && (end - 1) >> bits != 0));
    if (!mapping.start.fits || !mapping.end.fits || is_wide) {
        profile.once.add<kMapAddressWidth>(place, {bits});
        return false;
    }
    if (start > end) {
        profile.report.add<kMapRangeInverted>(place, {start, end});
        return false;
    }
    if (start == end) profile.once.add<kMapRangeEmpty>(place, {start});
    return start != end;
}

constexpr Rule kMapUnaligned{
    .id = "gperftools/map-unaligned",
    .severity = Severity::note,
    .statement = "start and end of a mapping are multiples of 4096",
    .message = "the mapping from {1x} to {2x} does not consist of whole pages ({0 line|lines} of this profile)",
    .why =
        "readers accept any address. macOS lists the exact size of a segment; Linux maps whole pages, so a line of a "
        "Linux profile is damaged",
    .spec = "3.4.4 Ranges and PCs",
    .since = "0.1.0",
};

constexpr Rule kMapUnsorted{
    .id = "gperftools/map-unsorted",
    .severity = Severity::note,
    .statement = "mappings are listed by ascending address",
    .message = "the mapping starts at {1x}, below the previous one at {2x} ({0 line|lines} of this profile)",
    .why = "readers accept any order. Linux lists ascending addresses; macOS, FreeBSD and Windows do not",
    .spec = "3.4.4 Ranges and PCs",
    .since = "0.1.0",
};

void Mappings::check_order(Profile& profile, const Line& line, const Mapping& mapping) {
    const uint64_t start = mapping.start.value, end = mapping.end.value;
    const Place place = line.place(mapping.range);
    if (start % kPage != 0 || end % kPage != 0) profile.once.add<kMapUnaligned>(place, {start, end});
    if (start < last_start_) profile.once.add<kMapUnsorted>(place, {start, last_start_});
    last_start_ = start;
}

constexpr Rule kMapOverlap{
    .id = "gperftools/map-overlap",
    .severity = Severity::warning,
    .statement = "no two mappings of a profile overlap",
    .message = "the mapping from {1x} to {2x} overlaps an earlier one ({0 line|lines} of this profile)",
    .why =
        "Go pprof uses the first line that matches a PC, google-pprof an arbitrary one: samples may get the names "
        "of another library. Two processes wrote to the file, or a line is damaged",
    .spec = "3.4.4 Ranges and PCs; 5.3 Text and mappings",
    .since = "0.1.0",
    .severity_override =
        SeverityOverride{
            .severity = Severity::note,
            .when =
                "the range is that of an earlier line with another path, neither line has an inode, and no other line "
                "overlaps the range",
            .message =
                "the mapping from {1x} to {2x} is listed again for another path ({0 line|lines} of this profile)",
            .why = "readers assign the samples in the range to one of the paths. macOS lists the __LINKEDIT segment of "
                   "its shared cache once for each image, and it contains no code"},
};

namespace {

// Distinguishes the images whose ranges may be the same (section 3.4.4): those with a path and without an inode. The
// hash (FNV-1a) decides only about the severity. 0 for all other lines.
uint64_t image_of(LineText line, const Mapping& mapping) {
    if (mapping.has_inode || mapping.path.length == 0) return 0;
    uint64_t hash = 0xcbf29ce484222325;
    for (const char c : mapping.path.of(line)) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
    return hash | 1;
}

}  // namespace

// Remembers the range for the checks of overlaps and of PCs. The range of a dropped line still counts as mapped, with
// its ends in the right order (section 5.3).
void Mappings::track(Profile& profile, const Line& line, const Mapping& mapping, bool is_kept, bool executable) {
    const auto [low, high] = std::minmax(mapping.start.value, mapping.end.value);
    const bool reaches_top = !mapping.start.fits || !mapping.end.fits;
    // An address that does not fit has the value of the highest one that does.
    const bool is_empty = low == high && mapping.start.fits == mapping.end.fits;
    if (is_empty) return;
    ranges_.prefetch_group(low);
    tracked_.add(
        {low, reaches_top ? high : high - 1, image_of(line.text, mapping), is_kept, executable,
         line.place(mapping.range), line.whole()},
        [&](const Tracked& soon) { ranges_.prefetch(soon.first); },
        [&](const Tracked& earlier) { compare(profile, earlier); });
}

// A line that is kept has its last address, one less than its end.
void Mappings::compare(Profile& profile, const Tracked& tracked) {
    if (!profile.tracking) return;
    bool fits = true;
    Overlap overlap = Overlap::none;
    if (tracked.is_kept)
        fits = ranges_.add(tracked.first, tracked.last, tracked.image, tracked.is_executable, overlap);
    else if (tracked.is_executable)
        fits = ranges_.add_executable(tracked.first, tracked.last);
    const uint64_t end = tracked.last + 1;
    if (overlap == Overlap::other) profile.once.add<kMapOverlap>(tracked.range, {tracked.first, end});
    if (overlap == Overlap::shared) profile.once.add_overridden<kMapOverlap>(tracked.range, {tracked.first, end});
    if (!fits) profile.stop_tracking(tracked.line);
}

void Mappings::finish(Profile& profile) {
    tracked_.take_all([&](const Tracked& tracked) { compare(profile, tracked); });
}

void Mappings::stop_tracking(Profile& profile) {
    ranges_.clear();
    profile.once.drop(kMapOverlap);
}

void Mappings::clear() {
    tracked_.take_all([](const Tracked&) {});
    ranges_.clear();
    builds_.clear();
    count_ = executable_count_ = last_start_ = 0;
}

// --- 3.4.2 Build specifiers ------------------------------------------------------------------------------------------

constexpr Rule kBuildRedefined{
    .id = "gperftools/build-redefined",
    .severity = Severity::warning,
    .statement = "all build specifiers of a profile are the same",
    .message = "this build specifier differs from the first one ({0 line|lines} of this profile)",
    .why =
        "the document and google-pprof use the last specifier before a path, but Go pprof uses the first one for all "
        "paths: one of the two looks for the files in the wrong place",
    .spec = "3.4.2 Build specifiers",
    .since = "0.1.0",
};

// A line that is too long is not compared. As the first one, it is compared as far as it is looked at.
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
    if (!is_same && !line.is_long) profile.once.add<kBuildRedefined>(line.whole());
}

constexpr Rule kBuildVarUndefined{
    .id = "gperftools/build-var-undefined",
    .severity = Severity::warning,
    .statement = "a build specifier precedes each use of $build in a path",
    .message = "no build specifier precedes this $build ({0 use|uses} in this profile)",
    .why = "readers keep $build as it is, or replace it with nothing: the file of the mapping is not found",
    .spec = "3.4.2 Build specifiers",
    .since = "0.1.0",
};

constexpr Rule kBuildVarBoundary{
    .id = "gperftools/build-var-boundary",
    .severity = Severity::warning,
    .statement = "no letter, digit or underscore follows $build in a path",
    .message = "a word character follows this $build ({0 use|uses} in this profile)",
    .why =
        "this is no variable to the document and google-pprof, but Go pprof substitutes the value anyway: the readers "
        "look for different files",
    .spec = "3.4.2 Build specifiers",
    .since = "0.1.0",
};

void BuildVariables::check_path(Profile& profile, const Line& line, const Piece& path) const {
    const std::string_view text = path.of(line.text);
    for (size_t at = text.find(kVariable); at != text.npos; at = text.find(kVariable, at + 1)) {
        const size_t after = at + kVariable.size();
        const bool is_bounded = after == text.size() || !is_word(text[after]);
        const Place place = line.place({path.at + at, kVariable.size()});
        if (!is_defined_ && is_bounded) profile.once.add<kBuildVarUndefined>(place);
        if (is_defined_ && !is_bounded) profile.once.add<kBuildVarBoundary>(place);
    }
}

// --- the rules of this file ------------------------------------------------------------------------------------------

constinit const RuleList kMappingRules =
    rules<&kMapPermsInvalid, &kMapPermsShared, &kMapPathGlued, &kMapPathDeleted, &kMapPathSpace, &kMapLineLeadingSpace,
          &kMapAddressWidth, &kMapRangeInverted, &kMapRangeEmpty, &kMapUnaligned, &kMapUnsorted, &kMapOverlap,
          &kBuildRedefined, &kBuildVarUndefined, &kBuildVarBoundary>;

}  // namespace tracelint::gperftools
