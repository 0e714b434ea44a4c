// perf 6.1 and the features of a recording.
#include "grammars/perfdata/perf_features.hpp"

#include <algorithm>

#include "grammars/perfdata/perfdata.hpp"

namespace tracelint::perfdata {
namespace {

constexpr unsigned kCpuTopologyFeature = 13, kNumaTopologyFeature = 14, kPmuMappingsFeature = 16;
constexpr uint64_t kTableEntry = 16;
constexpr uint64_t kBuildIdNameAt = fixed_offset(kBuildIdEntry, "filename", {});
constexpr uint64_t kRoomForName = 8201;    // bytes of the stack that are not looked at again: two buffers of 4096
constexpr uint64_t kMostOfHeap = 1 << 16;  // bytes that are surely there

// What comes before the first NUL.
std::string_view without_nul(std::string_view text) { return text.substr(0, text.find('\0')); }

// perf reads one field after the other, up to the end of the file, whatever the size of the section.
class Fields {
  public:
    Fields(FollowContext& context, Bytes bytes, uint64_t at, ByteOrder order)
        : context_(context), bytes_(bytes), at_(at), order_(order) {}

    uint64_t left() const { return at_ > bytes_.size() ? 0 : bytes_.size() - at_; }
    bool take(unsigned width, uint64_t& value) {
        if (left() < width || !context_.spend(width)) return false;
        value = load(bytes_.data() + at_, width, order_);
        at_ += width;
        return true;
    }
    bool skip(unsigned width) {
        uint64_t value;
        return take(width, value);
    }
    bool take_text(std::string_view& text) {
        uint64_t size = 0;
        if (!take(4, size) || size > left()) return false;
        text = {reinterpret_cast<const char*>(bytes_.data() + at_), static_cast<size_t>(size)};
        at_ += size;
        return true;
    }
    // A count and that many texts. `counted` grows by the size that perf computes for them: it assumes that each text
    // is padded to 64 bytes, as perf writes it.
    bool skip_texts(uint64_t& counted) {
        constexpr uint64_t kFilledTo = 64;
        uint64_t count = 0;
        std::string_view text;
        if (!take(4, count)) return false;
        counted += 4;
        for (; count > 0; --count) {
            if (!take_text(text)) return false;
            const uint64_t length = std::min(text.find('\0'), text.size());
            counted += 4 + (length + kFilledTo) / kFilledTo * kFilledTo;
        }
        return true;
    }
    bool skip_texts() {
        uint64_t counted = 0;
        return skip_texts(counted);
    }

