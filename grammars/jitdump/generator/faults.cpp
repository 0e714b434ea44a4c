// The table of planted faults, and what they share.
#include "grammars/jitdump/generator/faults.hpp"

#include "grammars/jitdump/code.hpp"
#include "grammars/jitdump/debug_info.hpp"
#include "grammars/jitdump/eh_frame.hpp"
#include "grammars/jitdump/extensions.hpp"
#include "grammars/jitdump/framing.hpp"
#include "grammars/jitdump/generator/model.hpp"
#include "grammars/jitdump/unwinding.hpp"
#include "validator/generator/field_faults.hpp"

namespace tracelint::jitdump {
namespace {

// In the order of section 5. Not here, since no edit of a generated file breaks them:
//   14 file-name-pid: the name of the file is at fault, not its bytes
//   33 load-code-too-large: needs a record of more than 2 GiB
// clang-format off
constexpr PlantedFault kTable[] = {
    {&kTruncatedHeader,           faults::truncated_header},
    {&kBadMagic,                  faults::bad_magic},
    {&kMagicByteOrder,            faults::magic_byte_order},
    {&kUnsupportedVersion,        plant_check<kHeader, kUnsupportedVersion>},
    {&kVersionZero,               plant_check<kHeader, kVersionZero>},
    {&kHeaderSizeTooSmall,        faults::header_size_too_small},
    {&kHeaderSizeExtended,        faults::header_size_extended},
    {&kHeaderSizeExceedsFile,     faults::header_size_exceeds_file},
    {&kHeaderUnknownFlags,        plant_check<kHeader, kHeaderUnknownFlags>},
    {&kElfMachineUnknown,         faults::elf_machine_unknown},
    {&kElfMachineEndian,          faults::elf_machine_endian},
    {&kHeaderPidZero,             plant_check<kHeader, kHeaderPidZero>},
    {&kTruncatedRecordHeader,     faults::truncated_record_header},
    {&kTruncatedRecord,           faults::truncated_record},
    {&kRecordSizeTooSmall,        faults::record_size_too_small},
    {&kRecordBodyTooSmall,        faults::record_body_too_small},
    {&kUnknownRecordKind,         faults::unknown_record_kind},
    {&kHeaderOnlyRecord,          faults::header_only_record},
    {&kCloseSize,                 faults::close_size},
    {&kRecordAfterClose,          faults::record_after_close},
    {&kTimestampRegression,       faults::timestamp_regression},
    {&kTimestampZero,             faults::timestamp_zero},
    {&kTimestampClockMix,         faults::timestamp_clock_mix},
    {&kLoadNameUnterminated,      faults::load_name_unterminated},
    {&kLoadCodeExceedsRecord,     faults::load_code_exceeds_record},
    {&kLoadTrailingBytes,         faults::load_trailing_bytes},
    {&kLoadAddressOverflow,       faults::load_address_overflow},
    {&kLoadAddressZero,           faults::load_address_zero},
    {&kLoadNameInvalidUtf8,       faults::load_name_invalid_utf8},
    {&kDuplicateCodeIndex,        faults::duplicate_code_index},
    {&kLoadPidMismatch,           faults::load_pid_mismatch},
    {&kMoveTrailingBytes,         faults::move_trailing_bytes},
    {&kMoveUnknownCodeIndex,      faults::move_unknown_code_index},
    {&kMoveSizeMismatch,          faults::move_size_mismatch},
    {&kMoveOldAddressMismatch,    faults::move_old_address_mismatch},
    {&kMoveAddressOverflow,       faults::move_address_overflow},
    {&kMovePidMismatch,           faults::move_pid_mismatch},
    {&kDebugEntryCountOverflow,   faults::debug_entry_count_overflow},
    {&kDebugEntryTruncated,       faults::debug_entry_truncated},
    {&kDebugNameUnterminated,     faults::debug_name_unterminated},
    {&kDebugTrailingBytes,        faults::debug_trailing_bytes},
    {&kDebugLineInvalid,          faults::debug_line_invalid},
    {&kDebugEntryOutOfRange,      faults::debug_entry_out_of_range},
    {&kDebugEntryOrder,           faults::debug_entry_order},
    {&kDebugNameRepeatFirst,      faults::debug_name_repeat_first},
    {&kDebugNameInvalidUtf8,      faults::debug_name_invalid_utf8},
    {&kDebugOrphan,               faults::debug_orphan},
    {&kDebugAfterLoad,            faults::debug_after_load},
    {&kDebugNotAdjacent,          faults::debug_not_adjacent},
    {&kUnwindingSizeExceedsRecord, faults::unwinding_size_exceeds_record},
    {&kUnwindingHdrExceedsData,   faults::unwinding_hdr_exceeds_data},
    {&kUnwindingHdrMissing,       faults::unwinding_hdr_missing},
    {&kUnwindingMappedSize,       faults::unwinding_mapped_size},
    {&kUnwindingTrailingBytes,    faults::unwinding_trailing_bytes},
    {&kEhFrameHdrVersion,         faults::eh_frame_hdr_version},
    {&kEhFrameHdrEncoding,        faults::eh_frame_hdr_encoding},
    {&kEhFrameHdrOverrun,         faults::eh_frame_hdr_overrun},
    {&kEhFrameLength,             faults::eh_frame_length},
    {&kEhFrameCiePointer,         faults::eh_frame_cie_pointer},
    {&kUnwindingSuperseded,       faults::unwinding_superseded},
    {&kUnwindingOrphan,           faults::unwinding_orphan},
};
// clang-format on

}  // namespace

constinit const FaultList kPlantedFaults{kTable};

namespace faults {

RecordValues opaque_record(const Record& record, uint64_t id, uint64_t timestamp, const std::string& body,
                           const Layout& layout) {
    const std::string bytes = std::string(fixed_size(kPrefix), '\0') + body;
    RecordValues draft = decode_values(record, as_bytes(bytes), layout, true);
    draft.set("id", id);
    draft.set("timestamp", timestamp);
    settle(draft);
    return draft;
}

std::optional<size_t> next_load(const File& file, size_t after) {
    for (size_t i = after + 1; i < file.size(); ++i)
        if (file[i].record == &kLoad) return i;
    return std::nullopt;
}

bool is_waited_for(const File& file, size_t load) {
    for (size_t i = load; i-- > 0 && file[i].record != &kLoad;)
        if (file[i].record == &kDebugInfo || kExtension.owns(file[i].number("id"))) return true;
    return false;
}

bool is_moved_behind(const File& file, size_t record, uint64_t code_index) {
    for (size_t i = record + 1; i < file.size(); ++i)
        if (file[i].record == &kMove && file[i].number("code_index") == code_index) return true;
    return false;
}

bool is_moved_behind(const File& file, size_t load_or_move) {
    return is_moved_behind(file, load_or_move, file[load_or_move].number("code_index"));
}

size_t end_before_close(const File& file) { return file.back().record == &kClose ? file.size() - 1 : file.size(); }

uint64_t timestamp_before(const File& file, size_t at) {
    if (at > 1) return file[at - 1].number("timestamp");
    return at < file.size() ? file[at].number("timestamp") : 1;
}

}  // namespace faults
}  // namespace tracelint::jitdump
