// Byte sources: files, pipes, memory. Decompression and the tests' chunks are sources on top of other sources.
#pragma once

#include <memory>

#include "tracelint/source.hpp"
#include "validator/tables/bytes.hpp"

namespace tracelint {

// Passes everything on to another source, which must outlive it; a derived class adds something to
// each read.
class ForwardingSource : public Source {
  public:
    explicit ForwardingSource(Source& inner) : inner_(inner) {}
    size_t read(uint8_t* to, size_t bytes) override { return inner_.read(to, bytes); }
    bool seek(uint64_t offset) override { return inner_.seek(offset); }
    uint64_t size() const override { return inner_.size(); }
    std::string failure() const override { return inner_.failure(); }
    bool is_cut() const override { return inner_.is_cut(); }
    bool has_changed() const override { return inner_.has_changed(); }
    void end_waiting_at(int descriptor) override { inner_.end_waiting_at(descriptor); }

  private:
    Source& inner_;
};

// What failure() of a source says whose reads a signal has ended.
inline constexpr std::string_view kInterrupted = "interrupted";

// Opens a file, a pipe or a device. Never null: if opening fails, failure() of the result says why. A regular
// file is only read up to the size that it has now: one that grows as fast as it is read would have no end. A file of
// /proc, whose size is 0 whatever it contains, is read to its end, or to where more would have to be waited for.
std::unique_ptr<Source> open_file(const std::string& path);

// Opens a path that was found in a folder, not named by the user: anything but a regular file fails, and is not
// waited for.
std::unique_ptr<Source> open_regular_file(const std::string& path);

// Standard input.
std::unique_ptr<Source> open_standard_input();

// Bytes in memory, which must outlive the source.
class MemorySource final : public Source {
  public:
    explicit MemorySource(Bytes bytes) : bytes_(bytes) {}
    size_t read(uint8_t* to, size_t bytes) override;
    bool seek(uint64_t offset) override;
    uint64_t size() const override { return bytes_.size(); }

  private:
    Bytes bytes_;
    uint64_t at_ = 0;
};

}  // namespace tracelint
