// LOAD and MOVE (sections 3.3, 3.4 and 5.3).
#pragma once

#include "grammars/jitdump/state.hpp"
#include "grammars/jitdump/unwinding.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint::jitdump {

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
