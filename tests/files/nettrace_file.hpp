// Writes a file of .NET's event pipe of version 4 that begins as a healthy one.
#pragma once

#include <algorithm>

#include "tests/files/output_file.hpp"
#include "validator/tables/leb128.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint::files {

class NettraceFile : public OutputFile {
  public:
    static std::string varint(uint64_t value) {
        std::string bytes;
        append_leb(bytes, value, false);
        return bytes;
    }
    static std::string little(uint64_t value, unsigned width) {
        std::string bytes(width, '\0');
        for (unsigned i = 0; i < width; ++i) bytes[i] = static_cast<char>(value >> 8 * i);
        return bytes;
    }

    explicit NettraceFile(const Target& to) : OutputFile(to) {
        add("Nettrace" + little(20, 4) + "!FastSerialization.1" + object("Trace", 4));
        for (const unsigned part : {2024u, 2u, 4u, 29u, 1u, 2u, 3u, 4u}) add(little(part, 2));
        add(little(0, 8) + little(1'000'000'000, 8) + little(8, 4) + little(1, 4) + little(4, 4) +
            little(1'000'000, 4) + "\6");
    }
    ~NettraceFile() { add("\1"); }

    // A block whose content is `content`, and whose size is `more` bytes too large.
    void block(const std::string& name, const std::string& content, uint64_t more = 0) {
        add(object(name, 2) + little(content.size() + more, 4));
        add(std::string((0 - offset_) & 3, '\0'));
        add(content);
        add("\6");
        flush_if_large();
    }
    // The content of a block of events or metadata rows.
    static std::string events(const std::string& events) {
        constexpr uint64_t kAllTimes = 0xffffffffffffffff;
        return little(20, 2) + little(1, 2) + little(0, 8) + little(kAllTimes, 8) + events;
    }
    // A metadata row with these fields and tags.
    static std::string row(uint64_t id, const std::string& fields) {
        const std::string content = little(id, 4) + utf16_of(std::string("S\0", 2)) + little(1, 4) +
                                    utf16_of(std::string("A\0", 2)) + little(0, 8) + little(1, 4) + little(4, 4) +
                                    fields;
        return std::string("\x80\0", 2) + varint(content.size()) + content;
    }
    static std::string object(const std::string& name, uint64_t version) {
        return "\5\5\1" + little(version, 4) + little(version, 4) + little(name.size(), 4) + name + "\6";
    }
    void add(const std::string& text) {
        bytes(text);
        offset_ += text.size();
    }
    // A part of what is wanted, for content that is made as a whole.
    size_t half() const { return static_cast<size_t>(std::min<uint64_t>(wanted() / 2, uint64_t{1} << 20)); }

  private:
    uint64_t offset_ = 0;
};

}  // namespace tracelint::files
