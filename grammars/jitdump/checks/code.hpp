// jitdump: LOAD and MOVE records, and the functions that they describe.
#pragma once

#include "grammars/jitdump/checks/state.hpp"
#include "grammars/jitdump/checks/unwinding.hpp"
#include "grammars/jitdump/records.hpp"
#include "validator/facts.hpp"
#include "validator/tables/text_scan.hpp"
#include "validator/tables/view.hpp"

namespace tracelint::jitdump {

// What a dump says to the checks between files: its process, its clock, and its functions (grammars/siblings).

// The header of a dump whose records are read.
void record_header_fact(CodeDump& dump, const View<kHeader>& header);
// A LOAD of `total_size` bytes. Left out if its code is larger than the record or ends above 2^64.
void record_load_fact(CodeDump& dump, const View<kLoad>& load, uint64_t total_size);

// LOAD and MOVE (sections 3.3, 3.4 and 5.3).

// What the checks need of a LOAD whose code may no longer be in view.
struct LoadFacts {
    const uint8_t* front = nullptr;  // the fixed fields, including those of the 64-bit tid layout if `shifted`
    uint64_t offset = 0, index = 0;  // of the record
    uint64_t total_size = 0;
    uint64_t name_length = kNone;  // bytes without the NUL; kNone: no NUL before the end of the record
    bool wants_more = false;       // a NUL that matters may follow the bytes that were given
    TextScan name;
    uint8_t ill_formed_byte = 0;
    bool shifted = false;  // only the layout with a 64-bit tid fits (section 3.3.1)
};

// Gathers the facts from the first bytes of the record.
LoadFacts load_facts(Bytes front, uint64_t offset, uint64_t index, uint64_t total_size, ByteOrder order);

// What other checks need to know about a LOAD.
struct Loaded {
    uint64_t code_addr = 0;
    uint64_t size = kNone;  // bytes of code; kNone: unknown
    // As the extension sees it: the fields of the standard layout.
    uint64_t standard_addr = 0;
    uint64_t standard_size = kNone;
};

Loaded check_load(State& state, const LoadFacts& facts, PendingUnwinding& unwinding);
void check_move(State& state, const View<kMove>& move, uint64_t total_size);

extern const RuleList kCodeRules;

}  // namespace tracelint::jitdump
