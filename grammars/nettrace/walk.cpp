// nettrace, section 4.2: the walk over the objects of a file of versions 1 to 5.
#include "grammars/nettrace/checks/block_rules.hpp"
#include "grammars/nettrace/checks/header.hpp"
#include "grammars/nettrace/checks/versions.hpp"
#include "grammars/nettrace/machine_blocks.hpp"
#include "grammars/nettrace/machine_objects.hpp"
#include "grammars/nettrace/nettrace.hpp"
#include "grammars/nettrace/walk_blocks.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint::nettrace {
namespace {

using objects::State, objects::Symbol;

class ObjectWalk {
  public:
    ObjectWalk(Window& window, ValidationContext& context, WalkMode mode) : session_(window, context, mode) {}

    void run() {
        while (state_ != State::stopped) take(kObjectMachine, state_, look(), *this);
        finish();
    }

    // What take() calls.
    void report(const Rule& rule, Symbol symbol);
    void accept(Symbol symbol);
    void skip(Symbol symbol);
    void stop(Symbol symbol);

  private:
    // The object at the cursor.
    struct Object {
        uint64_t offset = 0, size = 0;  // of its header
        uint64_t version = 0, min_reader = 0, name_length = 0;
        Kind kind = Kind::unknown;
        bool is_file = false, is_foreign = false;
        Place version_place{}, min_reader_place{}, length_place{}, name_place{};
        Place tag_place{};  // of the first wrong tag
        uint64_t tag = 0, expected_tag = 0;
    };

    Symbol look();
    Symbol look_at_header();
    Symbol look_at_object();
    Symbol look_at_name(Bytes bytes, unsigned wrong_tags);
    Symbol look_at_payload();
    Symbol look_at_walked();
    Symbol look_at_end();
    Symbol scan();
    Symbol find_object();
    void read_object(Bytes bytes);
    void note_tag(Bytes bytes, uint64_t at, uint8_t expected);
    void take_name(const ObjectName& known);
    bool is_rest_of_header(Bytes bytes) const;

    void check_object();
    void check_version();
    void check_trace_version();
    void walk_trace();
    void walk_file();
    void walk_block();
    void end_block(const BlockEnd& end);
    void lose_all() { session_.lose_all(); }
    void finish();

    Place header_place() const {
        return {object_.offset, object_.size, &kObject, nullptr, nullptr, object_index_, kNone};
    }
    // From here to the end of the file, which is known.
    uint64_t length_to_end(uint64_t from) const { return session_.window.size() - from; }
    uint64_t expected_begin() const { return is_nettrace_ ? kBeginNettrace : kBeginNetperf; }
    Findings& findings() { return session_.findings; }