  private:
    FollowContext& context_;
    Bytes bytes_;
    uint64_t at_;
    ByteOrder order_;
};

// On these architectures firmware chooses the socket numbers, and perf accepts any.
bool has_free_sockets(std::string_view architecture) {
    return architecture.starts_with("s390") || architecture.starts_with("aarch64");
}

// What comes after the threads is newer, and may be left out.
bool is_cpu_topology(Fields fields, uint64_t size, uint64_t processors, bool has_free_sockets) {
    uint64_t counted = 0;
    if (!fields.skip_texts(counted) || !fields.skip_texts(counted)) return false;
    if (counted >= size) return true;
    uint64_t socket = 0;
    for (uint64_t i = 0; i < processors; ++i) {
        if (!fields.skip(4) || !fields.take(4, socket)) return false;
        if (!has_free_sockets && socket != 0xffff'ffff && socket > processors) return false;
    }
    if (counted + 8 * processors >= size) return true;
    if (!fields.skip_texts()) return false;
    for (uint64_t i = 0; i < processors; ++i)
        if (!fields.skip(4)) return false;
    return true;
}

bool is_numa_topology(Fields fields) {
    uint64_t nodes = 0;
    std::string_view processors;
    if (!fields.take(4, nodes)) return false;
    for (; nodes > 0; --nodes) {
        if (!fields.skip(4) || !fields.skip(8) || !fields.skip(8) || !fields.take_text(processors)) return false;
        if (!processors.empty() && processors[0] != '\0' && (processors[0] < '0' || processors[0] > '9')) return false;
    }
    return true;
}

bool is_x86(std::string_view name) {
    return name.starts_with("x86") || (name.size() == 4 && name[0] == 'i' && name.substr(2) == "86");
}

}  // namespace

void PerfFeatures::take_sections(Bytes file, uint64_t at, uint64_t bits) {
    if (at > file.size()) return;
    for (unsigned bit = 0; bit < 64; ++bit) {
        if ((bits >> bit & 1) == 0) continue;
        if (file.size() - at < kTableEntry) return;
        const uint64_t offset = load(file.data() + at, 8, order_), size = load(file.data() + at + 8, 8, order_);
        at += kTableEntry;
        if (bit == kBuildIdFeature ? !take_build_ids(file, offset, size) : !take(bit, file, offset, size)) return;
    }
}

bool PerfFeatures::take(unsigned feature, Bytes bytes, uint64_t at, uint64_t size) {
    Fields fields(context_, bytes, at, order_);
    std::string_view text;
    uint64_t number = 0;
    if (section_of(feature) == &kTextFeature) {
        if (!fields.take_text(text)) return false;
        if (feature != kArchFeature && feature != kCpuIdFeature) return true;
        (feature == kArchFeature ? architecture_ : processor_) = without_nul(text);
        if (!context_.spend(text.size())) return false;
        return true;
    }
    switch (feature) {
        case kNrCpusFeature: return fields.take(4, processors_) && fields.skip(4);
        case kTotalMemFeature:
        case kClockIdFeature: return fields.skip(8);
        case kSampleTimeFeature: return fields.skip(8) && fields.skip(8);
        case kCmdlineFeature: return fields.skip_texts();
        case kCpuTopologyFeature:
            return is_cpu_topology(fields, size, processors_, has_free_sockets(architecture_.value_or("")));
        case kNumaTopologyFeature: return is_numa_topology(fields);
        case kPmuMappingsFeature: return take_pmu_names(bytes, at);
        case kCompressedFeature: {
            const bool is_whole = fields.skip(8) && fields.skip(8) && fields.take(4, number);
            if (is_whole) most_plain_ = number;
            return is_whole;
        }
        case kClockDataFeature:
            return fields.take(4, number) && number == 1 && fields.skip(4) && fields.skip(8) && fields.skip(8);
        default: return true;
    }
}

// It reads the name of each file into one buffer of its stack.
bool PerfFeatures::take_build_ids(Bytes file, uint64_t at, uint64_t size) {
    for (const uint64_t start = at; at - start < size;) {
        if (at > file.size() || file.size() - at < kBuildIdNameAt) return true;
        if (!context_.spend(kBuildIdNameAt)) return false;
        const uint64_t own = load(file.data() + at + 6, 2, order_), left = file.size() - at;
        if (std::min(own, left) > kBuildIdNameAt + kRoomForName) {
            overrun_ = {ReaderOutcome::crashes, at};
            return false;
        }
        if (own < kBuildIdNameAt || own > left) return true;
        at += own;
    }
    return true;
}

// It keeps how many there are before it reads them.
bool PerfFeatures::take_pmu_names(Bytes bytes, uint64_t at) {
    Fields fields(context_, bytes, at, order_);
    uint64_t count = 0;
    std::string_view text;
    if (!fields.take(4, count)) return false;
    pmu_names_at_ = at;
    unread_pmu_names_ = count;
    for (; count > 0; --count)
        if (!fields.skip(4) || !fields.take_text(text)) return false;
    unread_pmu_names_ = 0;
    return true;
}

// On AMD's processors it goes through so many names of PMUs; if it could not read them, those of this machine.
std::optional<PerfFeatures::Overrun> PerfFeatures::later_overrun() const {
    if (unread_pmu_names_ <= kMostOfHeap || !is_x86(architecture_.value_or("x86"))) return std::nullopt;
    if (!processor_) return Overrun{ReaderOutcome::may_crash, pmu_names_at_};
    if (!processor_->starts_with("AuthenticAMD")) return std::nullopt;
    return Overrun{ReaderOutcome::crashes, pmu_names_at_};
}

}  // namespace tracelint::perfdata
