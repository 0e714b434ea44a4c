// perf.data: the contents of records, and the fields of samples.
#include "grammars/perfdata/checks/records.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace tracelint::perfdata {

// perf.data, sections 3.4, 3.6 and 3.7: the contents of records other than SAMPLE.

namespace {

constexpr Rule kRecordUnaligned{
    .id = "perfdata/record-unaligned",
    .severity = Severity::warning,
    .statement = "the size of a record is a multiple of 8, unless its type is one that perf does not pad",
    .message = "the size of the record is {0}, which is not a multiple of 8",
    .why = "the kernel and perf pad other records; perf 7.2 stops here, and readers that rely on it misread the rest",
    .spec = "3.3 Record header",
    .since = "0.2.0",
};

constexpr Rule kStringUnterminated{
    .id = "perfdata/string-unterminated",
    .severity = Severity::error,
    .statement = "a string in a record ends with a NUL, before the trailer",
    .message = "no NUL in the {0 byte|bytes} that the string has room for",
    .why = "perf reads the trailer as a part of the name and finds no such file",
    .spec = "3.4 Kernel records; 3.6 sample_id trailer; 3.7 Records of perf",
    .since = "0.2.0",
};

constexpr Rule kCountExceedsRecord{
    .id = "perfdata/count-exceeds-record",
    .severity = Severity::error,
    .statement = "the elements that a record counts fit into the record",
    .message = "the count is {0}, but the record has room for {1}",
    .why =
        "perf reads past the record: at a THREAD_MAP, perf script and perf report -D die of SIGBUS; at an ID_INDEX, "
        "perf stops and shows nothing",
    .spec = "3.4 Kernel records; 3.7 Records of perf",
    .since = "0.2.0",
};

constexpr Rule kMmapRange{
    .id = "perfdata/mmap-range",
    .severity = Severity::error,
    .statement = "a mapping of user space ends at or below 2^64",
    .message = "the mapping starts at {0x} and has {1x} bytes: it ends above 2^64",
    .why = "the end wraps to a low address, so the mapping contains no sample",
    .spec = "3.4 Kernel records",
    .since = "0.2.0",
};

constexpr Rule kTimeConvUnusable{
    .id = "perfdata/time-conv-unusable",
    .severity = Severity::warning,
    .statement = "TIME_CONV describes how to convert the architecture's counter",
    .message =
        "time_mult is {0} and time_shift is {1}, or cap_user_time_zero is 0: values of the counter cannot be "
        "converted",
    .why = "perf refuses jitdump files with timestamps of the architecture, and cannot place data of the AUX area",
    .spec = "3.7 Records of perf",
    .since = "0.2.0",
};

constexpr Rule kAuxtraceInfoEtm{
    .id = "perfdata/auxtrace-info-etm",
    .severity = Severity::error,
    .statement = "in an AUXTRACE_INFO of CoreSight, the metadata of each CPU begin with the magic number of its tracer",
    .message =
        "the metadata of CPU {0} begin with {1x} instead of a magic number; those of the CPU before it seem to have "
        "{2} words, perf expects {3}",
    .why =
        "perf says: Unrecognised magic number, and refuses the file; what recorded it stores another number of "
        "registers than perf knows",
    .spec = "3.10 Metadata of CoreSight",
    .since = "0.2.0",
    .severity_override =
        SeverityOverride{.severity = Severity::error,
                         .when = "no magic number follows, or it is the first CPU",
                         .message = "the metadata of CPU {0} begin with {1x} instead of a magic number",
                         .why = {}},
};

// Sections 3.4 and 3.7: the least size of each type, by version. Most have one version only.
using LeastSizes = std::array<uint8_t, kSchedstatDomainType + 1>;
constexpr LeastSizes least_sizes(uint16_t version) {
    LeastSizes sizes{};
    for (const Record* record : kTypedRecords)
        sizes[record->tag] = static_cast<uint8_t>(minimum_size(*record, {.version = version}));
    sizes[kHeaderAttrType] = static_cast<uint8_t>(minimum_size(kHeaderAttr));  // by its own versions
    sizes[kCompressedType] = 9;
    sizes[kCompressed2Type] = 17;
    sizes[kBpfMetadataType] = 32;
    return sizes;
}
constexpr std::array kLeastSizes = {least_sizes(kCurrent), least_sizes(kEarlier)};
static_assert(kLeastSizes[kCurrent][kReadType] == 16 && kLeastSizes[kCurrent][kCpuMapType] == 10);
static_assert(kLeastSizes[kEarlier][kForkType] == 24 && kLeastSizes[kEarlier][kHeaderAttrType] == 72);

constexpr uint32_t kFirstNewerKernelType = 23, kLastNewerKernelType = 31;
constexpr uint32_t kFirstNewerType = 87, kLastNewerType = 127;

// Where the items of a count begin, and what they take.
struct Count {
    uint64_t at;     // of the count
    unsigned width;  // of the count
    uint64_t items;  // where they begin
    uint64_t item;   // bytes of one
};

bool check_count(State& state, const RecordInFile& record, const Count& count, uint64_t end, std::string_view field) {
    const uint64_t claimed = record.number(count.at, count.width);
    const uint64_t room = saturating_sub(end, count.items) / count.item;
    if (claimed <= room) return true;
    state.report.add<kCountExceedsRecord>(record.place(count.at, count.width, field), {claimed, room});
    return false;
}

bool check_text_poke(State& state, const RecordInFile& record, uint64_t end) {
    constexpr uint64_t kOld = View<kTextPoke>::offset_of<"old_len">(), kBytes = View<kTextPoke>::offset_of<"bytes">();
    const auto poke = record.view<kTextPoke>();
    const uint64_t length = poke.get<"old_len">() + poke.get<"new_len">();
    if (length <= saturating_sub(end, kBytes)) return true;
    state.report.add<kCountExceedsRecord>(record.place(kOld, 4), {length, saturating_sub(end, kBytes)});
    return false;
}

// Section 3.7: the list and the mask of a CPU_MAP.
bool check_cpu_map(State& state, const RecordInFile& record) {
    constexpr uint64_t kKindAt = 8, kNumberAt = 10, kWidthAt = 12;
    constexpr uint64_t kList = 0, kMask = 1;
    const uint64_t kind = record.number(kKindAt, 2);
    if (kind == kList && record.size() >= kWidthAt)
        return check_count(state, record, {kNumberAt, 2, kWidthAt, 2}, record.size(), "map");
    if (kind != kMask || record.size() < kWidthAt + 2) return true;
    const uint64_t width = record.number(kWidthAt, 2);
    if (width == 4) return check_count(state, record, {kNumberAt, 2, 14, 4}, record.size(), "map");
    if (width == 8) return check_count(state, record, {kNumberAt, 2, 18, 8}, record.size(), "map");
    state.report.add<kCountExceedsRecord>(record.place(kNumberAt, 2, "map"), {record.number(kNumberAt, 2), 0});
    return false;
}

constexpr uint16_t kModeBits = 7, kKernelMode = 1, kGuestKernelMode = 4;

void check_range(State& state, const RecordInFile& record) {
    const auto mmap = record.view<kMmap>();  // the same fields as in MMAP2
    const uint64_t start = mmap.get<"start">(), length = mmap.get<"len">();
    if (!ends_above_2_64(start, length)) [[likely]]
        return;
    const uint16_t mode = record.misc() & kModeBits;
    if (mode == kKernelMode || mode == kGuestKernelMode) return;
    state.report.add<kMmapRange>(record.place(View<kMmap>::offset_of<"len">(), 8, "len"), {start, length});
}

void check_time_conv(State& state, const RecordInFile& record) {
    constexpr uint64_t kLong = 56, kHasZeroAt = 48, kMostShift = 63;
    const auto conversion = record.view<kTimeConv>();
    const uint64_t multiplier = conversion.get<"time_mult">(), shift = conversion.get<"time_shift">();
    const bool lacks_zero = record.size() >= kLong && record.number(kHasZeroAt, 1) == 0;
    if (state.context.facts != nullptr)
        state.context.facts->recording.conversion = {shift, multiplier, conversion.get<"time_zero">(), !lacks_zero};
    if (multiplier != 0 && shift <= kMostShift && !lacks_zero) return;
    state.report.add<kTimeConvUnusable>(record.place(fixed_size(kPrefix), record.size() - fixed_size(kPrefix)),
                                        {multiplier, shift});
}

// Section 3.10: AUXTRACE_INFO, in words of 8 bytes.
namespace etm {
constexpr uint64_t kTracer = 3;  // the type that CoreSight has
constexpr uint64_t kVersionAt = 16, kCpusAt = 24, kFirstCpuAt = 40, kCountAt = 16;
constexpr uint64_t kNewestVersion = 2;
constexpr uint64_t kEtm3 = 0x3030303030303030, kEtm4 = 0x4040404040404040, kEte = 0x5050505050505050;

bool is_magic(uint64_t word) { return word == kEtm3 || word == kEtm4 || word == kEte; }

// The words of a CPU whose metadata begin at `at`; 0: they are not known.
uint64_t words_at(const RecordInFile& record, uint64_t at, uint64_t version) {
    const uint64_t magic = record.number(at, 8);
    if (version == 0) return magic == kEtm3 ? 6 : magic == kEtm4 ? 9 : 0;
    return record.size() - at >= kCountAt + 8 ? saturating_add(3, record.number(at + kCountAt, 8)) : 0;
}

// Where the next magic number is; kNone: nowhere.
uint64_t magic_after(const RecordInFile& record, uint64_t at) {
    while (record.size() - at >= 16)
        if (is_magic(record.number(at += 8, 8))) return at;
    return kNone;
}
}  // namespace etm

void check_auxtrace_info(State& state, const RecordInFile& record) {
    if (record.number(View<kAuxtraceInfo>::offset_of<"auxtrace_type">(), 4) != etm::kTracer) return;
    if (record.size() < etm::kFirstCpuAt) return;
    state.context.work.add(record.size());
    const uint64_t version = record.number(etm::kVersionAt, 8), cpus = record.number(etm::kCpusAt, 8) & 0xffffffff;
    if (version > etm::kNewestVersion) return;
    uint64_t at = etm::kFirstCpuAt, words = 0;
    for (uint64_t cpu = 0; cpu < cpus && record.size() - at >= 8; ++cpu) {
        const uint64_t magic = record.number(at, 8);
        if (!etm::is_magic(magic)) {
            const Place place = record.place(at, 8, "private");
            const uint64_t next = cpu == 0 ? kNone : etm::magic_after(record, at);
            if (next == kNone) return state.report.add_overridden<kAuxtraceInfoEtm>(place, {cpu, magic, 0, 0});
            return state.report.add<kAuxtraceInfoEtm>(place, {cpu, magic, words + (next - at) / 8, words});
        }
        words = etm::words_at(record, at, version);
        if (words == 0 || words > (record.size() - at) / 8) return;
        at += 8 * words;
    }
}

// The string `Name` of a record, which must end before `end`.
template <const auto& R, FixedName Name, Layout L = Layout{}>
bool check_string_in(State& state, const RecordInFile& record, uint64_t end) {
    constexpr uint64_t kAt = View<R, L>::template offset_of<Name>();
    const Bytes room = record.bytes.subspan(kAt, saturating_sub(end, kAt));
    if (!room.empty() && room.back() == 0) [[likely]]
        return true;
    return check_string(state, record.place(kAt, room.size(), Name.view()), room);
}

// The elements of a record after its `nr`.
template <const auto& R, const auto& Element>
bool check_list_in(State& state, const RecordInFile& record, uint64_t end) {
    constexpr uint64_t kAt = View<R>::template offset_of<"nr">();
    return check_count(state, record, {kAt, 8, kAt + 8, fixed_size(Element)}, end, "nr");
}

}  // namespace

