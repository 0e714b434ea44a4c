// tracelint_seeds ROOT DIR: writes a seed corpus DIR/<kind>/ and a dictionary DIR/<kind>.dict for each kind of input. A
// kind is a format (seeds are real and base files, the bytes of every case, former crashes, and generated files),
// `sample`, some of the small ones of each format, for targets that are slow, `numbers` for targets that generate their
// files, `command_line`, `configuration`, `file_list`, `manifest`, `merge`, `baseline` or `group`.
// tracelint_seeds --packaged ROOT DIR: the formats only, for those who fuzz readers: without the cases, which the
// conformance corpus has, and without zstd, which readers do not open, or gzip files that are cut.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>

#include "fuzz/containers.hpp"
#include "fuzz/corpus_folder.hpp"
#include "fuzz/judged_group.hpp"
#include "fuzz/soak.hpp"
#include "fuzz/tool/merge_oracle.hpp"
#include "validator/generator/dictionary.hpp"
#include "validator/generator/record_values.hpp"
#include "validator/input/gzip.hpp"
#include "validator/input/zstd.hpp"
#include "validator/tool/options/command_line.hpp"

namespace tracelint {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kLargestSeed = 4096;  // as max_len in fuzz/targets.options
constexpr uint64_t kNumbers = 64;

// Which seeds of a format. Base files, which are small, and former crashes belong to them whole.
struct SeedChoice {
    uint64_t largest;         // bytes; of a larger file its start
    size_t blocks_of_a_case;  // its first ones that are not larger
    uint64_t generated;       // files
    bool breaks_containers;   // base files also in zstd frames, and gzip files that are cut
};
constexpr SeedChoice kAll{
    .largest = kLargestSeed, .blocks_of_a_case = SIZE_MAX, .generated = 48, .breaks_containers = true};
// A violation of each rule.
constexpr SeedChoice kSample{.largest = 512, .blocks_of_a_case = 1, .generated = 4, .breaks_containers = true};
constexpr SeedChoice kPackaged{
    .largest = kLargestSeed, .blocks_of_a_case = 0, .generated = 48, .breaks_containers = false};

// One word per line.
constexpr std::string_view kCommandLines[] = {
    "--help",
    "--version",
    "a.dump\n-\n--as\njitdump\n-j\n0\n--quiet\n--statistics",
    "--fail-on=warning\n--output\nconcise\n--output\njson=findings.json\ntraces/",
    "--ignore\njitdump/load-,xray/\n--select\nsamply\n--max-per-rule\n0\na",
    "--max-record\n64K\n--max-memory\n1G\n--min-severity\nerror\n--color\nnever\n--\n-a",
    "rules\n--output\njson",
    "explain\njitdump/header-unknown-flags",
    "dump\n--as\nmlpd\na.mlpd",
    "generate\nxray\n--seed\n7\n--size\n4096\n-o\nx\n--violate\nxray/zero-buffer-size",
    "expalin\nheader-unknown-flags",
};

void write(const fs::path& path, std::string_view bytes) { std::ofstream(path, std::ios::binary) << bytes; }

// Writes the start of a file, and for a compressed file also the start of the decompressed one.
void write_file(const fs::path& path, const std::string& bytes, uint64_t largest, const SeedChoice& choice) {
    if (path.extension() != ".gz" || bytes.size() <= largest || choice.breaks_containers)
        write(path, std::string_view(bytes).substr(0, largest));
    if (path.extension() != ".gz") return;
    MemorySource source(as_bytes(bytes));
    GzipSource decompressed(source);
    std::string start(largest, '\0');
    size_t filled = 0;
    while (const size_t got =
               decompressed.read(reinterpret_cast<uint8_t*>(start.data()) + filled, start.size() - filled))
        filled += got;
    write(fs::path(path).replace_extension(), std::string_view(start).substr(0, filled));
}

void write_cases(const std::vector<CaseFile>& cases, const SeedChoice& choice, const fs::path& to) {
    for (const CaseFile& file : cases) {
        size_t number = 0, written = 0;
        for (const CaseBlock& block : file.blocks) {
            const std::string name = slug_of(file) + '-' + std::to_string(number++);
            if (block.bytes.size() > choice.largest || written == choice.blocks_of_a_case) continue;
            write(to / name, block.bytes.part(0, block.bytes.size()));
            ++written;
        }
    }
}

void write_corpus_seeds(const CorpusFolder& corpus, const Format& format, const SeedChoice& choice, const fs::path& to,
                        Errors& errors) {
    for (const fs::path& path : corpus.files(format, "base", ".hex")) {
        const std::string name = path.parent_path().parent_path().filename().string() + '-' + path.stem().string();
        const std::string bytes = read_hex(read_file(path).value_or(""), path.string(), errors).bytes;
        write(to / name, bytes);
        if (choice.breaks_containers && has_zstd())
            write(to / (name + ".zst"), zstd_frame(bytes) + skippable_frame(name));
    }
    for (const auto& [kind, largest] : {std::pair("real", choice.largest), std::pair("crashes", kLargestSeed)})
        for (const fs::path& path : corpus.files(format, kind))
            if (path.extension() != ".findings" && path.extension() != ".md")
                write_file(to / path.filename(), read_file(path).value_or(""), largest, choice);
    write_cases(corpus.cases(format, errors), choice, to);
    write_cases(corpus.exhibits(format, errors), choice, to);
}

void write_generated_seeds(const Format& format, const SeedChoice& choice, const fs::path& to) {
    for (uint64_t seed = 1; seed <= choice.generated; ++seed) {
        const std::string bytes = bytes_of(generate(format, nth_file(seed)));
        write(to / ("generated-" + std::to_string(seed)), std::string_view(bytes).substr(0, choice.largest));
    }
}

void write_format_seeds(const CorpusFolder& corpus, const Format& format, const SeedChoice& choice, const fs::path& to,
                        Errors& errors) {
    fs::create_directories(to);
    write_corpus_seeds(corpus, format, choice, to, errors);
    write_generated_seeds(format, choice, to);
}

void write_numbers(const fs::path& to) {
    fs::create_directories(to);
    Random random(kNumbers);
    for (uint64_t seed = 1; seed <= kNumbers; ++seed) write(to / std::to_string(seed), random_bytes(random, 8));
    write(fs::path(to).replace_extension(".dict"), R"("\x00\x00\x00\x00\x00\x00\x00\x00")"
                                                   "\n");
}

void write_command_lines(const fs::path& to) {
    fs::create_directories(to);
    for (const std::string_view& line : kCommandLines) write(to / std::to_string(&line - kCommandLines), line);
    for (const std::string_view command : command_names())
        write(to / std::string(command), std::string(command) + "\n--help");
}

// Commands, options and their values.
std::string words_of_command_lines() {
    std::set<std::string> words;
    for (const std::string_view command : command_names()) {
        words.emplace(command);
        for (const auto& arguments : {std::vector<std::string>{"--help"}, {std::string(command), "--help"}}) {
            std::istringstream help(parse_command_line(arguments).answer);
            for (std::string word; help >> word;)
                if (word.starts_with("--")) words.insert(word.substr(0, word.find_first_of(",[=")));
        }
    }
    for (const Format* format : formats()) words.emplace(format->id);
    for (const Rule* rule : all_rules()) words.emplace(rule->id);
    for (const WriterKind& kind : writer_kinds()) words.emplace(kind.name);
    for (const Option* option : all_options()) words.insert(option->choices.begin(), option->choices.end());
    std::string text;
    for (const std::string& word : words) text += '"' + word + "\"\n";
    return text;
}

// The files of every pair and exhibit, edits included. A recording is cut after its head and first samples, so that a
// seed has all files.
void write_groups(const CorpusFolder& corpus, const fs::path& to, Errors& errors) {
    constexpr size_t kOfRecording = 3000, kOfCode = 1000;  // bytes
    fs::create_directories(to);
    std::vector<PairFile> pairs = corpus.pairs(errors);
    std::ranges::move(corpus.pair_exhibits(errors), std::back_inserter(pairs));
    for (const PairFile& pair : pairs) {
        for (const PairBlock& block : pair.blocks) {
            std::vector<GroupFile> files;
            for (const PairMember& member : block.files) {
                const bool is_recording = member.name.ends_with(".data");
                const Bytes bytes = as_bytes(member.bytes);
                files.push_back(
                    {member.name, bytes.first(std::min(bytes.size(), is_recording ? kOfRecording : kOfCode))});
            }
            write(to / (fs::path(pair.path).stem().string() + "-" + std::to_string(block.line)), framed(files));
        }
    }
}

// The words of the formats, and names that say what belongs together.
std::string words_of_groups() {
    std::string words = R"("perf.data\x0a"
"jit-4.dump\x0a"
"perf-4.map\x0a"
"/jit-4.dump\x00"
"/jitted-4-0.so\x00"
"//anon\x00"
"[heap]\x00"
)";
    for (const char* const format : {"perfdata", "jitdump", "perfmap"}) words += dictionary_of(*find_format(format));
    return words;
}

