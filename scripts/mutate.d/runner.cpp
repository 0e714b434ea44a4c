// Runs the tests of the instrumented tree once as it is, and once for each mutant in a process of its own, with those
// tests alone that reach the mutant, the quickest first, until one notices it.
//   mutants RESULTS JOBS SECONDS NUMBERS-PER-FILE [TEXT]
// Mutants are numbered file by file, so many for each. With TEXT, only tests that have it in their names.
// It tells on standard output what mutants the tables have, as lines of `table NUMBER WHAT`, then `ready`; reads the
// numbers of the mutants to run from standard input, and writes lines into the file RESULTS:
//   NUMBER noticed|timeout|crash|survived|unreached|impossible SECONDS [TEST]
// A mutant that is not noticed in that many seconds of processor time has survived. Into RESULTS.times it writes how
// long each test takes without a mutant.
#define DOCTEST_CONFIG_IMPLEMENT
// Signals end a mutant: doctest's handler would allocate memory, and wait forever where malloc itself has failed.
#define DOCTEST_CONFIG_NO_POSIX_SIGNALS
#include <doctest/doctest.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <set>

#include <cxxabi.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mutants.hpp"
#include "tests/files/hostile.hpp"
#include "tests/support/narrowing.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

// A test, or the part of it that goes through one format or one file.
struct Unit {
    std::string name;
    doctest::detail::TestCase test;
    std::string only;  // empty: all
    double seconds = 0;
    bool holds = true;                   // of the original
    std::map<unsigned, uint64_t> kills;  // by the mutants' file
};

enum class Outcome : uint8_t { none, noticed, timeout, crash, survived, unreached, impossible };
constexpr std::string_view kOutcomes[] = {"none", "noticed", "timeout", "crash", "survived", "unreached", "impossible"};

// What a child reports about its mutant.
struct Reported {
    uint32_t unit;
    Outcome outcome;
};

constexpr unsigned kPatience = 30;  // seconds that a test may take that waits for something

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// A suite whose tests go through the files of a folder of each grammar's corpus (tests/support/narrowing.hpp); each
// file is a unit.
struct Split {
    std::string_view kind, extension;
};
std::optional<Split> split_of(std::string_view suite) {
    constexpr std::string_view kBegin = "each corpus/*/";
    if (!suite.starts_with(kBegin)) return {};
    suite.remove_prefix(kBegin.size());
    const size_t end_of_kind = suite.find("/*");
    return Split{suite.substr(0, end_of_kind), suite.substr(end_of_kind + 2)};
}

// Whether a file is about other files of its folder.
bool is_beside(const std::filesystem::path& path) {
    return path.extension() == ".findings" || path.extension() == ".md" || path.filename() == "README";
}

// Too slow for what it adds to the others: each case also comes in pieces there.
constexpr std::string_view kLeftOut[] = {"the corpus passes every oracle, whole and mutated"};

void add_files(std::vector<Unit>& units, const doctest::detail::TestCase& test, const Split& split) {
    for (const auto& grammar : std::filesystem::directory_iterator(std::filesystem::path(TRACELINT_ROOT) / "corpus")) {
        std::error_code missing;
        for (const auto& entry : std::filesystem::directory_iterator(grammar.path() / split.kind, missing)) {
            if (!entry.is_regular_file() || is_beside(entry.path())) continue;
            if (!split.extension.empty() && entry.path().extension() != split.extension) continue;
            const std::string file = entry.path().lexically_relative(TRACELINT_ROOT).string();
            units.push_back({file + ": " + test.m_name, test, file});
        }
    }
}

