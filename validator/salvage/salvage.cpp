// Rounds of planning and checking.
#include "validator/salvage/salvage.hpp"

#include <algorithm>
#include <memory>

#include "validator/recognise.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint {
namespace {

constexpr size_t kPiece = 64 << 10;       // bytes copied at a time
constexpr unsigned kMostRounds = 24;      // checks of edited files
constexpr unsigned kRoundsOneByOne = 4;   // after so many, what is next to a gap is left out in growing pieces
constexpr unsigned kRoundsByRecord = 12;  // after so many, more than single records is left out

bool is_before(const Damage& a, const Damage& b) {
    if (a.offset != b.offset) return a.offset < b.offset;
    if (a.rule != b.rule) return a.rule->id < b.rule->id;
    return a.length < b.length;
}

CheckOptions check_options(const SalvageOptions& options, const Format* format, uint64_t memory,
                           FindingObserver& observer) {
    CheckOptions check;
    check.format = format;
    check.settings = options.settings;
    check.limits = options.limits;
    check.limits.memory = memory;
    check.report.observer = &observer;
    return check;
}

}  // namespace

// Collects the errors of a check.
class Salvage::Errors final : public FindingObserver {
  public:
    explicit Errors(Budget& budget) : list_(budget) {}

    void found(const Diagnostic& diagnostic) override {
        if (severity_of(diagnostic) != Severity::error) return;
        if (diagnostic.rule->of_container) container_error_ = diagnostic.rule;
        if (diagnostic.rule->of_input) return;
        const Place& place = diagnostic.place;
        const Damage damage{place.offset, place.length, diagnostic.rule, place.list == nullptr ? place.field : nullptr};
        if (!list_.empty() && list_.back() == damage) return;
        if (!list_.push_back(damage)) lacks_memory_ = true;
    }

    const BudgetedVector<Damage>& list() const { return list_; }
    bool lacks_memory() const { return lacks_memory_; }
    const Rule* container_error() const { return container_error_; }

  private:
    BudgetedVector<Damage> list_;
    const Rule* container_error_ = nullptr;
    bool lacks_memory_ = false;
};

Salvage::Salvage(Source& file, const SalvageOptions& options)
    : file_(file), options_(options), budget_(options.limits.memory), damages_(budget_), edits_(budget_) {}

SalvageVerdict Salvage::run() {
    if (const auto verdict = check_file()) return *verdict;
    const SalvageVerdict verdict = improve();
    if (verdict == SalvageVerdict::impossible || verdict == SalvageVerdict::limited) edits_.clear();
    return verdict;
}

SalvageVerdict Salvage::end(SalvageVerdict verdict, std::string why) {
    why_ = std::move(why);
    return verdict;
}

// Empty: the file has errors.
std::optional<SalvageVerdict> Salvage::check_file() {
    Errors errors(budget_);
    CheckOptions check = check_options(options_, options_.format, budget_.left(), errors);
    check.file_name = options_.file_name;
    const Outcome outcome = tracelint::check(file_, check);
    format_ = outcome.format;
    container_ = outcome.container;
    container_error_ = errors.container_error();
    if (outcome.out_of_memory) return end(SalvageVerdict::limited, outcome.failure);
    if (!outcome.failure.empty()) return end(SalvageVerdict::unreadable, outcome.failure);
    if (format_ == nullptr) return end(SalvageVerdict::impossible, "its format is not recognised");
    composition_ = find_composition(*format_);
    if (outcome.context.limit_hit || errors.lacks_memory())
        return end(SalvageVerdict::limited, "a limit was reached, so not all of the file was checked");
    if (outcome.report().count(Severity::error) == 0) {
        is_clean_ = true;
        size_ = outcome.size.value_or(0);
        records_.kept = 0;
        return SalvageVerdict::clean;
    }
    if (composition_ == nullptr)
        return end(SalvageVerdict::impossible,
                   "salvage does not know yet how " + std::string(format_->title) + " files are put together");
    bool has_new = false;
    if (!take_new(errors, has_new)) return end(SalvageVerdict::limited, "the errors do not fit into memory");
    return std::nullopt;
}

// Adds the errors that are not known yet. Their offsets are those of the edited file, if there are edits. False: the
// budget does not allow for it.
bool Salvage::take_new(const Errors& errors, bool& has_new) {
    const size_t known = damages_.size();
    for (Damage damage : errors.list()) {
        const uint64_t end = edits_.old_offset(saturating_add(damage.offset, damage.length));
        damage.offset = edits_.old_offset(damage.offset);
        damage.length = end - damage.offset;
        if (rounds_ >= kRoundsOneByOne) widen(damage);
        remaining_ = damage;
        const auto first = damages_.begin(), last = first + static_cast<std::ptrdiff_t>(known);
        if (std::binary_search(first, last, damage, is_before)) continue;
        if (!damages_.push_back(damage)) return false;
    }
    has_new = damages_.size() != known;
    std::sort(damages_.begin(), damages_.end(), is_before);
    return true;
}

