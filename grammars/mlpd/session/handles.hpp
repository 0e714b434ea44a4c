// mlpd, sections 4.3 and 5, rule 93: GC handles.
#pragma once

#include "grammars/mlpd/session/file_state.hpp"
#include "validator/sorted_table.hpp"

namespace tracelint::mlpd {

inline constexpr Rule kHandleDestroyUnknown{
    .id = "mlpd/handle-destroy-unknown",
    .severity = Severity::note,
    .statement = "a GC handle that is destroyed was created before",
    .message = "handle {1} of type {0} is destroyed, and none is live",
    .why = "readers count one handle too few; usual where handles were created before the profiler began",
    .spec = "4.3.9 Handles and roots",
    .since = "0.1.0"};

inline constexpr Rule kHandleDoubleCreate{.id = "mlpd/handle-double-create",
                                          .severity = Severity::note,
                                          .statement = "a GC handle is destroyed before it is created again",
                                          .message = "handle {1} of type {0} is created, and one is live",
                                          .why = "readers count a leaked handle that is none",
                                          .spec = "4.3.9 Handles and roots",
                                          .since = "0.1.0"};

inline constexpr const Rule* kHandleRules[] = {&kHandleDestroyUnknown, &kHandleDoubleCreate};

class Handles {
  public:
    explicit Handles(FileState& file) : file_(file), live_(file.context.budget, file.context.work) {}

    void create(uint64_t type, uint64_t handle, const Spot& event) {
        if (stopped()) return;
        const Handle::Key key{type, handle};
        if (live_.find(key) != nullptr) return file_.findings.add(kHandleDoubleCreate, event.place(), {type, handle});
        if (!live_.insert({key})) file_.stop(Tracking::handles, event.place());
    }
    void destroy(uint64_t type, uint64_t handle, const Spot& event) {
        if (stopped()) return;
        const Handle::Key key{type, handle};
        if (live_.find(key) == nullptr) return file_.findings.add(kHandleDestroyUnknown, event.place(), {type, handle});
        live_.erase(key);
    }

  private:
    // Slots are used again: the number alone names no handle.
    struct Handle {
        struct Key {
            uint64_t type, handle;
            auto operator<=>(const Key&) const = default;
        } key;
    };
    bool stopped() const { return file_.lossy || !file_.tracks(Tracking::handles); }

    FileState& file_;
    SortedTable<Handle> live_;
};

}  // namespace tracelint::mlpd
