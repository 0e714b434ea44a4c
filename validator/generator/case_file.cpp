// Reads the text notations of the corpus.
#include "validator/generator/case_file.hpp"

#include <algorithm>
#include <cstdio>
#include <tuple>

#include "validator/tables/text_scan.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kLargestRepeat = uint64_t{1} << 24;  // bytes; `sparse` makes longer runs

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c); }

int hex_digit(char c) {
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

// The file a text comes from, and the list its errors are added to.
struct Origin {
    const std::string& path;
    Errors& errors;
};

// One line with a cursor. Only the first error of a line is reported.
class Line {
  public:
    Line(std::string_view text, size_t number, Origin origin) : rest_(text), number_(number), origin_(origin) {}

    size_t number() const { return number_; }
    bool good() const { return good_; }
    std::string_view rest() const { return rest_; }

    void fail(const std::string& message) {
        if (good_) origin_.errors.push_back(origin_.path + ":" + std::to_string(number_) + ": " + message);
        good_ = false;
        rest_ = {};
    }

    // Skips blanks. Returns whether anything but a comment follows.
    bool more() {
        while (!rest_.empty() && is_blank(rest_[0])) rest_.remove_prefix(1);
        return !rest_.empty() && rest_[0] != '#';
    }

    void expect_end() {
        if (more()) fail("unexpected text at the end of the line: '" + std::string(rest_) + "'");
    }

    std::string word(const char* what) {
        if (!more()) fail(std::string(what) + " is missing");
        size_t end = 0;
        while (end < rest_.size() && !is_blank(rest_[end])) ++end;
        return std::string(take(end));
    }

    bool take_sign(char sign) {
        if (rest_.empty() || rest_[0] != sign) return false;
        rest_.remove_prefix(1);
        return true;
    }

    // A decimal or 0x number at the cursor.
    uint64_t number_here() {
        const bool hex = rest_.starts_with("0x");
        if (hex) rest_.remove_prefix(2);
        const uint64_t base = hex ? 16 : 10;
        uint64_t value = 0;
        size_t digits = 0;
        for (; digits < rest_.size(); ++digits) {
            const int digit = hex_digit(rest_[digits]);
            if (digit < 0 || static_cast<uint64_t>(digit) >= base) break;
            uint64_t scaled = 0;
            if (__builtin_mul_overflow(value, base, &scaled) ||
                __builtin_add_overflow(scaled, static_cast<uint64_t>(digit), &value)) {
                fail("the number does not fit in 64 bits");
                return 0;
            }
        }
        if (digits == 0 || (digits < rest_.size() && is_name(rest_[digits])))
            fail("expected a decimal or 0x number, found '" + std::string(rest_) + "'");
        rest_.remove_prefix(std::min(digits, rest_.size()));
        return value;
    }

    uint64_t number(const char* what) {
        if (!more()) fail(std::string(what) + " is missing");
        return number_here();
    }

    // A string at the cursor, with the escapes \xff, \" and \\.
    std::string string_here() {
        std::string text;
        rest_.remove_prefix(1);
        while (!rest_.empty()) {
            const char c = rest_[0];
            rest_.remove_prefix(1);
            if (c == '"') return text;
            text += c == '\\' ? escape() : c;
        }
        fail("the string has no closing quote");
        return text;
    }

    std::string string(const char* what) {
        if (!more() || rest_[0] != '"') fail(std::string(what) + " is missing");
        return good_ ? string_here() : "";
    }

    // Bytes up to the end or a comment: pairs of hex digits, "text", u"text", 00*8. A | has no meaning.
    std::string bytes() {
        std::string made;
        while (more()) {
            if (take_sign('|')) continue;
            if (rest_.starts_with("u\"")) {
                rest_.remove_prefix(1);
                made += utf16_of(string_here());
                continue;
            }
            if (rest_[0] == '"') {
                made += string_here();
                continue;
            }
            const char byte = hex_byte();
            const uint64_t times = take_sign('*') ? number_here() : 1;
            if (times > kLargestRepeat) fail("too many repetitions of a byte; use `sparse` for large files");
            if (good_) made.append(static_cast<size_t>(times), byte);
            if (!rest_.empty() && !is_blank(rest_[0]) && rest_[0] != '|' && rest_[0] != '#')
                fail("expected a blank between bytes, found '" + std::string(rest_) + "'");
        }
        return made;
    }

    // The name=value tokens of the comment at the cursor.
    void assertions(std::vector<Assertion>& to) {
        for (char before = ' '; !rest_.empty();) {
            size_t end = 0;
            while (end < rest_.size() && is_name(rest_[end])) ++end;
            const bool is_token = end > 0 && end < rest_.size() && rest_[end] == '=' && !is_name(before);
            if (!is_token) {
                const size_t step = std::max<size_t>(end, 1);
                before = rest_[step - 1];
                rest_.remove_prefix(step);
                continue;
            }
            Assertion assertion;
            assertion.line = number_;
            assertion.field = take(end);
            rest_.remove_prefix(1);
            assertion.value = value_here();
            before = ' ';
            if (good_) to.push_back(std::move(assertion));
        }
    }

  private:
    std::string_view take(size_t length) {
        const std::string_view taken = rest_.substr(0, length);
        rest_.remove_prefix(taken.size());
        return taken;
    }

    std::string value_here() {
        if (!rest_.empty() && rest_[0] == '"') return text_of(std::string_view(string_here()));
        const bool negative = take_sign('-');
        const uint64_t number = number_here();
        return text_of(negative ? ~number + 1 : number);
    }

    char hex_byte() {
        const int high = rest_.empty() ? -1 : hex_digit(rest_[0]);
        const int low = rest_.size() < 2 ? -1 : hex_digit(rest_[1]);
        if (high < 0 || low < 0) fail("expected a byte as two hex digits, found '" + std::string(rest_) + "'");
        take(2);
        return static_cast<char>(high * 16 + low);
    }

    char escape() {
        if (take_sign('"')) return '"';
        if (take_sign('\\')) return '\\';
        if (take_sign('x')) return hex_byte();
        fail("unknown escape; known ones are \\xff, \\\" and \\\\");
        return 0;
    }

    std::string_view rest_;
    size_t number_;
    Origin origin_;
    bool good_ = true;
};

// Calls `each` with every line of the text, counted from 1.
void for_each_line(std::string_view text, Origin origin, const std::function<void(Line)>& each) {
    for (size_t number = 1; !text.empty(); ++number) {
        const size_t end = std::min(text.find('\n'), text.size());
        each(Line(text.substr(0, end), number, origin));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

// Reads one case file, line by line.
class CaseReader {
  public:
    CaseReader(CaseFile& file, const BaseReader& base, Origin origin) : file_(file), base_(base), origin_(origin) {}

    void read(Line line) {
        const std::string_view text = trimmed(line.rest());
        if (text.starts_with("violation:")) return start(line, text.substr(10), true);
        if (text.starts_with("exhibit:")) return start(line, text.substr(8), true);
        if (text.starts_with("near miss:")) return start(line, text.substr(10), false);
        if (file_.blocks.empty()) return read_top(line, text);
        if (!line.more()) {
            if (!text.empty()) block().lines.emplace_back(text);
            return;
        }
        if (read_wording(line)) return line.expect_end();
        if (!text.empty()) block().lines.emplace_back(text);
        apply(line);
        line.expect_end();
    }

    void finish() {
        if (file_.blocks.empty())
            origin_.errors.push_back(origin_.path + ":1: the case has no `violation:` or `near miss:` block");
        if (!file_.blocks.empty()) finish_block();
    }

  private:
    CaseBlock& block() { return file_.blocks.back(); }

    void start(Line& line, std::string_view title, bool is_violation) {
        if (!file_.blocks.empty()) finish_block();
        CaseBlock made;
        made.is_violation = is_violation;
        made.title = trimmed(title);
        made.line = line.number();
        if (made.title.empty()) line.fail("the block has no title");
        file_.blocks.push_back(std::move(made));
    }

    void finish_block() {
        if (block().base.empty())
            origin_.errors.push_back(origin_.path + ":" + std::to_string(block().line) +
                                     ": the block has no `base` line");
        while (!block().lines.empty() && block().lines.back().empty()) block().lines.pop_back();
        sort(block().expected);
    }

    void read_top(Line& line, std::string_view text) {
        if (line.more()) return line.fail("only comments may precede the first block");
        if (text.empty()) return;
        text = trimmed(text.substr(1));
        for (const auto& [word, to] :
             {std::pair("spec:", &file_.spec), std::pair("report:", &file_.report), std::pair("cost:", &file_.cost)}) {
            if (!text.starts_with(word)) continue;
            *to = trimmed(text.substr(std::string_view(word).size()));
            return;
        }
        if (!file_.description.empty()) file_.description += ' ';
        file_.description += text;
    }

    void apply(Line& line) {
        const std::string verb = line.word("a command");
        if (verb == "base") return read_base(line);
        if (verb == "name") return void(block().file_name = line.word("the file's name"));
        if (verb == "for") return void(block().readers.push_back(line.word("the reader")));
        if (verb == "owner") return read_owner(line);
        if (verb == "as") return void(block().format = line.word("the format"));
        if (verb == "limit") return read_limit(line);
        if (verb == "option") return read_option(line);
        if (verb == "expect") return read_expectation(line);
        if (verb == "append") return void(end_of_file() += line.bytes());
        if (verb == "sparse") return make_sparse(line);
        if (verb == "set" || verb == "insert" || verb == "delete" || verb == "cut") return edit(line, verb);
        line.fail("unknown command '" + verb + "'");
    }

    void read_owner(Line& line) {
        if (line.word("the owner") != "another") return line.fail("`owner` is followed by `another`");
        block().is_foreign = true;
    }

    std::string& end_of_file() { return block().bytes.zeros == 0 ? block().bytes.head : block().bytes.tail; }

    void read_base(Line& line) {
        const std::string name = line.word("the base file");
        if (!block().base.empty()) return line.fail("a block has only one `base`, as its first line");
        if (block().bytes.size() != 0) return line.fail("`base` must be the first line of its block");
        block().base = name;
        if (name == "empty") return;
        const size_t slash = name.find('/');
        const bool elsewhere = slash != std::string::npos;
        const std::string folder = elsewhere ? name.substr(0, slash) : file_.rule.substr(0, file_.rule.find('/'));
        const std::string base = elsewhere ? name.substr(slash + 1) : name;
        const std::optional<std::string> text = base_(folder, base);
        if (!text) return line.fail("there is no base file '" + name + "'");
        block().bytes.head = read_hex(*text, "corpus/" + folder + "/base/" + base, origin_.errors).bytes;
    }

    void read_limit(Line& line) {
        const std::string which = line.word("max-memory or max-record");
        const uint64_t bytes = line.number("the number of bytes");
        if (which == "max-memory") return void(block().limits.memory = bytes);
        if (which == "max-record") return void(block().limits.record = bytes);
        line.fail("unknown limit '" + which + "'");
    }

    void read_option(Line& line) {
        const std::string name = line.word("the option's name");
        const std::string choice = line.word("the choice");
        for (const Option* option : all_options()) {
            const auto found = std::find(option->choices.begin(), option->choices.end(), choice);
            if (option->name == name && found != option->choices.end())
                return block().settings.set(*option, static_cast<size_t>(found - option->choices.begin()));
        }
        line.fail("unknown option or choice '" + name + ' ' + choice + "'");
    }

    void read_expectation(Line& line) {
        Expectation made;
        const std::string severity = line.word("the severity");
        const auto is = [&](Severity s) { return severity == to_string(s); };
        if (is(Severity::error))
            made.severity = Severity::error;
        else if (is(Severity::warning))
            made.severity = Severity::warning;
        else if (is(Severity::note))
            made.severity = Severity::note;
        else
            return line.fail("unknown severity '" + severity + "'");
        made.rule = line.word("the rule");
        made.offset = line.number("the offset");
        if (!line.take_sign('+')) return line.fail("expected +LENGTH after the offset");
        made.length = line.number_here();
        if (line.more()) {
            made.field = line.word("the field");
            if (made.field == "-") made.field = "";
        }
        made.line = line.number();
        if (line.good()) block().expected.push_back(std::move(made));
    }

    // The lines that follow an `expect` line; whether this is one of them.
    bool read_wording(Line& line) {
        const std::string_view text = trimmed(line.rest());
        const auto is = [&](std::string_view verb) { return text.substr(0, text.find_first_of(" \t")) == verb; };
        if (!is("says") && !is("hint") && !is("related") && !is("about-end")) return false;
        line.word("a command");
        if (block().expected.empty() || (is("says") == block().expected.back().wording.has_value())) {
            line.fail(is("says") ? "`says` follows an `expect` line" : "`says` must come first");
            return true;
        }
        if (is("says")) block().expected.back().wording.emplace();
        Wording& wording = *block().expected.back().wording;
        if (is("says")) wording.message = line.string("the message");
        if (is("hint")) wording.hint = line.string("the hint");
        if (is("about-end")) wording.about_end = true;
        if (!is("related")) return true;
        wording.related_offset = line.number("the offset");
        if (!line.take_sign('+')) line.fail("expected +LENGTH after the offset");
        wording.related_length = line.number_here();
        return true;
    }

    void make_sparse(Line& line) {
        const uint64_t end = line.number("the offset");
        SparseBytes& bytes = block().bytes;
        if (bytes.zeros != 0) return line.fail("a block has at most one `sparse`");
        if (end <= bytes.size()) return line.fail("`sparse` must end after the bytes that are there");
        bytes.zeros = end - bytes.size();
    }

    // The edits of bytes that are there already.
    void edit(Line& line, const std::string& verb) {
        const uint64_t offset = line.number("the offset");
        if (block().bytes.zeros != 0) return line.fail("only `append` may follow `sparse`");
        std::string& bytes = block().bytes.head;
        const uint64_t length = verb == "delete" && line.take_sign('+') ? line.number_here() : 0;
        const std::string given = verb == "set" || verb == "insert" ? line.bytes() : "";
        const uint64_t touched = verb == "set" ? given.size() : length;
        if (offset > bytes.size() || touched > bytes.size() - offset)
            return line.fail("the file has only " + std::to_string(bytes.size()) + " bytes here");
        if (verb == "set") bytes.replace(offset, given.size(), given);
        if (verb == "insert") bytes.insert(offset, given);
        if (verb == "delete") bytes.erase(offset, length);
        if (verb == "cut") bytes.resize(offset);
        const bool nothing = verb == "delete" ? length == 0 : verb != "cut" && given.empty();
        if (nothing) line.fail("`" + verb + "` changes nothing");
    }

    CaseFile& file_;
    const BaseReader& base_;
    Origin origin_;
};

// "<format>/<slug>" of ".../<format>/rules/<slug>.case", "reader/<slug>" of ".../<format>/readers/<slug>.case".
std::string rule_of(std::string_view path) {
    const auto last = [&] {
        const size_t slash = path.rfind('/');
        const std::string part(slash == std::string_view::npos ? path : path.substr(slash + 1));
        path = path.substr(0, slash == std::string_view::npos ? 0 : slash);
        return part;
    };
    const std::string slug = last(), kind = last(), folder = last();
    return (kind == "readers" ? kind.substr(0, kind.size() - 1) : folder) + "/" + slug.substr(0, slug.rfind('.'));
}

auto order_of(const Expectation& e) { return std::tie(e.offset, e.rule, e.length); }

}  // namespace

std::string text_of(uint64_t number) {
    char text[24];
    std::snprintf(text, sizeof text, number < 10 ? "%llu" : "0x%llx", static_cast<unsigned long long>(number));
    return text;
}

std::string text_of(std::string_view string) {
    std::string text = "\"";
    for (const char c : string) {
        const auto byte = static_cast<uint8_t>(c);
        char escaped[8];
        std::snprintf(escaped, sizeof escaped, byte >= 0x20 && byte < 0x7f ? "%c" : "\\x%02x", byte);
        if (c == '"' || c == '\\') text += '\\';
        text += escaped;
    }
    return text + '"';
}

HexFile read_hex(std::string_view text, const std::string& path, Errors& errors) {
    HexFile file;
    for_each_line(text, {path, errors}, [&](Line line) {
        file.bytes += line.bytes();
        line.assertions(file.assertions);
    });
    return file;
}

std::string SparseBytes::part(uint64_t offset, size_t wanted) const {
    std::string made(wanted, '\0');
    SparseSource source(*this, true);
    source.seek(offset);
    size_t filled = 0;
    while (const size_t got = source.read(reinterpret_cast<uint8_t*>(made.data()) + filled, wanted - filled))
        filled += got;
    made.resize(filled);
    return made;
}

size_t SparseSource::read(uint8_t* to, size_t bytes) {
    const uint64_t tail_starts = bytes_.size() - bytes_.tail.size();
    const auto copy = [&](const std::string& from, uint64_t at, size_t most) {
        const size_t count = std::min<size_t>(most, from.size() - at);
        std::copy_n(from.data() + at, count, to);
        return count;
    };
    const size_t most = std::min(bytes, chunk_);
    size_t count = 0;
    if (at_ >= bytes_.size()) return 0;
    if (at_ < bytes_.head.size()) {
        count = copy(bytes_.head, at_, most);
    } else if (at_ < tail_starts) {
        count = static_cast<size_t>(std::min<uint64_t>(most, tail_starts - at_));
        std::fill_n(to, count, uint8_t{0});
    } else {
        count = copy(bytes_.tail, at_ - tail_starts, most);
    }
    at_ += count;
    return count;
}

bool SparseSource::seek(uint64_t offset) {
    if (seekable_) at_ = offset;
    return seekable_;
}

bool Expectation::matches(const Expectation& found) const {
    return severity == found.severity && order_of(*this) == order_of(found) && (!field || field == found.field);
}

Expectation expectation_of(const Diagnostic& diagnostic) {
    const Rule& rule = *diagnostic.rule;
    return {severity_of(diagnostic), std::string(rule.id), diagnostic.place.offset, diagnostic.place.length,
            field_path(diagnostic.place)};
}

std::vector<Expectation> expectations_of(const Outcome& outcome) {
    std::vector<Expectation> found;
    for (const Diagnostic& diagnostic : outcome.report().diagnostics()) found.push_back(expectation_of(diagnostic));
    sort(found);
    return found;
}

bool all_match(const std::vector<Expectation>& expected, const std::vector<Expectation>& found) {
    return std::equal(expected.begin(), expected.end(), found.begin(), found.end(),
                      [](const Expectation& e, const Expectation& f) { return e.matches(f); });
}

std::string line_of(const Expectation& expectation) {
    char place[48];
    std::snprintf(place, sizeof place, "0x%02llx+%llu", static_cast<unsigned long long>(expectation.offset),
                  static_cast<unsigned long long>(expectation.length));
    std::string line = "expect " + std::string(to_string(expectation.severity)) + ' ' + expectation.rule + ' ' + place;
    if (expectation.field) line += ' ' + (expectation.field->empty() ? "-" : *expectation.field);
    return line;
}

std::string lines_of(const Wording& wording) {
    std::string lines = "says   " + text_of(std::string_view(wording.message)) + '\n';
    if (!wording.hint.empty()) lines += "hint   " + text_of(std::string_view(wording.hint)) + '\n';
    char place[64];
    std::snprintf(place, sizeof place, "related 0x%02llx+%llu\n",
                  static_cast<unsigned long long>(wording.related_offset),
                  static_cast<unsigned long long>(wording.related_length));
    if (wording.related_offset != kNone) lines += place;
    return lines + (wording.about_end ? "about-end\n" : "");
}

void sort(std::vector<Expectation>& expectations) {
    std::sort(expectations.begin(), expectations.end(), [](const Expectation& a, const Expectation& b) {
        return std::tuple_cat(order_of(a), std::tie(a.field)) < std::tuple_cat(order_of(b), std::tie(b.field));
    });
}

CaseFile read_case(std::string_view text, const std::string& path, const BaseReader& base, Errors& errors) {
    CaseFile file;
    file.path = path;
    file.rule = rule_of(path);
    CaseReader reader(file, base, {path, errors});
    for_each_line(text, {path, errors}, [&](Line line) { reader.read(line); });
    reader.finish();
    if (file.description.empty()) errors.push_back(path + ":1: the case has no comment that describes it");
    if (file.spec.empty()) errors.push_back(path + ":1: the case has no `# spec:` line");
    return file;
}

std::string slug_of(const CaseFile& file) {
    std::string slug = file.rule;
    std::replace(slug.begin(), slug.end(), '/', '-');
    return slug;
}

CheckOptions options_of(const CaseBlock& block) {
    CheckOptions options;
    options.format = find_format(block.format);
    options.file_name = block.file_name;
    options.limits = block.limits;
    options.settings = block.settings;
    options.report.kept_per_rule = 0;
    return options;
}

}  // namespace tracelint
