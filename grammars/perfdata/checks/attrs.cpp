// perf.data, sections 3.2 and 3.6: the attributes, and which one a record belongs to.
#include "grammars/perfdata/checks/attrs.hpp"

#include <bit>

#include "grammars/perfdata/perfdata.hpp"

namespace tracelint::perfdata {
namespace {

constexpr Layout kNewest{.version = std::size(kAttrSizes) - 1};
using AttrInFile = View<kAttrElement, kNewest>;
using AttrInRecord = View<kHeaderAttr, kNewest>;

constexpr uint64_t kLeastAttr = 64;             // bytes
constexpr uint64_t kSizeWithoutReserved = 128;  // up to this size of an attribute, bits 38 to 63 of flags mean nothing
constexpr unsigned kFirstReserved = 38;         // of these bits
constexpr uint64_t kRegsIntrEnd = 104;          // where sample_regs_intr ends in the attribute
constexpr uint64_t kClockidEnd = 96;
constexpr uint64_t kBranchEnd = 80;
constexpr unsigned kExcludeUser = 4;       // of the bits of flags
constexpr uint64_t kTracepoint = 2;        // the type of an attribute
constexpr uint64_t kTracepointBytes = 16;  // its type, size and config

constexpr Rule kAttrOwnSizeRule{
    .id = "perfdata/attr-own-size",
    .severity = Severity::error,
    .statement = "the size of an attribute is the size of its slot",
    .message = "the size of the attribute is {0}; expected {1}",
    .why =
        "perf steps by this size and other readers by attr_size of the header, so they read different attributes and "
        "ids; old perf inject wrote this when it read a file of an older perf",
    .spec = "3.2 perf_event_attr",
    .since = "0.2.0",
};

constexpr Rule kAttrIds{
    .id = "perfdata/attr-ids",
    .severity = Severity::error,
    .statement = "the ids of an attribute are inside the file, 8 bytes each",
    .message =
        "the ids of the attribute are {1 byte|bytes} at {0x}: they exceed the file, or "
        "their size is not a multiple of 8",
    .why = "perf does not know the ids: it stops at ID_INDEX, or at the first sample",
    .spec = "3.1 File header",
    .since = "0.2.0",
    .about_end = true,
    .depends_on = {.file_size = true},
};

constexpr Rule kAttrUnknownBits{
    .id = "perfdata/attr-unknown-bits",
    .severity = Severity::warning,
    .statement = "sample_type and read_format have known bits only",
    .message = "the field has unknown bits: {0x}",
    .why = "only the writer knows the layout of the samples; readers guess it",
    .spec = "3.2 perf_event_attr; 3.5 SAMPLE",
    .since = "0.2.0",
};

constexpr Rule kAttrReserved{
    .id = "perfdata/attr-reserved",
    .severity = Severity::warning,
    .statement = "the reserved bits of flags (38 to 63) are 0",
    .message = "reserved bits of flags are set: {0x}",
    .why = "readers ignore them; what they change in the records is unknown",
    .spec = "3.2 perf_event_attr",
    .since = "0.2.0",
};

constexpr Rule kAttrsDisagree{
    .id = "perfdata/attrs-disagree",
    .severity = Severity::error,
    .statement = "all attributes have the event id at the same place in records",
    .message = "the id's place in records, or sample_id_all, differs from that of the first attribute",
    .why =
        "perf refuses the file (non matching sample_type or sample_id_all): which event a record belongs to cannot "
        "be told",
    .spec = "3.6 sample_id trailer",
    .since = "0.2.0",
};

constexpr Rule kReadWithoutId{
    .id = "perfdata/read-without-id",
    .severity = Severity::error,
    .statement = "an event whose samples hold READ has ids in read_format",
    .message = "samples have READ values, but read_format, {0x}, lacks the id bit (4)",
    .why = "perf refuses the file: non matching read_format",
    .spec = "3.5 SAMPLE",
    .since = "0.2.0",
};

constexpr Rule kDuplicateEventId{
    .id = "perfdata/duplicate-event-id",
    .severity = Severity::error,
    .statement = "an id belongs to one attribute",
    .message = "the id {0} also belongs to attribute {1}",
    .why = "the last attribute wins: samples are counted for the wrong event",
    .spec = "3.1 File header; 3.6 sample_id trailer",
    .since = "0.2.0",
};

constexpr Rule kAttrNoTime{
    .id = "perfdata/attr-no-time",
    .severity = Severity::note,
    .statement = "samples have times",
    .message = "the samples of the event have no times",
    .why = "records cannot be put in order, and perf inject --jit finds no functions",
    .spec = "3.2 perf_event_attr; 3.5 SAMPLE",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kStreamAttr{
    .id = "perfdata/stream-attr",
    .severity = Severity::error,
    .statement = "ids of 8 bytes follow the attribute of a HEADER_ATTR",
    .message = "{0 byte|bytes} follow the attribute, which is not a multiple of 8",
    .why = "readers lose the ids, or read a part of one as an id",
    .spec = "3.7 Records of perf",
    .since = "0.2.0",
};

// The place of the field `bit` among those before it and itself; kNoWord without it.
uint8_t word_of(const Attr& attr, unsigned bit, std::initializer_list<unsigned> before) {
    return attr.has(bit) ? static_cast<uint8_t>(count_of(attr.sample_type, before)) : kNoWord;
}

constexpr uint64_t kFirstWords = 1u << kIdentifierBit | 1u << kIpBit | 1u << kTidBit | 1u << kTimeBit | 1u << kAddrBit |
                                 1u << kIdBit | 1u << kStreamIdBit | 1u << kCpuBit | 1u << kPeriodBit;

Attr::Shape shape_of(uint64_t sample_type) {
    switch (sample_type & ~kFirstWords) {
        case 0: return Attr::Shape::first_words;
        case 1u << kCallchainBit: return Attr::Shape::call_chain;
        default: return Attr::Shape::other;
    }
}

// Section 3.5 and 3.6.
void lay_out(Attr& attr) {
    attr.shape = shape_of(attr.sample_type);
    attr.fixed_words =
        static_cast<uint8_t>(count_of(attr.sample_type, {kIdentifierBit, kIpBit, kTidBit, kTimeBit, kAddrBit, kIdBit,
                                                         kStreamIdBit, kCpuBit, kPeriodBit}));
    attr.ip_word = word_of(attr, kIpBit, {kIdentifierBit});
    attr.thread_word = word_of(attr, kTidBit, {kIdentifierBit, kIpBit});
    attr.time_word = word_of(attr, kTimeBit, kBeforeTime);
    attr.id_word = attr.has(kIdentifierBit) ? 0 : word_of(attr, kIdBit, {kIpBit, kTidBit, kTimeBit, kAddrBit});
    attr.trailer_words = static_cast<uint8_t>(
        count_of(attr.sample_type, {kTidBit, kTimeBit, kIdBit, kStreamIdBit, kCpuBit, kIdentifierBit}));
    attr.trailer_thread_word = word_of(attr, kTidBit, {});
    attr.trailer_time_word = word_of(attr, kTimeBit, {kTidBit});
    if (attr.has(kIdentifierBit))
        attr.trailer_id_word = 1;
    else if (attr.has(kIdBit))
        attr.trailer_id_word = static_cast<uint8_t>(1 + count_of(attr.sample_type, {kCpuBit, kStreamIdBit}));
}

}  // namespace

// Reads what the records depend on. `own`: bytes of the attribute.
template <class V>
Attr Attrs::read(const V& attr, uint64_t own) {
    Attr read;
    read.sample_type = attr.template get<"sample_type">();
    read.read_format = attr.template get<"read_format">();
    read.is_sample_id_all = attr.template get<"sample_id_all">() != 0;
    read.uses_clockid = attr.template get<"use_clockid">() != 0;
    read.excludes_user = (attr.template get<"flags">() >> kExcludeUser & 1) != 0;
    if (own >= kBranchEnd) read.branch_sample_type = attr.template get<"branch_sample_type">();
    if (own >= kClockidEnd) {
        read.user_registers = static_cast<uint8_t>(std::popcount(attr.template get<"sample_regs_user">()));
        read.clockid = static_cast<int32_t>(static_cast<uint32_t>(attr.template get<"clockid">()));
    }
    if (own >= kRegsIntrEnd) {
        const uint8_t* const start = attr.data() + V::template offset_of<"attr_type">();
        read.interrupt_registers = static_cast<uint8_t>(std::popcount(load(start + kRegsIntrEnd - 8, 8, attr.order())));
    }
    lay_out(read);
    return read;
}

template <class V>
void Attrs::judge_bits(const V& attr, uint64_t own) {
    const uint64_t sample_type = attr.template get<"sample_type">(), format = attr.template get<"read_format">();
    if (sample_type >> kSampleBits != 0)
        state_.report.add<kAttrUnknownBits>(attr.template place<"sample_type">(),
                                            {sample_type >> kSampleBits << kSampleBits});
    else if (format >> kReadFormatBits != 0)
        state_.report.add<kAttrUnknownBits>(attr.template place<"read_format">(),
                                            {format >> kReadFormatBits << kReadFormatBits});
    const uint64_t reserved = attr.template get<"reserved">();
    if (reserved != 0 && own <= kSizeWithoutReserved)
        state_.report.add<kAttrReserved>(attr.template place<"reserved">(), {reserved << kFirstReserved});
}

// Adds an attribute. False: the memory is spent.
template <class V>
bool Attrs::keep(const V& attr, Attr& read) {
    read.first_id = ids_.size();
    if (!attrs_.empty()) {
        const Attr& first = attrs_[0];
        const bool same_place = read.id_word == first.id_word && read.trailer_id_word == first.trailer_id_word;
        const bool same_trailers = read.is_sample_id_all == first.is_sample_id_all;
        if (!same_place)
            state_.report.add<kAttrsDisagree>(attr.template place<"sample_type">());
        else if (!same_trailers)
            state_.report.add<kAttrsDisagree>(attr.template place<"flags">());
        agree_ = agree_ && same_place && same_trailers;
    }
    constexpr unsigned kReadsId = 2;
    if (read.has(kReadBit) && !read.reads(kReadsId))
        state_.report.add<kReadWithoutId>(attr.template place<"read_format">(), {read.read_format});
    if (read.uses_clockid) {
        clocks_differ_ = clocks_differ_ || (clock_ && *clock_ != read.clockid);
        clock_ = read.clockid;
    }
    if (!read.excludes_user)
        without_user_.reset();
    else if (attrs_.empty())
        without_user_ = attr.template place<"flags">();
    if (attr.template get<"attr_type">() == kTracepoint && !tracepoint_) {
        tracepoint_ = attr.template place<"attr_type">();
        tracepoint_->length = kTracepointBytes;
        tracepoint_->field = nullptr;
        tracepoint_number_ = attr.template get<"config">();
    }
    if (!read.has(kTimeBit) && !without_time_) without_time_ = attr.template place<"sample_type">();
    last_ = nullptr;
    if (!attrs_.push_back(read)) {
        lose(attr.template place<"attr_type">());
        return false;
    }
    tell(attr, read);
    return true;
}

// For the checks between files.
template <class V>
void Attrs::tell(const V& attr, const Attr& read) {
    if (state_.context.facts == nullptr) return;
    state_.context.facts->recording.events.add({
        .uses_clock_id = read.uses_clockid,
        .clock_id = read.clockid,
        .has_time = read.has(kTimeBit),
        .has_thread = read.has(kTidBit),
        .is_sample_id_all = read.is_sample_id_all,
        .has_user_stack = read.has(kRegsUserBit) && read.has(kStackUserBit),
        .flags = attr.template place<"flags">(),
        .clock_id_place = attr.template place<"clockid">(),
        .sample_type = attr.template place<"sample_type">(),
    });
}

// The ids of the attribute that was added last. `record`: the HEADER_ATTR that they are in; null: they are in a file.
void Attrs::add_ids(Bytes ids, uint64_t offset, const RecordInFile* record) {
    constexpr uint64_t kAhead = 128;  // bytes: ids that are looked up soon
    const uint64_t number = attrs_.size();
    state_.context.work.add(ids.size() / 8);
    for (uint64_t at = 0; at + 8 <= ids.size(); at += 8) {
        if (ids.size() - at >= kAhead + 8) owners_.prefetch(load(ids.data() + at + kAhead, 8, state_.order));
        const uint64_t id = load(ids.data() + at, 8, state_.order);
        Place place{.offset = offset + at, .length = 8, .record = &kIds};
        if (record != nullptr) place = record->place(offset - record->offset + at, 8, "rest");
        Owner* const owner = owners_.find_or_insert({id, number});
        if (owner == nullptr || !ids_.push_back(id)) return lose(place);
        ++attrs_[number - 1].id_count;
        if (owner->attr_number == number) continue;
        state_.report.add<kDuplicateEventId>(place, {id, owner->attr_number - 1});
        owner->attr_number = number;
    }
}

void Attrs::lose(const Place& place) {
    is_complete_ = false;
    state_.hit_limit(place);
}

std::optional<Attrs::Section> Attrs::add_entry(Front& front, uint64_t offset, uint64_t own, uint64_t index) {
    if (!is_complete_) return std::nullopt;
    const Bytes entry = front.part(offset, own + fixed_size(kIdsSection));
    const AttrInFile attr(entry.data(), offset, state_.order, kNone, kAttrList, index);
    state_.context.work.add(1);
    const uint64_t claimed = attr.get<"attr_size">();
    if (claimed != own && !(claimed == 0 && own == kLeastAttr)) {
        state_.report.add<kAttrOwnSizeRule>(attr.place<"attr_size">(), {claimed, own});
        return std::nullopt;
    }
    judge_bits(attr, own);
    Attr read = this->read(attr, own);
    if (!keep(attr, read)) return std::nullopt;
    const View<kIdsSectionElement> section(entry.data() + own, offset + own, state_.order, kNone, kAttrList, index);
    const Section ids{section.get<"offset">(), section.get<"size">()};
    // Ids of several attributes that overlap are read once in all, or a small file could make much work.
    const bool is_affordable = front.hold(saturating_add(ids.offset, ids.size)) && is_complete_;
    const bool is_read = is_affordable && ids_read_ + std::min(ids.size, kNone / 2) <= front.bytes().size();
    if (ids.size % 8 != 0 || (is_affordable && !front.has(ids.offset, ids.size))) {
        Place place = section.whole(fixed_size(kIdsSection));
        state_.report.add<kAttrIds>(place, {ids.offset, ids.size});
        return std::nullopt;
    }
    if (is_read) {
        ids_read_ += ids.size;
        add_ids(front.part(ids.offset, ids.size), ids.offset, nullptr);
    } else {
        lose(section.whole(fixed_size(kIdsSection)));
    }
    return ids;
}

void Attrs::add_record(const RecordInFile& record) {
    const AttrInRecord attr = record.view<kHeaderAttr, kNewest>();
    const uint64_t claimed = attr.get<"attr_size">(), own = claimed == 0 ? kLeastAttr : claimed;
    const uint64_t room = record.size() - fixed_size(kPrefix);
    if (own < kLeastAttr || own > room || own % 8 != 0) {
        return state_.report.add<kAttrOwnSizeRule>(attr.place<"attr_size">(), {claimed, room});
    }
    judge_bits(attr, own);
    if ((room - own) % 8 != 0) {
        return state_.report.add<kStreamAttr>(record.place(fixed_size(kPrefix) + own, room - own, "rest"),
                                              {room - own});
    }
    if (!state_.is_pipe || !is_complete_) return;
    Attr read = this->read(attr, own);
    if (!keep(attr, read)) return;
    const uint64_t ids = fixed_size(kPrefix) + own;
    add_ids(record.bytes.subspan(ids), record.offset + ids, &record);
}

void Attrs::judge_time(bool is_stat) {
    if (without_time_ && !is_stat) state_.report.add<kAttrNoTime>(*without_time_);
}

const Attr* Attrs::look_up(uint64_t id) {
    const Owner* const owner = owners_.find(id);
    if (owner == nullptr) return nullptr;
    last_id_ = id;
    last_ = &attrs_[owner->attr_number - 1];
    return last_;
}

const Attr* Attrs::of_record_by_id(Bytes record) {
    const Attr& first = attrs_[0];
    const uint64_t from_end = 8 * uint64_t{first.trailer_id_word};
    if (!first.is_sample_id_all || first.trailer_id_word == kNoWord) return &first;
    if (record.size() < fixed_size(kPrefix) + from_end) return &first;
    const uint64_t id = load(record.data() + record.size() - from_end, 8, state_.order);
    const Attr* const found = id == 0 ? nullptr : of_id(id);
    return found == nullptr ? &first : found;
}

constinit const RuleList kAttrRules =
    rules<&kAttrOwnSizeRule, &kAttrIds, &kAttrUnknownBits, &kAttrReserved, &kAttrsDisagree, &kReadWithoutId,
          &kDuplicateEventId, &kAttrNoTime, &kStreamAttr>;

}  // namespace tracelint::perfdata