constexpr std::string_view kConfigurations[] = {
    "// comment\n{\"fail_on\": \"warning\", /**/ \"quiet\": true, \"max_per_rule\": 5, \"max_memory\": \"64M\"}",
    R"({"output": ["text", "json"], "select": ["jitdump/", "xray/"], "ignore": "jitdump/load-"})",
    R"({"severities": {"jitdump/": "note", "xray": "off", "mlpd/": "error", "gperftools/map-": "warning"}})",
    R"({"overrides": [{"files": ["a/**/[a-c]?.dump", "*.\\*"], "format": "jitdump", "samply_260": "tier"}]})",
    R"({"expect": {"format": "jitdump", "statistics": {"LOAD": 1}, "names": ["ma?n*", "[!a]/*"]}})",
    R"({"baseline": "a.json", "expect": "xray", "overrides": [{"files": "*", "expect": {"files": 2}}]})",
    R"({"overrides": [{"files": "**", "severities": {"jitdump/": "off"}}, {"files": "[!a]", "mlpd_variant": "mono"}]})",
};

constexpr std::string_view kBaselines[] = {
    R"({"schema_version": 1, "entries": []})",
    R"({"$schema": "x", "schema_version": 1, "entries": [
{"path": "b.dump", "rule": "input/unknown-format", "count": 3, "reason": "why", "expires": "2024-02-29"},
{"path": "**/*.[a-p]rof", "rule": "input/unknown-format", "count": 2}]})",
};

