// perf.data, sections 3.8 and 5: what is judged when the records are over.
#include <algorithm>

#include "grammars/perfdata/walk.hpp"

namespace tracelint::perfdata {
namespace {

constexpr Rule kFeatureReservedBit{
    .id = "perfdata/feature-reserved-bit",
    .severity = Severity::warning,
    .statement = "bit 0 of the feature bits is reserved",
    .message = "bit 0 of the feature bits, which is reserved, is set",
    .why = "it shifts the feature table for readers that do not count it",
    .spec = "3.8 Feature sections",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kFeatureExceedsFile{
    .id = "perfdata/feature-exceeds-file",
    .severity = Severity::error,
    .statement = "feature sections are inside the file",
    .message = "feature {2} ({text}) has {1 byte|bytes} at {0x}, which exceeds the file",
    .why = "perf silently loses the feature; samply refuses the file",
    .spec = "3.8 Feature sections",
    .since = "0.2.0",
    .about_end = true,
    .depends_on = {.file_size = true},
};

constexpr Rule kCompressedFeatureRule{
    .id = "perfdata/compressed-feature",
    .severity = Severity::error,
    .statement = "the feature COMPRESSED describes how to read the compressed records",
    .message = "the file has compressed records, but no feature COMPRESSED with zstd and an mmap_len",
    .why = "perf cannot decompress the records: it shows nothing of the file",
    .spec = "3.8 Feature sections; 3.9 Compressed records",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kNoEvents{
    .id = "perfdata/no-events",
    .severity = Severity::note,
    .statement = "the stream has records",
    .message = "no record follows the header",
    .why = "readers find nothing",
    .spec = "3.3 Record header",
    .since = "0.2.0",
    .about_end = true,
};

constexpr Rule kStreamNoAttr{
    .id = "perfdata/stream-no-attr",
    .severity = Severity::error,
    .statement = "a pipe stream has a HEADER_ATTR",
    .message = "the stream has no HEADER_ATTR",
    .why = "perf stops at the first record with an id, and samply refuses the file",
    .spec = "3.7 Records of perf",
    .since = "0.2.0",
    .about_end = true,
};

constexpr Rule kNoSamples{
    .id = "perfdata/no-samples",
    .severity = Severity::note,
    .statement = "the file has samples, or the data of a trace",
    .message = "no SAMPLE among {0 record|records}",
    .why = "profilers show nothing",
    .spec = "3.4 Kernel records",
    .since = "0.2.0",
    .about_end = true,
};

constexpr Rule kNoUserSamples{
    .id = "perfdata/no-user-samples",
    .severity = Severity::note,
    .statement = "some samples are in user space",
    .message = "all {0} samples are in the kernel",
    .why =
        "no program has a build id here, and perf2bolt and create_llvm_prof find nothing; record with :u, or without "
        "what leaves user space out",
    .spec = "3.3 Record header; 3.4 Kernel records",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kTracepointWithoutFormat{
    .id = "perfdata/tracepoint-without-format",
    .severity = Severity::error,
    .statement = "a recording of tracepoints has their formats",
    .message = "the event is tracepoint {0}, but the file has no TRACING_DATA that describes its data",
    .why = "perf refuses the file: broken or missing trace data",
    .spec = "3.11 Tracepoints",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
    .severity_override = SeverityOverride{.severity = Severity::error,
                                          .when = "EVENT_DESC is also missing",
                                          .message = "the event is tracepoint {0}, but the file has no TRACING_DATA "
                                                     "that describes its data, and no EVENT_DESC that names it",
                                          .why = {}},
};

constexpr Rule kInjectedByBadRelease{
    .id = "perfdata/injected-by-bad-release",
    .severity = Severity::warning,
    .statement = "images of JIT code are mapped where their code is",
    .message = "perf {0}.{1}.{2} wrote images of JIT code without room for their program header",
    .why =
        "addresses in the images jitted-*.so are off by the size of that header, and so are names and lines; run perf "
        "inject of another release over the recording: commit 89b15d00527b (\"Fix GEN_ELF_TEXT_OFFSET for jit\") fixed "
        "it",
    .spec = "3.12 Images of perf inject",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kFileTrailingBytes{
    .id = "perfdata/file-trailing-bytes",
    .severity = Severity::note,
    .statement = "the file ends with its last section",
    .message = "{0 byte|bytes} follow the last section",
    .why = "readers ignore them",
    .spec = "3.1 File header",
    .since = "0.2.0",
    .about_end = true,
    .depends_on = {.file_size = true},
};

// Section 3.12: stable releases with the change of 2022 that moved the code, and without its mending, from .. to.
struct BadReleases {
    Release first, last;
};
constexpr BadReleases kBadReleases[] = {
    {{4, 19, 260}, {4, 19, 300}}, {{5, 4, 215}, {5, 4, 262}},   {{5, 10, 146}, {5, 10, 202}},
    {{5, 15, 71}, {5, 15, 141}},  {{5, 19, 12}, {5, 19, 4095}},
};

constexpr uint64_t kEntrySize = fixed_size(kFeatureEntry);
constexpr uint64_t kMostReads = 4;  // of a byte in feature sections
constexpr std::string_view kReadOften = "feature sections overlap, so that they cannot be read in the time of one";

}  // namespace

// --- The feature table -------------------------------------------------------------------------------------------

Symbol Walk::look_at_table() {
    finish_stream();
    record_file_facts();
    if (state_.is_pipe) {
        if (is_stream_cut_) state_.context.left_at = offset_;
        attrs_.judge_time(false);  // a HEADER_FEATURE that says STAT comes later
        judge_samples();
        judge_formats(true);
        judge_images();
        return Symbol::no_feature_table;
    }
    read_table();
    bring_sections();
    window_.reaches(kNone);
    if (is_stream_cut_) skipped_bytes_ = saturating_sub(std::min(end_, window_.size()), offset_);
    is_data_in_file_ = header_.data.end() <= window_.size();
    const bool has_table = is_data_in_file_ && header_.data.size != 0 && !table_.empty();
    finish_file();
    judge_formats(is_data_in_file_ && header_.data.size != 0 && header_.size == kFileHeaderSize &&
                  (table_.empty() || is_table_read_));
    judge_images();
    if (!has_table) return Symbol::no_feature_table;
    return is_table_read_ ? Symbol::feature_table : Symbol::truncated_table;
}

// The entries for the feature bits. They have no place but after the data.
void Walk::read_table() {
    if (header_.data.size == 0 || header_.data.end() == kNone) return;
    size_t count = 0;
    for (uint64_t bit = 0; bit < kFeatureBits; ++bit)
        if ((header_.features[bit / 64] >> bit % 64 & 1) != 0) entries_[count++].feature = bit;
    table_ = std::span(entries_).first(count);
    const uint64_t start = header_.data.end();
    const Bytes bytes = window_.view(start, table_size());
    is_table_read_ = bytes.size() >= table_size();
    if (!is_table_read_ && start > window_.size()) return;
    for (const TableEntry& entry : table_) {
        features_.note(entry.feature, word_of(entry.feature));
        if (entry.feature == 0) state_.report.add<kFeatureReservedBit>(word_of(0));
    }
    if (!is_table_read_) return;
    uint64_t at = 0;
    for (TableEntry& entry : table_) {
        const View<kFeatureEntry> view(bytes.data() + at, start + at, state_.order, kNone);
        entry.at = start + at;
        entry.section = {view.get<"offset">(), view.get<"size">()};
        at += kEntrySize;
    }
}

// Checks the sections while they are in view. Where the file is not in view as a whole, those before the table are
// lost, and the others have to fit into the limits. Sections that overlap are not read again and again.
void Walk::bring_sections() {
    if (!is_table_read_) return;
    const uint64_t start = front_.is_whole() ? 0 : header_.data.end();
    uint64_t end = start;
    for (const TableEntry& entry : table_)
        if (Features::is_judged(entry.feature) && entry.section.offset >= start)
            end = std::max(end, entry.section.end());
    const uint64_t most = std::max(state_.context.limits.record, Front::kWhole);
    const uint64_t wanted = window_.affordable(std::min(end - start, most));
    const Bytes bytes = front_.is_whole() ? front_.bytes() : window_.view(start, wanted);
    const bool is_end_known = window_.size() != kNone;
    uint64_t left = kMostReads * uint64_t{bytes.size()};
    for (const TableEntry& entry : table_) {
        if (!Features::is_judged(entry.feature)) continue;
        const Section& section = entry.section;
        const bool is_in_view = section.offset >= start && section.end() - start <= bytes.size();
        const uint64_t cost = is_in_view && Features::is_read_as_whole(entry.feature) ? section.size : 0;
        const bool is_affordable = cost <= left;
        left -= std::min(left, cost);
        if (is_in_view && is_affordable)
            features_.check({entry.feature, bytes.subspan(section.offset - start, section.size), section.offset});
        else if (section.offset < start || !is_end_known || !is_affordable)
            state_.hit_limit({.offset = entry.at, .length = kEntrySize, .record = &kFeatureEntry},
                             is_affordable ? std::string_view() : kReadOften);
    }
}

// The word of the header that has the feature's bit.
Place Walk::word_of(uint64_t feature) {
    static constexpr std::string_view kWords[] = {"features_0", "features_1", "features_2", "features_3"};
    const std::string_view word = kWords[feature / 64];
    return {.offset = fixed_offset(kHeader, word, {}), .length = 8, .record = &kHeader, .field = kHeader.find(word)};
}

// --- The end -------------------------------------------------------------------------------------------------------

// What the stream of records lacks.
void Walk::finish_stream() {
    compressed_.end(is_stream_cut_);
    if (!compressed_.is_blind()) events_.judge_lost();
    if (is_stream_cut_ || !state_.is_pipe) return;
    if (index_ == 0) return state_.report.add<kNoEvents>({.offset = offset_});
    if (!has_attr_record_) state_.report.add<kStreamNoAttr>({.offset = kPipeHeaderSize, .length = 0});
}

// Whether no record of the file was left out: by a fault, a limit, or for want of zstd.
bool Walk::are_all_records_known() const {
    return !is_stream_cut_ && is_data_in_file_ && !compressed_.is_blind() && attrs_.is_complete() &&
           !state_.context.limit_hit;
}

void Walk::judge_modes() {
    if (!are_all_records_known() || !events_.are_all_in_kernel()) return;
    const Place magic{.length = 8, .record = &either(state_.is_pipe, kPipeHeader, kHeader)};
    state_.report.add<kNoUserSamples>(attrs_.without_user().value_or(magic), {events_.samples()});
}

// perf stat and simpleperf keep no formats. `has_table`: the features of the file are known.
void Walk::judge_formats(bool has_table) {
    const bool is_other = features_.has(kStatFeature) || has_simpleperf_;
    if (!has_table || is_other || has_formats_ || features_.has(kTracingDataFeature)) return;
    if (!attrs_.tracepoint() || !are_all_records_known()) return;
    const uint64_t number = attrs_.tracepoint_number();
    if (features_.has(kEventDescFeature))
        state_.report.add<kTracepointWithoutFormat>(*attrs_.tracepoint(), {number});
    else
        state_.report.add_overridden<kTracepointWithoutFormat>(*attrs_.tracepoint(), {number});
}

void Walk::judge_images() {
    if (!features_.version() || !events_.maps_image()) return;
    const Release& release = *features_.version();
    for (const BadReleases& bad : kBadReleases)
        if (bad.first <= release && release <= bad.last)
            state_.report.add<kInjectedByBadRelease>(features_.version_place(), {release[0], release[1], release[2]});
}

void Walk::judge_samples() {
    judge_modes();
    const bool is_empty_stream = state_.is_pipe && index_ == 0;
    if (is_stream_cut_ || is_empty_stream || !is_data_in_file_ || compressed_.is_blind()) return;
    if (events_.samples() != 0 || has_trace_ || features_.has(kStatFeature)) return;
    const Place data{.offset = fixed_offset(kHeader, "data_offset", {}), .length = 16, .record = &kHeader};
    state_.report.add<kNoSamples>(state_.is_pipe ? Place{.offset = kPipeHeaderSize} : data, {index_});
}

// What the samples show about generated code, for the report and for the summary of the recording.
void Walk::judge_code() {
    if (attrs_.empty() || events_.samples() == 0) return;
    const bool is_known = !state_.context.limit_hit && !compressed_.is_blind();
    events_.code().finish(is_known);
    RecordingSummary& summary = state_.context.recording.emplace();
    summary.samples = events_.samples();
    summary.is_least = !is_known || is_stream_cut_;
    summary.clock = clock();
    for (size_t i = 0; i < attrs_.size(); ++i) summary.has_chains |= attrs_[i].has(kCallchainBit);
    events_.code().sum_up(summary);
}

// The clock of all events, if it is one.
RecordingSummary::Clock Walk::clock() const {
    using enum RecordingSummary::Clock;
    constexpr int32_t kMonotonic = 1;
    RecordingSummary::Clock of_all = unknown;
    for (size_t i = 0; i < attrs_.size(); ++i) {
        const Attr& attr = attrs_[i];
        const RecordingSummary::Clock own = !attr.uses_clockid           ? kernel
                                            : attr.clockid == kMonotonic ? monotonic
                                                                         : other;
        if (of_all != unknown && own != of_all) return several;
        of_all = own;
    }
    return of_all;
}

// For the checks between files.
void Walk::record_file_facts() {
    if (state_.context.facts == nullptr) return;
    Recording& facts = state_.context.facts->recording;
    facts.is_present = true;
    facts.is_blind = compressed_.is_blind();
    facts.sample_record = &kSample;
    facts.outer_record = &kCompressed;
    facts.pid_of_mapping = View<kMmap2>(nullptr, 0, state_.order, 0).place<"pid">();
    if (state_.is_pipe) facts.stream = View<kPipeHeader>(nullptr, 0, state_.order, kNone).place<"size">();
    if (compressed_.first()) facts.compressed = compressed_.first()->place(0, fixed_size(kPrefix));
    keep_whole();
}

// The facts recorded so far. The attributes determine the layout of all records, and no attribute is compressed.
// Without zstd, compressed records are as unread as damaged ones.
void Walk::keep_whole() {
    FactParts whole = kLimitedParts;
    if (!attrs_.is_complete())
        whole = 0;
    else if (state_.context.limit_hit && has_zstd())
        whole = kEventsPart;
    state_.context.facts->keep_whole(whole);
}

void Walk::finish_file() {
    const uint64_t size = window_.size();
    check_header(state_, header_, size);
    check_sections();
    judge_regions(size);
    attrs_.judge_time(features_.has(kStatFeature));
    check_compression_feature();
    judge_samples();
}

// Which sections exceed the file.
void Walk::check_sections() {
    are_sections_in_file_ = is_table_read_;
    if (!is_table_read_) return;
    for (const TableEntry& entry : table_) {
        if (entry.section.end() <= window_.size()) continue;
        are_sections_in_file_ = false;
        state_.report.add({.rule = &kFeatureExceedsFile,
                           .place = {.offset = entry.at, .length = kEntrySize, .record = &kFeatureEntry},
                           .numbers = {entry.section.offset, entry.section.size, entry.feature},
                           .text = feature_name(entry.feature)});
    }
}

// Which regions overlap (section 5.2), and what follows the last one.
void Walk::judge_regions(uint64_t file_size) {
    HeaderRegions first = header_regions(file_size);
    first.judge(state_, true);
    for (const Region& region : first.all()) regions_.add(region);
    if (is_table_read_ && !table_.empty()) {
        const uint64_t start = header_.data.end();
        const uint64_t pointer = fixed_offset(kHeader, "features_0", {});
        regions_.add({start, start + table_size(), pointer, 0, Region::Kind::feature_table});
        for (const TableEntry& entry : table_)
            if (entry.section.end() <= file_size)
                regions_.add(
                    {entry.section.offset, entry.section.end(), entry.at, entry.feature, Region::Kind::feature});
    }
    if (!regions_.is_complete() || !attrs_.is_complete()) return;
    regions_.judge();
    const bool is_end_known = is_data_in_file_ && header_.data.size != 0 && are_sections_in_file_;
    if (is_end_known && file_size > regions_.end())
        state_.report.add<kFileTrailingBytes>({.offset = regions_.end(), .length = file_size - regions_.end()},
                                              {file_size - regions_.end()});
}

// Asked at the first compressed record of a pipe, and at the end of a file.
void Walk::check_compression_feature() {
    const std::optional<RecordInFile>& first = compressed_.first();
    if (!first || is_first_compression_broken_) return;
    if (features_.unusable_compression())
        return state_.report.add<kCompressedFeatureRule>(*features_.unusable_compression());
    const bool is_known =
        header_.size == kFileHeaderSize && header_.data.size != 0 && is_data_in_file_ && are_sections_in_file_;
    if (!state_.is_pipe && is_known && !features_.has(kCompressedFeature))
        state_.report.add<kCompressedFeatureRule>(first->place(0, fixed_size(kPrefix)));
}

constinit const RuleList kEndRules =
    rules<&kFeatureReservedBit, &kFeatureExceedsFile, &kCompressedFeatureRule, &kNoEvents, &kStreamNoAttr, &kNoSamples,
          &kNoUserSamples, &kTracepointWithoutFormat, &kInjectedByBadRelease, &kFileTrailingBytes>;

}  // namespace tracelint::perfdata
