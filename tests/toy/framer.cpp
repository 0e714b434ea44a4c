// toy, section 3: finds the records of a file without judging them.
#include "tests/toy/toy.hpp"

#include "tests/toy/records.hpp"
#include "validator/tables/view.hpp"

namespace tracelint::toy {
namespace {

class ToyFramer final : public Framer {
  public:
    Frame next(Bytes bytes) override { return std::exchange(at_header_, false) ? header(bytes) : record(bytes); }

  private:
    Frame header(Bytes bytes) {
        const std::optional<ByteOrder> order = order_of(bytes);
        if (!order || bytes.size() < fixed_size(kHeader)) return {};
        layout_.order = *order;
        layout_.version = static_cast<uint16_t>(View<kHeader>(bytes.data(), 0, *order, kNone).get<"version">());
        return {&kHeader, fixed_size(kHeader)};
    }

    Frame record(Bytes bytes) const {
        if (bytes.size() < fixed_size(kPrefix)) return {};
        const View<kPrefix> prefix(bytes.data(), 0, layout_.order, 0);
        const uint64_t size = prefix.get<"size">();
        if (size < fixed_size(kPrefix)) return {};
        return {&record_of(prefix.get<"kind">()), size};
    }

    bool at_header_ = true;
};

}  // namespace

std::unique_ptr<Framer> make_framer(const Settings&) { return std::make_unique<ToyFramer>(); }

}  // namespace tracelint::toy
