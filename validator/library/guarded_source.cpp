// Turns exceptions into failed reads.
#include "validator/library/guarded_source.hpp"

#include <exception>
#include <new>

namespace tracelint {

template <class Call, class Value>
Value GuardedSource::guarded(Call call, Value otherwise) const {
    if (failed_) return otherwise;
    try {
        return call();
    } catch (const std::exception& error) {
        fail(error.what());
    } catch (...) {
        fail("something that is no std::exception");
    }
    return otherwise;
}

void GuardedSource::fail(const char* what) const {
    failed_ = true;
    try {
        failure_ = std::string("the source threw: ") + what;
    } catch (const std::bad_alloc&) {
        failure_ = "reading failed";  // needs no memory
    }
}

size_t GuardedSource::read(uint8_t* to, size_t bytes) {
    return guarded(
        [&] {
            const size_t got = inner_.read(to, bytes);
            if (got <= bytes) return got;
            failed_ = true;
            failure_ = "the source returned more bytes than it was asked for";
            return size_t{0};
        },
        size_t{0});
}

bool GuardedSource::seek(uint64_t offset) {
    return guarded([&] { return inner_.seek(offset); }, false);
}

uint64_t GuardedSource::size() const {
    return guarded([&] { return inner_.size(); }, kNone);
}

std::string GuardedSource::failure() const {
    std::string inner = guarded([&] { return inner_.failure(); }, std::string());
    return failed_ ? failure_ : inner;
}

bool GuardedSource::is_cut() const {
    return guarded([&] { return inner_.is_cut(); }, false);
}

bool GuardedSource::has_changed() const {
    return guarded([&] { return inner_.has_changed(); }, false);
}

void GuardedSource::end_waiting_at(int descriptor) {
    guarded([&] { return inner_.end_waiting_at(descriptor), true; }, false);
}

}  // namespace tracelint
