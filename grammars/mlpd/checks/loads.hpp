// mlpd, section 4.3.8: loads and unloads of classes, images, assemblies, domains, threads, contexts and vtables.
#pragma once

#include "grammars/mlpd/checks/id_table.hpp"
#include "grammars/mlpd/checks/state.hpp"
#include "validator/tables/machine.hpp"

namespace tracelint::mlpd {

// What METADATA is about: the values of mtype (section 3.7).
enum class Kind : uint8_t { klass = 1, image, assembly, domain, thread, context, vtable, count_ };

// A METADATA event: its subtype x (0 name, 2 load, 4 unload) and the ids that the version has (section 3.7).
struct Metadata {
    Kind kind;
    uint8_t x;
    bool has_owner = false;
    uint64_t pointer;
    uint64_t owner = 0;  // the image of a class or assembly, the domain of a context or vtable
    uint64_t klass = 0;  // of a vtable

    bool loads() const { return x == 2; }
    bool unloads() const { return x == 4; }
};

inline constexpr Rule kDuplicateLoad{
    .id = "mlpd/duplicate-load",
    .severity = Severity::warning,
    .statement = "nothing is loaded again before it is unloaded",
    .message = "{0x} is loaded again without an unload in between",
    .why = "readers replace the first by the second or keep both, so objects are counted for the wrong one",
    .spec = "4.3.8 Loads and unloads",
    .since = "0.1.0",
    .severity_override =
        SeverityOverride{Severity::note,
                         "a vtable, whose address may be reused, or data versions 1 to 10, which have no unloads",
                         {},
                         {}},
};

inline constexpr Rule kUnloadWithoutLoad{
    .id = "mlpd/unload-without-load",
    .severity = Severity::warning,
    .statement = "everything that is unloaded was loaded before",
    .message = "{0x} is unloaded, but no earlier event loads it",
    .why = "readers cannot match the event with a load; the load is missing or out of order",
    .spec = "4.3.8 Loads and unloads",
    .since = "0.1.0",
    .severity_override =
        SeverityOverride{Severity::note, "a thread", {}, "the thread started before the profiler could see it"},
};

inline constexpr Rule kDoubleUnload{
    .id = "mlpd/double-unload",
    .severity = Severity::warning,
    .statement = "nothing is unloaded twice without a load in between",
    .message = "{0x} is unloaded again without a load in between",
    .why = "readers cannot match the event with a load; the load is missing or out of order",
    .spec = "4.3.8 Loads and unloads",
    .since = "0.1.0",
    .severity_override = SeverityOverride{Severity::note, "a thread", {}, "the system reuses thread ids all the time"},
};

// The life of one id.
enum class Life : uint8_t { unmet, live, gone, over, count_ };
enum class LifeEvent : uint8_t {
    load,
    load_anew,  // of a thread, whose id may be reused; or its image or domain was unloaded since the last load
    unload,
    unload_unchecked,  // of a class: no known writer makes these, so nothing is compared
    end_of_file,
    count_
};
inline constexpr std::string_view kLifeNames[] = {"not loaded yet", "live", "unloaded", "over"};
inline constexpr std::string_view kLifeEventNames[] = {"load",
                                                       "load of a thread, or after the unload of its image or domain",
                                                       "unload", "unload of a class", "end of file"};
namespace loads {
using enum Life;
using E = LifeEvent;
// clang-format off
inline constexpr Transition<Life, LifeEvent> kRows[] = {
    {unmet, on(E::load, E::load_anew),  live},
    {unmet, on(E::unload),              gone, &kUnloadWithoutLoad},
    {unmet, on(E::unload_unchecked),    gone},
    {unmet, on(E::end_of_file),         over},
    {live,  on(E::load),                live, &kDuplicateLoad},
    {live,  on(E::load_anew),           live},
    {live,  on(E::unload, E::unload_unchecked), gone},
    {live,  on(E::end_of_file),         over},
    {gone,  on(E::load, E::load_anew),  live},
    {gone,  on(E::unload),              gone, &kDoubleUnload},
    {gone,  on(E::unload_unchecked),    gone},
    {gone,  on(E::end_of_file),         over},
};
// clang-format on
}  // namespace loads
inline constexpr auto kLifeTracker = make_tracker(loads::kRows, Life::unmet, Life::over);

extern const RuleList kLoadRules;

// A context id is unique in its domain only.
struct ContextKey {
    uint64_t domain = 0, context = 0;
    auto operator<=>(const ContextKey&) const = default;
    uint64_t hash_with(uint64_t seed) const { return seeded(context ^ seeded(domain, seed), seed); }
};

class Loads {
  public:
    explicit Loads(FileState& file);

