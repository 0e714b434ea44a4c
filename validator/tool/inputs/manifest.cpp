// Reads manifests. One may come from a stranger, or be no manifest at all.
#include "validator/tool/inputs/manifest.hpp"

#include <fmt/core.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "validator/tool/inputs/file_list.hpp"
#include "validator/tool/json/text.hpp"

namespace tracelint {

uint64_t shard_of(std::string_view path, uint64_t count) {
    return crc32_z(0, reinterpret_cast<const Bytef*>(path.data()), path.size()) % count + 1;
}

namespace {

constexpr size_t kFields = 3;  // after the path

// The entry's fields, the path first; empty if there are tabs, but too few.
std::vector<std::string_view> fields_of(std::string_view text) {
    if (text.find('\t') == text.npos) return {text};
    std::vector<std::string_view> fields;
    for (size_t i = 0; i < kFields; ++i) {
        const size_t tab = text.rfind('\t');
        if (tab == text.npos) return {};
        fields.push_back(text.substr(tab + 1));
        text = text.substr(0, tab);
    }
    fields.push_back(text);
    std::ranges::reverse(fields);
    return fields;
}

bool parse_number(std::string_view text, std::optional<uint64_t>& number) {
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    number = value;
    return error == std::errc() && end == text.data() + text.size();
}

std::string shown(std::string_view word) { return fmt::format("'{}'", printable(word)); }

// What is wrong with the fields, whose values are set in the entry; empty if nothing is.
std::string fault_in(const std::vector<std::string_view>& fields, ManifestEntry& entry) {
    if (fields.empty())
        return "has fewer than three tabs; expected a path, or a path, a size, an etag and a format with tabs between "
               "them";
    if (fields[0].empty()) return "has no path";
    if (fields[0] == "-") return "is -, which is not a file; write ./- for a file of this name";
    if (fields[0].size() > kLongestListedName)
        return fmt::format("has a path of more than {} bytes; is this a manifest?", kLongestListedName);
    if (fields.size() == 1) return {};
    if (!fields[1].empty() && !parse_number(fields[1], entry.size))
        return fmt::format("has an invalid size {}; expected a number of bytes", shown(fields[1].substr(0, 40)));
    if (fields[2].size() > kLongestEtag) return fmt::format("has an etag of more than {} bytes", kLongestEtag);
    entry.etag = fields[2];
    if (fields[3].empty()) return {};
    entry.format = find_format(fields[3]);
    if (entry.format != nullptr) return {};
    std::vector<std::string_view> ids;
    for (const Format* known : formats()) ids.push_back(known->id);
    return fmt::format("has an unknown format {}; expected {}", shown(fields[3].substr(0, 40)), either_of(ids));
}

}  // namespace

bool Manifest::take(std::string_view piece) {
    hashing_.take(piece);
    while (!piece.empty() && fault_.empty()) {
        const size_t end = piece.find(end_);
        if (!add(piece.substr(0, end)) || end == piece.npos) break;
        end_entry();
        ++number_;
        piece.remove_prefix(end + 1);
    }
    return fault_.empty();
}

bool Manifest::add(std::string_view part) {
    if (part.find('\0') != part.npos)
        return fail(number_, "has a NUL; use -0 for a manifest whose entries end with NUL");
    if (part.size() > kLongestEntry - text_.size())
        return fail(number_, fmt::format("is longer than {} bytes; is this a manifest?", kLongestEntry));
    text_ += part;
    return true;
}

void Manifest::end_entry() {
    if (!fault_.empty()) return;
    if (end_ == '\n') trim_line(text_, number_ == 1);
    if (text_.empty()) return;
    ManifestEntry entry{number_, {}, {}, {}, nullptr};
    const std::vector<std::string_view> fields = fields_of(text_);
    if (const std::string fault = fault_in(fields, entry); !fault.empty()) {
        fail(number_, fault);
        return;
    }
    ++count_;
    if (shard_of(fields[0], shard_.count) == shard_.index) {
        entry.path = fields[0];
        add_entry(std::move(entry));
    }
    text_.clear();
}

void Manifest::add_entry(ManifestEntry entry) {
    const size_t size = entry.path.size() + entry.etag.size();
    if (entries_.size() == kMostShardEntries || size > kLargestShard - size_) {
        fail(entry.number, fmt::format("is one too many: a shard holds up to {} files of {} MiB of names; divide the "
                                       "manifest into more shards",
                                       kMostShardEntries, kLargestShard >> 20));
        return;
    }
    size_ += size;
    entries_.push_back(std::move(entry));
}

void Manifest::finish() {
    end_entry();
    hash_ = hashing_.finish();
    if (fault_.empty()) leave_out_repeated();
}

// By sorting: the author of a manifest could make a hash table slow.
void Manifest::leave_out_repeated() {
    std::vector<size_t> order(entries_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::sort(order, [&](size_t a, size_t b) {
        const int compared = entries_[a].path.compare(entries_[b].path);
        return compared != 0 ? compared < 0 : a < b;
    });
    size_t first = 0;  // in `order`, of the entries with this path
    size_t faulty = entries_.size();
    std::vector<size_t> repeated;
    for (size_t i = 1; i < order.size(); ++i) {
        const ManifestEntry &kept = entries_[order[first]], &other = entries_[order[i]];
        if (kept.path != other.path) {
            first = i;
            continue;
        }
        repeated.push_back(order[i]);
        const bool is_same = kept.size == other.size && kept.etag == other.etag && kept.format == other.format;
        if (!is_same) faulty = std::min(faulty, order[i]);
    }
    if (faulty != entries_.size()) {
        fail(entries_[faulty].number, "repeats a path with another size, etag or format");
        return;
    }
    if (repeated.empty()) return;
    repeated_ = repeated.size();
    for (const size_t i : repeated) entries_[i].number = 0;
    std::erase_if(entries_, [](const ManifestEntry& entry) { return entry.number == 0; });
}

bool Manifest::fail(uint64_t number, std::string_view what) {
    fault_ = fmt::format("{} {} {}", end_ == '\n' ? "line" : "entry", number, what);
    return false;
}

void read_manifest(Source& source, Manifest& manifest) {
    std::string buffer(size_t{256} << 10, '\0');
    while (const size_t got = source.read(reinterpret_cast<uint8_t*>(buffer.data()), buffer.size()))
        if (!manifest.take(std::string_view(buffer).substr(0, got))) return;
    manifest.finish();
}

}  // namespace tracelint
