// perf.data, section 3: finds the records and sections of a file without judging them.
#include "grammars/perfdata/perfdata.hpp"

#include <array>
#include <utility>
#include <vector>

#include "validator/tables/view.hpp"

namespace tracelint::perfdata {
namespace {

constexpr uint64_t kIdsSectionSize = fixed_size(kIdsSection);
constexpr uint64_t kLeastAttrSize = 80, kLargestAttrSize = 4096;

struct Range {
    uint64_t start = 0;
    uint64_t end = 0;
    bool holds(uint64_t offset) const { return start <= offset && offset < end; }
    uint64_t size() const { return end - start; }
};

class PerfdataFramer final : public Framer {
  public:
    Frame next(Bytes bytes) override {
        const Frame frame = is_header_ ? header(bytes) : part(bytes);
        if (frame.needs != 0) return frame;
        is_header_ = false;
        at_ = saturating_add(at_, frame.length);
        return frame;
    }

    // Samples and trailers hold fields that the attributes choose (sections 3.5 and 3.6).
    std::optional<Moment> moment_of(const Record& record, Bytes bytes) const override {
        const bool is_of_kernel = record.tag != kNoTag && record.tag < kHeaderAttrType;
        if (!is_of_kernel || are_mixed_ || !time_ || time_->in_sample == kNone) return Framer::moment_of(record, bytes);
        uint64_t at = time_->in_sample;
        if (record.tag != kSampleType) {
            if (time_->from_end == kNone || bytes.size() < kPrefixSize + time_->from_end) return std::nullopt;
            at = bytes.size() - time_->from_end;
        }
        if (bytes.size() < at + 8) return std::nullopt;
        const uint64_t time = load(&bytes[at], 8, layout_.order);
        if (time == 0) return std::nullopt;  // of a record that perf synthesizes
        return Moment{time, Quantity::time};
    }

  private:
    struct Section {
        uint64_t feature;
        Range range;
    };

    Frame header(Bytes bytes) {
        const std::optional<ByteOrder> order = order_of_magic(bytes);
        if (!order || bytes.size() < kPipeHeaderSize) return {};
        layout_.order = *order;
        layout_.version = has_legacy_magic(bytes) ? kEarlier : kCurrent;
        const uint64_t size = View<kPipeHeader>(bytes.data(), 0, *order, kNone).get<"size">();
        if (size == kPipeHeaderSize) {
            data_ = {kPipeHeaderSize, kNone};
            return {&kPipeHeader, kPipeHeaderSize};
        }
        const bool is_old = size == kOldHeaderSize;
        if (bytes.size() < (is_old ? kOldHeaderSize : kFileHeaderSize)) return {};
        note_sections({bytes.data(), 0, *order, kNone}, is_old);
        return is_old ? Frame{&kOldHeader, kOldHeaderSize} : Frame{&kHeader, kFileHeaderSize};
    }

    void note_sections(const View<kHeader>& header, bool is_old) {
        attr_size_ = header.get<"attr_size">();
        const bool has_attrs = attr_size_ >= kLeastAttrSize && attr_size_ <= kLargestAttrSize && attr_size_ % 8 == 0;
        const uint64_t offset = header.get<"data_offset">(), size = header.get<"data_size">();
        data_ = {offset, size == 0 ? kNone : saturating_add(offset, size)};
        if (has_attrs) {
            const uint64_t start = header.get<"attrs_offset">(), length = header.get<"attrs_size">();
            const Range attrs = {start, saturating_add(start, length - length % attr_size_)};
            // Those that overlap the header or the data are not read.
            const bool is_over_data = attrs.start < data_.end && data_.start < attrs.end;
            if (start >= (is_old ? kOldHeaderSize : kFileHeaderSize) && !is_over_data) attrs_ = attrs;
        }
        if (is_old || size == 0) return;
        const std::array<uint64_t, 4> words = {header.get<"features_0">(), header.get<"features_1">(),
                                               header.get<"features_2">(), header.get<"features_3">()};
        for (uint64_t bit = 0; bit < 256; ++bit)
            if ((words[bit / 64] >> bit % 64 & 1) != 0) sections_.push_back({bit, {}});
        table_ = {data_.end, saturating_add(data_.end, sections_.size() * fixed_size(kFeatureEntry))};
    }