std::vector<Unit> all_units() {
    std::vector<Unit> units;
    for (const doctest::detail::TestCase& test : doctest::detail::getRegisteredTests()) {
        const std::string name = test.m_name;
        const std::string_view suite = test.m_test_suite;
        if (std::find(std::begin(kLeftOut), std::end(kLeftOut), name) != std::end(kLeftOut)) continue;
        if (const std::optional<Split> split = split_of(suite)) {
            add_files(units, test, *split);
        } else if (suite == kEachHostileFile) {
            for (const files::HostileFile& file : files::all_hostile())
                units.push_back({std::string(file.name) + ": " + name, test, file.name});
        } else if (suite == kEachFormat) {
            for (const Format* format : formats())
                units.push_back({std::string(format->id) + ": " + name, test, std::string(format->id)});
        } else {
            units.push_back({name, test, {}});
        }
    }
    return units;
}

struct Silence : std::streambuf {
    int overflow(int c) override { return c; }
};

bool passes(const Unit& unit) {
    setenv("TRACELINT_ONLY", unit.only.c_str(), 1);
    doctest::detail::getRegisteredTests() = {unit.test};
    static Silence silence;
    std::ostream nowhere(&silence);
    doctest::Context context;
    context.setCout(&nowhere);
    context.setOption("abort-after", 1);
    context.setOption("no-breaks", true);
    context.setOption("no-intro", true);
    return context.run() == 0;
}

// A place that a table's mutant changes by hand.
struct Patch {
    unsigned number;
    std::function<void()> apply;
};

// The numbers of the mutants that a rule has.
std::unordered_map<const void*, std::pair<unsigned, unsigned>> numbers_of_rules;

// Severities and flags of all rules: in the instrumented tree they are no constants.
std::vector<Patch> rule_patches() {
    std::vector<Patch> patches;
    const auto other = [](Severity severity) {
        return severity == Severity::warning ? Severity::error : Severity::warning;
    };
    for (const Rule* constant : all_rules()) {
        Rule* rule = const_cast<Rule*>(constant);
        const unsigned first = mutants::next_in_tables;
        const auto add = [&](const std::string& what, std::function<void()> apply) {
            mutants::in_tables().push_back({mutants::next_in_tables, "rule " + std::string(rule->id) + ' ' + what});
            patches.push_back({mutants::next_in_tables++, std::move(apply)});
        };
        const auto becomes = [&](Severity severity) {
            return std::string(to_string(rule->severity)) + " -> " + std::string(to_string(severity));
        };
        add(becomes(other(rule->severity)), [=] { rule->severity = other(rule->severity); });
        if (rule->severity == Severity::warning) add(becomes(Severity::note), [=] { rule->severity = Severity::note; });
        add("about_end turned", [=] { rule->about_end = !rule->about_end; });
        if (rule->severity_override)
            add("severity of the milder form",
                [=] { rule->severity_override->severity = other(rule->severity_override->severity); });
        numbers_of_rules[rule] = {first, mutants::next_in_tables - first};
    }
    return patches;
}

// `edge STATES SYMBOLS ...` with the names of the types as they are written.
std::string readable(const std::string& says) {
    if (!says.starts_with("edge ")) return says;
    const auto name = [](const std::string& mangled) {
        int status = 0;
        char* text = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
        const std::string plain = status == 0 ? text : mangled;
        std::free(text);
        return plain;
    };
    const size_t first = says.find(' ') + 1, second = says.find(' ', first) + 1, third = says.find(' ', second) + 1;
    return "edge " + name(says.substr(first, second - first - 1)) + ' ' +
           name(says.substr(second, third - second - 1)) + ' ' + says.substr(third);
}

