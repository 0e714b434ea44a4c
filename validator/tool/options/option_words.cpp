// What the words of options mean, and the errors of those that mean nothing.
#include "validator/tool/options/option_words.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <thread>

#include "validator/tool/json/rule_info.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/options/option_parser.hpp"
#include "validator/tool/writers/writer.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
std::string quoted_word(std::string_view word) { return fmt::format("'{}'", shortened(word)); }

const Rule* rule_of(const std::string& word) {
    const Rule* rule = find_rule(word);
    if (rule == nullptr)
        refuse(fmt::format("unknown rule {}; tracelint rules lists them{}", quoted_word(word), guess_rule(word)));
    return rule;
}

void refuse_rules(const std::string& word) {
    refuse(fmt::format("unknown rule {}; tracelint rules lists them{}", quoted_word(word), guess_pattern(word)));
}

void require_rules(const std::string& option, const std::string& pattern) {
    if (const std::string fault = pattern_fault(pattern); !fault.empty()) refuse(option + ": " + fault);
}

void require_file_name(const std::string& option, const std::string& word, bool has_one) {
    if (word.empty()) refuse(option + ": file name missing");
    if (has_one) refuse(option + " can be given only once");
}

std::string with_standard(std::string_view doc, std::string_view standard) {
    std::string text(doc);
    if (const size_t at = text.find("{}"); at != text.npos) text.replace(at, 2, standard);
    return text;
}

const Format* format_of(const std::string& word) {
    if (const Format* format = find_format(word)) return format;
    std::vector<std::string_view> ids;
    for (const Format* known : formats()) ids.push_back(known->id);
    refuse(fmt::format("unknown format {}; expected {}{}", quoted_word(word), either_of(ids), did_you_mean(word, ids)));
}

namespace {

// What other programs call what is one of the choices, or the start of one.
std::string guess_choice(std::string_view word, std::span<const std::string_view> choices) {
    constexpr std::pair<std::string_view, std::string_view> kElsewhere[] = {
        {"info", "note"},   {"information", "note"}, {"notice", "note"}, {"hint", "note"},
        {"fatal", "error"}, {"critical", "error"},   {"none", "never"},  {"off", "never"},
    };
    for (const auto& [other, ours] : kElsewhere)
        if (word == other && std::ranges::find(choices, ours) != choices.end())
            return fmt::format("; did you mean '{}'?", ours);
    if (const WriterKind* kind = writer_kind_of_ending(word);
        kind != nullptr && std::ranges::find(choices, kind->name) != choices.end())
        return fmt::format("; did you mean '{}'?", kind->name);
    if (word.size() >= 2)
        for (const std::string_view choice : choices)
            if (choice.starts_with(word)) return fmt::format("; did you mean '{}'?", choice);
    return did_you_mean(word, choices);
}

}  // namespace

// The index of `word` in `choices`.
size_t choice_of(const std::string& option, const std::string& word, std::span<const std::string_view> choices) {
    const auto found = std::ranges::find(choices, word);
    if (found != choices.end()) return static_cast<size_t>(found - choices.begin());
    refuse(fmt::format("{}: invalid value {}; expected {}{}", option, quoted_word(word), either_of(choices),
                       guess_choice(word, choices)));
}

uint64_t size_of(const std::string& option, const std::string& word) {
    uint64_t bytes = 0;
    if (!parse_size(word, bytes))
        refuse(fmt::format("{}: invalid size {}; expected a number of bytes, such as 4096, 64K, 16M or 1G", option,
                           quoted_word(word)));
    return bytes;
}

uint64_t number_of(const std::string& option, const std::string& word) {
    uint64_t number = 0;
    const bool digits = std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
    if (!digits || !parse_size(word, number)) refuse(fmt::format("{}: invalid number {}", option, quoted_word(word)));
    return number;
}

