// The model of profiles: samples whose stacks lie in mapped objects, or ids of Java frames.
#include "grammars/gperftools/generator/model.hpp"

#include "grammars/gperftools/generator/model_text.hpp"
#include "grammars/gperftools/records.hpp"
#include "validator/generator/planned_record.hpp"

namespace tracelint::gperftools {
namespace {

class ProfileModel final : public PlannedModel {
  public:
    ProfileModel(Random& random, const ModelOptions& options) : PlannedModel(random) {
        layout_ = pick_of(random, kLayouts);
        if (options.byte_order) layout_.order = *options.byte_order;
        is_java_ = one_in(random, 5);
        is_wrapped_ = !is_java_ && one_in(random, 6);
        is_reduced_ = is_wrapped_ && one_in(random, 2);
        mappings_ = draw_mappings(random, layout_);
    }

  private:
    void plan(uint64_t written, uint64_t wanted) override {
        if (written == 0) return plan_opening();
        if (!is_ended_) written < wanted ? plan_record() : plan_end();
    }

    void add(PlannedRecord record) { waiting_.push_back(std::move(record)); }

    void plan_opening() {
        if (is_wrapped_) {
            std::string text = "--- symbol\n";
            if (one_in(random_, 2)) text += "binary=/usr/bin/program\n";
            for (uint64_t left = below(random_, 4); left > 0; --left) text += "0x0000000000401136 main--inlined\n";
            add(PlannedRecord(kWrapper).bytes("text", text + "---\n--- profile\n"));
        }
        const uint64_t period =
            is_reduced_ ? 1 : pick<uint64_t>(random_, {10'000, 10'000, 250, 1000, 142'857, 1'000'000, 1});
        add(PlannedRecord(kHeader)
                .with("header_count", 0)
                .with("header_words", kKnownWords)
                .with("format_version", is_java_ ? kJavaVersion : kNativeVersion)
                .with("period", period)
                .with("padding", 0));
    }

    void plan_record() {
        std::vector<uint64_t> chain;
        if (!chains_.empty() && one_in(random_, 6)) {
            chain = pick_of(random_, chains_);  // evicted before, or written by an earlier flush
        } else {
            for (uint64_t left = draw_depth(); left > 0; --left) chain.push_back(draw_pc(chain.empty()));
            if (chains_.size() < 20) chains_.push_back(chain);
        }
        PlannedRecord record(kRecord, {{"sample_count", draw_count()}, {"num_pcs", chain.size()}});
        record.size("call_chain", chain.size());
        for (size_t i = 0; i < chain.size(); ++i) record.with("pc", chain[i], i);
        add(std::move(record));
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
        // Callers may be any number, as stacks are guessed. The sampled PC is real.
        if (!is_leaf && one_in(random_, 20)) return between(random_, 1, layout_.word_size == 4 ? 0xffffffff : kNone);
        const MappedObject* mapping = &pick_of(random_, mappings_);
        while (!mapping->is_executable()) mapping = &pick_of(random_, mappings_);
        const uint64_t first = mapping->start + (is_leaf ? 0 : 1);
        return first + below(random_, mapping->end - mapping->start);
    }

    void plan_end() {
        is_ended_ = true;
        if (is_reduced_) return;
        add(PlannedRecord(kTrailer, {{"sample_count", 0}, {"num_pcs", 1}, {"pc", 0}}));
        const auto style = static_cast<LineStyle>(below(random_, 5));
        const bool has_text = !is_wrapped_ || one_in(random_, 2);
        std::vector<std::string> lines;
        std::sort(ids_.begin(), ids_.end());
        if (!one_in(random_, 8)) ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
        if (is_java_)
            lines = location_lines(ids_, random_);
        else if (has_text)
            lines = lines_of(mappings_, style, one_in(random_, 4), random_);
        for (std::string& line : lines) add(PlannedRecord(kLine).bytes("text", std::move(line)));
    }

    bool is_java_ = false;
    bool is_wrapped_ = false;
    bool is_reduced_ = false;  // as google-pprof --raw writes it: nothing after the records
    bool is_ended_ = false;
    std::vector<MappedObject> mappings_;
    std::vector<uint64_t> ids_;  // of the Java frames so far
    std::vector<std::vector<uint64_t>> chains_;
};

}  // namespace

std::unique_ptr<Model> make_model(Random& random, const ModelOptions& options) {
    return std::make_unique<ProfileModel>(random, options);
}

}  // namespace tracelint::gperftools
