// mlpd, section 3.1: the checks of the file header, in field order.
#include "grammars/mlpd/checks/header.hpp"

#include "grammars/mlpd/checks/values.hpp"
#include "validator/tables/view.hpp"

namespace tracelint::mlpd {
namespace {

// Section 3.2: which profilers (major.minor) wrote which data versions.
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

constexpr uint64_t kYear2010 = 1262304000000, kYear2100 = 4102444800000;  // ms since 1970

constexpr Rule kArgsNotRecorded{
    .id = "mlpd/args-not-recorded",
    .severity = Severity::note,
    .statement = "the file has the events that the profiler's arguments ask for",
    .message = "data version {0} has no option {text}: the profiler ignored it",
    .why =
        "the profiler silently ignores an unknown option, so what it should have recorded is missing; nodefaults "
        "replaced nolegacy in Mono 5.8",
    .spec = "3.1.1 Arguments",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
    .severity_override =
        SeverityOverride{.severity = Severity::note,
                         .when = "the option is known, and the file has none of its events",
                         .message = "the arguments ask for {text}, but the file has no such event",
                         .why = "the program may never have done this, or the option came too late or in the wrong "
                                "order: the profiler reads its options from left to right"},
};

// Words of the arguments, and what records they ask for.
struct RequestWord {
    std::string_view word;
    Requested requested;
    std::string_view record;  // their names begin like this
};
constexpr RequestWord kRequestWords[] = {{"calls", Requested::calls, "ENTER"},
                                         {"gcalloc", Requested::allocations, "ALLOC"},
                                         {"counter", Requested::counters, "SAMPLE_COUNTERS"}};
constexpr std::string_view kNoLegacy = "nolegacy";
constexpr uint16_t kWithoutLegacy = 14;  // the first data version

// The words of the arguments, from pieces of their text. Longer words than any that is known are cut.
class Arguments {
  public:
    // Calls `act(word, offset)` for each word that ends in the bytes, which begin at `offset`.
    template <class Action>
    void take(Bytes bytes, uint64_t offset, const Action& act) {
        for (size_t i = 0; i < bytes.size(); ++i) {
            const char c = static_cast<char>(bytes[i]);
            if (c == ',' || c == ':' || c == 0) {
                if (length_ != 0) act(std::string_view(word_.data(), length_), offset + i - length_);
                length_ = 0;
                is_cut_ = false;
            } else if (length_ == word_.size() || is_cut_) {
                is_cut_ = true;
                length_ = 0;
            } else {
                word_[length_++] = c;
            }
        }
    }

  private:
    std::array<char, 16> word_{};
    size_t length_ = 0;
    bool is_cut_ = false;
};

// Reads the fields one by one and checks each as soon as its bytes are there.
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

    // What reading a field leads to, beyond the checks in records.hpp.
    struct FieldActions {
        std::string_view field;
        void (HeaderReader::*note)(uint64_t value, const Place& where) = nullptr;  // of a value that may be used
        void (HeaderReader::*refuse)(uint64_t value) = nullptr;  // null: the header is read on in spite of a violation
    };
    static const FieldActions kActions[];
    static const FieldActions& actions_of(const Field& field);

    bool number(const Field& field);
    bool obeys_table(const Field& field, uint64_t value, const Place& where);
    void refuse_magic(uint64_t) {}
    void refuse_version(uint64_t value) { identity_.format_version = value; }
    void note_major(uint64_t value, const Place&) { major_ = value; }
    void note_minor(uint64_t value, const Place& where);
    void note_version(uint64_t value, const Place& where);
    void note_pointer_size(uint64_t value, const Place& where);
    void check_startup_time(uint64_t value, const Place& where);
    bool text(const Field& field);
    void note_argument(const Field& field, std::string_view word, uint64_t at);
    bool overruns();
    void check_text(const Field& field, const TextJudge& scan, uint64_t first_nul, uint8_t last);

