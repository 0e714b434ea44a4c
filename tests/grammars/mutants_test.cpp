// How well the base files guard the record tables: every small change of a table must make some base file read
// differently than its comments say. Round trips miss two of three such changes, since reader and writer share the
// table.
#include <doctest/doctest.h>

#include "tests/support/goldens.hpp"
#include "tests/support/toy_corpus.hpp"

namespace tracelint {
namespace {

// A change of one field, or of a field and its neighbour.
struct Mutant {
    std::string name;  // "JIT_CODE_MOVE.pid removed"
    size_t record;     // in Tables
    ChangeableRecord changed;
};

// Mutants that no valid file can show, by name, each with the reason.
struct Unshowable {
    std::string_view mutant;
    std::string_view reason;
};
constexpr Unshowable kUnshowable[] = {
    {"debug_entry.line read as unsigned", "negative lines are jitdump/debug-line-invalid, whose case shows them"},
    {"header.version read as signed", "versions are 1 to 5"},
    {"header.type read as signed", "types are 0 and 1"},
    {"NewBuffer.thread_id read as unsigned", "negative ones are xray/thread-id-nonpositive, whose case shows them"},
    {"Pid.pid read as unsigned", "negative ones are xray/pid-nonpositive, whose case shows them"},
    {"WallClock.micros read as unsigned", "negative ones are xray/wallclock-micros-range, whose case shows them"},
    {"CustomEvent.delta read as unsigned", "negative ones are xray/negative-event-delta, whose case shows them"},
    {"TypedEvent.delta read as unsigned", "negative ones are xray/negative-event-delta, whose case shows them"},
    {"function.function_id read as unsigned", "negative ones are xray/basic-function-id, whose case shows them"},
    {"argument.function_id read as unsigned", "negative ones are those of a function with xray/basic-function-id"},
    {"block.block_number read as signed", "numbers count the blocks of a file"},
    {"block.records doubled", "the first of the two takes all of the block"},
    {"ids.ids doubled", "the first of the two takes all bytes up to the attributes"},
    {"header.extra_words removed", "they are gperftools/header-extra-words, whose case shows them"},
    {"header.extra_words doubled", "they are gperftools/header-extra-words, whose case shows them"},
    {"header.minor read as signed", "versions are 0 to 4"},
    {"buffer.len read as signed", "lengths are below 2^31"},
    {"frame.il_offset removed", "only --mlpd-variant=bt-il-offset has it, and base files know no options"},
    {"frame.il_offset doubled", "the same"},
    {"frame.il_offset read as signed", "the same"},
    {"frame.method swapped with il_offset", "the same"},
    {"sample.signed_value swapped with unsigned_value", "no sample has both"},
    {"sample.unsigned_value swapped with double_value", "no sample has both"},
    {"sample.double_value swapped with string_flag", "no sample has both"},
    {"MONITOR.backtrace always there", "without a count it has no elements"},
    {"Sample field.location_ids always there", "without a size it has no elements"},
    {"Sample field.values always there", "without a size it has no elements"},
    {"Sample field.label always there", "without a size it has no elements"},
    {"Location field.line always there", "without a size it has no elements"},
    {"comment.comments always there", "without a size it has no elements"},
    {"time_nanos.time_nanos read as signed", "times are below 2^62"},
    {"Range.start_offset read as signed", "it lies in code of less than 2 GiB"},
    {"Range.size read as signed", "it is that of code of less than 2 GiB"},
    {"LineRecord.code_offset read as signed", "it lies in code of less than 2 GiB"},
    {"CodeOffset.code_offset read as signed", "it lies in code of less than 2 GiB"},
    {"plain block.size made narrower", "it would take a block of 8 MiB"},
    {"block header.header_size read as signed", "it would take a header of 32 KiB"},
    {"uncompressed event.event_size read as signed", "it would take an event of 2 GiB"},
    {"uncompressed event.payload_size read as signed", "it would take an event of 2 GiB"},
    {"old event.metadata_id read as unsigned", "it would take a file of 2 GiB"},
    {"end label.label read as unsigned", "it would take a file of 2 GiB"},
    {"end label.label_after_tag read as unsigned", "it would take a file of 2 GiB"},
    {"end label.label_after_labels read as unsigned", "it would take a file of 2 GiB"},
    {"stack block.count read as signed", "it would take as many stacks"},
    {"label block.count read as signed", "it would take as many label lists"},
    {"sequence point.count read as signed", "it would take as many threads"},
    {"thread.size read as signed", "it would take a row of 32 KiB"},
    {"plain metadata.size read as signed", "it would take a row of 32 KiB"},
    {"thread.items doubled", "the first of the two takes all of the row"},
    {"metadata.tags doubled", "the first of the two takes all of the row"},
    {"label.kind made narrower", "kinds are 1 to 10"},
    {"label.value not sized", "nothing follows it in a label"},
    {"inner field.deep_fields always there", "without a count it has no elements"},
    {"field.inner_fields always there", "without a count it has no elements"},
};

bool is_number(const Field& field) { return field.is_fixed() || field.is_leb(); }

// Whether another field, or the walk, uses this one as a size or a count: then a valid file small enough to be typed
// never has its highest bit set.
bool measures(const Record& record, const Field& field) {
    return field.is_record_size || std::ranges::any_of(record.fields(), [&](const Field& f) {
               return f.counter == field.name || f.sizer == field.name || f.filled == field.name;
           });
}

// Whether the number is no higher than a typed list is long.
bool counts_elements(const Field& field) { return field.nests || !field.indexed.empty() || !field.taken.empty(); }

// Whether a valid file may show if the number has a sign: its highest bit may be set, as far as its own
// checks say. Numbers of 8 bytes are kept as two's complement and are the same either way.
bool may_show_sign(const Field& field) {
    if (field.width == 0 || field.width >= 8 || counts_elements(field)) return false;
    const uint64_t highest = uint64_t{1} << (8 * field.width - 1);
    const auto allows = [&](const Check& check) {
        switch (check.must) {
            case Check::Must::equal:
            case Check::Must::be_at_most: return check.value >= highest;
            case Check::Must::be_within_mask: return (check.value & highest) != 0;
            case Check::Must::be_known: return false;
            default: return true;
        }
    };
    return std::all_of(field.checks.begin(), field.checks.end(), allows);
}

// Whether any version has both fields; otherwise their order says nothing.
bool have_a_version_in_common(const Field& a, const Field& b) {
    return a.first_version <= b.last_version && b.first_version <= a.last_version;
}

// Whether a record may have both fields: the conditions of two members of a union leave no order to notice.
bool may_both_be_there(const Field& a, const Field& b) {
    if (!a.is_optional() || a.condition.field != b.condition.field || a.condition.negated || b.condition.negated)
        return true;
    const auto values = std::span(a.condition.values).first(a.condition.count);
    return std::ranges::any_of(values, [&](uint64_t value) { return b.condition.holds_for(value); });
}

// Whether no field of a version that has this one follows it: then the end of the record also bounds it.
bool ends_its_record(const Record& record, size_t field) {
    return std::ranges::none_of(record.fields().subspan(field + 1), [&](const Field& after) {
        return have_a_version_in_common(record.fields()[field], after);
    });
}

// Whether a legal value of an unsigned LEB128 number reads differently as a signed one: bit 6 of its last byte is set.
bool may_show_leb_sign(const Field& field) {
    const auto shows = [](uint64_t value) {
        while (value > 0x7f) value >>= 7;
        return value >= 0x40;
    };
    const auto allows = [&](const Check& check) {
        switch (check.must) {
            case Check::Must::equal: return shows(check.value);
            case Check::Must::be_at_most: return check.value >= 0x40;
            case Check::Must::be_known:
                return std::any_of(field.names.begin(), field.names.end(),
                                   [&](const NamedValue& named) { return shows(named.value); });
            default: return true;
        }
    };
    return std::all_of(field.checks.begin(), field.checks.end(), allows);
}

class Breeder {
  public:
    explicit Breeder(Tables& tables) : tables_(tables) {}

