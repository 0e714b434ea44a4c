// nettrace, section 3: objects, blocks, events, stacks and tables, in the order of the specification. A version of a
// layout is the version of the file: 1 to 3 for netperf, 4 for nettrace 4 and 5, which have one layout, and 6.
#pragma once

#include "validator/tables/describe.hpp"

namespace tracelint::nettrace {

inline constexpr std::string_view kMagic = "Nettrace";
inline constexpr std::string_view kSignature = "!FastSerialization.1";
inline constexpr uint64_t kSignatureLength = 20;
inline constexpr uint16_t kNetperf3 = 3, kNettrace4 = 4, kPlainBlocks = 6;

// 3.1: tags of FastSerialization, and what the objects are called.
inline constexpr uint8_t kNullReference = 1, kBeginNetperf = 4, kBeginNettrace = 5, kEndObject = 6;
inline constexpr NamedValue kTags[] = {{kNullReference, "NullReference"},
                                       {kBeginNetperf, "BeginObject"},
                                       {kBeginNettrace, "BeginPrivateObject"},
                                       {kEndObject, "EndObject"}};
inline constexpr std::string_view kTraceName = "Trace", kEventBlockName = "EventBlock",
                                  kMetadataBlockName = "MetadataBlock", kStackBlockName = "StackBlock",
                                  kSequencePointName = "SPBlock", kFileName = "Microsoft.DotNet.Runtime.EventPipeFile";
inline constexpr uint64_t kLongestName = 38;

// 3.2: kinds of blocks of version 6.
enum class Kind : uint8_t {
    end_of_stream,
    trace,
    events,
    metadata,
    sequence_point,
    stacks,
    threads,
    removed_threads,
    labels,
    unknown
};
inline constexpr NamedValue kKinds[] = {{0, "EndOfStream"}, {1, "Trace"},         {2, "Event"},
                                        {3, "Metadata"},    {4, "SequencePoint"}, {5, "Stack"},
                                        {6, "Thread"},      {7, "RemoveThread"},  {8, "LabelList"}};

// clang-format off

// 3.1, 3.2 The start of a file
inline constexpr auto kHeader = record("header", kNoTag, "file header", {
    bytes("magic", 8)            .since(kNettrace4)                       .says("\"Nettrace\""),
    u32("signature_length")      .until(kNettrace4).equals(kSignatureLength),
    bytes("signature", 20)       .until(kNettrace4)                       .says("\"!FastSerialization.1\""),
    u32("reserved")              .since(kPlainBlocks).equals(0),
    u32("major")                 .since(kPlainBlocks).equals(6),
    u32("minor")                 .since(kPlainBlocks).equals(0),
}).not_numbered();

// 3.1 Objects
inline constexpr auto kObject = record("object", kNoTag, "the header of an object", {
    u8("begin_object")           .known(kTags),
    u8("begin_type")             .known(kTags),
    u8("type_of_type")           .equals(kNullReference).named(kTags),
    i32("version")               .at_most(4),
    i32("min_reader_version")    .at_most(4),
    i32("name_length").holds(Quantity::size) .at_most(kLongestName),
    bytes("name")                .sized_by("name_length").as_text()      .says("ASCII, without a NUL"),
    u8("end_of_type")            .equals(kEndObject).named(kTags),
}).versions(1, kNettrace4);
inline constexpr auto kBlockStart = record("block start", kNoTag, "the size of a block, before its content", {
    i32("size").holds(Quantity::size) .at_most(0x7fffffff)               .says("bytes of the content"),
    bytes("padding")                                                     .says("zeros up to a multiple of 4 of the file offset"),
}).versions(kNetperf3, kNettrace4);
inline constexpr auto kObjectEnd = record("end of object", kNoTag, "", {u8("end_of_object").equals(kEndObject).named(kTags)}).versions(1, kNettrace4);
inline constexpr auto kStreamEnd = record("end of stream", kNoTag, "the last byte of a file", {u8("null_reference").equals(kNullReference).named(kTags)}).versions(1, kNettrace4);

// 3.2 Blocks of version 6
inline constexpr auto kPlainBlock = record("plain block", kNoTag, "what precedes the content of each block of version 6", {
    bits("size", 4, 0, 24)                                               .says("bytes of the content"),
    bits("kind", 4, 24, 8)       .named(kKinds),
}).versions(kPlainBlocks);

// 3.3 Trace
inline constexpr auto kPair = record("pair", kNoTag, "a property of the traced process", {
    uleb128("key_size").holds(Quantity::size),   bytes("key").sized_by("key_size").as_text(),
    uleb128("value_size").holds(Quantity::size), bytes("value").sized_by("value_size").as_text(),
});
inline constexpr NamedValue kPointerSizes[] = {{4, "32 bits"}, {8, "64 bits"}};
inline constexpr Field kYear = u16("year"), kMonth = u16("month"), kDayOfWeek = u16("day_of_week"), kDay = u16("day");
inline constexpr auto kTrace = record("Trace", kNoTag, "time base and properties of the traced process", {
    i32("forward_reference")     .until(2).equals(0),
    kYear.at_least(1).at_most(9999), kMonth.at_least(1).at_most(12), kDayOfWeek.at_most(6).says("0 is Sunday"),
    kDay.at_least(1).at_most(31), u16("hour").at_most(23), u16("minute").at_most(59), u16("second").at_most(59),
    u16("millisecond").at_most(999)                                      .says("of the UTC time at which the session began"),
    u64("sync_ticks").holds(Quantity::ticks)                             .says("the clock of the events at that moment"),
    i64("ticks_per_second"),
    i32("pointer_size")          .known(kPointerSizes).since(kNetperf3),
    i32("process_id")            .at_most(0x7fffffff).since(kNetperf3).until(kNettrace4),
    i32("processors")            .at_most(0x7fffffff).since(kNetperf3).until(kNettrace4),
    i32("sampling_rate").holds(Quantity::nanoseconds) .at_most(0x7fffffff).since(kNetperf3).until(kNettrace4) .says("ns between samples of the CPU"),
    i32("pair_count")            .since(kPlainBlocks),
    list("pairs", kPair)         .since(kPlainBlocks).counted_by("pair_count"),
});

// 3.4 Event and metadata blocks
inline constexpr NamedValue kBlockFlags[] = {{0, "uncompressed headers"}, {1, "compressed headers"}};
inline constexpr auto kEventBlock = record("block header", kNoTag, "what precedes the events of a block, and the rows of a MetadataBlock of versions 4 and 5", {
    u16("header_size").holds(Quantity::size),
    u16("flags")                 .known(kBlockFlags),
    u64("smallest_time").holds(Quantity::ticks),
    u64("largest_time").holds(Quantity::ticks),
    bytes("unknown")                                                     .says("of a longer header"),
}).versions(kNettrace4);

// 3.5 Compressed event headers
inline constexpr Field kActivity = bytes("activity", 16), kRelatedActivity = bytes("related_activity", 16);
inline constexpr auto kEvent = record("compressed event", kNoTag, "an event with a compressed header", {
    bits("has_metadata_id", 1, 0, 1), bits("has_number", 1, 1, 1), bits("has_thread", 1, 2, 1), bits("has_stack", 1, 3, 1),
    bits("has_activity", 1, 4, 1), bits("has_related_activity", 1, 5, 1), bits("is_sorted", 1, 6, 1), bits("has_payload_size", 1, 7, 1),
    uleb128("metadata_id")       .only_if("has_metadata_id", 1),
    uleb128("number_delta")      .only_if("has_number", 1)               .says("the number less that of the event before, less 1"),
    uleb128("capture_thread")    .only_if("has_number", 1),
    uleb128("processor")         .only_if("has_number", 1),
    uleb128("thread")            .only_if("has_thread", 1),
    uleb128("stack_id")          .only_if("has_stack", 1),
    uleb128("time_delta")                                                .says("since the event before in the block"),
    kActivity                    .until(kNettrace4).only_if("has_activity", 1),
    uleb128("label_list")        .since(kPlainBlocks).only_if("has_activity", 1),
    kRelatedActivity             .until(kNettrace4).only_if("has_related_activity", 1),
    uleb128("payload_size").holds(Quantity::size) .only_if("has_payload_size", 1),
    bytes("payload"),
}).versions(kNettrace4);

// The event header of a metadata row, by the table of events. Its payload is a record of its own.
template <size_t kCapacity>
consteval auto row_header(RecordOf<kCapacity> event, std::string_view name) {
    event.name = name;
    event.doc = "the event header of a metadata row";
    if (event.fields()[event.count - 1].name == "payload") --event.count;
    return event.as_fallback();
}
inline constexpr auto kRowHeader = row_header(kEvent, "row header").versions(kNettrace4, kNettrace4);

// 3.6 Uncompressed event headers
inline constexpr auto kPlainEvent = record("uncompressed event", kNoTag, "an event with an uncompressed header", {
    u32("event_size").holds(Quantity::size)                              .says("of what follows it"),
    u32("metadata_id")                                                   .says("bit 31: not sorted"),
    u32("number"), u64("thread"), u64("capture_thread"), u32("processor"), u32("stack_id"), u64("time").holds(Quantity::ticks),
    kActivity.until(kNettrace4), kRelatedActivity.until(kNettrace4),
    u32("label_list")            .since(kPlainBlocks),
    u32("payload_size").holds(Quantity::size),
    bytes("payload")                                                     .says("up to version 5 with zeros up to a multiple of 4"),
}).versions(kNettrace4);

inline constexpr auto kPlainRowHeader = row_header(kPlainEvent, "uncompressed row header").versions(kNettrace4, kNettrace4);

// 3.7 Events of versions 1 to 3
inline constexpr auto kOldEvent = record("old event", kNoTag, "the header of an event of versions 1 to 3", {
    i32("event_size").holds(Quantity::size) .at_most(0x7fffffff)         .says("of what follows it"),
    i32("metadata_id")                                                   .says("0: the payload defines metadata"),
    i32("thread"),
    u64("time").holds(Quantity::ticks),
    kActivity, kRelatedActivity,
    i32("payload_size").holds(Quantity::size) .at_most(0x7fffffff),
}).versions(1, kNetperf3);
inline constexpr auto kOldRowHeader = row_header(kOldEvent, "old row header");
inline constexpr auto kPayload = record("payload", kNoTag, "the payload of an event of versions 1 to 3", {bytes("data").with_numbers()}).versions(1, kNetperf3);
inline constexpr auto kOldStack = record("old stack", kNoTag, "the end of an event of versions 1 to 3", {
    i32("stack_size").holds(Quantity::size),
    bytes("stack")               .sized_by("stack_size"),
    bytes("padding")                                                     .says("in version 3, zeros up to a multiple of 4"),
}).versions(1, kNetperf3);
inline constexpr auto kEndLabel = record("end label", kNoTag, "the end of files of versions 1 and 2", {
    u8("end_of_object").equals(kEndObject), i32("label_count").equals(1), i32("label"), i32("label_after_tag"), i32("label_after_labels"),
}).versions(1, 2);

// 3.8 Stacks, sequence points, threads, labels
inline constexpr auto kStackBlock = record("stack block", kNoTag, "what precedes the stacks of a block", {
    u32("first_id"),
    u32("count"),
}).versions(kNettrace4);
inline constexpr auto kStack = record("stack", kNoTag, "addresses, the innermost frame first", {
    u32("stack_size").holds(Quantity::size),
    bytes("stack")               .sized_by("stack_size").with_numbers(),
}).versions(kNettrace4);
inline constexpr auto kSequencePoint = record("sequence point", kNoTag, "all events up to here have been written", {
    u64("time").holds(Quantity::ticks),
    u32("flags")                 .since(kPlainBlocks).at_most(3)         .says("1: forget threads, 2: forget metadata"),
    u32("count"),
}).versions(kNettrace4);
inline constexpr auto kThreadNumber = record("thread number", kNoTag, "the last number of a thread", {
    u64("thread")                .until(kNettrace4),
    u32("number")                .until(kNettrace4),
    uleb128("thread")            .since(kPlainBlocks),
    uleb128("number")            .since(kPlainBlocks),
}).versions(kNettrace4);
inline constexpr NamedValue kThreadItems[] = {{1, "name"}, {2, "OS process id"}, {3, "OS thread id"}, {4, "key and value"}};
inline constexpr auto kThreadItem = record("thread item", kNoTag, "", {
    u8("kind")                   .known(kThreadItems),
    uleb128("text_size").holds(Quantity::size) .only_if("kind", {1, 4}),
    bytes("text")                .sized_by("text_size").as_text().only_if("kind", {1, 4}),
    uleb128("value_size").holds(Quantity::size) .only_if("kind", 4),
    bytes("value")               .sized_by("value_size").as_text().only_if("kind", 4),
    uleb128("process_id")        .only_if("kind", 2),
    uleb128("thread_id")         .only_if("kind", 3),
});
inline constexpr auto kThread = record("thread", kNoTag, "a row of the thread table", {
    u16("size").holds(Quantity::size)                                    .says("of what follows it"),
    uleb128("index"),
    list("items", kThreadItem),
}).versions(kPlainBlocks);
inline constexpr auto kLabelBlock = record("label block", kNoTag, "what precedes the label lists of a block", {
    u32("first_index"),
    u32("count"),
}).versions(kPlainBlocks);
inline constexpr NamedValue kLabelKinds[] = {{1, "activity"}, {2, "related activity"}, {3, "trace id"}, {4, "span id"}, {5, "text"}, {6, "number"},
    {7, "opcode"}, {8, "keywords"}, {9, "level"}, {10, "version"}};
inline constexpr auto kLabel = record("label", kNoTag, "a label of a list", {
    bits("kind", 1, 0, 7)        .known(kLabelKinds),
    bits("is_last", 1, 7, 1)                                             .says("of its list"),
    bytes("id", 16)              .only_if("kind", {1, 2, 3}),
    bytes("span", 8)             .only_if("kind", 4),
    uleb128("key_size").holds(Quantity::size) .only_if("kind", {5, 6}),
    bytes("key")                 .sized_by("key_size").as_text().only_if("kind", {5, 6}),
    uleb128("value_size").holds(Quantity::size) .only_if("kind", 5),
    bytes("value")               .sized_by("value_size").as_text().only_if("kind", 5),
    uleb128("number")            .only_if("kind", 6)                     .says("zigzag"),
    u8("small")                  .only_if("kind", {7, 9, 10})            .says("opcode, level or version"),
    u64("keywords")              .only_if("kind", 8),
}).versions(kPlainBlocks);

// 3.9 Metadata rows of versions 1 to 5. A row whose fields lie in three objects or more is opaque.
inline constexpr uint64_t kObjectType = 1, kArrayType = 19;
inline constexpr NamedValue kTypes[] = {{1, "object"}, {3, "boolean"}, {4, "UTF-16 unit"}, {5, "int8"}, {6, "uint8"}, {7, "int16"}, {8, "uint16"},
    {9, "int32"}, {10, "uint32"}, {11, "int64"}, {12, "uint64"}, {13, "float"}, {14, "double"}, {15, "decimal"}, {16, "date and time"}, {17, "GUID"},
    {18, "UTF-16 text"}, {19, "array"}, {20, "zigzag varint"}, {21, "varint"}, {22, "fixed array"}, {23, "UTF-8 unit"}, {24, "RelLoc"}, {25, "DataLoc"}, {26, "boolean of 1 byte"}};
inline constexpr auto kDeepField = record("deep field", kNoTag, "a field of an object in an object", {
    i32("deep_type").known(kTypes), string16("deep_name")});
inline constexpr auto kInnerField = record("inner field", kNoTag, "a field of an object in a payload", {
    i32("inner_type").known(kTypes),
    i32("deep_count").only_if("inner_type", kObjectType),
    list("deep_fields", kDeepField).counted_by("deep_count").only_if("inner_type", kObjectType),
    string16("inner_name")});
inline constexpr auto kField = record("field", kNoTag, "a field of a payload", {
    i32("type").known(kTypes),
    i32("inner_count").only_if("type", kObjectType),
    list("inner_fields", kInnerField).counted_by("inner_count").only_if("type", kObjectType),
    string16("name")});
inline constexpr uint64_t kFieldsInTag = 2;
inline constexpr NamedValue kMetadataTags[] = {{1, "opcode"}, {kFieldsInTag, "fields with arrays"}};
inline constexpr auto kMetadataTag = record("metadata tag", kNoTag, "since version 5", {
    i32("size").holds(Quantity::size)                                    .says("of what follows the kind"),
    u8("kind").known(kMetadataTags),
    bytes("content").sized_by("size"),
});
inline constexpr auto kMetadata = record("metadata", kNoTag, "describes the events of one kind", {
    i32("id")                    .at_least(1).at_most(0x7fffffff).since(kNetperf3),
    bytes("provider_guid", 16)   .until(1),
    string16("provider")         .since(2),
    i32("event_id")              .at_most(65'535),
    i32("version")               .at_most(255).until(2),
    i32("definition_size")       .until(2),
    bytes("definition")          .sized_by("definition_size").until(2)   .says("event id, name, keywords, version, level, fields"),
    string16("name")             .since(kNetperf3),
    u64("keywords")              .since(kNetperf3),
    i32("version")               .at_most(255).since(kNetperf3),
    i32("level")                 .at_most(255).since(kNetperf3),
    i32("field_count")           .since(kNetperf3),
    list("fields", kField)       .counted_by("field_count").since(kNetperf3),
    list("tags", kMetadataTag)   .since(kNetperf3),
}).versions(1, kNettrace4);

// 3.10 Metadata of version 6
inline constexpr auto kMetadataStart = record("metadata block", kNoTag, "what precedes the rows of a MetadataBlock of version 6", {
    u16("header_size").holds(Quantity::size)                             .says("of what follows it"),
    bytes("unknown").sized_by("header_size"),
}).versions(kPlainBlocks);
inline constexpr auto kPlainField = record("plain field", kNoTag, "a field of a payload, in version 6", {
    u16("field_size")                                                    .says("of what follows it"),
    uleb128("name_size"), bytes("name").sized_by("name_size").as_text(),
    u8("type")                   .known(kTypes),
    bytes("type_details")        .fills("field_size")                    .says("the type of elements, or the fields of an object"),
});
inline constexpr NamedValue kOptionalKinds[] = {{1, "opcode"}, {3, "keywords"}, {4, "message template"}, {5, "description"}, {6, "key and value"},
    {7, "GUID of the provider"}, {8, "level"}, {9, "version"}};
inline constexpr auto kOptionalItem = record("optional item", kNoTag, "what else a row says of its events", {
    u8("kind")                   .known(kOptionalKinds),
    u8("small")                  .only_if("kind", {1, 8, 9})             .says("opcode, level or version"),
    u64("keywords")              .only_if("kind", 3),
    uleb128("text_size").holds(Quantity::size) .only_if("kind", {4, 5, 6}),
    bytes("text")                .sized_by("text_size").as_text().only_if("kind", {4, 5, 6}),
    uleb128("value_size").holds(Quantity::size) .only_if("kind", 6),
    bytes("value")               .sized_by("value_size").as_text().only_if("kind", 6),
    bytes("guid", 16)            .only_if("kind", 7),
});
inline constexpr auto kPlainMetadata = record("plain metadata", kNoTag, "a metadata row of version 6", {
    u16("size").holds(Quantity::size)                                    .says("of what follows it"),
    uleb128("id"),
    uleb128("provider_size"), bytes("provider").sized_by("provider_size").as_text(),
    uleb128("event_id"),
    uleb128("name_size"), bytes("name").sized_by("name_size").as_text(),
    u16("field_count"),
    list("fields", kPlainField).counted_by("field_count"),
    u16("optional_size"), list("optional", kOptionalItem).sized_by("optional_size"),
    bytes("rest"),
}).versions(kPlainBlocks);

// What the tables above do not describe as it stands: the rest of a block, or a row.
inline constexpr auto kOpaque = record("bytes", kNoTag, "bytes of a block that cannot be told apart", {bytes("bytes").with_numbers()}).as_fallback();


// What follows the end of the stream.
inline constexpr auto kTrailing = record("trailing data", kNoTag, "bytes behind the end of the stream", {bytes("bytes")}).not_numbered().as_fallback();

// clang-format on

inline constexpr const Record* kRecords[] = {
    &kHeader,   &kObject,        &kBlockStart,    &kObjectEnd,     &kStreamEnd,    &kPlainBlock,
    &kTrace,    &kEventBlock,    &kEvent,         &kRowHeader,     &kPlainEvent,   &kPlainRowHeader,
    &kOldEvent, &kOldRowHeader,  &kPayload,       &kOldStack,      &kEndLabel,     &kStackBlock,
    &kStack,    &kThread,        &kLabel,         &kSequencePoint, &kThreadNumber, &kLabelBlock,
    &kMetadata, &kMetadataStart, &kPlainMetadata, &kOpaque,        &kTrailing};

inline constexpr Layout kNettraceLayout{.version = kNettrace4}, kPlainLayout{.version = kPlainBlocks};
static_assert(fixed_size(kHeader, {.version = 3}) == 24 && fixed_size(kHeader, kNettraceLayout) == 32 &&
              fixed_size(kHeader, kPlainLayout) == 20);
static_assert(fixed_size(kTrace, {.version = 2}) == 36 && fixed_size(kTrace, {.version = 3}) == 48 &&
              fixed_size(kTrace, kPlainLayout) == 40);
static_assert(fixed_size(kPlainEvent, kNettraceLayout) == 80 && fixed_size(kPlainEvent, kPlainLayout) == 52);
static_assert(fixed_size(kOldEvent, {.version = 3}) == 56 && fixed_size(kEndLabel, {.version = 1}) == 17);

}  // namespace tracelint::nettrace
