// xray, section 4.1: the state machine of a flight data recorder file.
#pragma once

#include "grammars/xray/buffer_rules.hpp"
#include "grammars/xray/record_rules.hpp"
#include "validator/machine.hpp"

namespace tracelint::xray {

enum class Stage : uint8_t {
    boundary,  // a buffer is due
    quiet,     // the same, but the walk may be out of step: what is no buffer is not reported
    inside,    // of a buffer
    stopped,
    count_,
};
inline constexpr std::string_view kStageNames[] = {"Boundary", "Quiet", "inside", "stopped"};

// What the walk meets.
enum class FileEvent : uint8_t {
    // where a buffer is due
    extents,         // X
    empty_extents,   // X with a count of 0
    small_extents,   // X with a count that no preamble fits in
    cut_extents,     // X that the file cuts
    new_buffer,      // N, in version 2
    any_byte,        // in version 1, where buffers begin at multiples of buffer_size
    garbage,         // anything else, up to the next plausible X
    trailing_bytes,  // anything else, up to the end of the file
    end_of_file,
    // where the walk through a buffer stops
    ended,
    ended_quietly,
    met_extents,
    left,
    cut,   // by the end of the file
    over,  // and nothing behind it can be known
    count_,
};
inline constexpr std::string_view kFileEventNames[] = {"BufferExtents",
                                                       "empty BufferExtents",
                                                       "small BufferExtents",
                                                       "cut BufferExtents",
                                                       "NewBuffer",
                                                       "any byte",
                                                       "garbage",
                                                       "trailing bytes",
                                                       "end of file",
                                                       "buffer ended",
                                                       "buffer ended with a bad preamble",
                                                       "BufferExtents inside",
                                                       "buffer left",
                                                       "buffer cut by the file's end",
                                                       "rest unknown"};

namespace outer {

using enum FileEvent;
using E = Edge<Stage, FileEvent>;

inline constexpr uint32_t kOfBuffer = on(ended, ended_quietly, met_extents, left, cut, over);
inline constexpr uint32_t kBetween =
    on(extents, empty_extents, small_extents, cut_extents, new_buffer, any_byte, garbage, trailing_bytes, end_of_file);

// clang-format off
// 3.2: buffers of a fixed size, and nothing between them
inline constexpr E kVersion1[] = {
    {Stage::boundary, on(any_byte),        Stage::inside},
    {Stage::boundary, on(end_of_file),     Stage::stopped,  Recovery::stop},
    {Stage::boundary, kOfBuffer | (kBetween & ~on(any_byte, end_of_file)), Stage::stopped, Recovery::impossible},

    {Stage::quiet,    kBetween | kOfBuffer, Stage::stopped, Recovery::impossible},

    {Stage::inside,   on(ended, ended_quietly, left), Stage::boundary},
    {Stage::inside,   on(over),            Stage::stopped,  Recovery::stop},
    {Stage::inside,   on(cut),             Stage::stopped,  Recovery::stop, &kTruncatedBuffer},
    {Stage::inside,   kBetween | on(met_extents), Stage::stopped, Recovery::impossible},
};

// A BufferExtents before each buffer. Version 2 has another way in: `new_buffer`.
inline constexpr E kVersion2[] = {
    {Stage::boundary, on(extents),         Stage::inside},
    {Stage::boundary, on(empty_extents),   Stage::boundary, Recovery::skip, &kEmptyBuffer},
    {Stage::boundary, on(small_extents),   Stage::quiet,    Recovery::skip, &kExtentsTooSmall},
    {Stage::boundary, on(cut_extents),     Stage::stopped,  Recovery::stop, &kTruncatedRecord},
    {Stage::boundary, on(new_buffer),      Stage::inside,   Recovery::accept, &kBufferExtentsMissing},
    {Stage::boundary, on(garbage),         Stage::boundary, Recovery::skip, &kGarbageBeforeBuffer},
    {Stage::boundary, on(trailing_bytes),  Stage::stopped,  Recovery::stop, &kTrailingGarbage},
    {Stage::boundary, on(end_of_file),     Stage::stopped,  Recovery::stop},
    {Stage::boundary, kOfBuffer | on(any_byte), Stage::stopped, Recovery::impossible},

    {Stage::quiet,    on(extents),         Stage::inside},
    {Stage::quiet,    on(empty_extents),   Stage::quiet,    Recovery::skip, &kEmptyBuffer},
    {Stage::quiet,    on(small_extents),   Stage::quiet,    Recovery::skip, &kExtentsTooSmall},
    {Stage::quiet,    on(cut_extents),     Stage::stopped,  Recovery::stop, &kTruncatedRecord},
    {Stage::quiet,    on(garbage),         Stage::boundary, Recovery::skip},
    {Stage::quiet,    on(trailing_bytes, end_of_file), Stage::stopped, Recovery::stop},
    {Stage::quiet,    kOfBuffer | on(new_buffer, any_byte), Stage::stopped, Recovery::impossible},

    {Stage::inside,   on(ended, met_extents),   Stage::boundary},
    {Stage::inside,   on(ended_quietly, left),  Stage::quiet},
    {Stage::inside,   on(cut),             Stage::stopped,  Recovery::stop, &kExtentsExceedFile},
    {Stage::inside,   on(over),            Stage::stopped,  Recovery::stop},
    {Stage::inside,   kBetween,            Stage::stopped,  Recovery::impossible},
};
// clang-format on

}  // namespace outer

using OuterMachine = Machine<Stage, FileEvent>;
inline constexpr OuterMachine kOuterMachine1 = make_machine(outer::kVersion1, Stage::boundary, Stage::stopped);
inline constexpr OuterMachine kOuterMachine2 = make_machine(outer::kVersion2, Stage::boundary, Stage::stopped);

}  // namespace tracelint::xray
