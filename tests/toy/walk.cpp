// toy, section 4.1: the walk over a file.
//
// run() asks look() for the symbol of the bytes at the cursor, and take() for what the machine (machine.hpp) says about
// it in the current state. take() then calls one of the four functions of the walk: report() for the rule of the edge,
// accept() to check the record and step over it, skip() to step over it unchecked, stop() at the end.
//
// Every walk has this shape. What a format adds is how it classifies (here: by the kind in the prefix of a record),
// where the next record begins, and what its checks remember (here: checks/tasks.cpp).
#include "tests/toy/toy.hpp"

#include "tests/toy/checks/tasks.hpp"
#include "tests/toy/machine.hpp"
#include "tests/toy/records.hpp"
#include "validator/tables/view.hpp"

namespace tracelint::toy {
namespace {

constexpr uint64_t kHeaderSize = fixed_size(kHeader);
constexpr uint64_t kPrefixSize = fixed_size(kPrefix);

class Walk {
  public:
    Walk(Window& window, ValidationContext& context) : window_(window), context_(context), tasks_(context) {}

    void run() {
        while (state_ != State::stopped) take(kMachine, state_, look(), *this);
        context_.statistics.emplace_back("records", index_);
    }

    // What take() calls.
    void report(const Rule& rule, Symbol symbol);
    void accept(Symbol symbol);
    void skip(Symbol) { step_over(); }
    void stop(Symbol symbol) {
        if (symbol == Symbol::end_of_file) tasks_.end();
    }

  private:
    Symbol look() { return state_ == State::header ? look_at_header() : look_at_record(); }
    Symbol look_at_header();
    Symbol look_at_record();
    void step_over();

    // The record at the cursor; only the fields that `bytes_` holds may be read.
    View<kHeader> header() const { return {bytes_.data(), 0, layout_.order, kNone}; }
    View<kPrefix> prefix() const { return {bytes_.data(), offset_, layout_.order, index_}; }

    Window& window_;
    ValidationContext& context_;
    Tasks tasks_;
    State state_ = State::header;
    Layout layout_;
    uint64_t offset_ = 0;  // of the cursor
    uint64_t index_ = 0;   // of the record at the cursor
    Bytes bytes_;          // what look() saw: the whole record, or all that is there
};

Symbol Walk::look_at_header() {
    const Bytes ahead = window_.view(0, kHeaderSize);
    bytes_ = ahead.first(std::min<size_t>(ahead.size(), kHeaderSize));
    const std::optional<ByteOrder> order = order_of(bytes_);
    layout_.order = order.value_or(ByteOrder::little);
    if (!order && bytes_.size() >= sizeof(uint32_t)) return Symbol::foreign_magic;
    if (bytes_.size() < kHeaderSize) return Symbol::cut_header;
    const uint64_t version = header().get<"version">();
    layout_.version = static_cast<uint16_t>(version);
    context_.identity = {version, *order, std::nullopt};
    return version < kOldestVersion || version > kNewestVersion ? Symbol::unknown_version : Symbol::header;
}

Symbol Walk::look_at_record() {
    bytes_ = window_.view(offset_, kPrefixSize);
    if (bytes_.empty()) return Symbol::end_of_file;
    if (bytes_.size() < kPrefixSize) return Symbol::cut_record;
    const uint64_t size = prefix().get<"size">();
    if (size < kPrefixSize) return Symbol::short_size;
    bytes_ = window_.view(offset_, size);
    if (bytes_.size() < size) return Symbol::cut_record;
    bytes_ = bytes_.first(size);
    const Record& record = record_of(prefix().get<"kind">());
    return &record == &kOther ? Symbol::unknown_kind : &record == &kClose ? Symbol::close : Symbol::record;
}

// Reports the rule of an edge. Every edge of the state closed that has one has the same.
void Walk::report(const Rule& rule, Symbol symbol) {
    Report& report = context_.report;
    if (state_ == State::closed)
        return report.add(rule, prefix().whole(std::min<uint64_t>(bytes_.size(), kPrefixSize)));
    switch (symbol) {
        case Symbol::foreign_magic: return report.add(rule, header().place<"magic">(), {header().get<"magic">()});
        case Symbol::unknown_version: return report.add(rule, header().place<"version">(), {layout_.version});
        case Symbol::cut_header: return report.add(rule, header().whole(bytes_.size()), {bytes_.size()});
        case Symbol::unknown_kind: return report.add(rule, prefix().place<"kind">(), {prefix().get<"kind">()});
        case Symbol::short_size: return report.add(rule, prefix().place<"size">(), {prefix().get<"size">()});
        case Symbol::end_of_file: return report.add(rule, {.offset = offset_});
        default: return report.add(rule, prefix().whole(bytes_.size()), {bytes_.size()});  // cut
    }
}

void Walk::accept(Symbol symbol) {
    if (symbol == Symbol::header) {
        read_fields(context_.report, kHeader, {.bytes = bytes_}, layout_);
        offset_ = kHeaderSize;
        return;
    }
    const Record& record = record_of(prefix().get<"kind">());
    if (const auto fields = read_fields(context_.report, record, {bytes_, offset_, index_}, layout_)) {
        if (&record == &kTask) tasks_.introduce(*fields);
        if (&record == &kEvent) tasks_.act(*fields);
    }
    step_over();
}

void Walk::step_over() {
    offset_ += bytes_.size();
    ++index_;
}

}  // namespace

void validate(Window& window, ValidationContext& context) { Walk(window, context).run(); }

}  // namespace tracelint::toy
