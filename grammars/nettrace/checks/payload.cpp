#include "grammars/nettrace/checks/payload.hpp"

#include "grammars/nettrace/checks/part_reader.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint::nettrace {
namespace {

using Step = PayloadStep;
using How = PayloadEnd::How;

// The fewest bytes that the steps take.
uint64_t least_bytes(PayloadSteps steps) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < steps.size(); ++i) {
        const Step& step = steps[i];
        switch (step.kind) {
            case Step::Kind::bytes: bytes = saturating_add(bytes, step.count); break;
            case Step::Kind::text:
            case Step::Kind::array: bytes += 2; break;
            case Step::Kind::varint: ++bytes; break;
            case Step::Kind::fixed_array: ++bytes; break;  // elements take a byte or more
            case Step::Kind::unknown: return bytes + 1;
        }
        i += step.body;
    }
    return bytes;
}

// Walks a payload. Arrays nest as deep as types do, 32 at most.
class PayloadWalk {
  public:
    PayloadWalk(Bytes payload, WorkCounter& work) : payload_(payload), work_(work) {}

    How run(PayloadSteps steps) {
        for (size_t i = 0; i < steps.size(); ++i) {
            const Step& step = steps[i];
            work_.add(1);
            const PayloadSteps body = steps.subspan(i + 1, step.body);
            i += step.body;
            const How how = take(step, body);
            if (how != How::known) return how;
        }
        return How::known;
    }
    uint64_t size() const { return at_; }

  private:
    How take(const Step& step, PayloadSteps body) {
        switch (step.kind) {
            case Step::Kind::bytes: return pass(step.count);
            case Step::Kind::text: return pass_text();
            case Step::Kind::varint: return pass_varint();
            case Step::Kind::array: {
                if (left() < 2) return pass(2);
                const uint64_t count = load(payload_.data() + at_, 2, ByteOrder::little);
                at_ += 2;
                return repeat(count, body);
            }
            case Step::Kind::fixed_array: return repeat(step.count, body);
            default: return How::unknown;
        }
    }

    How repeat(uint64_t count, PayloadSteps body) {
        if (body.size() == 1 && body[0].kind == Step::Kind::bytes) return pass(count * body[0].count);
        for (uint64_t i = 0; i < count; ++i)
            if (const How how = run(body); how != How::known) return how;
        return How::known;
    }

    How pass(uint64_t bytes) {
        const bool fits = bytes <= left();
        at_ = saturating_add(at_, bytes);
        return fits ? How::known : How::beyond;
    }

    How pass_text() {
        const uint64_t length = length_to_nul16(payload_.subspan(at_));
        work_.add(length == kNone ? left() : length);
        if (length == kNone) return pass(left() + 1);
        return pass(length + 2);
    }

    How pass_varint() {
        const Number number = read_number(payload_.data() + at_, payload_.data() + payload_.size(), true);
        if (number.fault == NumberFault::too_long) return How::unknown;
        if (number.fault == NumberFault::absent || number.fault == NumberFault::cut) return pass(left() + 1);
        return pass(number.length);
    }

    uint64_t left() const { return payload_.size() - at_; }

    Bytes payload_;
    WorkCounter& work_;
    uint64_t at_ = 0;
};

}  // namespace

PayloadEnd end_of_payload(PayloadSteps steps, Bytes payload, WorkCounter& work) {
    PayloadWalk walk(payload, work);
    const How how = walk.run(steps);
    return {how, walk.size()};
}

void PayloadBuilder::add_bytes(uint64_t count) {
    const bool extends = steps_.size() > closed_ && steps_.back().kind == Step::Kind::bytes;
    if (extends)
        steps_[steps_.size() - 1].count += count;
    else
        push({Step::Kind::bytes, count});
}

void PayloadBuilder::add(Step::Kind kind) { push({kind}); }

size_t PayloadBuilder::begin_array(Step::Kind kind, uint64_t count) {
    push({kind, count});
    closed_ = steps_.size();
    return steps_.size() - 1;
}

void PayloadBuilder::end_array(size_t at, uint64_t count) {
    if (!is_complete_) return;
    steps_[at].count = count;
    const size_t body = steps_.size() - at - 1;
    if (least_bytes(steps().subspan(at + 1)) == 0) {
        steps_.keep_first(at);
        push({Step::Kind::unknown});
    } else if (steps_[at].kind == Step::Kind::fixed_array && steps_[at].count == 0) {
        steps_.keep_first(at);  // so that each step takes a byte at least
    } else {
        steps_[at].body = static_cast<uint32_t>(body);
    }
    closed_ = steps_.size();
}

void PayloadBuilder::drop(size_t at) {
    if (!is_complete_) return;
    steps_.keep_first(at);
    closed_ = at;
}

}  // namespace tracelint::nettrace
