// Checks every hostile file at sizes that double, dumps it, and checks it for all readers, each in a process of its
// own, and prints what that takes: work as counted, memory of the budget, resident memory, time; of the dump, the size
// of its text. Fails where work, text or memory is above its bound, or where work or text grows by more than a doubling
// allows.
#include <algorithm>
#include <cstring>
#include <filesystem>

#include "fuzz/tool/dump_oracle.hpp"
#include "fuzz/tool/readers_oracle.hpp"
#include "tests/complexity/groups.hpp"
#include "tests/complexity/process.hpp"
#include "tests/files/hostile.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kSmallest = uint64_t{64} << 10;
// A dump keeps nothing, so that what it takes for each byte is settled by then; its text is 60 times as large as the
// file.
constexpr uint64_t kLargestDump = uint64_t{16} << 20;
constexpr double kMostGrowth = 2.2;  // for each doubling of the file
// Within one window nothing is read twice or moved: where records are large, work takes a step there that is no growth.
constexpr uint64_t kSeveralWindows = 2 * kWindow;

struct Cost {
    uint64_t bytes = 0;   // of the file
    uint64_t work = 0;    // as counted
    uint64_t memory = 0;  // most that was taken from the budget
    bool is_known = false;
    bool limit_hit = false;
    DumpCost dump;
    double resident = 0;  // MB
    double seconds = 0;   // of the processor
};

Cost check_file(const std::string& path) {
    const std::unique_ptr<Source> source = open_file(path);
    const Outcome outcome = check(*source, {});
    return {std::max<uint64_t>(outcome.size.value_or(0), std::filesystem::file_size(path)),
            outcome.context.work.total(),
            outcome.context.budget.most_taken(),
            outcome.format != nullptr && outcome.failure.empty(),
            outcome.context.limit_hit,
            {},
            0,
            0};
}

Cost dump_file(const std::string& path) {
    const std::unique_ptr<Source> source = open_file(path);
    Cost cost;
    cost.dump = dump_cost(*source);
    return cost;
}

// The check with --for any.
Cost ask_for_readers(const std::string& path) {
    const std::unique_ptr<Source> source = open_file(path);
    const ForReaders predicted(*source, some_readers(true), {});
    const Outcome& outcome = predicted.outcome;
    return {std::max<uint64_t>(outcome.size.value_or(0), std::filesystem::file_size(path)),
            outcome.context.work.total(),
            predicted.memory,
            !predicted.verdicts.empty() && outcome.failure.empty(),
            outcome.context.limit_hit,
            {},
            0,
            0};
}

// Does something in a process of its own.
template <class Action>
Cost in_process(Action action) {
    const Measured<Cost> measured = measure_alone(action);
    if (!measured.is_done) return {};
    Cost cost = measured.result;
    cost.resident = measured.resident;
    cost.seconds = measured.seconds;
    return cost;
}

// What a check of the file, a dump of it, and a check for readers cost.
struct Costs {
    Cost check, dump, readers;
};

Costs measure(const files::HostileFile& file, uint64_t bytes, const std::string& path) {
    const Cost written = in_process([&] {
        std::FILE* to = std::fopen(path.c_str(), "wb");
        if (to != nullptr) file.write({bytes, to});
        Cost cost;
        cost.is_known = to != nullptr && std::fclose(to) == 0;
        return cost;
    });
    if (!written.is_known) return {};
    return {in_process([&] { return check_file(path); }),
            bytes <= kLargestDump ? in_process([&] { return dump_file(path); }) : Cost(),
            in_process([&] { return ask_for_readers(path); })};
}

// How much more it became for each doubling of the file.
double growth(uint64_t before, uint64_t after, const Cost& smaller, const Cost& larger) {
    if (before == 0) return after == 0 ? 1 : 2;
    const double size = static_cast<double>(larger.bytes) / static_cast<double>(smaller.bytes);
    return static_cast<double>(after) / static_cast<double>(before) / size * 2;
}

// Units of work: for each byte of the file, and whatever its size.
struct MostWork {
    uint64_t per_byte, at_least;
};
constexpr MostWork kOfCheck{kWorkPerByte, kWorkAtLeast}, kOfReaders{kReadersWorkPerByte, kReadersWorkAtLeast};

// What is wrong with the cost; nothing if all is well.
std::string complaint(const Cost& cost, const Cost& smaller, uint64_t constant_memory, const MostWork& most) {
    if (!cost.is_known) return "not checked";
    if (cost.work > most.per_byte * cost.bytes + most.at_least) return "too much work";
    if (cost.memory > Limits{}.memory) return "above the budget";
    if (cost.memory > kMemoryPerByte * cost.bytes + constant_memory) return "too much memory";
    if (smaller.bytes < kSeveralWindows || smaller.limit_hit || cost.limit_hit) return {};
    if (growth(smaller.work, cost.work, smaller, cost) > kMostGrowth) return "work grows too fast";
    return {};
}