Kind kind_of(uint32_t type) {
    if (type < std::tuple_size_v<LeastSizes> && kLeastSizes[kCurrent][type] != 0) [[likely]]
        return Kind::known;
    if (type >= kFirstNewerKernelType && type <= kLastNewerKernelType) return Kind::newer;
    if (type >= kFirstNewerType && type <= kLastNewerType) return Kind::newer;
    if (type >= kFirstSimpleperfType && type <= kLastSimpleperfType) return Kind::simpleperf;
    return Kind::unknown;
}

uint64_t least_size(uint32_t type, uint16_t version) { return kLeastSizes[version][type]; }

namespace {

// Section 3.3: whether no perf wrote the record unpadded.
bool is_padded(const RecordInFile& record) {
    constexpr uint64_t kOfCpus = 3, kKindAt = View<kEventUpdate>::offset_of<"update_type">();
    switch (record.type()) {
        case kHeaderTracingDataType:
        case kHeaderBuildIdType:
        case kCpuMapType:
        case kHeaderFeatureType:
        case kCompressedType: return false;
        case kEventUpdateType: return record.size() < kKindAt + 8 || record.number(kKindAt, 8) != kOfCpus;
        default: return true;
    }
}

}  // namespace

void check_alignment(State& state, const RecordInFile& record) {
    if (record.size() % 8 == 0 || !is_padded(record)) [[likely]]
        return;
    state.report.add<kRecordUnaligned>(record.place(6, 2, "size"), {record.size()});
}

