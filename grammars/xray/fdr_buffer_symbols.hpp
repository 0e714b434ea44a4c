// XRay, section 4.2: the symbols of the records in a buffer of an FDR file, by their first bytes.
#pragma once

#include "grammars/xray/fdr_buffer_machine.hpp"

namespace tracelint::xray {

using SymbolTable = std::array<Symbol, 256>;

// By the first byte of a record (sections 3.3 and 3.4), whatever the version.
consteval SymbolTable symbols_of(ByteOrder order) {
    constexpr Symbol kOfKind[] = {
        Symbol::new_buffer,   Symbol::end_of_buffer, Symbol::cpu_id,  Symbol::tsc_wrap,    Symbol::wall_clock,
        Symbol::custom_event, Symbol::call_argument, Symbol::extents, Symbol::typed_event, Symbol::pid};
    constexpr Symbol kOfAction[] = {Symbol::entry, Symbol::exit, Symbol::exit, Symbol::entry_args};
    SymbolTable symbols{};
    for (unsigned byte = 0; byte < 256; ++byte) {
        const auto first = static_cast<uint8_t>(byte);
        const unsigned kind = kind_of(first, order), action = action_of(first, order);
        if (is_metadata(first, order))
            symbols[byte] = kind < std::size(kOfKind) ? kOfKind[kind] : Symbol::unknown_kind;
        else
            symbols[byte] = action < std::size(kOfAction) ? kOfAction[action] : Symbol::unknown_action;
    }
    return symbols;
}

// The same in a version, which does not have all of them.
consteval SymbolTable symbols_of(ByteOrder order, uint16_t version) {
    SymbolTable symbols = symbols_of(order);
    for (unsigned byte = 0; byte < 256; ++byte) {
        const auto first = static_cast<uint8_t>(byte);
        if (!is_metadata(first, order)) continue;
        const Record* record = metadata_of(kind_of(first, order));
        if (record == nullptr || record->exists_in(version)) continue;
        Symbol& symbol = symbols[byte];
        symbol = symbol == Symbol::typed_event     ? Symbol::later_event
                 : version < record->first_version ? Symbol::later_record
                                                   : Symbol::earlier_record;
    }
    return symbols;
}
template <ByteOrder Order>
inline constexpr SymbolTable kSymbols = symbols_of(Order);
template <ByteOrder Order, uint16_t Version>
inline constexpr SymbolTable kSymbolsIn = symbols_of(Order, Version);

}  // namespace tracelint::xray
