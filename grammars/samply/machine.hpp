// samply, section 4: a DEBUG_INFO2 waits for the LOAD of its function.
#pragma once

#include "grammars/samply/pending_rules.hpp"
#include "validator/machine.hpp"

namespace tracelint::samply {

enum class Wait : uint8_t {
    none,     // nothing waits
    pending,  // the latest tree or positions record does
    over,     // the walk has ended
    count_,
};
inline constexpr std::string_view kWaitNames[] = {"none", "pending", "over"};

enum class Symbol : uint8_t {
    debug_info2,  // a tree, or what may be a positions record
    opaque,       // any other record of the extension
    debug_info,
    load,
    close,
    end_of_file,
    cut,  // the walk stopped at an error of the base format: what is missing may hold the LOAD
    count_,
};
inline constexpr std::string_view kSymbolNames[] = {"DEBUG_INFO2", "opaque",      "DEBUG_INFO", "LOAD",
                                                    "CLOSE",       "end of file", "cut"};

// An edge's rule is what is said of the record whose wait it ends; P2 replaces S14 where the record's address
// tells that its LOAD came before it.
inline constexpr Edge<Wait, Symbol> kEdges[] = {
    {Wait::none, on(Symbol::debug_info2), Wait::pending},
    {Wait::none, on(Symbol::opaque, Symbol::debug_info, Symbol::load, Symbol::close), Wait::none},
    {Wait::none, on(Symbol::end_of_file, Symbol::cut), Wait::over, Recovery::stop},
    {Wait::pending, on(Symbol::debug_info2), Wait::pending, Recovery::accept, &kInfo2Superseded},
    {Wait::pending, on(Symbol::opaque, Symbol::debug_info), Wait::pending},
    {Wait::pending, on(Symbol::load), Wait::none},
    {Wait::pending, on(Symbol::close), Wait::none, Recovery::accept, &kInfo2WithoutLoad},
    {Wait::pending, on(Symbol::end_of_file), Wait::over, Recovery::stop, &kInfo2WithoutLoad},
    {Wait::pending, on(Symbol::cut), Wait::over, Recovery::stop},
};

inline constexpr auto kMachine = make_machine(kEdges, Wait::none, Wait::over);

}  // namespace tracelint::samply