// A damage right after what was left out takes as many bytes again, so that a long one takes few rounds.
void Salvage::widen(Damage& damage) const {
    const auto next = std::ranges::upper_bound(edits_, damage.offset, {}, &Edit::offset);
    if (next == edits_.begin()) return;
    const Edit& before = *(next - 1);
    if (before.is_drop() && before.end() == damage.offset) damage.length = std::max(damage.length, before.length);
}

SalvageVerdict Salvage::improve() {
    Reach reach = Reach::records;
    while (rounds_ < kMostRounds) {
        if (const auto verdict = plan(reach)) return *verdict;
        bool has_new = false;
        if (const auto verdict = check_edited(has_new)) return *verdict;
        if (has_new && rounds_ != kRoundsByRecord) continue;
        if (reach == Reach::groups) break;
        reach = Reach::groups;
    }
    return end(SalvageVerdict::impossible,
               "whatever is left out, " + std::string(remaining_.rule->id) + " remains at " + hex(remaining_.offset));
}

// Empty: there is a plan.
std::optional<SalvageVerdict> Salvage::plan(Reach reach) {
    edits_.clear();
    file_.seek(0);
    OpenedInput input(file_, budget_);
    Limits limits = options_.limits;
    limits.memory = budget_.left();
    Planner planner(*composition_, {damages_.begin(), damages_.end()}, reach, budget_, edits_);
    const Obstacle obstacle = planner.plan(input.trace(), limits, options_.settings);
    if (!input.trace().failure().empty()) return end(SalvageVerdict::unreadable, input.trace().failure());
    records_ = planner.records();
    size_ = planner.size();
    switch (obstacle.kind) {
        case Obstacle::Kind::none: return std::nullopt;
        case Obstacle::Kind::memory:
            return end(SalvageVerdict::limited, "a limit was reached while records were sorted out");
        case Obstacle::Kind::no_records:
            return end(SalvageVerdict::impossible, "no record remains: all of them have errors or depend on one");
        case Obstacle::Kind::fatal:
            return end(SalvageVerdict::impossible, "nothing in it can be trusted: " + std::string(obstacle.rule->id) +
                                                       " at " + hex(obstacle.offset));
        case Obstacle::Kind::essential: break;
    }
    const std::string_view name = obstacle.record == nullptr ? "header" : obstacle.record->name;
    const std::string rule(obstacle.rule == nullptr ? "it is truncated or not recognised" : obstacle.rule->id);
    return end(SalvageVerdict::impossible, "the " + std::string(name) + " at " + hex(obstacle.offset) +
                                               " is damaged, and nothing can be read without it: " + rule);
}

// Empty: the edited file still has errors.
std::optional<SalvageVerdict> Salvage::check_edited(bool& has_new) {
    ++rounds_;
    file_.seek(0);
    OpenedInput input(file_, budget_);
    EditedSource edited(input.trace(), edits_, budget_);
    Errors errors(budget_);
    CheckOptions check = check_options(options_, format_, budget_.left(), errors);
    check.file_name = options_.new_name;
    const Outcome outcome = tracelint::check(edited, check);
    if (outcome.out_of_memory) return end(SalvageVerdict::limited, outcome.failure);
    if (!outcome.failure.empty()) return end(SalvageVerdict::unreadable, outcome.failure);
    if (outcome.context.limit_hit || errors.lacks_memory())
        return end(SalvageVerdict::limited, "a limit was reached, so not all of the salvaged file was checked");
    if (outcome.report().count(Severity::error) == 0) return finish();
    if (errors.list().empty()) return end(SalvageVerdict::impossible, "the salvaged data begin like a compressed file");
    if (!take_new(errors, has_new)) return end(SalvageVerdict::limited, "the errors do not fit into memory");
    return std::nullopt;
}

SalvageVerdict Salvage::finish() {
    if (options_.format == nullptr && !is_recognised())
        return end(SalvageVerdict::impossible, "what remains would not be recognised as " +
                                                   std::string(format_->title) + "; use --as " +
                                                   std::string(format_->id));
    return SalvageVerdict::salvaged;
}

bool Salvage::is_recognised() {
    file_.seek(0);
    OpenedInput input(file_, budget_);
    EditedSource edited(input.trace(), edits_, budget_);
    Window window(edited);
    return recognise(formats(), window, options_.new_name) == format_;
}

std::string Salvage::copy(const std::function<bool(Bytes)>& write) {
    file_.seek(0);
    const auto buffer = std::make_unique_for_overwrite<uint8_t[]>(kPiece);
    const auto pump = [&](Source& source) {
        while (const size_t count = source.read(buffer.get(), kPiece))
            if (!write({buffer.get(), count})) break;
        return source.failure();
    };
    if (is_clean_) return pump(file_);
    OpenedInput input(file_, budget_);
    EditedSource edited(input.trace(), edits_, budget_);
    return pump(edited);
}

}  // namespace tracelint
