// What is said: the sentences, hints and related places of every rule's findings in its case, and if they are about the
// end of the file, which the cases themselves do not tell, are those listed in corpus/<grammar>/messages.txt.
// `scripts/bless` writes the lists.
#include <doctest/doctest.h>

#include <cstdio>
#include <set>

#include "fuzz/gzip_member.hpp"
#include "tests/corpus.hpp"

namespace tracelint {
namespace {

std::string hex(uint64_t number) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number));
    return text;
}

std::string sentence_of(const Diagnostic& finding) {
    std::string text = "  " + message_of(finding);
    if (!finding.hint.empty()) text += " | hint: " + std::string(finding.hint);
    if (finding.related_offset != kNone)
        text += " | related: " + hex(finding.related_offset) + '+' + hex(finding.related_length);
    return text + '\n';
}

struct Said {
    std::string sentence, path;
    bool operator==(const Said&) const = default;
};

std::vector<Said> sentences_of(Source& source, const CheckOptions& options, std::string_view rule) {
    const Outcome outcome = check(source, options);
    std::vector<Said> sentences;
    const std::string rest = outcome.context.limit_hit ? "    and a part was not checked\n" : "";
    for (const Diagnostic& finding : outcome.report().diagnostics())
        if (finding.rule->id == rule) sentences.push_back({sentence_of(finding) + rest, field_path(finding.place)});
    return sentences;
}

// The file of a block, whole, in a container that lacks its last bytes: what is said of the end is explained by that.
std::vector<Said> sentences_in_cut_container(const CaseBlock& block, std::string_view rule) {
    const std::string member = gzip_member(block.bytes.part(0, block.bytes.size()));
    MemorySource source(as_bytes(member).first(member.size() - 4));
    return sentences_of(source, options_of(block), rule);
}

// The rule's sentences in its violations, each once, in the order in which they come, with the path of the first.
std::string sentences(const CaseFile& file) {
    std::string all;
    std::set<std::string> seen;
    for (const CaseBlock& block : file.blocks) {
        if (!block.is_violation) continue;
        SparseSource source(block.bytes, true);
        std::vector<Said> in_cut_container;
        const bool is_packed = block.bytes.size() < kMiB && block.limits.memory == Limits{}.memory;
        if (is_packed) in_cut_container = sentences_in_cut_container(block, file.rule);
        for (const Said& said : sentences_of(source, options_of(block), file.rule)) {
            std::string text = said.sentence;
            if (is_packed && std::ranges::find(in_cut_container, said) == in_cut_container.end())
                text += "    silent where its container is cut\n";
            if (seen.insert(text).second) all += text + (said.path.empty() ? "" : "    at " + said.path + '\n');
        }
    }
    return all;
}

}  // namespace

TEST_CASE("every rule says in its case what is listed") {
    hold_to_list("messages.txt", [](const Format&, const CaseFile& file) { return sentences(file); });
}

}  // namespace tracelint
