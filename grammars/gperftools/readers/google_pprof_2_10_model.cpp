// google-pprof 2.10, followed through the words of a profile.
#include "grammars/gperftools/readers/google_pprof_2_10_model.hpp"

#include <algorithm>

#include "validator/readers/follow_context.hpp"

namespace tracelint::gperftools {

constinit const Rule kPerlStops{
    .id = "reader/google-pprof-stops",
    .severity = Severity::error,
    .statement = "google-pprof reads headers whose numbers are at most 2^32, and stacks of up to 65,536 frames",
    .message = "google-pprof stops at this word with an error",
    .why =
        "it refuses the whole file; unless a stack really is that deep, the number of words in the header or in an "
        "earlier record is wrong",
    .spec = "grammars/gperftools/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constinit const Rule kPerlSlow{
    .id = "reader/google-pprof-one-stack",
    .severity = Severity::error,
    .statement = "google-pprof reads a profile of a single stack in seconds, however deep it is",
    .message = "google-pprof needs seconds to minutes for a profile of a single stack that is this deep",
    .why =
        "it removes the frames that all stacks share one by one, and copies the remaining frames each time; with a "
        "second, different stack it is fast",
    .spec = "grammars/gperftools/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

namespace {

constexpr uint64_t kDeep = 14'000;                // frames: about ten seconds
constexpr uint64_t kDeepest = 1 << 16;            // frames
constexpr uint64_t kLargest = uint64_t{1} << 32;  // number of a header
constexpr size_t kHeaderWords = 5;

bool is_zero(Bytes bytes) {
    return std::ranges::all_of(bytes, [](uint8_t byte) { return byte == 0; });
}

class GooglePprof {
  public:
    explicit GooglePprof(FollowContext& context) : context_(context) {}

    Followed run() {
        const Bytes start = context_.trace.view(0, 8 * kHeaderWords);
        if (start.size() < 8 * kHeaderWords || start[0] != 0) return NoOpinion();
        if (!find_words(start)) return stop(1);
        if (word(start, 0) != 0) return stop(0);
        uint64_t at = 2 + word(start, 1);
        for (uint64_t index = 2; index <= 3; ++index)
            if (word(start, index) > kLargest) return stop(index);
        if (at > kLargest || at < kHeaderWords) return stop(1);
        for (uint64_t records = 0;; ++records) {
            if (!context_.spend(3 * width_)) return NoOpinion();
            const Bytes record = context_.trace.view(at * width_, 3 * width_);
            if (record.size() < 2 * width_) return end(records);
            const uint64_t frames = word(record, 1);
            if (frames > kDeepest) return stop(at + 1);
            // A first frame of 0 ends the profile.
            if (record.size() >= 3 * width_ && word(record, 2) == 0) return end(records);
            if (records == 0 && frames >= kDeep) deep_ = at;
            at += 2 + frames;
        }
    }

  private:
    // Determines their width and order from the zeros in the first two words. False: they have too few.
    bool find_words(Bytes start) {
        width_ = is_zero(start.first(8)) ? 8 : 4;
        const size_t half = width_ / 2;
        const Bytes second = start.subspan(width_, width_);
        if (!is_zero(second.last(half)) && !is_zero(second.first(half))) return false;
        order_ = is_zero(second.last(half)) ? ByteOrder::little : ByteOrder::big;
        return true;
    }
    uint64_t word(Bytes bytes, uint64_t index) const {
        return load(bytes.data() + index * width_, static_cast<unsigned>(width_), order_);
    }
    Forecast end(uint64_t records) const {
        if (records != 1 || deep_ == kNone) return {};
        return {
            .outcome = ReaderOutcome::may_crash, .rule = &kPerlSlow, .offset = deep_ * width_, .length = 2 * width_};
    }
    Forecast stop(uint64_t index) const {
        return {.outcome = ReaderOutcome::refuses, .rule = &kPerlStops, .offset = index * width_, .length = width_};
    }

    FollowContext& context_;
    size_t width_ = 8;       // bytes of a word
    uint64_t deep_ = kNone;  // the first record, if its stack is deep
    ByteOrder order_ = ByteOrder::little;
};

}  // namespace

Followed follow_google_pprof(FollowContext& context) {
    if (context.file.container != Container::none) return NoOpinion();
    return GooglePprof(context).run();
}

}  // namespace tracelint::gperftools
