// Where a model is ended, and what counts then.
#include "validator/readers/follow_context.hpp"

namespace tracelint {

bool FollowContext::ask(uint64_t units) {
    if (has_ended()) return false;
    if (is_interrupted_ && is_interrupted_()) {
        was_interrupted_ = true;
        unasked_ = allowed_ = 0;
        return false;
    }
    const uint64_t missing = units - unasked_;
    if (missing > allowed_) return stop(Unfollowed::work);
    allowed_ -= missing;
    unasked_ = std::min(allowed_, kBetweenQuestions);
    allowed_ -= unasked_;
    return true;
}

Followed follow(const TraceReader& reader, FollowContext& context) {
    if (!context.spend(0)) return NoOpinion();
    const Followed said = reader.model(context);
    return context.why() ? Followed(*context.why()) : said;
}

}  // namespace tracelint
