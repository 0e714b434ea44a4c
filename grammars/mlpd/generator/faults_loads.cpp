// Planted faults of what is used, loaded and unloaded: rules 74 to 81.
#include "grammars/mlpd/events/event_table.hpp"
#include "grammars/mlpd/generator/faults.hpp"

namespace tracelint::mlpd::faults {
namespace {

constexpr uint16_t kMethodsKnownSince = 11;  // before, an undefined one is but noted
constexpr uint16_t kUnloadsSince = 11;

// Kinds whose loads and unloads are held against each other.
bool is_counted(const Record* record) {
    return record == &kImage || record == &kAssembly || record == &kDomain || record == &kContext;
}

// What could not be loaded uses nothing.
bool has_failed(const RecordValues& metadata) {
    return (subtype_of(static_cast<uint8_t>(metadata.number("op"))) & kFlag) != 0;
}

// Changes the number in one of the records that have it, which becomes the first use of what is not there.
std::optional<Planted> use_instead(File& file, Random& random, std::string_view field,
                                   std::initializer_list<const Record*> records, uint64_t number) {
    const auto at = choose_value(file, random, [&](const RecordValues& draft, const Value& value) {
        return value.leaf.field != nullptr && value.leaf.field->name == field && value.leaf.element == kNone &&
               std::find(records.begin(), records.end(), draft.record) != records.end() && !has_failed(draft);
    });
    if (!at) return std::nullopt;
    file[at->record].values[at->value].leaf.number = number;
    settle_buffers(file);
    return at_event(file, at->record);
}

// One of several kinds of metadata with the op, by its number.
template <class Fits>
std::optional<size_t> choose_metadata(const File& file, Random& random, uint64_t op, Fits fits) {
    std::vector<size_t> places;
    for (size_t i = 0; i < file.size(); ++i)
        if (is_op(file[i], op) && fits(file[i].record)) places.push_back(i);
    if (places.empty()) return std::nullopt;
    return pick_of(random, places);
}

Planned loaded(const Record& record, uint64_t id) { return Planned(record).with("op", kLoad).with("pointer", id); }

// The later record is put into the file first.
Planted use_before_load(File& file, Random& random, size_t at, const Planned& use, const Planned& load) {
    insert_event(file, random, at, load);
    insert_event(file, random, at, Planned(kSyncPoint).with("type", 0));
    insert_event(file, random, at, use);
    return at_event(file, at);
}

}  // namespace

std::optional<Planted> undefined_method(File& file, Random& random) {
    if (version_of(file) < kMethodsKnownSince) return std::nullopt;
    return use_instead(file, random, "method", {&kClause}, fresh_pointer(file, random));
}

// Of a backtrace or a sample.
std::optional<Planted> undefined_frame(File& file, Random& random) {
    if (version_of(file) < kMethodsKnownSince) return std::nullopt;
    const auto at = choose_value(file, random, [](const RecordValues&, const Value& value) {
        const Record* of = value.leaf.record;
        return (of == &kFrame || of == &kOldFrame || of == &kSampleFrame) && value.leaf.field->name == "method";
    });
    if (!at) return std::nullopt;
    file[at->record].values[at->value].leaf.number = fresh_pointer(file, random);
    settle_buffers(file);
    return at_value(file, *at);
}

// It is entered and left; the first use is said.
std::optional<Planted> undefined_call(File& file, Random& random) {
    const auto at = choose_situation(file, random, any_situation);
    if (!at || version_of(file) < kMethodsKnownSince) return std::nullopt;
    const uint64_t method = fresh_pointer(file, random);
    insert_event(file, random, *at, Planned(one_in(random, 2) ? kLeave : kExceptionLeave).with("method", method));
    insert_event(file, random, *at, Planned(kEnter).with("method", method));
    return at_event(file, *at);
}

std::optional<Planted> undefined_class(File& file, Random& random) {
    const uint64_t fresh = fresh_pointer(file, random);
    return use_instead(file, random, "class", {&kAlloc, &kAllocBacktrace, &kHeapObject}, fresh);
}

std::optional<Planted> undefined_class_of_vtable(File& file, Random& random) {
    return use_instead(file, random, "class", {&kVtable}, fresh_pointer(file, random));
}

std::optional<Planted> undefined_vtable(File& file, Random& random) {
    const uint64_t fresh = fresh_pointer(file, random);
    return use_instead(file, random, "vtable", {&kAlloc, &kAllocBacktrace, &kHeapObject}, fresh);
}

std::optional<Planted> undefined_image(File& file, Random& random) {
    return use_instead(file, random, "image", {&kClass, &kAssembly}, fresh_pointer(file, random));
}

// Of a vtable, or of one more context.
std::optional<Planted> undefined_domain(File& file, Random& random) {
    if (one_in(random, 2)) return use_instead(file, random, "domain", {&kVtable}, fresh_domain(random));
    const auto at = choose_situation(file, random, any_situation);
    if (!at || !has(file, kContext)) return std::nullopt;
    const Planned event = loaded(kContext, fresh_pointer(file, random)).with("domain", fresh_domain(random));
    insert_event(file, random, *at, event);
    return at_event(file, *at);
}

// A class, or a vtable where there are any.
std::optional<Planted> type_loaded_in_later_window(File& file, Random& random) {
    const auto at = choose_situation(file, random, any_situation);
    if (!at || !has(file, kSyncPoint)) return std::nullopt;
    const bool has_vtables = has(file, kVtable);
    const auto made_of = has_vtables ? known_class(file, *at) : known_image(file, *at);
    if (!made_of) return std::nullopt;
    const uint64_t type = fresh_pointer(file, random);
    Planned use(kAlloc);
    use.with("class", type).with("vtable", type).with("object", fresh_object(file, random)).with("size", 8);
    Planned load = loaded(has_vtables ? kVtable : kClass, type);
    load.with(has_vtables ? "class" : "image", *made_of).with("domain", 0);
    return use_before_load(file, random, *at, use, load);
}

std::optional<Planted> image_loaded_in_later_window(File& file, Random& random) {
    const auto at = choose_situation(file, random, any_situation);
    if (!at || !has(file, kSyncPoint)) return std::nullopt;
    const uint64_t image = fresh_pointer(file, random);
    const Planned use = loaded(kClass, image + 8).with("image", image);
    return use_before_load(file, random, *at, use, loaded(kImage, image).text("mvid", ""));
}

// Right behind the first one.
std::optional<Planted> duplicate_load(File& file, Random& random) {
    if (version_of(file) < kUnloadsSince) return std::nullopt;
    const auto at = choose_metadata(file, random, kLoad,
                                    [](const Record* record) { return is_counted(record) || record == &kClass; });
    if (!at) return std::nullopt;
    insert_event(file, *at + 1, file[*at]);
    return at_event(file, *at + 1);
}

std::optional<Planted> unload_without_load(File& file, Random& random) {
    const auto at = choose_situation(file, random, any_situation);
    if (!at || version_of(file) < kUnloadsSince) return std::nullopt;
    const Record& record = *pick<const Record*>(random, {&kImage, &kAssembly, &kDomain, &kContext});
    const auto image = known_image(file, *at);
    if (&record == &kAssembly && !image) return std::nullopt;
    const uint64_t id = &record == &kDomain ? fresh_domain(random) : fresh_pointer(file, random);
    Planned event(record);
    event.with("op", kUnload).with("pointer", id).with("image", image.value_or(0)).with("domain", 0);
    insert_event(file, random, *at, event);
    return at_event(file, *at);
}

// Of what nothing uses: a context or an assembly.
std::optional<Planted> load_missing(File& file, Random& random) {
    const auto unload = choose_metadata(
        file, random, kUnload, [](const Record* record) { return record == &kContext || record == &kAssembly; });
    if (!unload) return std::nullopt;
    for (size_t load = *unload; load-- > 0;) {
        const RecordValues& draft = file[load];
        if (!is_op(draft, *file[*unload].record, kLoad) || draft.number("pointer") != file[*unload].number("pointer") ||
            draft.number("domain") != file[*unload].number("domain"))
            continue;
        erase_event(file, load);
        return at_event(file, *unload - 1);
    }
    return std::nullopt;
}

std::optional<Planted> double_unload(File& file, Random& random) {
    const auto at = choose_metadata(file, random, kUnload, is_counted);
    if (!at) return std::nullopt;
    insert_event(file, *at + 1, file[*at]);
    return at_event(file, *at + 1);
}

}  // namespace tracelint::mlpd::faults
