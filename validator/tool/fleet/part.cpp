// Reads parts. What they say is believed only if it agrees with itself.
#include "validator/tool/fleet/part.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "validator/input/system_call.hpp"
#include "validator/tool/inputs/manifest.hpp"
#include "validator/tool/json/text.hpp"

namespace tracelint {
namespace {

constexpr size_t kRead = size_t{64} << 10;  // bytes

class OpenPart {
  public:
    explicit OpenPart(const std::string& path)
        : descriptor_(uninterrupted([&] { return open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); })) {
        if (descriptor_ < 0 || fstat(descriptor_, &status) != 0) {
            const std::string why = std::strerror(errno);
            if (descriptor_ >= 0) close(descriptor_);
            refuse_part(fmt::format("cannot be opened: {}", why));
        }
        if (S_ISREG(status.st_mode)) return;
        close(descriptor_);
        refuse_part("is not a file; a part is read more than once");
    }
    OpenPart(const OpenPart&) = delete;
    OpenPart& operator=(const OpenPart&) = delete;
    ~OpenPart() { close(descriptor_); }

    // Appends up to `bytes` bytes; returns how many.
    size_t read(uint64_t offset, size_t bytes, std::string& to) const {
        const size_t before = to.size();
        to.resize(before + bytes);
        const auto got =
            uninterrupted([&] { return pread(descriptor_, to.data() + before, bytes, static_cast<off_t>(offset)); });
        const int why = errno;
        to.resize(before + (got > 0 ? static_cast<size_t>(got) : 0));
        if (got < 0) refuse_part(fmt::format("cannot be read: {}", std::strerror(why)));
        return static_cast<size_t>(got);
    }

    struct stat status{};

