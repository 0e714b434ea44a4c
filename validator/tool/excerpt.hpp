// The bytes around a finding. A walk keeps none, so they are read again when the finding is printed.
#pragma once

#include <optional>

#include "validator/tool/writer.hpp"

namespace tracelint {

// Bytes of one file, read a second time and in order: findings are sorted.
class Excerpts {
  public:
    // Gives no bytes for what cannot be read twice: pipes, devices, standard input.
    Excerpts(const std::string& path, Container container);

    // Up to `count` bytes from `offset` on; fewer or none where the file ends or cannot be read, and none
    // before the offset of an earlier call.
    Bytes read(uint64_t offset, size_t count);

  private:
    std::unique_ptr<Source> file_;
    std::unique_ptr<Source> unpacked_;
    std::optional<Window> window_;
    uint64_t passed_ = 0;     // nothing is read before this offset
    uint64_t reach_ = kNone;  // nothing is read behind this offset
};

// How the marks below the bytes begin and end; escape sequences where colours are wanted.
struct MarkStyle {
    std::string_view start, end;
};

// Two or three lines of 16 bytes, a line of marks below each that holds bytes of the place; each line
// ends in a newline and begins with `indent`. Empty where there are no bytes to show.
std::string hex_window(Excerpts& excerpts, uint64_t offset, uint64_t length, std::string_view indent,
                       const MarkStyle& style);

// "00000010  07 00 ...  |....|" of up to 16 bytes, with a newline.
std::string hex_line(uint64_t offset, Bytes bytes, int offset_digits = 8);

}  // namespace tracelint