void write_baselines(const fs::path& to) {
    fs::create_directories(to);
    for (const std::string_view& text : kBaselines) write(to / std::to_string(&text - kBaselines), text);
}

std::string words_of_baselines() {
    std::string text = R"("\"schema_version\""
"\"entries\""
"\"path\""
"\"rule\""
"\"count\""
"\"reason\""
"\"expires\""
"**/"
"2024-10-04"
)";
    for (const Rule* rule : all_rules()) text.append("\"").append(rule->id).append("\"\n");
    return text;
}

void write_configurations(const fs::path& to) {
    fs::create_directories(to);
    for (const std::string_view& text : kConfigurations) write(to / std::to_string(&text - kConfigurations), text);
}

using std::string_view_literals::operator""sv;

constexpr std::string_view kFileLists[] = {
    "a.dump\nold/b.dump\nold\n"sv,
    "a.dump\r\n\r\n*.tmp\r\nx.tmp"sv,
    "a.dump\0b\nc.dump\0\0**/d\0e/d"sv,
    "[a-c]?\nb1\n./../c2\n/base/x/a3\n"sv,
    "one name\0"sv,
};

void write_file_lists(const fs::path& to) {
    fs::create_directories(to);
    for (const std::string_view& text : kFileLists) write(to / std::to_string(&text - kFileLists), text);
    write(fs::path(to).replace_extension(".dict"), R"("\x00"
"\x0a"
"\x0d\x0a"
"**/"
"/../"
"/base/x/"
"[!a-c]"
)");
}