    Session session_;
    State state_ = State::start;
    bool is_nettrace_ = true;
    uint64_t minor_ = 0;
    uint64_t offset_ = 0;  // of the cursor
    Object object_;
    uint64_t object_index_ = 0;
    bool has_object_ = false;  // one was named, or given up
    bool has_trace_ = false;
    Block block_;
    BlockEnd ended_;
    bool is_unended_ = false;  // events of version 1 or 2 without an end label
    uint64_t size_at_ = 0;     // of the size of the block
    uint64_t resume_at_ = 0;   // where a wrong end tag leads to
    // A rescan.
    uint64_t scan_from_ = 0, unchecked_from_ = 0;
    std::optional<uint64_t> scan_end_;  // of the block that was left
    bool loses_unless_at_end_ = false;
};

Symbol ObjectWalk::look() {
    switch (state_) {
        case State::start: return look_at_header();
        case State::object: return look_at_object();
        case State::named: return look_at_payload();
        case State::walked: return look_at_walked();
        case State::end: return look_at_end();
        case State::rescan: return scan();
        default: return Symbol::end_of_file;
    }
}

Symbol ObjectWalk::look_at_header() {
    const FileStart start = check_header(session_);
    if (!start.is_readable) return Symbol::unreadable_header;
    session_.context.identity.byte_order = ByteOrder::little;
    is_nettrace_ = start.is_nettrace;
    minor_ = start.minor;
    offset_ = start.size;
    return start.is_plain ? Symbol::plain_header : Symbol::header;
}

// Whether the bytes are an undamaged header but for their first byte.
bool ObjectWalk::is_rest_of_header(Bytes bytes) const {
    std::array<uint8_t, kLongestObject> mended{};
    const size_t size = std::min(bytes.size(), mended.size());
    std::copy_n(bytes.begin(), size, mended.begin());
    mended[0] = static_cast<uint8_t>(expected_begin());
    return undamaged_header(Bytes(mended).first(size), is_nettrace_).has_value();
}

void ObjectWalk::note_tag(Bytes bytes, uint64_t at, uint8_t expected) {
    object_.tag_place = {object_.offset + at, 1, &kObject, nullptr, nullptr, session_.index, kNone};
    object_.tag = bytes[at];
    object_.expected_tag = expected;
}

// The fields before the name, which are there.
void ObjectWalk::read_object(Bytes bytes) {
    const View<kObject> header(bytes.data(), object_.offset, ByteOrder::little, session_.index);
    object_.version = header.get<"version">();
    object_.min_reader = header.get<"min_reader_version">();
    object_.name_length = header.get<"name_length">();
    object_.version_place = header.place<"version">();
    object_.min_reader_place = header.place<"min_reader_version">();
    object_.length_place = header.place<"name_length">();
    object_.size = kFixedHeader + object_.name_length + 1;
    object_.name_place = header.place<"name">(kFixedHeader, object_.name_length);
}

void ObjectWalk::take_name(const ObjectName& known) {
    object_.kind = known.kind;
    object_.is_file = known.name == kFileName;
    object_.size = kFixedHeader + known.name.size() + 1;
}

Symbol ObjectWalk::look_at_object() {
    const Bytes seen = session_.window.view(offset_, kLongestObject);
    const Bytes bytes = seen.first(std::min<size_t>(seen.size(), kLongestObject));
    object_ = {.offset = offset_};
    object_index_ = session_.index;
    if (bytes.empty()) return Symbol::end_of_file;
    if (bytes[0] == kNullReference && !is_rest_of_header(bytes)) return Symbol::end_of_stream;
    const auto begin = static_cast<uint8_t>(expected_begin());
    const uint8_t expected[] = {begin, begin, kNullReference};
    unsigned wrong_tags = 0;
    for (size_t i = 0; i < std::min<size_t>(bytes.size(), 3); ++i)
        if (bytes[i] != expected[i] && wrong_tags++ == 0) note_tag(bytes, i, expected[i]);
    if (bytes.size() < kFixedHeader) return wrong_tags != 0 ? Symbol::cut_damaged_object : Symbol::cut_object;
    read_object(bytes);
    return look_at_name(bytes, wrong_tags);
}

// In the order of the table of section 4.2.
Symbol ObjectWalk::look_at_name(Bytes bytes, unsigned wrong_tags) {
    const Bytes names = bytes.subspan(kFixedHeader);
    const uint64_t length = object_.name_length;
    const bool is_length_sound = length >= 1 && length <= kLongestName;
    for (const ObjectName& known : object_names(is_nettrace_)) {
        if (length != known.name.size() || names.size() < length || as_text(names.first(length)) != known.name)
            continue;
        if (names.size() == length) return wrong_tags != 0 ? Symbol::cut_damaged_object : Symbol::cut_object;
        if (names[length] != kEndObject && wrong_tags++ == 0) note_tag(bytes, kFixedHeader + length, kEndObject);
        if (wrong_tags > 1) return Symbol::damaged_tags;
        take_name(known);
        return wrong_tags == 1 ? Symbol::damaged_tag : Symbol::object;
    }
    if (wrong_tags != 0) return Symbol::damaged_tags;
    if (const ObjectName* known = known_name(names, is_nettrace_)) {
        take_name(*known);
        return Symbol::damaged_length;
    }
    if (is_length_sound && names.size() <= length) return Symbol::cut_object;
    if (!is_length_sound || names[length] != kEndObject) return Symbol::no_object;
    object_.is_foreign = true;
    object_.kind = has_object_ ? Kind::unknown : Kind::trace;
    return Symbol::foreign_object;
}

Symbol ObjectWalk::look_at_payload() {
    const uint64_t begin = object_.offset + object_.size;
    if (object_.kind == Kind::trace) {
        const uint64_t size = fixed_size(kTrace, session_.layout());
        if (has_trace_) return Symbol::second_trace;
        if (session_.window.view(begin, size).size() < size) return Symbol::cut_payload;
        return object_.is_file ? Symbol::file : Symbol::trace;
    }
    const uint64_t padding = padding_at(begin + 4);
    const Bytes seen = session_.window.view(begin, 4 + padding);
    if (seen.size() >= 4) {
        const View<kBlockStart> start(seen.data(), begin, ByteOrder::little, session_.index);
        const uint64_t size = start.get<"size">();
        block_ = {.kind = object_.kind,
                  .begin = begin + 4 + padding,
                  .end = begin + 4 + padding + size,
                  .size_place = start.place<"size">()};
        size_at_ = begin;
        if (static_cast<int64_t>(size) < 0) return Symbol::negative_size;
    }
    return seen.size() < 4 + padding ? Symbol::cut_payload : Symbol::block;
}

Symbol ObjectWalk::look_at_walked() {
    if (object_.is_file) return is_unended_ ? Symbol::unended_file : Symbol::file_ended;
    if (ended_.walked == Walked::whole) return Symbol::whole;
    if (ended_.walked == Walked::left) return Symbol::left;
    return findings().is_in_doubt() ? Symbol::cut_in_doubt : Symbol::cut;
}

Symbol ObjectWalk::look_at_end() {
    offset_ = block_.end;
    const Bytes seen = session_.window.view(offset_, kLongestObject + 1);
    if (seen.empty()) return findings().is_in_doubt() ? Symbol::cut_end_in_doubt : Symbol::cut_end;
    if (seen[0] == kEndObject) return Symbol::end_tag;
    const auto leads_on = [&](size_t at) {
        const Bytes rest = seen.subspan(std::min(at, seen.size()));
        return (rest.size() == 1 && rest[0] == kNullReference) || undamaged_header(rest, is_nettrace_).has_value();
    };
    resume_at_ = leads_on(0) ? offset_ : offset_ + 1;
    object_.tag = seen[0];
    return leads_on(0) || leads_on(1) ? Symbol::wrong_end : Symbol::lost_end;
}

// Counts what the search passes.
Symbol ObjectWalk::scan() {
    if (session_.is_search_cut) {
        session_.tracking.end(Tracked::records, scan_from_);
        return Symbol::nothing_found;
    }
    const Symbol symbol = find_object();
    session_.unchecked.add(unchecked_from_, symbol == Symbol::found ? offset_ : session_.window.size());
    return symbol;
}

// Finds the next undamaged header, or the end of the stream behind the block that was left.
Symbol ObjectWalk::find_object() {
    Window& window = session_.window;
    std::optional<uint64_t> end = scan_end_;
    const auto is_end_here = [&] {
        const Bytes bytes = window.view(*end, 2);
        return bytes.size() >= 2 && bytes[0] == kEndObject && bytes[1] == kNullReference;
    };
    offset_ = scan_from_;
    if (end && offset_ > *end + 1) end.reset();
    if (end && offset_ == *end + 1) {
        if (is_end_here()) return Symbol::found;
        end.reset();
    }
    for (;;) {
        const Bytes bytes = window.view(offset_, kLongestObject);
        if (bytes.empty()) return Symbol::nothing_found;
        const uint64_t length = length_to(static_cast<uint8_t>(expected_begin()), bytes);
        const uint64_t passed = std::min<uint64_t>(length, bytes.size());
        if (end && *end < offset_ + passed) {
            offset_ = *end;
            const bool is_found = is_end_here();
            offset_ += 1;
            end.reset();
            if (is_found) return Symbol::found;
            continue;
        }
        offset_ += passed;
        if (length == kNone) continue;
        session_.context.work.add(1);
        if (undamaged_header(window.view(offset_, kLongestObject), is_nettrace_)) return Symbol::found;
        if (end && *end == offset_) end.reset();  // it has another byte than an end tag
        ++offset_;
    }
}

void ObjectWalk::report(const Rule& rule, Symbol) {
    if (&rule == &kMissingEndTag && findings().is_in_doubt()) return;
    const auto add = [&](const Place& place, std::initializer_list<uint64_t> numbers = {}) {
        findings().add_outside({.rule = &rule, .place = place}, std::span(numbers.begin(), numbers.size()));
    };
    if (&rule == &kBadObjectTag) return add(object_.tag_place, {object_.tag, object_.expected_tag});
    if (&rule == &kTypeNameLength) return add(object_.length_place, {object_.name_length});
    if (&rule == &kUnknownObjectType) return add(object_.name_place, {object_.name_length});
    if (&rule == &kDuplicateTrace) return add(header_place());
    if (&rule == &kBlockSizeNegative) return add(block_.size_place, {block_.end - block_.begin});
    if (&rule == &kTruncatedBlock)
        return add(block_.size_place,
                   {block_.end - block_.begin, saturating_sub(session_.window.size(), block_.begin)});
    if (&rule == &kMissingEndTag)
        return add({offset_, 1, &kObjectEnd, nullptr, nullptr, session_.index, kNone}, {object_.tag});
    if (&rule == &kMissingEndOfStream) return add({.offset = offset_});
    const uint64_t left = length_to_end(object_.offset);
    add({.offset = object_.offset, .length = left}, {left});
}

void ObjectWalk::accept(Symbol symbol) {
    switch (symbol) {
        case Symbol::plain_header: BlockWalk(session_, offset_, minor_).run(); return;
        case Symbol::object:
        case Symbol::damaged_tag:
        case Symbol::damaged_length:
        case Symbol::foreign_object: return check_object();
        case Symbol::trace: return walk_trace();
        case Symbol::file: return walk_file();
        case Symbol::second_trace:
            lose_all();
            if (object_.is_file) return walk_file();
            block_.end = object_.offset + object_.size + fixed_size(kTrace, session_.layout());
            session_.unchecked.add(object_.offset + object_.size, block_.end);
            ended_ = {};
            findings().begin_block();
            session_.index += 2;
            return;
        case Symbol::block: return walk_block();
        case Symbol::left:
            scan_from_ = ended_.left_at + 1;
            unchecked_from_ = std::min(ended_.unchecked_from, ended_.left_at);
            scan_end_ = block_.end;
            loses_unless_at_end_ = true;
            return;
        case Symbol::end_tag:
            ++offset_;
            ++session_.index;
            return;
        case Symbol::wrong_end: offset_ = resume_at_; return;
        case Symbol::found:
            if (loses_unless_at_end_ && offset_ != *scan_end_ + 1) lose_all();
            loses_unless_at_end_ = false;
            return;
        default: return;
    }
}

void ObjectWalk::skip(Symbol symbol) {
    scan_end_.reset();
    switch (symbol) {
        case Symbol::negative_size: unchecked_from_ = scan_from_ = size_at_ + 4; break;
        case Symbol::lost_end: unchecked_from_ = scan_from_ = offset_; break;
        default:
            has_object_ = true;
            unchecked_from_ = object_.offset;
            scan_from_ = object_.offset + 1;
            break;
    }
    lose_all();
}

void ObjectWalk::stop(Symbol symbol) {
    if (symbol != Symbol::end_of_stream) return;
    ++session_.index;
    report_trailing(session_, offset_ + 1);
}

void ObjectWalk::check_object() {
    const bool is_first = !std::exchange(has_object_, true);
    if (object_.is_foreign && object_.kind == Kind::unknown) return lose_all();
    check_version();
    if (!is_first || object_.kind == Kind::trace) return;
    findings().add_outside<kFirstObjectNotTrace>(header_place());
}

void ObjectWalk::check_version() {
    const bool is_trace = object_.kind == Kind::trace;
    if (is_trace) {
        check_trace_version();
    } else {
        const uint64_t expected = is_nettrace_ ? 2 : 1;
        const auto version = static_cast<int64_t>(object_.version);
        if (version > 2)
            findings().add_outside<kObjectVersion>(object_.version_place, {object_.version, expected});
        else if (object_.version != expected)
            findings().add_outside_overridden<kObjectVersion>(object_.version_place, {object_.version, expected});
    }
    const uint64_t expected = !is_nettrace_ ? 0 : is_trace ? 4 : 2;
    if (static_cast<int64_t>(object_.min_reader) > 4)
        findings().add_outside<kMinReaderVersion>(object_.min_reader_place, {object_.min_reader, expected});
    else if (object_.min_reader != expected)
        findings().add_outside_overridden<kMinReaderVersion>(object_.min_reader_place, {object_.min_reader, expected});
}

// The version of the file is that of its Trace.
void ObjectWalk::check_trace_version() {
    const uint64_t version = object_.version;
    const bool is_old = object_.is_file && (version == 1 || version == 2);
    const uint64_t expected = is_nettrace_ ? kNettrace4 : object_.is_file ? 2 : kNetperf3;
    if (!has_trace_) session_.version = static_cast<uint16_t>(is_old ? version : expected);
    if (!has_trace_) session_.context.identity.format_version = version;
    if (!is_old && version != expected)
        findings().add_outside<kUnsupportedVersion>(object_.version_place, {version});
    else if (is_old)
        findings().add_outside<kLegacyVersion>(object_.version_place, {version});
}

void ObjectWalk::walk_trace() {
    has_trace_ = true;
    const uint64_t begin = object_.offset + object_.size, size = fixed_size(kTrace, session_.layout());
    session_.index += 1;
    findings().begin_block();
    const Bytes bytes = session_.window.view(begin, size);
    PartReader trace(findings(), bytes.first(size), begin, {&kTrace, session_.index});
    check_trace(session_, trace);
    session_.index += 1;
    block_ = {.kind = Kind::trace, .begin = begin, .end = begin + size, .size_place = {}};
    ended_ = {};
}

void ObjectWalk::walk_file() {
    const uint64_t begin = object_.offset + object_.size;
    const uint64_t size = fixed_size(kTrace, {.version = 2});
    session_.index += 1;
    const Bytes bytes = session_.window.view(begin, size);
    is_unended_ = false;
    if (bytes.size() < size) {
        const uint64_t left = length_to_end(object_.offset);
        findings().add_outside<kTruncatedObject>({.offset = object_.offset, .length = left}, {left});
        return;
    }
    PartReader trace(findings(), bytes.first(size), begin, {&kTrace, session_.index});
    check_forward_reference(session_, trace);
    if (!has_trace_) check_trace(session_, trace);
    has_trace_ = true;
    session_.index += 1;
    is_unended_ = !walk_old_file(session_, begin + size, offset_);
}

void ObjectWalk::walk_block() {
    findings().begin_block();
    session_.index += 2;
    const uint64_t padding = block_.begin - size_at_ - 4;
    const Bytes bytes = session_.window.view(size_at_, 4 + padding).subspan(4, padding);
    if (!all_zero(bytes)) {
        const Place place{size_at_ + 4,       padding, &kBlockStart, &View<kBlockStart>::field<"padding">(), nullptr,
                          session_.index - 1, kNone};
        findings().add<kPaddingNonzero>(place, {padding});
    }
    if (object_.is_foreign) {
        findings().put_in_doubt();
        session_.unchecked.add(block_.begin, block_.end);
        ended_ = {};
        return;
    }
    ended_ = walk_content(session_, block_);
    if (ended_.walked != Walked::left && ended_.unchecked_from != kNone)
        session_.unchecked.add(ended_.unchecked_from, block_.end);
    lose_content(session_, block_.kind, ended_.walked == Walked::left);
}

void ObjectWalk::finish() {
    auto& statistics = session_.context.statistics;
    const Counts& counts = session_.counts;
    statistics.emplace_back("records", session_.index);
    statistics.emplace_back("blocks", counts.blocks);
    statistics.emplace_back("events", counts.events);
    statistics.emplace_back("metadata rows", counts.rows);
    statistics.emplace_back("stacks", counts.stacks);
    statistics.emplace_back("sequence points", counts.sequence_points);
    if (const uint64_t unchecked = session_.unchecked.bytes(session_.window.size()); unchecked != 0)
        statistics.emplace_back(kSkippedBytes, unchecked);
}

}  // namespace

void report_trailing(Session& session, uint64_t end) {
    if (!session.window.reaches(end + 1)) return;
    session.window.reaches(kNone);
    const uint64_t left = session.window.size() - end;
    session.findings.add_outside<kTrailingData>({.offset = end, .length = left}, {left});
}

void validate_file(Window& window, ValidationContext& context, WalkMode mode) {
    ObjectWalk(window, context, mode).run();
}

void validate(Window& window, ValidationContext& context) { validate_file(window, context, WalkMode::fast); }

}  // namespace tracelint::nettrace
