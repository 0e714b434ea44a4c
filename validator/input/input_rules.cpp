// The engine's own rules: about the input itself, and about its container.
#include "validator/input/input_rules.hpp"

#include "validator/report/report.hpp"

namespace tracelint {

constinit const Rule kUnknownFormat{
    .id = "input/unknown-format",
    .severity = Severity::error,
    .statement = "every input is a trace in a known format",
    .message = "the file is not in a known format; {text}",
    .why = "nothing was checked",
    .spec = "tracelint",
    .since = "0.1.0",
    .of_input = true,
};

constinit const Rule kEmptyInput{
    .id = "input/empty",
    .severity = Severity::error,
    .statement = "every input has at least one byte",
    .message = "the file is empty: the writer wrote nothing",
    .why = "nothing was checked",
    .spec = "tracelint",
    .since = "0.2.0",
    .of_input = true,
};

constinit const Rule kGitLfsPointer{
    .id = "input/git-lfs-pointer",
    .severity = Severity::error,
    .statement = "every input is the file itself, not a Git LFS pointer to it",
    .message = "this is a Git LFS pointer, not the file itself",
    .why = "nothing was checked",
    .spec = "tracelint",
    .since = "0.2.0",
    .of_input = true,
};

constinit const Rule kTextMangled{
    .id = "input/text-mangled",
    .severity = Severity::note,
    .statement = "a binary file is copied byte by byte, not as text",
    .message = "the file went through a text filter: {0 place|places} in its first {1 byte|bytes} show it",
    .why =
        "bytes were replaced or inserted, and most other findings follow from that; copy the original again in binary "
        "mode, or record a new trace",
    .spec = "tracelint",
    .since = "0.2.0",
    .of_input = true,
    .depends_on = {.later_records = true},
};

constinit const Rule kGzipTruncated{
    .id = "gzip/truncated",
    .severity = Severity::error,
    .statement = "a gzip member ends with its CRC-32 and its length",
    .message = "the gzip file ends inside a member, after {0} bytes of decompressed data",
    .why =
        "the end of the trace is missing, and gzip rejects the file; "
        "the data that could be decompressed was checked",
    .spec = "RFC 1952, section 2.3",
    .since = "0.1.0",
    .of_input = true,
    .of_container = true,
};

constinit const Rule kGzipCorrupt{
    .id = "gzip/corrupt",
    .severity = Severity::error,
    .statement = "the header, deflate data, CRC-32 and length of a gzip member are valid",
    .message = "the gzip file is corrupt after {0} bytes of decompressed data",
    .why =
        "gzip rejects the file, and the data before the fault may be wrong too; "
        "other findings may be consequences of this one",
    .spec = "RFC 1952, section 2.3",
    .since = "0.1.0",
    .of_input = true,
    .of_container = true,
};

constinit const Rule kGzipTrailingData{
    .id = "gzip/trailing-data",
    .severity = Severity::warning,
    .statement = "only further gzip members follow a gzip member, and zero padding the last one",
    .message = "the data after the last gzip member is not a gzip member",
    .why =
        "gzip warns and ignores everything from here on; the readers of Go and Python reject the whole file; "
        "it was not checked",
    .spec = "RFC 1952, section 2.2",
    .since = "0.1.0",
    .of_input = true,
    .of_container = true,
    .severity_override =
        SeverityOverride{.severity = Severity::error,
                         .when = "the readers of the format refuse any byte after the last member, also padding",
                         .message = "the file continues after the last gzip member; expected its end",
                         .why = "the readers of this format refuse the whole file, also because of zeros; "
                                "what follows the member was not checked"},
};

constinit const Rule kGzipTooLarge{
    .id = "gzip/too-large",
    .severity = Severity::error,
    .statement = "a gzip file decompresses to at most 16 GiB and, beyond 64 MiB, to at most 256 times its size",
    .message = "the gzip file decompresses to more than {0} bytes, or to more than 256 times its size",
    .why =
        "a small file that decompresses to a huge one fills the disk or memory of its reader; "
        "the trace was checked up to the limit",
    .spec = "tracelint",
    .since = "0.1.0",
    .of_input = true,
    .of_container = true,
};

constinit const Rule kZstdTruncated{
    .id = "zstd/truncated",
    .severity = Severity::error,
    .statement = "a zstd frame ends with its last block and, if it has one, its checksum",
    .message = "the zstd file ends inside a frame, after {0} bytes of decompressed data",
    .why =
        "the end of the trace is missing, and zstd rejects the file; "
        "the data that could be decompressed was checked",
    .spec = "RFC 8878, section 3.1.1",
    .since = "0.2.0",
    .of_input = true,
    .of_container = true,
};

constinit const Rule kZstdCorrupt{
    .id = "zstd/corrupt",
    .severity = Severity::error,
    .statement = "the header, blocks and checksum of a zstd frame are valid, and it needs no dictionary",
    .message = "the zstd frame that begins here is corrupt after {0} bytes of decompressed data in all",
    .why =
        "zstd rejects the file, and the data before the fault may be wrong too; "
        "other findings may be consequences of this one",
    .spec = "RFC 8878, section 3.1.1",
    .since = "0.2.0",
    .of_input = true,
    .of_container = true,
};

constinit const Rule kZstdTrailingData{
    .id = "zstd/trailing-data",
    .severity = Severity::error,
    .statement = "only further zstd frames follow a zstd frame",
    .message = "the data after the last zstd frame is not a zstd frame",
    .why = "zstd fails and keeps nothing of what it decompressed; the data from here on was not checked",
    .spec = "RFC 8878, section 3.1",
    .since = "0.2.0",
    .of_input = true,
    .of_container = true,
};

constinit const Rule kZstdTooLarge{
    .id = "zstd/too-large",
    .severity = Severity::error,
    .statement = "a zstd file decompresses to at most 16 GiB and, beyond 64 MiB, to at most 1024 times its size",
    .message = "the zstd file decompresses to more than {0} bytes, or to more than 1024 times its size",
    .why =
        "a small file that decompresses to a huge one fills the disk or memory of its reader; "
        "the trace was checked up to the limit",
    .spec = "tracelint",
    .since = "0.2.0",
    .of_input = true,
    .of_container = true,
};

constinit const Rule kZstdWindowTooLarge{
    .id = "zstd/window-too-large",
    .severity = Severity::error,
    .statement = "a zstd frame needs a window of at most 128 MiB",
    .message = "the zstd frame that begins here needs a window of more than 128 MiB",
    .why =
        "zstd rejects the file unless it gets --long or --memory; the trace was checked up to here. "
        "Compress it again without --long",
    .spec = "RFC 8878, section 3.1.1.1.2",
    .since = "0.2.0",
    .of_input = true,
    .of_container = true,
};

constinit const Rule kZstdTrackingLimit{
    .id = "zstd/tracking-limit",
    .severity = Severity::note,
    .statement = "the window of a zstd frame fits into the memory limit of this run",
    .message = "the memory limit does not allow for the window of the zstd frame that begins here",
    .why = "the trace was checked up to here; not a fault of the file; --max-memory raises the limit",
    .spec = "tracelint",
    .since = "0.2.0",
    .of_input = true,
    .of_container = true,
};

RuleList input_rules() {
    return rules<&kUnknownFormat, &kEmptyInput, &kGitLfsPointer, &kInputChanged, &kInputGrowing, &kInputTrackingLimit,
                 &kTextMangled, &kGzipTruncated, &kGzipCorrupt, &kGzipTrailingData, &kGzipTooLarge, &kZstdTruncated,
                 &kZstdCorrupt, &kZstdTrailingData, &kZstdTooLarge, &kZstdWindowTooLarge, &kZstdTrackingLimit>;
}

}  // namespace tracelint
