// toy: what ties the records of a valid file together (section 4). Every field that is not filled in here is drawn from
// its table.
#include "tests/toy/generator/model.hpp"

#include "tests/toy/formats.hpp"
#include "tests/toy/generators.hpp"
#include "tests/toy/records.hpp"

namespace tracelint::toy {

namespace {

constexpr uint64_t kMostSamples = 6;

class ToyModel final : public Model {
  public:
    ToyModel(Random& random, const ModelOptions& options) : random_(random) {
        const bool big = one_in(random_, 2);
        layout_.order = options.byte_order.value_or(big ? ByteOrder::big : ByteOrder::little);
        layout_.version = static_cast<uint16_t>(between(random_, kOldestVersion, kNewestVersion));
    }

    const Layout& layout() const override { return layout_; }

    // At the end every task that runs is finished, then CLOSE is written.
    const Record* next(uint64_t written, uint64_t wanted) override {
        if (written == 0) return &kHeader;
        if (is_closed_) return nullptr;
        if (written >= wanted) {
            acting_ = a_running_task();
            is_closed_ = acting_ == nullptr;
            return &either(is_closed_, kClose, kEvent);
        }
        if (tasks_.empty() || one_in(random_, 4)) return &kTask;
        acting_ = &pick_of(random_, tasks_);
        return &either(one_in(random_, 4), kCounters, kEvent);
    }

    void fill(Value& value, const RecordValues& record) override {
        const std::string_view field = value.leaf.field->name;
        if (field == "magic") value.leaf.number = kMagic;
        if (field == "version") value.leaf.number = layout_.version;
        if (field == "action") value.leaf.number = acting_->is_running ? kFinish : kStart;
        if (field == "time") value.leaf.number = time_ += below(random_, 1'000'000);
        if (field == "task") value.leaf.number = record.record == &kTask ? new_task() : acting_->id;
        if (field == "parent") value.leaf.number = an_earlier_task();
    }

    uint64_t size_of(const Field&, const RecordValues&) override { return below(random_, kMostSamples + 1); }

    void written(RecordValues& record) override {
        if (record.record == &kEvent) acting_->is_running = !acting_->is_running;
    }

  private:
    struct Task {
        uint64_t id;
        bool is_running = false;
    };

    Task* a_running_task() {
        const auto found = std::find_if(tasks_.begin(), tasks_.end(), [](const Task& task) { return task.is_running; });
        return found == tasks_.end() ? nullptr : &*found;
    }

    // Or 0 for none; the last task is the one that is written.
    uint64_t an_earlier_task() {
        return tasks_.size() == 1 || one_in(random_, 2) ? 0 : tasks_[below(random_, tasks_.size() - 1)].id;
    }

    uint64_t new_task() {
        last_id_ += between(random_, 1, 100);
        tasks_.push_back({last_id_});
        return last_id_;
    }

    Random& random_;
    Layout layout_;
    std::vector<Task> tasks_;
    Task* acting_ = nullptr;  // whose event is written
    uint64_t last_id_ = 0;
    uint64_t time_ = 0;
    bool is_closed_ = false;
};

}  // namespace

std::unique_ptr<Model> make_model(Random& random, const ModelOptions& options) {
    return std::make_unique<ToyModel>(random, options);
}

}  // namespace tracelint::toy

namespace tracelint {

// Toy trace: the generator, as the engine sees it.

namespace toy {
namespace {

constexpr const FaultList* kFaults[] = {&kFramingFaults, &kTaskFaults};

}  // namespace
}  // namespace toy

constinit const Generator kToyGenerator{.format = &kToy, .model = toy::make_model, .faults = toy::kFaults};

}  // namespace tracelint
