// Writes profiles of profile.proto.
#pragma once

#include "tests/files/output_file.hpp"
#include "validator/tables/leb128.hpp"

namespace tracelint::files {

class PprofFile : public OutputFile {
  public:
    using OutputFile::OutputFile;

    static std::string varint(uint64_t value, size_t at_least = 1) {
        std::string bytes;
        append_leb(bytes, value, false, at_least);
        return bytes;
    }
    static std::string number(uint64_t member, uint64_t value) { return varint(member << 3) + varint(value); }
    static std::string nested(uint64_t member, const std::string& payload) {
        return varint(member << 3 | 2) + varint(payload.size()) + payload;
    }
    void field(uint64_t member, const std::string& payload) {
        bytes(nested(member, payload));
        flush_if_large();
    }
    void scalar(uint64_t member, uint64_t value) {
        bytes(number(member, value));
        flush_if_large();
    }
};

}  // namespace tracelint::files
