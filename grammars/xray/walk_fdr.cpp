// XRay, section 4.1: the walk over a flight data recorder log, from buffer to buffer.
//
// A log is a header and the buffers of many threads. Since version 2 a BufferExtents precedes each buffer and counts
// its bytes; in version 1 all buffers have one size. Two machines share the work. This one (machine_fdr_file.hpp)
// decides what is between buffers; BufferWalk (walk_fdr_buffer.hpp) reads the records inside one.
//
// If the count of a buffer or its contents are wrong, the walk scans forward for the next plausible BufferExtents.
// Until it finds one it is quiet: bytes that follow from a reported fault are not reported again. No decision depends
// on the size of the file before its end is reached, so a pipe gives the same report.
#include "grammars/xray/xray.hpp"

#include "grammars/xray/machine_fdr_file.hpp"
#include "grammars/xray/walk_fdr_buffer.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint::xray {
namespace {

constexpr size_t kArgumentEnd = 9;  // of a CallArgument: what follows is reserved

class FdrWalk {
  public:
    FdrWalk(Window& window, ValidationContext& context, const HeaderFacts& header, WalkMode mode)
        : file_(window, context, header, mode),
          order_(header.order),
          machine_(header.version == 1 ? kFileMachine1 : kFileMachine2) {}

    void run() {
        while (stage_ != Stage::stopped) take(machine_, stage_, stage_ == Stage::inside ? walk() : look(), *this);
        file_.threads.finish();
        count_records();
    }

    // What take() asks for.
    void report(const Rule& rule, FileEvent event);
    void accept(FileEvent event);
    void skip(FileEvent) { at_ = next_; }
    void stop(FileEvent) {}

  private:
    using Bound = BufferFrame::Bound;
    using How = BufferResult::How;

    uint16_t version() const { return file_.header.version; }

    FileEvent look();
    struct Uncounted {
        std::string_view name;
        uint64_t size = 0;  // 0 if it is not a record
    };
    Uncounted uncounted_record(Bytes bytes) const;
    FileEvent look_at_extents(Bytes bytes);
    FileEvent look_at_new_buffer(Bytes bytes);
    FileEvent scan(uint64_t from);
    FileEvent walk();
    FileEvent event_of(How how);
    FileEvent skip_rest();
    void open_buffer(FileEvent event);
    void check_count();
    void count_records();

    FdrFile file_;
    const ByteOrder order_;
    const FileMachine& machine_;

