// The model of log files: sessions of a program under the profiler. Whatever is used has been loaded, calls nest,
// collections and heapshots follow their protocol, and counters are described before they are sampled.
#include "grammars/mlpd/generator/model.hpp"

#include "grammars/mlpd/generator/model_activities.hpp"
#include "validator/generator/edit.hpp"

namespace tracelint::mlpd {
namespace {

struct Release {
    uint16_t data;
    uint8_t major, minor;
};
// Known pairs of data version and profiler version; current ones are repeated to be drawn more often.
constexpr Release kReleases[] = {
    {1, 0, 1},  {1, 0, 2},  {2, 0, 2},  {3, 0, 2},  {4, 0, 4},  {5, 0, 4},  {6, 0, 4},  {7, 0, 4},  {8, 0, 4},
    {9, 0, 4},  {10, 0, 4}, {11, 0, 4}, {12, 0, 4}, {13, 0, 4}, {13, 1, 0}, {13, 1, 1}, {14, 2, 0}, {15, 2, 0},
    {16, 3, 0}, {16, 3, 0}, {17, 3, 0}, {17, 3, 0}, {17, 3, 0}, {17, 3, 0}, {17, 3, 0},
};
constexpr Base kBases[] = {kPointerBase, kObjectBase, kMethodBase};
constexpr uint64_t kMostActivities = 12;  // in a buffer

class SessionModel final : public PlannedModel {
  public:
    explicit SessionModel(Random& random)
        : PlannedModel(random),
          release_(pick_of(random, kReleases)),
          word_size_(one_in(random, 3) ? 4 : 8),
          plan_(random, waiting_, release_.data, word_size_),
          program_(plan_) {
        layout_.word_size = word_size_;
        layout_.version = header_layout(release_.major, release_.minor);
    }

    void written(RecordValues& record) override {
        layout_ = layout_after(record);
        layout_.version = release_.data;
        if (record.record != &kBuffer) return;
        for (const Base& base : kBases) layout_.bases[base.number] = record.number(base.name);
    }

    void finished(FileRecords& file) override { update_buffers(file); }

  private:
    void plan(uint64_t written, uint64_t wanted) override {
        if (written == 0) return plan_header();
        if (!std::exchange(has_begun_, true)) return program_.begin();
        if (written < wanted) return program_.go_on(between(random_, 1, kMostActivities));
        if (!std::exchange(has_ended_, true)) program_.end();
    }

    void plan_header() {
        PlannedRecord& header =
            plan_.add(kHeader)
                .with("major", release_.major)
                .with("minor", release_.minor)
                .with("format", release_.data)
                .with("ptrsize", word_size_)
                .with("timer_overhead", between(random_, 15, 25))
                .with("startup_time", one_in(random_, 8) ? 0 : 1'700'000'000'000 + below(random_, 1000));
        constexpr std::pair<std::string_view, std::string_view> kTexts[] = {
            {"args", "prog.exe --all"}, {"arch", "x86-64"}, {"os", "linux"}};
        for (const auto& [field, text] : kTexts) {
            const std::string chosen(one_in(random_, 4) ? "" : text);
            header.text(field, chosen).size(field, chosen.size() + 1);
        }
    }

    Release release_;
    uint8_t word_size_;
    SessionPlan plan_;
    Program program_;
    bool has_begun_ = false;
    bool has_ended_ = false;
};

}  // namespace

std::unique_ptr<Model> make_model(Random& random, const ModelOptions&) {
    return std::make_unique<SessionModel>(random);
}

void update_buffers(FileRecords& file) {
    RecordValues* buffer = nullptr;
    Layout layout;
    for (RecordValues& record : file) {
        if (record.record == &kHeader) {
            buffer = nullptr;
        } else if (record.record == &kBuffer) {
            buffer = &record;
            buffer->set("len", 0);
            for (const Base& base : kBases) layout.bases[base.number] = record.number(base.name);
        } else if (buffer != nullptr) {
            record.layout.bases = layout.bases;
            layout = layout_after(record);
            buffer->set("len", buffer->number("len") + bytes_of(record).size());
        }
    }
}

}  // namespace tracelint::mlpd
