// mlpd: plans as straight code. For each record and each layout that it has in any data version, the compiler unrolls
// the steps of its plan from the record table. What is usual is done in line: a short LEB128 number, a string of ASCII,
// a value that passes its checks. Whatever is not is left to the plan's own functions, field by field, so that both
// ways of reading an event find the same.
#include "grammars/mlpd/lane.hpp"
#include "grammars/mlpd/walk_events.hpp"
#include "validator/tables/text_scan.hpp"

#ifdef TRACELINT_AGREEMENT
#include "validator/tables/decode.hpp"
#endif

namespace tracelint::mlpd {
namespace {

// --- what the tables say, at compile time

// Whether two data versions have the same fields in the record and in the elements of its lists.
consteval bool are_alike(const Record& record, uint16_t one, uint16_t other) {
    for (const Field& field : record.fields()) {
        if (field.exists_in(one) != field.exists_in(other)) return false;
        if (field.exists_in(one) && field.element != nullptr && !are_alike(*field.element, one, other)) return false;
    }
    return true;
}

// The oldest data version from which on the record has the layout of `version`: one piece of code serves both.
consteval uint16_t oldest_alike(const Record& record, uint16_t version) {
    while (version > kOldestVersion && record.exists_in(version - 1) && are_alike(record, version - 1, version))
        --version;
    return version;
}

// The step of a field in the plan of this version.
consteval size_t step_of(const Record& record, uint16_t version, size_t field) {
    size_t step = 0;
    for (size_t before = 0; before < field; ++before) step += record.fields()[before].exists_in(version) ? 1 : 0;
    return step;
}

// The first field from this one on that the version has.
consteval size_t next_field(const Record& record, uint16_t version, size_t field) {
    while (field < record.fields().size() && !record.fields()[field].exists_in(version)) ++field;
    return field;
}

consteval uint32_t slots_always_present(const Record& record, uint16_t version) {
    uint32_t slots = 0;
    for (const Field& field : record.fields())
        if (field.exists_in(version) && !field.is_optional()) slots |= 1u << slot_of(record, field.name);
    return slots;
}

consteval bool is_count(const Record& record, uint16_t version, const Field& field) {
    for (const Field& list : record.fields())
        if (list.exists_in(version) && list.counter == field.name) return true;
    return false;
}

// Whether the record is a single LEB128 number in this version.
consteval bool is_one_number(const Record& record, uint16_t version) {
    const size_t only = next_field(record, version, 0);
    return only < record.fields().size() && record.fields()[only].is_leb() && !record.fields()[only].is_optional() &&
           next_field(record, version, only + 1) == record.fields().size();
}

// Whether the elements of a backtrace or of a sample have this layout.
consteval bool names_frame(const Record& record) {
    return &record == &kFrame || &record == &kOldFrame || &record == &kSampleFrame;
}

// --- what is usual

// The bytes before the NUL, if all of them are ASCII and in hand with 8 to spare; else kNone.
inline uint64_t ascii_to_nul(const uint8_t* from, const uint8_t* stop) {
    for (const uint8_t* at = from; stop - at >= 8; at += 8) {
        const uint64_t eight = load(at, 8, ByteOrder::little);
        // Bit 7 of each byte from the first one on that is 0 or not ASCII.
        const uint64_t marks = ((eight - 0x0101010101010101) | eight) & 0x8080808080808080;
        if (marks == 0) continue;
        at += std::countr_zero(marks) / 8;
        return *at == 0 ? static_cast<uint64_t>(at - from) : kNone;
    }
    return kNone;
}

// Whether the value of the field obeys all its checks.
template <class Here>
constexpr bool obeys_all(uint64_t value) {
    constexpr const Field& field = Here::field;
    return [=]<size_t... I>(std::index_sequence<I...>) {
        return ((field.checks[I].rule == nullptr || obeys(field, field.checks[I], value)) && ...);
    }(std::make_index_sequence<std::tuple_size_v<decltype(field.checks)>>());
}

// Only called in builds with agreement checks.
[[maybe_unused]] void agree_on([[maybe_unused]] const LebNumber& plain, [[maybe_unused]] uint64_t value,
                               [[maybe_unused]] unsigned bytes) {
#ifdef TRACELINT_AGREEMENT
    agree(plain.value, value);
    agree(plain.length, bytes);
    agree(plain.is_canonical, true);
#endif
}

}  // namespace

// The field that the functions below read, and the cursor, which they keep in a register.
template <const auto& R, uint16_t V, size_t I>
struct EventReader::At {
    static constexpr const auto& record = R;
    static constexpr const Field& field = R.fields()[I];
    static constexpr bool is_signed = field.type == Type::sleb128;
    static constexpr uint8_t slot = slot_of(R, field.name);
    static constexpr size_t step_number = step_of(R, V, I);
    static constexpr bool counts = is_count(R, V, field);
    static const Step& step(const Reading& reading) { return reading.plan.steps[step_number]; }
};

// Leaves a field to the function of its plan.
template <class Read>
bool EventReader::plainly(const uint8_t*& cursor, Read read) {
    cursor_ = cursor;
    const bool ok = read();
    cursor = cursor_;
    return ok;
}

// A LEB128 number was read: as leb() continues.
template <class Here>
[[gnu::always_inline]] inline bool EventReader::enter_number(const Reading& reading, const uint8_t* from,
                                                             uint64_t written, unsigned bytes) {
    Values& values = reading.values;
    const uint64_t value = resolved(Here::field, layout_, written);
    values.at[Here::slot] = data_at_ + static_cast<uint64_t>(from - data_);
    values.length[Here::slot] = bytes;
    values.number[Here::slot] = value;
    if constexpr (Here::field.is_running) layout_.bases[Here::field.base] = value;
#ifdef TRACELINT_AGREEMENT
    agree_on(read_leb({from, stop_}, Here::is_signed), written, bytes);
#endif
    if constexpr (!Here::counts)
        if (!obeys_all<Here>(value)) [[unlikely]]
            return check_table(reading, Here::step(reading));
    return true;
}

// Whether check_distance() would pass.
template <class Here>
[[gnu::always_inline]] inline bool EventReader::is_in_reach(uint64_t written) const {
    return Here::field.base == 0 || layout_.word_size != 4 || fits_32_bits(written);
}

template <class Here>
[[gnu::always_inline]] inline bool EventReader::straight_number(const Reading& reading, const uint8_t*& cursor) {
    uint64_t written = 0;
    if (stop_ - cursor >= kShortRoom) [[likely]] {
        const uint8_t* const end = read_short<Here::is_signed>(cursor, written);
        if (end != nullptr && is_in_reach<Here>(written)) [[likely]] {
            const uint8_t* const from = cursor;
            cursor = end;
            return enter_number<Here>(reading, from, written, static_cast<unsigned>(end - from));
        }
    }
    return plainly(cursor, [&] {
        reading.values.at[Here::slot] = at();
        return leb(reading, Here::step(reading));
    });
}

template <class Here>
[[gnu::always_inline]] inline bool EventReader::straight_fixed(const Reading& reading, const uint8_t*& cursor) {
    constexpr unsigned width = Here::field.width;
    Values& values = reading.values;
    values.at[Here::slot] = data_at_ + static_cast<uint64_t>(cursor - data_);
    if (stop_ - cursor < std::ptrdiff_t{width}) [[unlikely]]
        return plainly(cursor, [&] { return fixed(reading, Here::step(reading)); });
    const uint64_t value =
        width == 1 && Here::field.type == Type::number ? *cursor : read_fixed(Here::field, layout_, cursor);
    values.length[Here::slot] = width;
    values.number[Here::slot] = value;
    cursor += width;
    return obeys_all<Here>(value) || check_table(reading, Here::step(reading));
}

template <class Here>
[[gnu::always_inline]] inline bool EventReader::straight_text(const Reading& reading, const uint8_t*& cursor) {
    Values& values = reading.values;
    values.at[Here::slot] = data_at_ + static_cast<uint64_t>(cursor - data_);
    const uint64_t length = ascii_to_nul(cursor, stop_);
    if (length == kNone) [[unlikely]]
        return plainly(cursor, [&] { return text(reading, Here::step(reading)); });
    values.length[Here::slot] = static_cast<uint32_t>(length + 1);
    values.number[Here::slot] = length;
    cursor += length + 1;
    return true;
}

// Elements that are one number each, as long as there is nothing to say about their bytes. How many.
template <class Here>
[[gnu::always_inline]] inline uint64_t EventReader::straight_numbers(const Reading& first, uint64_t most,
                                                                     const uint8_t*& cursor) {
    const Step& step = Here::step(first);
    if (!names_frame(Here::record) && step.act != nullptr) return 0;
    uint64_t count = 0;
    for (; count < most && stop_ - cursor >= kShortRoom; ++count) {
        uint64_t written = 0;
        const uint8_t* const end = read_short<Here::is_signed>(cursor, written);
        if (end == nullptr || !is_in_reach<Here>(written)) break;
        const uint64_t value = resolved(Here::field, layout_, written);
        if (!obeys_all<Here>(value)) break;
#ifdef TRACELINT_AGREEMENT
        agree_on(read_leb({cursor, stop_}, Here::is_signed), written, static_cast<unsigned>(end - cursor));
#endif
        if (names_frame(Here::record) && !with_.session.step_use(value)) [[unlikely]] {
            first.values.at[Here::slot] = data_at_ + static_cast<uint64_t>(cursor - data_);
            first.values.length[Here::slot] = static_cast<uint32_t>(end - cursor);
            with_.session.note_use(value, place({first.plan, first.values, first.list, first.element + count}, step));
        }
        if constexpr (Here::field.is_running) layout_.bases[Here::field.base] = value;
        cursor = end;
    }
    return count;
}

template <class Here, uint16_t V>
[[gnu::always_inline]] inline bool EventReader::straight_list(const Reading& reading, const uint8_t*& cursor) {
    constexpr const Record& element = *Here::field.element;
    const Step& step = Here::step(reading);
    uint64_t count = 0;
    if (!plainly(cursor, [&] { return begin_list(reading, step, count); })) return false;
    for (uint64_t i = 0; i < count; ++i) {
        if constexpr (is_one_number(*Here::field.element, V)) {
            using Only = At<*Here::field.element, V, next_field(*Here::field.element, V, 0)>;
            i += straight_numbers<Only>({*step.element, element_, step.field, i}, count - i, cursor);
            if (i == count) break;
        }
        element_.present = slots_always_present(element, V);
        if (!straight_from<element, V, 0>({*step.element, element_, step.field, i}, cursor)) return false;
    }
    return true;
}

// What reading the field leads to. That of times is in line.
template <class Here>
[[gnu::always_inline]] inline bool EventReader::straight_action(const Reading& reading) {
    const Step& step = Here::step(reading);
    if constexpr (Here::field.name == kTime.name) {
        const uint64_t passed = reading.values.number[Here::slot], now = time_ + passed;
        if (any_negative(passed | now)) [[unlikely]]
            check_time(reading, step);
        else
            time_ = now;
    } else if constexpr (names_frame(Here::record) && Here::field.name == "method") {
        // Most frames are of methods that were met before.
        if (!with_.session.step_use(reading.values.number[Here::slot])) [[unlikely]]
            use_frame(reading, step);
    } else if (step.act != nullptr) {
        (this->*step.act)(reading, step);
    }
    return true;
}

template <class Here, uint16_t V>
[[gnu::always_inline]] inline bool EventReader::straight_field(const Reading& reading, const uint8_t*& cursor) {
    if constexpr (Here::field.is_leb())
        return straight_number<Here>(reading, cursor);
    else if constexpr (Here::field.type == Type::string)
        return straight_text<Here>(reading, cursor);
    else if constexpr (Here::field.type == Type::list)
        return straight_list<Here, V>(reading, cursor);
    else
        return straight_fixed<Here>(reading, cursor);
}

// The fields from number `I` on that version `V` has.
template <const auto& R, uint16_t V, size_t I>
[[gnu::always_inline]] inline bool EventReader::straight_from(const Reading& reading, const uint8_t*& cursor) {
    constexpr size_t here = next_field(R, V, I);
    if constexpr (here == R.fields().size()) {
        return true;
    } else {
        using Here = At<R, V, here>;
        if constexpr (Here::field.is_optional()) {
            constexpr uint8_t decides = slot_of(R, Here::field.condition.field);
            const Values& values = reading.values;
            if (values.has(decides) && Here::field.condition.holds_for(values.number[decides])) {
                reading.values.present |= 1u << Here::slot;
                if (!straight_field<Here, V>(reading, cursor) || !straight_action<Here>(reading)) return false;
            }
            return straight_from<R, V, here + 1>(reading, cursor);
        } else {
            return straight_field<Here, V>(reading, cursor) && straight_action<Here>(reading) &&
                   straight_from<R, V, here + 1>(reading, cursor);
        }
    }
}

template <const auto& R, uint16_t V>
bool EventReader::straight(const Plan& plan) {
    const uint8_t* cursor = cursor_;
    values_.present = slots_always_present(R, V);
    const bool ok = straight_from<R, V, 0>({plan, values_}, cursor);
    cursor_ = cursor;
    return ok;
}

// The code of one record, by data version.
template <const auto& R>
EventReader::StraightCode EventReader::straight_code_of(uint16_t version) {
    constexpr auto codes = []<size_t... Versions>(std::index_sequence<Versions...>) {
        const auto code_of = []<uint16_t V>() -> StraightCode {
            if constexpr (V >= kOldestVersion && R.exists_in(V))
                return &EventReader::straight<R, oldest_alike(R, V)>;
            else
                return nullptr;
        };
        return std::array { code_of.template operator()<static_cast<uint16_t>(Versions)>()... };
    }(std::make_index_sequence<kIlOffsetVersion + 1>());
    return codes[version];
}

template <const auto&... Rs>
EventReader::StraightCode EventReader::any_of(const Record& record, uint16_t version) {
    StraightCode code = nullptr;
    static_cast<void>(((&record == &Rs && (code = straight_code_of<Rs>(version), true)) || ...));
    return code;
}

// The others are rare in any file.
EventReader::StraightCode EventReader::straight_code(const Record& record, uint16_t version) {
    return any_of<kAlloc, kAllocBacktrace, kGcEvent, kGcMove, kHandleCreated, kHandleDestroyed, kHandleCreatedBacktrace,
                  kHandleDestroyedBacktrace, kClass, kThread, kVtable, kLeave, kEnter, kExceptionLeave, kJit, kThrow,
                  kThrowBacktrace, kClause, kMonitor, kMonitorBacktrace, kHeapObject, kHeapRoot, kRootRegister,
                  kRootUnregister, kSampleHit>(record, version);
}

}  // namespace tracelint::mlpd
