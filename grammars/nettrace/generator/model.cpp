// nettrace: the model of a session.
#include "grammars/nettrace/generator/model.hpp"

#include "grammars/formats.hpp"
#include "grammars/generators.hpp"
#include "grammars/nettrace/generator/faults.hpp"
#include "grammars/nettrace/generator/session_plan.hpp"
#include "grammars/nettrace/nettrace.hpp"
#include "validator/generator/edit.hpp"

namespace tracelint {
namespace nettrace {
namespace {

struct Release {
    uint16_t version;
    bool has_tags;
};
constexpr Release kReleases[] = {{1, false}, {2, false}, {3, false}, {4, false},
                                 {4, false}, {4, true},  {6, false}, {6, false}};

class SessionModel final : public PlannedModel {
  public:
    SessionModel(Random& random, const Release& release)
        : PlannedModel(random), plan_(random, waiting_, release.version, release.has_tags) {
        layout_.version = release.version;
    }

    void finished(FileRecords& file) override { update_blocks(file); }
    bool changes_finished() const override { return true; }

  private:
    void plan(uint64_t written, uint64_t wanted) override {
        if (written == 0) {
            plan_.begin();
            plan_.flush();
            return;
        }
        if (written < wanted) return plan_.flush();
        if (!std::exchange(has_ended_, true)) plan_.end();
    }

    SessionPlan plan_;
    bool has_ended_ = false;
};

constexpr const FaultList* kFaults[] = {&faults::kFileFaults, &faults::kBlockFaults, &faults::kEventFaults,
                                        &faults::kThreadFaults, &faults::kMetadataFaults};

// --- What follows from sizes and offsets

uint64_t size_of_record(const RecordValues& record) { return bytes_of(record).size(); }

bool is_old_header(const RecordValues& record) {
    return record.record == &kOldEvent || record.record == &kOldRowHeader;
}

// Sets the sizes that a record has of itself, and those of the payload record behind an event.
void update_record(FileRecords& file, size_t at) {
    RecordValues& record = file[at];
    if (record.record == &kThread || record.record == &kPlainMetadata) record.set("size", size_of_record(record) - 2);
    const bool has_part =
        at + 1 < file.size() && (file[at + 1].record == &kMetadata || file[at + 1].record == &kPayload);
    const uint64_t part = has_part ? size_of_record(file[at + 1]) : 0;
    if (record.record == &kRowHeader && has_part) record.set("payload_size", part);
    if (record.record == &kPlainEvent) record.set("event_size", size_of_record(record) - 4);
    if (!is_old_header(record)) return;
    record.set("payload_size", part);
    const size_t stack_at = at + (has_part ? 2 : 1);
    if (stack_at >= file.size() || file[stack_at].record != &kOldStack) return;
    RecordValues& stack = file[stack_at];
    Value* const padding = stack.find("padding");
    const bool is_padded = record.layout.version == kNetperf3;
    if (padding != nullptr) padding->text.clear();
    const uint64_t size = size_of_record(record) + part + size_of_record(stack);
    if (padding != nullptr && is_padded) padding->text.assign((0 - size) & 3, '\0');
    record.set("event_size", size - 4 + (padding != nullptr ? padding->text.size() : 0));
}

// The bytes of the records from `first` up to the end of the block.
uint64_t size_of_content(const FileRecords& file, size_t first) {
    uint64_t size = 0;
    for (size_t i = first; i < file.size(); ++i) {
        const Record* const record = file[i].record;
        if (record == &kObjectEnd || record == &kObject || record == &kPlainBlock || record == &kStreamEnd) break;
        size += size_of_record(file[i]);
    }
    return size;
}

}  // namespace

// In files of versions 1 and 2 the ids of events are those of rows, counted from 1, until they become offsets here.
void update_blocks(FileRecords& file) {
    if (file.empty()) return;
    for (size_t i = 0; i < file.size(); ++i) update_record(file, i);
    uint64_t offset = 0;
    std::vector<uint64_t> rows;
    const bool has_offsets = session_layout(file).version < kNetperf3;
    for (size_t i = 0; i < file.size(); ++i) {
        RecordValues& record = file[i];
        if (record.record == &kBlockStart) {
            record.set("size", size_of_content(file, i + 1));
            if (Value* const padding = record.find("padding")) padding->text.assign(padding_at(offset + 4), '\0');
        } else if (record.record == &kPlainBlock) {
            record.set("size", size_of_content(file, i + 1));
        } else if (is_old_header(record) && has_offsets) {
            const uint64_t id = record.number("metadata_id");
            if (id == 0) rows.push_back(offset);
            if (id != 0 && id <= rows.size()) record.set("metadata_id", rows[id - 1]);
        } else if (record.record == &kEndLabel) {
            record.set("label", offset);
            record.set("label_after_tag", offset + 1);
            record.set("label_after_labels", offset + 9);
        }
        offset += size_of_record(record);
    }
}

std::unique_ptr<Model> make_model(Random& random, const ModelOptions&) {
    return std::make_unique<SessionModel>(random, pick_of(random, kReleases));
}

}  // namespace nettrace

constinit const Generator kNettraceGenerator{
    .format = &kNettrace, .model = nettrace::make_model, .faults = nettrace::kFaults};

}  // namespace tracelint
