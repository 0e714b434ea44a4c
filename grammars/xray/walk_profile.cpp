// XRay, section 3.6: the walk over a profile.
//
// A profile is a list of blocks, one for each thread, and a block is a list of paths: function ids from the leaf to the
// root, a 0, and two counters. The size of a block says where the next one begins.
//
// There is no machine: a block cannot be mistaken for anything else, and a wrong size ends the walk. Inside a block, a
// path without its end takes the rest of the block. Paths are compared within their block only
// (checks/profile_paths.hpp), in which each path must occur once and every caller must have a path of its own.
#include "grammars/xray/xray.hpp"

#include "grammars/xray/checks/profile_paths.hpp"
#include "grammars/xray/checks/threads.hpp"

namespace tracelint::xray {
namespace {

using Block = View<kProfileBlock>;

constexpr uint64_t kBlockHeader = fixed_size(kProfileBlock);
constexpr uint64_t kIdSize = fixed_size(kPathStep);
constexpr uint64_t kCountersSize = fixed_size(kPathCounters);

class ProfileWalk {
  public:
    ProfileWalk(Window& window, ValidationContext& context, ByteOrder order)
        : window_(window),
          context_(context),
          report_(context.report),
          order_(order),
          paths_(context.budget, context.work) {}

    void run();

  private:
    bool take_header();
    bool take_block();
    void refuse_size(const Block& block, std::string_view hint);
    void check_number(const Block& block);
    void check_paths(Bytes block);
    uint64_t find_end(Bytes block, uint64_t start) const;
    void add_path(Bytes block, uint64_t start, uint64_t ids);
    void check_counters(Bytes block, uint64_t start);
    void compare_paths(Bytes block, bool orphans);
    void stop_tracking_paths(Bytes block);

    Block block_at(const uint8_t* data) const { return {data, offset_, order_, index_}; }
    // Record `number` of the block, `start` bytes into it.
    template <const auto& R>
    View<R> part(Bytes block, uint64_t start, uint64_t number) const {
        return {block.data() + start, offset_ + start, order_, index_, Block::field<"records">(), number};
    }

    Window& window_;
    ValidationContext& context_;
    Report& report_;
    const ByteOrder order_;
    ProfilePaths paths_;
    bool paths_tracked_ = true;  // false once the budget is spent
    bool large_block_seen_ = false;

