// Exceptions for WebAssembly. Debian's C++ library for wasm32-wasi is built without them; the engine unwinds the stack
// and runs what the compiler made of destructors. This file is the rest, as the Itanium C++ ABI has it: it throws, and
// finds the handler that fits.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <new>
#include <typeinfo>

namespace {

// Precedes a thrown object in memory. A destructor of this target returns its object.
struct alignas(16) Thrown {
    const std::type_info* type = nullptr;
    void* (*destroy)(void*) = nullptr;
    void* caught = nullptr;  // the object as the handler's type sees it
    uint32_t handlers = 0;   // that are running
    bool is_rethrown = false;
    Thrown* outer = nullptr;  // of the handler around this one

    void* object() { return this + 1; }
};

Thrown* innermost = nullptr;  // of the handlers that are running

// For an exception that is thrown when there is no memory left.
alignas(16) std::byte reserve[256];
bool is_reserve_taken = false;

Thrown* before(void* object) { return static_cast<Thrown*>(object) - 1; }

void release(Thrown* thrown) {
    if (static_cast<void*>(thrown) == reserve)
        is_reserve_taken = false;
    else
        std::free(thrown);
}

// The base of all type_infos of libc++abi, for its last function; the others keep its place.
class AnyTypeInfo : public std::type_info {
  public:
    virtual void noop1() const;
    virtual void noop2() const;
    // Whether a handler of this type takes what is thrown; then `object` becomes what the handler sees.
    virtual bool can_catch(const AnyTypeInfo* thrown, void*& object) const = 0;
};

// Numbers in LEB128.
class TableReader {
  public:
    explicit TableReader(const uint8_t* at) : at_(at) {}
    const uint8_t* at() const { return at_; }
    uint8_t byte() { return *at_++; }
    uint32_t number() { return digits().value; }
    int32_t signed_number() {
        const auto [value, bits, last] = digits();
        const bool is_negative = bits < 32 && (last & 0x40) != 0;
        return static_cast<int32_t>(is_negative ? value | ~uint32_t{0} << bits : value);
    }

  private:
    struct Digits {
        uint32_t value, bits;
        uint8_t last;
    };
    Digits digits() {
        Digits all{};
        do {
            all.last = byte();
            if (all.bits < 32) all.value |= static_cast<uint32_t>(all.last & 0x7f) << all.bits;
            all.bits += 7;
        } while ((all.last & 0x80) != 0);
        return all;
    }

    const uint8_t* at_;
};

constexpr uint8_t kOmitted = 0xff;

// The table of one function: landing pads, each with a chain of handlers, and the handlers' types.
class HandlerTable {
  public:
    explicit HandlerTable(const uint8_t* table) {
        TableReader header(table);
        header.byte();  // landing pads start nowhere else
        if (header.byte() != kOmitted) {
            const uint32_t distance = header.number();
            types_ = reinterpret_cast<const AnyTypeInfo* const*>(header.at() + distance);
        }
        header.byte();  // the encoding of what follows
        const uint32_t length = header.number();
        pads_ = header.at();
        chains_ = header.at() + length;
    }

    // The number of the first handler of the landing pad that takes the exception; 0 if absent.
    int32_t handler_of(uintptr_t pad, Thrown& thrown) const {
        TableReader pads(pads_);
        for (uintptr_t i = 0; i < pad; ++i) pads.number(), pads.number();
        pads.number();
        const uint32_t start = pads.number();
        const uint8_t* at = start == 0 ? nullptr : chains_ + start - 1;
        while (at != nullptr) {
            TableReader link(at);
            const int32_t handler = link.signed_number();
            const uint8_t* const from = link.at();
            const int32_t distance = link.signed_number();
            if (handler > 0 && takes(types_[-handler], thrown)) return handler;
            at = distance == 0 ? nullptr : from + distance;
        }
        return 0;
    }

  private:
    // A handler without a type is catch (...).
    static bool takes(const AnyTypeInfo* handler, Thrown& thrown) {
        void* object = thrown.object();
        if (handler != nullptr && !handler->can_catch(static_cast<const AnyTypeInfo*>(thrown.type), object))
            return false;
        thrown.caught = object;
        return true;
    }

    const AnyTypeInfo* const* types_ = nullptr;
    const uint8_t* pads_;
    const uint8_t* chains_;
};

}  // namespace

extern "C" {

// What the compiler's code sets at a landing pad, and reads afterwards.
struct LandingPad {
    uintptr_t number;
    const uint8_t* table;
    int32_t handler;
};
LandingPad __wasm_lpad_context;

int _Unwind_CallPersonality(void* exception) {
    LandingPad& pad = __wasm_lpad_context;
    pad.handler =
        pad.table == nullptr ? 0 : HandlerTable(pad.table).handler_of(pad.number, *static_cast<Thrown*>(exception));
    return 0;
}

void* __cxa_allocate_exception(size_t bytes) noexcept {
    const size_t size = sizeof(Thrown) + bytes;
    void* room = std::malloc(size);
    if (room == nullptr && !is_reserve_taken && size <= sizeof reserve) {
        is_reserve_taken = true;
        room = reserve;
    }
    if (room == nullptr) std::terminate();
    return (new (room) Thrown)->object();
}

void __cxa_free_exception(void* object) noexcept { release(before(object)); }

[[noreturn]] void __cxa_throw(void* object, std::type_info* type, void* (*destroy)(void*)) {
    Thrown* const thrown = before(object);
    thrown->type = type;
    thrown->destroy = destroy;
    thrown->caught = object;
    __builtin_wasm_throw(0, thrown);
}

void* __cxa_begin_catch(void* exception) noexcept {
    auto* const thrown = static_cast<Thrown*>(exception);
    thrown->is_rethrown = false;
    if (thrown->handlers++ == 0) {
        thrown->outer = innermost;
        innermost = thrown;
    }
    return thrown->caught;
}

void* __cxa_get_exception_ptr(void* exception) noexcept { return static_cast<Thrown*>(exception)->caught; }

void __cxa_end_catch() {
    Thrown* const thrown = innermost;
    if (thrown == nullptr || --thrown->handlers > 0) return;
    innermost = thrown->outer;
    if (thrown->is_rethrown) return;
    if (thrown->destroy != nullptr) thrown->destroy(thrown->object());
    release(thrown);
}

[[noreturn]] void __cxa_rethrow() {
    if (innermost == nullptr) std::terminate();
    innermost->is_rethrown = true;
    __builtin_wasm_throw(0, innermost);
}

}  // extern "C"

// Those of the library end the program when memory runs out.
void* operator new(size_t bytes) {
    void* const room = std::malloc(bytes == 0 ? 1 : bytes);
    if (room == nullptr) throw std::bad_alloc();
    return room;
}
void* operator new[](size_t bytes) { return operator new(bytes); }
void* operator new(size_t bytes, const std::nothrow_t&) noexcept { return std::malloc(bytes == 0 ? 1 : bytes); }
void* operator new[](size_t bytes, const std::nothrow_t&) noexcept { return std::malloc(bytes == 0 ? 1 : bytes); }
void operator delete(void* room) noexcept { std::free(room); }
void operator delete[](void* room) noexcept { std::free(room); }
void operator delete(void* room, size_t) noexcept { std::free(room); }
void operator delete[](void* room, size_t) noexcept { std::free(room); }
