// A check with the readers and companions of its options: predicts what readers do with the input, and compares the
// input with its companions.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "validator/group.hpp"
#include "validator/input/kept_input.hpp"
#include "validator/library/state.hpp"

namespace tracelint {

// The check of one input, in two steps: check_input() on the thread that has its bytes, then result() on the caller's.
class CompanyCheck {
  public:
    // `prepared` must outlive this, and have no fault. `name`: of the input. Throws std::bad_alloc only.
    CompanyCheck(PreparedOptions& prepared, const std::string& name);
    CompanyCheck(const CompanyCheck&) = delete;
    CompanyCheck& operator=(const CompanyCheck&) = delete;

    // `is_foreign`: the input is a file of another user. Throws nothing.
    Outcome check_input(Source& source, bool is_foreign = false) noexcept;
    // The result for the outcome that check_input() returned. Checks the companions. Call it once. Throws
    // std::bad_alloc only.
    Result result(Outcome&& outcome);

  private:
    // The input or a companion.
    struct File {
        std::unique_ptr<Facts> facts{};  // null: the input has no companions
        std::vector<ReaderVerdict> verdicts{};
    };

    static Outcome check_one(File& file, Source& source, CheckOptions options, const ChosenReaders& readers,
                             bool is_foreign);
    Outcome check_companion(size_t index);
    Outcome check_companion(size_t index, Source& source, bool is_foreign);
    void compare(Outcome& input, std::vector<Outcome>& companions);
    void tell(const Outcome& outcome) const;

    PreparedOptions& prepared_;
    const std::string file_name_;                            // of the input, or empty
    Budget budget_;                                          // of all facts
    std::shared_ptr<const std::vector<std::string>> names_;  // of the input, then of the companions
    std::vector<File> files_;                                // in the same order
};

}  // namespace tracelint
