// Shrink: from a file with a finding to the smallest one that still has it.
//
// A candidate is judged by the ordinary check: the finding must be there, and no error or warning of a rule that the
// file did not break. First, only the records around the finding are kept, and more before it until the finding is
// there again; salvage's planner sets totals and places, so this streams. What is small enough then is shrunk in
// memory: records, elements of lists, texts, numbers. Redaction comes last, byte by byte of the same length.
#pragma once

#include <functional>
#include <memory>

#include "validator/shrink/predicate.hpp"
#include "validator/shrink/small_file.hpp"

namespace tracelint {

enum class ShrinkVerdict : uint8_t {
    shrunk,      // the new file has the finding; it may be as large as the file
    absent,      // the file does not have the finding; `why` says what it has
    impossible,  // `why` says why
    limited,     // a limit or `is_over` ended it before there was anything to write
    unreadable,  // reading failed
};

class Shrink {
  public:
    // `file` must be at its start, be able to seek, and outlive this, as must the options.
    Shrink(Source& file, const ShrinkOptions& options);
    ~Shrink();

    // Throws only std::bad_alloc.
    ShrinkVerdict run();

    // After run():
    const std::string& why() const { return why_; }  // a sentence without a full stop
    const Format* format() const { return predicate_.format(); }
    Container container() const { return predicate_.container(); }
    // The finding in the file, and in the new one.
    const Diagnostic& finding() const { return predicate_.finding(); }
    const Diagnostic& new_finding() const { return kept_.finding; }
    uint64_t others() const { return kept_.others; }  // errors and warnings in the new file besides it
    uint64_t size() const { return size_; }           // of the trace, in bytes, decompressed
    uint64_t new_size() const;
    uint64_t records() const { return records_; }  // of the new file
    uint64_t checks() const { return predicate_.checks(); }
    bool was_stopped() const { return was_stopped_; }  // by `is_over`: it might become smaller yet
    // What redaction had to keep, by offset in the new file.
    const std::vector<KeptText>& kept_texts() const { return kept_texts_; }

    // The bytes of the new file; empty if it is too large to be in memory.
    std::string_view bytes() const { return bytes_ ? std::string_view(*bytes_) : std::string_view(); }
    // Passes the new file on, piece by piece, until `write` returns false. Returns why reading failed, or empty.
    std::string copy(const std::function<bool(Bytes)>& write);

  private:
    using Ranges = std::vector<Choice::Range>;
    class StoppingSource;

    ShrinkVerdict end(ShrinkVerdict verdict, std::string why);
    ShrinkVerdict end_unread(const std::string& failure);
    std::optional<ShrinkVerdict> find_records();
    Ranges around(uint64_t before, uint64_t after) const;
    bool keeps(const Ranges& kept);
    void halve();
    ShrinkVerdict shrink_in_memory();
    bool is_over();

    const ShrinkOptions& options_;
    const std::unique_ptr<StoppingSource> file_;
    Budget budget_;
    Predicate predicate_;
    const Composition* composition_ = nullptr;
    std::unique_ptr<Edits> edits_;  // of the smallest file so far; null: there is none
    Ranges ranges_;                 // of the file, that it keeps
    KeptFinding kept_;
    uint64_t size_ = 0;
    uint64_t records_ = 0;
    bool was_stopped_ = false;
    std::string failure_;
    std::optional<std::string> bytes_;  // empty: the file is too large for memory
    std::vector<KeptText> kept_texts_;
    std::string why_;
};

}  // namespace tracelint
