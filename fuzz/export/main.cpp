// tracelint_export ROOT DIR: writes the conformance corpus. DIR/<format>/ receives the files and expected.json, DIR
// README.md.
//   --packaged   without large files, which a package could not keep sparse
//   --readers    the cases about readers instead. DIR/<format>/ receives the files and readers.json, which says which
//                readers each is for
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "fuzz/corpus_folder.hpp"
#include "validator/generator/conformance.hpp"
#include "validator/tool/conformance/expected.hpp"

namespace tracelint {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr uint64_t kLargestPackaged = 1 << 20;  // bytes of a file

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

// The findings of the check, which have fields where the case leaves them open.
std::vector<Expectation> with_fields(const CaseFile& file, const CaseBlock& block, Errors& errors) {
    SparseSource source(block.bytes, true);
    std::vector<Expectation> found = expectations_of(check(source, options_of(block)));
    if (!all_match(block.expected, found))
        errors.push_back(file.path + ":" + std::to_string(block.line) +
                         ": the check does not give the expected findings");
    return found;
}

ExpectedFile entry(const ConformanceFile& file, Errors& errors) {
    ExpectedFile entry;
    entry.file = file.path;
    entry.kind = file.kind();
    entry.shows = file.block->title;
    entry.spec = file.origin->spec;
    entry.duty = file.duty();
    entry.options = file.options();
    entry.findings = with_fields(*file.origin, *file.block, errors);
    if (entry.kind != "exhibit") {
        entry.rule = file.origin->rule;
        return entry;
    }
    entry.report = file.origin->report;
    entry.story = file.origin->description;
    entry.cost = file.origin->cost;
    return entry;
}

void export_files(const CorpusFolder& corpus, const Format& format, const fs::path& to, uint64_t largest,
                  Errors& errors) {
    const std::vector<CaseFile> cases = corpus.cases(format, errors), exhibits = corpus.exhibits(format, errors);
    StringSink text;
    ExpectedWriter expected(text, format);
    std::vector<ConformanceFile> files = conformance_files(format, cases, exhibits);
    std::erase_if(files, [&](const ConformanceFile& file) { return file.block->bytes.size() > largest; });
    for (const ConformanceFile& file : files) {
        write(to / file.path, file.block->bytes);
        expected.add(entry(file, errors));
    }
    expected.finish();
    std::ofstream(to / "expected.json") << text.text;
    std::printf("%-12s %zu files\n", std::string(format.id).c_str(), files.size());
}

void export_all(const CorpusFolder& corpus, const Format& format, const fs::path& to, Errors& errors) {
    export_files(corpus, format, to, kNone, errors);
}
void export_packaged(const CorpusFolder& corpus, const Format& format, const fs::path& to, Errors& errors) {
    export_files(corpus, format, to, kLargestPackaged, errors);
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
    const std::string_view option = argc == 4 ? argv[1] : "";
    const auto write_format = option == "--readers"    ? export_reader_cases
                              : option == "--packaged" ? export_packaged
                                                       : export_all;
    if (argc != 3 && write_format == export_all) {
        std::fputs("usage: tracelint_export [--packaged|--readers] ROOT DIR\n", stderr);
        return 2;
    }
    const fs::path root = argv[argc - 2], to = argv[argc - 1];
    Errors errors;
    for (const Format* format : formats()) {
        fs::create_directories(to / format->id);
        write_format(CorpusFolder(root), *format, to / format->id, errors);
    }
    if (write_format != export_reader_cases)
        fs::copy_file(root / "corpus" / "conformance.md", to / "README.md", fs::copy_options::overwrite_existing);
    for (const std::string& error : errors) std::fprintf(stderr, "%s\n", error.c_str());
    return errors.empty() ? 0 : 1;
}
