// Planted faults of basic mode files and of profiles.
#include "grammars/xray/generator/faults.hpp"

namespace tracelint::xray::faults {

// Planted faults of basic mode files.

namespace {

bool is_basic(const FileRecords& file) {
    return file.size() > 1 && (file[1].record == &kBasicFunction || file[1].record == &kBasicArgument);
}

bool leaves(const RecordValues& record) {
    const uint64_t action = record.number("action");
    return action == kExit || action == kTailExit;
}

bool has_argument(const FileRecords& file, size_t function) {
    return function + 1 < file.size() && file[function + 1].record == &kBasicArgument;
}

// Whether record `i` is a function record of the same thread as function record `function`.
bool is_of_thread(const FileRecords& file, size_t i, size_t function) {
    const auto same = [&](std::string_view field) { return file[i].number(field) == file[function].number(field); };
    return file[i].record == &kBasicFunction && same("thread_id") &&
           (layout_of(file).version < kWithProcesses || same("process_id"));
}

// The record of the same thread before it.
std::optional<size_t> before_of_thread(const FileRecords& file, size_t function) {
    for (size_t i = function; i-- > 1;)
        if (is_of_thread(file, i, function)) return i;
    return std::nullopt;
}

std::optional<size_t> after_of_thread(const FileRecords& file, size_t function) {
    for (size_t i = function + 1; i < file.size(); ++i)
        if (is_of_thread(file, i, function)) return i;
    return std::nullopt;
}

// Whether the thread's TSC would step back without the record. With it, a change of CPU may explain the step.
bool hides_step_back(const FileRecords& file, size_t at) {
    if (file[at].record != &kBasicFunction) return false;
    const auto before = before_of_thread(file, at), after = after_of_thread(file, at);
    return before && after && file[*after].number("tsc") < file[*before].number("tsc");
}

// An argument of the function record.
RecordValues argument_of(const RecordValues& function, Random& random) {
    RecordValues record = decode_values(kBasicArgument, as_bytes(std::string(kBasicSize, '\0')), function.layout, true);
    record.set("type", 1);
    for (const std::string_view field : {"function_id", "thread_id", "process_id"})
        record.set(field, function.number(field));
    record.set("argument", random());
    return record;
}

// Another number of 32 bits.
uint64_t other_than(uint64_t number, Random& random) {
    const uint64_t change = one_in(random, 2) ? uint64_t{1} << below(random, 32) : between(random, 1, 0xffffffff);
    return (number ^ change) & 0xffffffff;
}

constexpr FaultRow kBasicRows[] = {
    {"xray/basic-truncated-record",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!is_basic(file)) return std::nullopt;
         const uint64_t left = between(random, 1, kBasicSize - 1);
         if (one_in(random, 2))
             file.push_back(raw_record(random_bytes(random, left)));
         else
             cut(file, file.size() - 1, left);
         return at_bytes(file.size() - 1, 0, left);
     }},
    {"xray/basic-unknown-record-type",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!is_basic(file)) return std::nullopt;
         const size_t at = between(random, 1, file.size() - 1);
         if (hides_step_back(file, at)) return std::nullopt;
         file[at].set("type", one_in(random, 2) ? 2 : between(random, 2, 0xffff));
         return at_field(at, "type");
     }},
    {"xray/basic-unknown-action",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kBasicFunction, [&](size_t i) { return !hides_step_back(file, i); });
         if (!at) return std::nullopt;
         file[*at].set("action", one_in(random, 2) ? std::size(kActions) : between(random, std::size(kActions), 0xff));
         return at_field(*at, "action");
     }},
    // One or more, before all other records.
    {"xray/basic-arg-without-entry",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!is_basic(file)) return std::nullopt;
         const RecordValues argument = argument_of(pick_of(random, file), random);
         for (uint64_t left = between(random, 1, 3); left > 0; --left) insert(file, 1, argument);
         return at_bytes(1, 0, kBasicSize);
     }},
    {"xray/basic-arg-mismatch",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kBasicArgument, any);
         if (!at) return std::nullopt;
         constexpr std::string_view kFields[] = {"function_id", "thread_id", "process_id"};
         const std::string_view field = kFields[below(random, layout_of(file).version < kWithProcesses ? 2 : 3)];
         file[*at].set(field, other_than(file[*at].number(field), random));
         return at_field(*at, field);
     }},
    // An exit gets an argument, or a function record with an argument becomes an exit.
    {"xray/basic-arg-after-exit",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const bool more = one_in(random, 2);
         const auto at = choose(file, random, kBasicFunction,
                                [&](size_t i) { return more ? leaves(file[i]) : has_argument(file, i); });
         if (!at) return std::nullopt;
         if (more)
             insert(file, *at + 1, argument_of(file[*at], random));
         else
             file[*at].set("action", layout_of(file).version < kWithTailExits || one_in(random, 2) ? kExit : kTailExit);
         return at_bytes(*at + 1, 0, kBasicSize);
     }},
    {"xray/basic-tail-exit-in-v1",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kBasicFunction, [&](size_t i) { return !has_argument(file, i); });
         if (!at || layout_of(file).version >= kWithTailExits) return std::nullopt;
         file[*at].set("action", kTailExit);
         return at_field(*at, "action");
     }},
    {"xray/basic-function-id",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kBasicFunction, [&](size_t i) { return !has_argument(file, i); });
         if (!at) return std::nullopt;
         file[*at].set("function_id", one_in(random, 3) ? 0 : between(random, 0x80000000, 0xffffffff));
         return at_field(*at, "function_id");
     }},
    // On the same CPU as before.
    {"xray/basic-tsc-backwards",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kBasicFunction, [&](size_t i) {
             const auto before = before_of_thread(file, i);
             return before && file[*before].number("cpu") == file[i].number("cpu") && file[*before].number("tsc") > 0;
         });
         if (!at) return std::nullopt;
         const uint64_t before = file[*before_of_thread(file, *at)].number("tsc");
         file[*at].set("tsc", one_in(random, 2) ? before - 1 : below(random, before));
         return at_field(*at, "tsc");
     }},
};

}  // namespace

