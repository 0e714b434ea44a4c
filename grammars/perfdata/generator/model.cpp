// perf.data: the model of a recording. One to three events, the records that perf synthesizes, blocks of records in the
// order of their times, and the features of the recording; as a file or as a stream (sections 3 and 10).
#include "grammars/perfdata/generator/model.hpp"

#include "grammars/formats.hpp"
#include "grammars/generators.hpp"
#include "grammars/perfdata/generator/edit_recording.hpp"
#include "grammars/perfdata/perfdata.hpp"
#include "validator/generator/planned_record.hpp"

namespace tracelint::perfdata {

namespace {

constexpr uint16_t kUserMode = 2;
constexpr uint64_t kTextUnit = 64;  // strings of features are padded to a multiple of it
constexpr uint64_t kCpuTopologyFeature = 13, kNumaTopologyFeature = 14, kPmuMappingsFeature = 16;
constexpr uint64_t kMonotonic = 1;  // CLOCK_MONOTONIC
constexpr uint64_t kDataMappingMisc = 1 << 13;

// Which features a file may have, but those that depend on others.
constexpr uint64_t kPlainFeatures[] = {kHostnameFeature,    kOsReleaseFeature,    kVersionFeature,    kArchFeature,
                                       kNrCpusFeature,      kCpuDescFeature,      kCpuIdFeature,      kTotalMemFeature,
                                       kCmdlineFeature,     kSampleTimeFeature,   kClockIdFeature,    kBuildIdFeature,
                                       kCpuTopologyFeature, kNumaTopologyFeature, kPmuMappingsFeature};

class RecordingModel final : public Model {
  public:
    RecordingModel(Random& random, const ModelOptions& options) : random_(random) {
        const bool is_little = one_in(random, 2);
        layout_.order = options.byte_order.value_or(is_little ? ByteOrder::little : ByteOrder::big);
        is_pipe_ = one_in(random, 3);
        is_old_ = !is_pipe_ && one_in(random, 10);
        is_compressed_ = !is_old_ && one_in(random, 3);
        is_legacy_ = !is_pipe_ && !is_compressed_ && one_in(random, 4);
        time_ = between(random, 1'000'000, uint64_t{1} << 50);
        pid_ = between(random, 1, 30'000);
        draw_events();
    }

    const Layout& layout() const override { return layout_; }
    const Record* next(uint64_t written, uint64_t wanted) override;
    void fill(Value& value, const RecordValues&) override { current_->record.fill(value); }
    uint64_t size_of(const Field& field, const RecordValues&) override { return current_->record.size_of(field); }
    void finished(FileRecords& file) override { fit(file); }
    bool changes_finished() const override { return true; }

  private:
    struct Step {
        PlannedRecord record;
        uint16_t version;  // of the layout
    };

    void add(PlannedRecord record, uint16_t version = 0) { waiting_.push_back({std::move(record), version}); }
    PlannedRecord typed(const Record& record, uint64_t misc = 0) const {
        return PlannedRecord(record, {{"type", record.tag}, {"misc", misc}});
    }

    void draw_events();
    void plan_opening();
    void plan_attribute(const Event& event);
    void plan_synthesized();
    void plan_block();
    void plan_plain();
    void plan_kernel_record(const Event& event, const Moment& moment);
    void plan_rare_record(const Event& event, const Moment& moment);
    void plan_compressed();
    void plan_features();
    void plan_section(uint64_t feature);
    std::string plain_record(const Event& event, const Moment& moment);
    std::string section_of_stream(uint64_t feature);
    std::string padded(const Record& record, std::string_view text, const Event& event, const Moment& moment) const;
    std::string name();
    Moment draw_moment(const Event& event);
    std::vector<uint64_t> draw_features();
    std::string text_of_feature();
    std::string topology_of_feature(uint64_t feature);

    Random& random_;
    Layout layout_;
    bool is_pipe_ = false;
    bool is_old_ = false;     // with a header of 72 bytes
    bool is_legacy_ = false;  // of version 1
    bool is_compressed_ = false;
    bool is_ended_ = false;
    uint64_t time_ = 0, pid_ = 0, first_time_ = 0;
    std::vector<Event> events_;
    std::vector<uint64_t> features_;
    StoredStream stream_;
    std::deque<Step> waiting_;
    std::optional<Step> current_;
};

const Record* RecordingModel::next(uint64_t written, uint64_t wanted) {
    if (waiting_.empty() && !is_ended_) {
        if (written == 0) {
            plan_opening();
        } else if (written < wanted) {
            plan_block();
        } else {
            plan_features();
            is_ended_ = true;
        }
    }
    if (waiting_.empty()) return nullptr;
    current_ = std::move(waiting_.front());
    waiting_.pop_front();
    layout_.version = current_->version;
    return &current_->record.record();
}

// ---- events
// ----------------------------------------------------------------------------------------------------------

void RecordingModel::draw_events() {
    Event event;
    event.version = static_cast<uint16_t>(below(random_, std::size(kAttrSizes)));
    if (is_legacy_) event.version = attr_version(one_in(random_, 2) ? 64 : 72);
    event.has_trailers = !one_in(random_, 5);
    event.uses_clockid = event.version >= 3 && one_in(random_, 2);
    event.sample_type = uint64_t{1} << kIpBit | uint64_t{1} << kTidBit | uint64_t{1} << kTimeBit;
    const uint64_t others = one_in(random_, 3) ? random_() : random_() & random_() & random_();
    event.sample_type |= others & ((uint64_t{1} << (kWeightStructBit + 1)) - 1);
    if (event.has(kWeightBit)) event.sample_type &= ~(uint64_t{1} << kWeightStructBit);  // one of them takes the place
    // perf 6.1 unwinds a user stack with the registers of the sample, and crashes where both are random bytes.
    if (event.has(kRegsUserBit)) event.sample_type &= ~(uint64_t{1} << kStackUserBit);
    event.read_format = below(random_, 32);
    if (event.has(kReadBit)) event.read_format |= 4;
    if (event.version >= 2) event.branch_sample_type = one_in(random_, 2) ? 0 : random_() & 0xaffff;
    if (event.version >= 3) event.regs_user = random_() & 0xff0fff;
    if (event.version >= 4) event.regs_intr = random_() & 0xff0fff;

    const uint64_t count = between(random_, 1, 3);
    const bool has_identifier = one_in(random_, 2);
    if (count > 1) event.sample_type |= uint64_t{1} << (has_identifier ? kIdentifierBit : kIdBit);
    uint64_t id = between(random_, 1, 1000);
    const uint64_t cpus = between(random_, 1, 3);
    for (uint64_t i = 0; i < count; ++i) {
        event.ids.clear();
        for (uint64_t cpu = 0; cpu < cpus; ++cpu) event.ids.push_back(id++);
        // With IDENTIFIER, the rest may differ.
        if (i > 0 && event.has(kIdentifierBit) && one_in(random_, 2)) event.sample_type ^= uint64_t{1} << kPeriodBit;
        events_.push_back(event);
    }
}

Moment RecordingModel::draw_moment(const Event& event) {
    time_ += below(random_, 5000);
    if (first_time_ == 0) first_time_ = time_;
    Moment moment{.pid = pid_, .tid = pid_, .time = time_};
    if (one_in(random_, 3)) moment.tid += between(random_, 1, 5);
    moment.cpu = below(random_, event.ids.size());
    moment.id = event.ids[moment.cpu];
    return moment;
}

void RecordingModel::plan_attribute(const Event& event) {
    const uint64_t size = kAttrSizes[event.version];
    // perf 6.1 does not swap a big-endian attribute without a size. Both byte orders draw the same numbers.
    const bool leaves_out_size = size == 64 && one_in(random_, 2);
    PlannedRecord attr = is_pipe_ ? typed(kHeaderAttr) : PlannedRecord(kAttr);
    attr.with("attr_type", 1)
        .with("attr_size", leaves_out_size && layout_.order == ByteOrder::little ? 0 : size)
        .with("config", 0)
        .with("sample_period", between(random_, 1, 100'000))
        .with("sample_type", event.sample_type)
        .with("read_format", event.read_format)
        .with("flags", 0)
        .with("sample_id_all", event.has_trailers ? 1 : 0)
        .with("more_flags", 0)
        .with("use_clockid", event.uses_clockid ? 1 : 0)
        .with("later_flags", 0)
        .with("reserved", 0)
        .with("branch_sample_type", event.branch_sample_type)
        .with("sample_regs_user", event.regs_user)
        .with("clockid", event.uses_clockid ? kMonotonic : 0)
        .with("sample_regs_intr", event.regs_intr);
    Encoder rest(layout_.order);
    if (is_pipe_) {
        if (event.version >= 4) rest.number(event.regs_intr);
        if (event.version >= 3) rest.bytes(std::string(size - 96 - rest.text().size(), '\0'));
        for (const uint64_t id : event.ids) rest.number(id);
        add(attr.bytes("rest", rest.text()), event.version);
    } else {
        add(attr.bytes("rest", std::string(size > 104 ? size - 104 : 0, '\0')), event.version);
        add(PlannedRecord(kIdsSection, {{"offset", 0}, {"size", 8 * event.ids.size()}}));
    }
}

void RecordingModel::plan_opening() {
    if (is_pipe_) {
        add(PlannedRecord(kPipeHeader));
    } else {
        PlannedRecord header(either(is_old_, kOldHeader, kHeader));
        header.with("event_types_offset", 0).with("event_types_size", 0);
        header.with("attr_size", kAttrSizes[events_[0].version] + fixed_size(kIdsSection));
        features_ = is_old_ ? std::vector<uint64_t>{} : draw_features();
        for (uint64_t word = 0; word < 4; ++word) {
            uint64_t bits = 0;
            for (const uint64_t feature : features_)
                if (feature / 64 == word) bits |= uint64_t{1} << feature % 64;
            static constexpr std::string_view kWords[] = {"features_0", "features_1", "features_2", "features_3"};
            header.with(kWords[word], bits);
        }
        if (is_legacy_) header.bytes("magic", "PERFFILE");
        add(header, is_legacy_ ? kEarlier : kCurrent);
        PlannedRecord ids(kIds);
        uint64_t count = 0;
        for (const Event& event : events_)
            for (const uint64_t id : event.ids) ids.with("id", id, count++);
        add(ids.size("ids", count));
    }
    for (const Event& event : events_) plan_attribute(event);
    if (is_pipe_) {
        features_ = draw_features();
        for (const uint64_t feature : features_)
            add(typed(kHeaderFeature).with("feat_id", feature).bytes("section", section_of_stream(feature)));
    }
    plan_synthesized();
}

// ---- records
// ---------------------------------------------------------------------------------------------------------

// Zeros up to a multiple of 8, then the trailer.
std::string RecordingModel::padded(const Record& record, std::string_view text, const Event& event,
                                   const Moment& moment) const {
    const uint64_t size = minimum_size(record) + text.size();
    return std::string((8 - size % 8) % 8, '\0') + trailer(event, moment, layout_.order);
}

std::string RecordingModel::name() {
    static constexpr std::string_view kNames[] = {"/usr/bin/dash",      "//anon", "[vdso]",
                                                  "/usr/lib/libc.so.6", "node",   "r"};
    return std::string(pick_of(random_, kNames));
}

// What perf writes before the first block, but HEADER_TRACING_DATA: perf 6.1 crashes on one without the formats of a
// whole kernel.
void RecordingModel::plan_synthesized() {
    const Event& event = events_[0];
    uint64_t count = 0;
    PlannedRecord index = typed(kIdIndex);
    for (const Event& each : events_)
        for (const uint64_t id : each.ids)
            index.with("id", id, count).with("idx", count, count).with("cpu", 0, count).with("tid", pid_, count),
                ++count;
    if (one_in(random_, 2)) add(index.with("nr", count).size("entries", count));
    if (one_in(random_, 2)) add(typed(kThreadMap).with("nr", 1).size("entries", 1).with("pid", pid_, 0));
    if (one_in(random_, 2)) {
        Encoder map(layout_.order);
        map.number(2, 2).number(0, 2).number(1, 2);
        add(typed(kCpuMap).with("map_type", 0).bytes("map", map.text()));
    }
    if (one_in(random_, 3)) {
        Encoder rest(layout_.order);
        const bool is_long = one_in(random_, 2);
        if (is_long) rest.number(0).number(kNone).number(1, 1).number(1, 1).align();
        add(typed(kTimeConv)
                .with("time_shift", below(random_, 33))
                .with("time_mult", between(random_, 1, 1 << 30))
                .with("time_zero", random_() >> 20)
                .bytes("rest", rest.text()));
    }
    const Moment none{.pid = pid_, .tid = pid_};
    const std::string text = name();
    if (is_pipe_ && one_in(random_, 4)) {
        Encoder type_name(layout_.order);
        type_name.bytes(text).align();
        add(typed(kHeaderEventType).bytes("name", type_name.text()));
    }
    add(typed(kComm)
            .with("pid", pid_)
            .with("tid", pid_)
            .text("comm", text)
            .bytes("sample_id", padded(kComm, text, event, none)));
    add(typed(kFinishedInit));
}

void RecordingModel::plan_block() {
    if (is_compressed_)
        plan_compressed();
    else
        plan_plain();
    if (!one_in(random_, 4)) add(typed(kFinishedRound));
}

void RecordingModel::plan_plain() {
    for (uint64_t left = between(random_, 1, 12); left > 0; --left) {
        const Event& event = pick_of(random_, events_);
        const Moment moment = draw_moment(event);
        if (one_in(random_, 3))
            plan_kernel_record(event, moment);
        else
            add(typed(kSample, kUserMode).bytes("fields", sample_fields(random_, event, moment, layout_.order)));
    }
}

void RecordingModel::plan_kernel_record(const Event& event, const Moment& moment) {
    const std::string end = trailer(event, moment, layout_.order), text = name();
    const uint64_t start = between(random_, 0x1000, uint64_t{1} << 47);
    switch (below(random_, 6)) {
        case 0:
            return add(typed(kMmap, kUserMode | (one_in(random_, 3) ? kDataMappingMisc : 0))
                           .with("pid", moment.pid)
                           .with("tid", moment.tid)
                           .with("start", start)
                           .with("len", 0x1000)
                           .with("pgoff", 0)
                           .text("filename", text)
                           .bytes("sample_id", padded(kMmap, text, event, moment)));
        case 1: {
            const bool has_build_id = one_in(random_, 3);
            return add(typed(kMmap2, kUserMode | (has_build_id ? kMappedWithBuildId : 0))
                           .with("pid", moment.pid)
                           .with("tid", moment.tid)
                           .with("start", start)
                           .with("len", 0x2000)
                           .with("pgoff", 0)
                           .with("maj", has_build_id ? 20 : 8)
                           .with("prot", 5)
                           .with("flags", 2)
                           .text("filename", text)
                           .bytes("sample_id", padded(kMmap2, text, event, moment)));
        }
        case 2:
            return add(typed(kComm, one_in(random_, 2) ? kDataMappingMisc : 0)
                           .with("pid", moment.pid)
                           .with("tid", moment.tid)
                           .text("comm", text)
                           .bytes("sample_id", padded(kComm, text, event, moment)));
        case 3:
        case 4:
            return add(typed(one_in(random_, 2) ? kFork : kExit)
                           .with("pid", moment.pid)
                           .with("tid", moment.tid)
                           .with("time", moment.time)
                           .bytes("sample_id", end));
        default: return plan_rare_record(event, moment);
    }
}

void RecordingModel::plan_rare_record(const Event& event, const Moment& moment) {
    const std::string end = trailer(event, moment, layout_.order), text = name();
    const auto owned = [&](const Record& record) {
        return typed(record).with("pid", moment.pid).with("tid", moment.tid).bytes("sample_id", end);
    };
    switch (below(random_, 11)) {
        case 0: return add(typed(kLost).with("id", moment.id).with("lost", 0).bytes("sample_id", end));
        case 1: return add(typed(kLostSamples).with("lost", 0).bytes("sample_id", end));
        case 2:
            return add(typed(one_in(random_, 2) ? kThrottle : kUnthrottle)
                           .with("time", moment.time)
                           .with("id", moment.id)
                           .bytes("sample_id", end));
        case 3: return add(typed(either(one_in(random_, 2), kSwitch, kSwitchCpuWide)).bytes("sample_id", end));
        case 4: {
            const uint64_t count = below(random_, 8);
            return add(owned(kNamespaces).with("nr", count).size("namespaces", count));
        }
        case 5:
            return add(typed(kKsymbol).text("name", text).bytes("sample_id", padded(kKsymbol, text, event, moment)));
        case 6: return add(typed(kBpfEvent).bytes("sample_id", end));
        case 7: return add(typed(kCgroup).text("path", text).bytes("sample_id", padded(kCgroup, text, event, moment)));
        case 8: return add(owned(kItraceStart));
        case 9: {
            const uint64_t before = below(random_, 5), after = below(random_, 5);
            Encoder code(layout_.order);
            code.number(0, 4).bytes(random_bytes(random_, before + after)).align();  // the fields before take 20 bytes
            return add(typed(kTextPoke)
                           .with("old_len", before)
                           .with("new_len", after)
                           .bytes("bytes", code.text().substr(4) + end));
        }
        default: {
            const uint64_t count = below(random_, 5);
            return add(typed(kCallchainDeferred).with("nr", count).size("ips", count).bytes("sample_id", end));
        }
    }
}

// ---- compressed records
// ----------------------------------------------------------------------------------------------

// A SAMPLE, or a COMM with a name of 7 bytes.
std::string RecordingModel::plain_record(const Event& event, const Moment& moment) {
    Encoder body(layout_.order);
    const bool is_sample = !one_in(random_, 4);
    if (is_sample)
        body.bytes(sample_fields(random_, event, moment, layout_.order));
    else
        body.number(moment.pid, 4)
            .number(moment.tid, 4)
            .bytes(std::string_view("process\0", 8))
            .bytes(trailer(event, moment, layout_.order));
    Encoder record(layout_.order);
    record.number(is_sample ? kSampleType : kCommType, 4).number(is_sample ? kUserMode : 0, 2);
    return record.number(fixed_size(kPrefix) + body.text().size(), 2).bytes(body.text()).text();
}

void RecordingModel::plan_compressed() {
    std::string plain;
    for (uint64_t left = between(random_, 1, 12); left > 0; --left) {
        const Event& event = pick_of(random_, events_);
        const Moment moment = draw_moment(event);
        plain += plain_record(event, moment);
    }
    for (const std::string& payload : stream_.payloads(random_, plain)) {
        if (one_in(random_, 4)) {
            const std::string padding((8 - payload.size() % 8) % 8, '\0');
            add(typed(kCompressed2).with("data_size", payload.size()).bytes("payload", payload + padding));
        } else {
            add(typed(kCompressed).bytes("payload", payload));
        }
    }
}

// ---- features
// --------------------------------------------------------------------------------------------------------

std::vector<uint64_t> RecordingModel::draw_features() {
    std::vector<uint64_t> features;
    for (const uint64_t feature : kPlainFeatures)
        if (!one_in(random_, 3)) features.push_back(feature);
    // In a stream, the attributes are before the features, and perf writes the same description.
    if (!is_pipe_ && one_in(random_, 2)) features.push_back(kEventDescFeature);
    if (is_compressed_) features.push_back(kCompressedFeature);
    if (events_[0].uses_clockid && one_in(random_, 2)) features.push_back(kClockDataFeature);
    if (!is_pipe_ && one_in(random_, 6)) features.push_back(130);  // of simpleperf, which writes no streams
    std::sort(features.begin(), features.end());
    return features;
}

void RecordingModel::plan_features() {
    if (is_pipe_) return;
    for (size_t i = 0; i < features_.size(); ++i) add(PlannedRecord(kFeatureEntry, {{"offset", 0}, {"size", 0}}));
    for (const uint64_t feature : features_) plan_section(feature);
}

// A length, and a string with its NUL, padded to a unit.
std::string RecordingModel::text_of_feature() {
    std::string text = name();
    text.resize((text.size() / kTextUnit + 1) * kTextUnit, '\0');
    return text;
}

void RecordingModel::plan_section(uint64_t feature) {
    switch (feature) {
        case kHostnameFeature:
        case kOsReleaseFeature:
        case kVersionFeature:
        case kArchFeature:
        case kCpuDescFeature:
        case kCpuIdFeature: return add(PlannedRecord(kTextFeature).bytes("text", text_of_feature()));
        case kNrCpusFeature: return add(PlannedRecord(kNrCpus, {{"available", 4}, {"online", 2}}));
        case kTotalMemFeature: return add(PlannedRecord(kTotalMem));
        case kCmdlineFeature: {
            const uint64_t count = between(random_, 1, 3);
            PlannedRecord section(kCmdline);
            for (uint64_t i = 0; i < count; ++i) {
                std::string text = text_of_feature();
                text.pop_back();
                section.text("text", text, i);
            }
            return add(section.with("nr", count).size("arguments", count));
        }
        case kEventDescFeature: return add(PlannedRecord(kEventDesc, {{"nr", events_.size()}}));
        case kBuildIdFeature:
            for (uint64_t left = between(random_, 1, 3); left > 0; --left) {
                const std::string text = name();
                add(PlannedRecord(
                        kBuildIdEntry,
                        {{"type", kHeaderBuildIdType}, {"misc", kUserMode}, {"pid", pid_}, {"build_id_size", 20}})
                        .text("filename", text)
                        .bytes("padding",
                               std::string((8 - (minimum_size(kBuildIdEntry) + text.size()) % 8) % 8, '\0')));
            }
            return;
        case kSampleTimeFeature: return add(PlannedRecord(kSampleTime, {{"first", first_time_}, {"last", time_}}));
        case kClockIdFeature: return add(PlannedRecord(kClockResolution, {{"resolution", 1}}));
        case kCompressedFeature:
            return add(PlannedRecord(
                kCompression, {{"version", 0}, {"algorithm", 1}, {"level", 1}, {"ratio", 1}, {"mmap_len", 528'384}}));
        case kClockDataFeature: return add(PlannedRecord(kClockData, {{"version", 1}, {"clockid", kMonotonic}}));
        default: return add(PlannedRecord(kOtherSection).bytes("data", topology_of_feature(feature)));
    }
}

// The same as the content of a HEADER_FEATURE record.
std::string RecordingModel::section_of_stream(uint64_t feature) {
    Encoder to(layout_.order);
    const auto put_text = [&] {
        const std::string text = text_of_feature();
        to.number(text.size(), 4).bytes(text);
    };
    switch (feature) {
        case kHostnameFeature:
        case kOsReleaseFeature:
        case kVersionFeature:
        case kArchFeature:
        case kCpuDescFeature:
        case kCpuIdFeature: put_text(); break;
        case kNrCpusFeature: to.number(4, 4).number(2, 4); break;
        case kTotalMemFeature:
        case kClockIdFeature: to.number(1 + below(random_, 1000)); break;
        case kCmdlineFeature: to.number(1, 4), put_text(); break;
        case kBuildIdFeature: {
            const std::string text = name() + '\0';
            Encoder entry(layout_.order);
            entry.number(pid_, 4).bytes(random_bytes(random_, 20)).number(20, 1).number(0, 3).bytes(text).align();
            to.number(kHeaderBuildIdType, 4)
                .number(kUserMode, 2)
                .number(8 + entry.text().size(), 2)
                .bytes(entry.text());
            break;
        }
        case kSampleTimeFeature: to.number(1).number(2); break;
        case kCompressedFeature: to.number(0, 4).number(1, 4).number(1, 4).number(1, 4).number(528'384, 4); break;
        case kClockDataFeature: to.number(1, 4).number(kMonotonic, 4).number(1).number(2); break;
        default: to.bytes(topology_of_feature(feature));
    }
    return to.text();
}

// The sections that are not judged, but which perf reads.
std::string RecordingModel::topology_of_feature(uint64_t feature) {
    Encoder to(layout_.order);
    const auto put_text = [&](std::string text) {
        text.resize(kTextUnit, '\0');
        to.number(text.size(), 4).bytes(text);
    };
    switch (feature) {
        case kCpuTopologyFeature:  // siblings of cores, then of threads
            to.number(1, 4), put_text("0-1");
            to.number(2, 4), put_text("0"), put_text("1");
            break;
        case kNumaTopologyFeature:
            to.number(1, 4).number(0, 4).number(8 << 20).number(random_() >> 44), put_text("0-1");
            break;
        case kPmuMappingsFeature: to.number(1, 4).number(1, 4), put_text("software"); break;
        default: to.bytes(random_bytes(random_, 8 * below(random_, 4) + 8));
    }
    return to.text();
}

}  // namespace

std::unique_ptr<Model> make_model(Random& random, const ModelOptions& options) {
    return std::make_unique<RecordingModel>(random, options);
}

}  // namespace tracelint::perfdata

namespace tracelint {

// perf.data: the generator, as the engine sees it.

namespace perfdata {
namespace {

constexpr const FaultList* kFaultLists[] = {&kHeaderFaults, &kAttributeFaults, &kFeatureFaults,
                                            &kRecordFaults, &kSampleFaults,    &kCompressionFaults};

}  // namespace
}  // namespace perfdata

constinit const Generator kPerfdataGenerator{
    .format = &kPerfdata, .model = perfdata::make_model, .faults = perfdata::kFaultLists};

}  // namespace tracelint
