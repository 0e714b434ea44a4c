// jitdump, section 5.3: LOAD and MOVE.
#pragma once

#include "grammars/jitdump/state.hpp"
#include "grammars/jitdump/unwinding.hpp"
#include "validator/text_scan.hpp"

namespace tracelint::jitdump {

inline constexpr Rule kLoadNameUnterminated{
    .id = "jitdump/load-name-unterminated",
    .severity = Severity::error,
    .statement = "the function's name ends in a NUL inside the record",
    .message = "no NUL ends the name in the rest of the record, {0 byte|bytes}",
    .why = "perf runs on into stale memory for the rest of the name; samply's reader stops with an error",
    .spec = "3.3 JIT_CODE_LOAD (0)",
    .since = "0.1.0"};

inline constexpr Rule kLoadCodeExceedsRecord{
    .id = "jitdump/load-code-exceeds-record",
    .severity = Severity::error,
    .statement = "the code fits behind the name",
    .message = "code_size is {0}, and the record has room for {1 byte|bytes} of code",
    .why = "perf writes foreign memory into the function's image; samply's reader stops with an error",
    .spec = "3.3 JIT_CODE_LOAD (0)",
    .since = "0.1.0"};

inline constexpr Rule kLoadTrailingBytes{
    .id = "jitdump/load-trailing-bytes",
    .severity = Severity::error,
    .statement = "the record ends with the code",
    .message = "{0 byte follows|bytes follow} the code, which has {1 byte|bytes}",
    .why = "perf takes the code from the record's end, others from the name's end: they show different instructions",
    .spec = "3.3 JIT_CODE_LOAD (0)",
    .since = "0.1.0"};

inline constexpr Rule kLoadCodeTooLarge{.id = "jitdump/load-code-too-large",
                                        .severity = Severity::error,
                                        .statement = "the code is shorter than 2 GiB",
                                        .message = "code_size is {0}, above 2^31-1",
                                        .why = "perf keeps the size in a signed 32-bit number",
                                        .spec = "3.3 JIT_CODE_LOAD (0)",
                                        .since = "0.1.0"};

inline constexpr Rule kLoadAddressOverflow{
    .id = "jitdump/load-address-overflow",
    .severity = Severity::error,
    .statement = "the code ends at 2^64 at the latest",
    .message = "code of {1 byte|bytes} at {0x} would end above 2^64",
    .why = "samply's arithmetic overflows, and no sample can be found in the function",
    .spec = "3.3 JIT_CODE_LOAD (0)",
    .since = "0.1.0"};

inline constexpr Rule kLoadAddressZero{.id = "jitdump/load-address-zero",
                                       .severity = Severity::warning,
                                       .statement = "a function with code has an address",
                                       .message = "code_addr is 0 for a function of {0 byte|bytes}",
                                       .why = "no sample will ever be found in the function",
                                       .spec = "3.3 JIT_CODE_LOAD (0)",
                                       .since = "0.1.0"};

inline constexpr Rule kLoadNameEmpty{.id = "jitdump/load-name-empty",
                                     .severity = Severity::note,
                                     .statement = "a function has a name",
                                     .message = "the name is empty",
                                     .why = "profiles show the function without a name",
                                     .spec = "3.3 JIT_CODE_LOAD (0)",
                                     .since = "0.1.0"};

inline constexpr Rule kLoadNameInvalidUtf8{.id = "jitdump/load-name-invalid-utf8",
                                           .severity = Severity::warning,
                                           .statement = "the name is text",
                                           .message = "the name is not UTF-8 from its byte {0} on ({1x})",
                                           .why = "samply replaces the whole name by an empty one",
                                           .spec = "3.3 JIT_CODE_LOAD (0)",
                                           .since = "0.1.0"};

inline constexpr Rule kLoadNameNonAscii{.id = "jitdump/load-name-non-ascii",
                                        .severity = Severity::note,
                                        .statement = "the name is ASCII",
                                        .message = "the name holds UTF-8 beyond ASCII from its byte {0} on",
                                        .why = "the specification says ASCII; the readers known here take UTF-8",
                                        .spec = "3.3 JIT_CODE_LOAD (0)",
                                        .since = "0.1.0"};

inline constexpr Rule kLoadVmaMismatch{.id = "jitdump/load-vma-mismatch",
                                       .severity = Severity::note,
                                       .statement = "vma equals code_addr",
                                       .message = "vma is {0x} and code_addr is {1x}",
                                       .why = "no reader known here uses vma; LLVM 14 writes 0",
                                       .spec = "3.3 JIT_CODE_LOAD (0)",
                                       .since = "0.1.0"};

inline constexpr Rule kDuplicateCodeIndex{
    .id = "jitdump/duplicate-code-index",
    .severity = Severity::error,
    .statement = "code_index is unique in its process",
    .message = "code_index {0} of process {1} was given to an earlier LOAD already",
    .why =
        "perf names the function's image by it and overwrites the first: that one then shows the code of this one. "
        "perf's own agent for Java does this where two threads compile at the same time",
    .spec = "3.3 JIT_CODE_LOAD (0)",
    .since = "0.1.0"};

inline constexpr Rule kLoadPidMismatch{
    .id = "jitdump/load-pid-mismatch",
    .severity = Severity::warning,
    .statement = "pid is that of the header",
    .message = "pid is {0}, and the header says {1}",
    .why =
        "the function is filed under another process; a fork that keeps writing to its parent's file looks like this",
    .spec = "3.3 JIT_CODE_LOAD (0)",
    .since = "0.1.0"};

inline constexpr Rule kLoadOverlapsLive{
    .id = "jitdump/load-overlaps-live",
    .severity = Severity::note,
    .statement = "code is loaded where no other code lives",
    .message = "code of {1 byte|bytes} at {0x} replaces code that was loaded before",
    .why = "usual after the runtime has collected code, as there is no record that unloads it",
    .spec = "3.3 JIT_CODE_LOAD (0); 4.3 Live ranges",
    .since = "0.1.0"};

inline constexpr Rule kMoveTrailingBytes{
    .id = "jitdump/move-trailing-bytes",
    .severity = Severity::warning,
    .statement = "MOVE has 64 bytes",
    .message = "{0 byte follows|bytes follow} the fields of the MOVE",
    .why = "readers ignore them; the writer's idea of the record may differ from theirs",
    .spec = "3.4 JIT_CODE_MOVE (1)",
    .since = "0.1.0"};

inline constexpr Rule kMoveUnknownCodeIndex{.id = "jitdump/move-unknown-code-index",
                                            .severity = Severity::error,
                                            .statement = "MOVE names a function that was loaded before",
                                            .message = "code_index {0} was introduced by no earlier LOAD",
                                            .why = "perf emits a mapping of a file that does not exist",
                                            .spec = "3.4 JIT_CODE_MOVE (1)",
                                            .since = "0.1.0"};

inline constexpr Rule kMoveSizeMismatch{.id = "jitdump/move-size-mismatch",
                                        .severity = Severity::error,
                                        .statement = "moving a function does not change its size",
                                        .message = "code_size is {0}, and the function was loaded with {1 byte|bytes}",
                                        .why = "readers map the wrong range",
                                        .spec = "3.4 JIT_CODE_MOVE (1)",
                                        .since = "0.1.0"};

inline constexpr Rule kMoveOldAddressMismatch{
    .id = "jitdump/move-old-address-mismatch",
    .severity = Severity::error,
    .statement = "old_code_addr is where the function is",
    .message = "old_code_addr is {0x}, and the function is at {1x}",
    .why = "samply looks the function up by this address and does not find it",
    .spec = "3.4 JIT_CODE_MOVE (1)",
    .since = "0.1.0"};

inline constexpr Rule kMoveVmaMismatch{.id = "jitdump/move-vma-mismatch",
                                       .severity = Severity::note,
                                       .statement = "vma equals new_code_addr",
                                       .message = "vma is {0x} and new_code_addr is {1x}",
                                       .why = "no reader known here uses vma",
                                       .spec = "3.4 JIT_CODE_MOVE (1)",
                                       .since = "0.1.0"};

inline constexpr Rule kMoveAddressOverflow{
    .id = "jitdump/move-address-overflow",
    .severity = Severity::error,
    .statement = "the moved code ends at 2^64 at the latest",
    .message = "code of {1 byte|bytes} moved to {0x} would end above 2^64",
    .why = "samply's arithmetic overflows, and no sample can be found in the function",
    .spec = "3.4 JIT_CODE_MOVE (1)",
    .since = "0.1.0"};

inline constexpr Rule kMovePidMismatch{.id = "jitdump/move-pid-mismatch",
                                       .severity = Severity::warning,
                                       .statement = "MOVE has the pid of the function's LOAD",
                                       .message = "process {0} never loaded code_index {1}; process {2} did",
                                       .why = "readers look for the function in the wrong process",
                                       .spec = "3.4 JIT_CODE_MOVE (1)",
                                       .since = "0.1.0"};

inline constexpr Rule kMoveNoop{.id = "jitdump/move-noop",
                                .severity = Severity::note,
                                .statement = "MOVE changes the address",
                                .message = "old_code_addr and new_code_addr are both {0x}",
                                .why = "the record says nothing",
                                .spec = "3.4 JIT_CODE_MOVE (1)",
                                .since = "0.1.0"};

// A LOAD whose code bytes may be out of view already: what the checks need of it.
struct LoadFacts {
    const uint8_t* front = nullptr;  // the fixed fields; those of the shifted layout too where `shifted`
    uint64_t offset = 0, index = 0;  // of the record
    uint64_t total_size = 0;
    uint64_t name_length = kNone;  // without the NUL; kNone: no NUL before the record's end
    bool wants_more = false;       // a NUL that matters may lie behind the bytes that were given
    TextScan name;
    uint8_t ill_formed_byte = 0;
    bool shifted = false;  // only the layout of CPython for macOS fits (3.3)
};

// Gathers the facts from the bytes at hand, which hold the whole name (or as much of it as may be seen).
LoadFacts load_facts(Bytes front, uint64_t offset, uint64_t index, uint64_t total_size, ByteOrder order);

// What other sections learn from a LOAD.
struct Loaded {
    uint64_t code_addr = 0;
    uint64_t size = kNone;  // kNone: cannot be believed
    // As the extension layer sees it: the standard reading (3.3).
    uint64_t standard_addr = 0;
    uint64_t standard_size = kNone;
};

Loaded check_load(State& state, const LoadFacts& facts, PendingUnwinding& unwinding);
void check_move(State& state, const View<kMove>& move, uint64_t total_size);

// In the order of the digest's table.
inline constexpr const Rule* kCodeRules[] = {&kLoadNameUnterminated, &kLoadCodeExceedsRecord,
                                             &kLoadTrailingBytes,    &kLoadCodeTooLarge,
                                             &kLoadAddressOverflow,  &kLoadAddressZero,
                                             &kLoadNameEmpty,        &kLoadNameInvalidUtf8,
                                             &kLoadNameNonAscii,     &kLoadVmaMismatch,
                                             &kDuplicateCodeIndex,   &kLoadPidMismatch,
                                             &kLoadOverlapsLive,     &kUnwindExtentOverlap,
                                             &kMoveTrailingBytes,    &kMoveUnknownCodeIndex,
                                             &kMoveSizeMismatch,     &kMoveOldAddressMismatch,
                                             &kMoveVmaMismatch,      &kMoveAddressOverflow,
                                             &kMovePidMismatch,      &kMoveNoop};

}  // namespace tracelint::jitdump
