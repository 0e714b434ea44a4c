// Dumps in JSON, of a part of a trace, and after bytes that are not a record.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <sstream>

#include "fuzz/tool/dump_output_oracle.hpp"
#include "fuzz/tool/writers_oracle.hpp"
#include "tests/support/oracle_files.hpp"
#include "tests/tool/schema.hpp"
#include "tests/tool/workplace.hpp"
#include "validator/generator/mutate.hpp"
#include "validator/recognise.hpp"
#include "validator/tables/text_scan.hpp"
#include "validator/tool/dump/renderer.hpp"
#include "validator/tool/json/text.hpp"

namespace tracelint {
namespace {

using Json = nlohmann::json;

// The dump of `bytes` in one of the kinds.
std::string dump_of(Bytes bytes, std::string_view kind, const Selection& selection = {}, const Limits& limits = {}) {
    MemorySource source(bytes);
    DumpContext context(limits);
    Window window(source, nullptr, &context.budget);
    const Format* format = recognise(formats(), window, "");
    REQUIRE(format != nullptr);
    const auto found = std::ranges::find(dump_kinds(), kind, &DumpKind::name);
    StringSink sink;
    const std::unique_ptr<Renderer> renderer = found->make({"a.trace", format->id}, selection, context, sink);
    renderer->start();
    walk_records(window, *format->framer({}), context, *renderer);
    renderer->finish();
    return sink.text;
}

// Some of the small files of a format: valid ones, cases, broken ones.
std::vector<NamedBytes> small_files(const Format& format) {
    std::vector<NamedBytes> files = corpus_bytes(format);
    size_t count = 0;
    std::erase_if(files, [&](const NamedBytes& file) {
        const Bytes bytes = as_bytes(file.bytes);
        return ++count % 10 != 0 || bytes.size() > 2048 || format.recognise({bytes, {}}) == 0 ||
               recognise(formats(), {bytes, {}}) != &format;
    });
    return files;
}

// The lines of a dump that name a record or a gap, without their sizes.
std::vector<std::string> headings(const std::string& bytes) {
    std::vector<std::string> lines;
    std::istringstream text(dump_of(as_bytes(bytes), "text"));
    for (std::string line; std::getline(text, line);)
        if (!line.starts_with(" ")) lines.push_back(line);
    return lines;
}

// What a visitor sees, as JSON should have it.
class Collector final : public RecordVisitor {
  public:
    bool wants(const FramedRecord&) override { return true; }
    void begin(const SeenRecord& record) override {
        seen.push_back({{"offset", record.offset}, {"length", record.length}, {"fields", Json::array()}});
    }
    void leaf(const SeenRecord& record, const Leaf& leaf) override {
        seen.back()["fields"].push_back({record.offset + leaf.offset, leaf.length});
    }
    void gap(const Gap& gap, GapBytes&) override { seen.push_back({{"offset", gap.offset}}); }
    std::vector<Json> seen;
};

std::vector<Json> seen_in(const Format& format, Bytes bytes) {
    MemorySource source(bytes);
    DumpContext context({});
    Window window(source, nullptr, &context.budget);
    Collector collector;
    walk_records(window, *format.framer({}), context, collector);
    return collector.seen;
}

// Compares one object of the output.
Json essence(const Json& object) {
    if (object.at("type") == "gap") return {{"offset", object.at("offset")}};
    Json fields = Json::array();
    for (const Json& field : object.at("fields")) fields.push_back({field.at("offset"), field.at("length")});
    return {{"offset", object.at("offset")}, {"length", object.at("length")}, {"fields", fields}};
}

TEST_CASE("json has all records, gaps and fields, whatever the bytes, and is what the schema says") {
    const Json& schema = dump_schema();
    for (const Format* format : tested_formats()) {
        uint64_t number = 0;
        for (const NamedBytes& file : small_files(*format)) {
            if (!is_sampled(number++, 3)) continue;
            CAPTURE(file.name);
            const std::string text = dump_of(as_bytes(file.bytes), "json");
            CHECK(is_printable(text));
            const Json document = Json::parse(text);
            CHECK(schema_fault(schema, "", document) == "");
            std::vector<Json> found;
            for (const Json& object : document.at("records")) found.push_back(essence(object));
            CHECK(found == seen_in(*format, as_bytes(file.bytes)));

            std::istringstream lines(dump_of(as_bytes(file.bytes), "ndjson"));
            Json objects = Json::array();
            for (std::string line; std::getline(lines, line);) {
                const Json object = Json::parse(line);
                CHECK(schema_fault(schema, "line", object) == "");
                if (object.at("type") == "record" || object.at("type") == "gap") objects.push_back(object);
            }
            CHECK(objects == document.at("records"));
        }
    }
}

TEST_CASE("text and json name the same records at the same offsets") {
    for (const Format* format : tested_formats()) {
        uint64_t number = 0;
        for (const NamedBytes& file : small_files(*format)) {
            if (!is_sampled(number++, 3)) continue;
            CAPTURE(file.name);
            std::vector<std::string> named;
            const Json document = Json::parse(dump_of(as_bytes(file.bytes), "json"));
            for (const Json& object : document.at("records")) {
                const bool is_gap = object.at("type") == "gap";
                const bool has_number = !is_gap && object.at("path") != object.at("name");
                std::string heading = has_number ? object.at("path").get<std::string>() + ' ' : "";
                heading += is_gap ? "not recognised" : object.at("name").get<std::string>();
                heading += " at " + hex(object.at("offset").get<uint64_t>());
                if (!object.at("length").is_null())
                    heading += ", " + counted(object.at("length").get<uint64_t>(), "byte");
                named.push_back(heading);
            }
            CHECK(headings(file.bytes) == named);
        }
    }
}

TEST_CASE("json has numbers with all digits, texts, names and what an index stands for") {
    std::string bytes = base_file("jitdump", "debug-info.hex");
    bytes.replace(0x18, 8, "\x01\x00\x00\x00\x00\x00\x20\x00", 8);  // timestamp of the header: 2^53 + 1
    const std::string text = dump_of(as_bytes(bytes), "ndjson");
    CHECK(text.find(R"({"field":"magic","offset":0,"length":4,"value":1248416836,"meaning":"JiTD"})") != text.npos);
    CHECK(text.find(R"("offset":24,"length":8,"value":9007199254740993,"exact":"9007199254740993"})") != text.npos);
    CHECK(text.find(R"("field":"entries[0].name",)") != text.npos);
    const std::string tree = dump_of(as_bytes(base_file("samply", "tree.hex")), "json");
    CHECK(tree.find(R"("field":"line_record_list[1].file_index",)") != tree.npos);
    CHECK(tree.find(R"("value":1,"meaning":"util.js")") != tree.npos);
    const std::string rows = dump_of(as_bytes(base_file("nettrace", "session-v6.hex")), "json");
    CHECK(rows.find(R"("field":"fields[0].name","offset":150,"length":5,"value":"count"})") != rows.npos);
}

TEST_CASE("json has the bytes of a text that is not UTF-8, and of no other") {
    std::string bytes = base_file("jitdump", "debug-info.hex");
    const nlohmann::json whole = nlohmann::json::parse(dump_of(as_bytes(bytes), "json"));
    const auto name_of = [](const nlohmann::json& dump) {
        for (const nlohmann::json& record : dump.at("records"))
            for (const nlohmann::json& field : record.at("fields"))
                if (field.at("field") == "entries[0].name") return field;
        return nlohmann::json();
    };
    const nlohmann::json name = name_of(whole);
    CHECK_FALSE(name.contains("bytes"));
    bytes.replace(name.at("offset").get<size_t>(), 2, "\xff\x41", 2);
    const nlohmann::json changed = name_of(nlohmann::json::parse(dump_of(as_bytes(bytes), "json")));
    CHECK(
        changed.at("value").get<std::string>().starts_with("\ufffd"
                                                           "A"));
    std::string hex;
    const std::string rest = name.at("value").get<std::string>().substr(2);
    for (const char c : "\xff\x41" + rest) hex += fmt::format("{:02x}", static_cast<uint8_t>(c));
    CHECK(changed.at("bytes") == hex);
}

TEST_CASE("json says what a limit or the end of the trace cuts") {
    const std::string bytes = base_file("jitdump", "debug-info.hex");
    Limits limits;
    limits.record = 60;
    const Json limited = Json::parse(dump_of(as_bytes(bytes), "json", {}, limits));
    CHECK(limited.at("left_out") == "not all of a record is shown: --max-record");
    CHECK(limited.at("records")[1].at("missing") == 20);
    CHECK(limited.at("records")[1].at("missing_because") == "limit");
    const Json cut = Json::parse(dump_of(as_bytes(bytes).first(0x28 + 30), "json"));
    CHECK(cut.at("left_out") == nullptr);
    CHECK(cut.at("records")[1].at("missing_because") == "end of trace");
    CHECK(cut.at("records")[1].at("fields").back().at("truncated") == true);
}

TEST_CASE("around every offset of a file, the dump has the bytes there, marked") {
    for (const char* file : {"jitdump/debug-info.hex", "samply/tree.hex", "xray/fdr-5-typed-events.hex"}) {
        CAPTURE(file);
        const std::string name = file;
        const std::string bytes = base_file(name.substr(0, name.find('/')), name.substr(name.find('/') + 1));
        const Json whole = Json::parse(dump_of(as_bytes(bytes), "json"));
        for (uint64_t offset = 0; offset < bytes.size(); ++offset) {
            CAPTURE(offset);
            Selection selection;
            selection.around = offset;
            const std::string text = dump_of(as_bytes(bytes), "text", selection);
            CHECK((text.find("\n> ") != text.npos) == true);
            const Json part = Json::parse(dump_of(as_bytes(bytes), "json", selection));
            CHECK(schema_fault(dump_schema(), "", part) == "");
            const auto holds = [&](const Json& field) {
                const uint64_t start = field.at("offset"), length = field.at("length");
                return start <= offset && offset < start + length;
            };
            bool is_there = false;
            for (const Json& record : part.at("records")) is_there |= std::ranges::any_of(record.at("fields"), holds);
            CHECK(is_there);
            CHECK(part.at("records").size() <= whole.at("records").size());
        }
    }
}

TEST_CASE("around an offset of a long list only the elements near it are shown") {
    std::string bytes = base_file("jitdump", "debug-info.hex").substr(0, 0x28);
    const uint64_t entries = 1000, size = 32 + 18 * entries;
    const auto little = [](uint64_t number, size_t width) {
        return std::string(reinterpret_cast<const char*>(&number), width);
    };
    bytes += little(2, 4) + little(size, 4) + little(0, 8) + little(0x1000, 8) + little(entries, 8);
    for (uint64_t i = 0; i < entries; ++i)
        bytes += little(0x1000 + i, 8) + little(i, 4) + little(0, 4) + std::string("a\0", 2);
    Selection selection;
    selection.around = 0x28 + 32 + 18 * 500 + 8;  // the line of entry 500
    const std::string text = dump_of(as_bytes(bytes), "text", selection);
    CHECK(std::count(text.begin(), text.end(), '\n') < 25);
    CHECK(text.find("entries[500]") != text.npos);
    CHECK(text.find("nr_entry ") != text.npos);
    CHECK(text.find("  ...\n") != text.npos);
    const Json record = Json::parse(dump_of(as_bytes(bytes), "json", selection)).at("records").at(0);
    CHECK(record.at("fields_left_out") > 3900);
}

TEST_CASE("records are selected by number") {
    const std::string bytes = base_file("samply", "tree.hex");
    const Json whole = Json::parse(dump_of(as_bytes(bytes), "json")).at("records");
    REQUIRE(whole.size() >= 3);
    Selection selection;
    selection.first = selection.last = 1;
    const Json one = Json::parse(dump_of(as_bytes(bytes), "json", selection)).at("records");
    CHECK(one == Json::array({whole[2]}));
    selection.last = kNone;
    CHECK(Json::parse(dump_of(as_bytes(bytes), "json", selection)).at("records").size() == whole.size() - 2);
}

TEST_CASE("jitdump: after a record of an unknown kind comes the next one") {
    std::string bytes = base_file("jitdump", "debug-info.hex");
    bytes[0x28] = 0x77;
    const std::vector<std::string> lines = headings(bytes);
    CHECK(lines.size() == headings(base_file("jitdump", "debug-info.hex")).size());
}

TEST_CASE("xray: after an unknown kind the dump continues with the next buffer") {
    // Two buffers of 48 bytes and a function record each; the kind of the first function record is no kind.
    const std::string preamble(
        "\x01"
        "\x01\x00\x00\x00"
        "\0\0\0\0\0\0\0\0\0\0\0"  // NewBuffer
        "\x09"
        "\0\0\0\0\0\0\0\0"
        "\0\0\0\0"
        "\0\0\0"  // WallClock
        "\x13"
        "\x01\x00\x00\x00"
        "\0\0\0\0\0\0\0\0\0\0\0"  // Pid
        "\x05"
        "\x01\x00"
        "\x01\0\0\0\0\0\0\0"
        "\0\0\0\0\0",
        64);  // NewCPUId
    const std::string extents(
        "\x0f"
        "\x48\0\0\0\0\0\0\0"
        "\0\0\0\0\0\0\0",
        16);  // count 72
    const std::string header(
        "\x03\0\x01\0\x03\0\0\0"
        "\0\0\0\0\0\0\0\0"
        "\0\x10\0\0\0\0\0\0"
        "\0\0\0\0\0\0\0\0",
        32);
    const std::string good("\x10\0\0\0\x05\0\0\0", 8), bad("\x7f\0\0\0\0\0\0\0", 8);
    const std::string again = "records[6] BufferExtents at 0x78, 16 bytes";
    const std::vector<std::string> sound = headings(header + extents + preamble + good + extents + preamble + good);
    CHECK(sound[7] == again);
    const std::vector<std::string> broken = headings(header + extents + preamble + bad + extents + preamble + good);
    CHECK(broken[6] == "not recognised at 0x70, 8 bytes");
    CHECK(broken[7] == "records[5] BufferExtents at 0x78, 16 bytes");
    CHECK(broken.size() == sound.size());
}

TEST_CASE("xray: without a claimed end the next plausible buffer is searched, however far it is") {
    const std::string bytes = base_file("xray", "fdr-3-all-records.hex");
    const std::vector<std::string> sound = headings(bytes);
    const std::string garbage = "\x7f" + std::string(100'000, '\x55');
    const std::vector<std::string> lines = headings(bytes.substr(0, 32) + garbage + bytes.substr(32));
    CHECK(lines.size() == sound.size() + 1);
    CHECK(lines[1] == "not recognised at 0x20, 100001 bytes");
    CHECK(lines[2] == "records[0] BufferExtents at 0x186c1, 16 bytes");
}

TEST_CASE("gperftools: after a chain without PCs, and at the trailer after a chain that exceeds the file") {
    const auto slots = [](std::initializer_list<uint64_t> numbers) {
        std::string text;
        for (const uint64_t number : numbers) text.append(reinterpret_cast<const char*>(&number), 8);
        return text;
    };
    const std::string header = slots({0, 3, 0, 10000, 0}), record = slots({1, 1, 0x1000}), trailer = slots({0, 1, 0});
    const std::string text = "00001000-00002000 r-xp 00000000 00:00 0 /a\n";
    CHECK(headings(header + record + slots({1, 0}) + record + trailer + text) ==
          std::vector<std::string>{"header at 0x0, 40 bytes", "records[0] record at 0x28, 24 bytes",
                                   "records[1] record at 0x40, 16 bytes", "records[2] record at 0x50, 24 bytes",
                                   "records[3] trailer at 0x68, 24 bytes", "records[4] line at 0x80, 43 bytes"});
    CHECK(headings(header + record + slots({0, 0, 0, 0}) + record + trailer + text)[2] ==
          "not recognised at 0x40, 32 bytes");
    for (const uint64_t pcs : {uint64_t{60000}, uint64_t{1} << 40})
        CHECK(headings(header + record + slots({1, pcs, 5, 6}) + trailer + text) ==
              std::vector<std::string>{"header at 0x0, 40 bytes", "records[0] record at 0x28, 24 bytes",
                                       "not recognised at 0x40, 32 bytes", "records[1] trailer at 0x60, 24 bytes",
                                       "records[2] line at 0x78, 43 bytes"});
}

TEST_CASE("mlpd: after a foreign buffer, a negative len and a len beyond the file comes the next buffer") {
    const std::string bytes = base_file("mlpd", "small-v14.hex");
    const size_t first = bytes.find(std::string("\x01LPM", 4));
    REQUIRE(first != bytes.npos);
    const std::string header = bytes.substr(0, first), buffers = bytes.substr(first);
    const std::vector<std::string> sound = headings(bytes);
    const std::vector<std::string> foreign = headings(header + std::string(60'000, '\x55') + buffers);
    CHECK(foreign.size() == sound.size() + 1);
    CHECK(foreign[1].starts_with("not recognised at "));
    CHECK(foreign[1].ends_with(", 60000 bytes"));
    for (const char* len : {"\xff\xff\xff\xff", "\xff\xff\xff\x3f"}) {
        std::string broken = buffers;
        broken.replace(4, 4, len, 4);
        broken[48] = '\x7f';  // an event that does not exist
        const std::vector<std::string> lines = headings(header + broken + buffers);
        CHECK(lines[2].starts_with("not recognised at "));
        CHECK(std::vector(lines.begin() + 3, lines.end()).size() == sound.size() - 1);
    }
    std::string damaged = buffers;
    damaged[0] = '\x02';
    CHECK(headings(header + damaged + buffers).size() == 2 * sound.size() - 1);
}

TEST_CASE("every kind of dump of any part of any file parses and is bounded") {
    for (const Format* format : tested_formats()) {
        Random random(1);
        for (const NamedBytes& file : small_files(*format)) {
            CAPTURE(file.name);
            std::string bytes = file.bytes;
            for (uint64_t left = seeds(2); left > 0; --left) {
                const Selection selection = any_selection(random, bytes.size());
                hold(dump_output({as_bytes(bytes), format}, selection));
                bytes = mutated(generator_of(*format), as_bytes(file.bytes), random());
            }
        }
    }
}

TEST_CASE("the command dumps parts and names what is not there") {
    const Workplace run;
    write(run / "a.dump", base_file("jitdump", "debug-info.hex"));
    CHECK(Json::parse(run("dump --output json a.dump").out).at("path") == "a.dump");
    CHECK(run("dump --around 0x28 a.dump").out == run("dump --around 40 a.dump").out);
    CHECK(has(run("dump --records 0 a.dump").out, "records[0]"));
    CHECK(run("dump --records ..0 a.dump").out == run("dump --records 0 a.dump").out);
    CHECK(run("dump --records 0.. a.dump").out == run("dump a.dump").out);
    const Run beyond = run("dump --around 0x10000 a.dump");
    CHECK(beyond.status == 2);
    CHECK(has(beyond.err, "--around: 0x10000 is beyond the end of the trace, which has "));
    const Run none = run("dump --records 90 a.dump");
    CHECK(none.status == 2);
    CHECK(has(none.err, "--records: there is no record 90; the trace has "));
    for (const char* wrong : {"--around 0x", "--around x", "--around 0x1g", "--around ''", "--around -1",
                              "--around 99999999999999999999", "--records 2..1", "--records a", "--records ..",
                              "--records ''", "--records 1..2..3", "--output jsn", "--around 1 --records 1"})
        CHECK_MESSAGE(run(std::string("dump a.dump ") + wrong).status == 2, wrong);
}

TEST_CASE("csv has a line for each record of a kind and a column for each field") {
    const Workplace run;
    write(run / "a.dump", noted());
    const Run made = run("dump --only JIT_CODE_LOAD --output csv a.dump");
    CHECK(made.status == 0);
    std::istringstream lines(made.out);
    std::string line;
    std::getline(lines, line);
    CHECK(line == "record,offset,length,id,total_size,timestamp,pid,tid,vma,code_addr,code_size,code_index,name,code");
    const Json all = Json::parse(run("dump --output json a.dump").out);
    for (const Json& record : all["records"]) {
        if (record["name"] != "JIT_CODE_LOAD") continue;
        const std::string path = record["path"];
        std::string expected =
            path.substr(8, path.size() - 9) + ',' + record["offset"].dump() + ',' + record["length"].dump();
        for (const Json& field : record["fields"]) {
            if (field.contains("exact"))
                expected += ',' + field["exact"].get<std::string>();
            else if (field.contains("bytes"))
                expected += ',' + field["bytes"].get<std::string>();
            else
                expected +=
                    ',' + (field["value"].is_string() ? field["value"].get<std::string>() : field["value"].dump());
        }
        REQUIRE(std::getline(lines, line));
        std::erase(line, '"');
        CHECK(line == expected);
    }
    CHECK(!std::getline(lines, line));
}

TEST_CASE("csv and --only refuse what they cannot select") {
    const Workplace run;
    write(run / "a.dump", clean());
    const Run unnamed = run("dump --output csv a.dump");
    CHECK(unnamed.status == 2);
    CHECK(has(unnamed.err, "--only gives it"));
    const Run unknown = run("dump --only LOADS a.dump");
    CHECK(unknown.status == 2);
    CHECK(has(unknown.err, "no record that is asked for is a LOADS"));
    const Run one = run("dump --only JIT_CODE_LOAD --records 1..1 --output ndjson a.dump");
    CHECK(one.status == 0);
    CHECK(has(one.out, "\"path\":\"records[1]\""));
    CHECK(!has(one.out, "\"path\":\"records[0]\""));
}

}  // namespace
}  // namespace tracelint
