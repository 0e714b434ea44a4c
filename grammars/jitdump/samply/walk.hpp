// samply, section 4: samply's records in a jitdump, as an extension of the walk over that file.
//
// jitdump's walk passes on every record that it does not know, and reports each LOAD, DEBUG_INFO and CLOSE, and the
// end. A DEBUG_INFO2 describes the function whose LOAD follows, so it waits: it is kept, and checked when the LOAD
// shows its address and size. At most one record waits at a time.
//
// The machine (machine.hpp, "the wait for a LOAD") says how a wait begins and ends. Two producers use id 827346260 for
// different records, so the body decides which of them it is (section 2.1), or the option --samply-260. A fault never
// moves the walk: jitdump steps over the record by its total_size.
#pragma once

#include "grammars/jitdump/extension.hpp"
#include "grammars/jitdump/samply/checks/lists.hpp"
#include "grammars/jitdump/samply/machine.hpp"

namespace tracelint::samply {

// What records of id 827346260 are (section 2.1), in the order of the choices.
inline constexpr std::string_view kContestedChoices[] = {"auto", "positions", "tier"};
enum class Contested : size_t { decide, positions, tier };
inline constexpr Option kContestedOption{"samply-260", "how to read jitdump records with id 827346260",
                                         kContestedChoices};

class SamplyExtension final : public jitdump::Extension {
  public:
    explicit SamplyExtension(ValidationContext& context);
    ~SamplyExtension() override;

    bool wants_body(uint32_t id) const override { return may_wait(id); }
    void record(const Record& record) override;
    void debug_info() override;
    void load(const Load& load) override;
    void close() override;
    void end(bool cut) override;

  private:
    // The records of one id that are not checked.
    struct Opaque {
        uint64_t count = 0;
        Place first;
    };

    bool may_wait(uint32_t id) const;
    bool is_opaque(const Record& record);
    void note_opaque(const Record& record);
    void keep(const Record& record);
    void release();
    std::optional<uint64_t> code_addr_of_kept() const;
    Event arrival() const;
    bool is_built_like_positions() const;
    void take(Event event, const Load& load = {});
    void end_wait(Wait wait, Event event, const Rule* rule, const Load& load);
    void report_end(Wait wait, Event event, const Rule& rule, const Load& load);
    void check_body(bool is_misplaced);
    void report_limit();
    void report_opaque();
    Place kept_record() const;

    ValidationContext& context_;
    Contested contested_;
    Wait wait_ = Wait::none;
    uint32_t id_ = 0;  // of the record that waits
    Info2 info_;       // the record that waits; its bytes are in kept_
    PagedVector<uint8_t> kept_;
    ScratchMemory scratch_;                         // of the checks of a body
    uint64_t charged_ = 0;                          // bytes charged to the budget for kept_
    std::optional<uint64_t> code_addr_;             // that the waiting record names
    std::optional<uint64_t> previous_code_addr_;    // of the last LOAD
    bool has_debug_info_ = false;                   // since the last LOAD or CLOSE
    std::array<Opaque, std::size(kIds)> opaque_{};  // in the order of kIds
};

extern const RuleList kExtensionRules;

}  // namespace tracelint::samply
