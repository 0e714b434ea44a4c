// pprof: what ties the fields of a valid file together (section 3.3), in the orders in which writers put them (section
// 6).
#include "grammars/pprof/generator/model.hpp"

#include <deque>

#include "grammars/formats.hpp"
#include "grammars/generators.hpp"
#include "grammars/pprof/records.hpp"

namespace tracelint {
namespace pprof {
namespace {

// A top-level field, by the numbers in it: tags, numbers and counts in file order, without lengths.
struct Plan {
    const Record* record;
    std::deque<uint64_t> numbers;
    std::deque<uint64_t> counts;  // of fields in a message, of items in a packed field
    std::string text;
};

// Builds the plan of a message.
class MessagePlan {
  public:
    explicit MessagePlan(const Record& record) : plan_{&record, {}, {0}, {}} {}

    MessagePlan& with(uint64_t number, uint64_t value) {
        plan_.numbers.insert(plan_.numbers.end(), {number << 3, value});
        ++plan_.counts.front();
        return *this;
    }
    MessagePlan& packed(uint64_t number, const std::vector<uint64_t>& items) {
        plan_.numbers.push_back(number << 3 | 2);
        plan_.numbers.insert(plan_.numbers.end(), items.begin(), items.end());
        plan_.counts.push_back(items.size());
        ++plan_.counts.front();
        return *this;
    }
    MessagePlan& nested(uint64_t number, const std::vector<std::pair<uint64_t, uint64_t>>& fields) {
        plan_.numbers.push_back(number << 3 | 2);
        for (const auto& [member, value] : fields) plan_.numbers.insert(plan_.numbers.end(), {member << 3, value});
        plan_.counts.push_back(fields.size());
        ++plan_.counts.front();
        return *this;
    }
    const Plan& plan() const { return plan_; }

  private:
    Plan plan_;
};

constexpr uint64_t kCodeStart = 0x400000, kMappingSize = 0x100000;

class PprofModel final : public Model {
  public:
    explicit PprofModel(Random& random) : random_(random) {}

    const Layout& layout() const override { return layout_; }

    const Record* next(uint64_t written, uint64_t wanted) override {
        if (written == 0 && !std::exchange(is_planned_, true)) plan();
        for (; group_ < order_.size(); ++group_) {
            std::deque<Plan>& plans = group(order_[group_]);
            // There may be many samples, so that each is planned when it is written.
            if (order_[group_] == OfProfile::sample && (!std::exchange(has_samples_, true) || written < wanted))
                plan_sample();
            if (plans.empty()) continue;
            current_ = std::move(plans.front());
            plans.pop_front();
            return current_.record;
        }
        return nullptr;
    }

    void fill(Value& value, const RecordValues&) override {
        if (value.is_text()) {
            value.text = current_.text;
        } else if (value.leaf.field->name == "tag") {
            value.leaf.number = current_.record->tag;
        } else if (value.leaf.field->name.ends_with("size")) {
            value.leaf.number = 0;  // set when the record is written
        } else if (!current_.numbers.empty()) {
            value.leaf.number = current_.numbers.front();
            current_.numbers.pop_front();
        }
    }

    uint64_t size_of(const Field& field, const RecordValues&) override {
        if (field.type != Type::list || current_.counts.empty()) return 0;
        const uint64_t count = current_.counts.front();
        current_.counts.pop_front();
        return count;
    }

    // A length of two bytes makes those of the messages around it larger.
    void written(RecordValues& record) override { update_sizes(record); }

  private:
    void plan();
    void plan_types();
    void plan_tables();
    void plan_sample();
    void plan_strings();
    void plan_numbers();
    uint64_t add_string(std::string text) {
        strings_.push_back(std::move(text));
        return strings_.size() - 1;
    }
    std::deque<Plan>& group(uint32_t number) { return groups_[number]; }
    void add(uint32_t number, const MessagePlan& message) { group(number).push_back(message.plan()); }
    void add_number(const Record& record, uint32_t number, uint64_t value) {
        group(number).push_back({&record, {value}, {}, {}});
    }

