#include "validator/tool/inputs/inflate_ahead.hpp"

#include <algorithm>
#include <csignal>
#include <system_error>

#include "validator/input/gzip.hpp"
#include "validator/input/zstd_source.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kLeastSize = kMiB;  // of a compressed file: below, starting a thread takes as long as it saves

// Signals are the main thread's: a thread starts with those blocked that are blocked where it is started.
class BlockedSignals {
  public:
    BlockedSignals() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    BlockedSignals(const BlockedSignals&) = delete;
    BlockedSignals& operator=(const BlockedSignals&) = delete;

  private:
    sigset_t before_;
};

}  // namespace

std::unique_ptr<ContainerSource> open_container_ahead(Container container, Source& compressed, Budget& budget) {
    const uint64_t size = compressed.size();
    const bool pays = size != kNone && size >= kLeastSize && std::thread::hardware_concurrency() > 1;
    if (container == Container::none || !pays) return open_container(container, compressed, budget);
    try {
        return std::make_unique<InflateAhead>(container, compressed, budget);
    } catch (const std::system_error&) {  // there is no thread left
        return open_container(container, compressed, budget);
    }
}

InflateAhead::InflateAhead(Container container, Source& compressed, Budget& budget)
    : ContainerSource(container == Container::zstd ? kLargestZstdRatio : kLargestInflationRatio),
      compressed_(compressed),
      inflater_(make_inflater(container, budget)) {
    const BlockedSignals blocked;
    thread_ = std::thread([this] { inflate_all(); });
}

InflateAhead::~InflateAhead() {
    {
        const std::lock_guard lock(mutex_);
        stops_ = true;
    }
    changed_.notify_all();
    thread_.join();
    inflater_.reset();  // gives memory back, for which it asks await_reader()
}

std::unique_ptr<ContainerSource> InflateAhead::make_inflater(Container container, Budget& budget) {
    if (container == Container::gzip) return std::make_unique<GzipSource>(pieces_source_);
    return std::make_unique<ZstdSource>(pieces_source_, budget, kLargestInflated, [this] { await_reader(); });
}

const std::optional<Diagnostic>& InflateAhead::fault() const { return is_over_ ? inflater_->fault() : not_known_; }

const std::optional<Diagnostic>& InflateAhead::fault_with_padding() const {
    return is_over_ ? inflater_->fault_with_padding() : not_known_;
}

size_t InflateAhead::read(uint8_t* to, size_t bytes) {
    if (given_of_block_ == block_.bytes.size() && !take_block()) return 0;
    const size_t piece = std::min(bytes, block_.bytes.size() - given_of_block_);
    std::copy_n(block_.bytes.data() + given_of_block_, piece, to);
    given_of_block_ += piece;
    is_over_ = block_.is_last && given_of_block_ == block_.bytes.size();
    return piece;
}

// The next block that has bytes. False: there is none.
bool InflateAhead::take_block() {
    if (is_over_) return false;
    std::unique_lock lock(mutex_);
    while (true) {
        while (wants_piece()) read_piece(lock);
        if (!blocks_.empty()) break;
        if (has_all_blocks_) std::rethrow_exception(thrown_);
        reader_waits_ = true;
        changed_.notify_all();
        changed_.wait(lock, [&] { return !blocks_.empty() || has_all_blocks_ || wants_piece(); });
        reader_waits_ = false;
    }
    block_ = std::move(blocks_.front());
    blocks_.pop_front();
    lock.unlock();
    changed_.notify_all();
    given_of_block_ = 0;
    given_ += block_.bytes.size();
    inflation_.note(given_, block_.taken);
    is_over_ = block_.is_last && block_.bytes.empty();
    return !block_.bytes.empty();
}

// Reading does not hold the lock.
void InflateAhead::read_piece(std::unique_lock<std::mutex>& lock) {
    lock.unlock();
    std::vector<uint8_t> piece(kPiece);
    piece.resize(compressed_.read(piece.data(), piece.size()));
    lock.lock();
    has_all_pieces_ = piece.empty();
    if (has_all_pieces_)
        read_failure_ = compressed_.failure();
    else
        pieces_.push_back(std::move(piece));
    changed_.notify_all();
}

size_t InflateAhead::Pieces::read(uint8_t* to, size_t bytes) {
    if (rest_.empty()) {
        std::unique_lock lock(owner_.mutex_);
        owner_.changed_.wait(lock, [&] { return !owner_.pieces_.empty() || owner_.has_all_pieces_ || owner_.stops_; });
        if (owner_.stops_) failure_ = kInterrupted;
        if (owner_.has_all_pieces_ && owner_.pieces_.empty()) failure_ = owner_.read_failure_;
        if (owner_.stops_ || owner_.pieces_.empty()) return 0;
        piece_ = std::move(owner_.pieces_.front());
        owner_.pieces_.pop_front();
        lock.unlock();
        owner_.changed_.notify_all();
        rest_ = piece_;
    }
    const size_t piece = std::min(bytes, rest_.size());
    std::copy_n(rest_.data(), piece, to);
    rest_ = rest_.subspan(piece);
    return piece;
}

// The thread: inflates until the end, and waits while enough blocks are ahead.
void InflateAhead::inflate_all() {
    bool is_over = false;
    while (!is_over) {
        std::optional<Block> block;
        std::exception_ptr thrown;
        try {
            block = inflate_block();
        } catch (...) {
            thrown = std::current_exception();
        }
        is_over = !block || block->is_last;
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return blocks_.size() < kBlocks || stops_; });
        if (block) blocks_.push_back(std::move(*block));
        thrown_ = thrown;
        has_all_blocks_ = is_over;
        is_over |= stops_;
        lock.unlock();
        changed_.notify_all();
    }
}

// What was not handed over of a full block, or of the last one.
InflateAhead::Block InflateAhead::inflate_block() {
    Block block;
    filling_.resize(kBlock);
    filled_ = handed_over_ = 0;
    while (filled_ < kBlock && !block.is_last) {
        const size_t got = inflater_->read(filling_.data() + filled_, kBlock - filled_);
        filled_ += got;
        block.is_last = got == 0 || inflater_->fault().has_value();
    }
    filling_.resize(filled_);
    filling_.erase(filling_.begin(), filling_.begin() + static_cast<std::ptrdiff_t>(handed_over_));
    block.bytes = std::move(filling_);
    block.taken = inflater_->inflation().last_taken();
    return block;
}

// Called on the thread, from within a read: gives the reader what there is, and returns when the reader waits for more.
// The reader then stays there, since only this thread gives it blocks and takes its pieces.
void InflateAhead::await_reader() {
    std::unique_lock lock(mutex_);
    if (stops_) return;  // what is there goes to nobody
    if (handed_over_ < filled_) {
        const Bytes rest = Bytes(filling_).subspan(handed_over_, filled_ - handed_over_);
        blocks_.push_back({{rest.begin(), rest.end()}, inflater_->inflation().last_taken(), false});
        handed_over_ = filled_;
        changed_.notify_all();
    }
    changed_.wait(lock, [&] { return (reader_waits_ && blocks_.empty()) || stops_; });
}

}  // namespace tracelint
