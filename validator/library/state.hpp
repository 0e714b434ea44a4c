// What is behind the public classes of validator/include/tracelint/: the engine's own types.
#pragma once

#include "tracelint/tracelint.hpp"
#include "validator/library/pushed_check.hpp"
#include "validator/readers/chosen_readers.hpp"
#include "validator/readers/reader_check.hpp"

namespace tracelint {

// Calls the user's function, which may throw.
class CallbackObserver final : public FindingObserver {
  public:
    explicit CallbackObserver(const std::function<void(const Finding&)>& callback) : callback_(callback) {}
    void found(const Diagnostic& diagnostic) override;
    // Calls it no more. To be called by it.
    void end() { is_over_ = true; }
    // What findings about other files refer to.
    void set_names(std::shared_ptr<const void> names) { names_ = std::move(names); }
    // What it threw; null if it did not.
    const std::string* thrown() const { return failed_ ? &thrown_ : nullptr; }

  private:
    const std::function<void(const Finding&)>& callback_;
    std::shared_ptr<const void> names_;
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
    const ChosenReaders& readers() const { return readers_; }
    const std::vector<Companion>& companions() const { return companions_; }

  private:
    void take_patterns(const Options& options);
    void take_setting(const Setting& setting);
    void take_reader(const std::string& word);
    void complain(std::string fault);

    CheckOptions engine_;
    RuleFilter filter_;
    SeverityChoices severities_;
    ChosenReaders readers_;
    const std::vector<Companion>& companions_;
    CallbackObserver observer_;
    std::string fault_;
};

// A check that ended.
struct EndedCheck {
    Outcome outcome;
    std::string name{};    // of a companion
    bool is_file = false;  // a companion that was opened by its name
    std::vector<ReaderVerdict> verdicts{};
    std::shared_ptr<const void> names = nullptr;  // that its findings and pairings refer to
    std::vector<Result> companions{};
};

struct Result::State {
    explicit State(EndedCheck&& of)
        : outcome(std::move(of.outcome)),
          name(std::move(of.name)),
          is_file(of.is_file),
          verdicts(std::move(of.verdicts)),
          names(std::move(of.names)),
          companions(std::move(of.companions)) {}

    Outcome outcome;
    std::string name;
    bool is_file;
    std::vector<ReaderVerdict> verdicts;
    std::shared_ptr<const void> names;
    std::vector<Result> companions;
    std::vector<ReaderResult> readers;
    Failure failure = Failure::none;
    std::string failure_text;  // empty: what the kind of failure says
    std::vector<RuleCount> counts;
    std::vector<Statistic> statistics;
};

// The result of a check that ended. `observer`: null if it received nothing. Throws std::bad_alloc only.
Result result_of(EndedCheck&& ended, const CallbackObserver* observer);
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
