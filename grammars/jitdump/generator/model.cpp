// The model of jitdump files: which function is loaded where, under which index, what describes it, and when.
#include "grammars/jitdump/generator/model.hpp"

#include "grammars/formats.hpp"
#include "grammars/generators.hpp"
#include "grammars/jitdump/checks/header.hpp"
#include "grammars/jitdump/generator/faults.hpp"
#include "grammars/jitdump/generator/unwinding_sample.hpp"
#include "grammars/jitdump/records.hpp"
#include "grammars/jitdump/samply/generator/model.hpp"
#include "grammars/jitdump/samply/samply.hpp"
#include "validator/generator/record_values.hpp"

namespace tracelint::jitdump {

namespace {

constexpr uint64_t kElfBias = 0x40;  // V8 and LLVM add the size of an ELF header to the addresses of lines
constexpr uint64_t kNearBefore = 128, kNearAfter = 64;  // how far lines may be outside their function, in bytes
constexpr uint64_t kHour = 3'600'000'000'000;           // ns

// ELF machines by byte order. A machine that exists in one order only is paired with one of the same pointer width, so
// that a file and its mirror image differ in nothing but the order.
struct Machine {
    uint64_t little, big;
};
constexpr Machine kMachines[] = {
    {3, 2},     {62, 43},   {62, 43},   {243, 18},  {258, 22},  {4, 4},     {8, 8},           {15, 15},
    {20, 20},   {21, 21},   {40, 40},   {42, 42},   {50, 50},   {93, 93},   {94, 94},         {164, 164},
    {183, 183}, {183, 183}, {189, 189}, {195, 195}, {247, 247}, {252, 252}, {0x9026, 0x9026},
};
// For files whose timestamps are CPU counters: machines whose writers have one (183), and others, which get a note.
constexpr Machine kMachinesOfCounters[] = {{62, 183}, {183, 183}, {183, 183}, {243, 18}, {8, 8}};

constexpr std::string_view kNames[] = {
    "f",
    "jit_add",
    "Builtin:RecordWrite",
    "py::main:/srv/app.py",
    "JS:*~\xc3\xbc"
    "bergr\xc3\xb6\xc3\x9f"
    "e app.js:3:7",
    "\xe6\xbc\xa2\xe5\xad\x97",
    "\xf0\x9f\x8e\x89()",
    "\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf",
    "a b\tc",
    "",
};
constexpr std::string_view kFiles[] = {
    "a.c", "/srv/app.js", "lib/\xc3\xa9t\xc3\xa9.py", "", "node:internal/util", "x",
};
constexpr std::string_view kRepeat("\xff", 1);

struct Function {
    uint64_t address, size, index;
};

class JitdumpModel final : public Model {
  public:
    JitdumpModel(Random& random, const ModelOptions& options) : random_(random) {
        const bool big = one_in(random_, 3);
        layout_.order = options.byte_order.value_or(big ? ByteOrder::big : ByteOrder::little);
        arch_timestamps_ = one_in(random_, 8);
        const Machine& machine = arch_timestamps_ ? pick_of(random_, kMachinesOfCounters) : pick_of(random_, kMachines);
        elf_machine_ = layout_.order == ByteOrder::little ? machine.little : machine.big;
        pid_ = one_in(random_, 8) ? 0xffffffff : between(random_, 1, 100'000);
        clock_ = pick<uint64_t>(random_, {1, 2000, 30'000'000'000'000, 0x1716151413121110, uint64_t{1} << 63});
        next_index_ = pick<uint64_t>(random_, {0, 1, uint64_t{1} << 60, kNone - 4});
        next_address_ = pick<uint64_t>(random_, {0x1000, 0x70000, 0x7f12'3456'7000, uint64_t{1} << 63});
        will_close_ = one_in(random_, 2);
        extension_ = samply::make_model(random_, layout_);
        may_extend_ = options.extensions.value_or(true);
        must_extend_ = options.extensions.value_or(false);
    }

    const Layout& layout() const override { return layout_; }

    const Record* next(uint64_t written, uint64_t wanted) override {
        if (written == 0) return &kHeader;
        if (waiting_.empty() && written >= wanted && !must_extend_)
            return std::exchange(will_close_, false) ? &kClose : nullptr;
        if (waiting_.empty()) plan();
        const Record* record = waiting_.front();
        waiting_.erase(waiting_.begin());
        if (is_extension(record)) extension_->begin();
        advance_clock();
        return record;
    }

    void fill(Value& value, const RecordValues& so_far) override {
        const Record* record = value.leaf.record;
        const std::string_view field = value.leaf.field->name;
        if (record == &kHeader) return fill_header(field, value);
        if (record == &kDebugEntry) return fill_entry(field, value);
        if (field == "padding") std::fill(value.text.begin(), value.text.end(), '\0');
        if (field == "timestamp") return set(value, clock_);
        if (record == &kLoad) return fill_load(field, value);
        if (record == &kMove) return fill_move(field, value);
        if (record == &kDebugInfo && field == "code_addr") return set(value, function_.address);
        if (record == &kUnwindingInfo) return fill_unwinding(field, value);
        if (is_extension(so_far.record)) extension_->fill(value, so_far);
    }

    uint64_t size_of(const Field& field, const RecordValues& so_far) override {
        if (is_extension(so_far.record)) return extension_->size_of(field, so_far);
        if (field.name == "code") return function_.size;
        if (field.name == "entries") return lines_.size();
        if (field.name == "padding") return one_in(random_, 2) ? 0 : below(random_, 8);
        return 0;  // the unwinding data is already there
    }

    std::string padding_of(const Field& list, const RecordValues& so_far) override {
        return is_extension(so_far.record) ? extension_->padding_of(list, so_far) : std::string();
    }

  private:
    static bool is_extension(const Record* record) {
        return std::ranges::find(samply::kExtension.grammar->records, record) !=
               samply::kExtension.grammar->records.end();
    }

    static void set(Value& value, uint64_t number) { value.leaf.number = number; }
    static void set(Value& value, std::string_view text) { value.text = std::string(text) + '\0'; }

    void advance_clock() {
        if (one_in(random_, 4)) return;  // equal timestamps are in order
        clock_ += one_in(random_, 32) ? 2 * kHour : between(random_, 1, 100'000);
    }

    // Plans a function with the records that describe it, or a MOVE.
    void plan() {
        if (!loaded_.empty() && one_in(random_, 4)) return plan_move();
        plan_function();
    }

    void plan_function() {
        function_.size = one_in(random_, 8)    ? 0
                         : one_in(random_, 16) ? between(random_, 200, 2000)
                                               : between(random_, 1, 64);
        function_.address = draw_address(function_.size);
        function_.index = next_index_;
        next_index_ += one_in(random_, 8) ? between(random_, 1, 5) : 1;
        loaded_.push_back(function_);
        if (one_in(random_, 2)) {
            plan_lines();
            waiting_.push_back(&kDebugInfo);
        }
        if (one_in(random_, 2)) {
            unwinding_ = make_unwinding(random_, layout_.order, pointer_width_of(elf_machine_), function_.size);
            waiting_.push_back(&kUnwindingInfo);
        }
        if (may_extend_) plan_extension();
        waiting_.push_back(&kLoad);
    }

    void plan_extension() {
        std::vector<const Record*> records;
        do records = extension_->plan({function_.address, function_.size});
        while (must_extend_ && records.empty());
        must_extend_ = false;
        mix_in(records);
    }

    // Inserts the records at random places among those that wait, and keeps their order.
    void mix_in(const std::vector<const Record*>& records) {
        size_t at = 0;
        for (const Record* record : records) {
            at += below(random_, waiting_.size() - at + 1);
            waiting_.insert(waiting_.begin() + static_cast<std::ptrdiff_t>(at++), record);
        }
    }

    void plan_move() {
        moving_ = &pick_of(random_, loaded_);
        waiting_.push_back(&kMove);
    }

    uint64_t draw_address(uint64_t size) {
        if (size == 0 && one_in(random_, 4)) return 0;
        if (one_in(random_, 12)) return kNone - size + 1 == 0 ? kNone : kNone - size + 1;  // ends exactly at 2^64
        // Code may replace other code: no record says that a function was removed.
        if (!loaded_.empty() && one_in(random_, 8)) {
            const uint64_t reused = pick_of(random_, loaded_).address;
            if (reused != 0 && !ends_above_2_64(reused, size)) return reused;
        }
        const uint64_t address = next_address_ + (one_in(random_, 4) ? below(random_, 16) : 0);
        next_address_ = address + size + below(random_, 300);
        return address;
    }

    void fill_header(std::string_view field, Value& value) {
        if (field == "elf_mach") set(value, elf_machine_);
        if (field == "pad1" && one_in(random_, 6)) set(value, 0xdeadbeef);  // every file of V8
        if (field == "pid") set(value, pid_);
        if (field == "timestamp") set(value, one_in(random_, 6) ? random_() : clock_);
        if (field == "flags") set(value, arch_timestamps_ ? 1 : 0);
    }

    void fill_load(std::string_view field, Value& value) {
        if (field == "pid") set(value, pid_);
        if (field == "tid") set(value, below(random_, 4) ^ pid_);
        if (field == "vma") set(value, one_in(random_, 12) ? 0 : function_.address);
        if (field == "code_addr") set(value, function_.address);
        if (field == "code_index") set(value, function_.index);
        if (field == "name")
            set(value, one_in(random_, 32) ? std::string(300, 'n') : std::string(pick_of(random_, kNames)));
    }

    void fill_move(std::string_view field, Value& value) {
        if (field == "vma") {
            target_ = one_in(random_, 8) ? moving_->address : draw_address(moving_->size);
            set(value, one_in(random_, 12) ? 0 : target_);
        }
        if (field == "pid") set(value, pid_);
        if (field == "tid") set(value, below(random_, 4) ^ pid_);
        if (field == "old_code_addr") set(value, std::exchange(moving_->address, target_));
        if (field == "new_code_addr") set(value, target_);
        if (field == "code_size") set(value, moving_->size);
        if (field == "code_index") set(value, moving_->index);
    }

    // Draws addresses of lines in ascending order.
    void plan_lines() {
        const uint64_t start = function_.address, end = saturating_add(start, function_.size);
        uint64_t low = start, high = end;
        const uint64_t kind = below(random_, 5);
        const bool biased = kind == 0 && end < kNone - kElfBias;
        if (biased) low += kElfBias, high += kElfBias;
        if (kind == 1) low = saturating_sub(start, kNearBefore), high = saturating_add(end, kNearAfter);
        lines_.clear();
        for (uint64_t left = below(random_, 7); left > 0; --left) lines_.push_back(between(random_, low, high));
        std::sort(lines_.begin(), lines_.end());
        if (!lines_.empty() && one_in(random_, 2)) lines_.front() = low;
        if (lines_.size() > 1 && one_in(random_, 4)) lines_.back() = high;
        has_terminator_ = kind == 2;
        if (has_terminator_) lines_.push_back(end);  // other lines of kind 2 are within the function
    }

    void fill_entry(std::string_view field, Value& value) {
        const uint64_t number = value.leaf.element;
        const bool terminator = has_terminator_ && number + 1 == lines_.size();
        if (field == "addr") set(value, lines_[number]);
        if (field == "line")
            set(value, terminator || one_in(random_, 16) ? 0
                       : one_in(random_, 16)             ? 0x7fffffff
                                                         : between(random_, 1, 5000));
        if (field != "name") return;
        const bool repeat = number > 0 && one_in(random_, 3);
        set(value, terminator ? std::string_view{} : repeat ? kRepeat : pick_of(random_, kFiles));
    }

    void fill_unwinding(std::string_view field, Value& value) {
        const uint64_t size = unwinding_.data.size();
        if (field == "eh_frame_hdr_size") set(value, unwinding_.header_size);
        if (field == "mapped_size") set(value, pick<uint64_t>(random_, {0, size, (size + 15) / 16 * 16}));
        if (field == "data") value.text = unwinding_.data;
    }

    Random& random_;
    Layout layout_;
    bool arch_timestamps_ = false, will_close_ = false;
    bool may_extend_ = true, must_extend_ = false;  // write records of the extension; must: before the file ends
    uint64_t elf_machine_ = 0, pid_ = 0, clock_ = 0;
    uint64_t next_index_ = 0, next_address_ = 0;
    std::vector<const Record*> waiting_;  // records of the current plan

    std::vector<Function> loaded_;  // at their current addresses
    Function function_{};           // the function that the waiting records belong to
    std::vector<uint64_t> lines_;
    bool has_terminator_ = false;
    UnwindingSample unwinding_;
    std::unique_ptr<ExtensionModel> extension_;
    Function* moving_ = nullptr;
    uint64_t target_ = 0;  // of the MOVE
};

}  // namespace

std::unique_ptr<Model> make_model(Random& random, const ModelOptions& options) {
    return std::make_unique<JitdumpModel>(random, options);
}

}  // namespace tracelint::jitdump

namespace tracelint {

// The generator of the format: its model and its faults.

namespace jitdump {
namespace {

constexpr const FaultList* kFaults[] = {
    &faults::kFramingFaults,          &faults::kCodeFaults,         &faults::kDebugInfoFaults,
    &faults::kUnwindingFaults,        &faults::kFrameFaults,        &samply::faults::kSharedFaults,
    &samply::faults::kPendingFaults,  &samply::faults::kTreeFaults, &samply::faults::kNestingFaults,
    &samply::faults::kPositionFaults,
};

}  // namespace
}  // namespace jitdump

constinit const Generator kJitdumpGenerator{
    .format = &kJitdump, .model = jitdump::make_model, .faults = jitdump::kFaults};

}  // namespace tracelint
