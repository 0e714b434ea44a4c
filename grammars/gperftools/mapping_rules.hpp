// gperftools, section 5.3: what mapping lines say, and which PCs they explain.
#pragma once

#include "validator/rule.hpp"

namespace tracelint::gperftools {

inline constexpr Rule kMapPermsInvalid{
    .id = "gperftools/map-perms-invalid",
    .severity = Severity::warning,
    .statement = "the permissions of a mapping are r or -, w or -, x or -, and p, s or -",
    .message = "these are no permissions ({0 line|lines} of this profile)",
    .why = "google-pprof looks at the third letter only; Go pprof falls back to a pattern that loses the path",
    .spec = "3.4.3 Mapping lines",
    .since = "0.1.0"};

inline constexpr Rule kMapPermsShared{
    .id = "gperftools/map-perms-shared",
    .severity = Severity::note,
    .statement = "an executable mapping is not marked as shared",
    .message = "the permissions say executable and shared ({0 line|lines} of this profile)",
    .why = "Go pprof loses the path of such a line, and so its symbols; gperftools itself writes - for s",
    .spec = "3.4.3 Mapping lines",
    .since = "0.1.0"};

inline constexpr Rule kMapAddressWidth{
    .id = "gperftools/map-address-width",
    .severity = Severity::warning,
    .statement = "the addresses of a mapping fit into the slots of the profile",
    .message = "the addresses exceed {1} bits ({0 line|lines} of this profile)",
    .why =
        "Go pprof ignores a line above 64 bits, and google-pprof warns of 64-bit addresses in a 32-bit profile; "
        "the line is damaged, or of another process than the PCs",
    .spec = "3.4.4 Ranges and PCs",
    .since = "0.1.0"};

inline constexpr Rule kMapRangeInverted{
    .id = "gperftools/map-range-inverted",
    .severity = Severity::error,
    .statement = "a mapping does not end before it starts",
    .message = "the mapping starts at {0x} and ends before, at {1x}",
    .why =
        "it matches no PC in any reader: the symbols of the object are lost; no writer can produce it, so the line "
        "is damaged",
    .spec = "3.4.4 Ranges and PCs",
    .since = "0.1.0"};

inline constexpr Rule kMapRangeEmpty{.id = "gperftools/map-range-empty",
                                     .severity = Severity::note,
                                     .statement = "a mapping has at least one byte",
                                     .message = "the mapping at {1x} is empty ({0 line|lines} of this profile)",
                                     .why = "it matches no PC; macOS lists segments without bytes",
                                     .spec = "3.4.4 Ranges and PCs",
                                     .since = "0.1.0"};

inline constexpr Rule kMapUnaligned{
    .id = "gperftools/map-unaligned",
    .severity = Severity::note,
    .statement = "start and end of a mapping are multiples of 4096",
    .message = "the mapping from {1x} to {2x} does not consist of whole pages ({0 line|lines} of this profile)",
    .why = "all writers list whole pages: the line was damaged, or written by another program",
    .spec = "3.4.4 Ranges and PCs",
    .since = "0.1.0"};

inline constexpr Rule kMapOverlap{
    .id = "gperftools/map-overlap",
    .severity = Severity::warning,
    .statement = "no two mappings of a profile overlap",
    .message = "the mapping from {1x} to {2x} overlaps one before it ({0 line does|lines do} in this profile)",
    .why =
        "Go pprof takes the first line that matches a PC, google-pprof an arbitrary one: samples may get the names "
        "of another library. Typical for a file that two processes wrote at the same time",
    .spec = "3.4.4 Ranges and PCs",
    .since = "0.1.0"};

inline constexpr Rule kMapUnsorted{
    .id = "gperftools/map-unsorted",
    .severity = Severity::note,
    .statement = "mappings are listed by ascending address",
    .message =
        "the mapping starts at {1x}, below {2x}, the one before it ({0 line does so|lines do so} in this profile)",
    .why = "readers take any order. Linux lists ascending addresses; macOS, FreeBSD and Windows do not",
    .spec = "3.4.4 Ranges and PCs",
    .since = "0.1.0"};

inline constexpr Rule kMapPathGlued{
    .id = "gperftools/map-path-glued",
    .severity = Severity::warning,
    .statement = "a blank separates the path of a mapping from its inode",
    .message = "the path follows its inode without a blank ({0 line|lines} of this profile)",
    .why =
        "Go pprof has a mapping without a file name, and google-pprof finds no library: no symbols. gperftools 2.16 "
        "wrote this where an inode has 11 digits or more, as on overlay and network file systems",
    .spec = "3.4.3 Mapping lines",
    .since = "0.1.0"};

inline constexpr Rule kMapPathSpace{
    .id = "gperftools/map-path-space",
    .severity = Severity::note,
    .statement = "the path of a mapping has no blank",
    .message = "the path has a blank in it ({0 line|lines} of this profile)",
    .why =
        "Go pprof cuts the name at the blank, and google-pprof drops it unless it is a library: the file is not "
        "found, and its functions have no names",
    .spec = "3.4.3 Mapping lines",
    .since = "0.1.0"};

inline constexpr Rule kMapPathDeleted{
    .id = "gperftools/map-path-deleted",
    .severity = Severity::note,
    .statement = "the file of an executable mapping exists",
    .message = "the file was deleted or replaced while the program ran ({0 line|lines} of this profile)",
    .why =
        "google-pprof does not use such a line; Go pprof drops the suffix, and takes the symbols of another build if "
        "there is one in its place",
    .spec = "3.4.3 Mapping lines",
    .since = "0.1.0"};

inline constexpr Rule kBuildVarUndefined{
    .id = "gperftools/build-var-undefined",
    .severity = Severity::warning,
    .statement = "a build specifier precedes each use of $build in a path",
    .message = "no build specifier stands before this $build ({0 use|uses} in this profile)",
    .why = "readers leave $build as it is, or put nothing in its place: the file of the mapping is not found",
    .spec = "3.4.2 Build specifiers",
    .since = "0.1.0"};

inline constexpr Rule kBuildRedefined{
    .id = "gperftools/build-redefined",
    .severity = Severity::warning,
    .statement = "all build specifiers of a profile are the same",
    .message = "this build specifier differs from the first one ({0 line|lines} of this profile)",
    .why =
        "by the document and in google-pprof the last one before a path counts, but Go pprof uses the first one for "
        "all: one of them looks for the files in the wrong place",
    .spec = "3.4.2 Build specifiers",
    .since = "0.1.0"};

inline constexpr Rule kBuildVarBoundary{
    .id = "gperftools/build-var-boundary",
    .severity = Severity::warning,
    .statement = "no letter, digit or underscore follows $build in a path",
    .message = "a word character follows this $build ({0 use|uses} in this profile)",
    .why =
        "by the document and in google-pprof it is no variable then, but Go pprof puts the value in its place all "
        "the same: the readers look for different files",
    .spec = "3.4.2 Build specifiers",
    .since = "0.1.0"};

inline constexpr Rule kNoExecutableMapping{.id = "gperftools/no-executable-mapping",
                                           .severity = Severity::warning,
                                           .statement = "some mapping is executable",
                                           .message = "none of the {0 mapping|mappings} is executable",
                                           .why = "readers use executable mappings only: nothing can be symbolized",
                                           .spec = "3.4.4 Ranges and PCs",
                                           .since = "0.1.0",
                                           .decided_later = true};

inline constexpr Rule kPcUnmappedLeaf{
    .id = "gperftools/pc-unmapped-leaf",
    .severity = Severity::warning,
    .statement = "the sampled PC of each record lies in an executable mapping",
    .message =
        "the sampled PC {3x} lies in no executable mapping; {0} of {1} records ({2 sample|samples}) have such a PC",
    .why =
        "these samples have no name: a library was unloaded before the end, code was generated at run time, or the "
        "unwinder failed. google-pprof blames the main program",
    .spec = "3.4.4 Ranges and PCs",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr Rule kPcUnmappedCaller{
    .id = "gperftools/pc-unmapped-caller",
    .severity = Severity::note,
    .statement = "the return addresses of a call chain lie in executable mappings",
    .message = "the return address {1x} lies in no executable mapping ({0 address|addresses} of this profile)",
    .why = "these frames have no name; where code has no frame pointers, unwinders often deliver garbage",
    .spec = "3.4.4 Ranges and PCs",
    .since = "0.1.0",
    .decided_later = true};

// In the order of the digest's table.
inline constexpr const Rule* kMappingRules[] = {
    &kMapPermsInvalid, &kMapPermsShared,    &kMapAddressWidth, &kMapRangeInverted, &kMapRangeEmpty,
    &kMapUnaligned,    &kMapOverlap,        &kMapUnsorted,     &kMapPathGlued,     &kMapPathSpace,
    &kMapPathDeleted,  &kBuildVarUndefined, &kBuildRedefined,  &kBuildVarBoundary, &kNoExecutableMapping,
    &kPcUnmappedLeaf,  &kPcUnmappedCaller,
};

}  // namespace tracelint::gperftools
