// Reads and writes baselines.
#include "validator/tool/inputs/baseline.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "validator/tool/inputs/path_pattern.hpp"
#include "validator/tool/inputs/usage_error.hpp"
#include "validator/tool/json/date.hpp"
#include "validator/tool/json/json_text.hpp"
#include "validator/tool/json/located_json.hpp"
#include "validator/tool/json/rule_info.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

namespace fs = std::filesystem;
using Kind = LocatedJson::Kind;
using std::chrono::sys_days;

constexpr std::string_view kSchemaVersion = "1";
constexpr std::string_view kRootKeys[] = {"$schema", "schema_version", "entries"};
constexpr std::string_view kEntryKeys[] = {"path", "rule", "count", "reason", "expires"};

void require_known(const LocatedJson::Member& member, std::span<const std::string_view> keys, std::string_view where) {
    if (std::ranges::find(keys, member.key) == keys.end())
        refuse_json(member.at, fmt::format("unknown key '{}' in {}{}", shortened(member.key), where,
                                           did_you_mean(member.key, keys)));
}

void require_string(const LocatedJson& value, std::string_view what) {
    if (value.kind != Kind::string) refuse_json(value.at, fmt::format("{} must be a string", what));
}

bool is_digits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

uint64_t read_count(const LocatedJson& value) {
    uint64_t count = 0;
    if (value.kind != Kind::number || !is_digits(value.text) || !parse_size(value.text, count) || count == 0)
        refuse_json(value.at, "count must be 1 or more");
    return count;
}

// "YYYY-MM-DD".
std::optional<sys_days> date_of(std::string_view text) {
    if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
    const auto part = [&](size_t at, size_t length) {
        unsigned number = 0;
        const char* const first = text.data() + at;
        const auto [end, error] = std::from_chars(first, first + length, number);
        return error == std::errc() && end == first + length ? number : 0;
    };
    const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(part(0, 4))),
                                           std::chrono::month(part(5, 2)), std::chrono::day(part(8, 2))};
    return date.ok() ? std::optional<sys_days>(date) : std::nullopt;
}

// Reads one text.
class Reader {
  public:
    explicit Reader(const std::string& text) : text_(text) {}

    void read(Baseline& baseline) {
        if (text_.size() > kLargestBaseline)
            refuse_json(kLargestBaseline, fmt::format("the file is larger than {}", byte_size(kLargestBaseline)));
        const LocatedJson root = parse_located_json(text_, JsonComments::refused);
        if (root.kind != Kind::object) refuse_json(root.at, "a baseline must be an object");
        const LocatedJson* version = nullptr;
        for (const LocatedJson::Member& member : root.members) {
            require_known(member, kRootKeys, "a baseline");
            if (member.key == "schema_version") version = &member.value;
            if (member.key == "entries") read_entries(member.value, baseline);
            if (member.key != "$schema") continue;
            require_string(member.value, "$schema");
            baseline.schema = member.value.text;
        }
        if (version == nullptr) refuse_json(root.at, "a baseline needs \"schema_version\": 1");
        if (version->kind != Kind::number || version->text != kSchemaVersion)
            refuse_json(version->at, "schema_version must be 1; a later one needs a later version of tracelint");
    }

  private:
    void read_entries(const LocatedJson& value, Baseline& baseline) {
        if (value.kind != Kind::array) refuse_json(value.at, "entries must be an array");
        if (value.elements.size() > kMostEntries)
            refuse_json(value.elements[kMostEntries].at, fmt::format("more than {} entries", kMostEntries));
        for (const LocatedJson& element : value.elements) {
            BaselineEntry entry = entry_of(element);
            if (!known_.emplace(entry.path, entry.rule).second)
                refuse_json(element.at, "an earlier entry has the same path and rule");
            baseline.entries.push_back(std::move(entry));
        }
    }

    BaselineEntry entry_of(const LocatedJson& value) {
        if (value.kind != Kind::object) refuse_json(value.at, "an entry must be an object");
        BaselineEntry entry;
        for (const LocatedJson::Member& member : value.members) take(entry, member);
        if (entry.path.empty()) refuse_json(value.at, "an entry needs a path: the pattern of its files");
        if (entry.rule == nullptr) refuse_json(value.at, "an entry needs a rule");
        if (entry.count == 0) refuse_json(value.at, "an entry needs a count: how many findings each file may have");
        line_ += static_cast<size_t>(std::count(text_.begin() + static_cast<ptrdiff_t>(counted_),
                                                text_.begin() + static_cast<ptrdiff_t>(value.at), '\n'));
        counted_ = value.at;
        entry.line = line_;
        return entry;
    }

