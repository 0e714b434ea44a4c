// No code of tracelint is used here. The files are little-endian and valid, XRay logs have version 5, gperftools
// profiles words of 8 bytes, Mono's files data version 17 and pointers of 8 bytes, perf.data is a stream of records
// without data between them, and files of .NET's event pipe have version 4; of others the loop makes nonsense or stops
// early. Of gzip files it inflates the data and no more.
#include "tests/bench/bare_loops.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

namespace tracelint::bench {
namespace {

// What is still unread of 256 KiB of the file.
struct Window {
    static constexpr size_t kSize = 256 << 10;

    explicit Window(const char* path) : file(open(path, O_RDONLY)) {}
    ~Window() { close(file); }
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    size_t left() const { return static_cast<size_t>(end - at); }

    // Reads on until `count` bytes are in view. False: the file ends before, or they do not fit. What is left moves in
    // front of the first page that is read: the kernel copies faster to addresses of the file's own alignment.
    bool fill(size_t count) {
        if (count > kSize) return false;
        std::memmove(kPages - left(), at, left());
        at = kPages - left(), end = kPages;
        while (left() < count) {
            const ssize_t got = read(file, bytes + (end - bytes), kSize - static_cast<size_t>(end - kPages));
            if (got <= 0) return false;
            end += got;
        }
        return true;
    }
    bool has(size_t count) { return left() >= count || fill(count); }

    void skip(uint64_t count) {
        if (count <= left()) {
            at += count;
            return;
        }
        lseek(file, static_cast<off_t>(count - left()), SEEK_CUR);
        at = end;
    }

    int file;
    // A number or text that a broken record leaves without an end has one after the last byte.
    alignas(4096) inline static uint8_t bytes[2 * kSize + 64];
    static constexpr uint8_t* kPages = bytes + kSize;
    const uint8_t* at = kPages;
    const uint8_t* end = kPages;
    uint64_t records = 0;  // found so far
};

template <class Number>
uint64_t number(const uint8_t* at) {
    Number value;
    std::memcpy(&value, at, sizeof value);
    return value;
}
constexpr auto u16 = number<uint16_t>;
constexpr auto u32 = number<uint32_t>;
constexpr auto u64 = number<uint64_t>;

uint64_t sum_words(const uint8_t* at, uint64_t count) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; ++i) sum += u64(at + 8 * i);
    return sum;
}

size_t length_of(const uint8_t* text) { return std::strlen(reinterpret_cast<const char*>(text)); }

// Address, line, column and file name of each entry.
uint64_t jitdump_lines(const uint8_t* at, uint64_t count) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; ++i) {
        const size_t name = length_of(at + 16);
        sum += u64(at) + u32(at + 8) + u32(at + 12) + name;
        at += 17 + name;
    }
    return sum;
}

// The eight counts and sizes of samply's DEBUG_INFO2, and its four lists of numbers; names are left out by their size.
uint64_t jitdump_tree(const uint8_t* at, const uint8_t* end) {
    uint64_t sum = 0;
    for (int i = 0; i < 8; ++i) sum += u32(at + 4 * i);
    for (at += 32 + u32(at + 4) + u32(at + 12); at + 4 <= end; at += 4) sum += u32(at);
    return sum;
}

uint64_t jitdump(Window& window) {
    enum : uint64_t { kLoad = 0, kMove = 1, kLines = 2, kUnwinding = 4, kTree = 827346259 };
    uint64_t sum = 0;
    for (window.at += 40; window.has(16); ++window.records) {
        const uint64_t id = u32(window.at), size = u32(window.at + 4);
        if (size > Window::kSize ? !window.has(56) : !window.has(size)) break;
        const uint8_t* const at = window.at;
        sum += id + size + u64(at + 8);
        if (id == kLoad)  // the length of the name is what fields and code leave
            sum += u32(at + 16) + u32(at + 20) + sum_words(at + 24, 4) + size - 56 - u64(at + 40);
        else if (id == kMove)
            sum += u32(at + 16) + u32(at + 20) + sum_words(at + 24, 5);
        else if (id == kUnwinding)
            sum += sum_words(at + 16, 3);
        else if (id == kLines && size <= Window::kSize)
            sum += u64(at + 16) + jitdump_lines(at + 32, u64(at + 24));
        else if (id == kTree && size <= Window::kSize)
            sum += jitdump_tree(at + 16, at + size);
        window.skip(std::max<uint64_t>(size, 16));
    }
    return sum;
}

