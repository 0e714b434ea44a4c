// perf map: functions at ascending addresses, some of which reuse the memory of earlier ones, in the manner of one of
// the producers (section 7).
#include "grammars/perfmap/generator/model.hpp"

#include "grammars/formats.hpp"
#include "grammars/generators.hpp"
#include "grammars/perfmap/records.hpp"
#include "validator/generator/planned_record.hpp"

namespace tracelint::perfmap {

namespace {

constexpr uint64_t kLargestStep = 0x4000, kLargestCode = 0x2000;
constexpr uint64_t kSmallestCode = 0x10;
// The map is recognised by its lines (section 2). The first one has letters and digits in its START and a decimal digit
// in its SIZE; and a program generates so many functions side by side before it frees any.
constexpr uint64_t kLetters = 0xa000, kLastDigit = 0xf;
constexpr uint64_t kUnfreed = 8;
// The first line ends within the bytes that a file is recognised by.
constexpr uint64_t kLongestRun = 4000;

// How a producer writes its numbers.
struct Style {
    std::string_view start_prefix, size_prefix;
    bool is_padded = false;  // to 16 digits
    bool is_upper = false;
};
constexpr Style kStyles[] = {
    {"", "", false, false},     // V8, PHP, Mono
    {"0x", "", false, false},   // Erlang
    {"0x", "0x", true, false},  // OpenJDK
    {"", "", true, true},      {"0X", "0X", false, true},
};

class PerfmapModel final : public PlannedModel {
  public:
    explicit PerfmapModel(Random& random) : PlannedModel(random), style_(pick_of(random, kStyles)) {
        next_start_ = (between(random, 0x1000, uint64_t{1} << 47) | kLetters) & ~kLastDigit;
    }

  private:
    void plan(uint64_t written, uint64_t wanted) override {
        if (written != 0 && written >= wanted) return;
        const bool is_first = functions_ == 0, frees = functions_++ >= kUnfreed;
        if (frees && one_in(random_, 10))
            next_start_ -= below(random_, std::min(next_start_ - 0x1000, kLargestStep) + 1);
        const uint64_t start = next_start_;
        const uint64_t largest = frees && one_in(random_, 20) ? uint64_t{1} << 30 : kLargestCode;
        uint64_t size = between(random_, kSmallestCode, largest);
        if (is_first) size &= ~kLastDigit;
        next_start_ += std::min(size, kLargestCode) + below(random_, kLargestStep);
        std::string line = number(style_.start_prefix, start) + ' ' + number(style_.size_prefix, size) + ' ';
        line += name();
        waiting_.push_back(PlannedRecord(kLine).bytes("text", line + '\n'));
    }

    std::string number(std::string_view prefix, uint64_t value) const {
        std::string digits;
        for (; value != 0 || digits.empty(); value >>= 4)
            digits.insert(digits.begin(), (style_.is_upper ? "0123456789ABCDEF" : "0123456789abcdef")[value & 15]);
        if (style_.is_padded) digits.insert(0, 16 - digits.size(), '0');
        return std::string(prefix) + digits;
    }

    std::string name() {
        static constexpr std::string_view kNames[] = {
            "JS:*fibonacci /app/main.js:3:19",
            "Builtin:ArrayMap",
            "TRACE-12$main$30",
            "$global::new_heap",
            "java.util.HashMap::put",
            "std::vector<int, A<int> >::at(unsigned)",
            "Interpreter",
            "r\xc3\xa9solu",
            "\xe5\x87\xbd\xe6\x95\xb0",
        };
        std::string text(pick_of(random_, kNames));
        if (one_in(random_, 3)) text += std::to_string(below(random_, 1'000'000));
        if (one_in(random_, 200)) text += std::string(between(random_, 1, kLongestRun), 'x');
        return text;
    }

    Style style_;
    uint64_t next_start_ = 0;  // of the next function, unless it reuses memory
    uint64_t functions_ = 0;   // so far
};

}  // namespace

std::unique_ptr<Model> make_model(Random& random, const ModelOptions&) {
    return std::make_unique<PerfmapModel>(random);
}

}  // namespace tracelint::perfmap

namespace tracelint {

// perf map: what makes files, as the engine sees it.

namespace perfmap {
namespace {

constexpr const FaultList* kFaults[] = {&kLineFaults, &kNumberFaults, &kNameFaults};

}  // namespace
}  // namespace perfmap

constinit const Generator kPerfmapGenerator{
    .format = &kPerfmap, .model = perfmap::make_model, .faults = perfmap::kFaults};

}  // namespace tracelint
