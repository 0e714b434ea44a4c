// Every (state, symbol) pair of every format's machine, as data.
#include "validator/machine.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

enum class Lamp : uint8_t { off, on, broken, count_ };
enum class Event : uint8_t { press, drop, count_ };
constexpr Rule kDropped{.id = "demo/dropped",
                        .severity = Severity::error,
                        .statement = "",
                        .message = "",
                        .why = "",
                        .spec = "",
                        .since = "0.1.0"};
constexpr Edge<Lamp, Event> kEdges[] = {
    {Lamp::off, on(Event::press), Lamp::on},
    {Lamp::off, on(Event::drop), Lamp::broken, Recovery::stop, &kDropped},
    {Lamp::on, on(Event::press), Lamp::off},
    {Lamp::on, on(Event::drop), Lamp::broken, Recovery::stop, &kDropped},
};
constexpr auto kLamp = make_machine(kEdges, Lamp::off, Lamp::broken);
constexpr std::string_view kLampNames[] = {"off", "on", "broken"}, kEventNames[] = {"press", "drop"};

TEST_CASE("a table answers for every pair") {
    static_assert(kLamp.at(Lamp::off, Event::press).to == Lamp::on);
    static_assert(kLamp.at(Lamp::on, Event::drop).rule == &kDropped);
    const auto rows = rows_of(kLamp, kLampNames, kEventNames, Lamp::broken);
    CHECK(rows.size() == 4);
    CHECK(rows[1].state == "off");
    CHECK(rows[1].symbol == "drop");
    CHECK(rows[1].next == "broken");
}

void check_total(const MachineTable& machine) {
    std::set<std::string> states, symbols, pairs;
    for (const MachineRow& row : machine.rows) {
        states.emplace(row.state);
        symbols.emplace(row.symbol);
        CHECK(pairs.insert(std::string(row.state) + " x " + std::string(row.symbol)).second);
        if (row.rule != nullptr) CHECK(find_rule(row.rule->id) == row.rule);
        if (row.recovery == Recovery::again) CHECK(row.rule != nullptr);
        // What is stepped over in silence here has its rule in another state.
        const auto names_it = [&](const MachineRow& other) {
            return other.symbol == row.symbol && other.rule != nullptr;
        };
        if (row.recovery == Recovery::skip) CHECK(std::ranges::any_of(machine.rows, names_it));
    }
    CHECK(pairs.size() == states.size() * symbols.size());
}

TEST_CASE("the machines of every format are total, and its rules are in the catalogue") {
    for (const Format* format : formats())
        for (const Grammar* grammar : format->grammars)
            for (const MachineTable& machine : grammar->machines) {
                CAPTURE(grammar->id);
                CAPTURE(machine.about);
                check_total(machine);
            }
}

}  // namespace
}  // namespace tracelint
