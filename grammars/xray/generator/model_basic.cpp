// The model of basic files: the calls of threads and their arguments.
#include "grammars/xray/generator/model_plan.hpp"

namespace tracelint::xray {
namespace {

constexpr uint64_t kLargestBasicId = 0x7fffffff;

struct BasicThread {
    uint64_t pid, tid, cpu, tsc;
    Calls calls;
};

class BasicModel final : public FamilyModel {
  public:
    BasicModel(Random& random, ByteOrder order) : FamilyModel(random, order) {
        layout_.version = static_cast<uint16_t>(between(random_, 1, kNewestBasic));
        const uint64_t pid = between(random_, 1, 100'000);
        const uint64_t tsc = pick<uint64_t>(random_, {0, 1'000'000'000'000, uint64_t{1} << 63, kNone - 10'000});
        for (uint64_t number = 0, count = between(random_, 1, 4); number < count; ++number) {
            const Calls calls(random_, kLargestBasicId, layout_.version >= kWithTailExits);
            threads_.push_back({pid, pid + number, below(random_, 64), tsc, calls});
        }
    }

  private:
    // The bytes after the frequency are uninitialised in real files.
    PlannedRecord plan_header(uint64_t) override {
        PlannedRecord header = file_header(kBasicType);
        const auto fill_rest = [&](uint64_t flags, uint64_t bits, uint64_t unused) {
            header.with("constant_tsc", flags & 1).with("nonstop_tsc", flags >> 1).with("reserved_bits", bits);
            header.with("buffer_size", unused).with("reserved", unused);
        };
        switch (below(random_, 4)) {
            case 0: fill_rest(3, 0xff >> 2, 0); break;
            case 1: fill_rest(3, 0xaaaaaaab >> 2, 0xaaaaaaaaaaaaaaaa); break;
            case 2: break;  // anything
            default: fill_rest(3, 0, 0);
        }
        return header;
    }

    void plan_body(uint64_t) override {
        BasicThread& thread = pick_of(random_, threads_);
        advance(thread);
        const auto [action, function] = thread.calls.next();
        const bool with_argument = action == kEntry && one_in(random_, 4);
        const bool unusual = one_in(random_, 12);
        add(of_thread(kBasicFunction, thread, function)
                .with("action", with_argument && !unusual ? kEntryArgs : action)
                .with("cpu", thread.cpu)
                .with("tsc", thread.tsc));
        if (!with_argument) return;
        if (one_in(random_, 16)) return;
        do add(of_thread(kBasicArgument, thread, function));
        while (one_in(random_, 4));
    }

    PlannedRecord of_thread(const Record& record, const BasicThread& thread, uint64_t function) {
        const uint64_t process = layout_.version >= kWithProcesses ? thread.pid
                                 : one_in(random_, 4)              ? random_() >> 32
                                                                   : 0;
        return PlannedRecord(record, {{"function_id", function}, {"thread_id", thread.tid}, {"process_id", process}});
    }

    // The counters of two CPUs may differ, so the TSC may step back when the thread moves.
    void advance(BasicThread& thread) {
        const uint64_t by = below(random_, 2000);
        if (!one_in(random_, 16)) {
            thread.tsc += std::min(by, kNone - thread.tsc);
            return;
        }
        thread.cpu = (thread.cpu + between(random_, 1, 255)) % 256;
        thread.tsc -= std::min(by, thread.tsc);
    }

    std::vector<BasicThread> threads_;
};

}  // namespace

std::unique_ptr<Model> make_basic_model(Random& random, ByteOrder order) {
    return std::make_unique<BasicModel>(random, order);
}

}  // namespace tracelint::xray
