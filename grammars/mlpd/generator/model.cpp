// mlpd: the model of a session, buffer by buffer.
#include "grammars/mlpd/generator/model.hpp"

#include "grammars/formats.hpp"
#include "grammars/generators.hpp"
#include "grammars/mlpd/generator/faults.hpp"
#include "validator/generator/edit.hpp"

namespace tracelint::mlpd {

// Plans buffers and events.

namespace {

constexpr uint64_t kObjects = 200;  // addresses that objects are drawn from

}  // namespace

SessionPlan::SessionPlan(Random& random, PlannedRecords& records, uint16_t version, uint8_t word_size)
    : random_(random), records_(records), version_(version) {
    lowest_pointer_ = word_size == 4 ? pick<uint64_t>(random, {0x08000000, 0xf7000000}) : 0x7f3a'0000'1000;
    lowest_object_ = word_size == 4 ? pick<uint64_t>(random, {0x20000000, 0x7ffffc00}) : 0x7f51'2000'0000;
}

PlannedRecord& SessionPlan::add(const Record& record) { return records_.emplace_back(record); }

void SessionPlan::open_buffer(uint64_t thread, uint64_t pointer, uint64_t object, uint64_t method) {
    clock_ += below(random_, 100'000);
    // A base is 0 if nothing in the buffer is relative to it.
    const auto or_none = [&](uint64_t base) { return one_in(random_, 8) ? 0 : base; };
    add(kBuffer)
        .with("time_base", clock_)
        .with("ptr_base", or_none(pointer))
        .with("obj_base", or_none(object >> 3))
        .with("thread_id", thread)
        .with("method_base", or_none(method));
}

PlannedRecord& SessionPlan::event(const Record& record) {
    const uint64_t passed = one_in(random_, 10) ? below(random_, 100'000'000) : below(random_, 3000);
    clock_ += passed;
    return add(record).with("time", passed);
}

PlannedRecord& SessionPlan::event(const Record& record, uint64_t op) { return event(record).with("op", op); }

void SessionPlan::make_earlier(PlannedRecord& event) {
    if (one_in(random_, 6)) event.with("time", uint64_t{0} - between(random_, 1, 1000));
}

uint64_t SessionPlan::new_pointer() { return lowest_pointer_ + 16 * ++pointers_; }

uint64_t SessionPlan::object() { return lowest_object_ + 8 * between(random_, 1, kObjects); }

// Metadata, calls, allocations, exceptions and monitors.

namespace {

constexpr uint64_t kName = 0x02, kLoad = 0x22, kUnload = 0x42;  // op bytes of metadata
constexpr uint64_t kDeepest = 20;                               // open calls of a thread
constexpr std::string_view kGuid = "3F2504E0-4F89-41D3-9A0C-0305E82C3301";

}  // namespace

// An activity is left out in versions that do not have its record.
const Program::Activity Program::kActivities[] = {
    {&kEnter, &Program::call},
    {&kEnter, &Program::call},
    {&kEnter, &Program::call},
    {&kLeave, &Program::leave},
    {&kLeave, &Program::leave},
    {&kAlloc, &Program::allocate},
    {&kAlloc, &Program::allocate},
    {&kJit, &Program::compile},
    {&kClass, &Program::load_class},
    {&kDomain, &Program::use_a_domain},
    {&kAssembly, &Program::use_an_assembly},
    {&kThread, &Program::name_thread},
    {&kThrow, &Program::throw_exception},
    {&kThrow, &Program::wait_for_monitor},
    {&kGcEvent, &Program::collect},
    {&kHeapStart, &Program::take_heapshot},
    {&kGcMove, &Program::move_objects},
    {&kGcResize, &Program::resize_heap},
    {&kHeapRoot, &Program::report_roots},
    {&kRootRegister, &Program::register_root},
    {&kHandleCreated, &Program::use_handle},
    {&kHandleCreatedBacktrace, &Program::use_handle_backtrace},
    {&kFinalizeStart, &Program::finalize},
    {&kSampleHit, &Program::sample},
    {&kSampleSymbol, &Program::name_symbol},
    {&kSampleBinary, &Program::name_binary},
    {&kCountersDescription, &Program::describe_counters},
    {&kCounters, &Program::sample_counters},
    {&kJitHelper, &Program::make_helper},
    {&kCoverageMethod, &Program::cover},
    {&kSyncPoint, &Program::synchronise},
    {&kAotId, &Program::identify_aot},
};

void Program::open_buffer(size_t thread) {
    current_ = thread;
    const uint64_t pointer = classes_.empty() ? 0 : pick_of(random(), classes_);
    const uint64_t object = plan_.object(), method_base = methods_.empty() ? 0 : method();
    plan_.open_buffer(threads_[thread].id, pointer, object, method_base);
}

void Program::start_thread() {
    threads_.push_back({plan_.new_pointer(), {}});
    open_buffer(threads_.size() - 1);
    if (plan_.has(kDomain)) plan_.event(kThread, kLoad).with("pointer", thread().id);
}

void Program::begin() {
    start_thread();
    if (plan_.has(kDomain)) load_domain(domains_++);
    load_image();
    for (uint64_t left = between(random(), 1, 4); left > 0; --left) load_class();
    for (uint64_t left = between(random(), 1, 6); left > 0; --left) compile();
}

void Program::act(uint64_t activities) {
    if (threads_.size() < 4 && one_in(random(), 4))
        start_thread();
    else
        open_buffer(below(random(), threads_.size()));
    // The first writers left some buffers empty.
    if (plan_.version() == 1 && one_in(random(), 12)) return;
    while (activities > 0) {
        const Activity& activity = pick_of(random(), kActivities);
        if (!plan_.has(*activity.record)) continue;
        (this->*activity.run)();
        --activities;
    }
}

void Program::end() {
    for (size_t i = 0; i < threads_.size(); ++i) {
        const bool has_no_events = threads_[i].calls.empty() && !plan_.has(kDomain);
        if (has_no_events || one_in(random(), 4)) continue;
        open_buffer(i);
        while (!thread().calls.empty()) leave();
        if (plan_.has(kDomain)) plan_.event(kThread, kUnload).with("pointer", thread().id);
    }
}

void Program::backtrace(PlannedRecord& event) {
    const uint64_t depth = one_in(random(), 20) ? 32 : below(random(), 5);
    event.size("backtrace", depth);
    for (uint64_t i = 0; i < depth; ++i) event.with("method", method(), i);
}

void Program::load_domain(uint64_t id) {
    plan_.event(kDomain, kLoad).with("pointer", id);
    plan_.event(kDomain, kName).with("pointer", id);
}

uint64_t Program::load_image() {
    const uint64_t image = images_.emplace_back(plan_.new_pointer());
    plan_.event(kImage, kLoad)
        .with("pointer", image)
        .text("name", "/usr/lib/mono/some.dll")
        .text("mvid", std::string(one_in(random(), 3) ? "" : kGuid));
    return image;
}

void Program::load_class() {
    const uint64_t klass = classes_.emplace_back(plan_.new_pointer());
    plan_.event(kClass, kLoad).with("pointer", klass).with("image", images_.front()).text("name", "Some.Class");
    if (!plan_.has(kVtable)) return;
    vtables_.push_back(plan_.new_pointer());
    plan_.event(kVtable, kLoad).with("pointer", vtables_.back()).with("domain", 0).with("class", klass);
}

void Program::compile() {
    methods_.push_back(plan_.new_pointer());
    PlannedRecord& event = plan_.event(kJit).with("method", methods_.back()).text("name", "Some.Class:Method ()");
    if (one_in(random(), 8))
        event.with("code", 0).with("code_size", 0);
    else
        event.with("code", plan_.new_pointer());
    plan_.make_earlier(event);
}

// Loads and unloads another domain with its contents.
void Program::use_a_domain() {
    const uint64_t id = domains_++;
    load_domain(id);
    const uint64_t context = one_in(random(), 2) ? 0 : plan_.new_pointer();
    plan_.event(kContext, kLoad).with("pointer", context).with("domain", id);
    if (plan_.has(kVtable))
        plan_.event(kVtable, kLoad)
            .with("pointer", plan_.new_pointer())
            .with("domain", id)
            .with("class", pick_of(random(), classes_));
    plan_.event(kContext, kUnload).with("pointer", context).with("domain", id);
    plan_.event(kDomain, kUnload).with("pointer", id);
}

void Program::use_an_assembly() {
    const uint64_t image = load_image(), assembly = plan_.new_pointer();
    plan_.event(kAssembly, kLoad).with("pointer", assembly).with("image", image).text("name", "Some, Version=1.0");
    if (one_in(random(), 2)) return;
    plan_.event(kAssembly, kUnload).with("pointer", assembly).with("image", image);
    plan_.event(kImage, kUnload).with("pointer", image);
    images_.pop_back();
}

void Program::name_thread() { plan_.event(kThread, kName).with("pointer", thread().id).text("name", "Finalizer"); }

void Program::call() {
    if (thread().calls.size() >= kDeepest) return leave();
    thread().calls.push_back(method());
    plan_.event(kEnter).with("method", thread().calls.back());
}

void Program::leave() {
    if (thread().calls.empty()) return call();
    plan_.event(one_in(random(), 8) ? kExceptionLeave : kLeave).with("method", thread().calls.back());
    thread().calls.pop_back();
}

void Program::allocate() {
    PlannedRecord& event = plan_.event(either(one_in(random(), 3), kAllocBacktrace, kAlloc));
    event.with("class", pick_of(random(), classes_))
        .with("object", plan_.object())
        .with("size", 8 * between(random(), 1, 50));
    if (!vtables_.empty()) event.with("vtable", pick_of(random(), vtables_));
    backtrace(event);
}

void Program::throw_exception() {
    const uint64_t exception = plan_.object();
    PlannedRecord& thrown = plan_.event(either(one_in(random(), 2), kThrowBacktrace, kThrow)).with("object", exception);
    backtrace(thrown);
    for (uint64_t left = below(random(), 3); left > 0; --left)
        plan_.event(kClause, kClause.tag).with("method", method()).with("object", one_in(random(), 2) ? 0 : exception);
}

void Program::wait_for_monitor() {
    const uint64_t lock = plan_.object(), outcome = between(random(), 2, 3);
    const bool has_backtrace = one_in(random(), 2);
    if (plan_.has(kOldMonitor)) {
        PlannedRecord& event =
            plan_.event(kOldMonitor, has_backtrace ? kOldMonitorBacktrace : 0x15).with("object", lock);
        backtrace(event);
        plan_.event(kOldMonitor, outcome << 4 | 5).with("object", lock);
        return;
    }
    for (const uint64_t step : {uint64_t{1}, outcome}) {
        PlannedRecord& event = plan_.event(either(has_backtrace, kMonitorBacktrace, kMonitor));
        event.with("event", step).with("object", lock);
        backtrace(event);
    }
}

// The model of log files: sessions of a program under the profiler. Whatever is used has been loaded, calls nest,
// collections and heapshots follow their protocol, and counters are described before they are sampled.

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
    bool changes_finished() const override { return true; }

  private:
    void plan(uint64_t written, uint64_t wanted) override {
        if (written == 0) return plan_header();
        if (!std::exchange(has_begun_, true)) return program_.begin();
        if (written < wanted) return program_.act(between(random_, 1, kMostActivities));
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

namespace tracelint {

// The generator of the format: its model and its faults.

namespace mlpd {
namespace {

constexpr const FaultList* kFaults[] = {
    &faults::kHeaderFaults,  &faults::kBufferFaults, &faults::kFramingFaults, &faults::kFieldFaults,
    &faults::kCounterFaults, &faults::kHeapFaults,   &faults::kLoadFaults,    &faults::kThreadFaults,
};

}  // namespace
}  // namespace mlpd

constinit const Generator kMlpdGenerator{
    .format = &kMlpd, .model = mlpd::make_model, .faults = mlpd::kFaults, .settle = mlpd::update_buffers};

}  // namespace tracelint