    Frame part(Bytes bytes) {
        if (bytes.empty()) return {};
        if (data_.holds(at_)) return record(bytes);
        if (attrs_.holds(at_)) return attr(bytes);
        if (table_.holds(at_)) return entry(bytes);
        for (const Section& section : sections_)
            if (section.range.start == at_ && section.range.size() != 0) inside_ = &section;
        if (inside_ != nullptr && inside_->range.holds(at_)) return in_section(bytes);
        return gap(bytes);
    }

    Frame attr(Bytes bytes) {
        const uint64_t from_entry = (at_ - attrs_.start) % attr_size_, own = attr_size_ - kIdsSectionSize;
        layout_.version = attr_version(own);
        if (from_entry == own) return {&kIdsSection, kIdsSectionSize};
        note_samples(bytes);
        return {&kAttr, own};
    }

    // Where the time is that an attribute asks for, in bytes; kNone: nowhere.
    struct TimePlace {
        uint64_t in_sample = kNone;
        uint64_t from_end = kNone;  // of a record that ends in a trailer
        bool operator==(const TimePlace&) const = default;
    };

    // What the attributes say in common of where the time is in a record.
    void note_samples(Bytes attr) {
        if (attr.size() < minimum_size(kAttr)) return;
        const View<kAttr> view(attr.data(), 0, layout_.order, kNone);
        const uint64_t type = view.get<"sample_type">();
        TimePlace time;
        if ((type >> kTimeBit & 1) != 0) {
            time.in_sample = kPrefixSize + 8 * uint64_t{count_of(type, kBeforeTime)};
            if (view.get<"sample_id_all">() != 0) time.from_end = 8 * uint64_t{1 + count_of(type, kAfterTimeInTrailer)};
        }
        are_mixed_ = are_mixed_ || (time_ && *time_ != time);
        time_ = time;
    }

    Frame entry(Bytes bytes) {
        const uint64_t size = fixed_size(kFeatureEntry), number = (at_ - table_.start) / size;
        if (bytes.size() < size) return {&kFeatureEntry, size};
        const View<kFeatureEntry> entry(bytes.data(), at_, layout_.order, kNone);
        const uint64_t start = entry.get<"offset">();
        // Only what follows the table is framed.
        if (start >= table_.end) sections_[number].range = {start, saturating_add(start, entry.get<"size">())};
        return {&kFeatureEntry, size};
    }

    Frame in_section(Bytes bytes) const {
        const uint64_t room = inside_->range.end - at_;
        if (const Record* const record = section_of(inside_->feature)) return {record, room};
        if (bytes.size() < kPrefixSize) return {&kBuildIdEntry, room};
        const uint64_t size = load(bytes.data() + 6, 2, layout_.order);
        if (size < minimum_size(kBuildIdEntry) || size > room) return {&kOtherSection, room};
        return {&kBuildIdEntry, size};
    }

    // Bytes up to the next part.
    Frame gap(Bytes bytes) const {
        uint64_t end = kNone;
        const auto ends_at = [&](const Range& range) {
            if (range.start > at_ && range.size() != 0) end = std::min(end, range.start);
        };
        for (const Range* range : {&attrs_, &data_, &table_}) ends_at(*range);
        for (const Section& section : sections_) ends_at(section.range);
        const Record* const record = at_ < attrs_.start && end == attrs_.start ? &kIds : &kOtherSection;
        if (end != kNone) return {record, end - at_};
        return {record, bytes.size(), 2 * uint64_t{bytes.size()}};
    }

    Frame record(Bytes bytes) {
        const uint64_t left = data_.end - at_;
        if (following_ != 0) return {&kFollowingData, std::min(left, std::exchange(following_, 0))};
        if (bytes.size() < kPrefixSize || left < kPrefixSize) return {nullptr, std::min<uint64_t>(left, kPrefixSize)};
        const View<kPrefix> prefix(bytes.data(), at_, layout_.order, 0);
        const uint64_t type = prefix.get<"type">(), size = whole_size(type, prefix.get<"size">(), bytes);
        if (size < kPrefixSize) return {nullptr, data_.end == kNone ? 0 : left};
        if (size > left) return {nullptr, left};
        layout_.version = version_of(type, bytes.first(std::min<uint64_t>(size, bytes.size())), layout_.order);
        const Record* const record = &record_of(type);
        const bool has_body = size >= minimum_size(*record, layout_);
        if (has_body && type == kHeaderAttrType) note_samples(bytes.subspan(kPrefixSize));
        if (has_body && type == kAuxtraceType && bytes.size() >= 16) following_ = load(&bytes[8], 8, layout_.order);
        if (has_body && type == kHeaderTracingDataType && bytes.size() >= 12)
            following_ = (load(&bytes[8], 4, layout_.order) + 7) / 8 * 8;
        return {record, size};
    }

