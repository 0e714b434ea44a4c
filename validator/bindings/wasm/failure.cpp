// Why a file that the host reads by a function of its user could not be read: in the user's words. Everything else has
// the words of the C library for the number of the error.
#include <cerrno>
#include <cstddef>

extern "C" {

// Writes up to `room` bytes of the error message of the last call that failed, once, and returns how many; 0 without a
// message.
__attribute__((import_module("tracelint"), import_name("failure"))) size_t tracelint_host_failure(char* to,
                                                                                                  size_t room);

// The linker has calls of strerror() come here, and calls the C library's by the other name.
char* __real_strerror(int number);   // NOLINT(bugprone-reserved-identifier): it chooses the names
char* __wrap_strerror(int number) {  // NOLINT(bugprone-reserved-identifier)
    constexpr size_t kMost = 1000;
    static char words[kMost + 1];
    if (number != EIO) return __real_strerror(number);
    const size_t length = tracelint_host_failure(words, kMost);
    if (length == 0 || length > kMost) return __real_strerror(number);
    words[length] = '\0';
    return words;
}

}  // extern "C"