    Window& window_;
    Report& report_;
    Identity& identity_;
    const uint64_t start_;
    uint64_t at_;
    Layout layout_;  // its version is the layout of the header
    HeaderFacts facts_;
    bool is_misled_ = false;  // by an argument that does not count, which was reported
    uint64_t major_ = 0, minor_ = 0;
    uint64_t size_ = 0;  // bytes of the next string
    Place size_place_;
};

const HeaderReader::FieldActions HeaderReader::kActions[] = {
    {"id", nullptr, &HeaderReader::refuse_magic},
    {"major", &HeaderReader::note_major},
    {"minor", &HeaderReader::note_minor},
    {"format", &HeaderReader::note_version, &HeaderReader::refuse_version},
    {"ptrsize", &HeaderReader::note_pointer_size},
    {"startup_time", &HeaderReader::check_startup_time},
};

const HeaderReader::FieldActions& HeaderReader::actions_of(const Field& field) {
    static constexpr FieldActions kNothing{};
    const auto found = std::ranges::find(kActions, field.name, &FieldActions::field);
    return found == std::end(kActions) ? kNothing : *found;
}

constexpr Rule kTruncatedHeader{
    .id = "mlpd/truncated-header",
    .severity = Severity::error,
    .statement = "the file holds the fixed part of the header and the length of each of its strings",
    .message = "the file ends inside its header, after {0 byte|bytes} of this field",
    .why =
        "mprof-report reports that this is not a profiler data file, Mono.Profiler.Log fails at the end of the stream",
    .spec = "3.1 File header",
    .since = "0.1.0",
    .about_end = true,
};

// False: the header cannot be read further.
bool HeaderReader::number(const Field& field) {
    const unsigned width = width_of(field, layout_);
    const Bytes bytes = window_.view(at_, width);
    if (bytes.size() < width) {
        if (!facts_.in_doubt) report_.add<kTruncatedHeader>(place(field, at_, bytes.size()), {bytes.size()});
        return false;
    }
    const uint64_t value = read_fixed(field, layout_, bytes.data());
    const Place where = place(field, at_, width);
    at_ += width;
    size_ = value;
    size_place_ = where;
    if (!obeys_table(field, value, where)) return false;
    if (const auto note = actions_of(field).note) (this->*note)(value, where);
    return true;
}

// False: nothing after the field can be read.
bool HeaderReader::obeys_table(const Field& field, uint64_t value, const Place& where) {
    for (const Check& check : field.checks) {
        if (obeys(field, check, value)) continue;
        report_.add(*check.rule, where, {value});
        const auto refuse = actions_of(field).refuse;
        if (refuse == nullptr) continue;
        (this->*refuse)(value);
        return false;
    }
    return true;
}

void HeaderReader::note_minor(uint64_t value, const Place&) {
    minor_ = value;
    layout_.version = header_layout(major_, minor_);
}

constexpr Rule kVersionPairUnusual{
    .id = "mlpd/version-pair-unusual",
    .severity = Severity::note,
    .statement = "major and minor belong to a profiler that wrote this data version",
    .message = "profiler {0}.{1} is not known to have written data version {2}",
    .why =
        "the file may come from a development build or a fork, whose events can have another layout under the same "
        "version number",
    .spec = "3.2 Data versions and releases",
    .since = "0.1.0",
};

void HeaderReader::note_version(uint64_t value, const Place& where) {
    facts_.version = static_cast<uint16_t>(value);
    if (start_ == 0) identity_ = {value, ByteOrder::little, std::nullopt};
    if (major_ > 3 || is_usual(major_, minor_, value)) return;
    const uint64_t from = start_ + fixed_offset(kHeader, "major", layout_);
    report_.add<kVersionPairUnusual>(place(*kHeader.find("major"), from, where.offset + 1 - from),
                                     {major_, minor_, value});
}

void HeaderReader::note_pointer_size(uint64_t value, const Place&) {
    facts_.word_size = value == 4 ? 4 : 8;
    if (start_ == 0) identity_.word_size = facts_.word_size;
}

constexpr Rule kImplausibleStartupTime{
    .id = "mlpd/implausible-startup-time",
    .severity = Severity::note,
    .statement = "startup_time is 0, or in milliseconds within the years 2010 to 2100",
    .message = "startup_time is {0} ms since 1970, outside the years 2010 to 2100",
    .why = "readers show a wrong date for the run; the number may be in seconds or nanoseconds instead of milliseconds",
    .spec = "3.1 File header",
    .since = "0.1.0",
};

void HeaderReader::check_startup_time(uint64_t value, const Place& where) {
    if (value != 0 && (value < kYear2010 || value > kYear2100)) report_.add<kImplausibleStartupTime>(where, {value});
}

// --- args, arch, os ------------------------------------------------------------------------------------------

// A string of size_ bytes, read in pieces: the file may not hold as many bytes as the size claims.
bool HeaderReader::text(const Field& field) {
    const auto size = static_cast<int64_t>(size_);
    if (size < 0) return overruns();
    TextJudge scan;
    Arguments arguments;
    const bool has_arguments = field.name == "args";
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
        const uint64_t taken = scan.take(bytes, is_last);
        if (has_arguments)
            arguments.take(bytes.first(static_cast<size_t>(taken)), at_ + done,
                           [&](std::string_view word, uint64_t at) { note_argument(field, word, at); });
        done += taken;
    }
    check_text(field, scan, first_nul, last);
    at_ += size_;
    return true;
}