uint64_t xray_log(Window& window) {
    enum : unsigned { kCustomEvent = 5, kTypedEvent = 8 };
    uint64_t sum = 0;
    for (window.at += 32; window.has(16) || window.has(8);) {
        const uint8_t* at = window.at;
        for (; at + 16 <= window.end && (*at & 1) == 0; at += 8)
            sum += (u32(at) >> 1 & 7) + (u32(at) >> 4) + u32(at + 4);
        window.records += static_cast<uint64_t>(at - window.at) / 8;
        window.at = at;
        if (window.left() < 16) {
            if (window.has(16)) continue;
            if (window.left() >= 8) sum += u64(window.at), ++window.records;
            break;
        }
        const unsigned kind = *at >> 1;
        ++window.records;
        sum += kind + u64(at + 1) + u32(at + 9);
        window.skip(16 + (kind == kCustomEvent || kind == kTypedEvent ? u32(at + 1) : 0));
    }
    return sum;
}

uint64_t xray_basic(Window& window) {
    uint64_t sum = 0;
    for (window.at += 32; window.has(32);)
        for (; window.left() >= 32; window.at += 32, ++window.records)
            sum += u16(window.at) + window.at[2] + window.at[3] + u32(window.at + 4) + sum_words(window.at + 8, 2);
    return sum;
}

uint64_t gperftools(Window& window) {
    uint64_t sum = 0;
    for (window.at += 40; window.has(16);) {
        const uint64_t count = u64(window.at), depth = u64(window.at + 8);
        window.at += 16;
        sum += count;
        for (uint64_t unread = depth; unread > 0 && window.has(8);) {
            const uint64_t some = std::min<uint64_t>(unread, window.left() / 8);
            sum += sum_words(window.at, some);
            window.at += 8 * some, unread -= some;
        }
        if (count == 0) break;  // the trailer; the mappings follow as text
        ++window.records;
    }
    for (; window.has(1); window.at = window.end) sum += static_cast<uint64_t>(std::count(window.at, window.end, '\n'));
    return sum;
}

// The events of a buffer of Mono's log profiler.
class MonoEvents {
  public:
    MonoEvents(const uint8_t* header, const uint8_t* end)
        : at_(header + 48),
          end_(end),
          time_(u64(header + 8)),
          pointers_(u64(header + 16)),
          objects_(u64(header + 24)),
          method_(u64(header + 40)) {}

    uint64_t sum(uint64_t& count) {
        for (; at_ < end_; ++count) event();
        return sum_ + time_;
    }

  private:
    uint64_t unsigned_number() {
        uint64_t value = *at_ & 0x7f;
        for (unsigned shift = 7; (*at_++ & 0x80) != 0; shift += 7) value |= uint64_t{*at_ & 0x7fu} << shift;
        return value;
    }
    uint64_t signed_number() {
        uint64_t value = *at_ & 0x7f;
        unsigned shift = 7;
        for (; (*at_++ & 0x80) != 0; shift += 7) value |= uint64_t{*at_ & 0x7fu} << shift;
        return (at_[-1] & 0x40) != 0 && shift < 64 ? value | ~uint64_t{0} << shift : value;
    }

    void byte() { sum_ += *at_++; }
    void numeral() { sum_ += unsigned_number(); }
    void pointer() { sum_ += pointers_ + signed_number(); }
    void object() { sum_ += (objects_ + signed_number()) << 3; }
    void method() { sum_ += method_ += signed_number(); }
    void text() {
        const size_t length = length_of(at_);
        sum_ += length;
        at_ += length + 1;
    }
    void methods() {
        for (uint64_t count = unsigned_number(); count > 0 && at_ < end_; --count) method();
    }

