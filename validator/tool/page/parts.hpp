// The parts of a report whose size is limited: when there are too many, those that matter least are left out.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace tracelint {

// What a part is, from what is kept longest to what is left out first.
enum class PartKind : uint8_t {
    file_with_errors,
    error,
    map_of_errors,
    bytes_of_errors,
    file_with_warnings,
    warning,
    bytes_of_warnings,
    file,
    map,
    note,
    bytes_of_notes,
};
inline constexpr size_t kPartKinds = 11;

struct Part {
    size_t file = 0;  // the file that it is about, counted from 0
    std::string text;
};

class Parts {
  public:
    // `limit` in bytes of text. What all parts share is charged by charge().
    explicit Parts(size_t limit) : limit_(limit) {}

    // Files come in ascending order.
    void add(PartKind kind, Part part);
    // Leaves less room for parts.
    void charge(size_t bytes);
    const std::vector<Part>& of(PartKind kind) const { return kept_[static_cast<size_t>(kind)]; }

  private:
    void fit();

    size_t limit_;
    size_t size_ = 0;
    std::array<std::vector<Part>, kPartKinds> kept_;
};

}  // namespace tracelint
