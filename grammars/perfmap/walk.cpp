// perf map, section 4.1: the walk over a file of text.
//
// A line is a record: two hexadecimal numbers and a name. look() finds the end of the next line and classifies the line
// as a symbol; the machine (machine.hpp) decides what the symbol means, and take() calls report(), accept(), skip() or
// stop() of the walk. A line that is malformed is reported and skipped. A NUL ends the check, because the file is not
// text from there on.
//
// accept() passes the line to its checks (checks/lines.cpp), and its range to the live code (checks/live_code.cpp),
// where a new function replaces every earlier one that it overlaps.
#include "grammars/perfmap/perfmap.hpp"

#include "grammars/perfmap/checks/lines.hpp"
#include "grammars/perfmap/checks/live_code.hpp"
#include "grammars/perfmap/checks/v8_names.hpp"
#include "grammars/perfmap/machine.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint::perfmap {
namespace {

class Walk {
  public:
    Walk(Window& window, ValidationContext& context) : window_(window), context_(context), live_code_(context) {}

    void run() {
        check_file_name(context_);
        if (context_.facts != nullptr) context_.facts->map.is_present = true;
        while (state_ != State::stopped) take(kMachine, state_, look(), *this);
        live_code_.finish();
        if (!context_.limit_hit) v8_names_.finish(context_);
        if (context_.facts != nullptr) context_.facts->keep_whole(kLimitedParts);
        context_.statistics.emplace_back("records", index_);
        context_.statistics.emplace_back("functions", functions_);
    }

    // What take() calls.
    void report(const Rule& rule, Symbol symbol);
    void accept(Symbol);
    void skip(Symbol symbol);
    void stop(Symbol symbol) {
        if (symbol == Symbol::nul) context_.left_at = offset_;
    }

  private:
    Symbol look();
    Symbol look_at_empty_line();
    Symbol look_at_line(Bytes whole);
    Symbol look_at_long_line(Bytes front);
    Bytes view_line();
    LineInFile line() const {
        return {line_, View<kLine>(nullptr, offset_, ByteOrder::little, index_), is_terminated_};
    }
    void step_over();
    void record_range_fact();

