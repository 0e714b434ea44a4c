// mlpd, sections 4.3 and 5, rule 94: the areas that are registered as roots.
#pragma once

#include "grammars/mlpd/session/file_state.hpp"
#include "validator/sorted_table.hpp"

namespace tracelint::mlpd {

inline constexpr Rule kRootDoubleRegister{
    .id = "mlpd/root-double-register",
    .severity = Severity::note,
    .statement = "a root is unregistered before it is registered again",
    .message = "a root at {0x} is registered already",
    .why = "readers keep one of the two; healthy files have this where thread ids come again",
    .spec = "4.3.9 Handles and roots",
    .since = "0.1.0"};

inline constexpr Rule kRootUnregisterUnknown{
    .id = "mlpd/root-unregister-unknown",
    .severity = Severity::note,
    .statement = "a root that is unregistered was registered before",
    .message = "no root at {0x} is registered",
    .why = "readers have nothing to end; healthy files have this where roots are older than the profiler",
    .spec = "4.3.9 Handles and roots",
    .since = "0.1.0"};

inline constexpr const Rule* kRootRules[] = {&kRootDoubleRegister, &kRootUnregisterUnknown};

class Roots {
  public:
    explicit Roots(FileState& file) : file_(file), live_(file.context.budget, file.context.work) {}

    void enter(uint64_t start, const Spot& event) {
        if (stopped()) return;
        if (live_.find(start) != nullptr) return file_.findings.add(kRootDoubleRegister, event.place(), {start});
        if (!live_.insert({start})) file_.stop(Tracking::roots, event.place());
    }
    void leave(uint64_t start, const Spot& event) {
        if (stopped()) return;
        if (live_.find(start) == nullptr) return file_.findings.add(kRootUnregisterUnknown, event.place(), {start});
        live_.erase(start);
    }

  private:
    struct Root {
        uint64_t key;  // where it starts
    };
    bool stopped() const { return file_.lossy || !file_.tracks(Tracking::roots); }

    FileState& file_;
    SortedTable<Root> live_;
};

}  // namespace tracelint::mlpd
