// Finds the records of a jitdump file by their ids and sizes (section 4.1), without checking them.
#include "grammars/jitdump/checks/header.hpp"
#include "grammars/jitdump/jitdump.hpp"
#include "grammars/jitdump/samply/samply.hpp"

namespace tracelint::jitdump {
namespace {

const Record& record_of(uint64_t id) {
    for (const Record* record : RecordList{&kLoad, &kMove, &kDebugInfo, &kClose, &kUnwindingInfo})
        if (record->tag == id) return *record;
    return kOther;
}

class JitdumpFramer final : public Framer {
  public:
    explicit JitdumpFramer(const Settings& settings) : settings_(settings) {}

    Frame next(Bytes bytes) override {
        if (!at_header_) return next_record(bytes);
        at_header_ = false;
        return header(bytes);
    }

  private:
    Frame header(Bytes bytes) {
        const uint64_t size = fixed_size(kHeader);
        if (bytes.size() < size) return {};
        const std::optional<ByteOrder> order = order_of_file(bytes);
        if (!order) return {};
        layout_.order = *order;
        const uint64_t claimed = View<kHeader>(bytes.data(), 0, *order, kNone).get<"total_size">();
        return {&kHeader, is_plausible_prefix(bytes.subspan(size), *order) ? size : std::max(size, claimed)};
    }

    Frame next_record(Bytes bytes) const {
        if (bytes.size() < fixed_size(kPrefix)) return {};
        const View<kPrefix> prefix(bytes.data(), 0, layout_.order, 0);
        const uint64_t size = prefix.get<"total_size">();
        if (size < fixed_size(kPrefix)) return {};
        const uint64_t id = prefix.get<"id">();
        const Record& record = samply::kExtension.owns(id)
                                   ? samply::kExtension.record_of(static_cast<uint32_t>(id), size, settings_)
                                   : record_of(id);
        return {size < minimum_size(record) ? &kOther : &record, size};
    }

    const Settings settings_;
    bool at_header_ = true;
};

}  // namespace

std::unique_ptr<Framer> make_framer(const Settings& settings) { return std::make_unique<JitdumpFramer>(settings); }

}  // namespace tracelint::jitdump