    std::vector<Mutant> all() {
        for (which_ = 0; which_ < tables_.originals().size(); ++which_)
            for (size_t i = 0; i < record().count; ++i) field_mutants(i);
        return std::move(mutants_);
    }

  private:
    const ChangeableRecord& record() { return tables_.at(which_); }

    template <class Change>
    void add(size_t field, const std::string& what, Change change) {
        Mutant mutant{std::string(record().name) + "." + std::string(record().fields()[field].name) + " " + what,
                      which_, record()};
        change(mutant.changed);
        mutants_.push_back(std::move(mutant));
    }
    template <class Change>
    void add_field(size_t field, const std::string& what, Change change) {
        add(field, what, [&](ChangeableRecord& r) { change(r.slots[field]); });
    }

    void field_mutants(size_t i) {
        const Field& field = record().fields()[i];
        add(i, "removed", [&](ChangeableRecord& r) {
            std::copy(r.slots.begin() + static_cast<long>(i) + 1, r.slots.end(),
                      r.slots.begin() + static_cast<long>(i));
            --r.count;
        });
        if (record().count < kMaxFields)
            add(i, "doubled", [&](ChangeableRecord& r) {
                std::copy_backward(r.slots.begin() + static_cast<long>(i), r.slots.end() - 1, r.slots.end());
                ++r.count;
            });
        if (i + 1 < record().count && have_a_version_in_common(field, record().fields()[i + 1]) &&
            may_both_be_there(field, record().fields()[i + 1])) {
            const std::string next(record().fields()[i + 1].name);
            add(i, "swapped with " + next, [&](ChangeableRecord& r) { std::swap(r.slots[i], r.slots[i + 1]); });
            if (field.type != Type::list && record().fields()[i + 1].type != Type::list)
                add(i, "named like " + next,
                    [&](ChangeableRecord& r) { std::swap(r.slots[i].name, r.slots[i + 1].name); });
        }
        width_mutants(i);
        type_mutants(i);
        bound_mutants(i);
    }

