// mlpd: checks UTF-8 in a text that arrives in pieces. Used by the file header and by the strings of events.
#pragma once

#include "validator/tables/text_scan.hpp"

namespace tracelint::mlpd {

// Number of bytes at the end of `piece` that may be the start of a UTF-8 sequence cut off there.
inline size_t open_tail(Bytes piece) {
    for (size_t back = 1; back <= 3 && back <= piece.size(); ++back) {
        const uint8_t byte = piece[piece.size() - back];
        if ((byte & 0xc0) == 0x80) continue;
        const size_t length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
        return length > back ? back : 0;
    }
    return 0;
}

// Finds the first byte that starts no valid UTF-8 sequence.
class TextJudge {
  public:
    // Checks the next piece and returns how many of its bytes are done. The rest, at most 3, must be passed again
    // together with what follows. The last piece is done whole.
    size_t take(Bytes piece, bool is_last) {
        const size_t done = piece.size() - (is_last ? 0 : open_tail(piece));
        if (ill_formed_ == kNone) {
            const uint64_t found = scan_text(piece.first(done)).ill_formed;
            if (found != kNone) ill_formed_ = length_ + found;
        }
        length_ += done;
        return done;
    }

    // Offset from the start of the text; kNone if all of it is UTF-8.
    uint64_t ill_formed() const { return ill_formed_; }

  private:
    uint64_t ill_formed_ = kNone;
    uint64_t length_ = 0;
};

}  // namespace tracelint::mlpd