    Window& window_;
    ValidationContext& context_;
    LiveCode live_code_;
    V8Names v8_names_;
    ReportedOnce once_;
    State state_ = State::lines;
    uint64_t offset_ = 0;     // of the cursor
    uint64_t index_ = 0;      // of the line at the cursor
    uint64_t functions_ = 0;  // lines with all their parts
    // The line at the cursor:
    Line line_;
    uint64_t length_ = 0;        // bytes, its line end included
    bool is_terminated_ = true;  // by LF
    uint64_t nul_ = kNone;       // offset of its first NUL byte from its start
};

// What is in view of the line at the cursor: up to its LF or the end of the file, or more than the record limit.
Bytes Walk::view_line() {
    size_t searched = 0;
    for (uint64_t wanted = 1;; wanted = 2 * uint64_t{searched}) {
        const Bytes bytes = window_.view(offset_, static_cast<size_t>(window_.affordable(wanted)));
        const uint64_t length = length_to('\n', bytes.subspan(searched));
        is_terminated_ = length != kNone;
        if (is_terminated_) return bytes.first(searched + length);
        if (bytes.size() < wanted || bytes.size() > context_.limits.record) return bytes;
        searched = bytes.size();
    }
}

Symbol Walk::look() {
    const Bytes next = window_.view(offset_, 1);
    if (!next.empty() && next[0] == '\n') return look_at_empty_line();
    const Bytes bytes = view_line();
    context_.work.add(2 * uint64_t{bytes.size()});
    const bool is_all = is_terminated_ || window_.size() == offset_ + bytes.size();
    if (!is_all || bytes.size() > context_.limits.record) return look_at_long_line(bytes);
    if (bytes.empty() && !is_terminated_) return offset_ == 0 ? Symbol::empty_file : Symbol::end_of_file;
    return look_at_line(bytes);
}

// By fewer steps than other lines, as a hostile file has one in each byte.
Symbol Walk::look_at_empty_line() {
    length_ = 1;
    is_terminated_ = true;
    nul_ = kNone;
    const bool is_like_last = line_.text.empty() && line_.fault == LineFault::blank;
    if (!is_like_last) read_line({}, line_);
    return Symbol::blank_line;
}

Symbol Walk::look_at_line(Bytes whole) {
    length_ = whole.size() + (is_terminated_ ? 1 : 0);
    nul_ = length_to_nul(whole);
    if (nul_ != kNone) return Symbol::nul;
    const bool has_cr = !whole.empty() && whole.back() == '\r';
    read_line(as_text(whole.first(whole.size() - (has_cr ? 1 : 0))), line_);
    if (has_cr) check_carriage_return(context_, line(), line_.text.size(), once_);
    if (line_.fault == LineFault::large_number) return Symbol::large_number;
    if (line_.text.empty() && !is_terminated_) {
        // A line that is only a CR has no other finding.
        step_over();
        return Symbol::end_of_file;
    }
    if (line_.fault != LineFault::none && !is_terminated_) return Symbol::truncated_line;
    switch (line_.fault) {
        case LineFault::blank: return Symbol::blank_line;
        case LineFault::malformed: return Symbol::malformed_line;
        case LineFault::no_name: return Symbol::nameless_line;
        default: return Symbol::line;
    }
}

// A line above the record limit, of which `front` is in view.
Symbol Walk::look_at_long_line(Bytes front) {
    length_ = 0;
    nul_ = kNone;
    line_ = {};
    for (Bytes bytes = front; !bytes.empty(); bytes = window_.view(offset_ + length_, 1)) {
        const uint64_t to_end = length_to('\n', bytes), nul = length_to_nul(bytes);
        context_.work.add(2 * uint64_t{bytes.size()});
        if (nul < to_end) {
            nul_ = length_ + nul;
            return Symbol::nul;
        }
        is_terminated_ = to_end != kNone;
        length_ += is_terminated_ ? to_end + 1 : bytes.size();
        if (is_terminated_) break;
    }
    return Symbol::long_line;
}

// Reports the rule of an edge.
void Walk::report(const Rule& rule, Symbol symbol) {
    const LineInFile line = this->line();
    const auto add = [&](const Place& place, std::array<uint64_t, 4> numbers = {}) {
        // Without a Diagnostic, as most findings of a hostile file are only counted.
        if (is_terminated_) return context_.report.add(rule, place, numbers);
        context_.report.add({.rule = &rule, .place = place, .numbers = numbers, .about_end = true});
    };
    switch (symbol) {
        case Symbol::nul: return context_.report.add(rule, line.place({nul_, 1}));
        case Symbol::empty_file: return add({});
        case Symbol::large_number: return add(line.place(line_.large));
        case Symbol::truncated_line: return add(line.whole(), {line_.text.size()});
        case Symbol::long_line:
            // One note for a file.
            if (!context_.limit_hit) add(line.place({0, length_}), {context_.limits.record});
            return;
        default: return add(line.whole());
    }
}

void Walk::accept(Symbol) {
    const LineInFile line = this->line();
    ++functions_;
    check_prefixes(context_, line, once_);
    check_separators(context_, line);
    check_name(context_, line, once_);
    v8_names_.add(line);
    if (check_range(context_, line)) {
        live_code_.add(line);
        record_range_fact();
    }
    check_final_newline(context_, line, offset_ + length_);
    context_.work.add(3 * length_);
    step_over();
}

// Records for the checks between files where the code is.
void Walk::record_range_fact() {
    const uint64_t start = line_.start.value, size = line_.size.value;
    if (context_.facts != nullptr && size != 0) context_.facts->map.ranges.add({start, start + (size - 1)});
}

void Walk::skip(Symbol symbol) {
    if (symbol == Symbol::long_line) {
        context_.limit_hit = true;
        if (context_.facts != nullptr) context_.facts->lose(kRangesPart);
        once_.mute();
        live_code_.stop();
    } else {
        check_prefixes(context_, line(), once_);
    }
    step_over();
}

void Walk::step_over() {
    offset_ += length_;
    ++index_;
}

}  // namespace

void validate(Window& window, ValidationContext& context) { Walk(window, context).run(); }

}  // namespace tracelint::perfmap