    // The intended size of a COMPRESSED2 record whose size does not fit into 16 bits (section 4.2).
    uint64_t whole_size(uint64_t type, uint64_t size, Bytes bytes) const {
        if (type != kCompressed2Type || bytes.size() < 16) return size;
        const uint64_t data_size = load(&bytes[8], 8, layout_.order);
        if (data_size > kNone - 32) return size;
        const uint64_t meant = (16 + data_size + 7) / 8 * 8;
        return meant > 0xffff && meant % 0x10000 == size && 16 + data_size <= data_.end - at_ ? 16 + data_size : size;
    }

    bool is_header_ = true;
    uint64_t at_ = 0;
    uint64_t attr_size_ = 0;
    Range attrs_, data_, table_;
    std::vector<Section> sections_;  // by feature
    const Section* inside_ = nullptr;
    uint64_t following_ = 0;         // bytes that follow the last record and belong to it
    std::optional<TimePlace> time_;  // of the attributes so far
    bool are_mixed_ = false;         // they place the time differently
};

uint16_t version_of_attr(Bytes record, ByteOrder order) {
    if (record.size() < 16) return 0;
    return attr_version(std::min<uint64_t>(load(&record[12], 4, order), record.size() - kPrefixSize));
}

bool is_graphic(uint8_t c) { return c > ' ' && c < 0x7f; }
bool is_in_name(uint8_t c) { return c >= ' ' && c != 0x7f; }

// An MMAP2 whose name begins where prot is in the current layout: no prot has other bits than 1, 2 and 4.
bool lacks_protection(Bytes record, ByteOrder order) {
    constexpr uint64_t kNameAt = fixed_offset(kMmap2, "filename", kEarlierLayout), kMostProtection = 7;
    // A framer sees no more of a longer one.
    if (record.size() < minimum_size(kMmap2, kEarlierLayout) || record.size() > kDetectionBytes) return false;
    if ((load(&record[4], 2, order) & kMappedWithBuildId) != 0) return false;
    if (record.size() >= kNameAt + 4 && load(&record[kNameAt], 4, order) <= kMostProtection) return false;
    const Bytes name = record.subspan(kNameAt);
    const auto end = std::ranges::find_if_not(name, is_in_name);
    return is_graphic(name[0]) && end != name.end() && *end == 0;
}

}  // namespace

uint16_t version_of(uint64_t type, Bytes record, ByteOrder order) {
    switch (type) {
        case kHeaderAttrType: return version_of_attr(record, order);
        case kExitType:
        case kForkType: return record.size() < minimum_size(kFork) ? kEarlier : kCurrent;
        case kMmap2Type: return lacks_protection(record, order) ? kEarlier : kCurrent;
        case kAuxtraceErrorType: {
            constexpr uint64_t kFormatAt = fixed_offset(kAuxtraceError, "fmt", {});
            return record.size() >= kFormatAt + 4 && load(&record[kFormatAt], 4, order) == 0 ? kEarlier : kCurrent;
        }
        default: return kCurrent;
    }
}

const Record& record_of(uint64_t type) {
    static constexpr auto kByType = [] {
        std::array<const Record*, kSchedstatDomainType + 1> table{};
        for (const Record* record : kTypedRecords) table[record->tag] = record;
        return table;
    }();
    return type < kByType.size() && kByType[type] != nullptr ? *kByType[type] : kOther;
}

const Record* section_of(uint64_t feature) {
    switch (feature) {
        case kBuildIdFeature: return nullptr;
        case kHostnameFeature:
        case kOsReleaseFeature:
        case kVersionFeature:
        case kArchFeature:
        case kCpuDescFeature:
        case kCpuIdFeature: return &kTextFeature;
        case kNrCpusFeature: return &kNrCpus;
        case kTotalMemFeature: return &kTotalMem;
        case kCmdlineFeature: return &kCmdline;
        case kEventDescFeature: return &kEventDesc;
        case kSampleTimeFeature: return &kSampleTime;
        case kClockIdFeature: return &kClockResolution;
        case kCompressedFeature: return &kCompression;
        case kClockDataFeature: return &kClockData;
        default: return &kOtherSection;
    }
}

std::unique_ptr<Framer> make_framer(const Settings&) { return std::make_unique<PerfdataFramer>(); }

}  // namespace tracelint::perfdata
