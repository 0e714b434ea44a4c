// Exceptions for WebAssembly: Debian's C++ runtime for wasm32-wasi comes without. The engine unwinds the stack by itself
// and runs clean-ups; this file throws, and finds the handler that fits, as the Itanium C++ ABI has it.
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <new>
#include <typeinfo>

namespace {

// What is thrown; the object follows it.
struct alignas(16) Thrown {
    const std::type_info* type;
    void* (*destroy)(void*);
    void* caught;      // the object as the handler sees it
    uint32_t handlers; // that are running
    Thrown* outer;     // of a handler around this one
    bool is_rethrown;
    void* object() { return this + 1; }
};

Thrown* innermost = nullptr;

// libc++abi's base of all type_infos. Its functions come in this order.
class ShimTypeInfo : public std::type_info {
  public:
    virtual void noop1() const;
    virtual void noop2() const;
    virtual bool can_catch(const ShimTypeInfo* thrown, void*& object) const = 0;
};

Thrown* of_object(void* object) { return static_cast<Thrown*>(object) - 1; }

struct Reader {
    const uint8_t* at;
    uint32_t unsigned_number() {
        uint32_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            const uint8_t byte = *at++;
            value |= static_cast<uint32_t>(byte & 0x7f) << shift;
            if ((byte & 0x80) == 0) return value;
        }
    }
    int32_t signed_number() {
        uint32_t value = 0;
        unsigned shift = 0;
        uint8_t byte;
        do {
            byte = *at++;
            value |= static_cast<uint32_t>(byte & 0x7f) << shift;
            shift += 7;
        } while ((byte & 0x80) != 0);
        if (shift < 32 && (byte & 0x40) != 0) value |= ~uint32_t{0} << shift;
        return static_cast<int32_t>(value);
    }
};

}  // namespace

extern "C" {

// What the code of a landing pad sets, and reads.
struct LandingPadContext {
    uintptr_t landing_pad;
    const uint8_t* table;
    uintptr_t selector;
};
LandingPadContext __wasm_lpad_context;

// Sets the selector to the number of the first handler of the landing pad that takes the exception, or to 0.
int _Unwind_CallPersonality(void* exception) {
    auto* const thrown = static_cast<Thrown*>(exception);
    __wasm_lpad_context.selector = 0;
    if (__wasm_lpad_context.table == nullptr) return 0;
    Reader header{__wasm_lpad_context.table + 1};  // no start of landing pads
    const uint8_t types_encoding = *header.at++;
    const uint8_t* types = nullptr;
    if (types_encoding != 0xff) {
        const uint32_t offset = header.unsigned_number();
        types = header.at + offset;
    }
    ++header.at;  // the encoding of call sites
    const uint32_t sites = header.unsigned_number();
    Reader site{header.at};
    const uint8_t* const actions = header.at + sites;
    uint32_t action = 0;
    for (uintptr_t i = 0; i <= __wasm_lpad_context.landing_pad; ++i) {
        site.unsigned_number();
        action = site.unsigned_number();
    }
    if (action == 0) return 0;
    for (const uint8_t* at = actions + action - 1;;) {
        Reader entry{at};
        const int32_t filter = entry.signed_number();
        const uint8_t* const next_at = entry.at;
        const int32_t next = entry.signed_number();
        if (filter > 0) {
            const auto* const wanted = *(reinterpret_cast<const ShimTypeInfo* const*>(types) - filter);
            void* object = thrown->object();
            if (wanted == nullptr || wanted->can_catch(static_cast<const ShimTypeInfo*>(thrown->type), object)) {
                thrown->caught = object;
                __wasm_lpad_context.selector = static_cast<uintptr_t>(filter);
                return 0;
            }
        }
        if (next == 0) return 0;
        at = next_at + next;
    }
}

void* __cxa_allocate_exception(size_t bytes) throw() {
    void* const room = std::calloc(1, sizeof(Thrown) + bytes);
    if (room == nullptr) std::terminate();
    return static_cast<Thrown*>(room)->object();
}

void __cxa_free_exception(void* object) throw() { std::free(of_object(object)); }

[[noreturn]] void __cxa_throw(void* object, std::type_info* type, void* (*destroy)(void*)) {
    Thrown* const thrown = of_object(object);
    thrown->type = type;
    thrown->destroy = destroy;
    thrown->caught = object;
    __builtin_wasm_throw(0, thrown);
}

void* __cxa_begin_catch(void* exception) throw() {
    auto* const thrown = static_cast<Thrown*>(exception);
    thrown->is_rethrown = false;
    if (thrown->handlers++ == 0) {
        thrown->outer = innermost;
        innermost = thrown;
    }
    return thrown->caught;
}

void* __cxa_get_exception_ptr(void* exception) throw() { return static_cast<Thrown*>(exception)->caught; }

void __cxa_end_catch() {
    Thrown* const thrown = innermost;
    if (thrown == nullptr || --thrown->handlers > 0) return;
    innermost = thrown->outer;
    if (thrown->is_rethrown) return;
    if (thrown->destroy != nullptr) thrown->destroy(thrown->object());
    std::free(thrown);
}

[[noreturn]] void __cxa_rethrow() {
    if (innermost == nullptr) std::terminate();
    innermost->is_rethrown = true;
    __builtin_wasm_throw(0, innermost);
}

}  // extern "C"
void* operator new(size_t n){ void* p = std::malloc(n?n:1); if(!p) throw std::bad_alloc(); return p; }
void* operator new[](size_t n){ return operator new(n); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, size_t) noexcept { std::free(p); }
void operator delete[](void* p, size_t) noexcept { std::free(p); }
