// mlpd, section 4.3, definitions: classes, images, assemblies, domains, threads, contexts and vtables.
#pragma once

#include "grammars/mlpd/session/file_state.hpp"
#include "grammars/mlpd/session/id_table.hpp"
#include "grammars/mlpd/session/load_rules.hpp"
#include "validator/machine.hpp"

namespace tracelint::mlpd {

// What METADATA is about: the mtypes of 3.7.
enum class Kind : uint8_t { klass = 1, image, assembly, domain, thread, context, vtable, count_ };

// A METADATA event: x as in 3.7 (0 name, 2 load, 4 unload), and the ids that the version has.
struct Metadata {
    Kind kind;
    uint8_t x;
    uint64_t pointer;
    std::optional<uint64_t> image{};   // of a class or assembly
    std::optional<uint64_t> domain{};  // of a context or vtable
    std::optional<uint64_t> klass{};   // of a vtable

    bool loads() const { return x == 2; }
    bool unloads() const { return x == 4; }
};

// One id through loads and unloads.
enum class Life : uint8_t { unmet, live, gone, over, count_ };
enum class LifeEvent : uint8_t {
    load,
    load_anew,  // its image or domain was unloaded since the load before
    unload,
    end,
    count_
};
inline constexpr std::string_view kLifeNames[] = {"not loaded yet", "live", "unloaded", "over"};
inline constexpr std::string_view kLifeEventNames[] = {"load", "load after that of its image or domain was unloaded",
                                                       "unload", "end of file"};
// clang-format off
inline constexpr Edge<Life, LifeEvent> kLifeEdges[] = {
    {Life::unmet, on(LifeEvent::load, LifeEvent::load_anew), Life::live},
    {Life::unmet, on(LifeEvent::unload),    Life::gone, Recovery::accept, &kUnloadWithoutLoad},
    {Life::unmet, on(LifeEvent::end),       Life::over},
    {Life::live,  on(LifeEvent::load),      Life::live, Recovery::accept, &kDuplicateLoad},
    {Life::live,  on(LifeEvent::load_anew), Life::live},
    {Life::live,  on(LifeEvent::unload),    Life::gone},
    {Life::live,  on(LifeEvent::end),       Life::over},
    {Life::gone,  on(LifeEvent::load, LifeEvent::load_anew), Life::live},
    {Life::gone,  on(LifeEvent::unload),    Life::gone, Recovery::skip, &kDoubleUnload},
    {Life::gone,  on(LifeEvent::end),       Life::over},
};
// clang-format on
inline constexpr auto kLifeMachine = make_machine(kLifeEdges, Life::unmet, Life::over);

// A context id is unique in its domain only.
struct ContextKey {
    uint64_t domain = 0, context = 0;
    auto operator<=>(const ContextKey&) const = default;
};
constexpr uint64_t hash_of(const ContextKey& key) {
    return hash_of((key.context ^ std::rotl(hash_of(key.domain), 32)));
}

class Loads {
  public:
    explicit Loads(FileState& file);

    // A METADATA event (rules 77 to 81).
    void take(const Metadata& metadata, const Spot& event);
    // Whether nothing is left to be said about objects of this class (since version 15: vtable).
    bool step_use_type(uint64_t type) { return settled_.holds(type) || settle(type); }
    // An object has this class or vtable (rules 77, 78 and 82).
    void use_type(uint64_t type, const Spot& event);
    // Rule 77.
    void finish();

  private:
    struct Entry {
        uint64_t key = 0;
        Life life = Life::unmet;
        bool was_loaded = false;
        bool is_excused = false;     // unloaded; where it was not loaded before, that was said
        bool said_dead = false;      // rule 82, since the last load
        uint32_t first_use = 0;      // number in uses_, from 1; 0: none before it was loaded
        uint32_t unloads = 0;        // of an image or domain
        uint32_t owner = 0;          // the image or domain that the last load names
        uint32_t owner_unloads = 0;  // of it before that load
        uint32_t klass = 0;          // of a vtable
        uint64_t unload_window = 0;  // where gone
    };
    using Table = IdTable<Entry>;
    struct Context {
        ContextKey key{};
        Life life = Life::unmet;
    };
    struct Use {
        Spot event;
        uint64_t window;
        bool is_said = false;  // rule 78
    };
    // The window of an image's or domain's unload; unloads are counted from 0.
    struct OwnerUnload {
        struct Key {
            Kind kind;
            uint32_t owner, unload;
            auto operator<=>(const Key&) const = default;
        } key;
        uint64_t window;
    };

    bool stopped() const { return file_.lossy || !file_.tracks(Tracking::loads); }
    Table& table(Kind kind) { return *tables_[static_cast<size_t>(kind)]; }
    static Kind owner_kind(Kind kind) { return kind == Kind::klass ? Kind::image : Kind::domain; }
    bool is_type(Kind kind) const { return kind == Kind::klass || kind == Kind::vtable; }

    [[gnu::noinline]] bool settle(uint64_t type);
    Entry* entry(Kind kind, uint64_t id, const Spot& event);
    void use(Kind kind, uint64_t id, const Spot& event);
    void take_context(const Metadata& metadata, const Spot& event);
    void load(const Metadata& metadata, const Spot& event);
    void judge_lateness(const Entry& loaded, const Spot& event);
    void unload(Kind kind, Entry& entry, const Spot& event);
    void step(Kind kind, Life& life, LifeEvent what, uint64_t id, const Spot& event);
    bool owner_is_gone(Kind kind, const Entry& entry);
    uint64_t first_death(Kind kind, const Entry& entry);

    FileState& file_;
    const Kind type_;  // what objects name
    SettledIds settled_{4096};
    Table classes_, images_, assemblies_, domains_, threads_, vtables_;
    std::array<Table*, static_cast<size_t>(Kind::count_)> tables_;
    IdTable<Context> contexts_;
    std::vector<Use> uses_;
    SortedTable<OwnerUnload> owner_unloads_;
};

}  // namespace tracelint::mlpd