    void metadata(uint8_t op) {
        const uint8_t type = *at_++;
        pointer();
        switch (type) {
            case 1: pointer(), text(); break;
            case 2:
                text();
                if (op == 0x22) text();
                break;
            case 3: pointer(), text(); break;
            case 6: pointer(); break;
            case 7: pointer(), pointer(); break;
            default:
                if (op == 0x02) text();
        }
    }
    void heap_object() {
        object(), pointer(), numeral(), byte();
        for (uint64_t count = unsigned_number(); count > 0 && at_ < end_; --count) numeral(), object();
    }
    void descriptions() {
        for (uint64_t count = unsigned_number(); count > 0 && at_ < end_; --count) {
            if (unsigned_number() == 0x8000) text();
            text(), numeral(), numeral(), numeral(), numeral();
        }
    }
    void counters() {
        while (at_ < end_ && unsigned_number() != 0) {
            const uint8_t type = *at_++;
            if (type == 5)
                sum_ += u64(at_), at_ += 8;
            else if (type == 6) {
                if (*at_++ == 1) text();
            } else
                numeral();
        }
    }

    void event() {
        const uint8_t op = *at_++;
        time_ += unsigned_number();
        switch (op) {
            case 0x13:
            case 0x23:
            case 0x33: method(); break;
            case 0x43: method(), pointer(), numeral(), text(); break;
            case 0x00: pointer(), object(), numeral(); break;
            case 0x10: pointer(), object(), numeral(), methods(); break;
            case 0x11: byte(), byte(); break;
            case 0x21: numeral(); break;
            case 0x31:
                for (uint64_t count = unsigned_number(); count > 0 && at_ < end_; --count) object();
                break;
            case 0x41: numeral(), numeral(), object(); break;
            case 0x51: numeral(), numeral(); break;
            case 0x61: numeral(), numeral(), object(), methods(); break;
            case 0x71: numeral(), numeral(), methods(); break;
            case 0x81:
            case 0x91:
            case 0x06:
            case 0x16: break;
            case 0xA1:
            case 0xB1:
            case 0x04: object(); break;
            case 0x84: object(), methods(); break;
            case 0x02:
            case 0x22:
            case 0x42: metadata(op); break;
            case 0x14: byte(), numeral(), method(), object(); break;
            case 0x05: byte(), object(); break;
            case 0x85: byte(), object(), methods(); break;
            case 0x26: heap_object(); break;
            case 0x36:
                for (uint64_t count = unsigned_number(); count > 0 && at_ < end_; --count) pointer(), object();
                break;
            case 0x46: pointer(), numeral(), byte(), pointer(), text(); break;
            case 0x56: pointer(); break;
            case 0x07:
                pointer();
                for (uint64_t count = unsigned_number(); count > 0 && at_ < end_; --count) pointer();
                methods();
                break;
            case 0x17: pointer(), numeral(), text(); break;
            case 0x37: descriptions(); break;
            case 0x47: counters(); break;
            case 0x18:
                pointer(), numeral();
                if (*at_++ == 5) text();
                break;
            case 0x0A: byte(); break;
            case 0x1A: text(); break;
            default: at_ = end_;
        }
    }

    const uint8_t* at_;
    const uint8_t* end_;
    uint64_t time_, pointers_, objects_, method_, sum_ = 0;
};

uint64_t mono(Window& window) {
    uint64_t sum = 0;
    window.at += 38;
    for (int i = 0; i < 3 && window.has(4); ++i) window.skip(4 + u32(window.at));
    while (window.has(48)) {
        const uint64_t size = 48 + u32(window.at + 4);
        if (size <= Window::kSize && window.has(size))
            sum += u64(window.at + 32) + MonoEvents(window.at, window.at + size).sum(window.records);
        window.skip(size);
    }
    return sum;
}

// The words of each record. Samples are most of them.
uint64_t perf_data(Window& window) {
    uint64_t sum = 0;
    for (window.at += 16; window.has(8); ++window.records) {
        const uint64_t size = u16(window.at + 6);
        if (size < 8 || !window.has(size)) break;
        sum += u32(window.at) + u16(window.at + 4) + size + sum_words(window.at + 8, (size - 8) / 8);
        window.at += size;
    }
    return sum;
}

