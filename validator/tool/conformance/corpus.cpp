#include "validator/tool/conformance/corpus.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "validator/tool/catalogue/example.hpp"
#include "validator/tool/conformance/temporary_folder.hpp"
#include "validator/tool/json/located_json.hpp"
#include "validator/tool/json/text.hpp"

namespace tracelint {
namespace {

namespace fs = std::filesystem;

// The rule of the worst finding; empty without findings.
std::string worst_rule(const std::vector<Expectation>& findings) {
    const auto worst = std::ranges::max_element(findings, {}, &Expectation::severity);
    return worst == findings.end() ? std::string() : worst->rule;
}

// A text of the embedded corpus.
std::optional<std::string> embedded_text(std::string_view path) {
    const auto found = std::ranges::find(corpus_texts(), path, &CorpusText::path);
    return found == corpus_texts().end() ? std::nullopt : std::optional(std::string(found->text));
}

std::vector<CaseFile> embedded_cases(const std::string& folder) {
    const BaseReader base = [](std::string_view format, std::string_view file) {
        return embedded_text(fmt::format("corpus/{}/base/{}", format, file));
    };
    std::vector<CaseFile> cases;
    Errors errors;  // the tests hold the corpus to having none
    for (const CorpusText& text : corpus_texts())
        if (text.path.starts_with(folder) && text.path.ends_with(".case"))
            cases.push_back(read_case(text.text, std::string(text.path), base, errors));
    return cases;
}

class EmbeddedCorpus final : public ConformanceCorpus {
  public:
    explicit EmbeddedCorpus(const Format* only) {
        for (const Format* format : formats())
            if (only == nullptr || only == format) add(*format);
    }

    bool has_scratch() const { return !scratch_.path().empty(); }
    std::string place(size_t entry) override {
        const fs::path path = folder_of(entry) / fs::path(entries_[entry].file).filename();
        std::error_code failure;
        fs::create_directories(path.parent_path(), failure);
        return !failure && write(path, files_[entry].block->bytes) ? path.string() : std::string();
    }
    void release(size_t entry) override {
        std::error_code ignored;
        fs::remove_all(folder_of(entry), ignored);
    }

  private:
    void add(const Format& format) {
        // Lists, so that what is in them keeps its place.
        std::vector<CaseFile>& cases = *cases_.emplace_back(std::make_unique<std::vector<CaseFile>>());
        std::vector<CaseFile>& exhibits = *cases_.emplace_back(std::make_unique<std::vector<CaseFile>>());
        for (const Grammar* grammar : format.grammars) {
            std::ranges::move(embedded_cases(fmt::format("corpus/{}/rules/", grammar->id)), std::back_inserter(cases));
            std::ranges::move(embedded_cases(fmt::format("corpus/museum/{}/", grammar->id)),
                              std::back_inserter(exhibits));
        }
        std::ranges::sort(cases, {}, &CaseFile::path);
        for (const ConformanceFile& file : conformance_files(format, cases, exhibits)) {
            const bool is_exhibit = file.kind() == "exhibit";
            entries_.push_back({&format, file.path, is_exhibit ? worst_rule(file.block->expected) : file.origin->rule,
                                file.block->title, file.duty()});
            files_.push_back(file);
        }
    }

    // A folder for each file, as its name may matter.
    fs::path folder_of(size_t entry) const { return fs::path(scratch_.path()) / std::to_string(entry); }

    // Large runs of zeros become holes.
    static bool write(const fs::path& path, const SparseBytes& bytes) {
        std::ofstream file(path, std::ios::binary);
        file << bytes.head;
        if (bytes.zeros != 0) {
            file.close();
            std::error_code failure;
            fs::resize_file(path, bytes.size() - bytes.tail.size(), failure);
            if (failure) return false;
            file.open(path, std::ios::binary | std::ios::app);
            file << bytes.tail;
        }
        return static_cast<bool>(file.flush());
    }

    TemporaryFolder scratch_;
    std::vector<std::unique_ptr<std::vector<CaseFile>>> cases_;
    std::vector<ConformanceFile> files_;  // of entries_
};

// Reads expected.json.
class ExpectedReader {
  public:
    explicit ExpectedReader(std::string text) : text_(std::move(text)), document_(parse_located_json(text_)) {}

    const Format* format() const { return find_format(string_of(document_, "format")); }

