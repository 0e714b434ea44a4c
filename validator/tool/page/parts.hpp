// The parts of a report whose size is limited: when there are too many, those that matter least are left out.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace tracelint {

// The kinds of parts, from the one that is kept longest to the one that is left out first.
enum class PartKind : uint8_t {
    file_with_errors,
    spread_of_errors,
    error,
    map_of_errors,
    bytes_of_errors,
    file_with_warnings,
    warning,
    map_of_warnings,
    bytes_of_warnings,
    file,
    spread,
    map,
    note,
    bytes_of_notes,
};
inline constexpr size_t kPartKinds = 14;

struct Part {
    size_t file = 0;  // the file that it is about, counted from 0
    std::string text;
};

class Parts {
  public:
    // `limit` in bytes of text. What all parts share is charged by charge(). `reserve`: how much of it is for parts
    // that come first.
    explicit Parts(size_t limit, size_t reserve = 0) : limit_(limit), reserve_(reserve) {}

    // Files come in ascending order.
    void add(PartKind kind, Part part);
    // A part that outlives all that do not come first, whatever its kind, as far as the reserve goes: an example of
    // what the others are many of.
    void add_first(PartKind kind, Part part);
    // Leaves less room for parts.
    void charge(size_t bytes);
    const std::vector<Part>& of(PartKind kind) const { return kept_[static_cast<size_t>(kind)]; }
    const std::vector<Part>& first_of(PartKind kind) const { return first_[static_cast<size_t>(kind)]; }

  private:
    using ByKind = std::array<std::vector<Part>, kPartKinds>;

    void fit();
    static std::vector<Part>* least_of(ByKind& parts);

    size_t limit_, reserve_;
    size_t size_ = 0;        // of all parts
    size_t first_size_ = 0;  // of those that come first
    ByKind kept_, first_;
};

}  // namespace tracelint