    uint64_t offset_ = 0;             // of the current block, in the file
    uint64_t index_ = 0;              // its place in the file
    uint64_t number_before_ = kNone;  // block_number of the previous block
    uint64_t path_count_ = 0;         // in the current block
    uint64_t all_paths_ = 0;
};

void ProfileWalk::run() {
    if (!take_header()) return;
    offset_ = fixed_size(kProfileHeader);
    while (take_block()) ++index_;
    context_.statistics.emplace_back("records", index_);
    context_.statistics.emplace_back("paths", all_paths_);
}

constexpr Rule kProfileTruncatedHeader{
    .id = "xray/profile-truncated-header",
    .severity = Severity::error,
    .statement = "a profile has a complete header of 32 bytes",
    .message = "the file ends inside its header, after {0} of its 32 bytes",
    .why = "there is nothing to read; the writer was killed or the disk was full",
    .spec = "3.6 Profile files",
    .since = "0.1.0",
    .about_end = true,
};

constexpr Rule kProfileBadVersion{
    .id = "xray/profile-bad-version",
    .severity = Severity::error,
    .statement = "the version of a profile is 0x20180424",
    .message = "version is {0x}; expected 0x20180424, the only one ever written",
    .why = "the layout of the blocks is unknown; the rest is not checked",
    .spec = "3.6 Profile files",
    .since = "0.1.0",
};

// False: nothing after the header can be checked.
bool ProfileWalk::take_header() {
    const Bytes bytes = window_.view(0, fixed_size(kProfileHeader));
    const View<kProfileHeader> header(bytes.data(), 0, order_, kNone);
    context_.identity = {std::nullopt, order_, std::nullopt};
    if (bytes.size() < fixed_size(kProfileHeader)) {
        report_.add<kProfileTruncatedHeader>(header.whole(bytes.size()), {bytes.size()});
        return false;
    }
    const uint64_t version = header.get<"version">();
    context_.identity.format_version = version;
    if (version != kProfileVersion) {
        report_.add<kProfileBadVersion>(header.place<"version">(), {version});
        return false;
    }
    return !ends_after_header(window_, report_, kProfileHeader);
}

constexpr Rule kProfileTrailingBytes{
    .id = "xray/profile-trailing-bytes",
    .severity = Severity::error,
    .statement = "the file ends where a block ends",
    .message = "{0 byte is|bytes are} left where a block should begin, but its header has 16",
    .why = "LLVM's profile loader refuses them; the file was cut, or the size of a block is wrong",
    .spec = "3.6 Profile files",
    .since = "0.1.0",
    .about_end = true,
};

// Checks the block at the cursor. False at the end, or if the next block cannot be found.
bool ProfileWalk::take_block() {
    Bytes bytes = window_.view(offset_, kBlockHeader);
    if (bytes.empty()) return false;
    const Block header = block_at(bytes.data());
    if (bytes.size() < kBlockHeader) {
        report_.add<kProfileTrailingBytes>(header.whole(bytes.size()), {bytes.size()});
        return false;
    }
    std::array<uint8_t, kBlockHeader> kept{};
    std::copy_n(bytes.data(), kBlockHeader, kept.data());
    const Block block = block_at(kept.data());
    const uint64_t size = block.get<"block_size">();
    if (size < kBlockHeader) {
        refuse_size(block, "the size includes the block's own header of 16 bytes");
        return false;
    }
    const bool too_large = size > context_.limits.record || window_.affordable(size) < size;
    if (!too_large) bytes = window_.view(offset_, size);
    if (too_large ? !window_.reaches(offset_ + size) : bytes.size() < size) {
        refuse_size(block, "the file ends before the block does: it was cut, or the size is wrong");
        return false;
    }
    check_number(block);
    if (!too_large)
        check_paths(bytes.first(size));
    else if (!std::exchange(large_block_seen_, true))
        report_unread(context_, block.whole(0), size);
    offset_ += size;
    return true;
}

constexpr Rule kProfileBlockSize{
    .id = "xray/profile-block-size",
    .severity = Severity::error,
    .statement = "the size of a block includes its header and does not exceed the file",
    .message = "block_size is {0}, which is not the size of a block that the file holds",
    .why = "the next block cannot be found: everything from here on is lost",
    .spec = "3.6 Profile files",
    .since = "0.1.0",
    .about_end = true,
};

void ProfileWalk::refuse_size(const Block& block, std::string_view hint) {
    context_.left_at = offset_;
    report_.add({.rule = &kProfileBlockSize,
                 .place = block.place<"block_size">(),
                 .numbers = {block.get<"block_size">()},
                 .hint = hint});
}

constexpr Rule kProfileBlockNumber{
    .id = "xray/profile-block-number",
    .severity = Severity::warning,
    .statement = "blocks are numbered from 0 in the order of the file",
    .message = "block_number is {0}; expected {1}, the block's place in the file",
    .why = "blocks are missing, or several profiles were joined",
    .spec = "3.6 Profile files",
    .since = "0.1.0",
};

void ProfileWalk::check_number(const Block& block) {
    const uint64_t number = block.get<"block_number">();
    if (number != index_ && number != number_before_ + 1)
        report_.add<kProfileBlockNumber>(block.place<"block_number">(), {number, index_});
    number_before_ = number;
}

// --- The paths of a block ----------------------------------------------------------------------------------

constexpr Rule kProfileEmptyBlock{
    .id = "xray/profile-empty-block",
    .severity = Severity::error,
    .statement = "a block holds at least one path",
    .message = "the block ends after its header",
    .why = "LLVM's profile loader refuses the whole file",
    .spec = "3.6 Profile files",
    .since = "0.1.0",
};

constexpr Rule kProfileUnterminatedPath{
    .id = "xray/profile-unterminated-path",
    .severity = Severity::error,
    .statement = "a path ends with function id 0 inside its block",
    .message = "the path does not end: no function id in the {0 byte|bytes} left in the block is 0",
    .why = "readers run into the next block and read its header as function ids",
    .spec = "3.6 Profile files",
    .since = "0.1.0",
};

constexpr Rule kProfileEmptyPath{
    .id = "xray/profile-empty-path",
    .severity = Severity::error,
    .statement = "a path has at least one function",
    .message = "the path has no function",
    .why = "readers find a count without a function; usually bytes before the path are missing or surplus",
    .spec = "3.6 Profile files",
    .since = "0.1.0",
};

constexpr Rule kProfileTruncatedData{
    .id = "xray/profile-truncated-data",
    .severity = Severity::error,
    .statement = "call_count and cumulative_local_time follow a path inside its block",
    .message = "the block ends {0 byte|bytes} after the path, but its counters have 16",
    .why = "readers take the counters from the next block",
    .spec = "3.6 Profile files",
    .since = "0.1.0",
};

void ProfileWalk::check_paths(Bytes block) {
    if (block.size() == kBlockHeader)
        return report_.add<kProfileEmptyBlock>(block_at(block.data()).whole(kBlockHeader));
    paths_.clear();
    path_count_ = 0;
    bool orphans = true;
    for (uint64_t start = kBlockHeader; start < block.size(); ++path_count_) {
        const View<kPath> path = part<kPath>(block, start, path_count_);
        const uint64_t end = find_end(block, start);
        if (end == kNone) {
            const uint64_t left = block.size() - start;
            report_.add<kProfileUnterminatedPath>(path.place<"path">(0, left), {left});
            break;
        }
        const uint64_t counters = end + kIdSize, left = block.size() - counters;
        if (left < kCountersSize) {
            report_.add<kProfileTruncatedData>(path.part(counters - start, left), {left});
            break;
        }
        if (end == start) {
            report_.add<kProfileEmptyPath>(path.place<"path">(0, kIdSize));
            orphans = false;  // the walk may be out of step, so that paths are missing
            break;
        }
        add_path(block, start, (end - start) / kIdSize);
        check_counters(block, counters);
        start = counters + kCountersSize;
    }
    all_paths_ += path_count_;
    compare_paths(block, orphans);
}

// Offset in the block of the 0 that ends the path; kNone if the block ends before it.
uint64_t ProfileWalk::find_end(Bytes block, uint64_t start) const {
    for (uint64_t at = start; block.size() - at >= kIdSize; at += kIdSize)
        if (View<kPathStep>(block.data() + at, at, order_, 0).get<"function_id">() == 0) return at;
    return kNone;
}

void ProfileWalk::add_path(Bytes block, uint64_t start, uint64_t ids) {
    if (paths_tracked_ && !paths_.add({static_cast<uint32_t>(start), static_cast<uint32_t>(ids)}))
        stop_tracking_paths(block);
}

constexpr Rule kProfileZeroCount{
    .id = "xray/profile-zero-count",
    .severity = Severity::warning,
    .statement = "call_count is positive",
    .message = "call_count is 0",
    .why = "readers that compute means divide by it; the runtime omits paths that were not called",
    .spec = "3.6 Profile files",
    .since = "0.1.0",
    .severity_override =
        SeverityOverride{.severity = Severity::note,
                         .when = "the path was called, but its own time is 0",
                         .message = "cumulative_local_time is 0",
                         .why = "the function took less than the clock can resolve, or the clock stood still"},
};

void ProfileWalk::check_counters(Bytes block, uint64_t start) {
    const auto counters = part<kPathCounters>(block, start, path_count_);
    if (counters.get<"call_count">() == 0) return report_.add<kProfileZeroCount>(counters.place<"call_count">());
    if (counters.get<"cumulative_local_time">() == 0)
        report_.add_overridden<kProfileZeroCount>(counters.place<"cumulative_local_time">());
}

constexpr Rule kProfileDuplicatePath{
    .id = "xray/profile-duplicate-path",
    .severity = Severity::note,
    .statement = "a path occurs once in a block",
    .message = "the same path occurs earlier in the block",
    .why = "readers must add up the two; the runtime starts a new tree each time a thread's call stack becomes empty",
    .spec = "3.6 Profile files",
    .since = "0.1.0",
};

constexpr Rule kProfileOrphanPath{
    .id = "xray/profile-orphan-path",
    .severity = Severity::note,
    .statement = "the path of a leaf's caller is also in the block",
    .message = "the block lacks the path of this path's caller",
    .why = "the time of the caller is unknown; the writer emits every node of its call tree",
    .spec = "3.6 Profile files",
    .since = "0.1.0",
};

void ProfileWalk::compare_paths(Bytes block, bool orphans) {
    if (!paths_tracked_) return;
    if (!paths_.compare(block)) return stop_tracking_paths(block);
    for (const ProfilePaths::Fault& fault : paths_.faults()) {
        if (!fault.is_twice && !orphans) continue;
        const ProfilePaths::Path& path = paths_[fault.path];
        report_.add(fault.is_twice ? kProfileDuplicatePath : kProfileOrphanPath,
                    part<kPath>(block, path.start, fault.path).place<"path">(0, kIdSize * path.ids));
    }
}

void ProfileWalk::stop_tracking_paths(Bytes block) {
    paths_.clear();
    stop_tracking(context_, paths_tracked_, block_at(block.data()).whole(0));
}

}  // namespace

void validate_profile(Window& window, ValidationContext& context, ByteOrder order) {
    ProfileWalk(window, context, order).run();
}

constinit const RuleList kProfileRules =
    rules<&kProfileTruncatedHeader, &kProfileBadVersion, &kProfileTrailingBytes, &kProfileBlockSize,
          &kProfileBlockNumber, &kProfileEmptyBlock, &kProfileUnterminatedPath, &kProfileEmptyPath,
          &kProfileTruncatedData, &kProfileZeroCount, &kProfileDuplicatePath, &kProfileOrphanPath>;

}  // namespace tracelint::xray
