// xray, section 5, rules 9 to 16: buffers, and what stands between them.
#pragma once

#include "validator/rule.hpp"

namespace tracelint::xray {

inline constexpr Rule kTruncatedBuffer{
    .id = "xray/truncated-buffer",
    .severity = Severity::error,
    .statement = "in version 1, the last buffer has buffer_size bytes",
    .message = "the file ends {0 byte|bytes} into a buffer of {1}",
    .why = "readers take it silently; the end of the last buffer is missing, or buffer_size is wrong",
    .spec = "3.2 Buffers and FDR versions",
    .since = "0.1.0",
    .about_end = true,
    .out_of_step = true};

inline constexpr Rule kBufferExtentsMissing{
    .id = "xray/buffer-extents-missing",
    .severity = Severity::error,
    .statement = "from version 2 on, BufferExtents stands before each NewBuffer",
    .message = "a NewBuffer stands where a BufferExtents is due",
    .why = "LLVM 7 and earlier refuse the file; where the buffer ends has to be guessed",
    .spec = "3.4.8 BufferExtents Records",
    .since = "0.1.0",
    .out_of_step = true};

inline constexpr Rule kGarbageBeforeBuffer{
    .id = "xray/garbage-before-buffer",
    .severity = Severity::error,
    .statement = "from version 2 on, a buffer follows the one before it directly",
    .message = "{0 byte|bytes} stand before the next buffer",
    .why = "llvm-xray drops them silently, whatever records they hold",
    .spec = "3.2 Buffers and FDR versions",
    .since = "0.1.0",
    .decided_later = true,
    .out_of_step = true};

inline constexpr Rule kTrailingGarbage{.id = "xray/trailing-garbage",
                                       .severity = Severity::error,
                                       .statement = "nothing follows the last buffer",
                                       .message = "{0 byte|bytes} follow the last buffer and begin no other",
                                       .why = "llvm-xray refuses the whole file",
                                       .spec = "3.2 Buffers and FDR versions",
                                       .since = "0.1.0",
                                       .about_end = true,
                                       .out_of_step = true};

inline constexpr Rule kExtentsExceedFile{
    .id = "xray/extents-exceed-file",
    .severity = Severity::error,
    .statement = "the file has all bytes that a BufferExtents counts",
    .message = "the buffer has {0} bytes by its count, more than the file has or a reader keeps",
    .why = "LLVM keeps 32 bits of the count, and loses the end of a cut buffer silently or refuses the file",
    .spec = "3.4.8 BufferExtents Records",
    .since = "0.1.0",
    .about_end = true,
    .out_of_step = true};

inline constexpr Rule kExtentsExceedBufferSize{
    .id = "xray/extents-exceed-buffer-size",
    .severity = Severity::warning,
    .statement = "a buffer has at most the buffer_size of the header",
    .message = "the buffer has {0} bytes by its count, and buffer_size is {1}",
    .why = "the runtime wrote a record or an event beyond the end of its buffer: the memory behind it was damaged",
    .spec = "3.4.8 BufferExtents Records",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr Rule kExtentsTooSmall{
    .id = "xray/extents-too-small",
    .severity = Severity::error,
    .statement = "a buffer has room for NewBuffer, WallClock and NewCPUId: 48 bytes",
    .message = "the buffer has {0} bytes by its count, and its preamble alone has 48",
    .why = "the records of the buffer are lost: readers look for the next one right behind the count",
    .spec = "3.4.8 BufferExtents Records",
    .since = "0.1.0",
    .out_of_step = true};

inline constexpr Rule kEmptyBuffer{.id = "xray/empty-buffer",
                                   .severity = Severity::note,
                                   .statement = "a buffer holds records",
                                   .message = "the buffer is empty",
                                   .why = "readers skip it; the runtime's file writer leaves such buffers out",
                                   .spec = "3.4.8 BufferExtents Records",
                                   .since = "0.1.0"};

}  // namespace tracelint::xray
