// The html output: what the page holds of a toy file, the limits of its size, the map of records and the close-ups.
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "fuzz/tool/page_oracle.hpp"
#include "fuzz/tool/writers_oracle.hpp"
#include "tests/support/oracle_files.hpp"
#include "tests/support/scratch.hpp"
#include "tests/support/toy_report.hpp"
#include "validator/generator/mutate.hpp"
#include "validator/input/input_rules.hpp"
#include "validator/tool/inputs/source_chain.hpp"
#include "validator/tool/page/close_ups.hpp"
#include "validator/tool/page/page_text.hpp"
#include "validator/tool/page/parts.hpp"
#include "validator/tool/page/record_map.hpp"

namespace tracelint {
namespace {

using Json = nlohmann::json;

Json report_of(const std::string& page) {
    const std::optional<std::string_view> text = report_in(page);
    REQUIRE(text.has_value());
    return Json::parse(*text);
}

// A text of the report that may be shared.
std::string text_of(const Json& report, const Json& shared) {
    return shared.is_number() ? report.at("strings").at(shared.get<size_t>()) : shared;
}

TEST_CASE("html: what the page holds of a file") {
    const ScratchFile file(toy_bytes());
    const Json report = report_of(written("html", file.path(), toy_outcome()));
    CHECK(report.at("tool").at("name") == "tracelint");
    const Json& toy = report.at("files").at(0);
    CHECK(toy.at("path") == file.path());
    CHECK(toy.at("format") == "toy");
    CHECK(toy.at("size") == 1055);
    CHECK(toy.at("counts") == Json({1, 3, 1}));
    CHECK(toy.at("map") == Json::parse("[[8,0,1],[14,1,1],[14,2,1,0],[14,2,1,0],[1005,3,1]]"));
    CHECK(toy.at("clock") == Json::parse(R"(["0","time"])"));
    CHECK(toy.at("lanes") == Json::array());  // each stretch is a record
    CHECK(toy.at("kinds") == Json::parse(R"([["header",1,8],["TASK",1,14],["EVENT",2,28],["COUNTERS",1,1005]])"));
    CHECK(toy.at("total") == Json({5, 2, 1}));

    // The error comes first, then the warnings; the error has a hint and a place that it refers to.
    const Json& error = toy.at("findings").at(toy.at("findings").size() - 1);
    CHECK(report.at("rules").at(error.at(0).get<size_t>()).at("id") == "toy/started-twice");
    CHECK(
        Json(error.begin() + 1, error.end()).dump() ==
        R"([2,47,2,"records[2].action","task 5 is started, but it runs already",)"
        R"("readers that pair starts with finishes lose the first of the two runs; the event before it is of another worker",)"
        R"([22,14]])");
}

TEST_CASE("html: close-ups have the bytes around findings and name their fields") {
    const ScratchFile file(toy_bytes());
    const Json report = report_of(written("html", file.path(), toy_outcome()));
    Json close_ups = report.at("files").at(0).at("close_ups");
    std::sort(close_ups.begin(), close_ups.end());  // by offset
    REQUIRE(close_ups.size() == 2);
    CHECK(close_ups[0].at(0) == 0);
    CHECK(close_ups[0].at(1).get<std::string>().substr(0, 48) == "31594f5402000000010e000572756e000000017fff21020e");
    CHECK(close_ups[1].at(0) == 912);
    CHECK(close_ups[1].at(1).get<std::string>().size() == 2 * (1055 - 912));

    const Json& records = close_ups[0].at(2);
    REQUIRE(records.size() == 5);
    const Json& started_again = records[3];
    CHECK(text_of(report, started_again.at(0)) == "EVENT");
    CHECK(Json(started_again.begin() + 1, started_again.begin() + 4) == Json({36, 14, 2}));
    std::ostringstream fields;
    for (const Json& field : started_again.at(4))
        fields << field.at(0) << '+' << field.at(1) << ' ' << text_of(report, field.at(2)) << ' '
               << field.at(3).get<std::string>() << ' ' << text_of(report, field.at(4)) << '\n';
    CHECK(fields.str() ==
          "36+1 kind 2 EVENT\n"
          "37+2 size 14 bytes \n"
          "39+8 time 0 s in nanoseconds\n"
          "47+2 action 0 start\n"
          "47+2 worker 2 \n"
          "49+1 task 5 \n");
    const Json& after_the_last = records[4].at(4).back();
    CHECK(text_of(report, after_the_last.at(2)) == "(not described)");
    CHECK(after_the_last.at(3) == "<1000 bytes>");
}

TEST_CASE("html: less severe findings than asked for are counted only") {
    WriterOptions options;
    options.min_severity = Severity::error;
    const Json toy = report_of(written("html", "a.trace", toy_outcome(), options)).at("files").at(0);
    CHECK(toy.at("findings").size() == 1);
    CHECK(toy.at("not_shown").size() == 3);
    CHECK(toy.at("counts") == Json({1, 3, 1}));
}

TEST_CASE("html: what cannot be read a second time has the bytes that were kept, or the page says why it has none") {
    const Json piped = report_of(written("html", "-", toy_outcome())).at("files").at(0);
    CHECK(piped.at("path") == "<stdin>");
    CHECK(piped.at("close_ups").empty());
    CHECK(piped.at("map").empty());
    CHECK(piped.at("bytes") == "Standard input cannot be read twice, so the report has no bytes of it.");

    const std::string& bytes = toy_bytes();
    const ScratchFile file(bytes);
    Json expected = report_of(written("html", file.path(), toy_outcome())).at("files").at(0);
    const auto with_kept = [&](uint64_t most) {
        KeptInput kept;
        kept.start(most);
        kept.take(as_bytes(bytes));
        StringSink sink;
        const std::unique_ptr<Writer> writer = find_writer_kind("html")->make(sink, {});
        const Outcome outcome = toy_outcome();
        writer->file({.path = "-", .outcome = outcome, .kept = &kept});
        writer->finish({});
        return report_of(sink.text).at("files").at(0);
    };
    Json whole = with_kept(bytes.size());
    CHECK(whole.at("bytes") == "");
    for (const char* part : {"close_ups", "map", "kinds"}) CHECK_MESSAGE(whole.at(part) == expected.at(part), part);
    // If the input continues after the kept bytes, the page says so.
    const Json part = with_kept(60);
    CHECK(part.at("map_note") == "Only the first bytes of the input were kept, so the map has only those records.");
    uint64_t mapped = 0;
    for (const Json& stretch : part.at("map")) mapped += stretch.at(0).get<uint64_t>();
    CHECK(mapped == 60);
    const Json gone = report_of(written("html", "/no such file", toy_outcome())).at("files").at(0);
    CHECK(gone.at("bytes") == "The file could not be read a second time, so the report has no bytes of it.");
}

TEST_CASE("html: no path ends the element that holds the report") {
    const std::string page = written("html", "</script><script>alert(1)</script><!--\xff\u202e", toy_outcome());
    const std::string_view text = report_in(page).value();
    CHECK(text.find('<') == std::string_view::npos);
    CHECK(is_printable(text));
    CHECK(report_of(page).at("files").at(0).at("path") == "</script><script>alert(1)</script><!--\\xff\\xe2\\x80\\xae");
}

TEST_CASE("html: the page asks for nothing from anywhere and lets no other script run") {
    const std::string page = std::string(page_before_report()) + std::string(page_after_report());
    CHECK(is_printable(page));
    for (const std::string_view forbidden : {"http:", "https:", "@STYLE", "@SCRIPT", "@REPORT@", "innerHTML", "unsafe"})
        CHECK_MESSAGE(page.find(forbidden) == std::string::npos, forbidden);
    CHECK(page.find("default-src 'none'; script-src 'sha256-") != std::string::npos);
    CHECK(page.size() < 150'000);
}

// An outcome with `count` findings, which no bytes belong to.
Outcome outcome_with(size_t count) {
    CheckOptions options;
    options.format = &kToy;
    options.report.kept_per_rule = 0;
    Outcome outcome(options);
    outcome.format = &kToy;
    for (size_t i = 0; i < count; ++i) outcome.context.report.add(kUnknownFormat, Place{.offset = i, .length = 1});
    outcome.context.report.finish();
    return outcome;
}

TEST_CASE("html: 20,000 findings have room, 120,000 do not, and the page says how many are missing") {
    for (const auto& [count, fits] : {std::pair<size_t, bool>{20'000, true}, {120'000, false}}) {
        const std::string page = written("html", "-", outcome_with(count));
        CHECK(page.size() < kPageLimit);
        const Json file = report_of(page).at("files").at(0);
        CHECK(file.at("total").at(0) == count);
        CHECK((file.at("findings").size() == count) == fits);
        CHECK(file.at("findings").size() > 20'000 - 1);
    }
}

TEST_CASE("html: the headline also counts findings of files that are left out") {
    StringSink sink;
    const std::unique_ptr<Writer> writer = find_writer_kind("html")->make(sink, {});
    const Outcome broken = outcome_with(2);
    const std::string path(4000, 'x');
    for (size_t i = 0; i < 2000; ++i) writer->file({path, broken});
    writer->finish({.files = 2000});
    const Json report = report_of(sink.text);
    CHECK(report.at("files").size() < 2000);
    CHECK(report.at("summary").at("counts") == Json({0, 0, 4000}));
}

// A jitdump file with the records that tests/page/files.mjs has as lostMove(): moves of functions that no record
// introduced. Three findings at each record, one of them an error.
std::string lost_moves(uint64_t count) {
    std::string bytes("DTiJ\1\0\0\0\x28\0\0\0\x3e\0\0\0\0\0\0\0\1\0\0\0\xe8\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 40);
    const auto number = [&](uint64_t value, size_t width) {
        for (size_t i = 0; i < width; ++i) bytes += static_cast<char>(value >> (8 * i));
    };
    for (uint64_t i = 0; i < count; ++i) {
        number(1, 4), number(64, 4), number(1000 + i, 8), number(1, 4), number(1, 4);
        for (const uint64_t value : std::initializer_list<uint64_t>{0x3000, 0x2000, 0x3000, 16, 7'000'000 + i})
            number(value, 8);
    }
    return bytes;
}

TEST_CASE("html: with 120,000 findings there are bytes of each rule, the map, and the places of what is not listed") {
    const std::string bytes = lost_moves(120'000);
    const ScratchFile file(bytes);
    CheckOptions options;
    options.report.kept_per_rule = 0;
    MemorySource source(as_bytes(bytes));
    const Outcome outcome = check(source, options);
    const std::string page = written("html", file.path(), outcome);
    CHECK(page.size() < kPageLimit);
    const Json report = report_of(page);
    const Json& jitdump = report.at("files").at(0);
    CHECK(jitdump.at("total").at(0) >= 120'000);
    CHECK(jitdump.at("findings").size() < jitdump.at("total").at(0));

    std::vector<std::pair<uint64_t, uint64_t>> close_ups;  // from where, up to where
    for (const Json& close_up : jitdump.at("close_ups")) {
        const uint64_t start = close_up.at(0);
        close_ups.emplace_back(start, start + close_up.at(1).get_ref<const std::string&>().size() / 2);
    }
    std::set<std::string> rules, rules_with_bytes;
    std::array<uint64_t, 3> listed{};
    for (const Json& row : jitdump.at("findings")) {
        const std::string rule = report.at("rules").at(row.at(0).get<size_t>()).at("id");
        rules.insert(rule);
        ++listed.at(row.at(1));
        const uint64_t offset = row.at(2);
        for (const auto& [start, end] : close_ups)
            if (offset >= start && offset < end) rules_with_bytes.insert(rule);
    }
    std::set<std::string> all_rules;
    for (const auto& [rule, count] : outcome.report().counts()) all_rules.insert(std::string(rule));
    CHECK(rules == all_rules);
    CHECK(rules_with_bytes == all_rules);

    uint64_t mapped = 0;
    for (const Json& stretch : jitdump.at("map")) mapped += stretch.at(0).get<uint64_t>();
    CHECK(mapped == bytes.size());
    // The places of all findings are known, listed or not, up to the end of the file.
    const Json& spread = jitdump.at("spread");
    for (size_t severity = 0; severity < 3; ++severity) {
        uint64_t placed = 0;
        for (const Json& part : spread.at(1 + severity)) placed += part.at(1).get<uint64_t>();
        CHECK(placed == jitdump.at("counts").at(severity));
        CHECK(placed >= listed.at(severity));
    }
    CHECK((spread.at(3).back().at(0).get<uint64_t>() + 1) * spread.at(0).get<uint64_t>() >= bytes.size());
}

TEST_CASE("html: files with errors stay when there are too many files") {
    StringSink sink;
    const std::unique_ptr<Writer> writer = find_writer_kind("html")->make(sink, {});
    const Outcome clean = outcome_with(0), broken = outcome_with(1);
    const std::string path(4000, 'x');
    for (size_t i = 0; i < 2000; ++i) writer->file({path, i % 10 == 9 ? broken : clean});
    writer->finish({.files = 2000});
    CHECK(sink.text.size() < kPageLimit);
    const Json report = report_of(sink.text);
    const Json& files = report.at("files");
    CHECK(report.at("summary").at("counts") == Json({0, 0, 200}));
    CHECK(files.size() < 2000);
    const auto has_error = [](const Json& file) {
        return file.at("verdict") == "error" && file.at("findings").size() == 1;
    };
    CHECK(std::ranges::count_if(files, has_error) == 200);
}

TEST_CASE("parts: the last of the least kind goes first") {
    Parts parts(10);
    parts.add(PartKind::note, {0, "nnn"});
    parts.add(PartKind::error, {0, "eee"});
    parts.add(PartKind::note, {1, "mmm"});
    CHECK(parts.of(PartKind::note).size() == 2);
    parts.add(PartKind::error, {1, "fff"});
    CHECK(parts.of(PartKind::note).size() == 1);
    CHECK(parts.of(PartKind::note).at(0).text == "nnn");
    CHECK(parts.of(PartKind::error).size() == 2);
    parts.charge(2);
    CHECK(parts.of(PartKind::note).empty());
    CHECK(parts.of(PartKind::error).size() == 2);
    parts.charge(100);
    CHECK(parts.of(PartKind::error).empty());
}

TEST_CASE("parts: what comes first stays longest, as far as the reserve goes") {
    Parts parts(12, 6);
    parts.add_first(PartKind::note, {0, "nnn"});
    parts.add_first(PartKind::note, {1, "mmm"});
    parts.add(PartKind::error, {1, "eee"});
    parts.add(PartKind::error, {2, "fff"});
    CHECK(parts.first_of(PartKind::note).size() == 2);
    parts.add(PartKind::error, {2, "ggg"});
    CHECK(parts.of(PartKind::error).size() == 2);
    // A worse one takes the place of the last, which is a part like others now.
    parts.add_first(PartKind::error, {2, "hhh"});
    CHECK(parts.first_of(PartKind::note).size() == 1);
    CHECK(parts.first_of(PartKind::error).size() == 1);
    CHECK(parts.of(PartKind::note).empty());
    CHECK(parts.of(PartKind::error).size() == 2);
    parts.charge(6);
    CHECK(parts.of(PartKind::error).empty());
    CHECK(parts.first_of(PartKind::note).size() == 1);
    parts.charge(3);
    CHECK(parts.first_of(PartKind::note).empty());
    CHECK(parts.first_of(PartKind::error).size() == 1);
}

TEST_CASE("parts: one that finds no room in the reserve keeps its place among the others") {
    Parts parts(100, 5);
    parts.add(PartKind::note, {0, "aa"});
    parts.add_first(PartKind::note, {1, "bb"});
    parts.add_first(PartKind::note, {1, "cc"});
    parts.add(PartKind::note, {1, "dd"});
    parts.add(PartKind::note, {2, "ee"});
    parts.add_first(PartKind::error, {3, "fffff"});
    CHECK(parts.first_of(PartKind::note).empty());
    std::string order;
    for (const Part& part : parts.of(PartKind::note)) order += part.text;
    CHECK(order == "aabbccddee");
}

TEST_CASE("record map: as many stretches as records while they are few") {
    RecordMap map;
    map.add("header", 8);
    map.add("a", 10);
    map.add("a", 20);
    map.add_gap(5);
    map.finish(40);
    REQUIRE(map.stretches().size() == 4);
    CHECK(map.stretches()[2].length == 20);
    CHECK(map.stretches()[3].kind == RecordMap::kNoRecord);
    CHECK(map.stretches()[3].length == 2);  // cut at the end of the file
    REQUIRE(map.kinds().size() == 2);
    CHECK(map.kinds()[1].records == 2);
    CHECK(map.kinds()[1].bytes == 30);
}

TEST_CASE("record map: many records become few stretches that cover the same bytes") {
    RecordMap map;
    uint64_t size = 0;
    for (uint64_t i = 0; i < 100'000; ++i) {
        const uint64_t length = i % 1000 == 0 ? 50'000 : 16 + i % 7;
        map.add(i % 1000 == 0 ? "large" : i % 3 == 0 ? "odd" : "small", length);
        size += length;
    }
    map.add("last", kNone - 5);
    map.finish(size + 3);
    CHECK(map.stretches().size() <= RecordMap::kMostStretches);
    CHECK(map.stretches().size() > RecordMap::kMostStretches / 4);
    uint64_t covered = 0, records = 0, large = 0;
    for (const RecordMap::Stretch& stretch : map.stretches()) {
        covered += stretch.length;
        records += stretch.records;
        large += map.kinds().at(stretch.kind).name == "large";
    }
    CHECK(covered == size + 3);
    CHECK(records == 100'001);
    CHECK(large == 100);  // a long record is not lost among short ones
    CHECK(map.kinds().back().bytes == 3);
}

// "skipped,cells,sixteenths ...".
std::string runs_text(const RecordMap& map, size_t kind) {
    std::ostringstream text;
    for (const RecordMap::Run& run : map.runs_of(kind))
        text << (text.tellp() == 0 ? "" : " ") << run.skipped << ',' << run.cells << ',' << run.sixteenths;
    return text.str();
}

TEST_CASE("record map: cells have the share of each kind, as wide as the file needs") {
    RecordMap map;
    map.add("header", 8);
    for (size_t i = 0; i < 255; ++i) map.add("a", 4);
    map.add_gap(4);
    CHECK(map.is_exact());
    map.finish(8 + 255 * 4 + 2);
    CHECK(map.cell_width() == 4);  // 1030 bytes in 512 cells, of which a power of two is needed
    CHECK(runs_text(map, 0) == "0,2,16");
    CHECK(runs_text(map, 1) == "2,255,16");
    CHECK(runs_text(map, RecordMap::kNoRecord) == "257,1,8");

    RecordMap mixed;
    for (size_t i = 0; i < 100'000; ++i) {
        mixed.add("most", 15);
        mixed.add("rare", 1);
    }
    mixed.add("last", kNone);  // a claim that the file does not keep
    mixed.finish(1'600'000 + 5);
    CHECK_FALSE(mixed.is_exact());
    CHECK(mixed.cell_width() == 4096);
    CHECK(runs_text(mixed, 0) == "0,390,15 0,1,10");
    CHECK(runs_text(mixed, 1) == "0,391,1");
    CHECK(runs_text(mixed, 2) == "390,1,1");
}

TEST_CASE("record map: a stretch keeps the first moment of its records, on the first clock") {
    RecordMap map;
    CHECK_FALSE(map.wants_moment());
    for (uint64_t i = 0; i < 10'000; ++i) {
        map.add("a", 10);
        if (map.wants_moment() && i % 3 == 0) map.set_moment({1'000 + i, Quantity::time});
        if (i % 3 == 1) map.set_moment({5, Quantity::ticks});
    }
    map.finish(100'000);
    CHECK(map.clock() == Quantity::time);
    uint64_t before = 0, offset = 0;
    for (const RecordMap::Stretch& stretch : map.stretches()) {
        CHECK(stretch.moment >= before);
        CHECK(stretch.moment - 1'000 >= offset / 10);
        before = stretch.moment;
        offset += stretch.length;
        CHECK(stretch.moment - 1'000 < offset / 10);
    }
}

TEST_CASE("html: the map has the times of records that say when they were written") {
    struct Case {
        std::string_view format, file, clock;
    };
    const Case cases[] = {
        {"jitdump", "node-20.dump", "time"},
        {"mlpd", "mono-6.8-calls.mlpd", "time"},
        {"xray", "basic-clang-19-threads.xray", "ticks"},
        {"nettrace", "dotnet-8-gc.nettrace", "ticks"},
        {"perfdata", "perf-6.1-plain.data", "time"},
    };
    for (const Case& one : cases) {
        CAPTURE(one.file);
        const std::vector<std::filesystem::path> files = corpus_files(*find_format(one.format), "real");
        const auto path = std::ranges::find(files, one.file, [](const auto& file) { return file.filename().string(); });
        REQUIRE(path != files.end());
        const std::string bytes = *read_file(*path);
        MemorySource source(as_bytes(bytes));
        const Json file = report_of(written("html", path->string(), check(source, {}))).at("files").at(0);
        REQUIRE(file.at("clock").size() == 2);
        CHECK(file.at("clock").at(1) == one.clock);
        CHECK(std::ranges::any_of(file.at("map"), [](const Json& row) { return row.size() == 4 && row.at(3) > 0; }));
    }
}

TEST_CASE("extents: neighbours become one, up to a length") {
    Report report(ReportOptions{.kept_per_rule = 0});
    for (const uint64_t offset : std::initializer_list<uint64_t>{1000, 1100, 50'000})
        report.add(kGzipCorrupt, Place{.offset = offset, .length = 4}, {0, 0});
    report.add(kUnknownFormat, Place{.offset = 5, .length = 0});
    report.finish();
    const std::vector<ShownExtent> compressed = extents_of(report, {}, true);
    REQUIRE(compressed.size() == 2);
    CHECK(compressed[0].start == 864);
    CHECK(compressed[0].end == 1232);
    CHECK(compressed[1].start == 49'872);
    const std::vector<ShownExtent> others = extents_of(report, {}, false);
    REQUIRE(others.size() == 1);
    CHECK(others[0].start == 0);
    CHECK(others[0].end == 144);

    Report crowded(ReportOptions{.kept_per_rule = 0});
    for (uint64_t offset = 0; offset < 100'000; offset += 10)
        crowded.add(kUnknownFormat, Place{.offset = offset, .length = 1});
    crowded.finish();
    uint64_t before = 0;
    for (const ShownExtent& extent : extents_of(crowded, {}, false)) {
        CHECK(extent.start == before);
        CHECK(extent.end - extent.start <= 2048);
        before = extent.end;
    }
    CHECK(before > 100'000);
}

TEST_CASE("html: the page of any file says what its bytes are") {
    for (const Format* format : tested_formats()) {
        uint64_t number = 0;
        for (const auto& [name, bytes] : corpus_bytes(*format)) {
            if (!is_sampled(number++, 10) || bytes.size() > 2'000) continue;  // some of each folder, to save time
            CAPTURE(name);
            hold(page({as_bytes(bytes), nullptr}));
        }
        for (uint64_t seed = 1; seed <= seeds(5); ++seed) {
            CAPTURE(seed);
            const std::string bytes = generated_bytes(*format, seed);
            hold(page({as_bytes(mutated(generator_of(*format), as_bytes(bytes), seed)), format}));
        }
    }
}

}  // namespace
}  // namespace tracelint
