// Reads .pair files.
#include "validator/generator/pair_file.hpp"

#include <algorithm>
#include <charconv>

namespace tracelint {
namespace {

// The words of a line, one at a time.
class WordsOfLine {
  public:
    explicit WordsOfLine(std::string_view line) : rest_(line) {}

    // Empty after the last one.
    std::string_view next() {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size()));
        const std::string_view word = rest_.substr(0, rest_.find(' '));
        rest_.remove_prefix(word.size());
        return word;
    }
    std::string_view rest() {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size()));
        return rest_;
    }

  private:
    std::string_view rest_;
};

std::optional<uint64_t> parsed_number(std::string_view text) {
    const bool is_hex = text.starts_with("0x");
    if (is_hex) text.remove_prefix(2);
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, is_hex ? 16 : 10);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

struct PlacedBytes {
    uint64_t offset = 0, length = 0;
};

// "OFFSET+LENGTH".
std::optional<PlacedBytes> parsed_place(std::string_view text) {
    const size_t plus = text.find('+');
    if (plus == text.npos) return std::nullopt;
    const auto offset = parsed_number(text.substr(0, plus)), length = parsed_number(text.substr(plus + 1));
    if (!offset || !length) return std::nullopt;
    return PlacedBytes{*offset, *length};
}

std::optional<Severity> severity_named(std::string_view name) {
    for (const Severity one : {Severity::error, Severity::warning, Severity::note})
        if (name == to_string(one)) return one;
    return std::nullopt;
}

std::string rule_of_pair(std::string_view path) {
    const std::string_view name = path.substr(path.rfind('/') + 1);
    return "siblings/" + std::string(name.substr(0, name.rfind('.')));
}

// Reads one file, line by line.
class PairFileReader {
  public:
    PairFileReader(PairFile& file, const PairReader& real, Errors& errors)
        : file_(file), real_(real), errors_(errors) {}

    void read(std::string_view line) {
        ++number_;
        if (line.starts_with('#')) return read_comment(line.substr(1));
        if (line.empty()) return;
        if (line.starts_with("violation: ")) return start(true, line.substr(11));
        if (line.starts_with("exhibit: ")) return start(true, line.substr(9));
        if (line.starts_with("near miss: ")) return start(false, line.substr(11));
        if (file_.blocks.empty()) return fail("only comments may precede the first block");
        WordsOfLine words(line);
        const std::string_view first = words.next();
        if (first == "pair") return read_folder(words.next());
        if (first == "line") return block().lines.emplace_back(line), void();
        if (first == "expect") return read_expectation(words);
        if (first == "says" || first == "hint" || first == "related") return read_wording(line);
        block().edits.emplace_back(line);
        edit(first, words);
    }

  private:
    PairBlock& block() { return file_.blocks.back(); }

    void fail(const std::string& message) {
        errors_.push_back(file_.path + ":" + std::to_string(number_) + ": " + message);
    }

    void read_comment(std::string_view text) {
        text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
        if (text.starts_with("spec: ")) {
            file_.spec = text.substr(6);
        } else if (text.starts_with("report: ")) {
            file_.report = text.substr(8);
        } else if (text.starts_with("cost: ")) {
            file_.cost = text.substr(6);
        } else if (file_.blocks.empty()) {
            if (!file_.description.empty()) file_.description += ' ';
            file_.description += text;
        }
    }

    void start(bool is_violation, std::string_view title) {
        PairBlock made;
        made.is_violation = is_violation;
        made.title = title;
        made.line = number_;
        file_.blocks.push_back(std::move(made));
    }

    void read_folder(std::string_view folder) {
        block().folder = folder;
        block().folder_line = number_;
        block().files = real_(folder);
        if (block().files.size() < 2) fail("there are no pairs in the folder '" + std::string(folder) + "'");
    }

    void read_expectation(WordsOfLine& words) {
        const std::optional<Severity> severity = severity_named(words.next());
        PairExpectation made;
        made.finding.rule = words.next();
        made.file = words.next();
        const std::optional<PlacedBytes> place = parsed_place(words.next());
        const std::string_view field = words.rest();
        if (!severity || !place || field.empty()) return fail("expected SEVERITY RULE FILE OFFSET+LENGTH FIELD");
        made.finding.severity = *severity;
        made.finding.offset = place->offset;
        made.finding.length = place->length;
        made.finding.field = field == "-" ? "" : field;
        made.finding.line = number_;
        if (file_.rule.empty()) file_.rule = made.finding.rule;
        block().expected.push_back(std::move(made));
    }

    void read_wording(std::string_view line) {
        if (block().expected.empty()) return fail("follows no `expect` line");
        block().expected.back().wording.emplace_back(line);
    }

    void edit(std::string_view name, WordsOfLine& words) {
        const auto file = std::ranges::find(block().files, name, &PairMember::name);
        if (file == block().files.end()) return fail("there is no file '" + std::string(name) + "'");
        const std::string_view verb = words.next();
        if (verb == "name") {
            file->name = words.rest();
        } else if (verb == "remove") {
            block().files.erase(file);
        } else if (verb == "delete") {
            const std::optional<PlacedBytes> range = parsed_place(words.next());
            if (!range || !has(*file, *range) || range->length == 0) return fail("there are no such bytes");
            file->bytes.erase(range->offset, range->length);
        } else {
            const std::optional<uint64_t> offset = parsed_number(words.next());
            if (!offset || *offset > file->bytes.size()) return fail("the file has no such offset");
            edit_bytes(file->bytes, verb, *offset, words.rest());
        }
    }

    static bool has(const PairMember& file, const PlacedBytes& range) {
        return range.offset <= file.bytes.size() && range.length <= file.bytes.size() - range.offset;
    }

    // `cut`, `set` and `insert`.
    void edit_bytes(std::string& to, std::string_view verb, uint64_t offset, std::string_view hex) {
        const std::string before = to;
        const std::string bytes = read_hex(hex, file_.path, errors_).bytes;
        if (verb == "cut")
            to.resize(offset);
        else if (verb == "insert")
            to.insert(offset, bytes);
        else if (verb == "set" && bytes.size() <= to.size() - offset)
            to.replace(offset, bytes.size(), bytes);
        else
            return fail("unknown edit, or more bytes than the file has");
        if (to == before) fail("the edit changes nothing");
    }

    PairFile& file_;
    const PairReader& real_;
    Errors& errors_;
    size_t number_ = 0;
};

}  // namespace

std::string PairExpectation::line() const {
    std::string text = line_of(finding);  // "expect SEVERITY RULE OFFSET+LENGTH FIELD"
    return text.insert(text.find(' ', text.find('/')), ' ' + file);
}

PairFile read_pair(std::string_view text, const std::string& path, const PairReader& real, Errors& errors) {
    PairFile file;
    file.path = path;
    if (!path.starts_with("corpus/museum/")) file.rule = rule_of_pair(path);
    PairFileReader reader(file, real, errors);
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        reader.read(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return file;
}

}  // namespace tracelint
