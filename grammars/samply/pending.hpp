// samply, section 4: what waits for a LOAD, and what is done when the wait is over.
#pragma once

#include "grammars/jitdump/extension.hpp"
#include "grammars/samply/lists.hpp"
#include "grammars/samply/machine.hpp"

namespace tracelint::samply {

// Section 2: 827346260 has two owners. The order is that of the choices.
inline constexpr std::string_view kContestedChoices[] = {"auto", "positions", "tier"};
enum class Contested : size_t { decide, positions, tier };
inline constexpr Option kContestedOption{
    "samply-260", "what jitdump records of id 827346260 are: DEBUG_INFO2 positions, or JIT_TIER", kContestedChoices};

class Pending final : public jitdump::Extension {
  public:
    explicit Pending(ValidationContext& context);
    ~Pending() override;

    bool wants_body(uint32_t id) const override { return may_wait(id); }
    void record(const Record& record) override;
    void debug_info() override;
    void load(const Load& load) override;
    void close() override;
    void end(bool cut) override;

  private:
    // Records of one id that are not looked into.
    struct Opaque {
        uint64_t count = 0;
        Place first;
    };

    // What may end a wait.
    struct Event {
        Symbol symbol;
        Load load{};  // if it is one
    };

    bool may_wait(uint32_t id) const;
    bool is_opaque(const Record& record);
    void note_opaque(const Record& record);
    void keep(const Record& record);
    void release();
    void take(const Event& event);
    void end_wait(const Event& event, const Rule* rule);
    bool is_positions(const Event& event) const;
    bool is_built_like_positions() const;
    void say_unrecognised();
    bool say_binding(const Event& event, const Rule* rule, bool positions);
    void check_body(bool positions, bool bound_wrongly);
    std::optional<uint64_t> own_code_addr() const;
    void say_opaque();

    ValidationContext& context_;
    Contested contested_;
    Wait wait_ = Wait::none;
    uint32_t id_ = 0;  // of the record that waits
    Info2 info_;       // its bytes are in kept_
    std::vector<uint8_t> kept_;
    uint64_t charged_ = 0;                          // taken from the budget for kept_
    bool has_debug_info_ = false;                   // D1: since the last LOAD or CLOSE
    std::optional<uint64_t> code_addr_before_;      // of the last LOAD
    std::array<Opaque, std::size(kIds)> opaque_{};  // in the order of kIds
};

}  // namespace tracelint::samply
