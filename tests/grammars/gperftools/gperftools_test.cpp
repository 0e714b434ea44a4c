// gperftools: what the cases cannot show one by one. Each fast way against a plain one, and every damaged header.
#include <doctest/doctest.h>

#include <map>
#include <regex>
#include <set>

#include "fuzz/containers.hpp"
#include "fuzz/oracles.hpp"
#include "grammars/formats.hpp"
#include "grammars/gperftools/checks/line.hpp"
#include "grammars/gperftools/checks/mappings.hpp"
#include "grammars/gperftools/records.hpp"
#include "tests/support/oracle_files.hpp"
#include "validator/generator/generator.hpp"
#include "validator/generator/record_values.hpp"

namespace tracelint::gperftools {
namespace {

constexpr uint64_t kAmple = uint64_t{1} << 40;

std::string slots(const Layout& layout, std::initializer_list<uint64_t> values) {
    std::string bytes;
    for (const uint64_t value : values) {
        uint8_t stored[8];
        store(stored, layout.word_size, layout.order, value);
        bytes.append(reinterpret_cast<const char*>(stored), layout.word_size);
    }
    return bytes;
}

// A header, and after it a record, the trailer, and a list of mapped objects.
std::string profile(const Layout& layout, const std::array<uint64_t, 5>& header) {
    return slots(layout, {header[0], header[1], header[2], header[3], header[4]}) +
           slots(layout, {1, 2, 0x400010, 0x400020, 0, 1, 0}) +
           "00400000-00401000 r-xp 00000000 00:00 1           /a\n";
}

std::vector<uint64_t> damaged_values(unsigned bits, Random& random) {
    const uint64_t all = bits == 64 ? kNone : (uint64_t{1} << bits) - 1;
    std::vector<uint64_t> values = {0, 1, 2, 3, 4, 5, 1'000'000, 1'000'001, 1'000'000'001, all, all >> 1, 3ull << 24};
    for (unsigned bit = 0; bit < bits; ++bit) values.push_back(uint64_t{1} << bit);
    for (int i = 0; i < 20; ++i) values.push_back(random() & all);
    for (uint64_t& value : values) value &= all;
    return values;
}

// The header as the other byte order has it.
bool is_perfect_in_other_order(const std::string& bytes, const Layout& layout) {
    const auto slot = [&](size_t i) {
        const auto* from = reinterpret_cast<const uint8_t*>(bytes.data()) + i * layout.word_size;
        return load(from, layout.word_size, opposite(layout.order));
    };
    return slot(0) == 0 && slot(1) == 3 && slot(2) <= 1 && slot(3) >= 1 && slot(3) <= 1'000'000'000 && slot(4) == 0;
}

// A profile without records, but with so many mappings, few of them executable.
std::string with_mappings(const Layout& layout, size_t count) {
    std::string text;
    for (size_t i = 0; i < count; ++i)
        text += std::to_string(100 + 2 * i) + "000-" + std::to_string(101 + 2 * i) + "000 " +
                (i % 64 == 0 ? "r-xp" : "r--p") + " 0 0:0 0\n";
    return slots(layout, {0, 3, 0, 1, 0, 0, 1, 0}) + text;
}

size_t notes_of_limits(const std::string& bytes, uint64_t memory) {
    CheckOptions options;
    options.limits.memory = memory;
    MemorySource source(as_bytes(bytes));
    const Outcome outcome = check(source, options);
    return static_cast<size_t>(std::ranges::count_if(
        outcome.report().diagnostics(), [](const Diagnostic& d) { return d.rule->id == "gperftools/tracking-limit"; }));
}

// The rule of the first check of the field that the number breaks; null if it obeys them all.
const Rule* first_broken(const Field& field, uint64_t number) {
    for (const Check& check : field.checks)
        if (!obeys(field, check, number)) return check.rule;
    return nullptr;
}

// The rules of the field's checks that are said of a file.
std::vector<const Rule*> rules_reported(const Field& field, const std::string& bytes) {
    CheckOptions options;
    options.format = &kGperftools;
    MemorySource source(as_bytes(bytes));
    const Outcome outcome = check(source, options);
    std::vector<const Rule*> reported;
    for (const Diagnostic& d : outcome.report().diagnostics())
        if (std::ranges::any_of(field.checks, [&](const Check& check) { return check.rule == d.rule; }))
            reported.push_back(d.rule);
    return reported;
}

}  // namespace

TEST_CASE("gperftools: a header with one wrong slot is read in its own layout") {
    Random random(3);
    size_t headers = 0, elsewhere = 0;
    for (const Layout& layout : kLayouts)
        for (const uint64_t version : {kNativeVersion, kJavaVersion})
            for (const uint64_t period : {1u, 250u, 10000u, 1000000u})
                for (size_t wrong = 0; wrong < 5; ++wrong)
                    for (const uint64_t value : damaged_values(8u * layout.word_size, random)) {
                        std::array<uint64_t, 5> header = {0, 3, version, period, 0};
                        header[wrong] = value;
                        const std::string bytes = profile(layout, header);
                        const Outcome outcome = check_all({as_bytes(bytes), nullptr});
                        REQUIRE(outcome.format != nullptr);
                        CHECK(outcome.format->id == "gperftools");
                        const Identity& identity = outcome.context.identity;
                        const bool is_own =
                            identity.byte_order == layout.order && identity.word_size == layout.word_size;
                        ++headers;
                        if (is_own) continue;
                        CAPTURE(layout.word_size);
                        CAPTURE(wrong);
                        CAPTURE(value);
                        CHECK(is_perfect_in_other_order(bytes, layout));
                        ++elsewhere;
                    }
    MESSAGE(headers << " headers, " << elsewhere << " of them perfect in the other byte order");
    CHECK(elsewhere < 60);
}

TEST_CASE("gperftools: lines are misread as Go's pattern does") {
    const std::regex pattern(
        "^[ \\t\\r\\f]*(?:0x)?([0-9a-fA-F]+)[ \\t\\r\\f-]?[ \\t\\r\\f]*(?:0x)?([0-9a-fA-F]+):?(?:[ "
        "\\t\\r\\f]+([-rwxp]+))?");
    constexpr std::string_view kAlphabet = "0001aF--  \t\rxx:rwpg";
    Random random(11);
    for (size_t i = 0; i < 200'000; ++i) {
        std::string line;
        for (uint64_t length = below(random, 14); length > 0; --length)
            line += kAlphabet[below(random, kAlphabet.size())];
        std::smatch match;
        const bool matches = std::regex_search(line, match, pattern);
        const std::optional<Misreading> misreading = misreading_of(line);
        CAPTURE(line);
        REQUIRE(misreading.has_value() == matches);
        if (!matches) continue;
        CHECK(misreading->start.value == std::stoull(match[1].str(), nullptr, 16));
        CHECK(misreading->end.value == std::stoull(match[2].str(), nullptr, 16));
        CHECK(misreading->is_executable == (!match[3].matched || match[3].str().find('x') != std::string::npos));
    }
}

TEST_CASE("gperftools: ranges know what they hold, and what of it is executable") {
    Random random(9);
    Budget budget(kAmple);
    WorkCounter work;
    for (size_t round = 0; round < 1000; ++round) {
        Ranges ranges(budget, work);
        std::array<bool, 256> held{}, executable{};
        const auto mark = [](std::array<bool, 256>& addresses, uint64_t first, uint64_t last) {
            std::fill(addresses.begin() + first, addresses.begin() + last + 1, true);
        };
        for (size_t i = 0; i < 20; ++i) {
            const uint64_t first = below(random, 256), last = std::min<uint64_t>(255, first + below(random, 20));
            const uint64_t kind = below(random, 5);
            if (kind == 0) {
                REQUIRE(ranges.add_executable(first, last));
            } else {
                Overlap overlap = Overlap::none;
                REQUIRE(ranges.add(first, last, below(random, 3), kind > 2, overlap));
                CHECK((overlap != Overlap::none) ==
                      std::any_of(held.begin() + first, held.begin() + last + 1, [](bool is) { return is; }));
                mark(held, first, last);
            }
            if (kind == 0 || kind > 2) mark(executable, first, last);
            for (uint64_t address = 0; address < held.size(); ++address)
                REQUIRE(ranges.is_executable(address) == executable[address]);
        }
    }
}

TEST_CASE("gperftools: a range is shared if it is the same as one of another image that overlaps no other") {
    using enum Overlap;
    struct Step {
        uint64_t first, last, image;
        Overlap overlap;
    };
    const struct {
        std::string_view what;
        std::vector<Step> steps;
    } lists[] = {
        {"three images", {{10, 19, 1, none}, {10, 19, 2, shared}, {10, 19, 3, shared}}},
        {"one image", {{10, 19, 1, none}, {10, 19, 1, other}, {10, 19, 2, shared}}},
        {"one that shares nothing, first", {{10, 19, 0, none}, {10, 19, 1, other}, {10, 19, 2, other}}},
        {"one that shares nothing, later", {{10, 19, 1, none}, {10, 19, 0, other}, {10, 19, 2, other}}},
        {"one between two others", {{10, 19, 1, none}, {0, 9, 2, none}, {20, 29, 2, none}, {10, 19, 2, shared}}},
        {"the same start", {{10, 19, 1, none}, {10, 20, 2, other}}},
        {"the same end", {{10, 19, 1, none}, {9, 19, 2, other}}},
        {"inside another, which then is not alone", {{10, 19, 1, none}, {12, 14, 2, other}, {10, 19, 2, other}}},
        {"what two make together", {{10, 19, 1, none}, {15, 29, 2, other}, {10, 29, 3, other}}},
        {"around another", {{12, 14, 1, none}, {10, 19, 2, other}, {10, 19, 3, other}}},
        {"a shared one and its neighbour", {{10, 19, 1, none}, {10, 19, 2, shared}, {19, 20, 3, other}}},
    };
    for (const auto& list : lists) {
        Budget budget(kAmple);
        WorkCounter work;
        Ranges ranges(budget, work);
        for (const Step& step : list.steps) {
            Overlap overlap = none;
            REQUIRE(ranges.add(step.first, step.last, step.image, false, overlap));
            CHECK_MESSAGE(overlap == step.overlap, list.what);
        }
    }
}

TEST_CASE("gperftools: what is said of a file as a whole") {
    using Statistics = std::vector<std::pair<std::string_view, uint64_t>>;
    const Layout& le = kLayouts[0];
    const Layout& be = kLayouts[3];
    const std::string text = "0-1000: a\nb\n";
    const struct {
        std::string what, bytes;
        Identity identity;
        Statistics statistics;
    } files[] = {
        {"no header", "--- symbol\n", {}, {{"records", 0}, {"samples", 0}}},
        {"no samples", slots(le, {0, 3, 0, 1, 0, 0, 1, 0}), {0, le.order, 8}, {{"records", 0}, {"samples", 0}}},
        {"a PC of 0 is no address, and one that is met twice is one",
         slots(be, {0, 3, 0, 1, 0, 5, 3, 16, 0, 32, 2, 2, 32, 48, 1, 1, 0, 0, 1, 0}) + text,
         {0, be.order, 4},
         {{"records", 3},
          {"samples", 8},
          {"deepest call chain", 3},
          {"distinct addresses", 3},
          {"lines", 2},
          {"mappings", 1}}},
        {"an id of 0 is one, and the text has no mappings",
         slots(le, {0, 3, 1, 1, 0, 5, 3, 16, 0, 32, 1, 1, 0, 0, 1, 0}) + text,
         {1, le.order, 8},
         {{"records", 2}, {"samples", 6}, {"deepest call chain", 3}, {"distinct addresses", 3}, {"lines", 2}}},
        {"a record without PCs is one, and a run of zeros is another; after both the walk searches for the trailer",
         slots(be, {0, 3, 0, 1, 0, 5, 1, 16, 0, 0, 0, 0, 7, 99'999, 0, 1, 0}) + text +
             slots(be, {0, 3, 0, 1, 0, 5, 1, 16, 9, 0, 7, 99'999, 0, 1, 0}) + text,
         {0, be.order, 4},
         {{"records", 4},
          {"samples", 10},
          {"profiles", 2},
          {"deepest call chain", 1},
          {"distinct addresses", 2},
          {"lines", 4},
          {"mappings", 2},
          {"skipped bytes", 16},
          {"most skipped records", 1}}},
        {"two profiles, of which the first says what the file is; nothing is counted of a record that is skipped",
         slots(be, {0, 3, 0, 1, 0, 5, 2, 16, 32, 0, 1, 0}) + text +
             slots(be, {0, 3, 1, 1, 0, 7, 1, 16, 9, 99'999, 0, 1, 0}) + "\n",
         {0, be.order, 4},
         {{"records", 2},
          {"samples", 12},
          {"profiles", 2},
          {"deepest call chain", 2},
          {"distinct addresses", 3},
          {"lines", 3},
          {"mappings", 1},
          {"skipped bytes", 8}}},
        {"a record beyond the file: all of it, and what follows, is skipped",
         slots(be, {0, 3, 0, 1, 0, 5, 1, 16, 7, 9, 16, 32, 48}),
         {0, be.order, 4},
         {{"records", 1},
          {"samples", 5},
          {"deepest call chain", 1},
          {"distinct addresses", 1},
          {"skipped bytes", 20},
          {"most skipped records", 1}}},
    };
    for (const auto& file : files) {
        CAPTURE(file.what);
        const Outcome outcome = check_all({as_bytes(file.bytes), nullptr});
        const Identity& identity = outcome.context.identity;
        CHECK(identity.format_version == file.identity.format_version);
        CHECK(identity.byte_order == file.identity.byte_order);
        CHECK(identity.word_size == file.identity.word_size);
        CHECK(outcome.context.statistics == file.statistics);
    }
}

// Each chain that is too deep is an error, so that the first ones are kept whatever the limit is.
TEST_CASE(
    "gperftools: 64 chains that are too deep are kept without memory, and each profile with another has one note") {
    const Layout& layout = kLayouts[0];
    const std::string header = slots(layout, {0, 3, 0, 1, 0});
    const std::string deep = slots(layout, {1, 70'000, 0, 1, 0}) + "aaaaaaaa\n";
    for (const uint64_t memory : {uint64_t{0}, kAmple}) {
        std::string bytes;
        std::map<uint64_t, std::string_view> wanted, found;
        for (size_t i = 0; i < 67; ++i) {
            bytes += header;
            const bool has_caller = i == 66;  // for which there is no memory either
            const bool has_note = memory == 0 && i >= 64;
            if (has_note) wanted[bytes.size()] = "gperftools/tracking-limit";
            if (has_caller) bytes += slots(layout, {1, 2, 16, 32});
            if (!has_note) wanted[bytes.size() + 8] = "gperftools/record-exceeds-file";
            bytes += deep;
        }
        CheckOptions options;
        options.limits.memory = memory;
        options.report.kept_per_rule = 0;
        MemorySource source(as_bytes(bytes));
        const Outcome outcome = check(source, options);
        for (const Diagnostic& d : outcome.report().diagnostics()) {
            const bool is_note = d.rule->id == "gperftools/tracking-limit";
            if (!is_note && d.rule->id != "gperftools/record-exceeds-file") continue;
            CHECK(d.place.length == (is_note ? 16 : 8));
            CHECK(found.try_emplace(d.place.offset, d.rule->id).second);
        }
        CHECK(found == wanted);
        CHECK(outcome.context.budget.is_whole());
    }
}

// The walk checks records and trailers by hand, faster than a loop over their tables would.
TEST_CASE("gperftools: numbers next to the border of a check get the rule that its table has") {
    const auto file_with = [](const Layout& layout, const Record* record, size_t slot, uint64_t number) {
        std::array<uint64_t, 5> header = {0, 3, 0, 100, 0};
        std::array<uint64_t, 2> front = {1, 2};
        std::array<uint64_t, 3> trailer = {0, 1, 0};
        if (record == &kHeader) header[slot] = number;
        if (record == &kRecord) front[slot] = number;
        if (record == &kTrailer) trailer[slot] = number;
        std::string bytes = slots(layout, {header[0], header[1], header[2], header[3], header[4]});
        for (uint64_t word = 3; word < std::min<uint64_t>(header[1], 5); ++word) bytes += slots(layout, {0x7fff0000});
        bytes += slots(layout, {front[0], front[1]});
        for (uint64_t pc = 0; pc < front[1]; ++pc) bytes += slots(layout, {0x400000 + pc});
        return bytes + slots(layout, {trailer[0], trailer[1], trailer[2]}) +
               "00400000-00800000 r-xp 00000000 00:00 1           /a\n";
    };
    size_t numbers = 0;
    for (const Layout& layout : kLayouts)
        for (const Record* record : RecordList{&kHeader, &kRecord, &kTrailer})
            for (size_t slot = 0; slot < record->fields().size(); ++slot) {
                const Field& field = record->fields()[slot];
                for (const Check& check : field.checks)
                    for (const uint64_t number : {check.value - 1, check.value, check.value + 1}) {
                        if (check.rule == nullptr || number > kNone >> (64 - 8 * layout.word_size)) continue;
                        CAPTURE(field.name);
                        CAPTURE(number);
                        const Rule* rule = first_broken(field, number);
                        const std::vector<const Rule*> wanted(rule == nullptr ? 0 : 1, rule);
                        CHECK((rules_reported(field, file_with(layout, record, slot, number)) == wanted));
                        ++numbers;
                    }
            }
    CHECK(numbers == 156);
}

// The 33rd mapping does not fit into the first block of its table; that of executable ones still has room.
TEST_CASE("gperftools: a mapping that cannot be compared with others ends tracking, though it could explain PCs") {
    const std::string fitting = with_mappings(kLayouts[0], 32), bytes = with_mappings(kLayouts[0], 33);
    uint64_t memory = 0;
    while (memory < 20'000 && notes_of_limits(fitting, memory) != 0) memory += 8;
    CHECK(notes_of_limits(bytes, memory) == 1);
    CHECK(notes_of_limits(bytes, 20'000) == 0);
}

TEST_CASE("gperftools: what a profile took is there for the next one") {
    const Layout& layout = kLayouts[0];
    std::string chain = slots(layout, {1, 100});
    for (uint64_t i = 0; i < 100; ++i) chain += slots(layout, {0x10000 + 16 * i});
    const std::string first = with_mappings(layout, 200);
    const std::string second = slots(layout, {0, 3, 0, 1, 0}) + chain + slots(layout, {0, 1, 0});
    for (uint64_t memory = 2'000; memory < 40'000; memory += 500) {
        CAPTURE(memory);
        CHECK(notes_of_limits(first + second, memory) ==
              notes_of_limits(first, memory) + notes_of_limits(second, memory));
    }
}

TEST_CASE("gperftools: a cut container explains what seems to be wrong with a profile") {
    const auto findings_in = [](const std::string& file) {
        std::set<std::pair<uint64_t, std::string_view>> findings;
        const Outcome outcome = check_all({as_bytes(file), nullptr});
        for (const Diagnostic& d : outcome.report().diagnostics()) findings.emplace(d.place.offset, d.rule->id);
        return findings;
    };
    size_t cuts = 0;
    for (uint64_t seed = 0; seed < seeds(20); ++seed) {
        const std::string healthy =
            bytes_of(generate(kGperftools, {.seed = seed, .size = 150 * (seed % 20), .model = {}}));
        const std::string whole = gzip_member(healthy);
        const auto wanted = findings_in(whole);
        for (size_t size = 20; size < whole.size(); size += 1 + seed % 7) {
            ++cuts;
            for (const auto& [offset, rule] : findings_in(whole.substr(0, size)))
                if (rule != "gzip/truncated" && !wanted.contains({offset, rule}))
                    FAIL_CHECK("seed " << seed << ", " << size << " of " << whole.size() << " bytes: " << rule << " at "
                                       << offset);
        }
    }
    MESSAGE(cuts << " cut containers");
}

TEST_CASE("gperftools: each of two profiles in a cut container is judged by itself") {
    const auto profile_of = [](uint64_t version, std::initializer_list<uint64_t> record, const char* text) {
        return slots(kLayouts[0], {0, 3, version, 1, 0}) + slots(kLayouts[0], record) + slots(kLayouts[0], {0, 1, 0}) +
               text;
    };
    struct Case {
        std::string profile;
        std::string_view finding;  // of the first of two
    };
    for (const auto& [profile, finding] :
         {Case{profile_of(0, {1, 1, 16}, "100-200: a\n"), "56 gperftools/pc-unmapped-leaf\n"},
          Case{profile_of(0, {1, 2, 0x150, 0x900}, "100-200: a\n"), "64 gperftools/pc-unmapped-caller\n"},
          Case{profile_of(0, {1, 1, 16}, ""), "88 gperftools/missing-map-list\n"},
          Case{profile_of(0, {1, 1, 16}, "no such line\n"), "88 gperftools/no-mapping-line\n"},
          Case{profile_of(1, {1, 1, 16}, "\n0x00000020 a\n"), "56 gperftools/java-location-missing\n"}}) {
        CAPTURE(finding);
        const std::string file = gzip_member(profile + profile);
        const Outcome outcome = check_all({as_bytes(file).first(file.size() - 8), nullptr});
        std::string found;
        for (const Diagnostic& d : outcome.report().diagnostics())
            found += std::to_string(d.place.offset) + ' ' + std::string(d.rule->id) + '\n';
        CAPTURE(found);
        CHECK(found.find(finding) != std::string::npos);
        const std::string_view rule = finding.substr(finding.find(' '));
        CHECK(found.find(rule) == found.rfind(rule));
    }
}

TEST_CASE("gperftools: hostile files cost no more than others") {
    Random random(17);
    const auto check = [](const std::string& what, const std::string& bytes) {
        CAPTURE(what);
        for (const Complaint& complaint :
             {never_crash({as_bytes(bytes), nullptr}), chunks_agree({as_bytes(bytes), nullptr}, 3)})
            if (complaint) FAIL_CHECK(*complaint);
    };
    for (const Layout& layout : kLayouts) {
        const uint64_t mask = layout.word_size == 8 ? kNone : 0xffffffff;
        const std::string header = slots(layout, {0, 3, 0, 1, 0}), java = slots(layout, {0, 3, 1, 1, 0});
        const std::string trailer = slots(layout, {0, 1, 0});
        for (const uint64_t depth : {1u, 2u, 5u, 300u, 65536u}) {
            std::string same, distinct;
            while (same.size() < (size_t{1} << 14)) {
                for (std::string* file : {&same, &distinct}) *file += slots(layout, {1, depth});
                for (uint64_t i = 0; i < depth; ++i) {
                    distinct += slots(layout, {random() & mask});
                    same += slots(layout, {i % 2});
                }
            }
            check("distinct addresses", header + distinct + trailer + "0-1: a\n");
            check("distinct ids", java + distinct + trailer + "0x1 a\n");
            check("zeros as callers", header + same + trailer + "0-1: a\n");
            check("zeros as ids", java + same + trailer + "0x1 a\n");
        }
        std::string mappings, locations, profiles, lost;
        while (locations.size() < (size_t{1} << 14)) {
            const std::string number = std::to_string(below(random, 1'000'000));
            mappings += number + "000-" + number + "001: a\n";
            locations += "0x" + number + " a\n";
            profiles += header + trailer;
            lost += header + slots(layout, {1, 70'000}) + trailer + "aaaaaaa\n";
        }
        const std::string record = slots(layout, {1, 1, 0x1000});
        check("mappings", header + record + trailer + mappings + "0-fffffff000: a\n");
        check("locations", java + record + trailer + locations);
        check("profiles", profiles);
        check("profiles without a list", profiles + trailer);
        check("chains that are too deep", lost);
        check("zeros", header + std::string(size_t{1} << 16, '\0'));
        check("trailers", header + slots(layout, {1, 70'000}) + std::string(size_t{1} << 16, '\1'));
        check("empty lines", header + record + trailer + std::string(size_t{1} << 16, '\n'));
        check("a long line", header + record + trailer + std::string(size_t{1} << 16, 'a'));
    }
}

}  // namespace tracelint::gperftools
