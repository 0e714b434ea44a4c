// jitdump: an .eh_frame and its table (section 3.7.2).
#pragma once

#include <vector>

#include "grammars/jitdump/checks/unwinding.hpp"

namespace tracelint::jitdump {

// The entries of an .eh_frame: CIEs and FDEs (section 3.7.2).

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

extern const RuleList kEhFrameRules;

// The call frame instructions of a CIE or FDE (section 3.7.3).

// Checks that the instructions are known, that their operands end in the entry, and that they restore only states that
// they remembered. `at`: of the instructions, in bytes from the start of the .eh_frame. `pointer_encoding`: of the CIE.
void check_instructions(const UnwindingData& data, uint64_t at, uint64_t size, uint8_t pointer_encoding);

// The search table of an .eh_frame_hdr, compared with the .eh_frame (section 3.7.4).

// Checks what perf needs to find an FDE in the table. The header has room for its table. `facts` gets what must wait
// for the LOAD.
void check_table(const UnwindingData& data, const FrameIndex& index, FrameFacts& facts);

extern const RuleList kFrameTableRules;

// Finds .eh_frame_hdr and .eh_frame in unwinding data and checks them (sections 3.7 and 3.7.1).

// `data`: all of the unwinding data; its .eh_frame_hdr has `header_size` > 0 bytes. Returns what must be compared with
// the code of the LOAD.
UnwindingRange check_eh_frame(State& state, const View<kUnwindingInfo>& info, Bytes data, uint64_t header_size);

}  // namespace tracelint::jitdump