    void take(BaselineEntry& entry, const LocatedJson::Member& member) {
        require_known(member, kEntryKeys, "an entry");
        const LocatedJson& value = member.value;
        if (member.key == "count") {
            entry.count = read_count(value);
            return;
        }
        require_string(value, member.key);
        if (member.key == "path") take_path(entry, value);
        if (member.key == "rule") entry.rule = rule_of(value);
        if (member.key == "reason") entry.reason = value.text;
        if (member.key != "expires") return;
        entry.expires = date_of(value.text);
        if (!entry.expires) refuse_json(value.at, "expires must be a date such as 2027-01-31");
    }

    void take_path(BaselineEntry& entry, const LocatedJson& value) {
        if (const std::string fault = PathPattern::fault_of(value.text); !fault.empty()) refuse_json(value.at, fault);
        if (!Glob::literal_of(value.text)) glob_bytes_ += value.text.size();
        if (glob_bytes_ > kMostBaselineGlobs)
            refuse_json(value.at, fmt::format("the patterns take more than {} bytes together", kMostBaselineGlobs));
        entry.path = value.text;
    }

    static const Rule* rule_of(const LocatedJson& value) {
        const Rule* rule = find_rule(value.text);
        if (rule == nullptr)
            refuse_json(value.at, fmt::format("unknown rule '{}'; tracelint rules lists them{}", shortened(value.text),
                                              guess_rule(value.text)));
        return rule;
    }

    const std::string& text_;
    std::set<std::pair<std::string, const Rule*>> known_;
    size_t glob_bytes_ = 0;
    size_t line_ = 1, counted_ = 0;  // of the last entry: its line, and the offset up to which lines are counted
};

JsonObject object_of(const BaselineEntry& entry) {
    JsonObject object{{"path", entry.path}, {"rule", entry.rule->id}, {"count", entry.count}};
    if (!entry.reason.empty()) object.add("reason", entry.reason);
    if (entry.expires) object.add("expires", date_text(*entry.expires));
    return object;
}

}  // namespace

Baseline parse_baseline_text(std::string name, const std::string& text) {
    Baseline baseline;
    baseline.name = std::move(name);
    try {
        Reader(text).read(baseline);
    } catch (const JsonFault& fault) {
        refuse(fmt::format("{}:{}: {}", printable(baseline.name), line_and_column(text, fault.at), fault.message));
    }
    return baseline;
}

std::string text_of(const Baseline& baseline) {
    std::string text = "{\n";
    if (baseline.schema) text += "  \"$schema\": " + json_string(*baseline.schema) + ",\n";
    text += fmt::format("  \"schema_version\": {},\n  \"entries\": [", kSchemaVersion);
    const char* before = "\n    ";
    for (const BaselineEntry& entry : baseline.entries) {
        text += before + object_of(entry).text();
        before = ",\n    ";
    }
    return text + (baseline.entries.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

Baseline new_baseline(const std::string& path) {
    Baseline baseline;
    baseline.name = path;
    baseline.folder = (fs::path(working_folder()) / path).lexically_normal().parent_path().string();
    return baseline;
}

Baseline load_baseline(const std::string& path) {
    Baseline baseline = parse_baseline_text(path, content_of(path, kLargestBaseline));
    baseline.folder = new_baseline(path).folder;
    return baseline;
}

sys_days today() {
    const char* const epoch = std::getenv("SOURCE_DATE_EPOCH");
    if (epoch == nullptr) return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
    const std::string_view text = epoch;
    constexpr int64_t kMost = int64_t{1} << 36;  // beyond the year 4000
    int64_t seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (!is_digits(text) || error != std::errc() || end != text.data() + text.size() || seconds > kMost)
        refuse(fmt::format("SOURCE_DATE_EPOCH: invalid number of seconds '{}'", printable(text)));
    return std::chrono::floor<std::chrono::days>(std::chrono::sys_seconds(std::chrono::seconds(seconds)));
}

}  // namespace tracelint
