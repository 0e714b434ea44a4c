// The description layer against one hard record of each format. The bytes are typed from the
// specifications, in both byte orders or several versions where the format has them.
#include <doctest/doctest.h>

#include <array>

#include "tests/support/guarded_page.hpp"
#include "validator/generator/record_values.hpp"
#include "validator/tables/decode.hpp"
#include "validator/tables/view.hpp"

namespace tracelint {
namespace {

// clang-format off

// LLVM XRay: bit fields, mirrored in big-endian files.
constexpr auto kFunction = record("function", kNoTag, "an entry or exit", {
    bits("is_metadata", 4, 0, 1), bits("action", 4, 1, 3), bits("function_id", 4, 4, 28), u32("tsc_delta")});

// jitdump: counted, variable, nested, padded.
constexpr auto kEntry = record("debug_entry", kNoTag, "one line", {u64("addr"), i32("line"), u32("discrim"), string("name")});
constexpr auto kDebug = record("debug_info", 2, "lines of a function", {
    u32("id").equals(2), u32("total_size").record_size(), u64("timestamp"), u64("code_addr"), u64("nr_entry"),
    list("entries", kEntry).counted_by("nr_entry"), bytes("padding")});

// samply DEBUG_INFO2: six lists whose sizes add up; string lists have a count and a size.
constexpr auto kString = record("string", kNoTag, "", {string("text")});
constexpr auto kFunctionRecord = record("function_record", kNoTag, "", {
    u32("function_name_index"), u32("file_index"), u32("start_line"), u32("start_column"), u32("flags")});
constexpr auto kInlineCall = record("inline_call_record", kNoTag, "", {
    u32("depth"), u32("range_count"), u32("function_index"), u32("call_line_number"), u32("call_column_number")});
constexpr auto kRange = record("range", kNoTag, "", {u32("start_offset"), u32("size")});
constexpr auto kLine = record("line_record", kNoTag, "", {
    u32("code_offset"), u32("file_index"), u32("line_number"), u32("column_number")});
constexpr auto kTree = record("debug_info2", 827346259, "inline tree of a function", {
    u32("id"), u32("total_size").record_size(), u64("timestamp"),
    u32("file_count"), u32("file_list_size"), u32("function_names_count"), u32("function_names_list_size"),
    u32("function_count"), u32("inline_call_record_count"), u32("range_count"), u32("line_record_count"),
    list("file_list", kString).counted_by("file_count").sized_by("file_list_size"),
    list("function_names_list", kString).counted_by("function_names_count").sized_by("function_names_list_size"),
    list("function_list", kFunctionRecord).counted_by("function_count"),
    list("inline_call_list", kInlineCall).counted_by("inline_call_record_count"),
    list("range_list", kRange).counted_by("range_count"),
    list("line_record_list", kLine).counted_by("line_record_count")});

// gperftools: word size and byte order are those of the producer.
constexpr auto kPc = record("pc", kNoTag, "", {word("address")});
constexpr auto kSample = record("sample", kNoTag, "a call chain and how often it was seen", {
    word("count"), word("num_pcs"), list("chain", kPc).counted_by("num_pcs")});
constexpr auto kSlotList = record("slots", kNoTag, "a list whose count comes first", {
    word("num_pcs"), list("slots", kPc).counted_by("num_pcs")});

// mlpd HEAP_OBJECT: LEB128, fields that come and go with the version, values relative to buffer state.
constexpr Base kPointerBase{1, "ptr_base"}, kObjectBase{2, "obj_base"}, kMethodBase{3, "last_method"};
constexpr auto kReference = record("reference", kNoTag, "", {
    uleb128("offset_delta").since(2), sleb128("object").relative_to(kObjectBase, 3)});
constexpr auto kHeapObject = record("HEAP_OBJECT", 0x26, "an object of a heap dump", {
    u8("op").equals(0x26), uleb128("time").since(13), sleb128("object").relative_to(kObjectBase, 3),
    sleb128("class").relative_to(kPointerBase).until(14), sleb128("vtable").relative_to(kPointerBase).since(15),
    uleb128("size"), u8("generation").since(16), uleb128("references"), list("refs", kReference).counted_by("references")});

// mlpd: fields whose type or presence depends on the version, on a value, or ends a list.
constexpr auto kRootFrame = record("root", kNoTag, "", {
    sleb128("slot").relative_to(kPointerBase).since(15), sleb128("object").relative_to(kObjectBase, 3),
    uleb128("root_type").until(12), u8("root_type").since(13).until(13), uleb128("root_type").since(14).until(14),
    uleb128("extra").until(14)});
constexpr auto kHeapRoot = record("HEAP_ROOT", 0x36, "", {
    u8("op").equals(0x36), uleb128("time").since(13), uleb128("n"), uleb128("gc_count").until(14),
    list("roots", kRootFrame).counted_by("n")});
constexpr auto kJitHelper = record("JITHELPER", 0x18, "", {
    u8("op").equals(0x18), uleb128("time"), uleb128("type").until(12), u8("type").since(13),
    sleb128("address").relative_to(kPointerBase), uleb128("size"),
    string("name").until(13).only_if("type", 6), string("name").since(14).only_if("type", 5)});
constexpr auto kCounterSample = record("counter", kNoTag, "", {
    uleb128("index"), uleb128("type").unless("index", 0), sleb128("signed_value").only_if("type", {0, 2, 3, 7}),
    uleb128("unsigned_value").only_if("type", {1, 4}), u64("double_value").only_if("type", 5)});
constexpr auto kFrame = record("frame", kNoTag, "", {sleb128("method").relative_to(kMethodBase).running()});
constexpr auto kAllocation = record("ALLOC_BT", 0x10, "", {
    u8("op").equals(0x10), uleb128("time"), sleb128("vtable").relative_to(kPointerBase),
    sleb128("object").relative_to(kObjectBase, 3), uleb128("size"), uleb128("frame_count"),
    list("frames", kFrame).counted_by("frame_count")});
constexpr auto kCounters = record("SAMPLE_COUNTERS", 0x47, "", {
    u8("op").equals(0x47), uleb128("time"), list("counters", kCounterSample).to_zero()});

// What no format has.
constexpr auto kPair = record("pair", kNoTag, "", {u16("number")});
constexpr auto kPairs = record("pairs", kNoTag, "", {list("pairs", kPair).to_zero()});
constexpr auto kMaybe = record("maybe", kNoTag, "", {
    u8("kind"), u8("count").only_if("kind", 1), list("pairs", kPair).counted_by("count"), bytes("rest")});
constexpr auto kLater = record("later", kNoTag, "", {u16("number").since(2)});
constexpr auto kHollow = record("hollow", kNoTag, "", {u8("kind"), list("pairs", kLater)});
// perf.data: each flag of a C struct keeps its number.
constexpr auto kFlagBits = record("flags", kNoTag, "", {bits("first", 1, 0, 3).mirrored(), bits("rest", 1, 3, 5).mirrored()});
constexpr auto kBits = record("bits", kNoTag, "", {bits("a", 1, 0, 3), bits("b", 1, 3, 5), bits("c", 1, 0, 3), bits("d", 1, 3, 5)});
constexpr auto kWide = record("wide", kNoTag, "", {u8("kind"), string16("name"), u8("after").unless("kind", {1, 2})});
constexpr auto kSized = record("sized", kNoTag, "", {u8("size"), list("words", kPc).sized_by("size")});

// clang-format on

std::string dump(const Record& record, Bytes data, const Layout& layout, bool bounded = true) {
    std::string text;
    const Decoding result = decode(record, data, layout, bounded, [&](const Leaf& leaf) {
        if (leaf.kind == Leaf::Kind::list) return;
        if (!text.empty()) text += ' ';
        if (leaf.list != nullptr) text += std::to_string(leaf.element) + '.';
        text += leaf.field == nullptr ? "?" : leaf.field->name;
        text += '=';
        Value value{leaf, {}};
        if (value.is_text())
            text += leaf.kind == Leaf::Kind::raw || leaf.field->type == Type::bytes
                        ? "<" + std::to_string(leaf.length) + ">"
                        : std::string(as_text(data.subspan(leaf.offset, leaf.length - 1)));
        else
            text += std::to_string(leaf.number);
    });
    if (!result.complete) text += " (cut)";
    return text;
}

std::string written_again(const Record& record, Bytes data, const Layout& layout) {
    std::string bytes;
    encode(decode_values(record, data, layout, true), bytes);
    return bytes;
}

Layout of(ByteOrder order, uint8_t word_size = 8, uint16_t version = 0) { return {order, word_size, version, {}}; }

struct EncodedRecord {
    const char* name;
    const Record* record;
    Layout layout;
    std::vector<uint8_t> bytes;
    std::string values;
};

// clang-format off
const std::vector<EncodedRecord> kEncodedRecords = {
    {"xray function, little", &kFunction, of(ByteOrder::little), {0x12, 0, 0, 0, 0x0a, 0, 0, 0},
     "is_metadata=0 action=1 function_id=1 tsc_delta=10"},
    {"xray function, big", &kFunction, of(ByteOrder::big), {0x10, 0, 0, 0x01, 0, 0, 0, 0x0a},
     "is_metadata=0 action=1 function_id=1 tsc_delta=10"},
    {"jitdump debug info", &kDebug, of(ByteOrder::little),
     {2, 0, 0, 0, 0x48, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0,
      0, 0x10, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 1, 0, 0, 0, 'a', 0,
      8, 0x10, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0},
     "id=2 total_size=72 timestamp=5 code_addr=4096 nr_entry=2 0.addr=4096 0.line=7 0.discrim=1 0.name=a "
     "1.addr=4104 1.line=18446744073709551615 1.discrim=2 1.name= padding=<5>"},
    {"jitdump debug info, big, one byte cut", &kDebug, of(ByteOrder::big),
     {0, 0, 0, 2, 0, 0, 0, 0x32, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 1,
      0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 7, 0, 0, 0, 1, 'a'},
     "id=2 total_size=50 timestamp=5 code_addr=4096 nr_entry=1 0.addr=4096 0.line=7 0.discrim=1 ?=<1> (cut)"},
    {"samply tree", &kTree, of(ByteOrder::little),
     {0x53, 0x4d, 0x50, 0x31, 0x90, 0, 0, 0, 0x1a, 4, 0, 0, 0, 0, 0, 0,
      1, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0,
      'a', '.', 'c', 0, 'f', 0, 'g', 0,
      0, 0, 0, 0, 0, 0, 0, 0, 10, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 12, 0, 0, 0, 5, 0, 0, 0, 16, 0, 0, 0, 8, 0, 0, 0,
      16, 0, 0, 0, 0, 0, 0, 0, 21, 0, 0, 0, 4, 0, 0, 0},
     "id=827346259 total_size=144 timestamp=1050 file_count=1 file_list_size=4 function_names_count=2 "
     "function_names_list_size=4 function_count=2 inline_call_record_count=1 range_count=1 line_record_count=1 "
     "0.text=a.c 0.text=f 1.text=g "
     "0.function_name_index=0 0.file_index=0 0.start_line=10 0.start_column=1 0.flags=0 "
     "1.function_name_index=1 1.file_index=0 1.start_line=20 1.start_column=3 1.flags=0 "
     "0.depth=0 0.range_count=1 0.function_index=1 0.call_line_number=12 0.call_column_number=5 "
     "0.start_offset=16 0.size=8 0.code_offset=16 0.file_index=0 0.line_number=21 0.column_number=4"},
    {"samply tree, its first list larger than the record", &kTree, of(ByteOrder::little),
     {0x53, 0x4d, 0x50, 0x31, 0x34, 0, 0, 0, 0x1a, 4, 0, 0, 0, 0, 0, 0,
      1, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      'a', '.', 'c', 0},
     "id=827346259 total_size=52 timestamp=1050 file_count=1 file_list_size=5 function_names_count=0 "
     "function_names_list_size=0 function_count=0 inline_call_record_count=0 range_count=0 line_record_count=0 "
     "?=<4> (cut)"},
    {"gperftools, 32 bit, big", &kSample, of(ByteOrder::big, 4), {0, 0, 0, 5, 0, 0, 0, 2, 0, 0x0a, 0, 0, 0, 0x0c, 0, 1},
     "count=5 num_pcs=2 0.address=655360 1.address=786433"},
    {"gperftools, 64 bit, little", &kSample, of(ByteOrder::little, 8),
     {5, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0a, 0, 0, 0, 0, 0}, "count=5 num_pcs=1 0.address=655360"},
    {"a count in front, 32 bit, big", &kSlotList, of(ByteOrder::big, 4), {0, 0, 0, 2, 0, 0x0a, 0, 0, 0, 0x0c, 0, 1},
     "num_pcs=2 0.address=655360 1.address=786433"},
    {"a count in front, cut inside a number", &kSlotList, of(ByteOrder::big, 4), {0, 0, 0, 2, 0, 0x0a, 0, 0, 0, 0x0c, 0},
     "num_pcs=2 0.address=655360 ?=<3> (cut)"},
    {"mlpd heap object, version 1", &kHeapObject, {ByteOrder::little, 8, 1, {0, 1000, 100, 0}},
     {0x26, 0x02, 0x7f, 0x18, 0x01, 0x03}, "op=38 object=816 class=999 size=24 references=1 0.object=824"},
    {"mlpd heap object, version 2", &kHeapObject, {ByteOrder::little, 8, 2, {0, 1000, 100, 0}},
     {0x26, 0x02, 0x7f, 0x18, 0x01, 0x08, 0x03},
     "op=38 object=816 class=999 size=24 references=1 0.offset_delta=8 0.object=824"},
    {"mlpd heap object, version 13", &kHeapObject, {ByteOrder::little, 8, 13, {0, 1000, 100, 0}},
     {0x26, 0x80, 0x01, 0x02, 0x7f, 0x18, 0x00}, "op=38 time=128 object=816 class=999 size=24 references=0"},
    {"mlpd heap object, version 15", &kHeapObject, {ByteOrder::little, 8, 15, {0, 1000, 100, 0}},
     {0x26, 0x80, 0x01, 0x02, 0x7f, 0x18, 0x00}, "op=38 time=128 object=816 vtable=999 size=24 references=0"},
    {"mlpd heap object, version 16", &kHeapObject, {ByteOrder::little, 8, 16, {0, 1000, 100, 0}},
     {0x26, 0x80, 0x01, 0x02, 0x7f, 0x18, 0x01, 0x00},
     "op=38 time=128 object=816 vtable=999 size=24 generation=1 references=0"},
    {"mlpd heap root, version 12", &kHeapRoot, {ByteOrder::little, 8, 12, {0, 1000, 100, 0}},
     {0x36, 0x01, 0x07, 0x02, 0x80, 0x02, 0x05}, "op=54 n=1 gc_count=7 0.object=816 0.root_type=256 0.extra=5"},
    {"mlpd heap root, version 13", &kHeapRoot, {ByteOrder::little, 8, 13, {0, 1000, 100, 0}},
     {0x36, 0x09, 0x01, 0x07, 0x02, 0x80, 0x05}, "op=54 time=9 n=1 gc_count=7 0.object=816 0.root_type=128 0.extra=5"},
    {"mlpd heap root, version 14", &kHeapRoot, {ByteOrder::little, 8, 14, {0, 1000, 100, 0}},
     {0x36, 0x09, 0x01, 0x07, 0x02, 0x80, 0x02, 0x05},
     "op=54 time=9 n=1 gc_count=7 0.object=816 0.root_type=256 0.extra=5"},
    {"mlpd heap root, version 15", &kHeapRoot, {ByteOrder::little, 8, 15, {0, 1000, 100, 0}},
     {0x36, 0x09, 0x01, 0x7e, 0x02}, "op=54 time=9 n=1 0.slot=998 0.object=816"},
    {"mlpd JIT helper with a name, version 13", &kJitHelper, {ByteOrder::little, 8, 13, {0, 1000, 100, 0}},
     {0x18, 0x09, 0x06, 0x02, 0x20, 'f', 0}, "op=24 time=9 type=6 address=1002 size=32 name=f"},
    {"mlpd JIT helper without one, version 13", &kJitHelper, {ByteOrder::little, 8, 13, {0, 1000, 100, 0}},
     {0x18, 0x09, 0x05, 0x02, 0x20}, "op=24 time=9 type=5 address=1002 size=32"},
    {"mlpd JIT helper with a name, version 14", &kJitHelper, {ByteOrder::little, 8, 14, {0, 1000, 100, 0}},
     {0x18, 0x09, 0x05, 0x02, 0x20, 'f', 0}, "op=24 time=9 type=5 address=1002 size=32 name=f"},
    {"mlpd counters up to index 0", &kCounters, {ByteOrder::little, 8, 15, {}},
     {0x47, 0x09, 0x81, 0x01, 0x02, 0x7f, 0x03, 0x01, 0x7f, 0x00},
     "op=71 time=9 0.index=129 0.type=2 0.signed_value=18446744073709551615 1.index=3 1.type=1 1.unsigned_value=127 2.index=0"},
    {"mlpd counters, cut before index 0", &kCounters, {ByteOrder::little, 8, 15, {}},
     {0x47, 0x09, 0x03, 0x01, 0x7f}, "op=71 time=9 0.index=3 0.type=1 0.unsigned_value=127 (cut)"},
    {"a list up to a 0 of two bytes", &kPairs, of(ByteOrder::little), {0x00, 0x01, 0x01, 0x00, 0x00, 0x00},
     "0.number=256 1.number=1 2.number=0"},
    {"a list up to a 0 of which one byte is there", &kPairs, of(ByteOrder::little), {0x01, 0x00, 0x00},
     "0.number=1 ?=<1> (cut)"},
    {"a list whose count is not there", &kMaybe, of(ByteOrder::little), {0, 7}, "kind=0 rest=<1>"},
    {"a list whose count is there", &kMaybe, of(ByteOrder::little), {1, 1, 5, 0, 7},
     "kind=1 count=1 0.number=5 rest=<1>"},
    {"a list of elements that hold nothing in this version", &kHollow, of(ByteOrder::little, 8, 1), {7, 9}, "kind=7 ?=<1>"},
    {"two numbers of bits", &kBits, of(ByteOrder::big), {0xa4, 0x92}, "a=5 b=4 c=4 d=18"},
    {"flags, little-endian", &kFlagBits, of(ByteOrder::little), {0x23}, "first=3 rest=4"},
    {"flags, big-endian", &kFlagBits, of(ByteOrder::big), {0xc4}, "first=3 rest=4"},
    {"mlpd allocation, each frame relative to the one before it", &kAllocation, {ByteOrder::little, 8, 17, {0, 1000, 100, 5000}},
     {0x10, 0x01, 0x00, 0x02, 0x18, 0x02, 0x08, 0x7f},
     "op=16 time=1 vtable=1000 object=816 size=24 frame_count=2 0.method=5008 1.method=5007"},
    {"mlpd allocation, pointers of 4 bytes", &kAllocation, {ByteOrder::little, 4, 17, {0, 1, 1, 0}},
     {0x10, 0x01, 0x7e, 0x7d, 0x18, 0x01, 0x7f},
     "op=16 time=1 vtable=4294967295 object=4294967280 size=24 frame_count=1 0.method=4294967295"},
    {"mlpd allocation, distances that 64 bits cut off", &kAllocation, {ByteOrder::little, 8, 17, {0, 1, 1, 0}},
     {0x10, 0x01, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00, 0x18, 0x00},
     "op=16 time=1 vtable=0 object=0 size=24 frame_count=0"},
    {"mlpd heap object, cut inside a LEB128 number", &kHeapObject, {ByteOrder::little, 8, 13, {0, 1000, 100, 0}},
     {0x26, 0x80, 0x01, 0x82}, "op=38 time=128 ?=<1> (cut)"},
    {"mlpd heap object, cut inside the list", &kHeapObject, {ByteOrder::little, 8, 2, {0, 1000, 100, 0}},
     {0x26, 0x02, 0x7f, 0x18, 0x02, 0x08, 0x03}, "op=38 object=816 class=999 size=24 references=2 0.offset_delta=8 0.object=824 (cut)"},
};
// clang-format on

TEST_CASE("one hard record of each format decodes to what its specification says") {
    for (const EncodedRecord& golden : kEncodedRecords) {
        CAPTURE(golden.name);
        CHECK(dump(*golden.record, golden.bytes, golden.layout) == golden.values);
        CHECK(written_again(*golden.record, golden.bytes, golden.layout) == as_text(golden.bytes));
    }
}

TEST_CASE("nothing after a record is read") {
    GuardedPage page;
    for (const EncodedRecord& golden : kEncodedRecords) {
        CAPTURE(golden.name);
        uint8_t* const at = page.last(golden.bytes.size());
        std::copy(golden.bytes.begin(), golden.bytes.end(), at);
        CHECK(dump(*golden.record, {at, golden.bytes.size()}, golden.layout) == golden.values);
    }
}

TEST_CASE("a text in UTF-16 is a field of its own length, and two values can leave a field out") {
    const std::string there("\3a\0\0\1\0\0\7", 8), absent("\2a\0\0\1\0\0\7", 8);
    Decoding read = decode(kWide, as_bytes(there), {}, false, [](const Leaf&) {});
    CHECK((read.complete && read.length == 8));
    CHECK(written_again(kWide, as_bytes(there), {}) == there);
    read = decode(kWide, as_bytes(absent), {}, false, [](const Leaf&) {});
    CHECK((read.complete && read.length == 7));
    CHECK_FALSE(decode(kWide, as_bytes(there.substr(0, 6)), {}, false, [](const Leaf&) {}).complete);
    CHECK(minimum_size(kWide) == 3);
}

TEST_CASE("offsets and sizes follow the version, bit fields and optional fields") {
    static constexpr auto kElement = record("element", kNoTag, "", {u16("number")});
    static constexpr auto kMixed =
        record("mixed", kNoTag, "",
               {u8("kind"), bits("low", 1, 0, 3), bits("high", 1, 3, 5), u32("old").until(1), u16("new").since(2),
                bytes("key", 3), u64("extra").only_if("kind", 1), string("name"), uleb128("count"), sleb128("delta"),
                list("elements", kElement).counted_by("count")});
    struct Case {
        std::string_view field;
        uint64_t before_2, since_2;  // offsets
    };
    const Case cases[] = {{"kind", 0, 0},    {"low", 1, 1},          {"high", 1, 1},
                          {"old", 2, kNone}, {"new", kNone, 2},      {"key", 6, 4},
                          {"extra", 9, 7},   {"name", kNone, kNone}, {"none", kNone, kNone}};
    const Layout before{.version = 1}, since{.version = 2};
    for (const auto& [field, before_2, since_2] : cases) {
        CAPTURE(field);
        CHECK(fixed_offset(kMixed, field, before) == before_2);
        CHECK(fixed_offset(kMixed, field, since) == since_2);
    }
    CHECK(fixed_size(kMixed, before) == 9);
    CHECK(fixed_size(kMixed, since) == 7);
    CHECK(fixed_size(kElement, since) == 2);
    CHECK(minimum_size(kMixed, before) == 12);
    CHECK(minimum_size(kMixed, since) == 10);
    CHECK(fixed_offset(kElement, "none", since) == kNone);
    static constexpr auto kOpaque = record("opaque", kNoTag, "", {u8("kind"), bytes("rest"), u8("last")});
    static constexpr auto kNamed = record("named", kNoTag, "", {string("name"), u8("last")});
    CHECK(fixed_offset(kOpaque, "rest", since) == 1);
    CHECK(fixed_offset(kOpaque, "last", since) == kNone);
    CHECK(fixed_size(kOpaque, since) == 1);
    CHECK(fixed_offset(kNamed, "last", since) == kNone);
    static constexpr auto kOptional = record(
        "optional", kNoTag, "", {u8("kind"), uleb128("time").only_if("kind", 1), string("name").only_if("kind", 2)});
    CHECK(minimum_size(kOptional, since) == 1);
}

TEST_CASE("a record finds its fields by their names, and knows its versions") {
    CHECK(kMaybe.find("kind") == &kMaybe.fields()[0]);
    CHECK(kMaybe.find("rest") == &kMaybe.fields()[3]);
    CHECK(kMaybe.find("none") == nullptr);
    CHECK(kMaybe.find("") == nullptr);
    const auto some = kMaybe.versions(2, 3);
    for (uint16_t version = 1; version <= 4; ++version)
        CHECK(some.exists_in(version) == (version == 2 || version == 3));
}

TEST_CASE("a leaf says how deep it lies, and a draft what kind of value it is") {
    const EncodedRecord& debug = kEncodedRecords[2];
    decode(kDebug, debug.bytes, debug.layout, true,
           [](const Leaf& leaf) { CHECK(leaf.depth == (leaf.record == &kEntry ? 1 : 0)); });
    RecordValues draft =
        decode_values(kDebug, kEncodedRecords[3].bytes, kEncodedRecords[3].layout, true);  // cut: ends with raw bytes
    for (const Value& value : draft.values) {
        const bool raw = value.leaf.kind == Leaf::Kind::raw, in_list = value.leaf.kind == Leaf::Kind::list;
        CHECK(value.is_text() == raw);
        CHECK(value.is_number() == (!raw && !in_list));
        CHECK(value.text == (raw ? "a" : ""));
    }
    CHECK(draft.number("nr_entry") == 1);
    CHECK(draft.number("none") == 0);
    const RecordValues named = decode_values(kEntry, {debug.bytes.data() + 32, 18}, debug.layout, true);
    CHECK_FALSE(named.values.back().is_number());
    CHECK(named.values.back().is_text());
}

TEST_CASE("bytes after a record of unknown end are not its own, but those of a cut field are") {
    const std::vector<uint8_t> bytes = {0x12, 0, 0, 0, 0x0a, 0, 0, 0, 0xff};
    const std::string whole = "is_metadata=0 action=1 function_id=1 tsc_delta=10";
    CHECK(dump(kFunction, bytes, of(ByteOrder::little), false) == whole);
    CHECK(dump(kFunction, Bytes(bytes).first(6), of(ByteOrder::little), false) ==
          "is_metadata=0 action=1 function_id=1 ?=<2> (cut)");
}

TEST_CASE("a number that is too large for its bits does not change those beside it") {
    RecordValues draft = decode_values(kFunction, kEncodedRecords[0].bytes, kEncodedRecords[0].layout, true);
    draft.set("action", 15);
    draft.set("function_id", 2);  // the bit beside it is 0
    std::string bytes;
    encode(draft, bytes);
    CHECK(as_text(std::vector<uint8_t>{0x2e, 0, 0, 0, 0x0a, 0, 0, 0}) == bytes);
}

TEST_CASE("fields are read by name at offsets that the compiler knows") {
    const uint8_t big[] = {0x10, 0, 0, 0x07, 0, 0, 0, 0x0a};
    const View<kFunction> function(big, 0x100, ByteOrder::big, 3);
    CHECK(function.get<"action">() == 1);
    CHECK(function.get<"function_id">() == 7);
    CHECK(function.place<"tsc_delta">().offset == 0x104);
    CHECK(field_path(function.place<"tsc_delta">()) == "records[3].tsc_delta");
    static_assert(View<kDebug>::offset_of<"nr_entry">() == 24);
    static_assert(minimum_size(kDebug) == 32 && minimum_size(kEntry) == 17);
    const uint8_t sample[] = {0, 0, 0, 5, 0, 0, 0, 2};
    constexpr Layout kWord4{ByteOrder::little, 4, 0, {}};
    CHECK(View<kSample, kWord4>(sample, 0, ByteOrder::big, 0).get<"num_pcs">() == 2);
}

TEST_CASE("a field may fill what the size of it and of the fields before it leaves") {
    static constexpr auto kFilled = record("filled", kNoTag, "",
                                           {u8("size"), uleb128("name_size"), bytes("name").sized_by("name_size"),
                                            u8("type"), bytes("rest").fills("size"), u8("last")});
    const Layout layout = of(ByteOrder::little);
    const std::vector<uint8_t> bytes = {5, 2, 'a', 'b', 7, 9, 1};
    CHECK(dump(kFilled, bytes, layout) == "size=5 name_size=2 name=<2> type=7 rest=<1> last=1");
    CHECK(dump(kFilled, std::vector<uint8_t>{4, 2, 'a', 'b', 7, 1}, layout) ==
          "size=4 name_size=2 name=<2> type=7 rest=<0> last=1");
    for (const uint8_t size :
         std::to_array<uint8_t>({3, 6, 255})) {  // less than the fields take, and more than there is
        std::vector<uint8_t> broken = bytes;
        broken[0] = size;
        CAPTURE(size);
        CHECK(dump(kFilled, broken, layout).ends_with("(cut)"));
    }
    RecordValues draft = decode_values(kFilled, bytes, layout, true);
    draft.find("name")->text = std::string(200, 'a');
    draft.find("rest")->text = "xyz";
    update_sizes(draft);
    CHECK(draft.number("name_size") == 200);
    CHECK(draft.number("size") == 206);
}

TEST_CASE("settling makes counts and sizes fit the values") {
    RecordValues draft = decode_values(kDebug, kEncodedRecords[2].bytes, kEncodedRecords[2].layout, true);
    draft.set("total_size", 1);
    update_sizes(draft);
    CHECK(draft.number("total_size") == 72);
    RecordValues tree = decode_values(kTree, kEncodedRecords[4].bytes, kEncodedRecords[4].layout, true);
    tree.set("function_names_list_size", 99);
    update_sizes(tree);
    CHECK(tree.number("function_names_list_size") == 4);
    const Layout words = of(ByteOrder::little, 4);
    for (const std::vector<uint8_t>& bytes :
         {std::vector<uint8_t>{8, 1, 0, 0, 0, 2, 0, 0, 0}, std::vector<uint8_t>{8, 1, 0, 0, 0, 2, 0, 0, 0, 0xff}}) {
        RecordValues sized = decode_values(kSized, bytes, words, true);
        sized.set("size", 1);
        update_sizes(sized);
        CHECK(sized.number("size") == 8);
    }
}

}  // namespace
}  // namespace tracelint
