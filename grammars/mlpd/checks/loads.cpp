// mlpd, section 4.3.8: loads and unloads.
#include "grammars/mlpd/checks/loads.hpp"

#include <algorithm>

namespace tracelint::mlpd {

constexpr Rule kUndefinedClass{
    .id = "mlpd/undefined-class",
    .severity = Severity::warning,
    .statement = "the file loads every class that it uses",
    .message = "no event of the file loads class {0x}",
    .why = "reports show a placeholder instead of the class name",
    .spec = "4.3.8 Loads and unloads",
    .since = "0.1.0",
    .about_end = true,
    .depends_on = {.later_records = true},
};

constexpr Rule kUndefinedVtable{
    .id = "mlpd/undefined-vtable",
    .severity = Severity::warning,
    .statement = "the file loads every vtable that it uses",
    .message = "no event of the file loads vtable {0x}",
    .why = "readers cannot tell the class of the object; reports show a placeholder",
    .spec = "4.3.8 Loads and unloads",
    .since = "0.1.0",
    .about_end = true,
    .depends_on = {.later_records = true},
};

constexpr Rule kUndefinedImage{
    .id = "mlpd/undefined-image",
    .severity = Severity::warning,
    .statement = "the file loads every image that it uses",
    .message = "no event of the file loads image {0x}",
    .why = "readers cannot tell which file the class or assembly comes from",
    .spec = "4.3.8 Loads and unloads",
    .since = "0.1.0",
    .about_end = true,
    .depends_on = {.later_records = true},
};

constexpr Rule kUndefinedDomain{
    .id = "mlpd/undefined-domain",
    .severity = Severity::warning,
    .statement = "the file loads every application domain that it uses, except the root domain 0",
    .message = "no event of the file loads domain {0x}",
    .why = "readers cannot tell which application domain the vtable or context belongs to",
    .spec = "4.3.8 Loads and unloads",
    .since = "0.1.0",
    .about_end = true,
    .depends_on = {.later_records = true},
};

namespace {

// What differs between the kinds.
struct KindRow {
    const Rule* undefined;      // null: nothing refers to this kind
    bool may_load_again;        // a second load is no finding
    bool loads_again_often;     // a second load has the rule's override
    bool unloads_are_compared;  // with earlier loads and unloads
    bool comes_and_goes;        // unloads out of order have the rule's override
};
constexpr KindRow kKinds[] = {
    {},
    {&kUndefinedClass, false, false, false, false},
    {&kUndefinedImage, false, false, true, false},
    {nullptr, false, false, true, false},  // assembly
    {&kUndefinedDomain, false, false, true, false},
    {nullptr, true, false, true, true},    // thread
    {nullptr, false, false, true, false},  // context
    {&kUndefinedVtable, false, true, false, false},
};
static_assert(std::size(kKinds) == static_cast<size_t>(Kind::count_));

const KindRow& row_of(Kind kind) { return kKinds[static_cast<size_t>(kind)]; }

constexpr uint16_t kFirstWithUnloads = 11;
constexpr uint16_t kFirstWithVtables = 15;

}  // namespace

Loads::Loads(FileState& file)
    : file_(file),
      type_(file.version >= kFirstWithVtables ? Kind::vtable : Kind::klass),
      settled_(4096, file.context.work),
      classes_(file.context.budget, file.context.work),
      images_(file.context.budget, file.context.work),
      assemblies_(file.context.budget, file.context.work),
      domains_(file.context.budget, file.context.work),
      threads_(file.context.budget, file.context.work),
      vtables_(file.context.budget, file.context.work),
      tables_{nullptr, &classes_, &images_, &assemblies_, &domains_, &threads_, nullptr, &vtables_},
      contexts_(file.context.budget, file.context.work),
      owner_unloads_(file.context.budget, file.context.work) {}

void Loads::note(const Metadata& metadata, const Spot& event) {
    if (stopped()) return;
    const bool is_owner = metadata.kind == Kind::image || metadata.kind == Kind::domain;
    if (metadata.unloads() && (is_owner || is_type(metadata.kind))) has_unloads_ = true;
    // What is loaded may belong to something that is gone already: objects of any type wait for it.
    if (has_unloads_ && is_type(metadata.kind)) settled_.clear();
    if (metadata.kind != Kind::context) table(metadata.kind).prefetch(metadata.pointer);
    if (metadata.kind == Kind::vtable) classes_.prefetch(metadata.klass);
    const auto prefetch = [this](const Noted& noted) __attribute__((always_inline)) {
        if (noted.metadata.kind != Kind::context) table(noted.metadata.kind).prefetch_entry(noted.metadata.pointer);
        if (noted.metadata.kind == Kind::vtable) classes_.prefetch_entry(noted.metadata.klass);
    };
    noted_.add({metadata, event}, prefetch, [this](const Noted& noted) { take(noted); });
}

void Loads::take_all() {
    noted_.take_all([this](const Noted& noted) { take(noted); });
}

void Loads::take(const Noted& noted) {
    const auto& [metadata, event] = noted;
    if (metadata.kind == Kind::vtable) use(Kind::klass, metadata.klass, event);
    if (metadata.has_owner) use_owner(owner_kind(metadata.kind), metadata.owner, event);
    if (stopped() || (!metadata.loads() && !metadata.unloads())) return;
    if (metadata.kind == Kind::context) return take_context(metadata, event);
    if (metadata.loads()) return load(metadata, event);
    if (Entry* unloaded = entry(metadata.kind, metadata.pointer, event)) unload(metadata.kind, *unloaded, event);
}

Loads::Entry* Loads::entry(Kind kind, uint64_t id, const Spot& event) {
    if (stopped()) return nullptr;
    Entry* found = table(kind).find_or_insert(id);
    if (found == nullptr) file_.stop(Tracking::loads, event.place());
    return found;
}

// The entry of an image or domain.
const Loads::LastOwner* Loads::find_owner(Kind kind, uint64_t id, const Spot& event) {
    LastOwner& last = last_owners_[kind == Kind::image ? 0 : 1];
    if (last.entry != nullptr && last.id == id) return &last;
    Entry* const found = entry(kind, id, event);
    if (found == nullptr) return nullptr;
    last = {id, table(kind).number_of(*found), found};
    return &last;
}

// The root domain, 0, is never loaded.
void Loads::use_owner(Kind kind, uint64_t id, const Spot& event) {
    if (kind == Kind::domain && id == 0) return;
    if (const LastOwner* of = find_owner(kind, id, event)) use(*of->entry, event);
}

// Remembers the first use of an id that is not loaded yet.
void Loads::use(Kind kind, uint64_t id, const Spot& event) {
    if (Entry* used = entry(kind, id, event)) use(*used, event);
}

void Loads::use(Entry& used, const Spot& event) {
    if (used.was_loaded || used.first_use != 0) return;
    if (!file_.context.budget.take(sizeof(Use))) return file_.stop(Tracking::loads, event.place());
    uses_.push_back({event, file_.window});
    used.first_use = static_cast<uint32_t>(uses_.size());
}

void Loads::take_context(const Metadata& metadata, const Spot& event) {
    Context* context = contexts_.find_or_insert({metadata.owner, metadata.pointer});
    if (context == nullptr) return file_.stop(Tracking::loads, event.place());
    if (metadata.loads())
        step_load(Kind::context, context->life, false, metadata.pointer, event);
    else
        step_unload(Kind::context, context->life, metadata.pointer, event);
}

void Loads::load(const Metadata& metadata, const Spot& event) {
    const Kind kind = metadata.kind;
    uint32_t owner = 0, owner_unloads = 0, klass = 0;
    if (is_type(kind)) {
        const LastOwner* of = find_owner(owner_kind(kind), metadata.owner, event);
        if (of == nullptr) return;
        owner = of->number;
        owner_unloads = of->entry->unloads;
    }
    if (kind == Kind::vtable) {
        const Entry* of = entry(Kind::klass, metadata.klass, event);
        if (of == nullptr) return;
        klass = classes_.number_of(*of);
    }
    Entry* loaded = entry(kind, metadata.pointer, event);
    if (loaded == nullptr) return;
    const bool is_used = !loaded->was_loaded && loaded->first_use != 0;
    if (is_type(kind) && (loaded->was_loaded || is_used)) settled_.clear();
    step_load(kind, loaded->life, owner_is_gone(kind, *loaded), loaded->key, event);
    if (is_used) check_window(*loaded, event);
    loaded->was_loaded = true;
    loaded->death_is_reported = false;
    if (!is_type(kind)) return;
    loaded->owner = owner;
    loaded->owner_unloads = owner_unloads;
    if (kind == Kind::vtable) loaded->klass = klass;
}

constexpr Rule kLoadedInLaterWindow{
    .id = "mlpd/loaded-in-later-window",
    .severity = Severity::warning,
    .statement = "everything that is used is loaded before the next synchronisation point",
    .message = "{0x} is loaded only at {1x}, after a synchronisation point that follows this first use",
    .why = "a reader that sorts the events between two synchronisation points by time meets the use before the load",
    .spec = "4.3.8 Loads and unloads",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

// An event that is the first use of two ids has one finding.
void Loads::check_window(const Entry& loaded, const Spot& event) {
    const size_t number = loaded.first_use - 1;
    Use& use = uses_[number];
    if (use.window == file_.window) return;
    const auto is_reported_at = [&](size_t other) {
        return other < uses_.size() && uses_[other].event.index == use.event.index && uses_[other].is_reported;
    };
    if (is_reported_at(number - 1) || is_reported_at(number + 1)) return;
    use.is_reported = true;
    Diagnostic finding{.rule = &kLoadedInLaterWindow, .place = use.event.place()};
    finding.numbers = {loaded.key, event.offset};
    finding.related_offset = event.offset;
    finding.related_length = event.length;
    file_.findings.add(finding);
}

void Loads::unload(Kind kind, Entry& unloaded, const Spot& event) {
    if (row_of(kind).unloads_are_compared) unloaded.is_excused = true;
    if (unloaded.life != Life::gone) unloaded.unload_window = file_.window;
    step_unload(kind, unloaded.life, unloaded.key, event);
    settled_.clear();
    if (kind != Kind::image && kind != Kind::domain) return;
    const uint32_t number = table(kind).number_of(unloaded);
    if (!owner_unloads_.insert({{kind, number, unloaded.unloads++}, file_.window}))
        file_.stop(Tracking::loads, event.place());
}

// `is_anew`: the image or domain was unloaded since the last load.
void Loads::step_load(Kind kind, Life& life, bool is_anew, uint64_t id, const Spot& event) {
    const KindRow& row = row_of(kind);
    const LifeEvent what = is_anew || row.may_load_again ? LifeEvent::load_anew : LifeEvent::load;
    const bool is_overridden = row.loads_again_often || file_.version < kFirstWithUnloads;
    if (const Rule* rule = step(kLifeTracker, life, what)) report(*rule, is_overridden, id, event);
}

void Loads::step_unload(Kind kind, Life& life, uint64_t id, const Spot& event) {
    const KindRow& row = row_of(kind);
    const LifeEvent what = row.unloads_are_compared ? LifeEvent::unload : LifeEvent::unload_unchecked;
    if (const Rule* rule = step(kLifeTracker, life, what)) report(*rule, row.comes_and_goes, id, event);
}

void Loads::report(const Rule& rule, bool is_overridden, uint64_t id, const Spot& event) {
    Diagnostic finding{.rule = &rule, .place = event.place(), .numbers = {id}};
    finding.is_overridden = is_overridden;
    file_.findings.add(finding);
}

// Whether the image of a class or the domain of a vtable was unloaded since the class or vtable was loaded.
bool Loads::owner_is_gone(Kind kind, const Entry& entry) {
    return is_type(kind) && entry.was_loaded && table(owner_kind(kind)).at(entry.owner).unloads != entry.owner_unloads;
}

// The window of the unload that ended the last load; kNone: still live. The entry was loaded.
uint64_t Loads::first_death(Kind kind, const Entry& entry) {
    uint64_t window = entry.life == Life::gone ? entry.unload_window : kNone;
    if (owner_is_gone(kind, entry))
        window = std::min(window, owner_unloads_.find({owner_kind(kind), entry.owner, entry.owner_unloads})->window);
    if (kind != Kind::vtable) return window;
    const Entry& klass = classes_.at(entry.klass);
    return klass.was_loaded ? std::min(window, first_death(Kind::klass, klass)) : window;
}

bool Loads::settle(uint64_t type) {
    take_all();
    if (!stopped()) {
        const Entry* known = table(type_).find(type);
        if (known == nullptr || (!known->was_loaded && known->first_use == 0)) return false;
        if (known->was_loaded && !known->death_is_reported && first_death(type_, *known) != kNone) return false;
    }
    settled_.enter(type);
    return true;
}

constexpr Rule kUseAfterUnload{
    .id = "mlpd/use-after-unload",
    .severity = Severity::note,
    .statement = "the class of an object is still loaded",
    .message = "{0x} was unloaded before the last synchronisation point, but an object still uses it",
    .why = "readers may have dropped the name by then, or show the name of whatever is loaded at that address next",
    .spec = "4.3.8 Loads and unloads",
    .since = "0.1.0",
};

void Loads::use_type(uint64_t type, const Spot& event) {
    if (step_use_type(type)) return;
    use(type_, type, event);
    if (stopped()) return;
    Entry* used = table(type_).find(type);
    if (!used->was_loaded || first_death(type_, *used) >= file_.window) return;
    used->death_is_reported = true;
    file_.findings.add<kUseAfterUnload>(event.place(), {type});
}

void Loads::finish() {
    if (stopped()) return;
    contexts_.for_each([&](Context& context) { step(kLifeTracker, context.life, LifeEvent::end_of_file); });
    for (size_t kind = 0; kind < std::size(kKinds); ++kind) {
        if (tables_[kind] == nullptr) continue;
        const Rule* const undefined = kKinds[kind].undefined;
        tables_[kind]->for_each([&](Entry& entry) {
            step(kLifeTracker, entry.life, LifeEvent::end_of_file);
            if (undefined != nullptr && !entry.was_loaded && !entry.is_excused && entry.first_use != 0)
                file_.findings.add(*undefined, uses_[entry.first_use - 1].event.place(), {entry.key});
        });
    }
}

constinit const RuleList kLoadRules =
    rules<&kUndefinedClass, &kUndefinedVtable, &kUndefinedImage, &kUndefinedDomain, &kLoadedInLaterWindow,
          &kDuplicateLoad, &kUnloadWithoutLoad, &kDoubleUnload, &kUseAfterUnload>;

}  // namespace tracelint::mlpd
