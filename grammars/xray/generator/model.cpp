// XRay: the models of basic files and of profiles.
#include "grammars/xray/generator/model.hpp"

#include "grammars/formats.hpp"
#include "grammars/generators.hpp"
#include "grammars/xray/generator/faults.hpp"

namespace tracelint::xray {

// The model of basic files: the calls of threads and their arguments.

namespace {

constexpr uint64_t kLargestBasicId = 0x7fffffff;

struct BasicThread {
    uint64_t pid, tid, cpu, tsc;
    Calls calls;
};

class BasicModel final : public FamilyModel {
  public:
    BasicModel(Random& random, ByteOrder order) : FamilyModel(random, order) {
        layout_.version = static_cast<uint16_t>(between(random_, 1, kNewestBasic));
        const uint64_t pid = between(random_, 1, 100'000);
        const uint64_t tsc = pick<uint64_t>(random_, {0, 1'000'000'000'000, uint64_t{1} << 63, kNone - 10'000});
        for (uint64_t number = 0, count = between(random_, 1, 4); number < count; ++number) {
            const Calls calls(random_, kLargestBasicId, layout_.version >= kWithTailExits);
            threads_.push_back({pid, pid + number, below(random_, 64), tsc, calls});
        }
    }

  private:
    // The bytes after the frequency are uninitialised in real files.
    PlannedRecord plan_header(uint64_t) override {
        PlannedRecord header = file_header(kBasicType);
        const auto fill_rest = [&](uint64_t flags, uint64_t bits, uint64_t unused) {
            header.with("constant_tsc", flags & 1).with("nonstop_tsc", flags >> 1).with("reserved_bits", bits);
            header.with("buffer_size", unused).with("reserved", unused);
        };
        switch (below(random_, 4)) {
            case 0: fill_rest(3, 0xff >> 2, 0); break;
            case 1: fill_rest(3, 0xaaaaaaab >> 2, 0xaaaaaaaaaaaaaaaa); break;
            case 2: break;  // anything
            default: fill_rest(3, 0, 0);
        }
        return header;
    }

    void plan_body(uint64_t) override {
        BasicThread& thread = pick_of(random_, threads_);
        advance(thread);
        const auto [action, function] = thread.calls.next();
        const bool with_argument = action == kEntry && one_in(random_, 4);
        const bool unusual = one_in(random_, 12);
        add(of_thread(kBasicFunction, thread, function)
                .with("action", with_argument && !unusual ? kEntryArgs : action)
                .with("cpu", thread.cpu)
                .with("tsc", thread.tsc));
        if (!with_argument) return;
        if (one_in(random_, 16)) return;
        do add(of_thread(kBasicArgument, thread, function));
        while (one_in(random_, 4));
    }

    PlannedRecord of_thread(const Record& record, const BasicThread& thread, uint64_t function) {
        const uint64_t process = layout_.version >= kWithProcesses ? thread.pid
                                 : one_in(random_, 4)              ? random_() >> 32
                                                                   : 0;
        return PlannedRecord(record, {{"function_id", function}, {"thread_id", thread.tid}, {"process_id", process}});
    }

    // The counters of two CPUs may differ, so the TSC may step back when the thread moves.
    void advance(BasicThread& thread) {
        const uint64_t by = below(random_, 2000);
        if (!one_in(random_, 16)) {
            thread.tsc += std::min(by, kNone - thread.tsc);
            return;
        }
        thread.cpu = (thread.cpu + between(random_, 1, 255)) % 256;
        thread.tsc -= std::min(by, thread.tsc);
    }

    std::vector<BasicThread> threads_;
};

}  // namespace

std::unique_ptr<Model> make_basic_model(Random& random, ByteOrder order) {
    return std::make_unique<BasicModel>(random, order);
}

// The model of profiles: a tree of calls for each thread, in which every node is a path.

namespace {

constexpr uint64_t kShortestPath = 24;  // bytes
constexpr uint64_t kMostPaths = 24;

class ProfileModel final : public FamilyModel {
  public:
    ProfileModel(Random& random, ByteOrder order) : FamilyModel(random, order) {}

    void fill(Value& value, const RecordValues& so_far) override {
        const Leaf& leaf = value.leaf;
        FamilyModel::fill(value, so_far);
        if (leaf.record == &kPathStep) value.leaf.number = leaf.element < path().size() ? path()[leaf.element] : 0;
        if (leaf.record != &kPath) return;
        if (leaf.field->name == "call_count") value.leaf.number = std::max<uint64_t>(leaf.number, 1);
        if (leaf.field->name == "cumulative_local_time") {
            if (!one_in(random_, 8)) value.leaf.number = std::max<uint64_t>(leaf.number, 1);
            ++written_;
        }
    }

    uint64_t size_of(const Field& field, const RecordValues&) override {
        return field.element == &kPathStep ? path().size() + 1 : paths_.size();
    }

  private:
    using Path = std::vector<uint64_t>;  // leaf first

    const Path& path() const { return paths_[written_]; }

    PlannedRecord plan_header(uint64_t) override { return PlannedRecord(kProfileHeader); }

    void plan_body(uint64_t room) override {
        add(PlannedRecord(kProfileBlock, {{"block_number", blocks_++}, {"thread_id", draw_thread()}}));
        written_ = 0;
        paths_.clear();
        const uint64_t most = std::clamp<uint64_t>(room / kShortestPath, 1, kMostPaths);
        for (uint64_t left = between(random_, 1, most); left > 0; --left) add_path();
        // The collector writes its tree from the root, but readers must not rely on that.
        if (one_in(random_, 4)) std::reverse(paths_.begin(), paths_.end());
        if (paths_.size() > 2 && one_in(random_, 16)) paths_.erase(paths_.begin());  // may leave orphans
    }

    uint64_t draw_thread() { return one_in(random_, 4) ? edge_number(random_, 64) : between(random_, 1, 100'000); }

    // A function called from one of the paths, or a root. Ids that carry the number of a shared object in their top
    // bits may be negative. Sometimes a path is repeated, since the collector starts a new tree when a thread has
    // returned from all functions.
    void add_path() {
        if (!paths_.empty() && one_in(random_, 24)) return paths_.push_back(Path(pick_of(random_, paths_)));
        Path path;
        if (!paths_.empty() && !one_in(random_, 6)) path = pick_of(random_, paths_);
        path.insert(path.begin(), 0);
        do {
            const uint64_t id = one_in(random_, 16) ? edge_number(random_, 32) : between(random_, 1, 60);
            path.front() = static_cast<uint64_t>(sign_extended(id, 4));
        } while (path.front() == 0 || std::ranges::find(paths_, path) != paths_.end());
        paths_.push_back(std::move(path));
    }

    uint64_t blocks_ = 0;
    // The block being written
    std::vector<Path> paths_;
    size_t written_ = 0;
};

}  // namespace

std::unique_ptr<Model> make_profile_model(Random& random, ByteOrder order) {
    return std::make_unique<ProfileModel>(random, order);
}

// What the models of the three families share.

namespace {

constexpr uint64_t kEmulatedTsc = 1'000'000'000;  // Hz, of a runtime that reads a clock instead of the TSC
constexpr char kPattern = '\xaa';                 // with which a compiler fills uninitialised variables
constexpr uint64_t kBusyDepth = 8;                // above this depth, returns are more likely than calls

}  // namespace

FamilyModel::FamilyModel(Random& random, ByteOrder order) : PlannedModel(random) {
    layout_.order = order;
    unused_ =
        pick(random, {Unused::zeros, Unused::zeros, Unused::zeros, Unused::zeros, Unused::pattern, Unused::memory});
}

void FamilyModel::plan(uint64_t written, uint64_t wanted) {
    if (written == 0) return add(plan_header(wanted));
    if (written >= wanted && has_body_) return;
    has_body_ = true;
    plan_body(saturating_sub(wanted, written));
}

void FamilyModel::fill(Value& value, const RecordValues& so_far) {
    PlannedModel::fill(value, so_far);
    const Field& field = *value.leaf.field;
    // Payloads, and what follows the end of a buffer, have no fixed width.
    if (field.type != Type::bytes || field.width == 0 || unused_ == Unused::memory) return;
    std::fill(value.text.begin(), value.text.end(), unused_ == Unused::pattern ? kPattern : '\0');
}

PlannedRecord FamilyModel::file_header(uint64_t type) {
    const uint64_t hertz =
        pick<uint64_t>(random_, {kEmulatedTsc, kEmulatedTsc, 2'600'000'000, 3'000'000'000, 1'000'000, 100'000'000'000});
    return PlannedRecord(kHeader, {{"version", layout_.version}, {"type", type}, {"cycle_frequency", hertz}});
}

Calls::Calls(Random& random, uint64_t largest_id, bool tail_exits)
    : random_(&random), largest_id_(largest_id), tail_exits_(tail_exits) {
    for (uint64_t left = below(random, 5); left > 0; --left) open_.push_back(draw_function());
}

Calls::Call Calls::next() {
    Random& random = *random_;
    if (std::exchange(enters_next_, false)) return enter();
    if (open_.empty()) return one_in(random, 16) ? Call{kExit, draw_function()} : enter();
    if (below(random, 2 * kBusyDepth) >= open_.size()) return enter();
    if (one_in(random, 24)) return {kExit, draw_function()};
    if (one_in(random, 16)) open_.resize(between(random, 1, open_.size()));  // an exception
    enters_next_ = tail_exits_ && one_in(random, 6);
    return leave(enters_next_ ? kTailExit : kExit);
}

void Calls::lose_some() {
    open_.resize(below(*random_, open_.size() + 1));
    for (uint64_t left = below(*random_, 3); left > 0; --left) open_.push_back(draw_function());
}

uint64_t Calls::draw_function() { return one_in(*random_, 64) ? largest_id_ : between(*random_, 1, 40); }

Calls::Call Calls::enter() {
    open_.push_back(draw_function());
    return {kEntry, open_.back()};
}

Calls::Call Calls::leave(Action action) {
    const uint64_t function = open_.back();
    open_.pop_back();
    return {action, function};
}

std::unique_ptr<Model> make_model(Random& random, const ModelOptions& options) {
    const bool big = one_in(random, 3);
    const ByteOrder order = options.byte_order.value_or(big ? ByteOrder::big : ByteOrder::little);
    const uint64_t family = below(random, 8);
    if (family < 5) return make_fdr_model(random, order);
    return family < 7 ? make_basic_model(random, order) : make_profile_model(random, order);
}

}  // namespace tracelint::xray

namespace tracelint {

// The generator of the format: its model and its faults.

namespace xray {
namespace {

constexpr const FaultList* kFaults[] = {
    &faults::kHeaderFaults, &faults::kFileFaults,  &faults::kBufferFaults,
    &faults::kFieldFaults,  &faults::kBasicFaults, &faults::kProfileFaults,
};

}  // namespace
}  // namespace xray

constinit const Generator kXrayGenerator{.format = &kXray, .model = xray::make_model, .faults = xray::kFaults};

}  // namespace tracelint
