// Decompresses a file on a thread of its own, so that a second processor inflates while the first one checks.
#pragma once

#include <array>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "validator/input/container.hpp"

namespace tracelint {

// Opens a container as open_container() does. A large file is inflated ahead if there is a processor for it.
std::unique_ptr<ContainerSource> open_container_ahead(Container container, Source& compressed, Budget& budget);

// Gives what GzipSource or ZstdSource gives, bytes and faults alike. The compressed file is read by whoever reads from
// here; the thread sees nothing but bytes in memory, a few blocks before and after it. It charges the budget only while
// the reader has all data and waits for more, as if the reader did: what memory is left never depends on how far it is.
class InflateAhead final : public ContainerSource {
  public:
    // `compressed` is at its start and must outlive this, as must `budget`. Throws std::system_error if the system has
    // no thread left.
    InflateAhead(Container container, Source& compressed, Budget& budget);
    InflateAhead(const InflateAhead&) = delete;
    InflateAhead& operator=(const InflateAhead&) = delete;
    // Ends the thread, at the latest when it has inflated the block that it is at.
    ~InflateAhead() override;

    size_t read(uint8_t* to, size_t bytes) override;
    std::string failure() const override { return compressed_.failure(); }
    bool is_cut() const override { return is_over_ && inflater_->is_cut(); }
    const std::optional<Diagnostic>& fault() const override;
    const std::optional<Diagnostic>& fault_with_padding() const override;

  private:
    static constexpr size_t kBlock = size_t{256} << 10;  // bytes; divides the steps of Inflation
    static constexpr size_t kBlocks = 4;                 // inflated ones that wait, at most
    static constexpr size_t kPiece = size_t{64} << 10;   // compressed bytes that are read at a time
    static constexpr size_t kPieces = 8;                 // that wait, at most

    // The compressed bytes, in the order in which they were read.
    class Pieces final : public Source {
      public:
        explicit Pieces(InflateAhead& owner) : owner_(owner) {}
        size_t read(uint8_t* to, size_t bytes) override;
        std::string failure() const override { return failure_; }

      private:
        InflateAhead& owner_;
        std::vector<uint8_t> piece_;
        Bytes rest_;  // of the piece
        std::string failure_;
    };
    struct Block {
        std::vector<uint8_t> bytes;
        uint64_t taken = 0;    // what Inflation has noted last
        bool is_last = false;  // what the container says at its end is known
    };

    std::unique_ptr<ContainerSource> make_inflater(Container container, Budget& budget);
    void inflate_all();
    Block inflate_block();
    void await_reader();
    bool take_block();
    bool wants_piece() const { return !has_all_pieces_ && pieces_.size() < kPieces; }
    void read_piece(std::unique_lock<std::mutex>& lock);

    Source& compressed_;
    Pieces pieces_source_{*this};

    // The thread's, until its last block was taken.
    std::unique_ptr<ContainerSource> inflater_;
    std::vector<uint8_t> filling_;  // the block that it is at
    size_t filled_ = 0;             // bytes of it
    size_t handed_over_ = 0;        // of these

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::vector<uint8_t>> pieces_;
    bool has_all_pieces_ = false;
    std::deque<Block> blocks_;
    bool has_all_blocks_ = false;
    bool reader_waits_ = false;
    bool stops_ = false;
    std::exception_ptr thrown_;
    std::string read_failure_;

    // The reader's.
    const std::optional<Diagnostic> not_known_;
    Block block_;
    size_t given_of_block_ = 0;
    uint64_t given_ = 0;  // bytes, with all of block_
    bool is_over_ = false;
    std::thread thread_;
};

}  // namespace tracelint
