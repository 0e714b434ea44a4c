// nettrace, section 4: what is known of a file while it is walked, and the walk over the content of a block.
#pragma once

#include "grammars/nettrace/checks/metadata.hpp"
#include "grammars/nettrace/checks/stacks.hpp"
#include "grammars/nettrace/checks/threads.hpp"
#include "validator/tables/view.hpp"

namespace tracelint::nettrace {

// The rules of the folder, as each source lists them.
extern const RuleList kHeaderRules, kTraceRules, kContentRules, kEventRules, kPayloadRules, kOldEventRules,
    kThreadRules, kMetadataRules, kMetadataFieldRules, kPartRules, kLimitRules;

// The records of a file by kind, for the statistics.
struct Counts {
    uint64_t blocks = 0, events = 0, rows = 0, stacks = 0, sequence_points = 0;
};

// Bytes behind faults that are not checked, for the statistics.
class Unchecked {
  public:
    // Up to `to`, or to the end of the file if that comes before. Stretches are in the order of the file.
    void add(uint64_t from, uint64_t to) {
        bytes_ += to - from;
        end_ = to;
    }
    // `size`: of the file; unknown if the walk ended before its end.
    uint64_t bytes(uint64_t size) const { return bytes_ - saturating_sub(end_, size); }

  private:
    uint64_t bytes_ = 0, end_ = 0;
};

struct Session {
    Session(Window& of, ValidationContext& with, WalkMode how)
        : window(of),
          context(with),
          mode(how),
          findings(with.report),
          tracking(with, findings),
          metadata(with, tracking, losses.metadata),
          rows(with, findings, metadata),
          stacks(with, tracking, Tracked::stacks, losses.stacks),
          labels(with, tracking, Tracked::labels, losses.labels),
          threads(with, tracking, findings, losses) {}

    bool is_plain() const { return version == kPlainBlocks; }
    Layout layout() const { return {.version = version}; }
    // The walk may have missed anything (section 4.1: lose all).
    void lose_all() {
        losses.lose_definitions();
        stacks.lose();
        labels.lose();
        threads.lose_order();
    }
    // After a sequence point.
    void begin_region() {
        stacks.begin();
        labels.begin();
        if (tracking.has_ended(Tracked::stacks)) losses.stacks = true;
        if (tracking.has_ended(Tracked::labels)) losses.labels = true;
    }

    Window& window;
    ValidationContext& context;
    const WalkMode mode;
    Findings findings;
    Losses losses;
    Tracking tracking;
    MetadataTable metadata;
    MetadataRows rows;
    Region stacks, labels;
    Threads threads;
    Counts counts;
    Unchecked unchecked;
    uint64_t index = 0;  // of the next record
    uint16_t version = kNettrace4;
    uint8_t pointer_size = 0;            // 0: it is unknown
    std::optional<uint64_t> processors;  // of the Trace
    bool has_processor_finding = false;
    bool is_search_cut = false;  // bytes that a search for the next object would need went out of view
};

// A block, or what stands for one.
struct Block {
    Kind kind = Kind::unknown;
    uint64_t begin = 0, end = 0;  // of its content
    Place size_place;             // its size; in version 6 its header
};

// How a walk ended, and where the fault is if the block was left.
struct BlockEnd {
    Walked walked = Walked::whole;
    uint64_t left_at = 0;
    uint64_t unchecked_from = kNone;  // the first byte behind a fault that is not checked; kNone: all are
};

// The content of a block, as far as it lies before the block's end.
class BlockCursor {
  public:
    BlockCursor(Session& session, const Block& block) : session_(session), at_(block.begin), end_(block.end) {}

