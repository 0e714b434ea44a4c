// xray, section 3.6: profiles.
#include "grammars/xray/profile.hpp"

#include "grammars/xray/profile_paths.hpp"
#include "grammars/xray/tracking_limit.hpp"

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
    template <const Record& R>
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

    uint64_t offset_ = 0;             // of the block
    uint64_t index_ = 0;              // and its number in the file
    uint64_t number_before_ = kNone;  // that the block before says it has
    uint64_t path_count_ = 0;         // of the block
    uint64_t all_paths_ = 0;
};

void ProfileWalk::run() {
    if (!take_header()) return;
    offset_ = fixed_size(kProfileHeader);
    while (take_block()) ++index_;
    context_.statistics.emplace_back("records", index_);
    context_.statistics.emplace_back("paths", all_paths_);
}

constexpr Rule kProfileTruncatedHeader{.id = "xray/profile-truncated-header",
                                       .severity = Severity::error,
                                       .statement = "a profile holds a whole header of 32 bytes",
                                       .message = "the file ends inside its header, after {0} of its 32 bytes",
                                       .why = "there is nothing to read; the writer was killed or the disk was full",
                                       .spec = "3.6 Profile files",
                                       .since = "0.1.0",
                                       .about_end = true};

constexpr Rule kProfileBadVersion{.id = "xray/profile-bad-version",
                                  .severity = Severity::error,
                                  .statement = "the version of a profile is 0x20180424",
                                  .message = "version is {0x}, and only 0x20180424 was ever written",
                                  .why = "the layout of the blocks is not known; nothing more is checked here",
                                  .spec = "3.6 Profile files",
                                  .since = "0.1.0"};

// Rules 70, 71 and 7. False: there is nothing behind it to look at.
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
    .statement = "the file ends with a block",
    .message = "{0 byte is|bytes are} left where a block is due, and its header has 16",
    .why = "the library that loads profiles refuses them; the file was cut, or the size of a block is wrong",
    .spec = "3.6 Profile files",
    .since = "0.1.0",
    .about_end = true};

// Takes the block at the cursor. False: there is none, or none behind it can be found.
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
        refuse_size(block, "it counts the block's own header of 16 bytes");
        return false;
    }
    const bool too_large = size > context_.limits.record;
    if (!too_large) bytes = window_.view(offset_, size);
    if (too_large ? !window_.reaches(offset_ + size) : bytes.size() < size) {
        refuse_size(block, "the file ends before: it was cut, or the size is wrong");
        return false;
    }
    check_number(block);
    if (!too_large)
        check_paths(bytes.first(size));
    else if (!std::exchange(large_block_seen_, true))
        report_unread(context_, block.whole(0));
    offset_ += size;
    return true;
}

constexpr Rule kProfileBlockSize{.id = "xray/profile-block-size",
                                 .severity = Severity::error,
                                 .statement = "the size of a block counts its own header, and ends in the file",
                                 .message = "block_size {0} does not lead to the end of a block",
                                 .why = "the next block cannot be found: everything from here on is lost",
                                 .spec = "3.6 Profile files",
                                 .since = "0.1.0",
                                 .about_end = true};

// Rule 72.
void ProfileWalk::refuse_size(const Block& block, std::string_view hint) {
    report_.add({.rule = &kProfileBlockSize,
                 .place = block.place<"block_size">(),
                 .numbers = {block.get<"block_size">()},
                 .hint = hint});
}

constexpr Rule kProfileBlockNumber{.id = "xray/profile-block-number",
                                   .severity = Severity::warning,
                                   .statement = "blocks are numbered from 0 in the order of the file",
                                   .message = "block_number is {0}, and the block is number {1} of the file",
                                   .why = "blocks are missing, or several profiles were joined",
                                   .spec = "3.6 Profile files",
                                   .since = "0.1.0"};

// Rule 73.
void ProfileWalk::check_number(const Block& block) {
    const uint64_t number = block.get<"block_number">();
    if (number != index_ && number != number_before_ + 1)
        report_.add<kProfileBlockNumber>(block.place<"block_number">(), {number, index_});
    number_before_ = number;
}

// --- The paths of a block ----------------------------------------------------------------------------------