    Random& random_;
    Layout layout_;
    bool is_planned_ = false;
    Plan current_{};
    std::vector<std::string> strings_{""};
    std::array<std::deque<Plan>, 16> groups_;  // by the number of the field
    std::vector<uint32_t> order_;              // of the groups in the file
    size_t group_ = 0;                         // index in it: what is written now
    bool has_samples_ = false;
    uint64_t types_ = 0, functions_ = 0, locations_ = 0, mappings_ = 0;
    std::vector<uint64_t> keys_;  // of labels: strings for every other, numbers for the rest
    bool packs_always_ = false;
};

void PprofModel::plan_types() {
    types_ = between(random_, 1, 3);
    static constexpr std::string_view kNames[] = {"samples", "cpu", "alloc_space"},
                                      kUnits[] = {"count", "nanoseconds", "bytes"};
    for (uint64_t i = 0; i < types_; ++i) {
        const uint64_t type = add_string(std::string(kNames[i])), unit = add_string(std::string(kUnits[i]));
        add(OfProfile::sample_type, MessagePlan(kSampleType).with(1, type).with(2, unit));
        if (i == 0) add(OfProfile::period_type, MessagePlan(kPeriodType).with(1, type).with(2, unit));
    }
    for (uint64_t i = between(random_, 0, 3); i > 0; --i) keys_.push_back(add_string("key_" + std::to_string(i)));
}

void PprofModel::plan_tables() {
    mappings_ = between(random_, 1, 3);
    for (uint64_t id = 1; id <= mappings_; ++id) {
        const uint64_t name = add_string("/usr/lib/object" + std::to_string(id)),
                       build_id = add_string("b1d0" + std::to_string(id));
        MessagePlan mapping(kMapping);
        mapping.with(1, id).with(2, kCodeStart + id * kMappingSize).with(3, kCodeStart + (id + 1) * kMappingSize);
        if (one_in(random_, 2)) mapping.with(4, 0x1000);
        mapping.with(5, name).with(6, build_id).with(7, 1);
        add(OfProfile::mapping, mapping);
    }
    functions_ = between(random_, 1, 12);
    for (uint64_t id = 1; id <= functions_; ++id) {
        const uint64_t name = add_string("function_" + std::to_string(id));
        MessagePlan function(kFunction);
        function.with(1, id).with(2, name).with(3, name);
        if (one_in(random_, 2)) function.with(5, below(random_, 500));
        add(OfProfile::function, function);
    }
    locations_ = between(random_, 1, 20);
    for (uint64_t id = 1; id <= locations_; ++id) {
        const uint64_t mapping = between(random_, 1, mappings_);
        const auto line = [&] {
            return std::vector<std::pair<uint64_t, uint64_t>>{{1, between(random_, 1, functions_)},
                                                              {2, below(random_, 900)}};
        };
        MessagePlan location(kLocation);
        location.with(1, id)
            .with(2, mapping)
            .with(3, kCodeStart + mapping * kMappingSize + below(random_, kMappingSize));
        location.nested(4, line());
        if (one_in(random_, 4)) location.nested(4, line());
        add(OfProfile::location, location);
    }
}

void PprofModel::plan_sample() {
    MessagePlan sample(kSample);
    const auto numbers = [&](uint64_t member, const std::vector<uint64_t>& items) {
        if (packs_always_ || items.size() > 2) return void(sample.packed(member, items));
        for (const uint64_t item : items) sample.with(member, item);
    };
    std::vector<uint64_t> stack(between(random_, 1, 12)), values(types_);
    for (uint64_t& id : stack) id = between(random_, 1, locations_);
    for (uint64_t& value : values) value = between(random_, 1, 1'000'000);
    numbers(OfSample::location_id, stack);
    numbers(OfSample::value, values);
    for (size_t i = 0; i < keys_.size(); ++i) {
        if (one_in(random_, 2)) continue;
        if (i % 2 == 0)
            sample.nested(3, {{1, keys_[i]}, {2, between(random_, 1, strings_.size() - 1)}});
        else
            sample.nested(3, {{1, keys_[i]}, {3, between(random_, 1, 4096)}});
    }
    add(OfProfile::sample, sample);
}

void PprofModel::plan_strings() {
    for (const std::string& text : strings_) group(OfProfile::string_table).push_back({&kString, {}, {}, text});
}

void PprofModel::plan_numbers() {
    add_number(kTime, OfProfile::time_nanos, 1'600'000'000'000'000'000 + below(random_, 100'000'000'000'000'000));
    add_number(kDuration, OfProfile::duration_nanos, between(random_, 1'000, 60'000'000'000));
    add_number(kPeriod, OfProfile::period, between(random_, 1, 10'000'000));
    if (one_in(random_, 2)) add_number(kDefaultSampleType, OfProfile::default_sample_type, 1);
    if (one_in(random_, 2)) group(OfProfile::comment).push_back({&kComment, {1}, {}, {}});
}

void PprofModel::plan() {
    packs_always_ = one_in(random_, 2);
    plan_types();
    plan_tables();
    plan_strings();
    plan_numbers();
    // google/pprof writes fields in rising order, Go times and tables first.
    order_ = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    if (one_in(random_, 2)) order_ = {9, 1, 10, 11, 12, 14, 4, 5, 2, 3, 13, 6};
}

constexpr const FaultList* kFaults[] = {&kWireFaults, &kEntryFaults, &kProfileFaults};

}  // namespace

std::unique_ptr<Model> make_model(Random& random, const ModelOptions&) { return std::make_unique<PprofModel>(random); }

}  // namespace pprof

constinit const Generator kPprofGenerator{.format = &kPprof, .model = pprof::make_model, .faults = pprof::kFaults};

}  // namespace tracelint
