// mlpd, sections 2 and 3.1: recognition and the checks of the file header, in field order.
#include "grammars/mlpd/header.hpp"

#include "grammars/mlpd/text_judge.hpp"
#include "validator/view.hpp"

namespace tracelint::mlpd {
namespace {

// 3.2: profilers (major.minor) that wrote a data version.
struct VersionPair {
    uint8_t major, minor;
    uint16_t first, last;
};
constexpr VersionPair kVersionPairs[] = {
    {0, 1, 1, 1}, {0, 2, 1, 3}, {0, 4, 4, 13}, {1, 0, 13, 13}, {1, 1, 13, 13}, {2, 0, 14, 15}, {3, 0, 16, 17},
};

bool is_usual(uint64_t major, uint64_t minor, uint64_t version) {
    for (const VersionPair& pair : kVersionPairs)
        if (pair.major == major && pair.minor == minor && pair.first <= version && version <= pair.last) return true;
    return false;
}

// Rule 13.
constexpr uint64_t kYear2010 = 1262304000000, kYear2100 = 4102444800000;  // ms since 1970

// Reads the fields one by one; each is checked when its bytes are there.
class HeaderReader {
  public:
    HeaderReader(Window& window, ValidationContext& context, uint64_t offset)
        : window_(window), report_(context.report), identity_(context.identity), start_(offset), at_(offset) {}

    std::optional<HeaderFacts> run() {
        for (const Field& field : kHeader.fields())
            if (field.exists_in(layout_.version) && !(field.type == Type::bytes ? text(field) : number(field)))
                return std::nullopt;
        facts_.end = at_;
        return facts_;
    }

  private:
    Place place(const Field& field, uint64_t offset, uint64_t length) const {
        return {.offset = offset, .length = length, .record = &kHeader, .field = &field};
    }

    bool number(const Field& field);
    bool obeys_table(const Field& field, uint64_t value, const Place& where);
    void note(const Field& field, uint64_t value, const Place& where);
    bool text(const Field& field);
    bool overruns();
    void judge(const Field& field, const TextJudge& scan, uint64_t first_nul, uint8_t last);

