// Profiles as their writers make them: samples whose stacks lie in what is mapped, or Java's ids.
#include "grammars/gperftools/generator/model.hpp"

#include <deque>

#include "grammars/gperftools/generator/model_text.hpp"
#include "grammars/gperftools/records.hpp"

namespace tracelint::gperftools {
namespace {

// A record, and what of it is no matter of chance.
struct Planned {
    const Record* record = nullptr;
    std::vector<uint64_t> numbers;  // of its fields, in file order
    std::vector<uint64_t> chain;
    std::string text;
};

class ProfileModel final : public Model {
  public:
    ProfileModel(Random& random, const ModelOptions& options) : random_(random), layout_(pick_of(random, kLayouts)) {
        if (options.byte_order) layout_.order = *options.byte_order;
        is_java_ = one_in(random, 5);
        is_wrapped_ = !is_java_ && one_in(random, 6);
        is_reduced_ = is_wrapped_ && one_in(random, 2);
        mappings_ = draw_mappings(random, layout_);
    }

    const Layout& layout() const override { return layout_; }

    const Record* next(uint64_t written, uint64_t wanted) override {
        if (written == 0) plan_opening();
        if (waiting_.empty() && !is_ended_) written < wanted ? plan_record() : plan_end();
        if (waiting_.empty()) return nullptr;
        current_ = std::move(waiting_.front());
        waiting_.pop_front();
        taken_ = 0;
        return current_.record;
    }

    void fill(Value& value, const RecordValues&) override {
        if (value.leaf.record == &kCall)
            value.leaf.number = current_.chain[value.leaf.element];
        else if (value.leaf.field->type == Type::bytes)
            value.text = current_.text;
        else
            value.leaf.number = current_.numbers[taken_++];
    }

    uint64_t size_of(const Field&, const RecordValues&) override { return current_.chain.size(); }

  private:
    void plan_opening() {
        if (is_wrapped_) {
            std::string text = "--- symbol\n";
            if (one_in(random_, 2)) text += "binary=/usr/bin/program\n";
            for (uint64_t left = below(random_, 4); left > 0; --left) text += "0x0000000000401136 main--inlined\n";
            waiting_.push_back({&kWrapper, {}, {}, text + "---\n--- profile\n"});
        }
        const uint64_t period =
            is_reduced_ ? 1 : pick<uint64_t>(random_, {10'000, 10'000, 250, 1000, 142'857, 1'000'000, 1});
        waiting_.push_back({&kHeader, {0, kKnownWords, is_java_ ? kJavaVersion : kNativeVersion, period, 0}, {}, {}});
    }

    void plan_record() {
        std::vector<uint64_t> chain;
        if (!chains_.empty() && one_in(random_, 6)) {
            chain = pick_of(random_, chains_);  // evicted before, or written by an earlier flush
        } else {
            for (uint64_t left = draw_depth(); left > 0; --left) chain.push_back(draw_pc(chain.empty()));
            if (chains_.size() < 20) chains_.push_back(chain);
        }
        waiting_.push_back({&kRecord, {draw_count(), chain.size()}, chain, {}});
    }

    uint64_t draw_depth() {
        if (one_in(random_, 40)) return pick<uint64_t>(random_, {64, 253, 254, 255});
        return between(random_, 1, one_in(random_, 4) ? 20 : 6);
    }

    uint64_t draw_count() {
        if (is_java_ && one_in(random_, 8)) return 0;
        return one_in(random_, 50) ? between(random_, 1, 100'000) : between(random_, 1, 9);
    }

    uint64_t draw_pc(bool is_leaf) {
        if (is_java_) {
            ids_.push_back(between(random_, 1, 60));
            return ids_.back();
        }
        // Frames that make no sense are normal, but not where the sample was taken.
        if (!is_leaf && one_in(random_, 20)) return between(random_, 1, layout_.word_size == 4 ? 0xffffffff : kNone);
        const Mapping* mapping = &pick_of(random_, mappings_);
        while (!mapping->is_executable()) mapping = &pick_of(random_, mappings_);
        const uint64_t first = mapping->start + (is_leaf ? 0 : 1);
        return first + below(random_, mapping->end - mapping->start);
    }

    void plan_end() {
        is_ended_ = true;
        if (is_reduced_) return;
        waiting_.push_back({&kTrailer, {0, 1, 0}, {}, {}});
        const auto style = static_cast<LineStyle>(below(random_, 5));
        const bool has_text = !is_wrapped_ || one_in(random_, 2);
        std::vector<std::string> lines;
        std::sort(ids_.begin(), ids_.end());
        if (!one_in(random_, 8)) ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
        if (is_java_)
            lines = location_lines(ids_, random_);
        else if (has_text)
            lines = lines_of(mappings_, style, one_in(random_, 4), random_);
        for (std::string& line : lines) waiting_.push_back({&kLine, {}, {}, std::move(line)});
    }

    Random& random_;
    Layout layout_;
    bool is_java_ = false;
    bool is_wrapped_ = false;
    bool is_reduced_ = false;  // as google-pprof --raw writes it: nothing behind the records
    bool is_ended_ = false;
    std::vector<Mapping> mappings_;
    std::vector<uint64_t> ids_;  // of Java's records so far
    std::vector<std::vector<uint64_t>> chains_;
    std::deque<Planned> waiting_;
    Planned current_;
    size_t taken_ = 0;  // of its numbers
};

}  // namespace

std::unique_ptr<Model> make_model(Random& random, const ModelOptions& options) {
    return std::make_unique<ProfileModel>(random, options);
}

}  // namespace tracelint::gperftools
