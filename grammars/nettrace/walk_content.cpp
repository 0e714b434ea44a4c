// nettrace, sections 3.8 to 3.10: walks the content of blocks, apart from events.
#include "grammars/nettrace/checks/block_rules.hpp"
#include "grammars/nettrace/checks/session.hpp"

namespace tracelint::nettrace {

constexpr Rule kStackSizeUnaligned{
    .id = "nettrace/stack-size-unaligned",
    .severity = Severity::error,
    .statement = "a stack has whole pointers",
    .message = "a stack of {0 byte|bytes}, and pointers have {1}",
    .why = "readers show a frame that is made of half a pointer",
    .spec = "3.8 Stacks, sequence points, threads and labels",
    .since = "0.2.0",
};

constexpr Rule kStackTooLarge{
    .id = "nettrace/stack-too-large",
    .severity = Severity::error,
    .statement = "a stack has at most 65527 bytes",
    .message = "a stack of {0 byte|bytes}, expected at most 65527",
    .why = "TraceEvent refuses the file",
    .spec = "3.7 Events of versions 1 to 3; 3.8 Stacks, sequence points, threads and labels",
    .since = "0.2.0",
    .severity_override = SeverityOverride{.severity = Severity::warning,
                                          .when = "the version is 4 or later",
                                          .message = {},
                                          .why = "TraceEvent keeps 16 bits of its size"},
};

constexpr Rule kStackCount{
    .id = "nettrace/stack-count",
    .severity = Severity::error,
    .statement = "a block has as many stacks as it says",
    .message = "{0 stack|stacks} are announced, {1} are in the block",
    .why = "readers give later stacks the wrong ids, or read past the block",
    .spec = "3.8 Stacks, sequence points, threads and labels",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kDuplicateStackId{
    .id = "nettrace/duplicate-stack-id",
    .severity = Severity::error,
    .statement = "a stack id is defined once between two sequence points",
    .message = "stacks from id {0} on were defined before",
    .why = "TraceEvent stops with an exception and drops the rest of the file",
    .spec = "4.4 Events",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kStackIdZero{
    .id = "nettrace/stack-id-zero",
    .severity = Severity::error,
    .statement = "stack ids begin at 1",
    .message = "the first stack has id 0, which stands for no stack",
    .why = "events with this id are shown without a stack",
    .spec = "3.8 Stacks, sequence points, threads and labels",
    .since = "0.2.0",
};

constexpr Rule kStackIdGap{
    .id = "nettrace/stack-id-gap",
    .severity = Severity::note,
    .statement = "stack ids continue those of the block before",
    .message = "the first stack has id {0}, and the last one before it had {1}",
    .why = "a block of stacks may be missing",
    .spec = "4.4 Events",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kLabelFirstIndex{
    .id = "nettrace/label-first-index",
    .severity = Severity::error,
    .statement = "label lists begin at 1",
    .message = "the first label list has index 0, which stands for no labels",
    .why = "no event can refer to it, and the indices of the lists behind it are wrong",
    .spec = "3.8 Stacks, sequence points, threads and labels",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
};

constexpr Rule kLabelCount{
    .id = "nettrace/label-count",
    .severity = Severity::error,
    .statement = "a block has as many label lists as it says, and nothing else",
    .message = "{0 label list|label lists} are announced, and the block does not end behind them: {1} were read",
    .why = "readers give later lists the wrong indices, or read past the block",
    .spec = "3.8 Stacks, sequence points, threads and labels",
    .since = "0.2.0",
    .depends_on = {.later_records = true, .resynchronisation = true},
};

constexpr Rule kUnknownLabelKind{
    .id = "nettrace/unknown-label-kind",
    .severity = Severity::error,
    .statement = "a label is of a known kind",
    .message = "label kind {0}, expected 1 to 10",
    .why = "no size says where it ends: TraceEvent stops with a FormatException and drops the rest of the file",
    .spec = "3.8 Stacks, sequence points, threads and labels",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
};

constexpr Rule kDuplicateLabelList{
    .id = "nettrace/duplicate-label-list",
    .severity = Severity::note,
    .statement = "a label list is defined once between two sequence points",
    .message = "label lists from index {0} on were defined before",
    .why = "readers keep the last list of an index",
    .spec = "4.4 Events",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kSequencePointFlags{
    .id = "nettrace/sequence-point-flags",
    .severity = Severity::warning,
    .statement = "the flags of a sequence point are 0 to 3",
    .message = "flags are {0}, expected 0 to 3",
    .why = "readers ignore what this version does not define",
    .spec = "3.8 Stacks, sequence points, threads and labels",
    .since = "0.2.0",
};

constexpr Rule kSequencePointCount{
    .id = "nettrace/sequence-point-count",
    .severity = Severity::error,
    .statement = "the threads of a sequence point fit its block",
    .message = "{0 thread|threads} in a block with {1 byte|bytes} for them",
    .why = "TraceEvent stops with an exception and drops the rest of the file",
    .spec = "3.8 Stacks, sequence points, threads and labels",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
};

constexpr Rule kUnknownThreadInfo{
    .id = "nettrace/unknown-thread-info",
    .severity = Severity::error,
    .statement = "an item of a thread is of a known kind",
    .message = "thread item of kind {0}, expected 1 to 4",
    .why = "no size says where it ends: TraceEvent stops with a FormatException and drops the rest of the file",
    .spec = "3.8 Stacks, sequence points, threads and labels",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
};

// Also of the stacks of versions 1 to 3.
void check_stack(Session& session, uint64_t size, const Place& place) {
    constexpr uint64_t kLargest = 65'527;
    const bool is_old = session.version <= kNetperf3;
    if (session.version >= kNetperf3 && session.pointer_size != 0 && size % session.pointer_size != 0)
        session.findings.add<kStackSizeUnaligned>(place, {size, session.pointer_size});
    if (size <= kLargest) return;
    if (is_old)
        session.findings.add<kStackTooLarge>(place, {size});
    else
        session.findings.add_overridden<kStackTooLarge>(place, {size});
}

namespace {

constexpr uint64_t kThreadSize = fixed_size(kThreadNumber, kNettraceLayout);  // in versions 4 and 5

template <const auto& R, FixedName Name>
constexpr const Field& kFieldIn = View<R>::template field<Name>();

class ContentWalk {
  public:
    ContentWalk(Session& session, const Block& block) : session_(session), block_(block), cursor_(session, block) {}

    BlockEnd run() { return cursor_.end_of(walk()); }

  private:
    Walked walk() {
        switch (block_.kind) {
            case Kind::stacks: return stacks();
            case Kind::sequence_point: return sequence_point();
            case Kind::metadata: return plain_metadata();
            case Kind::threads: return thread_rows();
            case Kind::removed_threads: return removed_threads();
            default: return labels();
        }
    }

    Walked stacks();
    Walked read_stacks(uint64_t& count);
    Walked sequence_point();
    bool fits_count(uint64_t count) const;
    Walked point_threads(uint64_t count);
    Walked pass_threads(uint64_t count);
    Walked thread_number(bool in_point);
    void end_point(uint64_t time, uint64_t flags);
    Walked plain_metadata();
    Walked sized_row(const Record& record, const Field& size, bool (ContentWalk::*read)(PartReader&));
    bool metadata_row(PartReader& row) { return session_.rows.read_plain(row); }
    Walked thread_rows();
    void look_ahead();
    bool thread_row(PartReader& row);
    bool thread_item(PartReader& row);
    Walked removed_threads();
    Walked labels();
    Walked label_lists(uint64_t count);
    Walked label(bool& is_last);
    bool read_label(PartReader& label, uint64_t kind);
    Walked residue();

    // The next fixed bytes of the block, or those that are left.
    template <const auto& R>
    PartReader fixed_part(uint64_t size, bool& is_cut) {
        const Bytes seen = cursor_.see(size);
        is_cut = seen.size() < std::min(size, cursor_.left());
        return cursor_.part(seen.first(std::min<uint64_t>(seen.size(), size)), R);
    }
    Findings& findings() { return session_.findings; }

    Session& session_;
    const Block& block_;
    BlockCursor cursor_;
    uint64_t ahead_at_ = 0;  // where look_ahead() is
};

// --- Stacks

Walked ContentWalk::stacks() {
    bool is_cut = false;
    PartReader header = fixed_part<kStackBlock>(fixed_size(kStackBlock), is_cut);
    uint64_t first = 0, count = 0;
    if (!header.fixed(kFieldIn<kStackBlock, "first_id">, 4, first)) return is_cut ? Walked::cut : cursor_.fail(header);
    const Place first_place = header.last();
    if (!header.fixed(kFieldIn<kStackBlock, "count">, 4, count)) return is_cut ? Walked::cut : cursor_.fail(header);
    const Place count_place = header.last();
    cursor_.pass(fixed_size(kStackBlock));
    ++session_.index;
    if (first == 0) findings().add<kStackIdZero>(first_place);
    uint64_t there = 0;
    if (const Walked walked = read_stacks(there); walked != Walked::whole) return walked;
    if (there != count) {
        findings().add<kStackCount>(count_place, {count, there});
        return Walked::whole;
    }
    if (session_.stacks.has_any_of(first, count)) {
        findings().add<kDuplicateStackId>(first_place, {first});
        return Walked::whole;
    }
    if (!session_.stacks.is_lost() && first > session_.stacks.last() + 1)
        findings().add<kStackIdGap>(first_place, {first, session_.stacks.last()});
    if (!findings().is_in_doubt()) session_.stacks.define(first, count, block_.begin);
    return Walked::whole;
}

Walked ContentWalk::read_stacks(uint64_t& count) {
    for (; !cursor_.is_at_end(); ++count) {
        bool is_cut = false;
        PartReader part = fixed_part<kStack>(4, is_cut);
        uint64_t size = 0;
        if (!part.fixed(kFieldIn<kStack, "stack_size">, 4, size)) return is_cut ? Walked::cut : cursor_.fail(part);
        const uint64_t left = cursor_.left() - 4;
        if (size > left) return cursor_.fail(kStackSize, part.last(), {size, left});
        check_stack(session_, size, part.last());
        if (cursor_.is_cut_within(4 + size)) return Walked::cut;
        cursor_.pass(4 + size);
        ++session_.index;
        ++session_.counts.stacks;
    }
    return Walked::whole;
}

// --- Sequence points

bool ContentWalk::fits_count(uint64_t count) const {
    const uint64_t left = cursor_.left();
    return session_.is_plain() ? count <= left / 2 : left == kThreadSize * count;
}

Walked ContentWalk::sequence_point() {
    const bool is_plain = session_.is_plain();
    const uint64_t size = is_plain ? 16 : 12;
    bool is_cut = false;
    PartReader header = fixed_part<kSequencePoint>(size, is_cut);
    uint64_t time = 0, flags = 0, count = 0;
    if (!header.fixed(kFieldIn<kSequencePoint, "time">, 8, time)) return is_cut ? Walked::cut : cursor_.fail(header);
    const Place time_place = header.last();
    if (is_plain) {
        if (!header.fixed(kFieldIn<kSequencePoint, "flags">, 4, flags))
            return is_cut ? Walked::cut : cursor_.fail(header);
        if (flags > 3) findings().add<kSequencePointFlags>(header.last(), {flags});
    }
    if (!header.fixed(kFieldIn<kSequencePoint, "count">, 4, count)) return is_cut ? Walked::cut : cursor_.fail(header);
    const Place count_place = header.last();
    cursor_.pass(size);
    ++session_.index;
    ++session_.counts.sequence_points;
    if (!fits_count(count)) return cursor_.fail(kSequencePointCount, count_place, {count, cursor_.left()});
    session_.threads.check_point_time(time, time_place);
    session_.threads.begin_point();
    if (const Walked walked = point_threads(count); walked != Walked::whole) return walked;
    if (const Walked walked = residue(); walked != Walked::whole) return walked;
    end_point(time, flags);
    return Walked::whole;
}

Walked ContentWalk::point_threads(uint64_t count) {
    for (uint64_t i = 0; i < count; ++i) {
        if (findings().is_in_doubt() && !session_.is_plain()) return pass_threads(count - i);
        if (const Walked walked = thread_number(true); walked != Walked::whole) return walked;
    }
    return Walked::whole;
}

// Threads of versions 4 and 5 in doubt, of which nothing is reported or remembered.
Walked ContentWalk::pass_threads(uint64_t count) {
    const bool is_cut = cursor_.is_cut_within(count * kThreadSize);
    const uint64_t there = is_cut ? (session_.window.size() - cursor_.at()) / kThreadSize : count;
    cursor_.pass(there * kThreadSize);
    session_.index += there;
    return is_cut ? Walked::cut : Walked::whole;
}

// A thread and its last number, in a sequence point or a RemoveThread block.
Walked ContentWalk::thread_number(bool in_point) {
    const bool is_plain = session_.is_plain();
    const Bytes seen = cursor_.see(is_plain ? kLongestLeb + kLongestNarrow : kThreadSize);
    const bool is_short = seen.size() < cursor_.left() && seen.size() < kThreadSize;
    constexpr uint64_t kAhead = 16 * kThreadSize;
    if (!is_plain && seen.size() >= kAhead + kThreadSize)
        session_.threads.announce(load(seen.data() + kAhead, 8, ByteOrder::little));
    PartReader part = cursor_.part(seen, kThreadNumber);
    const Field& thread_field = kFieldIn<kThreadNumber, "thread">;
    const Field& number_field = kFieldIn<kThreadNumber, "number">;
    uint64_t thread = 0, number = 0;
    if (!(is_plain ? part.number(thread_field, true, thread) : part.fixed(thread_field, 8, thread)))
        return is_short && part.is_fault_of_end() ? Walked::cut : cursor_.fail(part);
    const Place thread_place = part.last();
    if (!(is_plain ? part.number(number_field, false, number) : part.fixed(number_field, 4, number)))
        return is_short && part.is_fault_of_end() ? Walked::cut : cursor_.fail(part);
    const Place number_place = part.last();
    if (!findings().is_in_doubt()) {
        const auto value = static_cast<uint32_t>(number);
        if (in_point) session_.threads.check_point_thread(thread, thread_place);
        const bool is_live = !is_plain || session_.threads.check_live(thread, thread_place, false);
        if (is_live) session_.threads.check_point_number(thread, value, number_place);
        if (in_point)
            session_.threads.pass_point_number(thread, value, cursor_.at());
        else if (!findings().is_in_doubt())
            session_.threads.remove(thread);
    }
    cursor_.pass(part.at() - cursor_.at());
    ++session_.index;
    return Walked::whole;
}

void ContentWalk::end_point(uint64_t time, uint64_t flags) {
    if (findings().is_in_doubt()) return;
    session_.threads.pass_point(time);
    if ((flags & 1) != 0) session_.threads.forget_all();
    if ((flags & 2) != 0) session_.metadata.forget();
}

Walked ContentWalk::residue() {
    if (cursor_.is_at_end()) return Walked::whole;
    const uint64_t at = cursor_.at(), left = cursor_.left();
    if (cursor_.is_cut_within(left)) return Walked::cut;
    findings().add<kBlockResidue>({.offset = at, .length = left, .record = &kOpaque}, {left});
    ++session_.index;
    cursor_.pass(left);
    return Walked::whole;
}

Walked ContentWalk::removed_threads() {
    while (!cursor_.is_at_end())
        if (const Walked walked = thread_number(false); walked != Walked::whole) return walked;
    return Walked::whole;
}

// --- Rows of version 6

Walked ContentWalk::plain_metadata() {
    bool is_cut = false;
    PartReader header = fixed_part<kMetadataStart>(2, is_cut);
    uint64_t size = 0;
    if (!header.fixed(kFieldIn<kMetadataStart, "header_size">, 2, size)) {
        if (is_cut) return Walked::cut;
        const Place whole{.offset = block_.begin, .length = cursor_.left(), .record = &kMetadataStart};
        return cursor_.fail(kBlockHeaderSize, whole, {cursor_.left(), cursor_.left(), 2}, true);
    }
    const uint64_t left = cursor_.left() - 2;
    if (size > left) return cursor_.fail(kBlockHeaderSize, header.last(), {size, left, 0});
    if (cursor_.is_cut_within(2 + size)) return Walked::cut;
    cursor_.pass(2 + size);
    ++session_.index;
    if (cursor_.is_at_end()) findings().add_overridden<kEmptyBlock>(block_.size_place);
    while (!cursor_.is_at_end()) {
        const Walked walked = sized_row(kPlainMetadata, kFieldIn<kPlainMetadata, "size">, &ContentWalk::metadata_row);
        if (walked != Walked::whole) return walked;
        ++session_.counts.rows;
    }
    return Walked::whole;
}

// A row behind its size. A fault inside it leaves only the row.
Walked ContentWalk::sized_row(const Record& record, const Field& size_field, bool (ContentWalk::*read)(PartReader&)) {
    const Bytes start = cursor_.see(2);
    if (start.size() < std::min<uint64_t>(2, cursor_.left())) return Walked::cut;
    PartReader prefix = cursor_.part(start.first(std::min<size_t>(start.size(), 2)), record);
    uint64_t size = 0;
    if (!prefix.fixed(size_field, 2, size)) return cursor_.fail(prefix);
    const uint64_t left = cursor_.left() - 2;
    if (size > left) return cursor_.fail(kInnerSize, prefix.last(), {size, left}, true);
    const Bytes bytes = cursor_.see(2 + size);
    if (bytes.size() < 2 + size) return Walked::cut;
    PartReader row = cursor_.part(bytes.first(2 + size), record);
    row.pass(2);
    if (!(this->*read)(row)) {
        findings().note_framing_fault();
        findings().add(row.fault(), row.fault().numbers);
    }
    cursor_.pass(2 + size);
    ++session_.index;
    return Walked::whole;
}

Walked ContentWalk::thread_rows() {
    while (!cursor_.is_at_end()) {
        if (session_.threads.is_large()) look_ahead();
        const Walked walked = sized_row(kThread, kFieldIn<kThread, "size">, &ContentWalk::thread_row);
        if (walked != Walked::whole) return walked;
    }
    return Walked::whole;
}

// Prefetches what the checks of the next rows of threads look up.
void ContentWalk::look_ahead() {
    constexpr uint64_t kAhead = 256;  // bytes
    const Bytes seen = cursor_.see(2);
    ahead_at_ = std::max(ahead_at_, cursor_.at());
    for (;;) {
        const uint64_t from = ahead_at_ - cursor_.at();
        if (from >= kAhead || seen.size() < from + 2 + kLongestLeb) return;
        const uint8_t* const row = seen.data() + from;
        session_.context.work.add(1);
        session_.threads.announce(read_number(row + 2, row + 2 + kLongestLeb, true).value);
        ahead_at_ += 2 + load(row, 2, ByteOrder::little);
    }
}

bool ContentWalk::thread_row(PartReader& row) {
    uint64_t index = 0;
    if (!row.number(kFieldIn<kThread, "index">, true, index)) return false;
    const Place place = row.last();
    for (uint64_t i = 0; !row.is_at_end(); ++i) {
        row.be_element(&kFieldIn<kThread, "items">, i);
        if (!thread_item(row)) return false;
    }
    if (findings().is_in_doubt()) return true;
    session_.threads.check_duplicate(index, place);
    if (!findings().is_in_doubt()) session_.threads.add(index, place.offset);
    return true;
}

bool ContentWalk::thread_item(PartReader& row) {
    uint64_t kind = 0, ignored = 0;
    Bytes text;
    if (!row.fixed(kFieldIn<kThreadItem, "kind">, 1, kind)) return false;
    const Place place = row.last();
    const auto read_text = [&] {
        return row.text8(kFieldIn<kThreadItem, "text_size">, kFieldIn<kThreadItem, "text">, text);
    };
    switch (kind) {
        case 1: return read_text();
        case 2: return row.number(kFieldIn<kThreadItem, "process_id">, true, ignored);
        case 3: return row.number(kFieldIn<kThreadItem, "thread_id">, true, ignored);
        case 4:
            return read_text() && row.text8(kFieldIn<kThreadItem, "value_size">, kFieldIn<kThreadItem, "value">, text);
        default: return row.fail(kUnknownThreadInfo, place, {kind});
    }
}

// --- Label lists

Walked ContentWalk::labels() {
    bool is_cut = false;
    PartReader header = fixed_part<kLabelBlock>(fixed_size(kLabelBlock), is_cut);
    uint64_t first = 0, count = 0;
    if (!header.fixed(kFieldIn<kLabelBlock, "first_index">, 4, first))
        return is_cut ? Walked::cut : cursor_.fail(header);
    const Place first_place = header.last();
    if (first == 0) return cursor_.fail(kLabelFirstIndex, first_place);
    if (!header.fixed(kFieldIn<kLabelBlock, "count">, 4, count)) return is_cut ? Walked::cut : cursor_.fail(header);
    const Place count_place = header.last();
    cursor_.pass(fixed_size(kLabelBlock));
    ++session_.index;
    uint64_t lists = 0;
    while (lists < count && !cursor_.is_at_end()) {
        bool is_last = false;
        if (const Walked walked = label(is_last); walked != Walked::whole) return walked;
        if (is_last) ++lists;
    }
    if (lists != count || !cursor_.is_at_end()) return cursor_.fail(kLabelCount, count_place, {count, lists}, true);
    if (session_.labels.has_any_of(first, count)) findings().add<kDuplicateLabelList>(first_place, {first});
    if (!findings().is_in_doubt()) session_.labels.define(first, count, block_.begin);
    return Walked::whole;
}

Walked ContentWalk::label(bool& is_last) {
    constexpr uint64_t kLongestFixed = 1 + 16;
    const Walked walked = cursor_.take_item(kLabel, kLongestFixed, [&](PartReader& part) {
        uint64_t kind = 0;
        if (!part.fixed(kFieldIn<kLabel, "kind">, 1, kind)) return false;
        is_last = kind >= 0x80;
        return read_label(part, kind & 0x7f);
    });
    if (walked == Walked::whole) ++session_.index;
    return walked;
}

bool ContentWalk::read_label(PartReader& label, uint64_t kind) {
    const Place place = label.last();
    uint64_t ignored = 0;
    Bytes text;
    const auto read_key = [&] { return label.text8(kFieldIn<kLabel, "key_size">, kFieldIn<kLabel, "key">, text); };
    switch (kind) {
        case 1:
        case 2:
        case 3: return label.skip(kFieldIn<kLabel, "id">, 16);
        case 4: return label.skip(kFieldIn<kLabel, "span">, 8);
        case 5: return read_key() && label.text8(kFieldIn<kLabel, "value_size">, kFieldIn<kLabel, "value">, text);
        case 6: return read_key() && label.number(kFieldIn<kLabel, "number">, true, ignored);
        case 7:
        case 9:
        case 10: return label.fixed(kFieldIn<kLabel, "small">, 1, ignored);
        case 8: return label.fixed(kFieldIn<kLabel, "keywords">, 8, ignored);
        default: return label.fail(kUnknownLabelKind, place, {kind});
    }
}

}  // namespace

constinit const RuleList kContentRules =
    rules<&kBlockHeaderSize, &kEmptyBlock, &kPaddingNonzero, &kStackSize, &kStackSizeUnaligned, &kStackTooLarge,
          &kStackCount, &kDuplicateStackId, &kStackIdZero, &kStackIdGap, &kLabelFirstIndex, &kLabelCount,
          &kUnknownLabelKind, &kDuplicateLabelList, &kBlockResidue, &kSequencePointFlags, &kSequencePointCount,
          &kUnknownThreadInfo>;

BlockEnd walk_content(Session& session, const Block& block) {
    ++session.counts.blocks;
    const bool has_events = block.kind == Kind::events || (block.kind == Kind::metadata && !session.is_plain());
    if (has_events) return session.version <= kNetperf3 ? walk_old_events(session, block) : walk_events(session, block);
    return ContentWalk(session, block).run();
}

void lose_content(Session& session, Kind kind, bool is_left) {
    Findings& findings = session.findings;
    if (kind == Kind::sequence_point) session.begin_region();
    if (!findings.is_in_doubt() && !is_left) {
        if (findings.has_time_finding()) session.threads.lose_times();
        return;
    }
    switch (kind) {
        case Kind::events:
            if (session.version <= kNetperf3) session.losses.metadata = true;
            session.threads.lose_order();
            break;
        case Kind::metadata: session.losses.metadata = true; break;
        case Kind::stacks: session.losses.stacks = true; break;
        case Kind::labels: session.losses.labels = true; break;
        case Kind::threads:
        case Kind::removed_threads: session.losses.threads = true; break;
        case Kind::sequence_point:
            session.threads.lose_order();
            if (session.is_plain()) session.losses.metadata = session.losses.threads = true;
            break;
        default: break;
    }
}

}  // namespace tracelint::nettrace
