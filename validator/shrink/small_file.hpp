// Shrinks and redacts a file in memory.
#pragma once

#include <string>
#include <unordered_set>

#include "validator/generator/record_values.hpp"
#include "validator/memory/hash_table.hpp"
#include "validator/salvage/planner.hpp"
#include "validator/shrink/predicate.hpp"

namespace tracelint {

// Bytes of a text or payload that redaction had to keep, as the finding needs them.
struct KeptText {
    uint64_t offset = 0, length = 0;  // in the new file
    std::string field;                // "JIT_CODE_LOAD.name"; empty for bytes that no table describes
};

// A file that has the finding. Each step that keeps it is taken over at once.
class SmallFile {
  public:
    // All must outlive this but `bytes`, which has the finding.
    SmallFile(std::string bytes, const KeptFinding& kept, const Composition& composition, Predicate& predicate,
              const ShrinkOptions& options, Budget& budget);

    // Leaves out and simplifies until nothing more can go, or until it is over. False: it is over.
    bool shrink();
    // Replaces texts and payloads. False: it is over, and some are not replaced.
    bool redact(std::vector<KeptText>& kept_texts);

    const std::string& bytes() const { return bytes_; }
    const KeptFinding& kept() const { return kept_; }
    uint64_t records() const;

  private:
    // A record or a gap.
    struct Piece {
        const Record* record = nullptr;  // null: a gap
        Layout layout{};
        uint64_t offset = 0, length = 0;

        uint64_t end() const { return offset + length; }
    };
    class Listing;

    bool is_over();
    void list();
    bool take(std::string candidate, const FindingPlace& place);
    bool attempt(const Choice& choice);
    bool leave_out(size_t first, size_t last, bool is_exact);
    void leave_out_records();
    void leave_out_windows();
    void simplify();
    RecordValues values_of(size_t piece) const;
    bool replace(size_t piece, const std::string& bytes);
    bool try_record(size_t piece, const RecordValues& before, RecordValues after, size_t forced);
    void simplify_record(size_t piece);
    void simplify_list(size_t piece, RecordValues& record, size_t list);
    void shorten(size_t piece, RecordValues& record, size_t text);
    bool is_text_at(size_t piece, const RecordValues& record, size_t text) const;
    bool cut_text(size_t piece, RecordValues& record, size_t text, size_t cut, bool is_start);
    void clear_bytes(size_t piece, RecordValues& record, size_t text);
    bool simplify_number(size_t piece, RecordValues& record, size_t number);
    bool redact_range(const std::string& field, uint64_t offset, uint64_t length, unsigned unit, bool is_text,
                      std::vector<KeptText>& kept_texts);

    std::string bytes_;
    KeptFinding kept_;
    const Composition& composition_;
    Predicate& predicate_;
    const ShrinkOptions& options_;
    Budget& budget_;
    std::vector<Piece> pieces_;
    const uint64_t seed_ = hash_seed();
    std::unordered_set<uint64_t> seen_;  // hashes of candidates, which the file cannot choose
};

}  // namespace tracelint
