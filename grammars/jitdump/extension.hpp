// The seam for records that are not of the base format: ids 5 and 827346259 to 827346261. The walk hands
// each of them over, then tells of the LOAD that ends its wait; it knows nothing of their bodies.
#pragma once

#include <optional>

#include "validator/bytes.hpp"

namespace tracelint::jitdump {

inline constexpr uint32_t kExtensionIds[] = {5, 827346259, 827346260, 827346261};

constexpr bool is_extension(uint64_t id) {
    for (const uint32_t known : kExtensionIds)
        if (id == known) return true;
    return false;
}

class Extension {
  public:
    struct Record {
        uint32_t id;
        uint64_t index;   // among all records
        uint64_t offset;  // in the file
        uint64_t total_size;
        ByteOrder order;
        Bytes bytes;  // the whole record; empty if nobody asked for it or it is above the record limit
    };

    virtual ~Extension() = default;

    // Whether record() wants to see the bytes; otherwise the walk skips them.
    virtual bool wants_bytes(uint32_t id) const {
        (void)id;
        return false;
    }
    virtual void record(const Record& record) { (void)record; }
    virtual void debug_info() {}
    // A LOAD, also a broken one. `code_addr` is empty below 57 bytes; `code_size` unless name and code fill
    // the record exactly.
    virtual void load(std::optional<uint64_t> code_addr, std::optional<uint64_t> code_size) {
        (void)code_addr;
        (void)code_size;
    }
    virtual void close() {}
    // The walk is over. `cut`: by an error, so that the missing bytes may hold the LOAD.
    virtual void end(bool cut) { (void)cut; }
};

}  // namespace tracelint::jitdump
