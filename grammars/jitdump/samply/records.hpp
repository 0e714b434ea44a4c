// The layouts of samply's records (section 3), in the order and words of the original documents. Code offsets count
// bytes from the start of the function. Numbers have the byte order of the jitdump file.
#pragma once

#include "validator/tables/describe.hpp"

namespace tracelint::samply {

enum Id : uint32_t {
    kInlineInfoId = 5,
    kTreeId = 827346259,       // "SMP1" in a little-endian file
    kPositionsId = 827346260,  // "TMP1"; the original document calls this number JIT_TIER
    kSourceFileId = 827346261,
};
inline constexpr uint32_t kIds[] = {kInlineInfoId, kTreeId, kPositionsId, kSourceFileId};
inline constexpr NamedValue kIdNames[] = {
    {kInlineInfoId, "inline info, experimental"},
    {kTreeId, "DEBUG_INFO2, tree"},
    {kPositionsId, "DEBUG_INFO2, positions"},
    {kSourceFileId, "EMBEDDED_SOURCE_FILE"},
};
inline constexpr NamedValue kNone64[] = {{kNone, "none"}};
inline constexpr NamedValue kNone32[] = {{0xffffffff, "none"}};

// How every record begins (jitdump 3.2 Record header).
inline constexpr Field kId = u32("id").named(kIdNames);
inline constexpr Field kTotalSize = u32("total_size").holds(Quantity::size).record_size();
inline constexpr Field kTimestamp = u64("timestamp").holds(Quantity::time);

// clang-format off

inline constexpr auto kPrefix = record("prefix", kNoTag, "the start of every record", {kId, kTotalSize, kTimestamp});

inline constexpr auto kString = record("string", kNoTag, "UTF-8", {string("text")});

// 3.1 tree
inline constexpr auto kFunctionRecord = record("FunctionRecord", kNoTag, "a function that occurs in the code; the first is the outer one", {
    u32("function_name_index")   .index_of("function_names_list"),
    u32("file_index")            .index_of("file_list"),
    u32("start_line"),
    u32("start_column"),
    u32("flags")                 .says("values are not defined"),
});
inline constexpr auto kInlineCallRecord = record("InlineCallRecord", kNoTag, "a call that was inlined; depth-first, callers before their callees", {
    u32("depth")                 .is_depth().says("0: called by the outer function"),
    u32("range_count")           .takes_from("range_list"),
    u32("function_index")        .index_of("function_list").says("the function that is called"),
    u32("call_line_number")      .says("in the caller's file"),
    u32("call_column_number"),
});
inline constexpr auto kRange = record("Range", kNoTag, "code of an inlined call", {
    u32("start_offset"),
    u32("size").holds(Quantity::size) .says("bytes"),
});
inline constexpr auto kLineRecord = record("LineRecord", kNoTag, "valid up to the next one's code_offset", {
    u32("code_offset"),
    u32("file_index")            .index_of("file_list"),
    u32("line_number")           .says("counted from 1"),
    u32("column_number")         .says("counted from 0"),
});
inline constexpr auto kTree = record("JIT_CODE_DEBUG_INFO2 (tree)", kTreeId, "lines and inlined calls of the function whose LOAD follows", {
    kId.equals(kTreeId), kTotalSize, kTimestamp,
    u32("file_count"),
    u32("file_list_size").holds(Quantity::size) .says("bytes, padding to 4 included"),
    u32("function_names_count"),
    u32("function_names_list_size").holds(Quantity::size) .says("bytes, padding to 4 included"),
    u32("function_count")            .says("at least 1: the outer function"),
    u32("inline_call_record_count"),
    u32("range_count")               .says("sum of the calls' range_count"),
    u32("line_record_count"),
    list("file_list", kString)             .counted_by("file_count").sized_by("file_list_size"),
    list("function_names_list", kString)   .counted_by("function_names_count").sized_by("function_names_list_size"),
    list("function_list", kFunctionRecord) .counted_by("function_count"),
    list("inline_call_list", kInlineCallRecord).counted_by("inline_call_record_count"),
    list("range_list", kRange)             .counted_by("range_count"),
    list("line_record_list", kLineRecord)  .counted_by("line_record_count"),
    bytes("padding")                       .says("up to 7 zero bytes"),
});

// 3.2 positions
inline constexpr auto kCodeOffset = record("CodeOffset", kNoTag, "valid up to the next one's code_offset", {
    u32("code_offset"),
    u32("source_position")       .index_of("source_positions").named(kNone32),
});
inline constexpr auto kSourcePosition = record("SourcePosition", kNoTag, "a place in the source, and the call that it was inlined by", {
    i32("caller_index")          .index_of("source_positions").named(kNone64),
    u32("function_name")         .index_of("strings"),
    i32("file")                  .index_of("strings").named(kNone64),
    u32("function_start_line")   .says("counted from 1; 0: unknown"),
    u32("function_start_column") .says("counted from 1; 0: unknown"),
    u32("line")                  .says("counted from 1; 0: unknown"),
    u32("column")                .says("counted from 1; 0: unknown"),
});
inline constexpr auto kPositions = record("JIT_CODE_DEBUG_INFO2 (positions)", kPositionsId, "positions and inlined calls of the function whose LOAD follows", {
    kId.equals(kPositionsId), kTotalSize, kTimestamp,
    u64("code_addr").holds(Quantity::address) .says("that of the LOAD"),
    u64("code_offset_count"),
    u64("source_position_count"),
    u64("string_count"),
    list("code_offsets", kCodeOffset)         .counted_by("code_offset_count"),
    list("source_positions", kSourcePosition) .counted_by("source_position_count"),
    list("strings", kString)                  .counted_by("string_count"),
    bytes("padding")             .says("up to 7 zero bytes"),
});

// 3.5 Opaque records: their layout is not defined anywhere
inline constexpr auto kInlineInfo = record("inline info", kInlineInfoId, "experimental, of two layouts that cannot be told apart", {
    kId.equals(kInlineInfoId), kTotalSize, kTimestamp, bytes("body").with_numbers()});
inline constexpr auto kTier = record("JIT_TIER", kNoTag, "a record of id 827346260 that is not read as positions", {
    kId.equals(kPositionsId), kTotalSize, kTimestamp, bytes("body").with_numbers()});
inline constexpr auto kSourceFile = record("EMBEDDED_SOURCE_FILE", kSourceFileId, "source text inside the dump; its layout is not defined", {
    kId.equals(kSourceFileId), kTotalSize, kTimestamp, bytes("body").with_numbers()});

// clang-format on

inline constexpr const Record* kRecords[] = {&kTree, &kPositions, &kInlineInfo, &kTier, &kSourceFile};

static_assert(fixed_size(kTree) == 16 + 32 && fixed_size(kFunctionRecord) == 20 && fixed_size(kInlineCallRecord) == 20);
static_assert(fixed_size(kRange) == 8 && fixed_size(kLineRecord) == 16);
static_assert(fixed_size(kPositions) == 16 + 32 && fixed_size(kCodeOffset) == 8 && fixed_size(kSourcePosition) == 28);

}  // namespace tracelint::samply