// profile.proto: which fields of a message are messages themselves, and which are packed numbers.
struct Fields {
    uint32_t packed = 0;
    const Fields* nested[12] = {};
};
constexpr Fields kNumbers{};
constexpr Fields kSample{1 << 1 | 1 << 2, {nullptr, nullptr, nullptr, &kNumbers}};
constexpr Fields kLocation{0, {nullptr, nullptr, nullptr, nullptr, &kNumbers}};
constexpr Fields kProfile{1 << 13,
                          {nullptr, &kNumbers, &kSample, &kNumbers, &kLocation, &kNumbers, nullptr, nullptr, nullptr,
                           nullptr, nullptr, &kNumbers}};

uint64_t varint(const uint8_t*& at) {
    uint64_t value = *at++;
    if (value < 0x80) [[likely]]
        return value;
    value &= 0x7f;
    for (unsigned shift = 7;; shift += 7) {
        const uint64_t byte = *at++;
        value |= (byte & 0x7f) << (shift & 63);
        if (byte < 0x80 || shift > 63) return value;
    }
}

// A field whose tag was read: the numbers in it, and the length of a text.
uint64_t sum_field(const Fields& fields, uint64_t tag, const uint8_t*& at) {
    const uint64_t first = varint(at), number = tag >> 3;
    if ((tag & 7) == 0) return first;
    const uint8_t* const end = at + first;
    if (number < 32 && (fields.packed >> number & 1) != 0) {
        uint64_t sum = 0;
        while (at < end) sum += varint(at);
        return sum;
    }
    const Fields* const message = number < 12 ? fields.nested[number] : nullptr;
    if (message == nullptr) {
        at = end;
        return first;
    }
    uint64_t sum = 0;
    while (at < end) {
        const uint64_t inner = varint(at);
        sum += inner + sum_field(*message, inner, at);
    }
    return sum;
}

uint64_t profile(Window& window) {
    constexpr size_t kHead = 20;
    uint64_t sum = 0;
    for (; window.has(kHead) || window.left() > 0; ++window.records) {
        const uint8_t* at = window.at;
        const uint64_t tag = varint(at), begun = static_cast<uint64_t>(at - window.at);
        const uint64_t length = varint(at), head = static_cast<uint64_t>(at - window.at);
        if (!window.has((tag & 7) == 2 ? head + length : head)) break;
        at = window.at + begun;
        sum += tag + sum_field(kProfile, tag, at);
        window.at = at;
    }
    return sum;
}

// The objects of a file of .NET's event pipe: the headers of events, the names in metadata rows, the sizes of stacks.
class EventPipe {
  public:
    explicit EventPipe(Window& window) : window_(window) {}

    uint64_t sum() {
        pass(32);
        while (window_.has(15) && *window_.at == 5) object();
        return sum_;
    }

  private:
    // The headers of events and the start of a row are no longer than this, names included.
    static constexpr size_t kHead = 4096;

    // What an event inherits from the one before it.
    struct Event {
        uint64_t metadata = 0, number = 0, capture_thread = 0, processor = 0, thread = 0, stack = 0, time = 0,
                 payload = 0;
    };

    void pass(uint64_t bytes) {
        window_.skip(bytes);
        offset_ += bytes;
    }

    void object() {
        const size_t length = u32(window_.at + 11);
        if (!window_.has(15 + length + 9)) return pass(window_.left());
        const uint8_t kind = window_.at[15];
        pass(15 + length + 1);
        if (kind == 'T') return pass(48 + 1);
        const uint64_t size = u32(window_.at);
        pass(4);
        pass((0 - offset_) & 3);
        if (kind == 'S')
            window_.has(12) && size == 12 + 12 * uint64_t{u32(window_.at + 8)} ? points(size) : stacks(size);
        else
            events(size, kind == 'M');
        pass(1);
    }

