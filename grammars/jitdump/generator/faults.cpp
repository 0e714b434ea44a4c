// The table of planted faults, and what they share.
#include "grammars/jitdump/generator/faults.hpp"

#include "grammars/jitdump/code.hpp"
#include "grammars/jitdump/debug_info.hpp"
#include "grammars/jitdump/generator/model.hpp"
#include "grammars/jitdump/registered_extension.hpp"
#include "grammars/jitdump/unwinding.hpp"
#include "validator/generator/field_faults.hpp"

namespace tracelint::jitdump {
namespace {

// In the order of section 5. Not here, since no edit of a generated file breaks them:
//   14 file-name-pid: the name of the file is at fault, not its bytes
//   33 load-code-too-large: needs a record of more than 2 GiB
// clang-format off
constexpr FaultRow kTable[] = {
    {"jitdump/truncated-header",           faults::truncated_header},
    {"jitdump/bad-magic",                  faults::bad_magic},
    {"jitdump/magic-byte-order",            faults::magic_byte_order},
    {"jitdump/unsupported-version",        plant_check<kHeader, kUnsupportedVersion>},
    {"jitdump/version-zero",               plant_check<kHeader, kVersionZero>},
    {"jitdump/header-size-too-small",        faults::header_size_too_small},
    {"jitdump/header-size-extended",        faults::header_size_extended},
    {"jitdump/header-size-exceeds-file",     faults::header_size_exceeds_file},
    {"jitdump/header-unknown-flags",        plant_check<kHeader, kHeaderUnknownFlags>},
    {"jitdump/elf-machine-unknown",         faults::elf_machine_unknown},
    {"jitdump/elf-machine-endian",          faults::elf_machine_endian},
    {"jitdump/header-pid-zero",             plant_check<kHeader, kHeaderPidZero>},
    {"jitdump/truncated-record-header",     faults::truncated_record_header},
    {"jitdump/truncated-record",           faults::truncated_record},
    {"jitdump/record-size-too-small",        faults::record_size_too_small},
    {"jitdump/record-body-too-small",        faults::record_body_too_small},
    {"jitdump/unknown-record-kind",         faults::unknown_record_kind},
    {"jitdump/header-only-record",          faults::header_only_record},
    {"jitdump/close-size",                 faults::close_size},
    {"jitdump/record-after-close",          faults::record_after_close},
    {"jitdump/timestamp-regression",       faults::timestamp_regression},
    {"jitdump/timestamp-zero",             faults::timestamp_zero},
    {"jitdump/timestamp-clock-mix",         faults::timestamp_clock_mix},
    {"jitdump/load-name-unterminated",      faults::load_name_unterminated},
    {"jitdump/load-code-exceeds-record",     faults::load_code_exceeds_record},
    {"jitdump/load-trailing-bytes",         faults::load_trailing_bytes},
    {"jitdump/load-address-overflow",       faults::load_address_overflow},
    {"jitdump/load-address-zero",           faults::load_address_zero},
    {"jitdump/load-name-invalid-utf8",       faults::load_name_invalid_utf8},
    {"jitdump/duplicate-code-index",        faults::duplicate_code_index},
    {"jitdump/load-pid-mismatch",           faults::load_pid_mismatch},
    {"jitdump/move-trailing-bytes",         faults::move_trailing_bytes},
    {"jitdump/move-unknown-code-index",      faults::move_unknown_code_index},
    {"jitdump/move-size-mismatch",          faults::move_size_mismatch},
    {"jitdump/move-old-address-mismatch",    faults::move_old_address_mismatch},
    {"jitdump/move-address-overflow",       faults::move_address_overflow},
    {"jitdump/move-pid-mismatch",           faults::move_pid_mismatch},
    {"jitdump/debug-entry-count-overflow",   faults::debug_entry_count_overflow},
    {"jitdump/debug-entry-truncated",       faults::debug_entry_truncated},
    {"jitdump/debug-name-unterminated",     faults::debug_name_unterminated},
    {"jitdump/debug-trailing-bytes",        faults::debug_trailing_bytes},
    {"jitdump/debug-line-invalid",          faults::debug_line_invalid},
    {"jitdump/debug-entry-out-of-range",      faults::debug_entry_out_of_range},
    {"jitdump/debug-entry-order",           faults::debug_entry_order},
    {"jitdump/debug-name-repeat-first",      faults::debug_name_repeat_first},
    {"jitdump/debug-name-invalid-utf8",      faults::debug_name_invalid_utf8},
    {"jitdump/debug-orphan",               faults::debug_orphan},
    {"jitdump/debug-after-load",            faults::debug_after_load},
    {"jitdump/debug-not-adjacent",          faults::debug_not_adjacent},
    {"jitdump/unwinding-size-exceeds-record", faults::unwinding_size_exceeds_record},
    {"jitdump/unwinding-hdr-exceeds-data",   faults::unwinding_hdr_exceeds_data},
    {"jitdump/unwinding-hdr-missing",       faults::unwinding_hdr_missing},
    {"jitdump/unwinding-mapped-size",       faults::unwinding_mapped_size},
    {"jitdump/unwinding-trailing-bytes",    faults::unwinding_trailing_bytes},
    {"jitdump/eh-frame-hdr-version",         faults::eh_frame_hdr_version},
    {"jitdump/eh-frame-hdr-encoding",        faults::eh_frame_hdr_encoding},
    {"jitdump/eh-frame-hdr-overrun",         faults::eh_frame_hdr_overrun},
    {"jitdump/eh-frame-length",             faults::eh_frame_length},
    {"jitdump/eh-frame-cie-pointer",         faults::eh_frame_cie_pointer},
    {"jitdump/unwinding-superseded",       faults::unwinding_superseded},
    {"jitdump/unwinding-orphan",           faults::unwinding_orphan},
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
