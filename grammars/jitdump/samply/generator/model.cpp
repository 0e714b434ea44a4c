// The model of samply's records. They describe the function whose LOAD follows.
#include "grammars/jitdump/samply/generator/model.hpp"

#include "grammars/jitdump/samply/generator/inline_tree_sample.hpp"
#include "grammars/jitdump/samply/records.hpp"
#include "validator/generator/record_values.hpp"

namespace tracelint::samply {
namespace {

constexpr uint64_t kListAlignment = 4;

class SamplyModel final : public jitdump::ExtensionModel {
  public:
    explicit SamplyModel(Random& random) : random_(random) {}

    // At most one DEBUG_INFO2: a second one would supersede it.
    std::vector<const Record*> plan(const Function& function) override {
        waiting_.clear();
        const auto maybe_opaque = [&](const Record& record) {
            if (one_in(random_, 20)) waiting_.push_back({&record, 0, {}});
        };
        maybe_opaque(kInlineInfo);
        maybe_opaque(kSourceFile);
        if (one_in(random_, 2)) waiting_.push_back(draw_debug_info2(function));
        maybe_opaque(kTier);
        std::vector<const Record*> records;
        for (const Planned& planned : waiting_) records.push_back(planned.record);
        return records;
    }

    void begin() override {
        current_ = std::move(waiting_.front());
        waiting_.erase(waiting_.begin());
    }

    void fill(Value& value, const RecordValues&) override {
        const Leaf& leaf = value.leaf;
        if (leaf.field->name == "code_addr") value.leaf.number = current_.code_addr;
        if (leaf.list == nullptr) return;
        const SampleList& list = current_.lists[leaf.list->name];
        if (leaf.record == &kString)
            value.text = list.strings[leaf.element] + '\0';
        else
            value.leaf.number = list.rows[leaf.element][static_cast<size_t>(leaf.field - leaf.record->fields().data())];
    }

    uint64_t size_of(const Field& field, const RecordValues& record) override {
        if (field.type == Type::list) return current_.lists[field.name].size();
        if (field.name == "padding") return one_in(random_, 2) ? 0 : below(random_, 8);
        return below(random_, record.record == &kTier ? kSmallestPositions : 48);  // of a body
    }

    std::string padding_of(const Field& list, const RecordValues&) override {
        uint64_t size = 0;
        for (const std::string& text : current_.lists[list.name].strings) size += text.size() + 1;
        return std::string((kListAlignment - size % kListAlignment) % kListAlignment, '\0');
    }

  private:
    // A larger body is read as positions.
    static constexpr uint64_t kSmallestPositions = fixed_size(kPositions) - fixed_size(kPrefix);

    struct Planned {
        const Record* record = nullptr;
        uint64_t code_addr = 0;  // of positions
        SampleLists lists;
    };

    Planned draw_debug_info2(const Function& function) {
        const InlineTreeSample tree = make_inline_tree(random_, function.size);
        if (one_in(random_, 2)) return {&kTree, 0, tree_lists(tree, random_)};
        return {&kPositions, function.address, positions_lists(tree, random_)};
    }

    Random& random_;
    std::vector<Planned> waiting_;
    Planned current_;
};

}  // namespace

std::unique_ptr<jitdump::ExtensionModel> make_model(Random& random, const Layout&) {
    return std::make_unique<SamplyModel>(random);
}

}  // namespace tracelint::samply
