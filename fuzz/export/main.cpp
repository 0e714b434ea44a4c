// tracelint_export ROOT DIR: writes the conformance corpus. DIR/<format>/ receives the files and expected.json, DIR
// README.md. tracelint_export --readers ROOT DIR: writes the cases about readers. DIR/<format>/ receives the files and
// readers.json, which says for which readers each is.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "fuzz/conformance.hpp"
#include "fuzz/corpus_folder.hpp"

namespace tracelint {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kSchemaVersion = 1;

// Large runs of zeros become holes in the file.
void write(const fs::path& path, const SparseBytes& bytes) {
    fs::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary);
    file << bytes.head;
    if (bytes.zeros == 0) return;
    file.close();
    fs::resize_file(path, bytes.size() - bytes.tail.size());
    std::ofstream(path, std::ios::binary | std::ios::app) << bytes.tail;
}

Json finding(const Expectation& expected) {
    Json json;
    json["rule"] = expected.rule;
    json["severity"] = to_string(expected.severity);
    json["offset"] = expected.offset;
    json["length"] = expected.length;
    json["field"] = expected.field.value_or("");
    return json;
}

// The findings of the check, which have fields where the case leaves them open.
std::vector<Expectation> with_fields(const CaseFile& file, const CaseBlock& block, Errors& errors) {
    SparseSource source(block.bytes, true);
    std::vector<Expectation> found = expectations_of(check(source, options_of(block)));
    if (!all_match(block.expected, found))
        errors.push_back(file.path + ":" + std::to_string(block.line) +
                         ": the check does not give the expected findings");
    return found;
}

Json entry(const ConformanceFile& file, Errors& errors) {
    Json json;
    json["file"] = file.path;
    json["kind"] = file.kind();
    json["shows"] = file.block->title;
    json["rule"] = file.kind() == "exhibit" ? Json() : Json(file.origin->rule);
    json["spec"] = file.origin->spec;
    json["reader"] = to_string(file.duty());
    json["options"] = file.options();
    json["findings"] = Json::array();
    for (const Expectation& expected : with_fields(*file.origin, *file.block, errors))
        json["findings"].push_back(finding(expected));
    if (file.kind() == "exhibit") {
        json["report"] = file.origin->report;
        json["story"] = file.origin->description;
        json["cost"] = file.origin->cost;
    }
    return json;
}

void export_format(const CorpusFolder& corpus, const Format& format, const fs::path& to, Errors& errors) {
    const std::vector<CaseFile> cases = corpus.cases(format, errors), exhibits = corpus.exhibits(format, errors);
    Json expected;
    expected["schema_version"] = kSchemaVersion;
    expected["format"] = format.id;
    expected["files"] = Json::array();
    for (const ConformanceFile& file : conformance_files(format, cases, exhibits)) {
        write(to / file.path, file.block->bytes);
        expected["files"].push_back(entry(file, errors));
    }
    std::ofstream(to / "expected.json") << expected.dump(1) << '\n';
    std::printf("%-12s %zu files\n", std::string(format.id).c_str(), expected["files"].size());
}

void export_reader_cases(const CorpusFolder& corpus, const Format& format, const fs::path& to, Errors& errors) {
    Json listed = Json::array();
    for (const CaseFile& file : corpus.reader_cases(format, errors)) {
        for (size_t i = 0; i < file.blocks.size(); ++i) {
            const CaseBlock& block = file.blocks[i];
            if (block.is_foreign) continue;                                        // what is wrong is not in its bytes
            const std::string name = slug_of(file) + '-' + std::to_string(i + 1);  // not that of the case
            write(to / name, block.bytes);
            listed.push_back(
                {{"file", name}, {"shows", block.title}, {"for", block.readers}, {"name", block.file_name}});
        }
    }
    std::ofstream(to / "readers.json") << listed.dump(1) << '\n';
}

}  // namespace
}  // namespace tracelint

int main(int argc, char** argv) {
    using namespace tracelint;
    const bool of_readers = argc == 4 && std::string_view(argv[1]) == "--readers";
    if (argc != 3 && !of_readers) {
        std::fputs("usage: tracelint_export [--readers] ROOT DIR\n", stderr);
        return 2;
    }
    const fs::path root = argv[argc - 2], to = argv[argc - 1];
    Errors errors;
    for (const Format* format : formats()) {
        fs::create_directories(to / format->id);
        (of_readers ? export_reader_cases : export_format)(CorpusFolder(root), *format, to / format->id, errors);
    }
    if (!of_readers)
        fs::copy_file(root / "corpus" / "conformance.md", to / "README.md", fs::copy_options::overwrite_existing);
    for (const std::string& error : errors) std::fprintf(stderr, "%s\n", error.c_str());
    return errors.empty() ? 0 : 1;
}
