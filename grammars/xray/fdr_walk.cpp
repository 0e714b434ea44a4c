// xray, section 4.1: the walk over a flight data recorder file and its buffers.
#include "grammars/xray/fdr_walk.hpp"

#include "grammars/xray/fdr_buffer_machine.hpp"
#include "grammars/xray/fdr_file.hpp"
#include "grammars/xray/fdr_file_machine.hpp"

namespace tracelint::xray {
namespace {

class FdrWalk {
  public:
    FdrWalk(Window& window, ValidationContext& context, const HeaderFacts& header, WalkMode mode)
        : file_(window, context, header, mode),
          order_(header.order),
          machine_(header.version == 1 ? kOuterMachine1 : kOuterMachine2),
          walk_buffer_(buffer_walk(header)) {}

    void run() {
        while (stage_ != Stage::stopped) take(stage_ == Stage::inside ? walk() : look());
        file_.threads.finish();
        count_records();
    }

  private:
    using Bound = BufferFrame::Bound;
    using How = BufferResult::How;

    uint16_t version() const { return file_.header.version; }
    View<kBufferExtents> extents(Bytes bytes) const { return {bytes.data(), at_, order_, file_.index}; }

    FileEvent look();
    FileEvent look_at_extents(Bytes bytes);
    FileEvent enter_new_buffer(Bytes bytes);
    FileEvent enter_version_1();
    FileEvent scan();
    FileEvent walk();
    FileEvent event_of(const BufferResult& result);
    FileEvent skip_to(uint64_t to, FileEvent met);
    void take(FileEvent met);
    void report(const Rule& rule);
    void check_count(FileEvent met);
    void count_records();

    FdrFile file_;
    const ByteOrder order_;
    const OuterMachine& machine_;
    const WalkBuffer walk_buffer_;

