// perf.data, section 3.1: the header of a file.
#include "grammars/perfdata/checks/header.hpp"

namespace tracelint::perfdata {
namespace {

constexpr Rule kHeaderNoFeatures{
    .id = "perfdata/header-no-features",
    .severity = Severity::note,
    .statement = "the header has feature bits",
    .message = "the header has 72 bytes, without feature bits: perf before Linux 2.6.34 wrote it",
    .why = "perf reads such files, samply refuses them",
    .spec = "2. Identification; 3.1 File header",
    .since = "0.2.0",
};

constexpr Rule kAttrSizeRule{
    .id = "perfdata/attr-size",
    .severity = Severity::error,
    .statement = "attr_size is that of an attribute and 16: 80 to 4096, and a multiple of 8",
    .message = "attr_size is {0}; expected 80 to 4096, and a multiple of 8",
    .why = "readers split the attributes by it, so they misread all events; perf refuses the file if it is 0",
    .spec = "3.1 File header",
    .since = "0.2.0",
};

constexpr Rule kSectionExceedsFile{
    .id = "perfdata/section-exceeds-file",
    .severity = Severity::error,
    .statement = "attributes and event types are inside the file",
    .message = "the section has {1 byte|bytes} at {0x}, which exceeds the file",
    .why = "perf refuses the file, and so does samply unless another section names the events",
    .spec = "3.1 File header",
    .since = "0.2.0",
    .about_end = true,
    .depends_on = {.file_size = true},
};

constexpr Rule kAttrsNone{
    .id = "perfdata/attrs-none",
    .severity = Severity::error,
    .statement = "the file has an attribute",
    .message = "attrs has {0 byte|bytes}; one attribute takes {1}",
    .why = "perf fails at the first record with an id, and samply finds no events",
    .spec = "3.1 File header",
    .since = "0.2.0",
    .depends_on = {.file_size = true},
};

constexpr Rule kAttrsRemainder{
    .id = "perfdata/attrs-remainder",
    .severity = Severity::warning,
    .statement = "the size of attrs is a multiple of attr_size",
    .message = "attrs has {0} bytes, which is not a multiple of attr_size, {1}",
    .why = "readers ignore what is left; one of the two sizes is wrong",
    .spec = "3.1 File header",
    .since = "0.2.0",
    .depends_on = {.file_size = true},
};

constexpr Rule kEventTypesPresent{
    .id = "perfdata/event-types-present",
    .severity = Severity::note,
    .statement = "the file has no event types",
    .message = "event_types has {0 byte|bytes}; perf has not written it since 2013",
    .why = "perf ignores it; samply takes the names of events from it",
    .spec = "3.1 File header",
    .since = "0.2.0",
};

constexpr Rule kDataSizeZero{
    .id = "perfdata/data-size-zero",
    .severity = Severity::error,
    .statement = "the header has the size of the data",
    .message = "the size of the data is 0: perf record was killed before it could write it",
    .why = "perf warns and shows nothing, samply refuses the file, though its records are there",
    .spec = "3.1 File header",
    .since = "0.2.0",
    .depends_on = {.file_size = true},
};

constexpr Rule kDataExceedsFile{
    .id = "perfdata/data-exceeds-file",
    .severity = Severity::error,
    .statement = "the data are inside the file",
    .message = "the data section has {1 byte|bytes} at {0x}, but the file has {2} in all",
    .why = "the file was cut: perf report dies of SIGBUS or shows nothing, with exit status 0; samply refuses the file",
    .spec = "3.1 File header",
    .since = "0.2.0",
    .about_end = true,
    .depends_on = {.file_size = true},
};

constexpr Rule kDataUnaligned{
    .id = "perfdata/data-unaligned",
    .severity = Severity::warning,
    .statement = "the data begin at a multiple of 8",
    .message = "the data section begins at {0x}, which is not a multiple of 8",
    .why = "readers that map the file read its records unaligned",
    .spec = "3.1 File header; 3.3 Record header",
    .since = "0.2.0",
    .depends_on = {.file_size = true},
};

constexpr uint64_t kAlignment = 8;

// The 16 bytes of a section's offset and size.
Place section_place(std::string_view field) {
    const Field* const found = kHeader.find(field);
    return {.offset = fixed_offset(kHeader, field, {}), .length = 16, .record = &kHeader, .field = found};
}

Place field_place(std::string_view field) {
    Place place = section_place(field);
    place.length = 8;
    return place;
}

void check_attrs(State& state, const FileHeader& header, uint64_t file_size) {
    const Section& attrs = header.attrs;
    if (!header.has_attr_size()) state.report.add<kAttrSizeRule>(field_place("attr_size"), {header.attr_size});
    if (attrs.end() > file_size)
        return state.report.add<kSectionExceedsFile>(section_place("attrs_offset"), {attrs.offset, attrs.size});
    if (!header.has_attr_size()) return;
    if (attrs.size < header.attr_size)
        return state.report.add<kAttrsNone>(section_place("attrs_offset"), {attrs.size, header.attr_size});
    if (attrs.size % header.attr_size != 0)
        state.report.add<kAttrsRemainder>(field_place("attrs_size"), {attrs.size, header.attr_size});
}

void check_event_types(State& state, const FileHeader& header, uint64_t file_size) {
    const Section& types = header.event_types;
    if (types.size == 0) return;
    if (types.end() > file_size)
        state.report.add<kSectionExceedsFile>(section_place("event_types_offset"), {types.offset, types.size});
    state.report.add<kEventTypesPresent>(section_place("event_types_offset"), {types.size});
}

void check_data(State& state, const FileHeader& header, uint64_t file_size) {
    const Section& data = header.data;
    if (data.end() > file_size)
        state.report.add<kDataExceedsFile>(section_place("data_offset"), {data.offset, data.size, file_size});
    else if (data.size == 0)
        state.report.add<kDataSizeZero>(field_place("data_size"));
    if (data.offset % kAlignment != 0 && data.offset <= file_size)
        state.report.add<kDataUnaligned>(field_place("data_offset"), {data.offset});
}

}  // namespace

FileHeader read_header(Bytes bytes, ByteOrder order) {
    const View<kHeader> view(bytes.data(), 0, order, kNone);
    FileHeader header;
    header.claimed_size = view.get<"size">();
    header.size = bytes.size();
    header.attr_size = view.get<"attr_size">();
    header.attrs = {view.get<"attrs_offset">(), view.get<"attrs_size">()};
    header.data = {view.get<"data_offset">(), view.get<"data_size">()};
    header.event_types = {view.get<"event_types_offset">(), view.get<"event_types_size">()};
    if (bytes.size() == kFileHeaderSize)
        header.features = {view.get<"features_0">(), view.get<"features_1">(), view.get<"features_2">(),
                           view.get<"features_3">()};
    return header;
}

void check_header(State& state, const FileHeader& header, uint64_t file_size) {
    if (header.size == kOldHeaderSize) state.report.add<kHeaderNoFeatures>(field_place("size"));
    check_attrs(state, header, file_size);
    check_event_types(state, header, file_size);
    check_data(state, header, file_size);
}

constinit const RuleList kHeaderRules =
    rules<&kHeaderNoFeatures, &kAttrSizeRule, &kSectionExceedsFile, &kAttrsNone, &kAttrsRemainder, &kEventTypesPresent,
          &kDataSizeZero, &kDataExceedsFile, &kDataUnaligned>;

}  // namespace tracelint::perfdata
