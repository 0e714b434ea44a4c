// Wraps a source that a caller wrote.
#pragma once

#include <optional>

#include "tracelint/source.hpp"
#include "validator/tables/bytes.hpp"

namespace tracelint {

// What a source throws, and a read that says it gave more than it was asked for, become failed reads.
class GuardedSource final : public Source {
  public:
    // `inner` must outlive this.
    explicit GuardedSource(Source& inner) : inner_(inner) {}

    size_t read(uint8_t* to, size_t bytes) override;
    bool seek(uint64_t offset) override;
    uint64_t size() const override;
    std::string failure() const override;
    bool is_cut() const override;
    bool has_changed() const override;
    void end_waiting_at(int descriptor) override;

  private:
    template <class Call, class Value>
    Value guarded(Call call, Value otherwise) const;
    void fail(const char* what) const;

    Source& inner_;
    // Const functions can also fail.
    mutable bool failed_ = false;
    mutable std::string failure_;
};

}  // namespace tracelint