std::string_view text_at(const RecordInFile& record, uint64_t at, uint64_t end) {
    const std::string_view text = as_text(record.bytes.subspan(at, saturating_sub(end, at)));
    return text.substr(0, text.find('\0'));
}

bool check_string(State& state, const Place& place, Bytes room) {
    state.context.work.add(room.size());
    if (!room.empty() && std::memchr(room.data(), 0, room.size()) != nullptr) [[likely]]
        return true;
    state.report.add<kStringUnterminated>(place, {room.size()});
    return false;
}

bool check_contents(State& state, const RecordInFile& record, uint16_t version, uint64_t trailer) {
    const uint64_t end = record.size() - trailer;
    switch (record.type()) {
        case kMmapType: check_range(state, record); return check_string_in<kMmap, "filename">(state, record, end);
        case kMmap2Type:
            check_range(state, record);
            if (version == kEarlier) return check_string_in<kMmap2, "filename", kEarlierLayout>(state, record, end);
            return check_string_in<kMmap2, "filename">(state, record, end);
        case kCommType: return check_string_in<kComm, "comm">(state, record, end);
        case kKsymbolType: return check_string_in<kKsymbol, "name">(state, record, end);
        case kCgroupType: return check_string_in<kCgroup, "path">(state, record, end);
        case kHeaderBuildIdType: return check_string_in<kHeaderBuildId, "filename">(state, record, end);
        case kNamespacesType: return check_list_in<kNamespaces, kNamespace>(state, record, end);
        case kCallchainDeferredType: return check_list_in<kCallchainDeferred, kAddress>(state, record, end);
        case kTextPokeType: return check_text_poke(state, record, end);
        case kIdIndexType: return check_list_in<kIdIndex, kIdIndexEntry>(state, record, end);
        case kThreadMapType: return check_list_in<kThreadMap, kThreadMapEntry>(state, record, end);
        case kStatConfigType: return check_list_in<kStatConfig, kStatConfigEntry>(state, record, end);
        case kCpuMapType: return check_cpu_map(state, record);
        case kTimeConvType: check_time_conv(state, record); return true;
        case kAuxtraceInfoType: check_auxtrace_info(state, record); return true;
        default: return true;
    }
}

