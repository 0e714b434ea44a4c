// mlpd, section 4.1: the states of a file.
#pragma once

#include "grammars/mlpd/buffer_rules.hpp"
#include "grammars/mlpd/header_rules.hpp"
#include "validator/machine.hpp"

namespace tracelint::mlpd {

enum class Stage : uint8_t { start, buffers, rescan, over, count_ };

// What the walk meets in a stage.
enum class FileEvent : uint8_t {
    header,             // sound enough to go on
    unreadable_header,  // its rules say why
    end_of_file,
    buffer,      // with all of its bytes
    cut_header,  // fewer bytes than a buffer's header has
    negative_length,
    cut_buffer,
    second_header,  // of a file
    damaged_id,     // a buffer in every other respect
    foreign_bytes,
    next_buffer,  // of a rescan
    count_
};

inline constexpr std::string_view kStageNames[] = {"start", "buffers", "rescan", "over"};
inline constexpr std::string_view kFileEventNames[] = {
    "header",
    "unreadable header",
    "end of file",
    "buffer",
    "part of a buffer header",
    "buffer, len >= 2^31",
    "buffer, len > rest",
    "file header",
    "buffer, but for its id",
    "other bytes",
    "next buffer",
};

using FileEdge = Edge<Stage, FileEvent>;

// clang-format off
inline constexpr FileEdge kFileEdges[] = {
    {Stage::start,   on(FileEvent::header),            Stage::buffers},
    {Stage::start,   on(FileEvent::unreadable_header), Stage::over,    Recovery::stop},
    {Stage::start,   on(FileEvent::end_of_file, FileEvent::buffer, FileEvent::cut_header, FileEvent::negative_length,
                        FileEvent::cut_buffer, FileEvent::second_header, FileEvent::damaged_id, FileEvent::foreign_bytes,
                        FileEvent::next_buffer),       Stage::start,   Recovery::impossible},

    {Stage::buffers, on(FileEvent::end_of_file),       Stage::over,    Recovery::stop},
    {Stage::buffers, on(FileEvent::cut_header),        Stage::over,    Recovery::stop,   &kTruncatedBufferHeader},
    {Stage::buffers, on(FileEvent::negative_length),   Stage::rescan,  Recovery::skip,   &kBufferLengthNegative},
    {Stage::buffers, on(FileEvent::buffer),            Stage::buffers},
    {Stage::buffers, on(FileEvent::cut_buffer),        Stage::rescan,  Recovery::accept, &kTruncatedBuffer},
    {Stage::buffers, on(FileEvent::second_header),     Stage::start,   Recovery::again,  &kBadBufferId},
    {Stage::buffers, on(FileEvent::damaged_id),        Stage::buffers, Recovery::accept, &kBadBufferId},
    {Stage::buffers, on(FileEvent::foreign_bytes),     Stage::rescan,  Recovery::skip,   &kBadBufferId},
    {Stage::buffers, on(FileEvent::header, FileEvent::unreadable_header, FileEvent::next_buffer),
                                                     Stage::buffers, Recovery::impossible},

    {Stage::rescan,  on(FileEvent::next_buffer),       Stage::buffers},
    {Stage::rescan,  on(FileEvent::end_of_file),       Stage::over,    Recovery::stop},
    {Stage::rescan,  on(FileEvent::header, FileEvent::unreadable_header, FileEvent::buffer, FileEvent::cut_header,
                        FileEvent::negative_length, FileEvent::cut_buffer, FileEvent::second_header, FileEvent::damaged_id,
                        FileEvent::foreign_bytes),     Stage::rescan,  Recovery::impossible},
};
// clang-format on

inline constexpr auto kFileMachine = make_machine(kFileEdges, Stage::start, Stage::over);

}  // namespace tracelint::mlpd
