// What the instrumented tree calls in place of an operator: the original, or the live mutant's version. In constant
// expressions it is always the original.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tracelint::mutants {

inline constexpr unsigned kMost = 1u << 22;  // scripts/mutate gives three quarters of it to sites

inline unsigned live = 0;                        // 0: none
inline unsigned char reached[kMost]{};           // since the runner cleared it
inline unsigned char impossible[kMost]{};        // there is no such operator for these types
inline unsigned next_in_tables = kMost / 4 * 3;  // numbers that are assigned at run time: cells of tables

// Which one of the `count` mutants from `first` on is live, counted from 1; 0: none of them.
constexpr unsigned chosen(unsigned first, unsigned count) {
    if (std::is_constant_evaluated()) return 0;
    for (unsigned i = 0; i < count; ++i) reached[first + i] = 1;
    return live >= first && live < first + count ? live - first + 1 : 0;
}
constexpr bool is(unsigned number) { return chosen(number, 1) != 0; }

constexpr bool dropped(unsigned number, bool condition) { return !is(number) && condition; }
constexpr bool forced(unsigned number, bool condition) {
    const unsigned which = chosen(number, 2);
    return which == 0 ? condition : which == 2;
}
constexpr bool negated(unsigned number, bool condition) { return is(number) != condition; }

template <class Number>
constexpr Number raised(unsigned number, Number value) {
    return is(number) ? static_cast<Number>(value + 1) : value;
}
template <class Number>
constexpr Number moved(unsigned number, Number value) {
    const unsigned which = chosen(number, 2);
    return which == 0 ? value : static_cast<Number>(which == 1 ? value + 1 : value - 1);
}

// An operator with one that takes its place, or two.
#define TRACELINT_SWAPPED(name, original, first)                                   \
    template <class A, class B>                                                    \
    constexpr auto name(unsigned number, const A& a, const B& b) {                 \
        if constexpr (requires { a first b; }) {                                   \
            if (is(number)) return static_cast<decltype(a original b)>(a first b); \
        } else if (!std::is_constant_evaluated()) {                                \
            impossible[number] = 1;                                                \
        }                                                                          \
        return a original b;                                                       \
    }
#define TRACELINT_COMPARED(name, original, boundary, opposite)     \
    template <class A, class B>                                    \
    constexpr bool name(unsigned number, const A& a, const B& b) { \
        switch (chosen(number, 2)) {                               \
            case 1: return a boundary b;                           \
            case 2: return a opposite b;                           \
            default: return a original b;                          \
        }                                                          \
    }
TRACELINT_COMPARED(less, <, <=, >=)
TRACELINT_COMPARED(at_most, <=, <, >)
TRACELINT_COMPARED(greater, >, >=, <=)
TRACELINT_COMPARED(at_least, >=, >, <)
TRACELINT_SWAPPED(equal, ==, !=)
TRACELINT_SWAPPED(differ, !=, ==)
TRACELINT_SWAPPED(plus, +, -)
TRACELINT_SWAPPED(minus, -, +)
TRACELINT_SWAPPED(times, *, +)
TRACELINT_SWAPPED(over, /, *)
TRACELINT_SWAPPED(modulo, %, /)
TRACELINT_SWAPPED(left, <<, >>)
TRACELINT_SWAPPED(right, >>, <<)
TRACELINT_SWAPPED(both, &, |)
TRACELINT_SWAPPED(either, |, &)
TRACELINT_SWAPPED(unlike, ^, |)
#undef TRACELINT_SWAPPED
#undef TRACELINT_COMPARED

// What the runner says of a mutant of a table: "edge STATES SYMBOLS STATE SYMBOL what" or "check FIELD what".
struct InTable {
    unsigned number;
    std::string says;
};
inline std::vector<InTable>& in_tables() {
    static std::vector<InTable> list;
    return list;
}

template <class Row>
constexpr bool has_recovery = requires(const Row& row) { row.recovery; };