Shard shard_of_word(const std::string& word) {
    Shard shard{0, 0};
    const auto part = [](std::string_view text, uint64_t& number) {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        return error == std::errc() && end == text.data() + text.size();
    };
    const std::string_view text = word;
    const size_t slash = text.find('/');
    const bool is_good =
        slash != text.npos && part(text.substr(0, slash), shard.index) && part(text.substr(slash + 1), shard.count);
    if (!is_good || shard.index == 0 || shard.index > shard.count || shard.count > kMostShards)
        refuse(fmt::format("--shard: invalid shard {}; expected I/N such as 1/40, with I from 1 to N and N up to {}",
                           quoted_word(word), kMostShards));
    return shard;
}

unsigned jobs_of(const std::string& word) {
    constexpr uint64_t kMostJobs = 256;
    if (word.find_first_not_of("0123456789") != word.npos)
        refuse(fmt::format("--jobs: invalid number {}; expected how many files to check in parallel, such as -j 4",
                           quoted_word(word)));
    const uint64_t jobs = number_of("--jobs", word);
    if (jobs == 0) return std::max(1u, std::thread::hardware_concurrency());
    return static_cast<unsigned>(std::min(jobs, kMostJobs));
}

uint64_t offset_of(const std::string& option, const std::string& word) {
    const std::string_view text = word;
    const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
    const std::string_view digits = is_hex ? text.substr(2) : text;
    uint64_t offset = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), offset, is_hex ? 16 : 10);
    if (error != std::errc() || end != digits.data() + digits.size())
        refuse(fmt::format("{}: invalid offset {}; expected a number of bytes such as 4096 or 0x1000", option,
                           quoted_word(word)));
    return offset;
}

void select_records(const std::string& word, Selection& selection) {
    const auto part = [&](const std::string& number, uint64_t& value) {
        if (number.empty() && word.size() > 2) return true;
        const bool digits = std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
        return digits && parse_size(number, value);
    };
    const size_t dots = word.find("..");
    const bool is_good =
        dots == std::string::npos
            ? !word.empty() && part(word, selection.first) && part(word, selection.last)
            : part(word.substr(0, dots), selection.first) && part(word.substr(dots + 2), selection.last);
    if (!is_good || selection.first > selection.last)
        refuse(fmt::format("--records: invalid range {}; expected numbers of records such as 7, 3..9 or 100..",
                           quoted_word(word)));
}

void select_field(const std::string& word, Selection& selection) {
    constexpr std::string_view kRecord = "records[";
    std::string name = word;
    if (name.starts_with(kRecord)) {
        const size_t end = name.find("].");
        if (end == name.npos)
            refuse(
                fmt::format("--field: {} names no field; expected a name such as code, entries[2].line or "
                            "records[7].code",
                            quoted_word(word)));
        select_records(name.substr(kRecord.size(), end - kRecord.size()), selection);
        name.erase(0, end + 2);
    }
    if (name.empty()) refuse("--field: the name is empty");
    selection.field = FieldName(std::move(name));
}

std::vector<std::string> reader_words() {
    const std::vector<std::string_view> names = reader_names();
    std::vector<std::string> words(names.begin(), names.end());
    words.insert(words.end(), {"any", "list"});
    for (const TraceReader* reader : all_readers()) {
        std::string word = fmt::format("{}@{}", reader->name, reader->version);
        if (std::ranges::find(words, word) == words.end()) words.push_back(std::move(word));
    }
    return words;
}

std::string reader_list() {
    std::string text;
    for (const TraceReader* reader : all_readers())
        text += fmt::format("{:<26}  {:<10}  {:<13}  {}\n", fmt::format("{}@{}", reader->name, reader->version),
                            reader->format->id, reader->evidence, reader->command);
    return text;
}

std::string known_versions(std::string_view name) {
    std::vector<std::string> versions;
    for (const std::string_view version : versions_of(name)) {
        std::string formats;
        for (const TraceReader* reader : all_readers())
            if (reader->name == name && reader->version == version)
                formats += fmt::format("{}{}: {}", formats.empty() ? "" : ", ", reader->format->id, reader->evidence);
        versions.push_back(fmt::format("{} ({})", version, formats));
    }
    return either_of(std::vector<std::string_view>(versions.begin(), versions.end()));
}

}  // namespace tracelint
