// The model of profiles: a tree of calls for each thread, in which every node is a path.
#include "grammars/xray/generator/model_plan.hpp"

namespace tracelint::xray {
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

}  // namespace tracelint::xray