    void width_mutants(size_t i) {
        const Field& field = record().fields()[i];
        if (field.type == Type::bits) {
            if (field.bit_offset + field.bit_width < 8 * field.width)
                add_field(i, "shifted up", [](Field& f) { ++f.bit_offset; });
            if (field.bit_offset > 0) add_field(i, "shifted down", [](Field& f) { --f.bit_offset; });
            if (field.bit_width > 1) add_field(i, "made narrower", [](Field& f) { --f.bit_width; });
            return;
        }
        if (field.type != Type::number && field.type != Type::signed_number) return;
        if (field.width > 1) add_field(i, "made half as wide", [](Field& f) { f.width /= 2; });
        if (field.width < 8) add_field(i, "made twice as wide", [](Field& f) { f.width *= 2; });
    }

    void type_mutants(size_t i) {
        const Field& field = record().fields()[i];
        const auto becomes = [&](Type type, const char* what) { add_field(i, what, [=](Field& f) { f.type = type; }); };
        const bool showable = !measures(record(), field);
        const bool signs_differ = showable && may_show_sign(field);
        if (field.type == Type::number && signs_differ) becomes(Type::signed_number, "read as signed");
        if (field.type == Type::signed_number && signs_differ) becomes(Type::number, "read as unsigned");
        if (field.type == Type::uleb128 && showable && may_show_leb_sign(field))
            becomes(Type::sleb128, "read as signed");
        if (field.type == Type::sleb128) becomes(Type::uleb128, "read as unsigned");
        if (field.is_string()) becomes(Type::bytes, "made bytes");
    }

    // What says how many elements or bytes there are.
    void bound_mutants(size_t i) {
        const Field& field = record().fields()[i];
        if (field.is_optional()) add_field(i, "always there", [](Field& f) { f.condition = {}; });
        if (!field.counter.empty() && !ends_its_record(record(), i))
            add_field(i, "not counted", [](Field& f) { f.counter = {}; });
        if (!field.sizer.empty() && !ends_its_record(record(), i))
            add_field(i, "not sized", [](Field& f) { f.sizer = {}; });
        if (!field.filled.empty()) add_field(i, "filling nothing", [](Field& f) { f.filled = {}; });
        for (size_t other = 0; other < i; ++other) {
            const std::string_view name = record().fields()[other].name;
            if (!is_number(record().fields()[other])) continue;
            if (!field.counter.empty() && field.counter != name)
                add_field(i, "counted by " + std::string(name), [=](Field& f) { f.counter = name; });
            if (!field.sizer.empty() && field.sizer != name)
                add_field(i, "sized by " + std::string(name), [=](Field& f) { f.sizer = name; });
        }
    }

    Tables& tables_;
    size_t which_ = 0;
    std::vector<Mutant> mutants_;
};

std::string_view reason_to_survive(std::string_view mutant) {
    for (const Unshowable& unshowable : kUnshowable)
        if (unshowable.mutant == mutant) return unshowable.reason;
    return {};
}

// Breeds the record tables of a format and holds each mutant to its base files.
void check_mutants(const Format& format, const CorpusFolder& corpus) {
    Errors errors;
    const std::vector<Golden> goldens = goldens_of(format, errors, corpus);
    Tables tables(format);
    size_t made = 0, killed = 0;
    for (const Mutant& mutant : Breeder(tables).all()) {
        if (tables.originals()[mutant.record]->fallback) continue;
        Tables changed = tables;
        changed.at(mutant.record) = mutant.changed;
        const bool noticed =
            std::any_of(goldens.begin(), goldens.end(), [&](const Golden& g) { return !agrees(g, changed); });
        const bool may_survive = !reason_to_survive(mutant.name).empty();
        CHECK_MESSAGE((noticed || may_survive), format.id << ": no base file notices " << mutant.name);
        CHECK_MESSAGE(!(noticed && may_survive), mutant.name << ": is noticed, so it needs no excuse");
        ++made;
        if (noticed) ++killed;
    }
    MESSAGE(format.id << ": " << made << " mutants of the record tables, " << killed << " noticed");
    size_t fields = 0;
    for (const Record* record : tables.originals()) fields += record->fields().size();
    CHECK(made >= 2 * fields);
}

}  // namespace

TEST_CASE("every change of a record table is noticed by a base file") {
    for (const Format* format : formats()) check_mutants(*format, tested_corpus());
    check_mutants(kToy, toy_corpus());
}

}  // namespace tracelint
