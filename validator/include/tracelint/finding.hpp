// One violation of a format.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "tracelint/basics.hpp"

// Marks members of exported classes that are not exported.
#if defined(__GNUC__)
#define TRACELINT_INTERNAL __attribute__((visibility("hidden")))
#else
#define TRACELINT_INTERNAL
#endif

namespace tracelint {

struct Diagnostic;
struct Field;
struct Record;
struct Rule;

// Bytes of an input.
struct ByteRange {
    uint64_t offset = 0;  // from the start of the input; of the decompressed data where it is in a container
    uint64_t length = 0;  // bytes; 0 at the end of the input
};

// A value: it may be copied, and it stays valid when the result that it comes from is gone.
class TRACELINT_API Finding {
  public:
    // Only checks create findings.
    TRACELINT_INTERNAL explicit Finding(const Diagnostic& diagnostic,
                                        std::shared_ptr<const void> names = nullptr) noexcept;

    // The rule's id, such as "jitdump/header-unknown-flags". Valid as long as the library is loaded.
    std::string_view rule() const noexcept;
    // The severity that the options chose, or else the rule's.
    Severity severity() const noexcept;
    // The bytes that violate the rule.
    ByteRange place() const noexcept { return place_; }
    // Whether place() counts in the compressed file, since the finding is about the container itself.
    bool is_about_container() const noexcept;
    // Another place that the finding refers to: in related_file(), if there is one.
    std::optional<ByteRange> related() const noexcept { return related_; }
    // The name of the other file, if the finding is about two: of the companion, or of the input if this is a finding
    // in a companion. Empty if it is about one file. Valid as long as this or a copy of it.
    std::string_view related_file() const noexcept { return related_file_; }

    // These three render text and throw std::bad_alloc if there is no memory for it, nothing else.
    //
    // The path of the field, such as "records[3].entries[12].line"; empty if the finding is not about a record.
    std::string field() const;
    // What is wrong, as one sentence. Its wording is not stable.
    std::string message() const;
    // What the violation does to the tools that read the file, and a likely cause if the bytes suggest one.
    std::string help() const;

  private:
    TRACELINT_INTERNAL Diagnostic diagnostic() const noexcept;

    ByteRange place_{};
    std::optional<ByteRange> related_{};
    std::string_view related_file_{};
    std::shared_ptr<const void> names_;  // that related_file_ is one of
    // Static data of the format's tables, and the numbers and the text of the message.
    const Rule* rule_;
    const Record* record_;
    const Field* field_;
    const Field* list_;
    uint64_t record_index_;
    uint64_t element_;
    std::array<uint64_t, 4> numbers_;
    std::string_view hint_;
    std::string_view text_;
    std::optional<Severity> chosen_;
    bool is_overridden_;
    bool about_end_;
};

}  // namespace tracelint