    uint64_t at() const { return at_; }
    uint64_t end() const { return end_; }
    uint64_t left() const { return end_ - at_; }
    bool is_at_end() const { return at_ == end_; }
    // The bytes from the cursor on: `wanted` or more, unless the block or the file ends.
    Bytes see(uint64_t wanted) {
        const Bytes seen = session_.window.view(at_, std::min(wanted, left()));
        return seen.first(std::min<uint64_t>(seen.size(), left()));
    }
    void pass(uint64_t bytes) {
        at_ += bytes;
        if (session_.findings.has_fault() && unchecked_from_ == kNone) [[unlikely]]
            unchecked_from_ = at_;
    }
    // Whether the file ends before the next `bytes` do. Bytes from the cursor on may be gone.
    bool is_cut_within(uint64_t bytes) { return bytes != 0 && !session_.window.reaches(at_ + bytes); }
    // Whether the file ends before the block does. The bytes from the cursor on are kept as far as the limits allow,
    // as the search for the next object begins here.
    bool is_block_cut();
    // Whether so many bytes may be seen at once.
    bool may_see(uint64_t bytes) const {
        return bytes <= session_.context.limits.record && session_.window.affordable(bytes) == bytes;
    }

    // Reads what the block has next. Behind it, take() passes what was read.
    PartReader part(Bytes bytes, const Record& record) {
        return {session_.findings, bytes, at_, {&record, session_.index}};
    }
    // Takes an item whose size only its parts say: `read` is given `usual` bytes of it, and twice as many until they
    // are enough. An item above the limits is left.
    template <class Read>
    Walked take_item(const Record& record, uint64_t usual, Read read) {
        const uint64_t limit = session_.context.limits.record;
        for (uint64_t wanted = std::min(usual, limit);;) {
            const Bytes seen = see(wanted), given = seen.first(std::min<uint64_t>(seen.size(), wanted));
            PartReader item = part(given, record);
            if (read(item)) {
                pass(item.at() - at_);
                return Walked::whole;
            }
            if (!item.is_fault_of_end() || given.size() == left()) return fail(item);
            if (given.size() < wanted) return Walked::cut;
            const uint64_t more = session_.window.affordable(std::min({2 * wanted, left(), limit}));
            if (more <= wanted) {
                session_.tracking.end(Tracked::records, at_);
                return Walked::left;
            }
            wanted = more;
        }
    }
    // The walk ends with a framing fault, unless it is one of the end in a block that the file cuts.
    Walked fail(const PartReader& part);
    Walked fail(const Rule& rule, const Place& place, std::initializer_list<uint64_t> numbers = {},
                bool at_end = false);
    // The same for a fault that is inside of what the file has.
    Walked leave(const Diagnostic& fault);
    BlockEnd end_of(Walked walked) const {
        const bool is_left_first = walked == Walked::left && unchecked_from_ == kNone && session_.findings.has_fault();
        return {walked, left_at_, is_left_first ? left_at_ : unchecked_from_};
    }

  private:
    Session& session_;
    uint64_t at_;
    const uint64_t end_;
    uint64_t left_at_ = 0;
    uint64_t unchecked_from_ = kNone;
};

// Walks the content of a block of any kind but those of versions 1 to 3 (walk_content.cpp).
BlockEnd walk_content(Session& session, const Block& block);

// The blocks of events and, up to version 5, of metadata (walk_events.cpp).
BlockEnd walk_events(Session& session, const Block& block);

// Events of versions 1 to 3 (walk_old_events.cpp). Files of versions 1 and 2 are one block without a known end.
BlockEnd walk_old_events(Session& session, const Block& block);
// False: the file ends behind the last event, at `end_of_events`.
bool walk_old_file(Session& session, uint64_t begin, uint64_t& end_of_events);

// Checks of events that versions 1 to 3 share with the later ones (checks/events.cpp, walk_content.cpp).
void check_payload_size(Session& session, uint64_t size, const Place& place);
void check_payload(Session& session, MetadataTable::Entry& entry, Bytes payload, const Place& whole);
// The entry of the event's metadata; null: it is missed, or was. `place` is asked if that is reported.
MetadataTable::Entry* metadata_of(Session& session, uint64_t id, Place (*place)(const void*), const void* of);
void check_stack(Session& session, uint64_t size, const Place& place);

// The Trace (checks/trace.cpp). Up to version 5 it is whole. `bytes` has the fixed fields.
bool check_trace(Session& session, PartReader& trace);
void check_forward_reference(Session& session, PartReader& trace);
BlockEnd walk_plain_trace(Session& session, const Block& block);

// What is lost when a block ends in doubt, or was left.
void lose_content(Session& session, Kind kind, bool is_left);

}  // namespace tracelint::nettrace