    Window& window_;
    Report& report_;
    Identity& identity_;
    const uint64_t start_;
    uint64_t at_;
    Layout layout_;  // its version is that of the header's own layout
    HeaderFacts facts_;
    uint64_t major_ = 0, minor_ = 0;
    uint64_t size_ = 0;  // of the string that comes next
    Place size_place_;
};

// Whether the header goes on.
bool HeaderReader::number(const Field& field) {
    const unsigned width = width_of(field, layout_);
    const Bytes bytes = window_.view(at_, width);
    if (bytes.size() < width) {
        if (!facts_.in_doubt) report_.add(kTruncatedHeader, place(field, at_, bytes.size()), {bytes.size()});
        return false;
    }
    const uint64_t value = read_fixed(field, layout_, bytes.data());
    const Place where = place(field, at_, width);
    at_ += width;
    size_ = value;
    size_place_ = where;
    if (!obeys_table(field, value, where)) return false;
    note(field, value, where);
    return true;
}

// False after a fault behind which nothing can be read.
bool HeaderReader::obeys_table(const Field& field, uint64_t value, const Place& where) {
    for (const Check& check : field.checks) {
        if (obeys(field, check, value)) continue;
        report_.add(*check.rule, where, {value});
        if (check.rule == &kUnsupportedDataVersion) identity_.format_version = value;
        if (check.rule == &kBadMagic || check.rule == &kUnsupportedDataVersion) return false;
    }
    return true;
}

// What the fields decide together.
void HeaderReader::note(const Field& field, uint64_t value, const Place& where) {
    if (field.name == "major") major_ = value;
    if (field.name == "minor") {
        minor_ = value;
        layout_.version = header_layout(major_, minor_);
    }
    if (field.name == "format") {
        facts_.version = static_cast<uint16_t>(value);
        if (start_ == 0) identity_ = {value, ByteOrder::little, std::nullopt};
        if (major_ <= 3 && !is_usual(major_, minor_, value)) {
            const uint64_t from = start_ + fixed_offset(kHeader, "major", layout_);
            report_.add(kVersionPairUnusual, place(*kHeader.find("major"), from, where.offset + 1 - from),
                        {major_, minor_, value});
        }
    }
    if (field.name == "ptrsize") {
        facts_.word_size = value == 4 ? 4 : 8;
        if (start_ == 0) identity_.word_size = facts_.word_size;
    }
    if (field.name == "startup_time" && value != 0 && (value < kYear2010 || value > kYear2100))
        report_.add(kImplausibleStartupTime, where, {value});
}

// --- args, arch, os ------------------------------------------------------------------------------------------

// The string of size_ bytes. It comes in pieces, so that no more is held than there is.
bool HeaderReader::text(const Field& field) {
    const auto size = static_cast<int64_t>(size_);
    if (size < 0) return overruns();
    TextJudge scan;
    uint64_t first_nul = kNone, done = 0;
    uint8_t last = 0;
    while (done < size_) {
        const uint64_t left = size_ - done;
        Bytes bytes = window_.view(at_ + done, static_cast<size_t>(std::min<uint64_t>(left, 8)));
        if (bytes.size() < std::min<uint64_t>(left, 8)) return overruns();
        bytes = bytes.first(static_cast<size_t>(std::min<uint64_t>(bytes.size(), left)));
        const bool is_last = bytes.size() == left;
        last = bytes.back();
        const uint64_t nul = length_to_nul(bytes.first(bytes.size() - (is_last ? 1 : 0)));
        if (nul != kNone && first_nul == kNone) first_nul = done + nul;
        done += scan.take(bytes, is_last);
    }
    judge(field, scan, first_nul, last);
    at_ += size_;
    return true;
}

// Rule 8.
bool HeaderReader::overruns() {
    Diagnostic finding{.rule = &kHeaderStringOverrunsFile, .place = size_place_, .numbers = {size_}};
    finding.about_end = static_cast<int64_t>(size_) >= 0;
    if (!facts_.in_doubt) report_.add(finding);
    return false;
}

// Rules 9 to 11.
void HeaderReader::judge(const Field& field, const TextJudge& scan, uint64_t first_nul, uint8_t last) {
    if (first_nul != kNone) report_.add(kHeaderStringEmbeddedNul, place(field, at_ + first_nul, 1), {first_nul, size_});
    if (scan.ill_formed() != kNone)
        report_.add(kHeaderStringUtf8, place(field, at_ + scan.ill_formed(), 1), {scan.ill_formed()});
    if (size_ > 0 && last == 0) return;
    facts_.in_doubt = true;
    Diagnostic finding{.rule = &kHeaderStringNotTerminated, .place = size_place_, .numbers = {size_}};
    if (size_ == 0)
        finding.hint = "the length is 0, and it counts at least the NUL";
    else
        finding.place = place(field, at_ + size_ - 1, 1);
    report_.add(finding);
}

View<kHeader> opening_of(Bytes opening) { return {opening.data(), 0, ByteOrder::little, kNone}; }

}  // namespace

int recognise(const Opening& opening) {
    const Bytes bytes = opening.bytes;
    if (bytes.size() < 4 || opening_of(bytes).get<"id">() != kHeaderId) return 0;
    // The magic number alone weighs more than a profile of gperftools, which has none, with one bad slot.
    constexpr int kDamaged = 80;
    if (bytes.size() < 8) return kDamaged;
    const uint64_t version = opening_of(bytes).get<"format">(), pointers = opening_of(bytes).get<"ptrsize">();
    const bool sound = kOldestVersion <= version && version <= kNewestVersion && (pointers == 4 || pointers == 8);
    return sound ? 100 : kDamaged;
}

std::optional<HeaderFacts> check_header(Window& window, ValidationContext& context, uint64_t offset) {
    return HeaderReader(window, context, offset).run();
}

uint16_t header_layout_of(Bytes opening) {
    return header_layout(opening_of(opening).get<"major">(), opening_of(opening).get<"minor">());
}

}  // namespace tracelint::mlpd
