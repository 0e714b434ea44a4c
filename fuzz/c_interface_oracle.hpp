// The oracle for the C interface: any sequence of its calls, with arguments that are right, wrong or stale, returns
// what the arguments deserve, and every way to check the same bytes gives the same report.
#pragma once

#include <array>
#include <cstring>
#include <memory>

#include "fuzz/oracles.hpp"
#include "validator/bindings/c/errors.hpp"

namespace tracelint {

// Carries out calls that `program` chooses, two bytes for each, on the bytes of `file`.
class CallSequence {
  public:
    static constexpr size_t kCalls = 48;  // at most, so that an input stays fast

    CallSequence(Bytes program, Bytes file)
        : program_(program.first(std::min(program.size(), 2 * kCalls))), file_(file) {}
    CallSequence(const CallSequence&) = delete;
    CallSequence& operator=(const CallSequence&) = delete;
    // Frees what is left.
    ~CallSequence();

    Complaint run();

    // Whether the bytes have the same report when they are in memory, or read in pieces by who cannot seek.
    // `options` is a number of those below, `name` that of the file that the report is about.
    static Complaint agrees(tracelint_report* report, Bytes bytes, uint8_t options, bool can_seek,
                            const char* name = nullptr);

  private:
    template <class Object>
    struct Handle {
        Object* pointer = nullptr;
        bool is_live = false;
        bool is_finished = false;  // a session
        size_t fed = 0;            // bytes of the file
        std::string bytes{};       // what a session was fed
    };
    using Report = Handle<tracelint_report>;
    using Session = Handle<tracelint_session>;

    // A struct of the caller, with a size that may be wrong. Its memory has just that size, so that a sanitizer notices
    // whatever the library touches beyond.
    template <class Struct>
    struct Sized {
        explicit Sized(uint8_t which) {
            constexpr std::array<size_t, 8> kSizes = {sizeof(Struct),      c::kFirstSize<Struct>,
                                                      sizeof(Struct) + 24, 0,
                                                      sizeof(Struct) - 1,  ~size_t{0},
                                                      sizeof(Struct),      c::kFirstSize<Struct> - sizeof(uint64_t)};
            claimed = kSizes[which % kSizes.size()];
            const size_t real = claimed > 2 * sizeof(Struct) ? sizeof(Struct) : std::max(claimed, sizeof(size_t));
            memory.reset(new uint8_t[real]());
            std::memcpy(memory.get(), &claimed, sizeof claimed);
        }
        Struct* get() { return reinterpret_cast<Struct*>(memory.get()); }
        bool is_right() const {
            return claimed >= c::kFirstSize<Struct> && claimed % 8 == 0 && claimed <= sizeof(Struct) + 24;
        }
        size_t claimed = 0;
        std::unique_ptr<uint8_t[]> memory{};
    };

    Complaint call(uint8_t kind, uint8_t argument);
    Complaint check(uint8_t kind, uint8_t argument);
    Complaint use_session(uint8_t kind, uint8_t argument);
    Complaint use_report(uint8_t kind, uint8_t argument);
    Complaint use_element(uint8_t kind, uint8_t argument);
    Complaint use_catalogue(uint8_t kind, uint8_t argument);
    Complaint use_strings(uint8_t argument);
    Complaint use_rest(uint8_t argument);
    // Feeds a session more than it collects, so that it has a thread.
    Complaint feed_much(uint8_t argument);
    // A session of its own, which its on_finding uses.
    Complaint call_back(uint8_t argument);
    // Whether a pointer of this call is to be null.
    bool is_null(uint8_t argument) const { return (calls_ * 7 + argument) % 9 == 0; }

    // One of the handles so far; or null, a number, a handle of another kind.
    template <class Object>
    static Handle<Object> choose(std::vector<Handle<Object>>& handles, uint8_t argument, Handle<Object>*& own);
    // What a call deserves by its handle and one pointer for a result: OK stands for "whatever the rest deserves".
    template <class Object>
    static tracelint_error by_handle(const Handle<Object>& handle, bool has_result);

    Bytes program_;
    Bytes file_;
    uint64_t calls_ = 0;
    std::vector<Report> reports_;
    std::vector<Session> sessions_;
};

Complaint c_interface(Bytes input);

}  // namespace tracelint