// perf.data, section 3.5: the fields of a SAMPLE.

namespace {

constexpr Rule kSampleOverrun{
    .id = "perfdata/sample-overrun",
    .severity = Severity::error,
    .statement = "the fields of a SAMPLE are inside the record",
    .message = "this field takes {0 byte|bytes} or more, but the SAMPLE has {1} left",
    .why = "perf cannot parse the sample (err = -14) and shows nothing of the file",
    .spec = "3.5 SAMPLE",
    .since = "0.2.0",
};

constexpr Rule kSampleTrailingBytes{
    .id = "perfdata/sample-trailing-bytes",
    .severity = Severity::warning,
    .statement = "a SAMPLE ends after its last field",
    .message = "{0 byte|bytes} follow the last field of the SAMPLE",
    .why = "readers ignore them, or their layout of the sample is wrong",
    .spec = "3.5 SAMPLE",
    .since = "0.2.0",
};

// Bits of read_format.
constexpr unsigned kEnabled = 0, kRunning = 1, kReadId = 2, kGroup = 3, kReadLost = 4;
// Bits of branch_sample_type.
constexpr unsigned kHasIndex = 17, kHasCounters = 19;

// Steps over the fields one after the other. Each step reports what does not fit and is false then.
class Fields {
  public:
    Fields(State& state, const RecordInFile& record, const Attr& attr)
        : state_(state), record_(record), attr_(attr), at_(fixed_size(kPrefix) + 8 * uint64_t{attr.fixed_words}) {}

    uint64_t at() const { return at_; }
    uint64_t left() const { return record_.size() - at_; }

    // A field of `bytes`.
    bool word(uint64_t bytes = 8) {
        if (bytes > left()) return cut(bytes);
        at_ += bytes;
        return true;
    }

