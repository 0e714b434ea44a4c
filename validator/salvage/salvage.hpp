// Salvage: from a broken file to one without errors, by leaving records out. Every byte of the result comes from the
// file, but for those of edits that replace or insert some, which are listed.
//
// The file is checked, and its records are walked over. Those with an error are left out, with what depends on them by
// the format's composition. The edited file is then checked without being written. If it still has errors, more is
// left out, a bounded number of times. Memory is that of a check, and a table of the edits, within the same budget.
#pragma once

#include <functional>

#include "tracelint/salvage.hpp"
#include "validator/salvage/planner.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {

struct SalvageOptions {
    const Format* format = nullptr;  // null: recognise it
    std::string file_name;           // of the file; may be empty
    std::string new_name;            // of the salvaged file, by which it must be recognised; may be empty
    Settings settings;
    Limits limits;
};

class Salvage {
  public:
    // `file` must be at its start, be able to seek, and outlive this.
    Salvage(Source& file, const SalvageOptions& options);

    // Returns one of the verdicts before unwritable. Throws only std::bad_alloc.
    SalvageVerdict run();

    // After run():
    const std::string& why() const { return why_; }   // a sentence without a full stop
    const Format* format() const { return format_; }  // null: it was not recognised
    Container container() const { return container_; }
    const Edits& edits() const { return edits_; }
    const PlannedRecords& records() const { return records_; }
    uint64_t size() const { return size_; }  // of the trace, in bytes, decompressed
    uint64_t new_size() const { return edits_.new_offset(size_); }
    unsigned rounds() const { return rounds_; }  // checks of edited files
    // The error of the container, which is left behind; null if there is none.
    const Rule* container_error() const { return container_error_; }

    // Passes the salvaged file on, piece by piece, until `write` returns false. Returns why reading failed, or empty.
    std::string copy(const std::function<bool(Bytes)>& write);

  private:
    class Errors;
    std::optional<SalvageVerdict> check_file();
    SalvageVerdict improve();
    std::optional<SalvageVerdict> plan(Reach reach);
    std::optional<SalvageVerdict> check_edited(bool& has_new);
    SalvageVerdict finish();
    SalvageVerdict end(SalvageVerdict verdict, std::string why);
    bool take_new(const Errors& errors, bool& has_new);
    void widen(Damage& damage) const;
    bool is_recognised();

    Source& file_;
    const SalvageOptions& options_;
    Budget budget_;
    const Format* format_ = nullptr;
    const Composition* composition_ = nullptr;
    Container container_ = Container::none;
    const Rule* container_error_ = nullptr;
    BudgetedVector<Damage> damages_;
    Edits edits_;
    PlannedRecords records_;
    Damage remaining_;  // an error of the last edited file
    uint64_t size_ = 0;
    unsigned rounds_ = 0;
    bool is_clean_ = false;
    std::string why_;
};

}  // namespace tracelint
