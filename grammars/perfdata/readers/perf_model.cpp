// perf, followed through a recording: the header, the attributes, and the loops over the records.
#include "grammars/perfdata/readers/perf_model.hpp"

#include <bit>
#include <cstring>

#include "grammars/perfdata/perfdata.hpp"
#include "grammars/perfdata/readers/perf_session.hpp"
#include "validator/input/zstd.hpp"
#include "validator/memory/vectors.hpp"
#include "validator/readers/follow_context.hpp"

namespace tracelint::perfdata {

constinit const Rule kPerfRefuses{
    .id = "reader/perf-stops",
    .severity = Severity::error,
    .statement = "perf script reads the recording to its end",
    .message = "perf script stops here with an error: {text}",
    .why =
        "what it printed before is all there is. If the file comes from another version of perf, read it with that one",
    .spec = "grammars/perfdata/spec.md, 7. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constinit const Rule kPerfCrashes{
    .id = "reader/perf-crashes",
    .severity = Severity::error,
    .statement = "perf reads no bytes that are not there",
    .message = "perf crashes here: {text}",
    .why =
        "it uses a number from the file as an offset beyond its memory, or expects a part of the sample that is not "
        "there",
    .spec = "grammars/perfdata/spec.md, 7. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constinit const Rule kPerfRisk{
    .id = "reader/perf-may-crash",
    .severity = Severity::error,
    .statement = "perf stays in its own tables",
    .message = "perf may crash here: {text}",
    .why = "whether it crashes depends on the memory after the table",
    .spec = "grammars/perfdata/spec.md, 7. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constinit const Rule kPerfHangs{
    .id = "reader/perf-hangs",
    .severity = Severity::error,
    .statement = "perf reaches the end of the data",
    .message = "perf hangs here: {text}",
    .why = "fewer bytes than a record header are left, and it looks for the rest forever",
    .spec = "grammars/perfdata/spec.md, 7. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

namespace {

constexpr uint64_t kMostFollowed = 16 << 20;  // bytes of a file
constexpr uint64_t kPage = 4096;
constexpr uint64_t kAhead = 16;  // ids that are looked up soon
constexpr uint64_t kMostAttributes = 1 << 16;
constexpr uint64_t kNotMapped = uint64_t{900} << 20;  // bytes: there is no room for such a mapping
constexpr size_t kPlain = 1 << 17;                    // bytes: two records of the largest size

constexpr std::string_view kTooSmall = "the size of the record is less than 8",
                           kPastFile = "it reads data that end past the end of the file",
                           kNotDecompressed = "nothing of the payload can be decompressed";

// What perf reads as the kernel's formats of tracepoints: texts that end in 0, and data behind their sizes.
class TracingData {
  public:
    explicit TracingData(Bytes rest) : rest_(rest) {}

    bool is_whole() {
        constexpr uint64_t kRestOfHeader = 6;  // byte order, size of a long, size of a page
        if (!begins_like_tracing_data(rest_)) return false;
        if (!skip(sizeof kTracingMagic) || !skip_text() || rest_.empty()) return false;
        order_ = rest_[0] == 0 ? ByteOrder::little : ByteOrder::big;
        if (!skip(kRestOfHeader)) return false;
        for (int i = 0; i < 2; ++i)  // header_page and header_event
            if (!skip_text() || !skip_sized(8)) return false;
        if (!skip_formats()) return false;
        for (uint64_t systems = take(4); systems > 0; --systems)
            if (!skip_text() || !skip_formats()) return false;
        // Symbols, texts of printk and, since version 0.6, command lines.
        return skip_sized(4) && skip_sized(4) && (rest_.empty() || skip_sized(8));
    }

  private:
    uint64_t take(unsigned width) {
        is_cut_ |= rest_.size() < width;
        if (is_cut_) return 0;
        const uint64_t value = load(rest_.data(), width, order_);
        rest_ = rest_.subspan(width);
        return value;
    }
    bool skip(uint64_t bytes) {
        is_cut_ |= rest_.size() < bytes;
        if (!is_cut_) rest_ = rest_.subspan(bytes);
        return !is_cut_;
    }
    bool skip_text() { return skip(static_cast<uint64_t>(std::ranges::find(rest_, 0) - rest_.begin()) + 1); }
    bool skip_sized(unsigned width) { return skip(take(width)); }
    bool skip_formats() {
        for (uint64_t count = take(4); count > 0; --count)
            if (!skip_sized(8)) return false;
        return !is_cut_;
    }

    Bytes rest_;
    ByteOrder order_ = ByteOrder::little;
    bool is_cut_ = false;
};

class Perf {
  public:
    Perf(PerfVersion version, Bytes file, bool is_script, FollowContext& context)
        : version_(version),
          file_(file),
          is_script_(is_script),
          context_(context),
          model_(context),
          decoder_(context.budget, kMostFollowed),
          plain_(context.budget) {}

    Followed run() {
        if (!header()) return result();
        if (is_stream_)
            stream();
        else if (data_size_ == 0)
            stop(0, "its header says that there are no data");
        else
            mapped();
        if (end_.rule == nullptr && !has_stopped_) deliver();
        return result();
    }

  private:
    Followed result() const {
        if (has_no_opinion_) return NoOpinion();
        return end_;
    }
    uint64_t number(uint64_t at, unsigned width = 8) const {
        if (at <= file_.size() && width <= file_.size() - at) return load(file_.data() + at, width, order_);
        uint8_t bytes[8] = {};
        for (unsigned i = 0; i < width && at + i < file_.size(); ++i) bytes[i] = file_[at + i];
        return load(bytes, width, order_);
    }
    // Of a record; 0 for other places.
    uint64_t record_length(uint64_t offset) const {
        if (offset < kPipeHeaderSize || offset != record_at_) return 0;
        return std::min<uint64_t>(number(offset + 6, 2), file_.size() - std::min<uint64_t>(offset, file_.size()));
    }
    bool fail(ReaderOutcome outcome, const Rule& rule, uint64_t offset, std::string_view why) {
        if (end_.rule == nullptr)
            end_ = {outcome, &rule, std::min<uint64_t>(offset, file_.size()), record_length(offset), why};
        return false;
    }
    // For the file as a whole.
    bool refuse(uint64_t offset, std::string_view why) {
        return fail(ReaderOutcome::refuses, kPerfRefuses, offset, why);
    }
    // At a record: perf report says nothing of it in its exit status.
    bool stop(uint64_t offset, std::string_view why) {
        has_stopped_ = true;
        return is_script_ ? refuse(offset, why) : false;
    }
    bool crash_at(uint64_t offset, std::string_view why) {
        return fail(ReaderOutcome::crashes, kPerfCrashes, offset, why);
    }
    bool hang_at(uint64_t offset, std::string_view why) { return fail(ReaderOutcome::hangs, kPerfHangs, offset, why); }

    bool header() {
        if (file_.size() < 16) return refuse(0, "it is shorter than a header");
        const std::optional<ByteOrder> order = order_of_file();
        if (!order)
            return has_legacy_magic(file_)
                       ? refuse(16, "its attributes have a size that perf never wrote with this magic")
                       : refuse(0, "it does not begin with a magic number of perf");
        order_ = *order;
        const uint64_t size = number(8);
        is_stream_ = size == kPipeHeaderSize;
        model_.begin(version_, order_ == ByteOrder::big, is_script_, is_stream_);
        if (is_stream_) return true;
        if ((size != kFileHeaderSize && size != kOldHeaderSize) || file_.size() < size)
            return refuse(8, "the size of the header is neither 72 nor 104, or the file is shorter");
        const uint64_t entry = number(16);
        data_offset_ = number(40);
        data_size_ = number(48);
        if (entry == 0) return refuse(16, "the size of the attributes is 0");
        if (!is_6_1() && overlaps(size)) return refuse(24, "header, attributes and data overlap each other");
        if (!is_6_1() && number(32) / entry > kMostAttributes) return refuse(32, "it reads at most 65,536 attributes");
        if (!attributes(number(24), number(32) / entry)) return false;
        if (size == kFileHeaderSize) features_ = feature_bits();
        if (!sections()) return false;
        if (model_.has_tracepoints() && !has_feature(kTracingDataFeature))
            return refuse(24, "an event is a tracepoint, and its format is not in the file (TRACING_DATA)");
        if (is_6_1() && model_.has_tracepoints() && !is_feature_table_whole())
            return refuse(24, "an event is a tracepoint, and the file ends before its format (TRACING_DATA)");
        if (is_6_1() && model_.has_tracepoints() && !tracing_data())
            return fail(
                ReaderOutcome::may_crash, kPerfRisk, saturating_add(data_offset_, data_size_),
                "the file ends inside TRACING_DATA: perf frees the formats of tracepoints, and then reads them");
        // What it does with sizes and counts that do not fit is not followed.
        if (model_.has_tracepoints() && tracing_data() && !TracingData(*tracing_data()).is_whole())
            return context_.stop(Unpredicted::trace);
        if (!has_feature(kStatFeature) && !model_.attributes_agree())
            return refuse(24, "the samples of the events do not have their ids in one place, or read no ids");
        if (is_6_1() && overruns(model_.features().later_overrun())) return false;
        if (is_script_ && !has_feature(kStatFeature) && !model_.shows_addresses()) return refuse(24, kNoAddresses);
        return true;
    }

    // PERFFILE is the same in both orders: the size of a stream's header decides, and that of a file's attributes, of
    // which perf knows those up to Linux 3.11 here.
    std::optional<ByteOrder> order_of_file() const {
        if (!has_legacy_magic(file_)) return order_of_magic(file_);
        constexpr uint64_t kLegacySizes[] = {64, 72, 80, 96, 104};
        for (const ByteOrder order : {ByteOrder::little, ByteOrder::big})
            if (load(&file_[8], 8, order) == kPipeHeaderSize) return order;
        if (file_.size() < 24) return std::nullopt;
        for (const ByteOrder order : {ByteOrder::little, ByteOrder::big})
            if (std::ranges::find(kLegacySizes, load(&file_[16], 8, order) - 16) != std::end(kLegacySizes))
                return order;
        return std::nullopt;
    }

    // 7.2: the header, the attributes and the data.
    bool overlaps(uint64_t header) const {
        const uint64_t attributes = number(24), attributes_size = number(32);
        if (header > attributes || header > data_offset_) return true;
        return attributes <= data_offset_ ? attributes + attributes_size > data_offset_
                                          : data_offset_ + data_size_ > attributes;
    }

    bool sections() {
        const uint64_t table = saturating_add(data_offset_, data_size_);
        if (is_6_1()) {
            model_.features().take_sections(file_, table, features_);
            return !overruns(model_.features().overrun());
        }
        if (data_size_ == 0) features_ = 0;
        uint64_t at = table;
        if (features_ != 0 && at >= file_.size())
            return refuse(at, "its table of features is past the end of the file");
        for (unsigned bit = 0; bit < kPerf7_2Features; ++bit) {
            if (!has_feature(bit)) continue;
            const uint64_t offset = number(at), size = number(at + 8);
            if (offset > file_.size() || size > file_.size() - offset)
                return refuse(at, "the section of a feature is past the end of the file");
            if (!model_.take_section(bit, file_.subspan(offset, size))) return refuse(offset, kBadFeature);
            if (context_.has_ended()) return false;
            at += 16;
        }
        return true;
    }

    // 6.1 reads all entries of the table at once, and no feature if the file ends before.
    bool is_feature_table_whole() const {
        const uint64_t size = 16 * static_cast<uint64_t>(std::popcount(features_));
        return saturating_add(saturating_add(data_offset_, data_size_), size) <= file_.size();
    }

    // TRACING_DATA is present. Its entry is the first one of the table, or the second one if the reserved bit 0 is set.
    std::optional<Bytes> tracing_data() const {
        const uint64_t at = saturating_add(data_offset_, data_size_) + (has_feature(0) ? 16 : 0);
        const uint64_t offset = number(at), size = number(at + 8);
        if (offset > file_.size() || size > file_.size() - offset) return std::nullopt;
        return file_.subspan(offset, size);
    }

    bool overruns(const std::optional<PerfFeatures::Overrun>& overrun) {
        if (overrun)
            fail(overrun->outcome, rule_of(overrun->outcome), overrun->offset,
                 "it trusts a size or count in the feature that exceeds the section");
        return overrun.has_value();
    }

    // perf goes from one to the next by their own sizes.
    bool attributes(uint64_t at, uint64_t count) {
        if (at >> 63 != 0) at = kFileHeaderSize;  // no place to seek to
        constexpr std::string_view kCutAttribute = "an attribute ends past the end of the file",
                                   kCutIds = "the ids of the attribute are not in the file as a whole";
        uint64_t all_ids = 0;
        for (uint64_t i = 0; i < count; ++i) {
            if (at >= file_.size()) return refuse(24, kCutAttribute);
            uint64_t own = number(at + 4, 4);
            if (own == 0) own = kAttrSizes[0];
            if (own > (is_6_1() ? 128 : 144))
                return refuse(at + 4, is_6_1() ? "it cannot read attributes of more than 128 bytes"
                                               : "it cannot read attributes of more than 144 bytes");
            if (own < kAttrSizes[0]) return refuse(at + 4, "it cannot read attributes of less than 64 bytes");
            if (at + own >= file_.size()) return refuse(at, kCutAttribute);
            // Big-endian: 6.1 swaps what is in the size that is written.
            const bool is_unswapped = is_6_1() && order_ == ByteOrder::big && number(at + 4, 4) == 0;
            const Attribute attribute = attribute_at(at, is_unswapped ? 0 : own);
            uint64_t offset = number(at + own);
            const uint64_t ids = number(at + own + 8) / 8;
            const uint64_t size = number(at + own + 8);
            if (!is_6_1() && (size % 8 != 0 || offset > file_.size() || size > file_.size() - offset))
                return refuse(at + own, kCutIds);
            if (offset >> 63 != 0) offset = at + own + 16;  // no place to seek to
            if (ids != 0 && (offset >= file_.size() || ids - 1 > (file_.size() - 1 - offset) / 8))
                return refuse(at + own, kCutIds);
            // Ids that several attributes claim are read once in all, or a small file could make much work.
            all_ids += ids;
            if (all_ids > file_.size() / 8) return context_.stop(Unpredicted::work);
            if (!context_.spend(own + 16 + 8 * ids) || !model_.add(attribute)) return false;
            for (uint64_t k = 0; k < ids; ++k) {
                if (k + kAhead < ids) model_.announce_id(number(offset + 8 * (k + kAhead)));
                if (!model_.add_id(number(offset + 8 * k))) return false;
            }
            at += own + 16;
        }
        return true;
    }

    Attribute attribute_at(uint64_t at, uint64_t own) const {
        const auto field = [&](uint64_t offset, unsigned width) {
            if (own == 0) {
                has_no_opinion_ = true;
                return uint64_t{0};
            }
            return offset + width <= own ? number(at + offset, width) : 0;
        };
        return attribute_with(field, order_ == ByteOrder::big);
    }

    bool is_6_1() const { return version_ == PerfVersion::v6_1; }
    bool has_feature(unsigned bit) const { return (features_ >> bit & 1) != 0; }

    // Big-endian: perf infers the width of words from the host name, which each perf writes. Without it, it believes
    // that there are build ids, and nothing else.
    uint64_t feature_bits() const {
        const auto has_host_name = [](uint64_t bits) { return (bits >> kHostnameFeature & 1) != 0; };
        const uint64_t bits = number(72), narrow = number(76, 4) << 32 | number(72, 4);
        if (order_ == ByteOrder::little || has_host_name(bits)) return bits;
        return has_host_name(narrow) ? narrow : uint64_t{1} << kBuildIdFeature;
    }

    void stream() {
        for (uint64_t at = kPipeHeaderSize; file_.size() - at >= 8;) {
            record_at_ = at;
            const uint64_t size = number(at + 6, 2);
            if (size < 8) return (void)stop(at, kTooSmall);
            if (size > file_.size() - at) return;  // "unexpected end of event stream"
            uint64_t more = 0;
            if (!take(file_.subspan(at, size), file_.subspan(at), at, more)) return;
            at += size + more;
            if (at > file_.size()) return;
        }
    }

    void mapped() {
        const uint64_t end = saturating_add(data_offset_, data_size_);
        if (end == kNone) return (void)hang_at(0, "the end of the data is above 2^64");  // the end wraps around
        if (end > kNotMapped) return (void)stop(0, "the data that its header claims cannot be mapped");
        // What is past the end of the file up to the end of its page is 0; past that, nothing is mapped.
        const uint64_t mapped_end = (file_.size() + kPage - 1) / kPage * kPage;
        uint64_t base = 0;  // of the mapping, which has the length of all
        for (uint64_t at = data_offset_; at < end;) {
            if (at - base + 8 > end) {
                if (at / kPage * kPage == base)
                    return (void)hang_at(
                        at, "fewer bytes than a record's header are left, and it maps them again and again");
                base = at / kPage * kPage;
                continue;
            }
            if (at + 8 > mapped_end) return (void)crash_at(at, kPastFile);
            record_at_ = at;
            const uint64_t size = number(at + 6, 2);
            if (at - base + size > end) {
                if (size > end - (at - base) % kPage || at / kPage * kPage == base)
                    return (void)stop(at, "the record ends after the data");
                base = at / kPage * kPage;
                continue;
            }
            if (size < 8) return (void)stop(at, kTooSmall);
            if (at + size > mapped_end) return (void)crash_at(at, kPastFile);
            uint64_t more = 0;
            if (!(at + size <= file_.size() ? take(file_.subspan(at, size), file_.subspan(at), at, more)
                                            : take_padded(at, size, more)))
                return;
            at += size + more;
        }
    }

    // A record that ends in the zeros past the file.
    bool take_padded(uint64_t at, uint64_t size, uint64_t& more) {
        padded_.assign(file_.begin() + static_cast<std::ptrdiff_t>(at), file_.end());
        padded_.resize(size);
        return take(padded_, padded_, at, more);
    }

    // The record at `at` of the file, and what follows it. `more`: bytes after it that belong to it. False: perf stops.
    bool take(Bytes record, Bytes rest, uint64_t at, uint64_t& more) {
        if (!context_.spend(record.size())) return false;
        const EventOutcome event = model_.event(record, rest);
        more = event.more;
        return event.is_packed ? unpack(payload_of(record), at) : judge(event, at);
    }

    Bytes payload_of(Bytes record) const {
        if (load(record.data(), 4, order_) == kCompressedType) return record.subspan(fixed_size(kPrefix));
        return record.subspan(16, load(record.data() + 8, 8, order_));
    }

    // perf reads the records of a payload at once, and keeps an incomplete one for the next payload.
    bool unpack(Bytes payload, uint64_t at) {
        if (!has_zstd()) return context_.stop(Unpredicted::missing_zstd);
        if (!plain_.reserve(kPlain)) return context_.stop(Unpredicted::memory);
        while (plain_.size() < kPlain)
            if (!plain_.push_back(0)) return context_.stop(Unpredicted::memory);
        uint64_t room = model_.most_plain() - std::min<uint64_t>(filled_, model_.most_plain());
        if (room == 0) return stop(at, kNotDecompressed);
        bool has_any = false;
        for (;;) {
            const size_t got = decoder_.decode(payload, &plain_[filled_], std::min<uint64_t>(room, kPlain - filled_));
            filled_ += got;
            room -= got;
            context_.earn(got);
            has_any |= got != 0;
            const ZstdDecoder::Fault fault = decoder_.fault();
            if (fault == ZstdDecoder::Fault::budget) return context_.stop(Unpredicted::memory);
            if (fault == ZstdDecoder::Fault::too_large) return context_.stop(Unpredicted::inflated);
            if (!take_plain(at)) return false;
            if (room == 0 || (got == 0 && (fault != ZstdDecoder::Fault::none || payload.empty()))) break;
        }
        // An error does not matter if it comes after something else. For 7.2, no output at all is also an error.
        return has_any || (is_6_1() && decoder_.fault() == ZstdDecoder::Fault::none) || stop(at, kNotDecompressed);
    }

    bool take_plain(uint64_t at) {
        size_t taken = 0;
        while (filled_ - taken >= fixed_size(kPrefix)) {
            const Bytes rest{&plain_[taken], filled_ - taken};
            const uint64_t size = load(rest.data() + 6, 2, order_);
            if (size > rest.size()) break;
            if (size < fixed_size(kPrefix)) return stop(at, kTooSmall);
            if (!context_.spend_on_inflated(size)) return false;
            const EventOutcome event = model_.event(rest.first(size), rest);
            if (event.is_packed || event.more != 0) return give_up();
            if (!judge(event, at)) return false;
            taken += size;
        }
        filled_ -= taken;
        if (taken != 0) std::memmove(&plain_[0], &plain_[0] + taken, filled_);
        return true;
    }

    bool give_up() {
        has_no_opinion_ = true;
        return false;
    }

    static const Rule& rule_of(ReaderOutcome outcome) {
        if (outcome == ReaderOutcome::refuses) return kPerfRefuses;
        return outcome == ReaderOutcome::crashes ? kPerfCrashes : kPerfRisk;
    }

    // What it fails on where it delivers a record waits for the end of the next round, or of the file.
    bool judge(const EventOutcome& event, uint64_t at) {
        if (event.is_late) {
            if (waiting_.outcome == ReaderOutcome::loads)
                waiting_ = {event.outcome, &rule_of(event.outcome), at, record_length(at), event.why};
            return true;
        }
        if (event.is_round && waiting_.rule != nullptr && ++rounds_ == 2) return deliver();
        switch (event.outcome) {
            case ReaderOutcome::refuses: return stop(at, event.why);
            case ReaderOutcome::crashes: return crash_at(at, event.why);
            case ReaderOutcome::may_crash: return fail(event.outcome, kPerfRisk, at, event.why);
            default: return true;
        }
    }

    // Ends at what waits; perf report says nothing of an error in its exit status.
    bool deliver() {
        has_stopped_ = true;
        if (is_script_ || waiting_.outcome != ReaderOutcome::refuses) end_ = waiting_;
        return false;
    }

    PerfVersion version_;
    Bytes file_;
    bool is_script_;
    FollowContext& context_;
    ByteOrder order_ = ByteOrder::little;
    bool is_stream_ = false;
    mutable bool has_no_opinion_ = false;
    uint64_t record_at_ = kNone;  // that is looked at
    uint64_t data_offset_ = 0, data_size_ = 0, features_ = 0;
    Session model_;
    std::vector<uint8_t> padded_;
    ZstdDecoder decoder_;            // of the payloads, which are one stream
    BudgetedVector<uint8_t> plain_;  // decompressed bytes that are no whole record yet
    size_t filled_ = 0;              // bytes of it that count
    bool has_stopped_ = false;       // with an error
    unsigned rounds_ = 0;            // that ended since the first thing that waits
    Forecast waiting_, end_;
};

Followed follow(PerfVersion version, FollowContext& context, bool is_script) {
    if (context.file.container != Container::none || context.file.is_foreign) return NoOpinion();  // hazards
    if (context.file.size != kNone && context.file.size > kMostFollowed) return Unpredicted::size;
    const uint64_t wanted = std::min(context.file.size, kMostFollowed + 1);
    if (context.trace.affordable(wanted) < wanted) return Unpredicted::memory;
    const Bytes bytes = context.trace.view(0, wanted);
    if (bytes.size() > kMostFollowed) return Unpredicted::size;
    return Perf(version, bytes, is_script, context).run();
}

}  // namespace

Followed follow_perf_script(PerfVersion version, FollowContext& context) { return follow(version, context, true); }
Followed follow_perf_report(PerfVersion version, FollowContext& context) { return follow(version, context, false); }

}  // namespace tracelint::perfdata
