// What is behind the public classes of validator/include/tracelint/: the engine's own types.
#pragma once

#include "tracelint/tracelint.hpp"
#include "validator/library/pushed_check.hpp"

namespace tracelint {

// Calls the user's function, which may throw.
class CallbackObserver final : public FindingObserver {
  public:
    explicit CallbackObserver(const std::function<void(const Finding&)>& callback) : callback_(callback) {}
    void found(const Diagnostic& diagnostic) override;
    // Calls it no more. To be called by it.
    void end() { is_over_ = true; }
    // What it threw; null if it did not.
    const std::string* thrown() const { return failed_ ? &thrown_ : nullptr; }

  private:
    const std::function<void(const Finding&)>& callback_;
    bool is_over_ = false;
    bool failed_ = false;
    std::string thrown_;
};

// The options of a check as the engine has them.
class PreparedOptions {
  public:
    // `options` must outlive this. Throws std::bad_alloc only.
    explicit PreparedOptions(const Options& options);
    PreparedOptions(const PreparedOptions&) = delete;
    PreparedOptions& operator=(const PreparedOptions&) = delete;

    // What is wrong with the options; empty if nothing is.
    const std::string& fault() const { return fault_; }
    // Points into this.
    const CheckOptions& engine() const { return engine_; }
    const CallbackObserver& observer() const { return observer_; }
    CallbackObserver& observer() { return observer_; }
    void set_file_name(const std::string& name) { engine_.file_name = name; }

  private:
    void take_patterns(const Options& options);
    void take_setting(const Setting& setting);
    void complain(std::string fault);

    CheckOptions engine_;
    RuleFilter filter_;
    SeverityChoices severities_;
    CallbackObserver observer_;
    std::string fault_;
};

struct Result::State {
    explicit State(Outcome&& of) : outcome(std::move(of)) {}

    Outcome outcome;
    Failure failure = Failure::none;
    std::string failure_text;  // empty: what the kind of failure says
    std::vector<RuleCount> counts;
    std::vector<Statistic> statistics;
};

struct Session::State {
    // What the check points to. Its thread shares ownership.
    struct Chosen {
        explicit Chosen(const Options& given) : options(given), prepared(options) {}
        const Options options;
        PreparedOptions prepared;
    };
    explicit State(const Options& given)
        : chosen(std::make_shared<Chosen>(given)), check(chosen->prepared.engine(), PushedCheck::kQueue, chosen) {}
    // If on_finding destroys it on the thread of the check, that goes on a little, without it.
    ~State() {
        if (check.is_on_its_thread()) chosen->prepared.observer().end();
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    std::shared_ptr<Chosen> chosen;
    PushedCheck check;
    Failure failed = Failure::none;  // of feed()
};

// The result of a check that ended; `options` are those of it. Throws std::bad_alloc only.
Result result_of(Outcome&& outcome, const PreparedOptions& options);
// The result of a check that did not begin.
Result failed_result(Failure failure, const std::string& text) noexcept;

// Calls `make`, which returns a Result; if it throws, that is the result.
template <class Make>
Result result_without_exception(Make make) noexcept {
    try {
        return make();
    } catch (const std::bad_alloc&) {
        return Result(Failure::memory);
    } catch (...) {
        return Result(Failure::internal);
    }
}

}  // namespace tracelint
