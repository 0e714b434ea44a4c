// When a model is ended, and what the result is then.
#include "validator/readers/follow_context.hpp"

namespace tracelint {

bool FollowContext::poll(uint64_t units) {
    if (has_ended()) return false;
    if (is_interrupted_ && is_interrupted_()) {
        was_interrupted_ = true;
        unpolled_ = allowed_ = 0;
        return false;
    }
    const uint64_t missing = units - unpolled_;
    if (missing > allowed_) return stop(Unpredicted::work);
    allowed_ -= missing;
    unpolled_ = std::min(allowed_, kBetweenQuestions);
    allowed_ -= unpolled_;
    return true;
}

Followed follow(const TraceReader& reader, FollowContext& context) {
    if (!context.spend(0)) return NoOpinion();
    const Followed answer = reader.model(context);
    return context.why() ? Followed(*context.why()) : answer;
}

}  // namespace tracelint