void HeaderReader::note_argument(const Field& field, std::string_view word, uint64_t at) {
    const Place where = place(field, at, word.size());
    if (word == kNoLegacy && facts_.version >= kWithoutLegacy) {
        is_misled_ = true;
        report_.add({.rule = &kArgsNotRecorded, .place = where, .numbers = {facts_.version}, .text = kNoLegacy});
    }
    for (const RequestWord& request : kRequestWords)
        if (word == request.word) facts_.requested[static_cast<size_t>(request.requested)] = where;
    if (is_misled_) facts_.requested = {};
}

constexpr Rule kHeaderStringOverrunsFile{
    .id = "mlpd/header-string-overruns-file",
    .severity = Severity::error,
    .statement = "the length of a header string is not negative, and the file holds that many bytes",
    .message = "the length is {0d}, but the file does not hold that many bytes",
    .why = "readers allocate by this number: Mono.Profiler.Log runs out of memory; where the buffers begin is unknown",
    .spec = "3.1 File header",
    .since = "0.1.0",
    .depends_on = {.file_size = true},
};

bool HeaderReader::overruns() {
    Diagnostic finding{.rule = &kHeaderStringOverrunsFile, .place = size_place_, .numbers = {size_}};
    finding.about_end = static_cast<int64_t>(size_) >= 0;
    if (!facts_.in_doubt) report_.add(finding);
    return false;
}

constexpr Rule kHeaderStringNotTerminated{
    .id = "mlpd/header-string-not-terminated",
    .severity = Severity::error,
    .statement = "a header string ends with a NUL, which its length includes",
    .message = "the string of {0 byte|bytes} does not end with a NUL",
    .why = "mprof-report copies up to the next NUL it happens to find; the length itself may be wrong",
    .spec = "3.1 File header",
    .since = "0.1.0",
};

constexpr Rule kHeaderStringEmbeddedNul{
    .id = "mlpd/header-string-embedded-nul",
    .severity = Severity::warning,
    .statement = "the only NUL of a header string is its last byte",
    .message = "byte {0} of a string of {1} is a NUL",
    .why = "C readers show the string only up to here",
    .spec = "3.1 File header",
    .since = "0.1.0",
};

constexpr Rule kHeaderStringUtf8{
    .id = "mlpd/header-string-utf8",
    .severity = Severity::warning,
    .statement = "header strings are UTF-8",
    .message = "byte {0} of the string does not begin a valid UTF-8 sequence",
    .why = "Mono.Profiler.Log shows replacement characters instead",
    .spec = "3.1 File header",
    .since = "0.1.0",
};

void HeaderReader::check_text(const Field& field, const TextJudge& scan, uint64_t first_nul, uint8_t last) {
    if (first_nul != kNone) report_.add<kHeaderStringEmbeddedNul>(place(field, at_ + first_nul, 1), {first_nul, size_});
    if (scan.ill_formed() != kNone)
        report_.add<kHeaderStringUtf8>(place(field, at_ + scan.ill_formed(), 1), {scan.ill_formed()});
    if (size_ > 0 && last == 0) return;
    facts_.in_doubt = true;
    Diagnostic finding{.rule = &kHeaderStringNotTerminated, .place = size_place_, .numbers = {size_}};
    if (size_ == 0)
        finding.hint = "the length is 0, but it includes at least the NUL";
    else
        finding.place = place(field, at_ + size_ - 1, 1);
    report_.add(finding);
}

View<kHeader> opening_of(Bytes opening) { return {opening.data(), 0, ByteOrder::little, kNone}; }

}  // namespace

std::optional<HeaderFacts> check_header(Window& window, ValidationContext& context, uint64_t offset) {
    return HeaderReader(window, context, offset).run();
}

void check_requested_events(Report& report, const HeaderFacts& header,
                            const std::function<bool(std::string_view)>& has) {
    for (const RequestWord& request : kRequestWords) {
        const std::optional<Place>& place = header.requested[static_cast<size_t>(request.requested)];
        if (place && !has(request.record))
            report.add({.rule = &kArgsNotRecorded,
                        .place = *place,
                        .numbers = {header.version},
                        .text = request.word,
                        .is_overridden = true});
    }
}

uint16_t header_layout_of(Bytes opening) {
    return header_layout(opening_of(opening).get<"major">(), opening_of(opening).get<"minor">());
}

constinit const RuleList kHeaderRules =
    rules<&kTruncatedHeader, &kVersionPairUnusual, &kImplausibleStartupTime, &kArgsNotRecorded,
          &kHeaderStringOverrunsFile, &kHeaderStringNotTerminated, &kHeaderStringEmbeddedNul, &kHeaderStringUtf8>;

}  // namespace tracelint::mlpd
