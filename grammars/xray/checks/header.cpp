// XRay, section 3.1: the header of FDR and basic files.
#include "grammars/xray/checks/header.hpp"

#include "validator/tables/text_scan.hpp"

namespace tracelint::xray {
namespace {

View<kHeader> header_of(Bytes opening, ByteOrder order) { return {opening.data(), 0, order, kNone}; }

constexpr Rule kZeroCycleFrequency{
    .id = "xray/zero-cycle-frequency",
    .severity = Severity::warning,
    .statement = "cycle_frequency is not 0",
    .message = "cycle_frequency is 0",
    .why = "llvm-xray divides by it: all times of a converted trace are INF",
    .spec = "3.1 Header Section",
    .since = "0.1.0",
};

constexpr Rule kImplausibleCycleFrequency{
    .id = "xray/implausible-cycle-frequency",
    .severity = Severity::note,
    .statement = "cycle_frequency is plausible for a TSC: 1 MHz to 100 GHz",
    .message = "cycle_frequency is {0} Hz; expected 1000000 to 100000000000",
    .why = "all times that readers print are wrong by the same factor",
    .spec = "3.1 Header Section",
    .since = "0.1.0",
};

void check_frequency(Report& report, const View<kHeader>& header) {
    const uint64_t hertz = header.get<"cycle_frequency">();
    if (hertz == 0)
        report.add<kZeroCycleFrequency>(header.place<"cycle_frequency">());
    else if (!is_plausible_frequency(hertz))
        report.add<kImplausibleCycleFrequency>(header.place<"cycle_frequency">(), {hertz});
}

constexpr Rule kHeaderReservedNonzero{
    .id = "xray/header-reserved-nonzero",
    .severity = Severity::note,
    .statement = "reserved bits and bytes of the header are zero",
    .message = "reserved header bytes are not zero",
    .why = "readers ignore them; basic files of real runtimes carry uninitialised memory here",
    .spec = "3.1 Header Section",
    .since = "0.1.0",
};

// The bits first, then the bytes that the family does not use. At most one of them is reported.
void check_reserved(Report& report, const View<kHeader>& header) {
    if (header.get<"reserved_bits">() != 0) return report.add<kHeaderReservedNonzero>(header.place<"reserved_bits">());
    if (header.get<"type">() == kFdrType) {
        if (header.get<"reserved">() != 0) report.add<kHeaderReservedNonzero>(header.place<"reserved">());
        return;
    }
    constexpr uint64_t from = View<kHeader>::offset_of<"buffer_size">();
    if (header.get<"buffer_size">() != 0 || header.get<"reserved">() != 0)
        report.add<kHeaderReservedNonzero>(header.place<"buffer_size">(from, kHeaderSize - from));
}

constexpr Rule kZeroBufferSize{
    .id = "xray/zero-buffer-size",
    .severity = Severity::error,
    .statement = "buffer_size has room for a preamble and EndOfBuffer: at least 64 bytes",
    .message = "buffer_size is {0}, but the preamble and EndOfBuffer alone have 64 bytes",
    .why = "the start of the second buffer is unknown, so the whole file is read as one buffer",
    .spec = "3.1 Header Section",
    .since = "0.1.0",
    .severity_override =
        SeverityOverride{.severity = Severity::note,
                         .when = "the version is 2 to 5",
                         .message = "buffer_size is {0}, too small for a preamble and a record",
                         .why = "readers ignore the number, but a runtime configured like this cannot record anything"},
};

void check_buffer_size(Report& report, const View<kHeader>& header) {
    const uint64_t size = header.get<"buffer_size">();
    if (size >= kLeastBufferSize) return;
    Diagnostic finding{.rule = &kZeroBufferSize, .place = header.place<"buffer_size">(), .numbers = {size}};
    finding.is_overridden = header.get<"version">() > 1;
    report.add(finding);
}

constexpr Rule kTruncatedHeader{
    .id = "xray/truncated-header",
    .severity = Severity::error,
    .statement = "the file has a complete header of 32 bytes",
    .message = "the file ends inside its header, after {0} of its 32 bytes",
    .why = "no reader accepts the file; llvm-xray complains about YAML, and its header reader reads past the end",
    .spec = "3.1 Header Section",
    .since = "0.1.0",
    .about_end = true,
};

constexpr Rule kUnknownFileType{
    .id = "xray/unknown-file-type",
    .severity = Severity::error,
    .statement = "type is 0 (basic) or 1 (flight data recorder)",
    .message = "type is {0}; expected 0 (basic) or 1 (flight data recorder)",
    .why = "llvm-xray refuses the file; the rest is not checked",
    .spec = "3.1 Header Section",
    .since = "0.1.0",
};

constexpr Rule kUnsupportedVersion{
    .id = "xray/unsupported-version",
    .severity = Severity::error,
    .statement = "version is 1 to 5 in a flight data recorder file, 1 to 3 in a basic one",
    .message = "version is {0}; expected 1 to {1}",
    .why = "llvm-xray refuses the file, but fdr-dump prints it as if it were valid; the rest is not checked",
    .spec = "3.1 Header Section",
    .since = "0.1.0",
};

}  // namespace

std::optional<HeaderFacts> check_header(Window& window, ValidationContext& context) {
    Report& report = context.report;
    const Bytes bytes = window.view(0, kHeaderSize);
    if (bytes.size() < kHeaderSize) {
        const View<kHeader> cut(bytes.data(), 0, ByteOrder::little, kNone);
        report.add<kTruncatedHeader>(cut.whole(bytes.size()), {bytes.size()});
        return std::nullopt;
    }
    const auto header = header_of(bytes, order_of_header(bytes));
    const uint64_t version = header.get<"version">(), type = header.get<"type">();
    context.identity = {version, header.order(), std::nullopt};
    if (type != kFdrType && type != kBasicType) {
        report.add<kUnknownFileType>(header.place<"type">(), {type});
        return std::nullopt;
    }
    const uint64_t newest = type == kFdrType ? kNewestFdr : kNewestBasic;
    if (version == 0 || version > newest) {
        report.add<kUnsupportedVersion>(header.place<"version">(), {version, newest});
        return std::nullopt;
    }
    check_frequency(report, header);
    check_reserved(report, header);
    if (type == kFdrType) check_buffer_size(report, header);
    return HeaderFacts{header.order(), static_cast<uint16_t>(version), type, header.get<"constant_tsc">() != 0,
                       header.get<"buffer_size">()};
}

namespace {

constexpr Rule kEmptyTrace{
    .id = "xray/empty-trace",
    .severity = Severity::warning,
    .statement = "something follows the header",
    .message = "the file ends after its header: nothing was recorded, or the log was never flushed",
    .why =
        "readers refuse the file; the message of llvm-xray is about a version number or YAML, neither of which is the "
        "cause",
    .spec = "3.1 Header Section; 3.6 Profile files",
    .since = "0.1.0",
    .about_end = true,
};

}  // namespace

bool ends_after_header(Window& window, Report& report, const Record& header) {
    if (window.reaches(kHeaderSize + 1)) return false;
    report.add<kEmptyTrace>({.offset = kHeaderSize, .record = &header});
    return true;
}

constinit const RuleList kHeaderRules =
    rules<&kZeroCycleFrequency, &kImplausibleCycleFrequency, &kHeaderReservedNonzero, &kZeroBufferSize,
          &kTruncatedHeader, &kUnknownFileType, &kUnsupportedVersion, &kEmptyTrace>;

}  // namespace tracelint::xray