    // A METADATA event.
    void note(const Metadata& metadata, const Spot& event);
    // Reports everything that the events so far give rise to: at the end of a buffer, and before a window ends.
    void take_all();
    // True: an object of this class (since version 15: vtable) has nothing left to report.
    bool step_use_type(uint64_t type) { return settled_.holds(type) || settle(type); }
    // An object has this class or vtable.
    void use_type(uint64_t type, const Spot& event);
    // The end of the file.
    void finish();

  private:
    struct Entry {
        explicit Entry(uint64_t id) : key(id) {}

        uint64_t key;
        uint64_t unload_window = 0;  // while unloaded
        Life life = Life::unmet;
        bool was_loaded = false;
        bool is_excused = false;         // unloaded: if it was never loaded, that has a finding already
        bool death_is_reported = false;  // a use after the unload has a finding since the last load
        union {
            uint32_t first_use = 0;  // before it was loaded: number in uses_, from 1; 0: none
            uint32_t owner;  // of a class or vtable that was loaded: the image or domain that the last load names
        };
        uint32_t owner_unloads = 0;  // of a class or vtable: unloads of the owner before that load
        union {
            uint32_t unloads = 0;  // of an image or domain
            uint32_t klass;        // of a vtable that was loaded
        };
    };
    static_assert(sizeof(Entry) == 32);
    using Table = IdTable<Entry>;
    struct Context {
        ContextKey key{};
        Life life = Life::unmet;
    };
    struct Use {
        Spot event;
        uint64_t window;
        bool is_reported = false;  // the load came too late
    };
    // The window in which an image or domain was unloaded; unloads are counted from 0.
    struct OwnerUnload {
        struct Key {
            Kind kind;
            uint32_t owner, unload;
            auto operator<=>(const Key&) const = default;
        } key;
        uint64_t window;
    };

    // An event that enters the tables later, once the prefetched slots have arrived in the cache. Objects whose class
    // is settled do not wait for it: unless something it may belong to was unloaded, they have nothing to report.
    struct Noted {
        Metadata metadata;
        Spot event;
    };

    bool stopped() const { return file_.lossy || !file_.tracks(Tracking::loads); }
    void take(const Noted& noted);
    Table& table(Kind kind) { return *tables_[static_cast<size_t>(kind)]; }
    static Kind owner_kind(Kind kind) {
        return kind == Kind::klass || kind == Kind::assembly ? Kind::image : Kind::domain;
    }
    bool is_type(Kind kind) const { return kind == Kind::klass || kind == Kind::vtable; }

    // The image or domain that was looked up last: what is loaded comes in long rows of one owner.
    struct LastOwner {
        uint64_t id = 0;
        uint32_t number = 0;
        Entry* entry = nullptr;  // null: none so far
    };

    [[gnu::noinline]] bool settle(uint64_t type);
    Entry* entry(Kind kind, uint64_t id, const Spot& event);
    const LastOwner* find_owner(Kind kind, uint64_t id, const Spot& event);
    void use_owner(Kind kind, uint64_t id, const Spot& event);
    void use(Kind kind, uint64_t id, const Spot& event);
    void use(Entry& used, const Spot& event);
    void take_context(const Metadata& metadata, const Spot& event);
    void load(const Metadata& metadata, const Spot& event);
    void check_window(const Entry& loaded, const Spot& event);
    void unload(Kind kind, Entry& entry, const Spot& event);
    void step_load(Kind kind, Life& life, bool is_anew, uint64_t id, const Spot& event);
    void step_unload(Kind kind, Life& life, uint64_t id, const Spot& event);
    void report(const Rule& rule, bool is_overridden, uint64_t id, const Spot& event);
    bool owner_is_gone(Kind kind, const Entry& entry);
    uint64_t first_death(Kind kind, const Entry& entry);

    FileState& file_;
    const Kind type_;  // what objects name
    SettledIds settled_;
    DelayQueue<Noted, 32> noted_;
    bool has_unloads_ = false;  // of what objects depend on
    Table classes_, images_, assemblies_, domains_, threads_, vtables_;
    std::array<Table*, static_cast<size_t>(Kind::count_)> tables_;
    std::array<LastOwner, 2> last_owners_{};  // an image, a domain
    IdTable<Context> contexts_;
    std::vector<Use> uses_;
    SortedTable<OwnerUnload> owner_unloads_;
};

}  // namespace tracelint::mlpd
