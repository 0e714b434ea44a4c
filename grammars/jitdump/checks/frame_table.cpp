// The search table of an .eh_frame_hdr, compared with the .eh_frame (section 3.7.4).
#include "grammars/jitdump/checks/eh_frame.hpp"

namespace tracelint::jitdump {
namespace {

constexpr uint64_t kPointerEncodingAt = 1, kCountEncodingAt = 2, kTableEncodingAt = 3, kFieldsAt = 4;
constexpr unsigned kNumberSize = 4;  // of a number in the table, as perf reads it
constexpr uint64_t kPairSize = 8;

// perf reads these numbers with 4 or 8 bytes.
bool perf_reads_format(uint8_t encoding) {
    switch (format_of(encoding)) {
        case 0x03:
        case 0x04:
        case 0x0b:
        case 0x0c: return true;
        default: return encoding == 0;  // an absolute pointer
    }
}

bool perf_reads_pointer(uint8_t encoding) {
    const uint8_t application = application_of(encoding);
    return encoding == kOmitted ||
           (perf_reads_format(encoding) && (application == kAbsolute || application == kPcRelative));
}

bool perf_reads_count(uint8_t encoding) {
    return encoding == kOmitted || (perf_reads_format(encoding) && application_of(encoding) == kAbsolute);
}

// perf reads the table as 4-byte numbers that count from the start of the header, whatever the encoding says.
bool perf_reads_table(uint8_t encoding) { return encoding == kOmitted || encoding == 0x33 || encoding == 0x3b; }

constexpr Rule kEhFrameHdrUnread{
    .id = "jitdump/eh-frame-hdr-unread",
    .severity = Severity::warning,
    .statement = "the .eh_frame_hdr has encodings that perf reads",
    .message = "byte {0} of the .eh_frame_hdr is {1x}, an encoding that perf does not read there",
    .why = "perf finds no table or misreads it, and stacks end at this function",
    .spec = "3.7.4 Table of the EH Frame Header",
    .since = "0.2.0",
};

constexpr Rule kEhFrameHdrFramePointer{
    .id = "jitdump/eh-frame-hdr-frame-pointer",
    .severity = Severity::warning,
    .statement = "eh_frame_ptr points to the start of the .eh_frame",
    .message = "eh_frame_ptr points {0 byte|bytes} away from the start of the .eh_frame",
    .why = "perf does not use it, but other unwinders use it to find the .eh_frame",
    .spec = "3.7.4 Table of the EH Frame Header",
    .since = "0.2.0",
};

constexpr Rule kEhFrameHdrCount{
    .id = "jitdump/eh-frame-hdr-count",
    .severity = Severity::warning,
    .statement = "the table of the .eh_frame_hdr has a pair for each FDE",
    .message = "the table of the .eh_frame_hdr has {0 pair|pairs}, but the .eh_frame has {1 FDE|FDEs}",
    .why = "perf finds FDEs only through the table, so stacks end at this function",
    .spec = "3.7.4 Table of the EH Frame Header",
    .since = "0.2.0",
};

constexpr Rule kEhFrameHdrFdePointer{
    .id = "jitdump/eh-frame-hdr-fde-pointer",
    .severity = Severity::warning,
    .statement = "each pair of the table points to an FDE",
    .message = "pair {0} of the table points to byte {1} of the .eh_frame, where no FDE begins",
    .why = "perf reads other bytes as an FDE, and stacks end at this function",
    .spec = "3.7.4 Table of the EH Frame Header",
    .since = "0.2.0",
};

constexpr Rule kEhFrameHdrOrder{
    .id = "jitdump/eh-frame-hdr-order",
    .severity = Severity::warning,
    .statement = "the pairs of the table ascend by address",
    .message = "pair {0} of the table has a lower address than the pair before it",
    .why = "perf's binary search misses FDEs, so stacks end in parts of this function",
    .spec = "3.7.4 Table of the EH Frame Header",
    .since = "0.2.0",
};

class TableCheck {
  public:
    TableCheck(const UnwindingData& data, const FrameIndex& index, FrameFacts& facts)
        : data_(data), header_(data.header()), index_(index), facts_(facts), reader_(header_, data.state) {
        reader_.skip(kFieldsAt);
    }

