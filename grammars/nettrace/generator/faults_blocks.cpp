// Planted faults of blocks, stacks and label lists.
#include "grammars/nettrace/generator/faults.hpp"

namespace tracelint::nettrace::faults {
namespace {

std::optional<size_t> choose_event_header(const FileRecords& file, Random& random) {
    return choose(file, random, kEventBlock, any);
}

// The place of the size of the block.
Planted at_size(const FileRecords& file, const BlockRecords& block) {
    const size_t at = size_record_of(file, block);
    return is_plain(file) ? at_bytes(at, 0, 4) : at_field(at, "size");
}

std::vector<RecordValues> stack_content(const FileRecords& file, uint64_t first, uint64_t count, uint64_t there,
                                        uint64_t size = 0) {
    std::vector<RecordValues> content{made(file, kStackBlock, bytes_of_number(first, 4) + bytes_of_number(count, 4))};
    for (uint64_t i = 0; i < there; ++i)
        content.push_back(made(file, kStack, bytes_of_number(size, 4) + std::string(size, '\1')));
    return content;
}

bool has_stacks(const FileRecords& file) { return !is_netperf(file) && end_of(file) != file.size(); }

// A block of stacks before the end of the stream, behind the last sequence point.
std::optional<size_t> append_stacks(FileRecords& file, std::vector<RecordValues> content) {
    if (!has_stacks(file)) return std::nullopt;
    return insert_block(file, end_of(file), Kind::stacks, std::move(content));
}

std::optional<size_t> append_labels(FileRecords& file, uint64_t first, uint64_t count,
                                    const std::vector<std::string>& labels) {
    if (!is_plain(file) || end_of(file) == file.size()) return std::nullopt;
    std::vector<RecordValues> content{made(file, kLabelBlock, bytes_of_number(first, 4) + bytes_of_number(count, 4))};
    for (const std::string& label : labels) content.push_back(made(file, kLabel, label));
    return insert_block(file, end_of(file), Kind::labels, std::move(content));
}

std::optional<uint64_t> pointer_size_of(const FileRecords& file) {
    for (const RecordValues& record : file)
        if (record.record == &kTrace) return record.number("pointer_size");
    return std::nullopt;
}

// A record that is cut may lack its padding, and only events of version 3 have any.
bool has_padding(const RecordValues& record) {
    const Value* const padding = record.find("padding");
    return padding != nullptr && !padding->text.empty();
}

// clang-format off
constexpr FaultRow kBlockRows[] = {
    {"nettrace/padding-nonzero", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto at = choose(file, random, kBlockStart, [&](size_t i) { return has_padding(file[i]); });
        if (!at) return std::nullopt;
        pick_of(random, file[*at].find("padding")->text) = static_cast<char>(between(random, 1, 255));
        return at_field(*at, "padding");
    }},
    {"nettrace/padding-nonzero", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto at = choose(file, random, kOldStack, [&](size_t i) { return has_padding(file[i]); });
        if (!at) return std::nullopt;
        pick_of(random, file[*at].find("padding")->text) = static_cast<char>(between(random, 1, 255));
        return at_field(*at, "padding");
    }},
    {"nettrace/block-header-size", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto at = choose_event_header(file, random);
        if (!at) return std::nullopt;
        file[*at].set("header_size", one_in(random, 2) ? below(random, 20) : 0xffff);
        return at_field(*at, "header_size");
    }},
    {"nettrace/block-header-size", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto at = choose(file, random, kMetadataStart, any);
        if (!at) return std::nullopt;
        file[*at].set("header_size", 0xffff);
        return at_field(*at, "header_size");
    }},
    {"nettrace/block-flags", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto at = choose_event_header(file, random);
        if (!at) return std::nullopt;
        file[*at].set("flags", file[*at].number("flags") + 2 * between(random, 1, 1000));
        return at_field(*at, "flags");
    }},
    {"nettrace/empty-block", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto block = choose_block(file, random, Kind::events, [&](const BlockRecords& b) { return file[b.begin].record == &kEventBlock; });
        if (!block) return std::nullopt;
        erase(file, block->begin + 1, block->end);
        update_blocks(file);
        return at_size(file, *block);
    }},
    {"nettrace/block-time-range", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto at = choose_event_header(file, random);
        if (!at) return std::nullopt;
        file[*at].set("smallest_time", file[*at].number("largest_time") == kNone ? kNone : file[*at].number("largest_time") + 1);
        if (file[*at].number("smallest_time") == kNone) file[*at].set("largest_time", kNone - 1);
        Planted planted = at_field(*at, "smallest_time");
        planted.length = 16;
        return planted;
    }},
    {"nettrace/stack-size", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto at = choose(file, random, kStack, any);
        if (!at) return std::nullopt;
        file[*at].set("stack_size", between(random, 0x10000000, 0xffffffff));
        return at_field(*at, "stack_size");
    }},
    {"nettrace/stack-size", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto at = choose(file, random, kOldStack, any);
        if (!at) return std::nullopt;
        file[*at].set("stack_size", between(random, 0x10000000, 0xffffffff));
        return at_field(*at, "stack_size");
    }},
    {"nettrace/stack-size-unaligned", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto at = choose(file, random, kStack, any);
        const auto pointers = pointer_size_of(file);
        if (!at || !pointers || (*pointers != 4 && *pointers != 8)) return std::nullopt;
        file[*at].find("stack")->text += std::string(between(random, 1, 3), '\5');
        update_sizes(file[*at]);
        update_blocks(file);
        return at_field(*at, "stack_size");
    }},
    {"nettrace/stack-too-large", [](FileRecords& file, Random&) -> std::optional<Planted> {
        const auto content = append_stacks(file, stack_content(file, 1, 1, 1, 65'528));
        if (!content) return std::nullopt;
        return at_field(*content + 1, "stack_size");
    }},
    {"nettrace/stack-count", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto at = choose(file, random, kStackBlock, any);
        if (!at) return std::nullopt;
        file[*at].set("count", file[*at].number("count") + between(random, 1, 0x7fffffff));
        return at_field(*at, "count");
    }},
    {"nettrace/duplicate-stack-id", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const uint64_t first = between(random, 1, 3);
        if (!append_stacks(file, stack_content(file, 1, 3, 3))) return std::nullopt;
        const auto content = append_stacks(file, stack_content(file, first, 1, 1));
        return at_field(*content, "first_id");
    }},
    {"nettrace/stack-id-zero", [](FileRecords& file, Random&) -> std::optional<Planted> {
        const auto content = append_stacks(file, stack_content(file, 0, 1, 1));
        if (!content) return std::nullopt;
        return at_field(*content, "first_id");
    }},
    {"nettrace/label-first-index", [](FileRecords& file, Random&) -> std::optional<Planted> {
        const auto content = append_labels(file, 0, 1, {"\x87\1"});
        if (!content) return std::nullopt;
        return at_field(*content, "first_index");
    }},
    {"nettrace/label-count", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const bool is_open = one_in(random, 2);
        const auto content = append_labels(file, 1, is_open ? 1 : 2, {is_open ? "\7\1" : "\x87\1"});
        if (!content) return std::nullopt;
        return at_field(*content, "count");
    }},
    {"nettrace/unknown-label-kind", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto content = append_labels(file, 1, 1, {std::string(1, static_cast<char>(0x80 | between(random, 11, 127)))});
        if (!content) return std::nullopt;
        return at_bytes(*content + 1, 0, 1);
    }},
};
// clang-format on

}  // namespace

constinit const FaultList kBlockFaults{kBlockRows};

}  // namespace tracelint::nettrace::faults
