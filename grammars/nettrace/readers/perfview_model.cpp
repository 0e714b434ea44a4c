// TraceEvent has a table of threads by index, and looks in it for the OS thread id when it removes one.
#include "grammars/nettrace/readers/perfview_model.hpp"

#include "grammars/nettrace/checks/part_reader.hpp"
#include "validator/memory/hash_table.hpp"
#include "validator/readers/follow_context.hpp"
#include "validator/tables/view.hpp"

namespace tracelint::nettrace {

constinit const Rule kFreedThreadIndex{
    .id = "reader/perfview-freed-thread-index",
    .severity = Severity::error,
    .statement = "PerfView and dotnet-trace convert take a thread index that was removed and is added again",
    .message = "PerfView refuses the index that this thread shares with a removed one",
    .why =
        "TraceEvent looks for the OS thread id in its table of indices, so it did not remove the thread, and stops "
        "with "
        "a FormatException",
    .spec = "grammars/nettrace/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constinit const Rule kWrongThread{
    .id = "reader/perfview-wrong-thread",
    .severity = Severity::error,
    .statement = "PerfView and dotnet-trace convert remove the thread that a RemoveThread block names",
    .message = "PerfView removes another thread here: its index is the OS thread id of the one that ends",
    .why = "TraceEvent stops with a FormatException at the next event of the thread that it removed",
    .spec = "grammars/nettrace/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

namespace {

constexpr uint64_t kForgetsThreads = 1;  // a flag of sequence points

class PerfviewThreads {
  public:
    explicit PerfviewThreads(FollowContext& context) : context_(context), threads_(context.budget, context.work) {}

    Followed run() {
        for (uint64_t at = fixed_size(kHeader, kPlainLayout);;) {
            const Bytes bytes = context_.trace.view(at, kBlockHeader);
            if (!context_.spend(kBlockHeader) || bytes.size() < kBlockHeader) return NoOpinion();
            const View<kPlainBlock, kPlainLayout> header(bytes.data(), at, ByteOrder::little, 0);
            const uint64_t size = header.get<"size">();
            at += kBlockHeader;
            switch (header.get<"kind">()) {
                case static_cast<uint64_t>(Kind::end_of_stream): return NoOpinion();
                case static_cast<uint64_t>(Kind::threads): take_rows(at, size); break;
                case static_cast<uint64_t>(Kind::removed_threads): remove(at, size); break;
                case static_cast<uint64_t>(Kind::sequence_point): pass_point(at, size); break;
                default: break;
            }
            if (fault_) return *fault_;
            if (context_.has_ended()) return NoOpinion();
            at += size;
        }
    }

  private:
    static constexpr uint64_t kBlockHeader = fixed_size(kPlainBlock, kPlainLayout);

    struct Thread {
        uint64_t key = 0;  // its index
        uint64_t os_thread = 0;
        uint64_t removed_before = 0;  // the sequence point that lets it go; 0: none
        bool is_there = false;
        bool is_vacant() const { return !is_there; }
    };

    void fail(const Rule& rule, uint64_t offset, uint64_t length) {
        fault_ = Forecast{
            .outcome = ReaderOutcome::refuses, .rule = &rule, .offset = offset, .length = length, .of_one_fault = true};
    }
    // The content of a block; empty: the file ends before, or it is more than may be seen.
    Bytes content(uint64_t at, uint64_t size) {
        if (!context_.spend(size)) return {};
        const Bytes bytes = context_.trace.view(at, size);
        return bytes.size() < size ? Bytes{} : bytes.first(static_cast<size_t>(size));
    }
    static bool take_number(Bytes& bytes, uint64_t& value) {
        const Number number = read_number(bytes.data(), bytes.data() + bytes.size(), true);
        if (number.fault != NumberFault::none) return false;
        value = number.value;
        bytes = bytes.subspan(number.length);
        return true;
    }
    static bool skip_text(Bytes& bytes) {
        uint64_t size = 0;
        if (!take_number(bytes, size) || size > bytes.size()) return false;
        bytes = bytes.subspan(static_cast<size_t>(size));
        return true;
    }

    void take_rows(uint64_t at, uint64_t block) {
        Bytes rows = content(at, block);
        while (rows.size() >= 2 && !fault_) {
            const uint64_t size = load(rows.data(), 2, ByteOrder::little);
            if (size > rows.size() - 2) return;
            const uint64_t offset = at + block - rows.size() + 2;
            Bytes row = rows.subspan(2, static_cast<size_t>(size));
            rows = rows.subspan(2 + static_cast<size_t>(size));
            Thread thread{.is_there = true};
            if (!take_number(row, thread.key)) return;
            const uint64_t length = size - row.size();
            thread.os_thread = os_thread_of(row);
            Thread* const known = threads_.find(thread.key);
            if (known == nullptr) {
                if (!threads_.insert(thread)) return static_cast<void>(context_.stop(Unpredicted::memory));
            } else if (known->removed_before == 0 || known->removed_before > points_ ||
                       known->os_thread != known->key) {
                // An index that is live is another finding.
                if (known->removed_before != 0) fail(kFreedThreadIndex, offset, length);
                return;
            } else {
                *known = thread;
            }
        }
    }
    static uint64_t os_thread_of(Bytes items) {
        uint64_t found = kNone, number = 0;  // kNone: the row does not say
        while (!items.empty()) {
            const uint8_t kind = items[0];
            items = items.subspan(1);
            const bool is_number = kind == 2 || kind == 3;
            if (is_number ? !take_number(items, number) : !skip_text(items) || (kind == 4 && !skip_text(items))) break;
            if (kind == 3) found = number;
        }
        return found;
    }

    void remove(uint64_t at, uint64_t block) {
        Bytes pairs = content(at, block);
        while (!pairs.empty() && !fault_) {
            const uint64_t offset = at + block - pairs.size();
            uint64_t index = 0, number = 0;
            const size_t before = pairs.size();
            if (!take_number(pairs, index)) return;
            const uint64_t length = before - pairs.size();
            if (!take_number(pairs, number)) return;
            Thread* const thread = threads_.find(index);
            if (thread == nullptr) return;
            thread->removed_before = points_ + 1;
            const Thread* const other = threads_.find(thread->os_thread);
            if (other != nullptr && other != thread && other->removed_before == 0) fail(kWrongThread, offset, length);
        }
    }

    void pass_point(uint64_t at, uint64_t block) {
        const uint64_t size = fixed_size(kSequencePoint, kPlainLayout);
        if (block < size) return;
        const Bytes bytes = content(at, size);
        if (bytes.empty()) return;
        ++points_;
        const View<kSequencePoint, kPlainLayout> point(bytes.data(), at, ByteOrder::little, 0);
        if ((point.get<"flags">() & kForgetsThreads) != 0) threads_.clear();
    }

    FollowContext& context_;
    HashTable<Thread> threads_;
    uint64_t points_ = 0;  // sequence points so far
    std::optional<Forecast> fault_;
};

}  // namespace

Followed follow_perfview(FollowContext& context) {
    if (context.file.identity.format_version != uint64_t{kPlainBlocks}) return NoOpinion();
    return PerfviewThreads(context).run();
}

}  // namespace tracelint::nettrace
