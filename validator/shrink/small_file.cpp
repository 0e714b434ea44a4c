// Steps in memory: records, then elements, texts and numbers.
#include "validator/shrink/small_file.hpp"

#include <algorithm>

#include "validator/generator/edit.hpp"
#include "validator/readers/record_walk.hpp"
#include "validator/shrink/simpler.hpp"

namespace tracelint {
namespace {

constexpr unsigned kMostRounds = 6;            // of leaving out, then simplifying
constexpr size_t kMostSeen = size_t{1} << 20;  // candidates that are remembered
// With so few records, any that follow each other are tried together: those of a group, which only go together.
constexpr size_t kFewRecords = 100;
constexpr size_t kWindowOfRecords = 8;

// The edits that make one record of another, of at least the same length.
std::vector<Edit> difference(const std::string& before, uint64_t offset, uint64_t length, const std::string& after) {
    const std::string_view old = std::string_view(before).substr(offset, length);
    size_t first = 0, same = 0;
    while (first < after.size() && old[first] == after[first]) ++first;
    while (same < after.size() - first && old[old.size() - 1 - same] == after[after.size() - 1 - same]) ++same;
    std::vector<Edit> edits;
    const size_t old_end = old.size() - same, end = after.size() - same;
    for (size_t at = first; at < end;) {
        Edit edit;
        edit.cause = Cause::choice;
        edit.offset = offset + at;
        edit.size = static_cast<uint8_t>(std::min(end - at, Edit::kMostBytes));
        edit.length = edit.size;
        std::copy_n(after.begin() + static_cast<std::ptrdiff_t>(at), edit.size, edit.bytes.begin());
        edits.push_back(edit);
        at += edit.size;
    }
    if (old_end > end) {
        Edit edit;
        edit.cause = Cause::choice;
        edit.offset = offset + end;
        edit.length = old_end - end;
        edits.push_back(edit);
    }
    return edits;
}

std::string edited(const std::string& bytes, const Edits& edits) {
    std::string text;
    uint64_t at = 0;
    for (const Edit& edit : edits) {
        text.append(bytes, at, edit.offset - at).append(as_text(edit.replacement()));
        at = edit.end();
    }
    return text.append(bytes, at);
}

// Where a finding at this offset may be after the edits.
FindingPlace moved(const Edits& edits, uint64_t offset) {
    const FindingPlace place{edits.new_offset(offset), edits.new_offset(offset)};
    for (const Edit& edit : edits)
        if (edit.offset <= offset && offset < edit.end()) return {edit.new_offset(), edit.new_end()};
    return place;
}

// The bytes of a text before its NUL, and of one character.
struct Content {
    size_t size = 0, unit = 1;
};
Content content_of(const Value& value) {
    const Field* const field = value.leaf.kind == Leaf::Kind::raw ? nullptr : value.leaf.field;
    const size_t unit = field != nullptr && field->type == Type::string16 ? 2 : 1;
    const bool has_end = field != nullptr && field->is_string() && value.text.size() >= unit &&
                         value.text.find_first_not_of('\0', value.text.size() - unit) == std::string::npos;
    return {value.text.size() - (has_end ? unit : 0), unit};
}

}  // namespace

// Lists the records of a file.
class SmallFile::Listing final : public RecordVisitor {
  public:
    Listing(std::vector<Piece>& pieces, const Framer& framer, uint64_t size)
        : pieces_(pieces), framer_(framer), size_(size) {}
    bool wants(const FramedRecord& record) override {
        add({record.record, framer_.layout(), record.offset, record.length});
        return false;
    }
    void gap(const Gap& gap, GapBytes&) override { add({nullptr, {}, gap.offset, gap.length}); }

  private:
    void add(Piece piece) {
        piece.length = std::min(piece.length, size_ - piece.offset);
        pieces_.push_back(piece);
    }