    bool read() {
        const uint64_t times = 8 * (uint64_t{attr_.reads(kEnabled)} + uint64_t{attr_.reads(kRunning)});
        const uint64_t extra = 8 * (uint64_t{attr_.reads(kReadId)} + uint64_t{attr_.reads(kReadLost)});
        if (!attr_.reads(kGroup)) return word(8 + times + extra);
        return array(8 + times, 8 + extra, 8);
    }

    bool branch_stack() {
        const uint64_t index = (attr_.branch_sample_type >> kHasIndex & 1) != 0 ? 8 : 0;
        const uint64_t item = (attr_.branch_sample_type >> kHasCounters & 1) != 0 ? 32 : 24;
        if (left() >= 8 && left() < 8 + index) return exceeds(8, 8 + index);
        return array(8 + index, item, 8);
    }

    // A count in the first 8 bytes of `front`, then items of so many bytes.
    bool array(uint64_t front, uint64_t item, unsigned width) {
        if (front > left()) return cut(front);
        const uint64_t count = record_.number(at_, width);
        if (count > (left() - front) / item) return exceeds(width, count > kNone / 64 ? kNone : front + count * item);
        at_ += front + count * item;
        return true;
    }

    bool registers(uint8_t count) {
        if (left() < 8) return cut(8);
        return word(record_.number(at_, 8) == 0 ? 8 : 8 + 8 * uint64_t{count});
    }

    bool stack() {
        if (left() < 8) return cut(8);
        const uint64_t size = record_.number(at_, 8);
        if (size == 0) return word();
        if (left() < 16 || size > left() - 16) return exceeds(8, saturating_add(size, 16));
        at_ += 8 + size;
        if (record_.number(at_, 8) > size) return exceeds(8, saturating_add(record_.number(at_, 8), 8));
        return word();
    }

    void judge_end() {
        if (left() == 0 || attr_.sample_type >> kSampleBits != 0) return;
        state_.report.add<kSampleTrailingBytes>(record_.place(at_, left(), "fields"), {left()});
    }

  private:
    // The field at the cursor does not fit.
    [[gnu::cold]] bool cut(uint64_t needed) {
        state_.report.add<kSampleOverrun>(record_.place(at_, left(), "fields"), {needed, left()});
        return false;
    }
    // What the count at the cursor says does not fit.
    [[gnu::cold]] bool exceeds(unsigned width, uint64_t needed) {
        state_.report.add<kSampleOverrun>(record_.place(at_, width, "fields"), {needed, left()});
        return false;
    }

    State& state_;
    const RecordInFile& record_;
    const Attr& attr_;
    uint64_t at_;
};

bool check_field(Fields& fields, const Attr& attr, unsigned bit) {
    switch (bit) {
        case kReadBit: return fields.read();
        case kCallchainBit: return fields.array(8, 8, 8);
        case kRawBit: return fields.array(4, 1, 4);
        case kBranchStackBit: return fields.branch_stack();
        case kRegsUserBit: return fields.registers(attr.user_registers);
        case kStackUserBit: return fields.stack();
        case kRegsIntrBit: return fields.registers(attr.interrupt_registers);
        case kAuxBit: return fields.array(8, 1, 8);
        default: return fields.word();
    }
}

// The order of the fields after the first words.
constexpr unsigned kOrder[] = {kReadBit,      kCallchainBit, kRawBit,          kBranchStackBit,  kRegsUserBit,
                               kStackUserBit, kWeightBit,    kDataSrcBit,      kTransactionBit,  kRegsIntrBit,
                               kPhysAddrBit,  kCgroupBit,    kDataPageSizeBit, kCodePageSizeBit, kAuxBit};

}  // namespace

bool check_sample_fields(State& state, const RecordInFile& record, const Attr& attr) {
    Fields fields(state, record, attr);
    for (const unsigned bit : kOrder) {
        // Both bits of the weight stand for one field.
        const bool is_there = bit == kWeightBit ? attr.has(kWeightBit) || attr.has(kWeightStructBit) : attr.has(bit);
        if (is_there && !check_field(fields, attr, bit)) return false;
    }
    fields.judge_end();
    return true;
}

constinit const RuleList kRecordsRules =
    rules<&kRecordUnaligned, &kStringUnterminated, &kCountExceedsRecord, &kMmapRange, &kTimeConvUnusable,
          &kAuxtraceInfoEtm, &kSampleOverrun, &kSampleTrailingBytes>;

}  // namespace tracelint::perfdata