constexpr std::string_view kManifests[] = {
    "a.dump\nold/b.dump\t12\t\"9f\"\txray\r\n\na.dump\n"sv,
    "a\nb\t3\t\tmlpd\0c\td\t\t\t\0"sv,
    "a\t1\t\t\na\t2\t\t\n"sv,
};

void write_manifests(const fs::path& to) {
    fs::create_directories(to);
    for (const std::string_view& text : kManifests) write(to / std::to_string(&text - kManifests), text);
    std::string words = "\"\\x00\"\n\"\\x09\"\n\"\\x0a\"\n";
    for (const Format* format : formats()) words.append("\"\\x09").append(format->id).append("\"\n");
    write(fs::path(to).replace_extension(".dict"), words);
}

// A part with one file of each format, and one with a file of no format and a path that is no UTF-8.
void write_parts(const fs::path& to) {
    fs::create_directories(to);
    for (const Format* format : formats())
        write(to / format->id, part_of({{std::string(format->id) + ".trace", bytes_of(generate(*format, {}))}}));
    write(to / "unknown", part_of({{"a\xff\n", "no trace"}, {"empty", ""}}));
    std::string words = R"("{\"type\":\"file\",\"entry\":"
"{\"type\":\"diagnostic\",\"entry\":"
"{\"type\":\"summary\""
"\"path_bytes\":\""
"\"rules\":{"
"\"limited\":true"
"\"unreadable\""
)";
    for (const Rule* rule : all_rules()) words.append("\"").append(rule->id).append("\"\n");
    write(fs::path(to).replace_extension(".dict"), words);
}

// The words of the command line, and the options as keys.
std::string words_of_configurations() {
    std::istringstream words(words_of_command_lines());
    std::string text = R"("severities"
"overrides"
"files"
"format"
"expect"
"statistics"
"names"
"LOAD"
"**/"
)";
    for (std::string word; words >> word;) {
        text += word + '\n';
        if (!word.starts_with("\"--")) continue;
        word.erase(1, 2);
        std::ranges::replace(word, '-', '_');
        text += word + '\n';
    }
    return text;
}

// The kinds of seeds that are not one format's.
void write_other_seeds(const CorpusFolder& corpus, const fs::path& to, Errors& errors) {
    std::string words;
    for (const Format* format : formats()) {
        write_format_seeds(corpus, *format, kSample, to / "sample" / format->id, errors);
        words += dictionary_of(*format);
    }
    write(to / "sample.dict", words);
    write_numbers(to / "numbers");
    write_command_lines(to / "command_line");
    write(to / "command_line.dict", words_of_command_lines());
    write_file_lists(to / "file_list");
    write_manifests(to / "manifest");
    write_parts(to / "merge");
    write_configurations(to / "configuration");
    write(to / "configuration.dict", words_of_configurations());
    write_baselines(to / "baseline");
    write(to / "baseline.dict", words_of_baselines());
    write_groups(corpus, to / "group", errors);
    write(to / "group.dict", words_of_groups());
}

}  // namespace
}  // namespace tracelint

int main(int argc, char** argv) {
    using namespace tracelint;
    const bool is_packaged = argc == 4 && std::string_view(argv[1]) == "--packaged";
    if (argc != 3 && !is_packaged) {
        std::fputs("usage: tracelint_seeds [--packaged] ROOT DIR\n", stderr);
        return 2;
    }
    const CorpusFolder corpus(argv[argc - 2]);
    const fs::path to = argv[argc - 1];
    Errors errors;
    for (const Format* format : formats()) {
        write_format_seeds(corpus, *format, is_packaged ? kPackaged : kAll, to / format->id, errors);
        write(to / (std::string(format->id) + ".dict"), dictionary_of(*format));
    }
    if (!is_packaged) write_other_seeds(corpus, to, errors);
    for (const std::string& error : errors) std::fprintf(stderr, "%s\n", error.c_str());
    return errors.empty() ? 0 : 1;
}