    Stage stage_ = Stage::boundary;
    uint64_t at_ = kHeaderSize;
    BufferFrame frame_;
    uint64_t buffers_ = 0, skipped_ = 0;  // skipped: bytes that nobody looked into
    uint64_t count_ = 0;                  // of the BufferExtents met last
    Place place_;                         // of what was met
};

// --- Boundary and Quiet ----------------------------------------------------------------------------------

FileEvent FdrWalk::look() {
    const Bytes bytes = file_.window.view(at_, kPlausibleExtents);
    if (bytes.empty()) return FileEvent::end_of_file;
    if (version() == 1) return enter_version_1();
    if (bytes[0] == introducer(kBufferExtentsKind, order_)) return look_at_extents(bytes);
    const bool is_new_buffer = bytes[0] == introducer(kNewBufferKind, order_) && bytes.size() >= kMetadataSize;
    if (version() == 2 && stage_ == Stage::boundary && is_new_buffer) return enter_new_buffer(bytes);
    return scan();
}

FileEvent FdrWalk::look_at_extents(Bytes bytes) {
    const auto record = extents(bytes);
    place_ = record.whole(bytes.size());
    if (bytes.size() < kMetadataSize) return FileEvent::cut_extents;
    count_ = record.get<"count">();
    place_ = record.place<"count">();
    for (uint64_t i = record.offset_of<"reserved">(); i < kMetadataSize && !file_.reserved_said; ++i)
        if (bytes[i] != 0) report_reserved(file_, record.place<"reserved">(i, 1), bytes[i]);
    ++file_.by_first_byte[bytes[0]];
    ++file_.index;
    at_ += kMetadataSize;
    if (count_ == 0) return FileEvent::empty_extents;
    if (count_ < kLeastExtents) return FileEvent::small_extents;
    frame_ = {.bound = Bound::claimed, .start = at_, .end = saturating_add(at_, count_), .extents = place_};
    if (count_ > kMostExtents) {
        frame_.bound = Bound::overclaims;
        file_.report.add(kExtentsExceedFile, place_, {count_});
    }
    return FileEvent::extents;
}

// Where a second NewBuffer follows, the first one is a damaged BufferExtents.
FileEvent FdrWalk::enter_new_buffer(Bytes bytes) {
    place_ = View<kNewBuffer>(bytes.data(), at_, order_, file_.index).whole(1);
    if (bytes.size() > kMetadataSize && bytes[kMetadataSize] == bytes[0]) {
        at_ += kMetadataSize;
        ++file_.index;
    }
    frame_ = {.bound = Bound::none, .start = at_};
    return FileEvent::new_buffer;
}

FileEvent FdrWalk::enter_version_1() {
    const uint64_t size = file_.header.buffer_size;
    frame_ = {.bound = size < kLeastBufferSize ? Bound::none : Bound::claimed, .start = at_};
    frame_.end = saturating_add(at_, size);
    frame_.is_first = at_ == kHeaderSize;
    return FileEvent::any_byte;
}

// Goes forward to the next plausible BufferExtents.
FileEvent FdrWalk::scan() {
    const uint64_t from = at_;
    const uint8_t wanted = introducer(kBufferExtentsKind, order_);
    FileEvent met = FileEvent::trailing_bytes;
    while (met == FileEvent::trailing_bytes) {
        const Bytes bytes = file_.window.view(at_, kPlausibleExtents);
        if (bytes.size() < kPlausibleExtents) {
            at_ += bytes.size();
            break;
        }
        const size_t places = bytes.size() - kMetadataSize;
        const void* found = std::memchr(bytes.data(), wanted, places);
        const size_t next =
            found == nullptr ? places : static_cast<size_t>(static_cast<const uint8_t*>(found) - bytes.data());
        if (is_plausible_extents(bytes.subspan(next), order_)) met = FileEvent::garbage;
        at_ += next + (found != nullptr && met != FileEvent::garbage ? 1 : 0);
    }
    place_ = {.offset = from, .length = at_ - from};
    skipped_ += at_ - from;
    return met;
}

// --- inside of a buffer ----------------------------------------------------------------------------------

FileEvent FdrWalk::walk() {
    ++buffers_;
    const FileEvent met = event_of(walk_buffer_(file_, frame_));
    check_count(met);
    return met;
}

// 4.1: where the walk goes on when a buffer is over.
FileEvent FdrWalk::event_of(const BufferResult& result) {
    at_ = result.at;
    const bool is_bounded = frame_.bound == Bound::claimed;
    switch (result.how) {
        case How::ended:
        case How::ended_quietly:
            if (is_bounded) at_ = frame_.end;
            // Version 1, buffer_size unknown: what follows EndOfBuffer is ignored.
            if (version() == 1 && !is_bounded) return FileEvent::over;
            return result.how == How::ended ? FileEvent::ended : FileEvent::ended_quietly;
        case How::met_extents: return FileEvent::met_extents;
        case How::left:
            if (version() == 1 && !is_bounded) return FileEvent::over;
            if (is_bounded) return skip_to(frame_.end, FileEvent::left);
            scan();  // what is left at is no BufferExtents that is believed
            return FileEvent::left;
        case How::cut: return FileEvent::cut;
        default: return FileEvent::over;
    }
}

// `met`, unless the file ends on the way.
FileEvent FdrWalk::skip_to(uint64_t to, FileEvent met) {
    const bool reaches = file_.window.reaches(to);
    skipped_ += saturating_sub(reaches ? to : file_.window.size(), at_);
    at_ = to;
    return reaches ? met : FileEvent::cut;
}

// Rule 14, which is not for what rule 13 was said of.
void FdrWalk::check_count(FileEvent met) {
    const uint64_t size = file_.header.buffer_size;
    if (frame_.extents.record == nullptr || met == FileEvent::cut || frame_.bound == Bound::overclaims) return;
    if (size >= kLeastBufferSize && count_ > size)
        file_.report.add(kExtentsExceedBufferSize, frame_.extents, {count_, size});
}

// --- the machine -------------------------------------------------------------------------------------------

void FdrWalk::take(FileEvent met) {
    const auto& edge = machine_.at(stage_, met);
    stage_ = edge.to;
    if (edge.rule != nullptr) report(*edge.rule);
    if (met != FileEvent::small_extents) return;
    if (skip_to(at_ + count_, met) == FileEvent::cut) file_.report.add(kExtentsExceedFile, place_, {count_});
}

void FdrWalk::report(const Rule& rule) {
    Diagnostic finding{.rule = &rule, .place = place_, .numbers = {count_}};
    if (&rule == &kTruncatedBuffer) {
        finding.place = {.offset = frame_.start, .length = file_.window.size() - frame_.start};
        finding.numbers = {finding.place.length, file_.header.buffer_size};
    } else if (&rule == &kExtentsExceedFile) {
        if (frame_.bound == Bound::overclaims) return;
    } else if (&rule == &kTruncatedRecord) {
        finding.numbers = {place_.length, kMetadataSize};
    } else if (&rule == &kGarbageBeforeBuffer || &rule == &kTrailingGarbage) {
        finding.numbers = {place_.length};
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
    add("skipped bytes", skipped_);
    for (size_t symbol = 0; symbol < by_symbol.size(); ++symbol) {
        add(kSymbolNames[symbol], by_symbol[symbol]);
        if (symbol == static_cast<size_t>(Symbol::exit)) add("Tail_Exit", tail_exits);
    }
}

}  // namespace

void validate_fdr(Window& window, ValidationContext& context, const HeaderFacts& header, WalkMode mode) {
    FdrWalk(window, context, header, mode).run();
}

}  // namespace tracelint::xray
