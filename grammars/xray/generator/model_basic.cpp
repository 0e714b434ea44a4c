// What ties the records of a valid basic file together (section 3.5): the calls of threads, and their arguments.
#include "grammars/xray/generator/model_plan.hpp"

namespace tracelint::xray {
namespace {

constexpr uint64_t kLargestId = 0x7fffffff;

struct Thread {
    uint64_t pid, tid, cpu, tsc;
    Calls calls;
};

class BasicModel final : public PlannedModel {
  public:
    BasicModel(Random& random, ByteOrder order) : PlannedModel(random, order) {
        layout_.version = static_cast<uint16_t>(between(random_, 1, kNewestBasic));
        const uint64_t pid = between(random_, 1, 100'000);
        const uint64_t tsc = pick<uint64_t>(random_, {0, 1'000'000'000'000, uint64_t{1} << 63, kNone - 10'000});
        for (uint64_t number = 0, count = between(random_, 1, 4); number < count; ++number) {
            const Calls calls(random_, kLargestId, layout_.version >= kWithTailExits);
            threads_.push_back({pid, pid + number, below(random_, 64), tsc, calls});
        }
    }

  private:
    // The bytes behind the frequency are uninitialised in real files.
    Planned plan_header(uint64_t) override {
        Planned header = file_header(kBasicType);
        const auto say = [&](uint64_t flags, uint64_t bits, uint64_t stale) {
            header.numbers.push_back({"constant_tsc", flags & 1});
            header.numbers.push_back({"nonstop_tsc", flags >> 1});
            header.numbers.push_back({"reserved_bits", bits});
            header.numbers.push_back({"buffer_size", stale});
            header.numbers.push_back({"reserved", stale});
        };
        switch (below(random_, 4)) {
            case 0: say(3, 0xff >> 2, 0); break;
            case 1: say(3, 0xaaaaaaab >> 2, 0xaaaaaaaaaaaaaaaa); break;
            case 2: break;  // anything
            default: say(3, 0, 0);
        }
        return header;
    }

    void plan(uint64_t) override {
        Thread& thread = pick_of(random_, threads_);
        advance(thread);
        const auto [action, function] = thread.calls.next();
        const bool with_argument = action == kEntry && one_in(random_, 4);
        const bool unusual = one_in(random_, 12);
        add(of_thread(
            kBasicFunction, thread, function,
            {{"action", with_argument && !unusual ? kEntryArgs : action}, {"cpu", thread.cpu}, {"tsc", thread.tsc}}));
        if (!with_argument) return;
        if (one_in(random_, 16)) return;
        do add(of_thread(kBasicArgument, thread, function, {}));
        while (one_in(random_, 4));
    }

    Planned of_thread(const Record& record, const Thread& thread, uint64_t function,
                      std::vector<Planned::Number> numbers) {
        const uint64_t process = layout_.version >= kWithProcesses ? thread.pid
                                 : one_in(random_, 4)              ? random_() >> 32
                                                                   : 0;
        numbers.insert(numbers.end(), {{"function_id", function}, {"thread_id", thread.tid}, {"process_id", process}});
        return {&record, std::move(numbers)};
    }

    // The counter of another CPU may be behind.
    void advance(Thread& thread) {
        const uint64_t by = below(random_, 2000);
        if (!one_in(random_, 16)) {
            thread.tsc += std::min(by, kNone - thread.tsc);
            return;
        }
        thread.cpu = (thread.cpu + between(random_, 1, 255)) % 256;
        thread.tsc -= std::min(by, thread.tsc);
    }

    std::vector<Thread> threads_;
};

}  // namespace

std::unique_ptr<Model> make_basic_model(Random& random, ByteOrder order) {
    return std::make_unique<BasicModel>(random, order);
}

}  // namespace tracelint::xray
