// perf.data, section 4: the walk over a file.
#include "grammars/perfdata/walk.hpp"

#include <algorithm>
#include <utility>

#include "grammars/perfdata/perfdata.hpp"

namespace tracelint::perfdata {
namespace {

constexpr uint64_t kMagicSize = 8;

// What bytes that are where a record header is expected are, if they are text.
std::string_view hint_of_text(Bytes bytes) {
    constexpr size_t kEnough = 32;
    constexpr std::string_view kOfPerf = "[ perf ";
    const Bytes start = bytes.first(std::min(bytes.size(), kEnough));
    const auto is_printable = [](uint8_t c) { return (c >= ' ' && c < 0x7f) || c == '\n' || c == '\t'; };
    if (!std::ranges::all_of(start, is_printable)) return {};
    if (as_text(start).starts_with(kOfPerf))
        return "the bytes are text: the messages of perf record, whose standard error was sent into the same file";
    return "the bytes are text, which something else wrote into the same file";
}

}  // namespace

void validate_file(Window& window, ValidationContext& context, WalkMode mode) { Walk(window, context, mode).run(); }

void Walk::run() {
    if (state_.context.facts != nullptr) state_.context.facts->recording.is_recording = true;
    while (phase_ != Phase::stopped) {
        take_lane();
        take(kMachine, phase_, look(), *this);
    }
    auto& statistics = state_.context.statistics;
    statistics.emplace_back("records", index_);
    statistics.emplace_back("samples", events_.samples());
    statistics.emplace_back("mappings", events_.mappings());
    if (skipped_bytes_ != 0) statistics.emplace_back(kSkippedBytes, skipped_bytes_);
    if (skipped_bytes_ >= kPrefixSize) statistics.emplace_back(kMostSkippedRecords, skipped_bytes_ / kPrefixSize);
    judge_code();
}

Symbol Walk::look() {
    switch (phase_) {
        case Phase::start: return look_at_magic();
        case Phase::opening: return look_at_opening();
        case Phase::header: return look_at_header();
        case Phase::attributes: return look_at_attributes();
        case Phase::records: return look_at_record();
        default: return look_at_table();
    }
}

// --- The header ------------------------------------------------------------------------------------------------

Symbol Walk::look_at_magic() {
    const Bytes bytes = front_.part(0, kFileHeaderSize);
    if (bytes.size() < kMagicSize) return Symbol::short_file;
    const std::optional<ByteOrder> order = order_of_magic(bytes);
    if (!order) return Symbol::no_magic;
    if (bytes.size() < kPipeHeaderSize) return Symbol::short_file;
    state_.order = input_.order = *order;
    const bool is_legacy = has_legacy_magic(bytes);
    state_.context.identity = {is_legacy ? uint64_t{1} : uint64_t{2}, order, std::nullopt};
    return is_legacy ? Symbol::legacy_magic : Symbol::magic;
}

Symbol Walk::look_at_opening() {
    const Bytes bytes = front_.part(0, kPipeHeaderSize);
    header_.claimed_size = View<kPipeHeader>(bytes.data(), 0, state_.order, kNone).get<"size">();
    switch (header_.claimed_size) {
        case kPipeHeaderSize: return Symbol::pipe_header;
        case kOldHeaderSize:
        case kFileHeaderSize: return Symbol::file_header;
        default: return Symbol::other_header;
    }
}

Symbol Walk::look_at_header() {
    header_.size = header_.claimed_size == kOldHeaderSize ? kOldHeaderSize : kFileHeaderSize;
    const Bytes bytes = front_.part(0, header_.size);
    if (bytes.size() < header_.size) return Symbol::truncated_header;
    header_ = read_header(bytes, state_.order);
    return header_.is_unfinished() ? Symbol::unfinished_header : Symbol::whole_header;
}

// --- The attributes --------------------------------------------------------------------------------------------

Symbol Walk::look_at_attributes() {
    offset_ = header_.data.offset;
    end_ = header_.data.size == 0 ? kNone : header_.data.end();
    if (header_.attr_count() == 0) return Symbol::no_attributes;
    if (!hold_what_decides()) {
        attrs_.give_up({.offset = fixed_offset(kHeader, "attrs_offset", {}), .length = 16, .record = &kHeader});
        return Symbol::no_attributes;
    }
    const bool is_in_file = front_.has(header_.attrs.offset, header_.attrs.size);
    return is_in_file && !are_attributes_blamed() ? Symbol::attributes : Symbol::no_attributes;
}

// Brings into view the attributes, and any section that overlaps them.
bool Walk::hold_what_decides() {
    uint64_t end = header_.attrs.end();
    for (const Section* const other : {&header_.data, &header_.event_types})
        if (intersect(header_.attrs, *other)) end = std::max(end, other->end());
    return front_.hold(end);
}

// A section that does not overlap the attributes changes nothing, wherever it ends.
bool Walk::are_attributes_blamed() { return header_regions(window_.size()).judge(state_, false); }

HeaderRegions Walk::header_regions(uint64_t file_size) const {
    HeaderRegions regions;
    regions.add({0, header_.size, 8, 0, Region::Kind::header});
    const auto add = [&](const Section& section, std::string_view field, Region::Kind kind) {
        if (section.end() <= file_size)
            regions.add({section.offset, section.end(), fixed_offset(kHeader, field, {}), 0, kind});
    };
    add(header_.attrs, "attrs_offset", Region::Kind::attrs);
    add(header_.data, "data_offset", Region::Kind::data);
    add(header_.event_types, "event_types_offset", Region::Kind::event_types);
    return regions;
}

void Walk::read_attributes() {
    const Section attrs = header_.attr_entries();
    const uint64_t size = header_.attr_size, own = size - fixed_size(kIdsSection);
    uint64_t index = 0;
    for (uint64_t at = attrs.offset; at < attrs.end(); at += size, ++index) {
        const std::optional<Attrs::Section> ids = attrs_.add_entry(front_, at, own, index);
        if (!ids) continue;
        regions_.add({ids->offset, saturating_add(ids->offset, ids->size), at + own, index, Region::Kind::ids});
    }
}

// --- The records -----------------------------------------------------------------------------------------------

Symbol Walk::look_at_record() {
    const uint64_t left = end_ - offset_;
    if (following_ != 0) [[unlikely]]
        return look_at_following_data(left);
    Bytes bytes = window_.view(offset_, kPrefixSize);
    if (std::min<uint64_t>(bytes.size(), left) < kPrefixSize) [[unlikely]] {
        input_.bytes = bytes.first(std::min<uint64_t>(bytes.size(), left));
        if (!input_.bytes.empty()) return cut_or(Symbol::truncated_record_header);
        return left == 0 || end_ == kNone ? Symbol::end_of_data : Symbol::cut_data;
    }
    input_.offset = offset_;
    input_.index = index_;
    input_.bytes = bytes.first(kPrefixSize);
    if (input_.type() == kCompressed2Type && is_overflowed(left)) [[unlikely]]
        return Symbol::overflowed_record;
    const uint64_t size = input_.length = input_.number(6, 2);
    if (size < kPrefixSize) [[unlikely]]
        return Symbol::size_too_small;
    bytes = window_.view(offset_, size);
    input_.bytes = bytes.first(std::min<uint64_t>({bytes.size(), left, size}));
    if (input_.bytes.size() < size) [[unlikely]]
        return cut_or(Symbol::truncated_record);
    return symbol_of_record();
}

Symbol Walk::cut_or(Symbol symbol) const {
    const bool is_cut = !state_.is_pipe && window_.size() != kNone && end_ > window_.size();
    return is_cut ? Symbol::cut_data : symbol;
}

Symbol Walk::symbol_of_record() {
    input_.record = &record_of(input_.type());
    classified_ = events_.classify(input_);
    switch (classified_.as) {
        case Classified::As::known: return Symbol::record;
        case Classified::As::newer: return Symbol::newer_record;
        case Classified::As::simpleperf: return Symbol::simpleperf_record;
        case Classified::As::unknown: return Symbol::unknown_record;
        case Classified::As::too_small: return Symbol::too_small;
        case Classified::As::unknown_event: return Symbol::unknown_event;
    }
    return Symbol::unknown_record;
}

Symbol Walk::look_at_following_data(uint64_t left) {
    if (following_ > left) return Symbol::following_data_cut;
    if (window_.reaches(saturating_add(offset_, following_))) return Symbol::following_data;
    return cut_or(Symbol::following_data_cut);
}

// Whether the record is a COMPRESSED2 whose size its writer took modulo 65,536 (section 4.2).
bool Walk::is_overflowed(uint64_t left) {
    constexpr uint64_t kFront = fixed_size(kCompressed2), kModulus = 0x10000;
    const uint64_t size = input_.number(6, 2);
    const Bytes bytes = window_.view(offset_, kFront);
    if (bytes.size() < kFront) return false;
    input_.bytes = bytes.first(kPrefixSize);
    const uint64_t data_size = load(bytes.data() + kPrefixSize, 8, state_.order);
    if (data_size > left || data_size < kModulus - kFront - 7) return false;
    const uint64_t meant = kFront + (data_size + 7) / 8 * 8;
    if (meant < kModulus || meant % kModulus != size || kFront + data_size > left) return false;
    const uint64_t wanted = window_.affordable(std::min(kFront + data_size, state_.context.limits.record));
    const Bytes all = window_.view(offset_, wanted);
    input_.bytes = all.first(kPrefixSize);
    skipped_ = kFront + data_size;
    input_.length = skipped_;
    return all.size() >= skipped_ || (all.size() >= wanted && window_.size() == kNone);
}

void Walk::report(const Rule& rule, Symbol symbol) {
    Report& report = state_.report;
    const auto header_place = [](uint64_t offset, uint64_t length, const char* field) {
        return Place{.offset = offset, .length = length, .record = &kHeader, .field = kHeader.find(field)};
    };
    const uint64_t file_size = front_.bytes().size();  // of a file without its header
    switch (symbol) {
        case Symbol::no_magic:
        case Symbol::legacy_magic: {
            const uint64_t magic = load(front_.bytes().data(), 8, ByteOrder::little);
            const std::array<uint64_t, 1> numbers{magic};
            return report.add(rule, header_place(0, 8, "magic"), std::span(numbers).first(rule.message.numbers));
        }
        case Symbol::short_file:
            return report.add(rule, {.length = file_size, .record = &kHeader}, {file_size, kPipeHeaderSize});
        case Symbol::truncated_header:
            return report.add(rule, {.length = file_size, .record = &kHeader}, {file_size, header_.size});
        case Symbol::other_header: return report.add(rule, header_place(8, 8, "size"), {header_.claimed_size});
        case Symbol::unfinished_header:
            return report.add(rule, {.offset = 16, .length = header_.size - 16, .record = &kHeader});
        case Symbol::truncated_table: {
            const uint64_t there = saturating_sub(window_.size(), header_.data.end());
            return report.add(rule, {.offset = header_.data.end(), .length = there, .record = &kFeatureEntry},
                              {table_size(), there});
        }
        default: return report_record(rule, symbol);
    }
}

// The rules about the record at the cursor.
void Walk::report_record(const Rule& rule, Symbol symbol) {
    Report& report = state_.report;
    const uint64_t there = input_.bytes.size();
    const Place size = input_.place(6, 2, "size");
    switch (symbol) {
        case Symbol::unknown_event:
            return report.add(rule, input_.place(classified_.least, 8, "fields"),
                              {input_.number(classified_.least, 8)});
        case Symbol::too_small: return report.add(rule, size, {input_.size(), classified_.least});
        case Symbol::newer_record: return report.add(rule, input_.place(0, 4, "type"), {input_.type()});
        case Symbol::simpleperf_record:
            if (report.count(rule) == 0) report.add(rule, input_.place(0, kPrefixSize), {input_.type()});
            has_simpleperf_ = true;
            return;
        case Symbol::unknown_record: {
            Diagnostic finding{.rule = &rule, .place = input_.place(0, 4, "type"), .numbers = {input_.type()}};
            finding.hint = hint_of_text(input_.bytes);
            return report.add(finding);
        }
        case Symbol::overflowed_record: return report.add(rule, size, {input_.number(6, 2), skipped_ - 16});
        case Symbol::following_data_cut: return report.add(rule, following_size_, {claimed_following_});
        case Symbol::size_too_small: return report.add(rule, size, {input_.number(6, 2)});
        case Symbol::truncated_record_header: return report.add(rule, whole_at_cursor(there), {there});
        case Symbol::truncated_record: {
            Diagnostic finding{.rule = &rule, .place = whole_at_cursor(there)};
            finding.numbers = {input_.number(6, 2), there};
            finding.hint = hint_of_text(input_.bytes);
            return report.add(finding);
        }
        default: return refuse_impossible();  // no edge of these has a rule
    }
}

void Walk::accept(Symbol symbol) {
    switch (symbol) {
        case Symbol::pipe_header:
            state_.is_pipe = true;
            offset_ = kPipeHeaderSize;
            return;
        case Symbol::attributes: return read_attributes();
        case Symbol::record: check_record(); return step_over();
        case Symbol::simpleperf_record: return step_over();
        case Symbol::cut_data: is_stream_cut_ = true; return;
        case Symbol::following_data: offset_ += std::exchange(following_, 0); return;
        default: return;
    }
}

void Walk::skip(Symbol symbol) {
    switch (symbol) {
        case Symbol::unknown_event:
        case Symbol::too_small:
            has_attr_record_ = has_attr_record_ || input_.type() == kHeaderAttrType;
            check_alignment(state_, input_);
            return step_over();
        case Symbol::newer_record:
        case Symbol::unknown_record: return step_over();
        case Symbol::overflowed_record:
            is_first_compression_broken_ = is_first_compression_broken_ || !compressed_.first();
            compressed_.give_up(input_);
            return step_over();
        case Symbol::following_data_cut:
        case Symbol::size_too_small:
        case Symbol::truncated_record_header:
        case Symbol::truncated_record: is_stream_cut_ = true; return;
        default: return;
    }
}

void Walk::step_over() {
    offset_ += input_.length;
    ++index_;
}

void Walk::check_record() {
    check_alignment(state_, input_);
    if (is_kernel_type(input_.type())) [[likely]]
        return events_.check_kernel_record(input_, classified_);
    check_user_record(input_);
}

void Walk::check_user_record(const RecordInFile& record) {
    switch (record.type()) {
        case kHeaderAttrType: has_attr_record_ = true; return attrs_.add_record(record);
        case kHeaderFeatureType: return features_.check_record(record);
        case kFinishedRoundType: return events_.finish_round();
        case kCompressedType:
        case kCompressed2Type: return check_compressed(record);
        case kAuxtraceType:
            claimed_following_ = following_ = record.number(View<kAuxtrace>::offset_of<"data_size">(), 8);
            following_size_ = record.place(View<kAuxtrace>::offset_of<"data_size">(), 8, "data_size");
            has_trace_ = has_trace_ || following_ != 0;
            return;
        case kHeaderTracingDataType:
            has_formats_ = true;
            claimed_following_ = record.number(View<kHeaderTracingData>::offset_of<"data_size">(), 4);
            following_ = (claimed_following_ + 7) / 8 * 8;
            following_size_ = record.place(View<kHeaderTracingData>::offset_of<"data_size">(), 4, "data_size");
            return;
        default: check_contents(state_, record, classified_.version, 0);
    }
    if (record.type() == kHeaderBuildIdType) check_build_id_record(record);
}

void Walk::check_build_id_record(const RecordInFile& record) {
    const auto build_id = record.view<kHeaderBuildId>();
    const uint64_t size = build_id.get<"build_id_size">();
    check_build_id(state_, record.misc(), size,
                   record.place(View<kHeaderBuildId>::offset_of<"build_id">(), size, "build_id"));
    if ((record.misc() & kHasBuildIdSize) != 0)
        check_build_id_size(state_, size,
                            record.place(View<kHeaderBuildId>::offset_of<"build_id_size">(), 1, "build_id_size"));
}

void Walk::check_compressed(const RecordInFile& record) {
    const bool is_first = !compressed_.first();
    if (record.type() == kCompressedType) {
        compressed_.add(record, kPrefixSize, record.size() - kPrefixSize);
    } else {
        constexpr uint64_t kFront = fixed_size(kCompressed2);
        const uint64_t claimed = record.number(kPrefixSize, 8), room = record.size() - kFront;
        if (claimed > room || record.size() != (kFront + claimed + 7) / 8 * 8) {
            is_first_compression_broken_ = is_first_compression_broken_ || is_first;
            state_.report.add<kCompressed2Size>(record.place(kPrefixSize, 8, "data_size"), {record.size(), claimed});
            return compressed_.give_up(record);
        }
        compressed_.add(record, kFront, claimed);
    }
    if (is_first && state_.is_pipe) check_compression_feature();
}

// --- Records inside of compressed ones ---------------------------------------------------------------------------

bool Walk::take_plain(const RecordInFile& record) {
    const uint64_t size = record.number(6, 2);
    if (size < kPrefixSize) {
        state_.report.add<kRecordSizeTooSmall>(record.whole(), {size});
        return false;
    }
    const Classified classified = events_.classify(record);
    report_plain(record, classified);
    return true;
}

constexpr Rule kCompressedNested{
    .id = "perfdata/compressed-nested",
    .severity = Severity::error,
    .statement = "compressed records hold no compressed records",
    .message = "the compressed records hold a record of type {0}, which is itself compressed",
    .why = "perf stops and shows nothing of the file",
    .spec = "3.9 Compressed records",
    .since = "0.2.0",
};

void Walk::report_plain(const RecordInFile& record, const Classified& classified) {
    const uint32_t type = record.type();
    const Place place = record.whole();
    switch (classified.as) {
        case Classified::As::newer: return state_.report.add<kRecordTypeNewer>(place, {type});
        case Classified::As::unknown: return state_.report.add<kRecordTypeUnknown>(place, {type});
        case Classified::As::simpleperf:
            has_simpleperf_ = true;
            return state_.report.add_first<kSimpleperf>(place, {type});
        case Classified::As::too_small:
            check_alignment(state_, record);
            return state_.report.add<kRecordBodyTooSmall>(place, {record.size(), classified.least});
        case Classified::As::unknown_event:
            check_alignment(state_, record);
            return state_.report.add<kSampleUnknownId>(place, {record.number(classified.least, 8)});
        case Classified::As::known: break;
    }
    check_alignment(state_, record);
    if (is_kernel_type(type)) return events_.check_kernel_record(record, classified);
    if (type == kFinishedRoundType) events_.finish_round();
    if (type == kCompressedType || type == kCompressed2Type) state_.report.add<kCompressedNested>(place, {type});
}

constinit const RuleList kWalkRules = rules<&kCompressedNested>;

}  // namespace tracelint::perfdata
