// The bytes around a finding. A walk does not keep them, so they are read again when the finding is printed.
#pragma once

#include <optional>

#include "validator/tool/writers/writer.hpp"

namespace tracelint {

// What of an input can be read again: a file, or the bytes that were kept of a pipe.
struct ReadAgain {
    std::unique_ptr<Source> source = nullptr;  // null: nothing
    bool is_part = false;                      // the source ends before the input did
};
ReadAgain read_again(const Checked& checked);

// The bytes of one file, read a second time and in ascending order, as findings are sorted.
class Excerpts {
  public:
    // With a container, the bytes are decompressed ones. Inputs that cannot be read twice (pipes, devices, standard
    // input) have no bytes.
    Excerpts(const std::string& path, Container container);
    // The same; of standard input that is a pipe, the bytes that were kept.
    Excerpts(const Checked& checked, Container container);
    // The bytes of a source, which is at its start.
    explicit Excerpts(std::unique_ptr<Source> source);

    // Whether there is a file to read.
    bool is_open() const { return window_.has_value(); }

    // Up to `count` bytes from `offset` on; fewer or none if the file ends or cannot be read. `offset` must not
    // decrease from call to call: there are no bytes before that of an earlier one.
    Bytes read(uint64_t offset, size_t count);

    // Bytes read so far; only in builds with agreement checks.
    const WorkCounter& work() const { return work_; }

  private:
    void open(Container container);

    WorkCounter work_;
    Budget budget_{Limits{}.memory};  // of what a container asks for
    std::unique_ptr<Source> file_;
    std::unique_ptr<Source> decompressed_;
    std::optional<Window> window_;
    uint64_t passed_ = 0;     // offset of the last call
    uint64_t reach_ = kNone;  // nothing is read beyond this offset
    bool is_part_ = false;    // the source ends before the file does
};

// Printed before and after the marks below the bytes: escape sequences if output is coloured.
struct MarkStyle {
    std::string_view start, end;
};

// Two or three lines of 16 bytes, with a line of marks below each line that holds bytes of the place. Each line begins
// with `indent` and ends in a newline. Empty if there are no bytes to show.
std::string hex_window(Excerpts& excerpts, uint64_t offset, uint64_t length, std::string_view indent,
                       const MarkStyle& style);

// "00000010  07 00 ...  |....|" for up to 16 bytes, with a newline.
std::string hex_line(uint64_t offset, Bytes bytes, int offset_digits = 8);

}  // namespace tracelint