class Run {
  public:
    Run(std::ofstream& results, unsigned jobs, double seconds, unsigned numbers_per_file, std::string_view in_name)
        : results_(results), seconds_(seconds), numbers_per_file_(numbers_per_file), units_(all_units()) {
        std::erase_if(units_, [&](const Unit& unit) { return unit.name.find(in_name) == std::string::npos; });
        void* shared =
            mmap(nullptr, jobs * sizeof(Reported), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        reported_ = static_cast<Reported*>(shared);
        slots_.resize(jobs);
    }

    // All tests on the original: which mutants each of them reaches, and how long it takes.
    void rehearse(const std::string& times_file) {
        std::ofstream times(times_file);
        std::vector<const Unit*> failed;
        patches_ = rule_patches();
        reach_.resize(mutants::kMost);
        for (uint32_t u = 0; u < units_.size(); ++u) {
            Unit& unit = units_[u];
            std::memset(mutants::reached, 0, sizeof mutants::reached);
            const double start = cpu_seconds();
            unit.holds = passes(unit);
            unit.seconds = cpu_seconds() - start;
            times << unit.seconds << ' ' << unit.name << std::endl;
            if (!unit.holds) failed.push_back(&unit);
            for (unsigned number = 1; number < mutants::kMost && unit.holds; ++number)
                if (mutants::reached[number] != 0) reach_[number].push_back(u);
        }
        if (!failed.empty())
            std::cerr << failed.size() << " tests do not hold without a mutant and are left out, first "
                      << failed[0]->name << std::endl;
    }

    void run(unsigned number) {
        if (mutants::impossible[number] != 0) return says(number, Outcome::impossible, 0, nullptr);
        if (reach_[number].empty()) return says(number, Outcome::unreached, 0, nullptr);
        size_t slot = 0;
        while (slot < slots_.size() && slots_[slot].child != 0) ++slot;
        if (slot == slots_.size()) slot = wait_for_one();
        begin(number, slot);
    }

    void finish() {
        while (std::any_of(slots_.begin(), slots_.end(), [](const Slot& s) { return s.child != 0; })) wait_for_one();
    }

  private:
    struct Slot {
        pid_t child = 0;
        unsigned number = 0;
        timespec start{};
    };

    unsigned file_of(unsigned number) const { return number / numbers_per_file_; }

    // The quickest tests first, and before them those that noticed many others of the same file; before all, those
    // that noticed its neighbours.
    std::vector<uint32_t> in_order(unsigned number) const {
        std::vector<uint32_t> order = reach_[number];
        const auto cost = [&](uint32_t u) {
            const auto kills = units_[u].kills.find(file_of(number));
            const uint64_t known = kills == units_[u].kills.end() ? 0 : kills->second;
            return (units_[u].seconds + 0.0005) / static_cast<double>(1 + known);
        };
        const std::set<uint32_t> first = noticed_near(number);
        const auto is_later = [&](uint32_t u) { return first.count(u) == 0; };
        std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
            return std::pair(is_later(a), cost(a)) < std::pair(is_later(b), cost(b));
        });
        return order;
    }

    std::set<uint32_t> noticed_near(unsigned number) const {
        constexpr unsigned kReach = 12;
        std::set<uint32_t> near;
        for (auto it = noticed_.lower_bound(number - std::min(number, kReach));
             it != noticed_.end() && it->first <= number + kReach; ++it)
            near.insert(it->second);
        return near;
    }

    void begin(unsigned number, size_t slot) {
        reported_[slot] = {0, Outcome::none};
        const std::vector<uint32_t> order = in_order(number);
        timespec now{};
        clock_gettime(CLOCK_MONOTONIC, &now);
        const pid_t child = fork();
        if (child == 0) live_with(number, order, reported_[slot]);
        slots_[slot] = {child, number, now};
    }

    [[noreturn]] void live_with(unsigned number, const std::vector<uint32_t>& order, Reported& reported) {
        const rlimit memory{uint64_t{3} << 30, uint64_t{3} << 30}, no_core{0, 0};
        setrlimit(RLIMIT_AS, &memory);
        setrlimit(RLIMIT_CORE, &no_core);
        if (std::freopen("/dev/null", "w", stderr) == nullptr || std::freopen("/dev/null", "w", stdout) == nullptr)
            _exit(3);
        mutants::live = number;
        for (const Patch& patch : patches_)
            if (patch.number == number) patch.apply();
        const double start = cpu_seconds();
        for (const uint32_t u : order) {
            if (cpu_seconds() - start + units_[u].seconds > seconds_) continue;
            reported = {u, Outcome::none};
            // In processor time, so that nothing depends on what else the machine does.
            const double limit = std::max(0.5, 8 * units_[u].seconds);
            itimerval timer{};
            timer.it_value.tv_sec = static_cast<time_t>(limit);
            timer.it_value.tv_usec =
                static_cast<suseconds_t>((limit - static_cast<double>(timer.it_value.tv_sec)) * 1e6);
            setitimer(ITIMER_PROF, &timer, nullptr);
            alarm(kPatience);
            if (!passes(units_[u])) {
                reported.outcome = Outcome::noticed;
                _exit(0);
            }
        }
        reported.outcome = Outcome::survived;
        _exit(0);
    }

    size_t wait_for_one() {
        int status = 0;
        const pid_t child = wait(&status);
        size_t slot = 0;
        while (slots_[slot].child != child) ++slot;
        Reported reported = reported_[slot];
        // Anything that ends the process fails the test that runs it.
        if (WIFSIGNALED(status) || reported.outcome == Outcome::none)
            reported.outcome = WIFSIGNALED(status) && (WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGALRM)
                                   ? Outcome::timeout
                                   : Outcome::crash;
        if (reported.outcome != Outcome::survived) {
            ++units_[reported.unit].kills[file_of(slots_[slot].number)];
            noticed_[slots_[slot].number] = reported.unit;
        }
        timespec now{};
        clock_gettime(CLOCK_MONOTONIC, &now);
        const timespec& start = slots_[slot].start;
        const double seconds =
            static_cast<double>(now.tv_sec - start.tv_sec) + static_cast<double>(now.tv_nsec - start.tv_nsec) / 1e9;
        says(slots_[slot].number, reported.outcome, seconds,
             reported.outcome == Outcome::survived ? nullptr : &units_[reported.unit]);
        slots_[slot].child = 0;
        return slot;
    }

    void says(unsigned number, Outcome outcome, double seconds, const Unit* unit) {
        results_ << number << ' ' << kOutcomes[static_cast<size_t>(outcome)] << ' ' << seconds;
        if (unit != nullptr) results_ << ' ' << unit->name;
        results_ << '\n' << std::flush;
    }

    std::ofstream& results_;
    const double seconds_;  // of processor time that a mutant gets
    const unsigned numbers_per_file_;
    std::vector<Unit> units_;
    std::vector<std::vector<uint32_t>> reach_;  // of each mutant, the units that evaluate it
    std::map<unsigned, uint32_t> noticed_;      // the unit that noticed a mutant
    std::vector<Patch> patches_;
    Reported* reported_ = nullptr;
    std::vector<Slot> slots_;
};

}  // namespace

