// mlpd, section 4.3.9: GC handles.
#pragma once

#include "grammars/mlpd/session/file_state.hpp"
#include "validator/sorted_table.hpp"

namespace tracelint::mlpd {

class Handles {
  public:
    explicit Handles(FileState& file) : file_(file), live_(file.context.budget, file.context.work) {}

    void create(uint64_t type, uint64_t handle, const Spot& event);
    void destroy(uint64_t type, uint64_t handle, const Spot& event);

  private:
    // Slots are reused: a number alone identifies no handle.
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

extern const RuleList kHandleRules;

}  // namespace tracelint::mlpd