constinit const FaultList kBasicFaults{kBasicRows};

// Planted faults of profiles.

namespace {

constexpr uint64_t kBlockHeader = fixed_size(kProfileBlock);
constexpr uint64_t kIdSize = fixed_size(kPathStep);
constexpr uint64_t kCountersSize = fixed_size(kPathCounters);

bool is_profile(const FileRecords& file) { return file.front().record == &kProfileHeader; }

// A path of a block, by the indices of its values.
struct Path {
    size_t list;
    size_t ids;       // including the terminating 0
    size_t counters;  // call_count, cumulative_local_time
    size_t end;

    size_t length() const { return counters - ids - 1; }
};

std::vector<Path> paths_of(const RecordValues& block) {
    std::vector<Path> paths;
    for (size_t i = 0; i < block.values.size(); ++i) {
        const Leaf& leaf = block.values[i].leaf;
        if (leaf.kind != Leaf::Kind::list || leaf.field->element != &kPathStep) continue;
        size_t counters = i + 1;
        while (block.values[counters].leaf.record == &kPathStep) ++counters;
        paths.push_back({i, i + 1, counters, counters + 2});
    }
    return paths;
}

Path any_path(const RecordValues& block, Random& random) {
    const std::vector<Path> paths = paths_of(block);
    return pick_of(random, paths);
}

auto value_at(RecordValues& block, size_t value) { return block.values.begin() + static_cast<std::ptrdiff_t>(value); }

std::optional<size_t> any_block(const FileRecords& file, Random& random) {
    return choose(file, random, kProfileBlock, any);
}

// The number of bytes from a block to the end of the file.
uint64_t size_from(const FileRecords& file, size_t block) { return size_of(file, block, file.size()); }

// Ends a block before a value, and appends the bytes.
void end_block(RecordValues& block, size_t value, std::string bytes) {
    block.values.resize(value);
    if (!bytes.empty()) append_raw(block, std::move(bytes));
    update_sizes(block);
}

constexpr FaultRow kProfileRows[] = {
    {"xray/profile-truncated-header",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!is_profile(file)) return std::nullopt;
         const uint64_t left = between(random, 8, fixed_size(kProfileHeader) - 1);
         cut(file, 0, left);
         return at_bytes(0, 0, left);
     }},
    {"xray/profile-bad-version",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!is_profile(file)) return std::nullopt;
         file.front().set("version", kProfileVersion ^ (uint64_t{1} << below(random, 64)));
         return at_field(0, "version");
     }},
    // The size is too small or too large.
    {"xray/profile-block-size",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = any_block(file, random);
         if (!at) return std::nullopt;
         const uint64_t left = size_from(file, *at);
         const uint64_t too_large = one_in(random, 2) ? left + 1 : between(random, left + 1, 0xffffffff);
         file[*at].set("block_size", one_in(random, 2) ? below(random, kBlockHeader) : too_large);
         return at_field(*at, "block_size");
     }},
    // The file ends in the last block, after its header.
    {"xray/profile-block-size",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!is_profile(file)) return std::nullopt;
         const size_t last = file.size() - 1;
         cut(file, last, between(random, kBlockHeader, size_from(file, last) - 1));
         return at_bytes(last, 0, 4);
     }},
    {"xray/profile-block-number",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = any_block(file, random);
         if (!at) return std::nullopt;
         file[*at].set("block_number",
                       file[*at].number("block_number") ^ between(random, 1, one_in(random, 2) ? 3 : 0xffffffff));
         return at_field(*at, "block_number");
     }},
    {"xray/profile-empty-block",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = any_block(file, random);
         if (!at) return std::nullopt;
         end_block(file[*at], paths_of(file[*at]).front().list, {});
         return at_bytes(*at, 0, kBlockHeader);
     }},
    // The block ends after or in an id of its last path.
    {"xray/profile-unterminated-path",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = any_block(file, random);
         if (!at) return std::nullopt;
         const Path path = paths_of(file[*at]).back();
         const uint64_t ids = between(random, 1, path.length()), more = below(random, kIdSize);
         const uint64_t start = offset_of(file[*at], path.ids);
         end_block(file[*at], path.ids + ids, random_bytes(random, more));
         return at_bytes(*at, start, kIdSize * ids + more);
     }},
    // A path has no ids.
    {"xray/profile-empty-path",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = any_block(file, random);
         if (!at) return std::nullopt;
         RecordValues& block = file[*at];
         const Path path = any_path(block, random);
         const uint64_t start = offset_of(block, path.ids);
         block.values.erase(value_at(block, path.ids), value_at(block, path.ids + path.length()));
         update_sizes(block);
         return at_bytes(*at, start, kIdSize);
     }},
    {"xray/profile-truncated-data",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = any_block(file, random);
         if (!at) return std::nullopt;
         const Path path = paths_of(file[*at]).back();
         const uint64_t start = offset_of(file[*at], path.counters), left = below(random, kCountersSize);
         end_block(file[*at], path.counters, random_bytes(random, left));
         return at_bytes(*at, start, left);
     }},
    // Some bytes at the end of the file, or only the start of the last block.
    {"xray/profile-trailing-bytes",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!is_profile(file)) return std::nullopt;
         const uint64_t left = between(random, 1, kBlockHeader - 1);
         if (one_in(random, 2))
             file.push_back(raw_record(random_bytes(random, left)));
         else
             cut(file, file.size() - 1, left);
         return at_bytes(file.size() - 1, 0, left);
     }},
    {"xray/profile-zero-count",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = any_block(file, random);
         if (!at) return std::nullopt;
         const Path path = any_path(file[*at], random);
         file[*at].values[path.counters].leaf.number = 0;
         return at_bytes(*at, offset_of(file[*at], path.counters), 8);
     }},
};

}  // namespace

constinit const FaultList kProfileFaults{kProfileRows};

}  // namespace tracelint::xray::faults
