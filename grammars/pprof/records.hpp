// pprof, section 3.2: the messages, in the order and terms of the specification, and the records made of them.
#pragma once

#include "validator/tables/protobuf.hpp"

namespace tracelint::pprof {

using protobuf::Meaning, protobuf::Message;

// clang-format off

// The numbers of the members.
struct OfProfile { enum : uint32_t { sample_type = 1, sample, mapping, location, function, string_table, drop_frames,
    keep_frames, time_nanos, duration_nanos, period_type, period, comment, default_sample_type, doc_url }; };
struct OfValueType { enum : uint32_t { type = 1, unit }; };
struct OfSample { enum : uint32_t { location_id = 1, value, label }; };
struct OfLabel { enum : uint32_t { key = 1, str, num, num_unit }; };
struct OfMapping { enum : uint32_t { id = 1, memory_start, memory_limit, file_offset, filename, build_id, has_functions,
    has_filenames, has_line_numbers, has_inline_frames }; };
struct OfLocation { enum : uint32_t { id = 1, mapping_id, address, line, is_folded }; };
struct OfLine { enum : uint32_t { function_id = 1, line, column }; };
struct OfFunction { enum : uint32_t { id = 1, name, system_name, filename, start_line }; };

inline constexpr Message kValueType = protobuf::message("ValueType", {
    protobuf::single("ValueType.type", 1, Meaning::index),
    protobuf::single("ValueType.unit", 2, Meaning::index),
});
inline constexpr auto kValueTypeField = protobuf::field_record<kValueType>("ValueType field", "value_type_tag", "a field of a ValueType");

inline constexpr Message kLabel = protobuf::message("Label", {
    protobuf::single("Label.key", 1, Meaning::index),
    protobuf::single("Label.str", 2, Meaning::index),
    protobuf::single("Label.num", 3, Meaning::signed_number),
    protobuf::single("Label.num_unit", 4, Meaning::index),
});
inline constexpr auto kLabelField = protobuf::field_record<kLabel>("Label field", "label_tag", "a field of a Label");

inline constexpr Message kSampleMessage = protobuf::message("Sample", {
    protobuf::several("Sample.location_id", 1, Meaning::reference, "location_ids", "location_ids_size"),
    protobuf::several("Sample.value", 2, Meaning::signed_number, "values", "values_size"),
    protobuf::nested("Sample.label", 3, true, kLabel, kLabelField, "label_size"),
});
inline constexpr const protobuf::Member& kSampleLocation = *kSampleMessage.find(OfSample::location_id);
inline constexpr const protobuf::Member& kSampleValue = *kSampleMessage.find(OfSample::value);
inline constexpr auto kSampleField = protobuf::field_record<kSampleMessage>("Sample field", "sample_tag", "a field of a Sample");

inline constexpr Message kMappingMessage = protobuf::message("Mapping", {
    protobuf::single("Mapping.id", 1, Meaning::id),
    protobuf::single("Mapping.memory_start", 2, Meaning::number, Quantity::address),
    protobuf::single("Mapping.memory_limit", 3, Meaning::number, Quantity::address),
    protobuf::single("Mapping.file_offset", 4, Meaning::number, Quantity::address),
    protobuf::single("Mapping.filename", 5, Meaning::index),
    protobuf::single("Mapping.build_id", 6, Meaning::index),
    protobuf::single("Mapping.has_functions", 7, Meaning::boolean),
    protobuf::single("Mapping.has_filenames", 8, Meaning::boolean),
    protobuf::single("Mapping.has_line_numbers", 9, Meaning::boolean),
    protobuf::single("Mapping.has_inline_frames", 10, Meaning::boolean),
});
inline constexpr auto kMappingField = protobuf::field_record<kMappingMessage>("Mapping field", "mapping_tag", "a field of a Mapping");

inline constexpr Message kLine = protobuf::message("Line", {
    protobuf::single("Line.function_id", 1, Meaning::reference),
    protobuf::single("Line.line", 2, Meaning::signed_number),
    protobuf::single("Line.column", 3, Meaning::signed_number),
});
inline constexpr auto kLineField = protobuf::field_record<kLine>("Line field", "line_tag", "a field of a Line");

inline constexpr Message kLocationMessage = protobuf::message("Location", {
    protobuf::single("Location.id", 1, Meaning::id),
    protobuf::single("Location.mapping_id", 2, Meaning::reference),
    protobuf::single("Location.address", 3, Meaning::number, Quantity::address),
    protobuf::nested("Location.line", 4, true, kLine, kLineField, "line_size"),
    protobuf::single("Location.is_folded", 5, Meaning::boolean),
});
inline constexpr auto kLocationField = protobuf::field_record<kLocationMessage>("Location field", "location_tag", "a field of a Location");

inline constexpr Message kFunctionMessage = protobuf::message("Function", {
    protobuf::single("Function.id", 1, Meaning::id),
    protobuf::single("Function.name", 2, Meaning::index),
    protobuf::single("Function.system_name", 3, Meaning::index),
    protobuf::single("Function.filename", 4, Meaning::index),
    protobuf::single("Function.start_line", 5, Meaning::signed_number),
});
inline constexpr auto kFunctionField = protobuf::field_record<kFunctionMessage>("Function field", "function_tag", "a field of a Function");

inline constexpr Message kProfile = protobuf::message("Profile", {
    protobuf::nested("Profile.sample_type", 1, true, kValueType, kValueTypeField, "size"),
    protobuf::nested("Profile.sample", 2, true, kSampleMessage, kSampleField, "size"),
    protobuf::nested("Profile.mapping", 3, true, kMappingMessage, kMappingField, "size"),
    protobuf::nested("Profile.location", 4, true, kLocationMessage, kLocationField, "size"),
    protobuf::nested("Profile.function", 5, true, kFunctionMessage, kFunctionField, "size"),
    protobuf::text("Profile.string_table", 6, true),
    protobuf::single("Profile.drop_frames", 7, Meaning::index),
    protobuf::single("Profile.keep_frames", 8, Meaning::index),
    protobuf::single("Profile.time_nanos", 9, Meaning::signed_number, Quantity::date_ns),
    protobuf::single("Profile.duration_nanos", 10, Meaning::signed_number, Quantity::nanoseconds),
    protobuf::nested("Profile.period_type", 11, false, kValueType, kValueTypeField, "size"),
    protobuf::single("Profile.period", 12, Meaning::signed_number),
    protobuf::several("Profile.comment", 13, Meaning::index, "comments", "comments_size"),
    protobuf::single("Profile.default_sample_type", 14, Meaning::index),
    protobuf::single("Profile.doc_url", 15, Meaning::index),
});

// The fields of the Profile are the records of a file.
inline constexpr auto kSampleType = protobuf::member_record<kProfile, 1>("what one of the values of a sample counts");
inline constexpr auto kSample = protobuf::member_record<kProfile, 2>("a stack, its values and labels");
inline constexpr auto kMapping = protobuf::member_record<kProfile, 3>("an object that was mapped into memory");
inline constexpr auto kLocation = protobuf::member_record<kProfile, 4>("an address in a stack");
inline constexpr auto kFunction = protobuf::member_record<kProfile, 5>("a function");
inline constexpr auto kString = protobuf::member_record<kProfile, 6>("an entry of the string table");
inline constexpr auto kDropFrames = protobuf::member_record<kProfile, 7>("a regular expression: frames to drop");
inline constexpr auto kKeepFrames = protobuf::member_record<kProfile, 8>("a regular expression: frames to keep");
inline constexpr auto kTime = protobuf::member_record<kProfile, 9>("when the profile was taken");
inline constexpr auto kDuration = protobuf::member_record<kProfile, 10>("how long it took");
inline constexpr auto kPeriodType = protobuf::member_record<kProfile, 11>("of what the period is");
inline constexpr auto kPeriod = protobuf::member_record<kProfile, 12>("events between two samples");
inline constexpr auto kComment = protobuf::member_record<kProfile, 13>("free text");
inline constexpr auto kDefaultSampleType = protobuf::member_record<kProfile, 14>("the sample type that is shown first");
inline constexpr auto kDocUrl = protobuf::member_record<kProfile, 15>("where the profile is described");

// A field of another number, or one that the tables do not describe as it stands.
inline constexpr auto kOther = record("other field", kNoTag, "a field that is not in profile.proto, or is not as there", {
    uleb128("tag"), bytes("value").with_numbers()}).as_fallback();

// clang-format on

inline constexpr const Record* kRecords[] = {
    &kSampleType, &kSample, &kMapping,  &kLocation,   &kFunction, &kString,  &kDropFrames,
    &kKeepFrames, &kTime,   &kDuration, &kPeriodType, &kPeriod,   &kComment, &kDefaultSampleType,
    &kDocUrl,     &kOther};

// The record of a top-level field.
constexpr const Record& record_of(const protobuf::Member* member) {
    return member == nullptr ? kOther : *kRecords[member->number - 1];
}

static_assert(kProfile.count + 1 == std::size(kRecords));

}  // namespace tracelint::pprof
