// gperftools, section 5.3: the lines of the text, whatever they say.
#pragma once

#include "validator/rule.hpp"

namespace tracelint::gperftools {

inline constexpr Rule kMissingMapList{
    .id = "gperftools/missing-map-list",
    .severity = Severity::warning,
    .statement = "a list of mapped objects follows the trailer",
    .message = "the list of mapped objects is missing: nothing follows the trailer",
    .why =
        "Go pprof puts every PC into one nameless mapping of all addresses, and libraries cannot be symbolized; Go "
        "runtimes up to 1.8 wrote no list",
    .spec = "3.4 Text List of Mapped Objects",
    .since = "0.1.0"};

inline constexpr Rule kNoMappingLine{
    .id = "gperftools/no-mapping-line",
    .severity = Severity::warning,
    .statement = "the text has a mapping line",
    .message = "no line of the text is a mapping: nothing says where the program and its libraries were",
    .why = "Go pprof puts every PC into one nameless mapping of all addresses, and libraries cannot be symbolized",
    .spec = "3.4 Text List of Mapped Objects",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr Rule kMapLineUnterminated{
    .id = "gperftools/map-line-unterminated",
    .severity = Severity::warning,
    .statement = "the text ends with a line end",
    .message = "the last line, of {0 byte|bytes}, has no line end",
    .why =
        "readers use what is there as if it were complete, but its path or even its permissions may be cut, and "
        "further lines may be missing: the process died while it wrote, or the disk was full",
    .spec = "3.4.1 Lines",
    .since = "0.1.0",
    .about_end = true};

inline constexpr Rule kTextLineTooLong{
    .id = "gperftools/text-line-too-long",
    .severity = Severity::error,
    .statement = "a line of the text has less than 65536 bytes",
    .message = "the line has {0} bytes, and Go pprof takes up to 65535",
    .why = "Go pprof refuses the whole file (\"bufio.Scanner: token too long\"); google-pprof takes the line",
    .spec = "3.4.1 Lines",
    .since = "0.1.0"};

inline constexpr Rule kTextNul{
    .id = "gperftools/text-nul",
    .severity = Severity::warning,
    .statement = "the text has no NUL bytes",
    .message = "a NUL byte in the text ({0 line has|lines have} any in this profile)",
    .why =
        "no path can hold one, and readers keep it in names: a block of the file was lost or overwritten, so look "
        "for missing mappings",
    .spec = "3.4.1 Lines",
    .since = "0.1.0"};

inline constexpr Rule kTextCrlf{
    .id = "gperftools/text-crlf",
    .severity = Severity::warning,
    .statement = "a line ends with LF alone",
    .message = "a line ends with CR and LF ({0 line|lines} of this profile)",
    .why =
        "google-pprof finds no library, as its patterns end at the path, and shows addresses only; Go pprof does "
        "not mind. The file was transferred as text, which probably damaged its binary part, too",
    .spec = "3.4.1 Lines",
    .since = "0.1.0"};

inline constexpr Rule kMapPathNotUtf8{
    .id = "gperftools/map-path-not-utf8",
    .severity = Severity::note,
    .statement = "the bytes of a line are UTF-8",
    .message = "byte {1x} does not belong to a UTF-8 sequence ({0 line has|lines have} any in this profile)",
    .why = "paths may hold any bytes on Linux; profile.proto wants UTF-8, so a converted profile may be refused",
    .spec = "3.4.1 Lines",
    .since = "0.1.0"};

inline constexpr Rule kMapLineLeadingSpace{
    .id = "gperftools/map-line-leading-space",
    .severity = Severity::warning,
    .statement = "a mapping line begins with its start address",
    .message = "{1 blank stands|blanks stand} before the start address ({0 line|lines} of this profile)",
    .why = "google-pprof ignores the line, so that the object's functions have no names; Go pprof takes it",
    .spec = "3.4.3 Mapping lines",
    .since = "0.1.0"};

inline constexpr Rule kMapLineUnrecognized{
    .id = "gperftools/map-line-unrecognized",
    .severity = Severity::note,
    .statement = "a line is a mapping or a build specifier",
    .message = "neither a mapping nor a build specifier ({0 line|lines} of this profile)",
    .why = "readers ignore such lines, as the document asks them to; if it was meant to be a mapping, it is lost",
    .spec = "3.4.1 Lines",
    .since = "0.1.0"};

inline constexpr Rule kMapLineMisread{
    .id = "gperftools/map-line-misread",
    .severity = Severity::warning,
    .statement = "no reader takes a line for a mapping that is none",
    .message = "Go pprof takes this line for an executable mapping from {1x} to {2x} ({0 line|lines} of this profile)",
    .why =
        "Go pprof assigns the PCs of that range to a mapping without a name, away from the true one; google-pprof "
        "ignores the line, as the document asks it to",
    .spec = "3.4.1 Lines",
    .since = "0.1.0"};

// In the order of the digest's table.
inline constexpr const Rule* kTextRules[] = {
    &kMissingMapList, &kNoMappingLine,  &kMapLineUnterminated, &kTextLineTooLong,     &kTextNul,
    &kTextCrlf,       &kMapPathNotUtf8, &kMapLineLeadingSpace, &kMapLineUnrecognized, &kMapLineMisread,
};

}  // namespace tracelint::gperftools