// Called when a finding of the rule is reported.
namespace mutants {
void mark_reported(const void* rule) {
    if (const auto found = numbers_of_rules.find(rule); found != numbers_of_rules.end())
        (void)chosen(found->second.first, found->second.second);
}
}  // namespace mutants
}  // namespace tracelint

int main(int count, char** arguments) {
    if (count != 5 && count != 6) return 2;
    using namespace tracelint;
    // Tests that read standard input find it empty.
    std::FILE* wanted = fdopen(dup(STDIN_FILENO), "r");
    if (wanted == nullptr || std::freopen("/dev/null", "r", stdin) == nullptr) return 3;
    std::ofstream results(arguments[1]);
    Run run(results, static_cast<unsigned>(std::max(1, std::atoi(arguments[2]))), std::atof(arguments[3]),
            static_cast<unsigned>(std::max(1, std::atoi(arguments[4]))), count == 6 ? arguments[5] : "");
    run.rehearse(std::string(arguments[1]) + ".times");
    for (const mutants::InTable& mutant : mutants::in_tables())
        std::cout << "table " << mutant.number << ' ' << readable(mutant.says) << '\n';
    std::cout << "ready" << std::endl;
    unsigned number = 0;
    while (std::fscanf(wanted, "%u", &number) == 1) run.run(number);
    run.finish();
    return 0;
}