template <class Row>
bool is_possible(const Row& row) {
    constexpr int impossible_recovery = 4;
    if constexpr (has_recovery<Row>) return static_cast<int>(row.recovery) != impossible_recovery;
    if constexpr (!has_recovery<Row>) return row.is_possible;
}

// Mutants of every cell that can be met: another next state, no rule, and another recovery where rows have one.
// Machines with the same states and symbols, such as those of several versions, change together: `listed` are the cells
// that one of them has.
template <class State, class Symbol, class Machine>
void list_cells(const Machine& machine, unsigned first, std::vector<bool>& listed) {
    listed.resize(3 * Machine::kStates * Machine::kSymbols);
    for (unsigned cell = 0; cell < Machine::kStates * Machine::kSymbols; ++cell) {
        const unsigned state = cell / Machine::kSymbols, symbol = cell % Machine::kSymbols;
        const auto& edge = machine.table[state][symbol];
        if (edge.on == 0 || !is_possible(edge)) continue;
        const std::string name = std::string("edge ") + typeid(State).name() + ' ' + typeid(Symbol).name() + ' ' +
                                 std::to_string(state) + ' ' + std::to_string(symbol) + ' ';
        const auto list = [&](unsigned which, const char* change) {
            if (!listed[3 * cell + which]) in_tables().push_back({first + 3 * cell + which, name + change});
            listed[3 * cell + which] = true;
        };
        list(0, "next state");
        if (edge.rule != nullptr) list(1, "rule dropped");
        if (has_recovery<std::remove_cvref_t<decltype(edge)>>) list(2, "recovery");
    }
}

// The number of the first mutant of these machines.
template <class State, class Symbol, class Machine>
unsigned first_of(const Machine& machine) {
    static const unsigned first =
        std::exchange(next_in_tables, next_in_tables + 3 * Machine::kStates * Machine::kSymbols);
    static std::set<const Machine*> seen;
    static std::vector<bool> listed;
    static const Machine* last = nullptr;
    if (last != &machine && seen.insert(last = &machine).second) list_cells<State, Symbol>(machine, first, listed);
    return first;
}

template <class State, class Symbol, class Machine, class Edge>
const Edge& edge(const Machine& machine, const Edge& original, size_t state, size_t symbol) {
    const unsigned first = first_of<State, Symbol>(machine);
    static Edge changed;
    const unsigned number = first + 3 * static_cast<unsigned>(state * Machine::kSymbols + symbol);
    const unsigned which = chosen(number, 3);
    if (which == 0) return original;
    changed = original;
    if (which == 1) changed.to = static_cast<State>((static_cast<size_t>(changed.to) + 1) % Machine::kStates);
    if (which == 2) changed.rule = nullptr;
    if constexpr (has_recovery<Edge>) {
        using Recovery = decltype(changed.recovery);
        if (which == 3) changed.recovery = static_cast<int>(changed.recovery) == 0 ? Recovery{1} : Recovery{0};
    }
    return changed;
}

// Three mutants of every check of a field that a walk asks for: its number one higher, one lower, no check.
template <class Field, class Check, class Original>
bool obeys(const Field& field, const Check& check, uint64_t value, Original original) {
    static std::unordered_map<const Check*, unsigned> numbers;
    const auto [at, added] = numbers.try_emplace(&check, next_in_tables);
    if (added) {
        next_in_tables += 3;
        const std::string name = "check " + std::string(field.name) + ' ';
        if (check.rule != nullptr) {
            for (unsigned i = 0; i < 2 && check.must != Check::Must::be_known; ++i)
                in_tables().push_back({at->second + i, name + (i == 0 ? "raised by 1" : "lowered by 1")});
            in_tables().push_back({at->second + 2, name + "dropped"});
        }
    }
    const unsigned which = chosen(at->second, 3);
    if (which == 0) return original(field, check, value);
    if (which == 3) return true;
    Check changed = check;
    changed.value += which == 1 ? 1 : static_cast<uint64_t>(-1);
    return original(field, changed, value);
}

}  // namespace tracelint::mutants