// What a file of the size of `cost` may be compared with. Smaller files may take more work per byte: they are read in
// full until their claims are large enough to be stepped over.
Cost most_for_its_size(Cost cost, const Cost& smaller) {
    if (smaller.bytes == 0) return cost;
    const double size = static_cast<double>(cost.bytes) / static_cast<double>(smaller.bytes);
    cost.work = std::max(cost.work, static_cast<uint64_t>(size * static_cast<double>(smaller.work)));
    return cost;
}

double ratio(uint64_t part, uint64_t whole) {
    return static_cast<double>(part) / static_cast<double>(std::max<uint64_t>(whole, 1));
}

// What is wrong with a dump; nothing if all is well.
std::string complaint_of_dump(const DumpCost& cost, const DumpCost& smaller) {
    const bool compares = smaller.size >= kSeveralWindows;
    return (compares ? fault_of(cost, smaller) : fault_of(cost)).value_or("");
}

void print_dump(const Cost& cost, const Cost& smaller, const std::string& wrong) {
    std::printf(
        "%11s dump  work %5.2f per byte, %6.2f bytes of text per byte  resident %7.1f MiB  %8.3f s, x%4.2f%s%s\n", "",
        ratio(cost.dump.work, cost.dump.size), ratio(cost.dump.written, cost.dump.size), cost.resident, cost.seconds,
        smaller.seconds <= 0 ? 0 : cost.seconds / smaller.seconds, wrong.empty() ? "" : "  FAILED: ", wrong.c_str());
}

// The row of a check, with readers or without.
void print_check(const char* before, const Cost& cost, const Cost& smaller, const std::string& wrong) {
    const bool first = smaller.bytes == 0;
    std::printf(
        "%s  work %5.2f per byte, x%4.2f  memory %8.2f MiB, x%4.2f  resident %7.1f MiB  %8.3f s, x%4.2f%s%s%s\n",
        before, ratio(cost.work, cost.bytes), first ? 0 : growth(smaller.work, cost.work, smaller, cost),
        static_cast<double>(cost.memory) / (1 << 20), first ? 0 : growth(smaller.memory, cost.memory, smaller, cost),
        cost.resident, cost.seconds, first || smaller.seconds <= 0 ? 0 : cost.seconds / smaller.seconds,
        cost.limit_hit ? "  limit hit" : "", wrong.empty() ? "" : "  FAILED: ", wrong.c_str());
}

// Whether every size went well.
bool run(const files::HostileFile& file, uint64_t largest, const std::string& path) {
    std::printf("%s: %s\n", file.name, file.stresses);
    bool well = true;
    Costs smaller;
    Cost most, most_for_readers;
    for (uint64_t bytes = kSmallest; bytes <= largest; bytes *= 2) {
        const Costs costs = measure(file, bytes, path);
        const std::string wrong = complaint(costs.check, most, file.constant_memory, kOfCheck),
                          dump_wrong =
                              bytes <= kLargestDump ? complaint_of_dump(costs.dump.dump, smaller.dump.dump) : "",
                          readers_wrong = complaint(costs.readers, most_for_readers,
                                                    file.constant_memory + kReadersMemoryAtLeast, kOfReaders);
        char size[32];
        std::snprintf(size, sizeof size, "  %8.0f KiB", static_cast<double>(costs.check.bytes) / 1024);
        print_check(size, costs.check, smaller.check, wrong);
        if (bytes <= kLargestDump) print_dump(costs.dump, smaller.dump, dump_wrong);
        print_check("    --for any", costs.readers, smaller.readers, readers_wrong);
        std::fflush(stdout);
        well &= wrong.empty() && dump_wrong.empty() && readers_wrong.empty();
        most = most_for_its_size(costs.check, most);
        most_for_readers = most_for_its_size(costs.readers, most_for_readers);
        smaller = costs;
    }
    return well;
}

}  // namespace
}  // namespace tracelint

int main(int count, char** words) {
    using namespace tracelint;
    if (count < 3) {
        std::fprintf(stderr, "usage: tracelint_complexity FOLDER MIB [NAME...]\n");
        return 2;
    }
    const std::string path = std::string(words[1]) + "/hostile.trace";
    const uint64_t largest = std::strtoull(words[2], nullptr, 10) << 20;
    uint64_t failed = 0, all = 0;
    for (const files::HostileFile& file : files::all_hostile()) {
        const auto named = [&](const char* name) { return std::string_view(file.name).starts_with(name); };
        if (count > 3 && std::none_of(words + 3, words + count, named)) continue;
        ++all;
        if (!run(file, largest, path)) ++failed;
    }
    std::filesystem::remove(path);
    for (const files::HostileGroup& group : files::hostile_siblings()) {
        const auto named = [&](const char* name) { return std::string_view(group.name).starts_with(name); };
        if (count > 3 && std::none_of(words + 3, words + count, named)) continue;
        ++all;
        if (!run_group(group, largest)) ++failed;
    }
    std::printf("%llu of %llu hostile files and groups within the bounds\n",
                static_cast<unsigned long long>(all - failed), static_cast<unsigned long long>(all));
    return failed == 0 && all != 0 ? 0 : 1;
}
