// gperftools, sections 3.4 and 5.3: the text after the records, line by line.
#pragma once

#include "grammars/gperftools/checks/profile.hpp"
#include "validator/input/window.hpp"

namespace tracelint::gperftools {

enum class TextKind : uint8_t { mappings, locations };

class Text {
  public:
    explicit Text(Window& window, Profile& profile) : window_(window), profile_(profile) {}

    // The text of a profile begins at this offset.
    void begin(uint64_t offset);
    // Checks the line at the offset, which is not the end of the file. Returns its length in bytes, with its LF.
    uint64_t check_line(TextKind kind, uint64_t offset);
    // The text, and with it the profile, ends before this offset.
    void finish(TextKind kind, uint64_t end);

  private:
    // The bytes of a line.
    struct Extent {
        uint64_t whole = 0;  // bytes before its LF
        bool is_terminated = false;
        bool ends_with_cr = false;
        uint64_t first_nul = kNone;
        const uint8_t* front = nullptr;  // its first kLongestLine bytes, or the whole line
    };

    uint64_t empty_lines_at(uint64_t offset);
    Extent extent_at(uint64_t offset);
    Extent extent_of(Bytes line, bool is_terminated) const;
    Extent long_extent(uint64_t offset, Bytes front);
    void check_bytes(TextKind kind, const Line& line, const Extent& extent);
    void check_mapping_text(const Line& line);
    void finish_mappings(uint64_t end);

    Window& window_;
    Profile& profile_;
    uint64_t start_ = 0;  // of the text
    bool is_empty_ = true;
    std::vector<uint8_t> front_;  // of a line that is too long for the window
};

extern const RuleList kTextRules;

}  // namespace tracelint::gperftools