constexpr Rule kProfileEmptyBlock{.id = "xray/profile-empty-block",
                                  .severity = Severity::error,
                                  .statement = "a block holds a path",
                                  .message = "the block ends behind its header",
                                  .why = "LLVM's profile loader refuses the whole file",
                                  .spec = "3.6 Profile files",
                                  .since = "0.1.0"};

constexpr Rule kProfileUnterminatedPath{
    .id = "xray/profile-unterminated-path",
    .severity = Severity::error,
    .statement = "a path ends with function id 0 inside its block",
    .message = "the path does not end: {0 byte is|bytes are} left in the block, and no function id there is 0",
    .why = "readers go on into the next block, whose header they take for function ids",
    .spec = "3.6 Profile files",
    .since = "0.1.0"};

constexpr Rule kProfileEmptyPath{.id = "xray/profile-empty-path",
                                 .severity = Severity::error,
                                 .statement = "a path has a function",
                                 .message = "the path has no function",
                                 .why = "no writer does this; most often bytes before it are missing or too many",
                                 .spec = "3.6 Profile files",
                                 .since = "0.1.0"};

constexpr Rule kProfileTruncatedData{
    .id = "xray/profile-truncated-data",
    .severity = Severity::error,
    .statement = "call_count and cumulative_local_time follow a path inside its block",
    .message = "the block ends {0 byte|bytes} behind the path, and its counters have 16",
    .why = "readers take the counters from the next block",
    .spec = "3.6 Profile files",
    .since = "0.1.0"};

// Rules 74 to 81.
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
            orphans = false;  // the walk may have been out of step before, and it may be now
            break;
        }
        add_path(block, start, (end - start) / kIdSize);
        check_counters(block, counters);
        start = counters + kCountersSize;
    }
    all_paths_ += path_count_;
    compare_paths(block, orphans);
}

// Where the 0 stands that ends the path; kNone if the block ends before.
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
    .statement = "a path was called",
    .message = "call_count is 0",
    .why = "readers that compute means divide by it; a path that was not called is not written",
    .spec = "3.6 Profile files",
    .since = "0.1.0",
    .severity_override =
        SeverityOverride{.severity = Severity::note,
                         .when = "it was called, and its own time is 0",
                         .message = "cumulative_local_time is 0",
                         .why = "the function took less than the clock can tell, or the clock stood still"}};

// Rule 81.
void ProfileWalk::check_counters(Bytes block, uint64_t start) {
    const auto counters = part<kPathCounters>(block, start, path_count_);
    if (counters.get<"call_count">() == 0) return report_.add<kProfileZeroCount>(counters.place<"call_count">());
    if (counters.get<"cumulative_local_time">() == 0)
        report_.add_overridden<kProfileZeroCount>(counters.place<"cumulative_local_time">());
}

constexpr Rule kProfileDuplicatePath{
    .id = "xray/profile-duplicate-path",
    .severity = Severity::note,
    .statement = "a path is in a block once",
    .message = "an earlier path of the block is the same",
    .why = "readers must add the two up; the runtime begins a new tree each time a thread has left all functions",
    .spec = "3.6 Profile files",
    .since = "0.1.0"};

constexpr Rule kProfileOrphanPath{
    .id = "xray/profile-orphan-path",
    .severity = Severity::note,
    .statement = "the caller of a path's leaf has a path of its own in the block",
    .message = "no path of the block is this one without its leaf",
    .why = "the time of the callers is not known; the writer emits every node of its tree of calls",
    .spec = "3.6 Profile files",
    .since = "0.1.0"};

// Rules 79 and 80.
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

namespace {
constexpr const Rule* kRuleList[] = {&kProfileTruncatedHeader, &kProfileBadVersion,    &kProfileBlockSize,
                                     &kProfileBlockNumber,     &kProfileEmptyBlock,    &kProfileUnterminatedPath,
                                     &kProfileEmptyPath,       &kProfileTruncatedData, &kProfileTrailingBytes,
                                     &kProfileDuplicatePath,   &kProfileOrphanPath,    &kProfileZeroCount};
}
constinit const RuleList kProfileRules{kRuleList};

}  // namespace tracelint::xray