    void run() {
        const uint8_t pointer = header_[kPointerEncodingAt], count = header_[kCountEncodingAt],
                      table = header_[kTableEncodingAt];
        if (!data_.knows_width_of(pointer) || !data_.knows_width_of(count)) return;
        if (!perf_reads_pointer(pointer)) return unread(kPointerEncodingAt);
        if (!perf_reads_count(count)) return unread(kCountEncodingAt);
        if (!perf_reads_table(table)) return unread(kTableEncodingAt);
        check_pointer(pointer);
        if (check_count(count, table)) check_pairs();
    }

  private:
    void unread(uint64_t at) {
        data_.state.report.add<kEhFrameHdrUnread>(data_.header_place(at, 1), {at, header_[at]});
    }

    // An absolute pointer is not compared: it depends on where the data are mapped.
    void check_pointer(uint8_t encoding) {
        if (encoding == kOmitted) return;
        const uint64_t at = reader_.at();
        const uint64_t value = reader_.number(encoding)->value;
        if (application_of(encoding) != kPcRelative) return;
        const uint64_t target = data_.header_at + at + value;  // the .eh_frame is at 0
        const uint64_t distance = static_cast<int64_t>(target) < 0 ? -target : target;
        if (distance != 0)
            data_.state.report.add<kEhFrameHdrFramePointer>(data_.header_place(at, reader_.at() - at), {distance});
    }

    // Whether there is a pair for each FDE.
    bool check_count(uint8_t encoding, uint8_t table) {
        const uint64_t at = encoding == kOmitted ? kCountEncodingAt : reader_.at();
        const uint64_t pairs = encoding == kOmitted ? 0 : reader_.number(encoding)->value;
        const uint64_t length = encoding == kOmitted ? 1 : reader_.at() - at;
        if (table == kOmitted && pairs == facts_.fdes) {
            data_.state.report.add<kEhFrameHdrCount>(data_.header_place(kTableEncodingAt, 1), {0, facts_.fdes});
            return false;
        }
        if (pairs == facts_.fdes) return true;
        data_.state.report.add<kEhFrameHdrCount>(data_.header_place(at, length), {pairs, facts_.fdes});
        return false;
    }

    // Ends at the first pair that is wrong.
    void check_pairs() {
        const State& state = data_.state;
        std::optional<int64_t> before;
        for (uint64_t pair = 0; pair < facts_.fdes; ++pair) {
            data_.state.context.work.add(1);
            const uint64_t at = reader_.at();
            reader_.skip(kPairSize);
            const int64_t start = sign_extended(load(&header_[at], kNumberSize, state.order), kNumberSize);
            const int64_t to_fde =
                sign_extended(load(&header_[at + kNumberSize], kNumberSize, state.order), kNumberSize);
            const uint64_t fde_at = data_.header_at + static_cast<uint64_t>(to_fde);
            const IndexedEntry fde = index_.at(fde_at);
            if (fde.kind != IndexedEntry::Kind::fde)
                return data_.state.report.add<kEhFrameHdrFdePointer>(data_.header_place(at + kNumberSize, kNumberSize),
                                                                     {pair, fde_at});
            const UnwindingAddress address = start_of(data_, fde_at, fde);
            const uint64_t listed = data_.header_at + static_cast<uint64_t>(start);
            if (!address.is_absolute && address.value != listed)
                return facts_.range.add_mismatch(fde_at, address.value, listed, data_.header_place(at, kNumberSize));
            if (before && start < *before)
                return data_.state.report.add<kEhFrameHdrOrder>(data_.header_place(at, kNumberSize), {pair});
            before = start;
        }
    }

    const UnwindingData& data_;
    Bytes header_;
    const FrameIndex& index_;
    FrameFacts& facts_;
    UnwindingReader reader_;
};

}  // namespace

void check_table(const UnwindingData& data, const FrameIndex& index, FrameFacts& facts) {
    TableCheck(data, index, facts).run();
}

constinit const RuleList kFrameTableRules =
    rules<&kEhFrameHdrUnread, &kEhFrameHdrFramePointer, &kEhFrameHdrCount, &kEhFrameHdrFdePointer, &kEhFrameHdrOrder>;

}  // namespace tracelint::jitdump
