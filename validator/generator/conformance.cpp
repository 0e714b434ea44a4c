#include "validator/generator/conformance.hpp"

#include <algorithm>
#include <set>

namespace tracelint {
namespace {

constexpr uint64_t kLargest = 64 << 10;  // bytes

// The number of rules other than the case's own that an error or a warning is expected for.
size_t others_broken(const CaseFile& file, const CaseBlock& block) {
    std::set<std::string_view> others;
    for (const Expectation& e : block.expected)
        if (e.severity != Severity::note && e.rule != file.rule) others.insert(e.rule);
    return others.size();
}

// A near miss of a rule may break one other rule.
bool is_atomic(const CaseFile& file, const CaseBlock& block) {
    return !block.has_limits() && block.bytes.size() <= kLargest &&
           others_broken(file, block) <= (block.is_violation ? 0 : 1);
}

// The arguments of the block's `verb` lines.
std::vector<std::string> lines_of(const CaseBlock& block, std::string_view verb) {
    std::vector<std::string> found;
    for (const std::string_view line : block.lines) {
        if (!line.starts_with(verb) || !line.substr(verb.size()).starts_with(' ')) continue;
        const std::string_view rest = line.substr(line.find_first_not_of(' ', verb.size()));
        found.emplace_back(rest.substr(0, rest.find_first_of("#")));
        while (found.back().ends_with(' ')) found.back().pop_back();
    }
    return found;
}

// Violations or near misses: the atomic ones, or else the one with the fewest other errors and warnings.
std::vector<const CaseBlock*> chosen(const CaseFile& file, bool violations) {
    std::vector<const CaseBlock*> atomic;
    const CaseBlock* next = nullptr;
    for (const CaseBlock& block : file.blocks) {
        if (block.is_violation != violations || block.has_limits()) continue;
        if (is_atomic(file, block)) atomic.push_back(&block);
        if (next == nullptr || others_broken(file, block) < others_broken(file, *next)) next = &block;
    }
    if (atomic.empty() && next != nullptr) return {next};
    return atomic;
}

std::string numbered(size_t number) { return (number < 10 ? "0" : "") + std::to_string(number); }

void add_rule(const Format& format, const CaseFile& file, std::vector<ConformanceFile>& files) {
    for (const bool violations : {true, false}) {
        size_t number = 0;
        for (const CaseBlock* block : chosen(file, violations)) {
            const std::string name = slug_of(file) + (violations ? "-violation-" : "-near-miss-") + numbered(++number);
            // If the file name matters, the file has that name in a folder of its own.
            files.push_back(
                {block->file_name.empty() ? name + '.' + std::string(format.id) : name + '/' + block->file_name, &file,
                 block});
        }
    }
}

}  // namespace

std::string_view to_string(ReaderDuty duty) {
    switch (duty) {
        case ReaderDuty::must_refuse: return "must refuse";
        case ReaderDuty::may_accept: return "may accept";
        default: return "must accept";
    }
}

ReaderDuty duty_of(std::span<const Expectation> findings) {
    Severity worst = Severity::note;
    for (const Expectation& e : findings) worst = std::max(worst, e.severity);
    return worst == Severity::error     ? ReaderDuty::must_refuse
           : worst == Severity::warning ? ReaderDuty::may_accept
                                        : ReaderDuty::must_accept;
}

std::string_view ConformanceFile::kind() const {
    if (!block->is_violation) return "near miss";
    return origin->report.empty() ? "violation" : "exhibit";
}

std::vector<std::string> ConformanceFile::options() const {
    std::vector<std::string> options;
    for (const std::string& line : lines_of(*block, "option")) {
        const size_t blank = line.find(' ');
        options.push_back("--" + line.substr(0, blank) + '=' + line.substr(line.find_first_not_of(' ', blank)));
    }
    if (!block->format.empty()) options.push_back("--as=" + block->format);
    return options;
}

std::vector<ConformanceFile> conformance_files(const Format& format, const std::vector<CaseFile>& cases,
                                               const std::vector<CaseFile>& exhibits) {
    std::vector<ConformanceFile> files;
    for (const CaseFile& file : cases) add_rule(format, file, files);
    for (const CaseFile& file : exhibits)
        for (const CaseBlock& block : file.blocks)
            if (block.is_violation) files.push_back({"museum/" + exhibit_name(format, file), &file, &block});
    return files;
}

std::string exhibit_name(const Format& format, const CaseFile& exhibit) {
    if (!exhibit.blocks[0].file_name.empty()) return exhibit.blocks[0].file_name;
    const size_t slash = exhibit.path.rfind('/') + 1;
    return exhibit.path.substr(slash, exhibit.path.rfind('.') - slash) + '.' + std::string(format.id);
}

}  // namespace tracelint
