// Shrinks bytes in memory, and judges the result by a check of its own.
#include "fuzz/shrink_oracle.hpp"

#include <algorithm>
#include <set>

#include "validator/generator/edit.hpp"

namespace tracelint {
namespace {

constexpr size_t kShortestText = 4;
constexpr uint64_t kFuzzedChecks = 400;

bool is_printable(char c) { return c >= ' ' && c <= '~'; }

// Whether redaction may have written it: letters became a, digits 0, and the rest of a text is its form.
bool is_filler(std::string_view text) {
    return std::ranges::all_of(text, [](char c) {
        return c == 'a' || c == '0' || !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'));
    });
}

bool is_printable_text(std::string_view text) { return std::ranges::all_of(text, is_printable); }

// Calls `visit` with each part of `text` that is as long as the shortest text.
template <class Visit>
void for_each_part(std::string_view text, Visit visit) {
    for (size_t at = 0; at + kShortestText <= text.size(); ++at) {
        const std::string_view part = text.substr(at, kShortestText);
        if (is_printable_text(part) && !is_filler(part)) visit(at, part);
    }
}

// A string of UTF-16 without the zeros between its characters.
std::string narrowed(const Value& value) {
    if (value.leaf.kind == Leaf::Kind::raw || value.leaf.field->type != Type::string16) return value.text;
    std::string text;
    for (size_t at = 0; at < value.text.size(); at += 2) text += value.text[at];
    return text;
}

bool is_fixed(const Value& value) {
    if (!value.is_number()) return false;
    const Field& field = *value.leaf.field;
    return !field.names.empty() || std::ranges::any_of(field.checks, [](const Check& check) {
        return check.must == Check::Must::equal || check.must == Check::Must::be_known;
    });
}

// The bytes of all numbers, and zeros for the rest.
std::string numbers_of(const FileRecords& records) {
    std::vector<uint64_t> offsets;
    const std::string bytes = bytes_of(records, &offsets);
    std::string numbers(bytes.size(), '\0');
    for (size_t i = 0; i < records.size(); ++i)
        for (const Value& value : records[i].values) {
            const uint64_t offset = offsets[i] + value.leaf.offset;
            if (value.is_number()) bytes.copy(&numbers[offset], value.leaf.length, offset);
        }
    return numbers;
}

// The parts of all texts, but for those that a number has, too: redaction keeps numbers.
std::set<std::string> texts_to_redact(const FileRecords& records) {
    std::set<std::string> texts;
    for (const RecordValues& record : records)
        for (const Value& value : record.values)
            if (value.is_text())
                for_each_part(narrowed(value), [&](size_t, std::string_view part) { texts.emplace(part); });
    for_each_part(numbers_of(records), [&](size_t, std::string_view part) { texts.erase(std::string(part)); });
    return texts;
}

uint64_t faults_of(const Report& report, const Rule& rule) {
    return report.count(rule, Severity::error) + report.count(rule, Severity::warning);
}

}  // namespace

Shrunk shrunk(const Input& input, const ShrinkTask& task) {
    MemorySource source(input.bytes);
    ShrinkOptions options;
    options.rule = task.rule;
    options.offset = task.offset;
    options.format = input.format;
    options.file_name = options.new_name = task.file_name;
    options.redacts = task.redacts;
    options.settings = input.settings;
    options.limits = input.limits;
    uint64_t checks = 0;
    options.is_over = [&] { return checks > task.most_checks; };
    options.on_progress = [&](uint64_t done, uint64_t) { checks = done; };
    Shrink shrink(source, options);
    Shrunk made;
    made.verdict = shrink.run();
    made.why = shrink.why();
    made.checks = shrink.checks();
    if (made.verdict != ShrinkVerdict::shrunk) return made;
    made.finding = shrink.new_finding();
    made.others = shrink.others();
    made.kept_texts = shrink.kept_texts();
    shrink.copy([&](Bytes bytes) {
        made.bytes += as_text(bytes);
        return true;
    });
    return made;
}

Complaint shrinks(const Input& input, bool redacts) {
    const Outcome before = check_all(input);
    const auto& findings = before.report().diagnostics();
    const auto is_fault = [](const Diagnostic& found) {
        return severity_of(found) != Severity::note && !found.rule->of_input && !found.rule->of_container;
    };
    const auto finding = std::ranges::find_if(findings, is_fault);
    if (finding == findings.end() || before.format == nullptr || before.container != Container::none)
        return std::nullopt;
    ShrinkTask task;
    task.rule = finding->rule;
    if (input.bytes.size() % 2 == 0) task.offset = finding->place.offset;
    task.redacts = redacts;
    task.most_checks = kFuzzedChecks;
    const Shrunk made = shrunk(input, task);
    if (made.verdict == ShrinkVerdict::absent) return "shrink does not find " + std::string(task.rule->id);
    if (made.verdict == ShrinkVerdict::unreadable) return "shrink cannot read bytes in memory: " + made.why;
    if ((made.verdict == ShrinkVerdict::shrunk) != made.why.empty()) return "shrink says why only if it has failed";
    if (made.verdict != ShrinkVerdict::shrunk) return std::nullopt;
    if (made.bytes.size() > input.bytes.size()) return "the shrunk file is larger";
    Input again = input;
    again.bytes = as_bytes(made.bytes);
    const Outcome after = check_all(again);
    const Report& report = after.report();
    if (after.format != before.format) return "the shrunk file is of another format";
    if (report.count(*task.rule) == 0) return "the shrunk file lacks " + std::string(task.rule->id);
    for (const Rule* rule : report.found_rules())
        if (faults_of(report, *rule) != 0 && faults_of(before.report(), *rule) == 0)
            return "the shrunk file breaks another rule: " + std::string(rule->id);
    if (report.count(Severity::error) + report.count(Severity::warning) != made.others + 1)
        return "the shrunk file has another number of errors and warnings than shrink says";
    if (!redacts) return std::nullopt;
    const std::string text = surviving_text(*before.format, input.bytes, made);
    return text.empty() ? Complaint() : "a text survives redaction: " + text;
}

std::string surviving_text(const Format& format, Bytes file, const Shrunk& shrunk) {
    const std::set<std::string> texts = texts_to_redact(decode_file(format, file));
    std::string rest = shrunk.bytes;
    for (const KeptText& kept : shrunk.kept_texts)
        std::fill_n(rest.begin() + static_cast<std::ptrdiff_t>(kept.offset), kept.length, '\0');
    std::vector<uint64_t> offsets;
    const FileRecords records = decode_file(format, as_bytes(shrunk.bytes));
    (void)bytes_of(records, &offsets);
    for (size_t i = 0; i < records.size(); ++i)
        for (const Value& value : records[i].values)
            if (is_fixed(value))
                std::fill_n(rest.begin() + static_cast<std::ptrdiff_t>(offsets[i] + value.leaf.offset),
                            value.leaf.length, '\0');
    std::string surviving;
    const auto look = [&](size_t, std::string_view part) {
        if (surviving.empty() && texts.contains(std::string(part))) surviving = part;
    };
    for_each_part(rest, look);
    // The same of UTF-16, in both ways that its characters may be aligned.
    for (const size_t start : {size_t{0}, size_t{1}}) {
        std::string narrow;
        for (size_t at = start; at < rest.size(); at += 2)
            narrow += at + 1 < rest.size() && rest[at + 1] == '\0' ? rest[at] : '\0';
        for_each_part(narrow, look);
    }
    return surviving;
}

}  // namespace tracelint