    Stage stage_ = Stage::boundary;
    uint64_t at_ = kHeaderSize;    // the cursor
    uint64_t next_ = kHeaderSize;  // where the walk continues after the event
    BufferFrame frame_;
    uint64_t count_ = 0;          // of the last BufferExtents
    Place place_;                 // that a finding about the event has
    std::string_view uncounted_;  // the record that the garbage is; empty if it is not one
    uint64_t buffers_ = 0, skipped_bytes_ = 0;
    bool has_count_finding_ = false;  // a finding in the buffer says that its count is above buffer_size
};

// --- where a buffer is due -----------------------------------------------------------------------------------

FileEvent FdrWalk::look() {
    const Bytes bytes = file_.window.view(at_, kPlausibleExtents);
    next_ = at_;
    if (bytes.empty()) return FileEvent::end_of_file;
    if (version() == 1) return FileEvent::any_byte;
    if (bytes[0] == introducer(kBufferExtentsKind, order_)) return look_at_extents(bytes);
    const bool is_new_buffer = bytes[0] == introducer(kNewBufferKind, order_) && bytes.size() >= kMetadataSize;
    if (version() == 2 && stage_ == Stage::boundary && is_new_buffer) return look_at_new_buffer(bytes);
    const Uncounted uncounted = uncounted_record(bytes);
    const FileEvent found = scan(at_);
    uncounted_ = uncounted.size == next_ - at_ ? uncounted.name : std::string_view();
    place_ = {.offset = at_, .length = next_ - at_};
    skipped_bytes_ += next_ - at_;
    return found;
}

FileEvent FdrWalk::look_at_extents(Bytes bytes) {
    const View<kBufferExtents> record(bytes.data(), at_, order_, file_.index);
    place_ = record.whole(bytes.size());
    if (bytes.size() < kMetadataSize) return FileEvent::cut_extents;
    count_ = record.get<"count">();
    place_ = record.place<"count">();
    check_reserved(file_, record, bytes);
    ++file_.by_first_byte[bytes[0]];
    ++file_.index;
    next_ = at_ + kMetadataSize;
    if (count_ == 0) return FileEvent::empty_extents;
    if (count_ < kLeastExtents) return FileEvent::small_extents;
    return count_ > kMostExtents ? FileEvent::overclaiming_extents : FileEvent::extents;
}

// The record at the start of what no buffer counts. Of metadata the last bytes are reserved.
auto FdrWalk::uncounted_record(Bytes bytes) const -> Uncounted {
    if (version() == 1) return {};
    if (!is_metadata(bytes[0], order_)) return {"function record", kFunctionSize};
    const auto& symbols = order_ == ByteOrder::little ? kSymbols<ByteOrder::little> : kSymbols<ByteOrder::big>;
    const Symbol symbol = symbols[bytes[0]];
    const bool is_argument = symbol == Symbol::call_argument && bytes.size() > kMetadataSize;
    if (!is_argument || !all_zero(bytes.subspan(kArgumentEnd, kMetadataSize - kArgumentEnd))) return {};
    return {kSymbolNames[static_cast<size_t>(symbol)], kMetadataSize};
}

// If a second NewBuffer follows, the first one is a damaged BufferExtents.
FileEvent FdrWalk::look_at_new_buffer(Bytes bytes) {
    place_ = View<kNewBuffer>(bytes.data(), at_, order_, file_.index).whole(1);
    if (bytes.size() > kMetadataSize && bytes[kMetadataSize] == bytes[0]) {
        next_ = at_ + kMetadataSize;
        ++file_.index;
    }
    return FileEvent::new_buffer;
}

// Looks for the next plausible BufferExtents; next_ is there, or at the end of the file.
FileEvent FdrWalk::scan(uint64_t from) {
    const uint8_t wanted = introducer(kBufferExtentsKind, order_);
    next_ = from;
    while (true) {
        const Bytes bytes = file_.window.view(next_, kPlausibleExtents);
        if (bytes.size() < kPlausibleExtents) {
            next_ += bytes.size();
            return FileEvent::trailing_bytes;
        }
        const size_t places = bytes.size() - kMetadataSize;
        const void* found = std::memchr(bytes.data(), wanted, places);
        if (found == nullptr) {
            next_ += places;
            continue;
        }
        const auto skipped = static_cast<size_t>(static_cast<const uint8_t*>(found) - bytes.data());
        next_ += skipped;
        if (is_plausible_extents(bytes.subspan(skipped), order_)) return FileEvent::garbage;
        ++next_;
    }
}

// The buffer that begins at next_.
void FdrWalk::open_buffer(FileEvent event) {
    const uint64_t stride = file_.header.buffer_size;
    const auto frame = [&](Bound bound, uint64_t size, Place extents = {}) {
        frame_ = {bound, next_, saturating_add(next_, size), next_ == kHeaderSize, extents};
    };
    switch (event) {
        case FileEvent::extents: return frame(Bound::claimed, count_, place_);
        case FileEvent::overclaiming_extents: return frame(Bound::overclaims, count_, place_);
        case FileEvent::small_extents: return frame(Bound::too_small, count_);
        case FileEvent::any_byte: return frame(stride < kLeastBufferSize ? Bound::none : Bound::claimed, stride);
        default: return frame(Bound::none, kNone);
    }
}

// --- inside a buffer -------------------------------------------------------------------------------------------

FileEvent FdrWalk::walk() {
    has_count_finding_ = false;
    if (frame_.bound == Bound::too_small) return skip_rest();
    ++buffers_;
    const BufferResult result = walk_buffer(file_, frame_);
    at_ = next_ = result.at;
    has_count_finding_ = result.has_count_finding;
    return event_of(result.how);
}

// Section 4.1: where the walk continues when a buffer is over.
FileEvent FdrWalk::event_of(How how) {
    const bool is_bounded = frame_.bound == Bound::claimed;
    // Version 1, buffer_size unknown: what follows is ignored.
    const bool is_last = version() == 1 && !is_bounded;
    switch (how) {
        case How::ended:
        case How::ended_with_bad_preamble:
            if (is_bounded) next_ = frame_.end;
            if (is_last) return FileEvent::over;
            return how == How::ended ? FileEvent::ended : FileEvent::ended_with_bad_preamble;
        case How::found_extents: return FileEvent::found_extents;
        case How::left:
            if (is_last) return FileEvent::over;
            if (is_bounded) return skip_rest();
            scan(at_);  // the record at which it was left is not a plausible BufferExtents
            skipped_bytes_ += next_ - at_;
            return FileEvent::left;
        // A count that overclaims was reported.
        case How::cut: return frame_.bound == Bound::overclaims ? FileEvent::over : FileEvent::cut;
        default: return FileEvent::over;
    }
}

// Skips to the end that the buffer claims.
FileEvent FdrWalk::skip_rest() {
    next_ = frame_.end;
    const bool is_whole = file_.window.reaches(next_);
    skipped_bytes_ += saturating_sub(is_whole ? next_ : file_.window.size(), at_);
    return is_whole ? FileEvent::left : FileEvent::cut;
}

constexpr Rule kExtentsExceedBufferSize{
    .id = "xray/extents-exceed-buffer-size",
    .severity = Severity::warning,
    .statement = "a buffer has at most the buffer_size of the header",
    .message = "the count of the buffer is {0}, but buffer_size is {1}",
    .why = "the runtime wrote a record or an event past the end of its buffer and damaged the memory there",
    .spec = "3.4.8 BufferExtents Records",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

// Checks the count of a buffer that is whole, and whose count was not reported.
void FdrWalk::check_count() {
    const uint64_t size = file_.header.buffer_size;
    if (frame_.bound != Bound::claimed || frame_.extents.record == nullptr || has_count_finding_) return;
    if (size >= kLeastBufferSize && count_ > size)
        file_.report.add<kExtentsExceedBufferSize>(frame_.extents, {count_, size});
}

// --- what the machine asks for -----------------------------------------------------------------------------------

void FdrWalk::accept(FileEvent event) {
    switch (event) {
        case FileEvent::ended:
        case FileEvent::ended_with_bad_preamble:
        case FileEvent::found_extents:
        case FileEvent::left: check_count(); break;
        default: open_buffer(event);
    }
    at_ = next_;
}

void FdrWalk::report(const Rule& rule, FileEvent event) {
    Diagnostic finding{.rule = &rule, .place = place_, .numbers = {count_}};
    switch (event) {
        case FileEvent::cut_extents: finding.numbers = {place_.length, kMetadataSize}; break;
        case FileEvent::garbage:
            finding.is_overridden = !uncounted_.empty();
            finding.text = uncounted_;
            [[fallthrough]];
        case FileEvent::trailing_bytes: finding.numbers = {place_.length}; break;
        case FileEvent::cut:
            if (version() > 1) break;
            finding.place = {.offset = frame_.start, .length = file_.window.size() - frame_.start};
            finding.numbers = {finding.place.length, file_.header.buffer_size};
            break;
        default: break;
    }
    file_.report.add(finding);
}

// --- statistics ----------------------------------------------------------------------------------------------

void FdrWalk::count_records() {
    std::array<uint64_t, static_cast<size_t>(Symbol::count_)> by_symbol{};
    uint64_t all = 0, tail_exits = 0;
    const auto& symbols = order_ == ByteOrder::little ? kSymbols<ByteOrder::little> : kSymbols<ByteOrder::big>;
    for (size_t byte = 0; byte < symbols.size(); ++byte) {
        const uint64_t count = file_.by_first_byte[byte];
        by_symbol[static_cast<size_t>(symbols[byte])] += count;
        all += count;
        const bool is_tail_exit = action_of(static_cast<uint8_t>(byte), order_) == kTailExit;
        if (symbols[byte] == Symbol::exit && is_tail_exit) tail_exits += count;
    }
    by_symbol[static_cast<size_t>(Symbol::exit)] -= tail_exits;
    auto& statistics = file_.context.statistics;
    statistics.emplace_back("records", all);
    statistics.emplace_back("buffers", buffers_);
    statistics.emplace_back("threads", file_.threads.count());
    const auto add = [&](std::string_view name, uint64_t count) {
        if (count != 0) statistics.emplace_back(name, count);
    };
    add(kSkippedBytes, skipped_bytes_);
    add(kMostSkippedRecords, skipped_bytes_ / kFunctionSize);
    for (size_t symbol = 0; symbol < by_symbol.size(); ++symbol) {
        add(kSymbolNames[symbol], by_symbol[symbol]);
        if (symbol == static_cast<size_t>(Symbol::exit)) add("Tail_Exit", tail_exits);
    }
}

}  // namespace

void validate_fdr(Window& window, ValidationContext& context, const HeaderFacts& header, WalkMode mode) {
    FdrWalk(window, context, header, mode).run();
}

constinit const RuleList kFdrWalkRules = rules<&kExtentsExceedBufferSize>;

}  // namespace tracelint::xray
