// The call frame instructions of a CIE or FDE (section 3.7.3).
#include "grammars/jitdump/frame_instructions.hpp"

#include <array>

namespace tracelint::jitdump {
namespace {

enum class Operand : uint8_t { none, byte, two_bytes, four_bytes, eight_bytes, leb128, block, address };

struct Instruction {
    bool is_known = false;
    Operand first = Operand::none, second = Operand::none;
};

// The instructions by opcode, where its two high bits are 0. Signed and unsigned LEB128 numbers end alike.
constexpr std::array<Instruction, 64> kInstructions = [] {
    using enum Operand;
    std::array<Instruction, 64> table{};
    table[0x00] = {true};                  // nop
    table[0x01] = {true, address};         // set_loc
    table[0x02] = {true, byte};            // advance_loc1
    table[0x03] = {true, two_bytes};       // advance_loc2
    table[0x04] = {true, four_bytes};      // advance_loc4
    table[0x05] = {true, leb128, leb128};  // offset_extended
    table[0x06] = {true, leb128};          // restore_extended
    table[0x07] = {true, leb128};          // undefined
    table[0x08] = {true, leb128};          // same_value
    table[0x09] = {true, leb128, leb128};  // register
    table[0x0a] = {true};                  // remember_state
    table[0x0b] = {true};                  // restore_state
    table[0x0c] = {true, leb128, leb128};  // def_cfa
    table[0x0d] = {true, leb128};          // def_cfa_register
    table[0x0e] = {true, leb128};          // def_cfa_offset
    table[0x0f] = {true, block};           // def_cfa_expression
    table[0x10] = {true, leb128, block};   // expression
    table[0x11] = {true, leb128, leb128};  // offset_extended_sf
    table[0x12] = {true, leb128, leb128};  // def_cfa_sf
    table[0x13] = {true, leb128};          // def_cfa_offset_sf
    table[0x14] = {true, leb128, leb128};  // val_offset
    table[0x15] = {true, leb128, leb128};  // val_offset_sf
    table[0x16] = {true, leb128, block};   // val_expression
    table[0x1d] = {true, eight_bytes};     // MIPS_advance_loc8
    table[0x2c] = {true};                  // AARCH64_negate_ra_state_with_pc
    table[0x2d] = {true};                  // GNU_window_save, AARCH64_negate_ra_state
    table[0x2e] = {true, leb128};          // GNU_args_size
    table[0x2f] = {true, leb128, leb128};  // GNU_negative_offset_extended
    return table;
}();

// The two high bits of an opcode may select one of three instructions with an operand in the other six.
Instruction instruction_of(uint8_t opcode) {
    switch (opcode >> 6) {
        case 0: return kInstructions[opcode];
        case 2: return {true, Operand::leb128};  // offset
        default: return {true};                  // advance_loc, restore
    }
}

// Whether the operand ends in the entry.
bool pass_over(UnwindingReader& reader, Operand operand, uint8_t pointer_encoding) {
    switch (operand) {
        case Operand::none: return true;
        case Operand::byte: return reader.skip(1);
        case Operand::two_bytes: return reader.skip(2);
        case Operand::four_bytes: return reader.skip(4);
        case Operand::eight_bytes: return reader.skip(8);
        case Operand::leb128: return reader.leb128(false).has_value();
        case Operand::address: return reader.number(pointer_encoding).has_value();
        case Operand::block: break;
    }
    const std::optional<EncodedNumber> length = reader.leb128(false);
    return length && !length->is_overlong && reader.skip(length->value);
}

constexpr Rule kEhFrameInstruction{
    .id = "jitdump/eh-frame-instruction",
    .severity = Severity::warning,
    .statement = "CIEs and FDEs consist of known call frame instructions",
    .message = "opcode {1x} at byte {0} of the .eh_frame is not a known call frame instruction",
    .why = "elfutils and libunwind give the FDE up, and stacks end at this function",
    .spec = "3.7.3 Call frame instructions",
    .since = "0.2.0",
};

constexpr Rule kEhFrameInstructionOverrun{
    .id = "jitdump/eh-frame-instruction-overrun",
    .severity = Severity::warning,
    .statement = "the operands of a call frame instruction end in its CIE or FDE",
    .message = "the operands of opcode {1x} at byte {0} of the .eh_frame reach beyond the end of the entry",
    .why = "unwinders read the next entry as operands, or give the FDE up, and stacks through this function are wrong",
    .spec = "3.7.3 Call frame instructions",
    .since = "0.2.0",
};

constexpr Rule kEhFrameRestoreState{
    .id = "jitdump/eh-frame-restore-state",
    .severity = Severity::warning,
    .statement = "a remember_state of its own precedes each restore_state in the same CIE or FDE",
    .message = "restore_state at byte {0} of the .eh_frame finds no remembered state",
    .why = "elfutils and libunwind give the FDE up where they meet it, and stacks end at this function",
    .spec = "3.7.3 Call frame instructions",
    .since = "0.2.0",
};

// The states that were remembered and not restored yet.
class RememberedStates {
  public:
    // False: the instruction restores a state, and there is none.
    bool follow(uint8_t opcode) {
        if (opcode == kRememberState) ++states_;
        if (opcode != kRestoreState) return true;
        return states_ != 0 && states_-- != 0;
    }

  private:
    static constexpr uint8_t kRememberState = 0x0a, kRestoreState = 0x0b;
    uint64_t states_ = 0;
};

}  // namespace

void check_instructions(const UnwindingData& data, uint64_t at, uint64_t size, uint8_t pointer_encoding) {
    UnwindingReader reader(data.frame().subspan(at, size), data.state);
    data.state.context.work.add(size);
    RememberedStates remembered;
    while (reader.left() > 0) {
        const uint64_t start = reader.at();
        const uint8_t opcode = *reader.byte();
        const Instruction instruction = instruction_of(opcode);
        if (!instruction.is_known)
            return data.state.report.add<kEhFrameInstruction>(data.frame_place(at + start, 1), {at + start, opcode});
        if (!pass_over(reader, instruction.first, pointer_encoding) ||
            !pass_over(reader, instruction.second, pointer_encoding))
            return data.state.report.add<kEhFrameInstructionOverrun>(data.frame_place(at + start, size - start),
                                                                     {at + start, opcode});
        if (!remembered.follow(opcode))
            return data.state.report.add<kEhFrameRestoreState>(data.frame_place(at + start, 1), {at + start});
    }
}

namespace {}  // namespace
constinit const RuleList kInstructionRules =
    rules<&kEhFrameInstruction, &kEhFrameInstructionOverrun, &kEhFrameRestoreState>;

}  // namespace tracelint::jitdump
