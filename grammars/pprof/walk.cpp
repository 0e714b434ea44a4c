// pprof, section 4: the walk over the top-level fields of a file.
#include "grammars/pprof/walk.hpp"

#include "grammars/pprof/pprof.hpp"

namespace tracelint::pprof {

using protobuf::Fault, protobuf::WireType;

namespace {

constexpr uint64_t kFarthest = 65'536;  // bytes from a fault to where the walk resumes
constexpr uint64_t kLookAhead = 4'096;  // bytes that are looked at there
constexpr uint64_t kZerosAtOnce = 65'536;

constexpr Symbol symbol_of(Fault fault) {
    switch (fault) {
        case Fault::cut: return Symbol::cut;
        case Fault::too_long: return Symbol::long_varint;
        case Fault::overflow: return Symbol::overflow;
        case Fault::wire_type_invalid: return Symbol::invalid_wire_type;
        case Fault::group: return Symbol::group;
        case Fault::number_zero: return Symbol::number_zero;
        case Fault::number_too_large: return Symbol::large_number;
        case Fault::prefix_too_long: return Symbol::long_prefix;
        default: return Symbol::type_mismatch;
    }
}

}  // namespace

Symbol Walk::look() {
    if (state_ == State::resume) return resumption_ ? Symbol::plausible : Symbol::implausible;
    if (mode_ == WalkMode::fast && !has_nested_fault_) take_lane();
    return has_nested_fault_ ? Symbol::nested_fault : look_at_field();
}

// Whether the delimited field at the cursor ends inside the file. Brings it into view unless a limit forbids it.
bool Walk::fits() {
    const uint64_t end = saturating_add(field_.value.at + field_.value.size, field_.content);
    const uint64_t most = std::max<uint64_t>(context_.limits.record, protobuf::kLongestHead);
    const uint64_t wanted = std::min(end, most),
                   seen = std::max<uint64_t>(window_.affordable(wanted), protobuf::kLongestHead);
    bytes_ = window_.view(offset_, seen);
    // What is in view by chance is not read beyond a limit: other chunks would show less.
    if (end <= seen || bytes_.size() < seen) return bytes_.size() >= end;
    is_too_large_ = true;
    return window_.reaches(saturating_add(offset_, end));
}

Symbol Walk::look_at_field() {
    context_.work.add(1);
    is_too_large_ = false;
    bytes_ = window_.view(offset_, protobuf::kLongestHead);
    if (bytes_.empty()) return offset_ == 0 ? Symbol::nothing : Symbol::end_of_file;
    field_ = protobuf::read_head(kProfile, bytes_, 0);
    if (field_.fault == Fault::none && field_.wire == WireType::delimited) judge_end(field_, fits());
    if (field_.fault != Fault::none) return symbol_of(field_.fault);
    if (is_too_large_) return Symbol::large_field;
    if (field_.member == nullptr) return Symbol::unknown_field;
    if (field_.wire == WireType::varint) return Symbol::number;
    if (field_.member->meaning == Meaning::message) return Symbol::message;
    return field_.member->meaning == Meaning::text ? Symbol::string : Symbol::numbers;
}

// The end of the file is known where a field is cut: it was looked for.
void Walk::report(const Rule& rule, Symbol symbol) {
    if (symbol == Symbol::nothing) return context_.report.add(rule, {.offset = offset_});
    if (field_.is_tag_padded)
        messages_.report_padding(moved(field_.tag), protobuf::fewest_bytes(field_.number << 3), index_);
    Part faulty = moved(field_.faulty);
    if (symbol == Symbol::cut) faulty.size = window_.size() - offset_;
    if (symbol == Symbol::number_zero && field_.wire == WireType::varint) {
        resumption_ = behind_zeros();
        faulty.size = fault_end_ - offset_;
    }
    messages_.report_fault(rule, field_, faulty, index_);
}

void Walk::accept(Symbol symbol) {
    if (symbol == Symbol::plausible) return void(offset_ = *resumption_);
    if (symbol == Symbol::large_field) return pass_unread();
    if (symbol == Symbol::nested_fault) return resume_behind_message();
    if (field_.is_tag_padded)
        messages_.report_padding(moved(field_.tag), protobuf::fewest_bytes(field_.number << 3), index_);
    if (field_.is_value_padded)
        messages_.report_padding(moved(field_.value), protobuf::fewest_bytes(field_.content), index_);
    const uint64_t from = field_.value.at + field_.value.size;
    const auto payload = [&] { return bytes_.subspan(from, field_.content); };
    bool is_whole = true;
    switch (symbol) {
        case Symbol::message:
            is_whole = messages_.read_message(*field_.member, whole(), payload(), offset_ + from, index_);
            break;
        case Symbol::numbers:
            is_whole = messages_.read_numbers(*field_.member, whole(), payload(), offset_ + from, index_);
            break;
        case Symbol::string: messages_.read_string(whole(), payload(), offset_ + from, index_); break;
        case Symbol::number:
            messages_.read_number(*field_.member, whole(), moved(field_.value), field_.content, index_);
            break;
        default: messages_.report_unknown(kProfile, field_.number, whole(), index_); break;
    }
    has_nested_fault_ = !is_whole;
    offset_ += field_.end();
    ++index_;
}

// A field that a limit keeps out of view. There may be a fault in it, so that the walk continues as after one.
void Walk::pass_unread() {
    messages_.skip_unread(field_.member, whole(), index_);
    offset_ += field_.end();
    ++index_;
    resume_here();
}

// The cursor is after the message, whose fault was reported when it was read.
void Walk::resume_behind_message() {
    has_nested_fault_ = false;
    resume_here();
}

void Walk::resume_here() { resumption_ = is_plausible_at(offset_) ? std::optional(offset_) : std::nullopt; }

// Section 4.1. The cursor is at the field with the fault.
void Walk::skip(Symbol symbol) {
    ++index_;
    if (kProfile.find(field_.number) != nullptr) messages_.certainty().lose(field_.number);
    if (symbol == Symbol::number_zero && field_.wire == WireType::varint) {
        messages_.certainty().has_gap = true;
        return;  // report() has looked behind the zeros
    }
    resumption_ = field_.has_tag ? behind_value() : std::nullopt;
}

bool Walk::is_plausible_at(uint64_t offset) {
    const Bytes ahead = window_.view(offset, kLookAhead);
    return protobuf::is_plausible(kProfile, ahead.first(std::min<uint64_t>(ahead.size(), kLookAhead)), 0,
                                  ahead.size() < kLookAhead);
}

std::optional<uint64_t> Walk::behind_zeros() {
    fault_end_ = offset_;
    while (true) {
        const Bytes ahead = window_.view(fault_end_, kZerosAtOnce);
        const Bytes zeros = ahead.first(std::min<uint64_t>(ahead.size(), kZerosAtOnce));
        const bool is_all = ahead.size() < kZerosAtOnce;
        const uint64_t end = protobuf::end_of_zeros(zeros, 0, is_all);
        fault_end_ += end;
        if (is_all || zeros.size() - end >= protobuf::kLongestHead) break;
    }
    return is_plausible_at(fault_end_) ? std::optional(fault_end_) : std::nullopt;
}

std::optional<uint64_t> Walk::behind_value() {
    if (is_too_large_) {
        note_limit(context_, offset_);
        return std::nullopt;
    }
    const Bytes all = window_.view(offset_, kFarthest + kLookAhead);
    const Bytes bytes = all.first(std::min<uint64_t>(all.size(), kFarthest + kLookAhead));
    const auto try_as = [&](WireType wire) -> std::optional<uint64_t> {
        const uint64_t end = protobuf::end_of_value(bytes, field_.value.at, wire);
        if (end == kNone || end > kFarthest) return std::nullopt;
        const bool is_end = bytes.size() - end < kLookAhead;
        const Bytes ahead = bytes.subspan(end, std::min<uint64_t>(bytes.size() - end, kLookAhead));
        return protobuf::is_plausible(kProfile, ahead, 0, is_end) ? std::optional(offset_ + end) : std::nullopt;
    };
    if (const auto found = try_as(field_.wire)) return found;
    const Member* const member = kProfile.find(field_.number);
    if (member == nullptr || member->own_wire_type() == field_.wire) return std::nullopt;
    return try_as(member->own_wire_type());
}

void Walk::stop(Symbol symbol) {
    // The data that the container lost may be what the file lacks.
    if (symbol == Symbol::implausible || window_.ended_early()) messages_.certainty().is_stopped = true;
    if (symbol == Symbol::implausible) context_.left_at = offset_;
    context_.statistics.emplace_back("records", index_);
    if (index_ != 0) messages_.finish(offset_);
}

void validate_file(Window& window, ValidationContext& context, WalkMode mode) { Walk(window, context, mode).run(); }

void validate(Window& window, ValidationContext& context) { validate_file(window, context, WalkMode::fast); }

}  // namespace tracelint::pprof