    std::vector<Piece>& pieces_;
    const Framer& framer_;
    uint64_t size_;
};

SmallFile::SmallFile(std::string bytes, const KeptFinding& kept, const Composition& composition, Predicate& predicate,
                     const ShrinkOptions& options, Budget& budget)
    : bytes_(std::move(bytes)),
      kept_(kept),
      composition_(composition),
      predicate_(predicate),
      options_(options),
      budget_(budget) {
    list();
}

bool SmallFile::is_over() { return options_.is_over && options_.is_over(); }

uint64_t SmallFile::records() const {
    return static_cast<uint64_t>(
        std::ranges::count_if(pieces_, [](const Piece& piece) { return piece.record != nullptr; }));
}

void SmallFile::list() {
    pieces_.clear();
    DumpContext context(options_.limits);
    MemorySource source(as_bytes(bytes_));
    Window window(source);
    const std::unique_ptr<Framer> framer = composition_.format->framer(options_.settings);
    Listing listing(pieces_, *framer, bytes_.size());
    walk_records(window, *framer, context, listing);
}

// Takes the candidate over if it holds.
bool SmallFile::take(std::string candidate, const FindingPlace& place) {
    if (candidate.size() > bytes_.size() || candidate == bytes_ || is_over()) return false;
    if (seen_.size() == kMostSeen) seen_.clear();
    if (!seen_.insert(seeded(as_bytes(candidate), seed_)).second) return false;
    MemorySource source(as_bytes(candidate));
    const std::optional<KeptFinding> kept =
        predicate_.holds(source, predicate_.tracks_place() ? place : FindingPlace{});
    if (options_.on_progress) options_.on_progress(predicate_.checks(), bytes_.size());
    if (!kept || kept->others > kept_.others) return false;
    kept_ = *kept;
    bytes_ = std::move(candidate);
    list();
    return true;
}

bool SmallFile::attempt(const Choice& choice) {
    Edits edits(budget_);
    Planner planner(composition_, choice, budget_, edits);
    MemorySource source(as_bytes(bytes_));
    Limits limits = options_.limits;
    limits.memory = budget_.left();
    if (planner.plan(source, limits, options_.settings).kind != Obstacle::Kind::none || edits.empty()) return false;
    return take(edited(bytes_, edits), moved(edits, kept_.finding.place.offset));
}

bool SmallFile::shrink() {
    for (unsigned round = 0; round < kMostRounds && !is_over(); ++round) {
        const std::string before = bytes_;
        leave_out_records();
        leave_out_windows();
        simplify();
        if (bytes_ == before) break;
    }
    return !is_over();
}

// --- Records

bool SmallFile::leave_out(size_t first, size_t last, bool is_exact) {
    const Choice::Range range{pieces_[first].offset, pieces_[last - 1].end()};
    Choice choice;
    choice.left_out = {&range, 1};
    choice.is_exact = is_exact;
    return attempt(choice);
}

// In chunks, from all records to single ones, from the last to the first.
void SmallFile::leave_out_records() {
    for (size_t chunk = pieces_.size(); chunk != 0; chunk /= 2)
        for (size_t end = pieces_.size(); end != 0 && !is_over();) {
            const size_t begin = end > chunk ? end - chunk : 0;
            if (!leave_out(begin, end, false)) leave_out(begin, end, true);
            end = std::min(begin, pieces_.size());
        }
}

void SmallFile::leave_out_windows() {
    for (size_t size = 2; size <= kWindowOfRecords; ++size)
        for (size_t begin = pieces_.size(); begin-- > 0 && pieces_.size() <= kFewRecords && !is_over();)
            if (begin + size <= pieces_.size()) leave_out(begin, begin + size, true);
}

// --- Values

RecordValues SmallFile::values_of(size_t piece) const {
    const Piece& found = pieces_[piece];
    const Bytes bytes = as_bytes(bytes_).subspan(found.offset, found.length);
    if (found.record == nullptr) return raw_record(std::string(as_text(bytes)));
    return decode_values(*found.record, bytes, found.layout, true);
}

bool SmallFile::replace(size_t piece, const std::string& bytes) {
    const Piece& found = pieces_[piece];
    if (bytes.size() > found.length) return false;
    const std::vector<Edit> changes = difference(bytes_, found.offset, found.length, bytes);
    if (changes.empty()) return false;
    Choice choice;
    choice.changes = changes;
    return attempt(choice);
}

bool SmallFile::try_record(size_t piece, const RecordValues& before, RecordValues after, size_t forced) {
    const std::string plain = bytes_of(after);
    if (after.record != nullptr) settle_sizes(before, after, forced);
    const std::string settled = bytes_of(after);
    return replace(piece, settled) || (plain != settled && replace(piece, plain));
}

void SmallFile::simplify() {
    for (size_t piece = pieces_.size(); piece-- > 0 && !is_over();)
        if (piece < pieces_.size()) simplify_record(piece);
}

void SmallFile::simplify_record(size_t piece) {
    RecordValues record = values_of(piece);
    for (size_t i = record.values.size(); i-- > 0 && !is_over();) {
        if (i >= record.values.size() || piece >= pieces_.size()) continue;
        const Value& value = record.values[i];
        if (value.is_number()) {
            while (simplify_number(piece, record, i)) continue;
        } else if (value.is_text()) {
            shorten(piece, record, i);
            clear_bytes(piece, record, i);
        } else {
            simplify_list(piece, record, i);
        }
    }
}

void SmallFile::simplify_list(size_t piece, RecordValues& record, size_t list) {
    for (size_t chunk = elements_of(record, list); chunk != 0; chunk /= 2)
        for (size_t end = elements_of(record, list); end != 0 && !is_over();) {
            const size_t begin = end > chunk ? end - chunk : 0;
            if (try_record(piece, record, without_elements(record, list, begin, end), list)) {
                if (piece >= pieces_.size()) return;
                record = values_of(piece);
                if (list >= record.values.size() || record.values[list].leaf.kind != Leaf::Kind::list) return;
            }
            end = std::min(begin, elements_of(record, list));
        }
}

// Leaves out as much as it can of the end, then of the start.
void SmallFile::shorten(size_t piece, RecordValues& record, size_t text) {
    for (const bool is_start : {false, true}) {
        if (!is_text_at(piece, record, text)) return;
        for (size_t cut = content_of(record.values[text]).size; cut != 0; cut /= 2)
            while (is_text_at(piece, record, text) && cut_text(piece, record, text, cut, is_start)) continue;
    }
}

// Whether the value is a text that may have another length.
bool SmallFile::is_text_at(size_t piece, const RecordValues& record, size_t text) const {
    if (piece >= pieces_.size() || text >= record.values.size() || !record.values[text].is_text()) return false;
    const Leaf& leaf = record.values[text].leaf;
    return leaf.kind == Leaf::Kind::raw || leaf.field->width == 0;
}

bool SmallFile::cut_text(size_t piece, RecordValues& record, size_t text, size_t cut, bool is_start) {
    const Content content = content_of(record.values[text]);
    const size_t bytes = cut / content.unit * content.unit;
    if (bytes == 0 || bytes > content.size || is_over()) return false;
    RecordValues after = record;
    after.values[text].text.erase(is_start ? 0 : content.size - bytes, bytes);
    if (!try_record(piece, record, std::move(after), text)) return false;
    if (piece < pieces_.size()) record = values_of(piece);
    return true;
}

// Opaque bytes become zeros.
void SmallFile::clear_bytes(size_t piece, RecordValues& record, size_t text) {
    if (piece >= pieces_.size() || text >= record.values.size() || !record.values[text].is_text()) return;
    const Leaf& leaf = record.values[text].leaf;
    if (leaf.kind == Leaf::Kind::value && (leaf.field->type != Type::bytes || leaf.field->is_text)) return;
    RecordValues after = record;
    after.values[text].text.assign(after.values[text].text.size(), '\0');
    if (try_record(piece, record, std::move(after), text) && piece < pieces_.size()) record = values_of(piece);
}

bool SmallFile::simplify_number(size_t piece, RecordValues& record, size_t number) {
    if (piece >= pieces_.size() || number >= record.values.size() || !record.values[number].is_number()) return false;
    const Leaf leaf = record.values[number].leaf;
    const auto try_leaf = [&](uint64_t value) {
        RecordValues after = record;
        after.values[number].leaf.number = value;
        if (leaf.field->is_leb()) after.values[number].leaf.length = 0;  // the shortest
        if (!try_record(piece, record, std::move(after), number)) return false;
        if (piece < pieces_.size()) record = values_of(piece);
        return true;
    };
    for (const uint64_t value : simplest_numbers(*leaf.field, leaf.number))
        if (try_leaf(value)) return true;
    return leaf.field->is_leb() && leaf.length > 1 && try_leaf(leaf.number);
}

}  // namespace tracelint
