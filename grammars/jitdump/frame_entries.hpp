// The entries of an .eh_frame: CIEs and FDEs (section 3.7.2).
#pragma once

#include <vector>

#include "grammars/jitdump/unwinding_data.hpp"
#include "grammars/jitdump/unwinding_range.hpp"

namespace tracelint::jitdump {

// A CIE or an FDE, as far as others need to know it.
struct IndexedEntry {
    enum class Kind : uint8_t { none, cie, fde };

    Kind kind = Kind::none;
    bool is_readable = false;      // its fields could be read, those of its CIE included
    bool has_sized_data = false;   // a CIE: its FDEs state the size of their augmentation data
    uint8_t pointer_encoding = 0;  // of the FDEs of the CIE
};

// What begins where in an .eh_frame. Entries have 8 bytes or more, so each 8 bytes hold the start of at most one.
class FrameIndex {
  public:
    explicit FrameIndex(Budget& budget) : budget_(budget) {}
    ~FrameIndex() { budget_.give_back(slots_.size() * sizeof(Slot)); }
    FrameIndex(const FrameIndex&) = delete;
    FrameIndex& operator=(const FrameIndex&) = delete;

    // Makes room for the entries of a frame of that many bytes. False if there is no memory.
    bool reserve(uint64_t frame_size);
    bool is_empty() const { return slots_.empty(); }
    void add(uint64_t at, const IndexedEntry& entry);
    // The entry that begins at byte `at` of the frame, if there is one.
    IndexedEntry at(uint64_t at) const;

  private:
    struct Slot {
        uint8_t kind : 2 = 0;
        uint8_t is_readable : 1 = 0;
        uint8_t has_sized_data : 1 = 0;
        uint8_t offset : 3 = 0;  // of the entry in its 8 bytes
        uint8_t pointer_encoding = 0;
    };
    Budget& budget_;
    std::vector<Slot> slots_;
};

// What an .eh_frame contains.
struct FrameFacts {
    uint64_t fdes = 0;
    bool is_readable = true;  // all entries could be read
    UnwindingRange range;     // of the FDEs
};

// Checks the entries, and fills the index with them.
FrameFacts check_entries(const UnwindingData& data, FrameIndex& index);

// The address that the FDE at byte `at` of the .eh_frame begins with. `fde`: its entry in the index, readable.
UnwindingAddress start_of(const UnwindingData& data, uint64_t at, const IndexedEntry& fde);

extern const RuleList kFrameEntryRules;

}  // namespace tracelint::jitdump