    void events(uint64_t size, bool are_rows) {
        if (!window_.has(20)) return pass(size);
        sum_ += u64(window_.at + 4) + u64(window_.at + 12);
        const uint64_t end = offset_ + size;
        pass(u16(window_.at));
        for (Event event; offset_ < end;) {
            if (window_.left() < kHead) window_.fill(kHead);
            if (window_.left() == 0) return;
            const uint8_t* const payload = header(event, window_.at);
            if (are_rows)
                sum_ += names(payload);
            else
                ++window_.records;
            pass(static_cast<uint64_t>(payload - window_.at) + event.payload);
        }
    }
    const uint8_t* header(Event& event, const uint8_t* at) {
        const unsigned flags = *at++;
        if ((flags & 1) != 0) event.metadata = varint(at);
        if ((flags & 2) != 0) {
            event.number += varint(at) + 1;
            event.capture_thread = varint(at);
            event.processor = varint(at);
        } else {
            event.number += event.metadata != 0 ? 1 : 0;
        }
        if ((flags & 4) != 0) event.thread = varint(at);
        if ((flags & 8) != 0) event.stack = varint(at);
        event.time += varint(at);
        at += 16 * ((flags >> 4 & 1) + (flags >> 5 & 1));
        if ((flags & 128) != 0) event.payload = varint(at);
        sum_ += event.metadata + event.number + event.capture_thread + event.processor + event.thread + event.stack +
                event.time + event.payload;
        return at;
    }
    // Of a row: provider and event.
    uint64_t names(const uint8_t* at) const {
        const uint8_t* const begin = at;
        for (at += 4; at + 2 <= window_.end && u16(at) != 0; at += 2) {
        }
        for (at += 6; at + 2 <= window_.end && u16(at) != 0; at += 2) {
        }
        return static_cast<uint64_t>(at - begin);
    }

    void stacks(uint64_t size) {
        const uint64_t end = offset_ + size;
        for (pass(8); offset_ < end && window_.has(4);) {
            const uint64_t stack = u32(window_.at);
            sum_ += stack;
            pass(4 + stack);
        }
    }
    void points(uint64_t size) {
        const uint64_t end = offset_ + size;
        for (pass(12); offset_ < end && window_.has(12); pass(12)) sum_ += u64(window_.at) + u32(window_.at + 8);
    }

    Window& window_;
    uint64_t offset_ = 0, sum_ = 0;
};

// What a gzip file holds: its bytes are inflated, and counted.
uint64_t inflated(Window& window) {
    static uint8_t out[Window::kSize];
    z_stream stream{};
    inflateInit2(&stream, 15 + 16);
    uint64_t sum = 0;
    for (int state = Z_OK; state == Z_OK;) {
        if (window.left() == 0 && !window.has(1)) break;
        stream.next_in = const_cast<uint8_t*>(window.at);
        stream.avail_in = static_cast<unsigned>(window.left());
        stream.next_out = out;
        stream.avail_out = sizeof out;
        state = inflate(&stream, Z_NO_FLUSH);
        window.at = stream.next_in;
        sum += sizeof out - stream.avail_out;
    }
    inflateEnd(&stream);
    return sum;
}

uint64_t sum_of(Window& window) {
    if (!window.has(40)) return 0;
    if (u16(window.at) == 0x8B1F) return inflated(window);
    if (u32(window.at) == 0x4A695444) return jitdump(window);
    if (u32(window.at) == 0x4D505A01) return mono(window);
    if (u64(window.at) == 0x32454C4946524550) return perf_data(window);
    if (u64(window.at) == 0x656361727474654E) return EventPipe(window).sum();
    if (u64(window.at) == 0 && u64(window.at + 8) == 3) return gperftools(window);
    if (*window.at >= 8) return profile(window);  // the tag of a field
    return u16(window.at + 2) == 1 ? xray_log(window) : xray_basic(window);
}

}  // namespace

BareSum bare_sum(const char* path) {
    Window window(path);
    const uint64_t fields = sum_of(window);
    return {window.records, fields};
}

int bare_loop(const char* path) {
    BareSum all;
    const auto add = [&](const char* file) {
        const BareSum sum = bare_sum(file);
        all.records += sum.records, all.fields += sum.fields;
    };
    if (DIR* const folder = opendir(path)) {
        while (const dirent* const entry = readdir(folder))
            if (entry->d_name[0] != '.') add((std::string(path) + "/" + entry->d_name).c_str());
        closedir(folder);
    } else {
        add(path);
    }
    std::printf("%lu records, %016lx\n", all.records, all.fields);
    return 0;
}

}  // namespace tracelint::bench
