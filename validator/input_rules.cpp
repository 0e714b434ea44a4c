// The engine's own rules: about inputs as such, and about the containers that inputs come in.
#include "validator/tracelint.hpp"

namespace tracelint {

constinit const Rule kUnknownFormat{
    .id = "input/unknown-format",
    .severity = Severity::error,
    .statement = "an input is a trace in one of the known formats",
    .message = "the first bytes are not those of any known format",
    .why = "nothing of the input was checked; --as names the format where recognition fails",
    .spec = "tracelint",
    .since = "0.1.0",
    .of_input = true,
};

constinit const Rule kInputChanged{
    .id = "input/changed",
    .severity = Severity::note,
    .statement = "an input stays as it is while it is read",
    .message = "the file was changed by another process while it was read",
    .why = "the findings mix the old and the new content; check the file again when its writer is done",
    .spec = "tracelint",
    .since = "0.1.0",
    .of_input = true,
};

constinit const Rule kGzipTruncated{
    .id = "gzip/truncated",
    .severity = Severity::error,
    .statement = "the gzip member ends with its CRC-32 and its length",
    .message = "the gzip container ends within a member, after {0} bytes of data",
    .why =
        "the end of the trace is missing and gzip refuses the file; "
        "what was unfolded is checked as far as it goes",
    .spec = "RFC 1952, section 2.3",
    .since = "0.1.0",
    .of_input = true,
    .of_container = true,
};

constinit const Rule kGzipCorrupt{
    .id = "gzip/corrupt",
    .severity = Severity::error,
    .statement = "header, deflate data, CRC-32 and length of the gzip member are right",
    .message = "the gzip container is damaged, after {0} bytes of data",
    .why =
        "gzip refuses the file, and the data before the fault may be wrong too; "
        "findings in the trace may follow from this one",
    .spec = "RFC 1952, section 2.3",
    .since = "0.1.0",
    .of_input = true,
    .of_container = true,
};

constinit const Rule kGzipTrailingData{
    .id = "gzip/trailing-data",
    .severity = Severity::warning,
    .statement = "nothing but zero padding follows the gzip member",
    .message = "bytes follow the gzip member that holds the trace",
    .why = "readers stop at the end of the member: whatever the bytes hold, a further member included, is lost",
    .spec = "RFC 1952, section 2.2",
    .since = "0.1.0",
    .of_input = true,
    .of_container = true,
};

constinit const Rule kGzipTooLarge{
    .id = "gzip/too-large",
    .severity = Severity::error,
    .statement = "a gzip container unfolds to no more than a checker is willing to read",
    .message = "the gzip container unfolds to more than {0} bytes, or to more than 256 for each of its own",
    .why =
        "a small file that unfolds without end fills the disk or the memory of whoever opens it; "
        "the trace is checked up to the limit",
    .spec = "tracelint",
    .since = "0.1.0",
    .of_input = true,
    .of_container = true,
};

std::span<const Rule* const> input_rules() {
    static constexpr const Rule* kRules[] = {
        &kUnknownFormat, &kInputChanged, &kGzipTruncated, &kGzipCorrupt, &kGzipTrailingData, &kGzipTooLarge,
    };
    return kRules;
}

}  // namespace tracelint
