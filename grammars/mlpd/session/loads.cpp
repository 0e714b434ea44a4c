// mlpd, sections 4.3 and 5, rules 77 to 82.
#include "grammars/mlpd/session/loads.hpp"

#include <algorithm>

namespace tracelint::mlpd {

namespace {

// Rules and severities by kind.
struct KindRow {
    const Rule* undefined;      // null: nothing uses it
    bool may_load_again;        // never a duplicate
    bool loads_again_often;     // a duplicate is but noted
    bool unloads_are_compared;  // with what was loaded and unloaded before
    bool comes_and_goes;        // unloads out of order are but noted
};
constexpr KindRow kRows[] = {
    {},
    {&kUndefinedClass, false, false, false, false},
    {&kUndefinedImage, false, false, true, false},
    {nullptr, false, false, true, false},  // assembly
    {&kUndefinedDomain, false, false, true, false},
    {nullptr, true, false, true, true},    // thread
    {nullptr, false, false, true, false},  // context
    {&kUndefinedVtable, false, true, false, false},
};
static_assert(std::size(kRows) == static_cast<size_t>(Kind::count_));

const KindRow& row_of(Kind kind) { return kRows[static_cast<size_t>(kind)]; }

constexpr uint16_t kFirstWithUnloads = 11;
constexpr uint16_t kFirstWithVtables = 15;

}  // namespace

Loads::Loads(FileState& file)
    : file_(file),
      type_(file.version >= kFirstWithVtables ? Kind::vtable : Kind::klass),
      classes_(file.context.budget, file.context.work),
      images_(file.context.budget, file.context.work),
      assemblies_(file.context.budget, file.context.work),
      domains_(file.context.budget, file.context.work),
      threads_(file.context.budget, file.context.work),
      vtables_(file.context.budget, file.context.work),
      tables_{nullptr, &classes_, &images_, &assemblies_, &domains_, &threads_, nullptr, &vtables_},
      contexts_(file.context.budget, file.context.work),
      owner_unloads_(file.context.budget, file.context.work) {}

void Loads::take(const Metadata& metadata, const Spot& event) {
    if (metadata.image) use(Kind::image, *metadata.image, event);
    if (metadata.klass) use(Kind::klass, *metadata.klass, event);
    if (metadata.domain && *metadata.domain != 0) use(Kind::domain, *metadata.domain, event);
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

// Remembers the first use of what is not loaded yet.
void Loads::use(Kind kind, uint64_t id, const Spot& event) {
    Entry* used = entry(kind, id, event);
    if (used == nullptr || used->was_loaded || used->first_use != 0) return;
    if (!file_.context.budget.take(sizeof(Use))) return file_.stop(Tracking::loads, event.place());
    uses_.push_back({event, file_.window});
    used->first_use = static_cast<uint32_t>(uses_.size());
}

void Loads::take_context(const Metadata& metadata, const Spot& event) {
    Context* context = contexts_.find_or_insert({metadata.domain.value_or(0), metadata.pointer});
    if (context == nullptr) return file_.stop(Tracking::loads, event.place());
    step(Kind::context, context->life, metadata.loads() ? LifeEvent::load : LifeEvent::unload, metadata.pointer, event);
}

void Loads::load(const Metadata& metadata, const Spot& event) {
    const Kind kind = metadata.kind;
    uint32_t owner = 0, owner_unloads = 0, klass = 0;
    if (is_type(kind)) {
        const Entry* of =
            entry(owner_kind(kind), (kind == Kind::klass ? metadata.image : metadata.domain).value_or(0), event);
        if (of == nullptr) return;
        owner = table(owner_kind(kind)).number_of(*of);
        owner_unloads = of->unloads;
    }
    if (kind == Kind::vtable) {
        const Entry* of = entry(Kind::klass, metadata.klass.value_or(0), event);
        if (of == nullptr) return;
        klass = classes_.number_of(*of);
    }
    Entry* loaded = entry(kind, metadata.pointer, event);
    if (loaded == nullptr) return;
    if (is_type(kind) && (loaded->was_loaded || loaded->first_use != 0)) settled_.clear();
    const bool is_anew = owner_is_gone(kind, *loaded);
    step(kind, loaded->life, is_anew ? LifeEvent::load_anew : LifeEvent::load, loaded->key, event);
    if (!loaded->was_loaded && loaded->first_use != 0) judge_lateness(*loaded, event);
    loaded->was_loaded = true;
    loaded->said_dead = false;
    loaded->owner = owner;
    loaded->owner_unloads = owner_unloads;
    loaded->klass = klass;
}

// Rule 78. One event may be the first use of two ids, and is named once.
void Loads::judge_lateness(const Entry& loaded, const Spot& event) {
    const size_t number = loaded.first_use - 1;
    Use& use = uses_[number];
    if (use.window == file_.window) return;
    const auto is_said_at = [&](size_t other) {
        return other < uses_.size() && uses_[other].event.index == use.event.index && uses_[other].is_said;
    };
    if (is_said_at(number - 1) || is_said_at(number + 1)) return;
    use.is_said = true;
    Diagnostic finding{.rule = &kLoadedInLaterWindow, .place = use.event.place()};
    finding.numbers = {loaded.key, event.offset};
    finding.related_offset = event.offset;
    finding.related_length = event.length;
    file_.findings.add(finding);
}

void Loads::unload(Kind kind, Entry& unloaded, const Spot& event) {
    if (row_of(kind).unloads_are_compared) unloaded.is_excused = true;
    if (unloaded.life != Life::gone) unloaded.unload_window = file_.window;
    step(kind, unloaded.life, LifeEvent::unload, unloaded.key, event);
    settled_.clear();
    if (kind != Kind::image && kind != Kind::domain) return;
    const uint32_t number = table(kind).number_of(unloaded);
    if (!owner_unloads_.insert({{kind, number, unloaded.unloads++}, file_.window}))
        file_.stop(Tracking::loads, event.place());
}

// Rules 79 to 81.
void Loads::step(Kind kind, Life& life, LifeEvent what, uint64_t id, const Spot& event) {
    const auto& edge = kLifeMachine.at(life, what);
    life = edge.to;
    if (edge.rule == nullptr) return;
    const KindRow& row = row_of(kind);
    if (edge.rule == &kDuplicateLoad && row.may_load_again) return;
    if (edge.rule != &kDuplicateLoad && !row.unloads_are_compared) return;
    const bool is_mild =
        edge.rule == &kDuplicateLoad ? row.loads_again_often || file_.version < kFirstWithUnloads : row.comes_and_goes;
    if (is_mild)
        file_.findings.add_overridden(*edge.rule, event.place(), {id});
    else
        file_.findings.add(*edge.rule, event.place(), {id});
}

// Whether the image of a class or the domain of a vtable was unloaded since the class or vtable was loaded.
bool Loads::owner_is_gone(Kind kind, const Entry& entry) {
    return is_type(kind) && table(owner_kind(kind)).at(entry.owner).unloads != entry.owner_unloads;
}

// The window of the first unload that ended what was loaded; kNone: it is live.
uint64_t Loads::first_death(Kind kind, const Entry& entry) {
    uint64_t window = entry.life == Life::gone ? entry.unload_window : kNone;
    if (owner_is_gone(kind, entry))
        window = std::min(window, owner_unloads_.find({owner_kind(kind), entry.owner, entry.owner_unloads})->window);
    if (kind != Kind::vtable) return window;
    const Entry& klass = classes_.at(entry.klass);
    return klass.was_loaded ? std::min(window, first_death(Kind::klass, klass)) : window;
}

bool Loads::settle(uint64_t type) {
    if (!stopped()) {
        const Entry* known = table(type_).find(type);
        if (known == nullptr || (!known->was_loaded && known->first_use == 0)) return false;
        if (known->was_loaded && !known->said_dead && first_death(type_, *known) != kNone) return false;
    }
    settled_.enter(type);
    return true;
}

void Loads::use_type(uint64_t type, const Spot& event) {
    if (step_use_type(type)) return;
    use(type_, type, event);
    if (stopped()) return;
    Entry* used = table(type_).find(type);
    if (!used->was_loaded || first_death(type_, *used) >= file_.window) return;
    used->said_dead = true;
    file_.findings.add(kUseAfterUnload, event.place(), {type});
}

void Loads::finish() {
    if (stopped()) return;
    for (const Kind kind : {Kind::klass, Kind::image, Kind::domain, Kind::vtable})
        table(kind).for_each([&](const Entry& entry) {
            if (entry.first_use != 0 && !entry.was_loaded && !entry.is_excused)
                file_.findings.add(*row_of(kind).undefined, uses_[entry.first_use - 1].event.place(), {entry.key});
        });
}

}  // namespace tracelint::mlpd
