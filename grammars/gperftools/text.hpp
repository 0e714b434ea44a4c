// gperftools, sections 3.4 and 5.3: the text behind the records, line by line.
#pragma once

#include "grammars/gperftools/profile.hpp"
#include "grammars/gperftools/text_rules.hpp"
#include "validator/window.hpp"

namespace tracelint::gperftools {

class Text {
  public:
    enum class Kind : uint8_t { mappings, locations };

    explicit Text(Window& window, Profile& profile) : window_(window), profile_(profile) {}

    // The text of a profile begins at this place.
    void begin(Kind kind, uint64_t offset);
    // Takes the line at the place, which is not the end of the file. Returns the bytes that it has.
    uint64_t take(uint64_t offset);
    // The text, and with it the profile, ends before this place.
    void finish(uint64_t end);

  private:
    // The bytes of a line: `whole` of them before its LF.
    struct Extent {
        uint64_t whole = 0;
        bool is_terminated = false;
        bool ends_with_cr = false;
        uint64_t first_nul = kNone;
        const uint8_t* front = nullptr;  // kLongestLine bytes of it, or the whole
    };

    Extent extent_at(uint64_t offset);
    Extent extent_of(Bytes line, bool is_terminated) const;
    Extent long_extent(uint64_t offset, Bytes front);
    void check_bytes(const Line& line, const Extent& extent);
    void check_mappings(const Line& line);
    void finish_mappings(uint64_t end);

    Window& window_;
    Profile& profile_;
    Kind kind_ = Kind::mappings;
    uint64_t start_ = 0;  // of the text
    bool is_empty_ = true;
    std::vector<uint8_t> front_;  // of a line too long to be kept in hand
};

}  // namespace tracelint::gperftools
