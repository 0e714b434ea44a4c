// mlpd, sections 4.3 and 5, rules 74, 75 and 97: methods are defined by JIT events.
#pragma once

#include "grammars/mlpd/session/file_state.hpp"
#include "grammars/mlpd/session/id_table.hpp"

namespace tracelint::mlpd {

inline constexpr Rule kUndefinedMethod{
    .id = "mlpd/undefined-method",
    .severity = Severity::warning,
    .statement = "every method that is used is defined by a JIT event of the file",
    .message = "no JIT event of the file defines method {0x}",
    .why = "reports show a placeholder instead of the method's name",
    .spec = "4.3.7 Methods",
    .since = "0.1.0",
    .about_end = true,
    .decided_later = true,
    .severity_override =
        SeverityOverride{Severity::note, "data versions 1 to 10, whose writers left methods out", {}, {}}};

inline constexpr Rule kMethodDefinedAfterUse{
    .id = "mlpd/method-defined-after-use",
    .severity = Severity::note,
    .statement = "a method is defined before it is used",
    .message = "method {0x} is defined only later, by the JIT event at {1x}",
    .why =
        "healthy files do this where much metadata is pending: the writer's thread writes its buffers out of order. "
        "A reader that goes by the order of the file has no name for the method yet",
    .spec = "4.3.7 Methods",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr Rule kDuplicateJit{
    .id = "mlpd/duplicate-jit",
    .severity = Severity::note,
    .statement = "a method is defined once",
    .message = "method {0x} was defined by an earlier JIT event already",
    .why = "readers keep one of the two; code that was compiled again or loaded from an image looks like this",
    .spec = "4.3.7 Methods",
    .since = "0.1.0"};

inline constexpr const Rule* kMethodRules[] = {&kUndefinedMethod, &kMethodDefinedAfterUse, &kDuplicateJit};

class Methods {
  public:
    explicit Methods(FileState& file) : file_(file), methods_(file.context.budget, file.context.work) {}

    // The last methods of which a use says nothing new.
    const SettledIds& settled() const { return settled_; }
    bool step_use(uint64_t method) const { return settled_.holds(method); }
    // A method, or null, is used at `place`.
    void use(uint64_t method, const Place& place) {
        if (!step_use(method)) note_use(method, place);
    }
    // A JIT event defines it.
    void define(uint64_t method, const Spot& event);
    // Rule 74.
    void finish();

  private:
    struct Method {
        uint64_t key = 0;
        [[no_unique_address]] ShortPlace first_use{};  // not set: none so far
        bool is_defined = false;
    };
    static_assert(sizeof(Method) == 32);
    struct Use {
        uint64_t method;
        ShortPlace place;
    };
    [[gnu::noinline]] void note_use(uint64_t method, const Place& place);
    void take(const Use& use);
    void take_all();

    FileState& file_;
    SettledIds settled_{16384};
    IdTable<Method> methods_;
    PlaceKinds kinds_;
    // The last uses, which the table does not have yet: its memory is on the way meanwhile.
    Waiting<Use, 16> uses_;
};

}  // namespace tracelint::mlpd
