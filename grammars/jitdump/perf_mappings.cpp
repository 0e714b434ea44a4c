// perf 6.1 keeps the mappings of a process in a tree, sorted by their start. A new one cuts all that it overlaps, one
// after the other: of what lies before its start it makes a mapping again, and adds it after those with the same start.
// With two of those it never comes to an end.
#include "grammars/jitdump/perf_mappings.hpp"

#include <map>

#include "grammars/jitdump/header.hpp"
#include "validator/view.hpp"
#include "validator/window.hpp"

namespace tracelint::jitdump {

constinit const Rule kPerfEmptyCode{
    .id = "reader/perf-empty-code",
    .severity = Severity::error,
    .statement = "perf takes functions without code if no other function has the same address",
    .message = "perf may hang at this function: a function without code begins inside the one that it overlaps",
    .why =
        "perf cuts the mappings of both before it adds this one, and where they begin at one address it may do so "
        "without end; leave out functions of code_size 0",
    .spec = "grammars/jitdump/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

namespace {

class Mappings {
  public:
    explicit Mappings(Budget& budget) : budget_(budget) {}
    ~Mappings() { budget_.give_back(paid_); }
    Mappings(const Mappings&) = delete;
    Mappings& operator=(const Mappings&) = delete;

    enum class Added : uint8_t { done, hangs, no_memory };
    Added add(uint64_t start, uint64_t size) {
        if (size > ~start) return Added::done;
        if (!budget_.take(2 * kCost)) return Added::no_memory;  // for it, and for what is left of another one after it
        paid_ += 2 * kCost;
        const uint64_t end = start + size;
        auto next = starts_.lower_bound(start);
        if (next != starts_.begin()) {
            const auto before = std::prev(next);
            const uint64_t old_end = before->second.end;
            if (old_end > start) {
                if (before->second.has_empty) return Added::hangs;
                before->second.end = start;
                if (old_end > end) starts_[end].end = old_end;
            }
        }
        while (next != starts_.end() && next->first < end) {
            const uint64_t old_end = next->second.end;
            next = starts_.erase(next);
            if (old_end > end) starts_[end].end = old_end;
        }
        if (size == 0)
            starts_[start].has_empty = true;
        else
            starts_[start].end = end;
        return Added::done;
    }

  private:
    // The mappings that begin at one address.
    struct Start {
        uint64_t end = 0;  // of one that has bytes; 0: there is none
        bool has_empty = false;
    };
    static constexpr uint64_t kCost = sizeof(std::pair<const uint64_t, Start>) + 5 * sizeof(void*);

    Budget& budget_;
    uint64_t paid_ = 0;
    std::map<uint64_t, Start> starts_;
};

class PerfWalk {
  public:
    PerfWalk(const ReaderFile& file, Window& trace, Budget& budget)
        : order_(file.identity.byte_order.value_or(ByteOrder::little)), trace_(trace), mappings_(budget) {}

    std::optional<Forecast> run() {
        const Bytes opening = trace_.view(0, fixed_size(kHeader));
        if (opening.size() < fixed_size(kHeader)) return std::nullopt;
        uint64_t at = View<kHeader>(opening.data(), 0, order_, 0).get<"total_size">();
        for (uint64_t size = 0;; at += size) {
            const Bytes bytes = trace_.view(at, kMost);
            if (bytes.size() < fixed_size(kPrefix)) return std::nullopt;
            const View<kPrefix> prefix(bytes.data(), at, order_, 0);
            size = prefix.get<"total_size">();
            if (size < fixed_size(kPrefix) || prefix.get<"id">() == kCloseId) return std::nullopt;
            const auto added = take(prefix.get<"id">(), bytes.first(std::min<uint64_t>(bytes.size(), size)));
            if (added == Mappings::Added::no_memory) return std::nullopt;
            if (added == Mappings::Added::hangs)
                return Forecast{.outcome = ReaderOutcome::may_crash,
                                .rule = &kPerfEmptyCode,
                                .offset = at,
                                .length = size,
                                .of_one_fault = true};
        }
    }

  private:
    static constexpr size_t kMost = minimum_size(kMove);  // bytes of a record that are looked at

    Mappings::Added take(uint64_t id, Bytes record) {
        if (id == kUnwindingInfoId && record.size() >= minimum_size(kUnwindingInfo))
            unwinding_ = View<kUnwindingInfo>(record.data(), 0, order_, 0).get<"mapped_size">();
        if (id == kLoadId && record.size() >= minimum_size(kLoad)) {
            const View<kLoad> load(record.data(), 0, order_, 0);
            return mappings_.add(load.get<"code_addr">(),
                                 mapped(load.get<"code_size">(), std::exchange(unwinding_, 0)));
        }
        if (id == kMoveId && record.size() >= minimum_size(kMove)) {
            const View<kMove> move(record.data(), 0, order_, 0);
            return mappings_.add(move.get<"new_code_addr">(), mapped(move.get<"code_size">(), unwinding_));
        }
        return Mappings::Added::done;
    }

    // The unwinding data comes after the code, at a multiple of 8.
    static uint64_t mapped(uint64_t code, uint64_t unwinding) {
        return unwinding == 0 ? code : (code + 7) / 8 * 8 + unwinding;
    }

    const ByteOrder order_;
    Window& trace_;
    Mappings mappings_;
    uint64_t unwinding_ = 0;
};

}  // namespace

std::optional<Forecast> follow_perf_mappings(const ReaderFile& file, Window& trace, Budget& budget) {
    if (file.container != Container::none) return std::nullopt;
    return PerfWalk(file, trace, budget).run();
}

}  // namespace tracelint::jitdump