    // Throws JsonFault.
    std::vector<ConformanceEntry> entries() const {
        const Format* known = format();
        if (known == nullptr) refuse_json(document_.at, "format is not known");
        std::vector<ConformanceEntry> entries;
        for (const LocatedJson& file : member(document_, "files", LocatedJson::Kind::array).elements) {
            ConformanceEntry entry;
            entry.format = known;
            entry.file = string_of(file, "file");
            const fs::path path = entry.file;
            if (path.empty() || path.is_absolute() || std::ranges::count(path, fs::path("..")) != 0)
                refuse_json(file.at, "file leads out of the folder");
            entry.rule = rule_of(file);
            entry.shows = string_of(file, "shows");
            entry.duty = duty_of(file);
            entries.push_back(std::move(entry));
        }
        return entries;
    }

    const std::string& text() const { return text_; }

  private:
    static const LocatedJson& member(const LocatedJson& object, std::string_view key, LocatedJson::Kind kind) {
        const auto found = std::ranges::find(object.members, key, &LocatedJson::Member::key);
        if (found == object.members.end()) refuse_json(object.at, fmt::format("{} is missing", key));
        if (found->value.kind != kind) refuse_json(found->at, fmt::format("{} has another type", key));
        return found->value;
    }
    static std::string string_of(const LocatedJson& object, std::string_view key) {
        return member(object, key, LocatedJson::Kind::string).text;
    }
    static ReaderDuty duty_of(const LocatedJson& file) {
        const std::string word = string_of(file, "reader");
        for (const ReaderDuty duty : {ReaderDuty::must_refuse, ReaderDuty::may_accept, ReaderDuty::must_accept})
            if (word == to_string(duty)) return duty;
        refuse_json(file.at, fmt::format("reader is {}", word));
    }
    // The rule; of a file without one that of its worst finding.
    static std::string rule_of(const LocatedJson& file) {
        const auto rule = std::ranges::find(file.members, "rule", &LocatedJson::Member::key);
        if (rule != file.members.end() && rule->value.kind == LocatedJson::Kind::string) return rule->value.text;
        std::vector<Expectation> findings;
        for (const LocatedJson& one : member(file, "findings", LocatedJson::Kind::array).elements) {
            Expectation& finding = findings.emplace_back();
            finding.rule = string_of(one, "rule");
            const std::string severity = string_of(one, "severity");
            finding.severity = severity == "error"     ? Severity::error
                               : severity == "warning" ? Severity::warning
                                                       : Severity::note;
        }
        return worst_rule(findings);
    }

    std::string text_;
    LocatedJson document_;
};

class FolderCorpus final : public ConformanceCorpus {
  public:
    // Adds the files of a folder that has an expected.json. Returns what is wrong with that; empty if nothing is.
    std::string add(const fs::path& folder, const Format* only) {
        std::ostringstream text;
        text << std::ifstream(folder / "expected.json", std::ios::binary).rdbuf();
        const std::string name = shown_path((folder / "expected.json").string());
        try {
            const ExpectedReader reader(text.str());
            if (only != nullptr && reader.format() != only) return {};
            for (ConformanceEntry& entry : reader.entries()) {
                entries_.push_back(std::move(entry));
                folders_.push_back(folder);
            }
        } catch (const JsonFault& fault) {
            return fmt::format("{}:{}: {}", name, line_and_column(text.str(), fault.at), fault.message);
        }
        return {};
    }
    std::string place(size_t entry) override { return (folders_[entry] / entries_[entry].file).string(); }

  private:
    std::vector<fs::path> folders_;  // of entries_
};

}  // namespace

std::unique_ptr<ConformanceCorpus> embedded_corpus(const Format* only, std::string& failure) {
    auto corpus = std::make_unique<EmbeddedCorpus>(only);
    if (corpus->has_scratch()) return corpus;
    failure = kNoScratch;
    return nullptr;
}

std::unique_ptr<ConformanceCorpus> corpus_in(const std::string& folder, const Format* only, std::string& failure) {
    auto corpus = std::make_unique<FolderCorpus>();
    std::vector<fs::path> folders;
    std::error_code error;
    if (fs::exists(fs::path(folder) / "expected.json", error)) folders.emplace_back(folder);
    for (const Format* format : formats())
        if (const fs::path inner = fs::path(folder) / format->id; fs::exists(inner / "expected.json", error))
            folders.push_back(inner);
    for (const fs::path& one : folders)
        if (failure = corpus->add(one, only); !failure.empty()) return nullptr;
    if (corpus->entries().empty()) {
        failure = fmt::format("{}: no expected.json lists a file{}", shown_path(folder),
                              only == nullptr ? "" : fmt::format(" of {}", only->id));
        return nullptr;
    }
    return corpus;
}

}  // namespace tracelint