  private:
    int descriptor_;
};

bool is_same(const struct stat& a, const struct stat& b) {
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_size == b.st_size &&
           a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

// The last line without its newline.
std::string last_line(const OpenPart& part) {
    constexpr std::string_view kCut = "is truncated: its last line is not a summary";
    const auto size = static_cast<uint64_t>(part.status.st_size);
    uint64_t start = size;  // of what was looked at
    for (size_t newlines = 0; start > 0 && newlines < 2;) {
        if (size - start > kLongestSummary) refuse_part(std::string(kCut));
        const size_t bytes = static_cast<size_t>(std::min<uint64_t>(start, kRead));
        std::string piece;
        if (part.read(start - bytes, bytes, piece) != bytes) refuse_part("has changed while it was read");
        if (start == size && !piece.ends_with('\n')) refuse_part(std::string(kCut));
        start -= bytes;
        newlines += static_cast<size_t>(std::ranges::count(piece, '\n'));
    }
    std::string line;
    if (start == size || part.read(start, static_cast<size_t>(size - start), line) != size - start)
        refuse_part(std::string(kCut));
    line.pop_back();
    const size_t before = line.rfind('\n');
    return before == line.npos ? line : line.substr(before + 1);
}

// The id as the tables have it, so that it lasts; empty for null.
std::string_view format_id(const PartJson& value) {
    if (value.kind == PartJson::Kind::null) return {};
    const Format* format = value.kind == PartJson::Kind::string ? find_format(value.text) : nullptr;
    if (format == nullptr) refuse_part("names a format that this version does not know");
    return format->id;
}

FormatSum format_sum(const PartJson& json) {
    FormatSum sum{json.number_at("files"), json.number_at("bytes"), {}};
    for (size_t i = 0; i < kVerdicts.size(); ++i) sum.by_verdict[i] = json.number_at(kVerdicts[i]);
    return sum;
}

FindingSum finding_sum(const PartJson& json) {
    FindingSum sum{json.number_at("findings"), json.number_at("files"), {}};
    const std::vector<PartJson>& examples = json.array_at("examples");
    if (examples.size() > Sums::kExamples) refuse_part("has more examples of a rule than tracelint writes");
    for (const PartJson& example : examples)
        sum.examples.push_back({example.number_at("entry"), path_of_text(example.text_at("path"))});
    return sum;
}

Sums parse_sums(const PartJson& json) {
    Sums sums;
    sums.bytes = json.number_at("bytes");
    sums.limited = json.number_at("limited");
    for (const PartJson& one : json.array_at("formats")) sums.formats[format_id(one.at("format"))] = format_sum(one);
    const std::vector<const Rule*> rules = all_rules();
    for (const PartJson& one : json.array_at("totals")) {
        const auto rule = std::ranges::find(rules, one.text_at("rule"), &Rule::id);
        if (rule == rules.end()) refuse_part("names a rule that this version does not know");
        const FindingKind kind{(*rule)->id, format_id(one.at("format")), severity_named(one.text_at("severity"))};
        sums.findings[kind] = finding_sum(one);
    }
    return sums;
}

void parse_shards(const PartJson& json, PartSummary& part) {
    part.shard_count = json.number_at("shard_count");
    const std::vector<PartJson>& shards = json.array_at("shards");
    if (part.shard_count == 0 || part.shard_count > kMostShards || shards.empty())
        refuse_part("has no shards, or too many");
    for (const PartJson& shard : shards) {
        const bool is_next = part.shards.empty() || shard.number > part.shards.back();
        const bool is_number = shard.kind == PartJson::Kind::number;
        if (!is_number || !is_next || shard.number < 1 || shard.number > part.shard_count)
            refuse_part("lists its shards out of order, or one that does not exist");
        part.shards.push_back(shard.number);
    }
}

// The entry that a line begins with, as NdjsonWriter writes it.
std::optional<uint64_t> entry_of(std::string_view line) {
    for (const std::string_view start : {R"({"type":"file","entry":)", R"({"type":"diagnostic","entry":)"}) {
        if (!line.starts_with(start)) continue;
        uint64_t entry = 0;
        const auto [end, error] = std::from_chars(line.data() + start.size(), line.data() + line.size(), entry);
        if (error == std::errc()) return entry;
    }
    return std::nullopt;
}

}  // namespace

Severity severity_named(std::string_view name) {
    for (const Severity severity : {Severity::error, Severity::warning, Severity::note})
        if (to_string(severity) == name) return severity;
    refuse_part("names an unknown severity");
}

PartEnd parse_part_end(std::string_view line) {
    if (!line.starts_with(R"({"type":"summary")")) refuse_part("is truncated: its last line is not a summary");
    const PartJson json = parse_part_json(line);
    if (json.find("incomplete") != nullptr) refuse_part("is from an interrupted run");
    if (json.find("part") == nullptr)
        refuse_part("is not a part of a fleet's results; --manifest with --output ndjson=PART writes those");
    PartEnd end;
    end.version = json.object_at("tool").text_at("version");
    // Another version may have written other members.
    if (end.version != TRACELINT_VERSION)
        refuse_part(fmt::format("was made by tracelint {}; this is {}", printable(end.version), TRACELINT_VERSION));
    end.files = json.number_at("files");
    end.unreadable = json.number_at("unreadable");
    const PartJson& part = json.object_at("part");
    end.part.manifest = part.text_at("manifest");
    end.part.entries = part.number_at("entries");
    end.part.left_out = part.number_at("left_out");
    end.part.options = part.object_at("options").written();
    parse_shards(part, end.part);
    end.part.sums = parse_sums(json);
    return end;
}

std::string difference(const PartEnd& a, const PartEnd& b) {
    if (a.part.manifest != b.part.manifest || a.part.entries != b.part.entries) return "is from another manifest than";
    if (a.part.options != b.part.options) return "was made with other options than";
    if (a.part.shard_count != b.part.shard_count) return "is from a manifest with another number of shards than";
    return {};
}

std::optional<PartEnd> end_of_part(const std::string& path) {
    try {
        return parse_part_end(last_line(OpenPart(path)));
    } catch (const PartFault&) {
        return std::nullopt;
    }
}

PartReader::PartReader(std::string path) : path_(std::move(path)) {
    const OpenPart part(path_);
    opened_ = part.status;
    const std::string line = last_line(part);
    end_ = parse_part_end(line);
    summary_at_ = static_cast<uint64_t>(opened_.st_size) - line.size() - 1;
}

// Fills the buffer up to the next newline. Without the newline; the line stays in the buffer.
std::string_view PartReader::next_line(size_t most) {
    for (size_t searched = used_;;) {
        const size_t newline = buffer_.find('\n', searched);
        if (newline != buffer_.npos) return std::string_view(buffer_).substr(used_, newline - used_);
        if (buffer_.size() - used_ > most) refuse_part("has a line that is longer than any that tracelint writes");
        buffer_.erase(0, used_);
        used_ = 0;
        searched = buffer_.size();
        const OpenPart part(path_);
        if (!is_same(part.status, opened_)) refuse_part("has changed while it was read");
        const uint64_t left = summary_at_ - read_to_;
        const size_t got = part.read(read_to_, static_cast<size_t>(std::min<uint64_t>(left, kRead)), buffer_);
        if (got == 0) refuse_part("has changed while it was read");
        read_to_ += got;
    }
}

std::optional<uint64_t> PartReader::next_entry() {
    if (read_to_ == summary_at_ && used_ == buffer_.size()) return std::nullopt;
    const std::optional<uint64_t> entry = entry_of(next_line(kLongestLine));
    if (!entry) refuse_part("has a line that is neither a finding nor a file of a manifest");
    if (*entry <= entry_) refuse_part(fmt::format("has entry {} after entry {}", *entry, entry_));
    return entry;
}

std::string PartReader::take_lines() {
    std::string lines;
    for (std::optional<uint64_t> first;;) {
        if (read_to_ == summary_at_ && used_ == buffer_.size()) refuse_part("has findings without their file");
        const std::string_view line = next_line(kLongestLine);
        const std::optional<uint64_t> entry = entry_of(line);
        if (!first) first = entry;
        if (!entry || entry != first) refuse_part("has findings without their file");
        if (line.size() + 1 > kLargestFileLines - lines.size()) refuse_part("has too many findings of one file");
        lines.append(line) += '\n';
        const bool is_file = line.starts_with(R"({"type":"file")");
        used_ += line.size() + 1;
        if (!is_file) continue;
        entry_ = *entry;
        return lines;
    }
}

}  // namespace tracelint
