// The seam between the base format and an extension, which adds record types of its own. The walk passes the extension
// its records and passes it the base records in between. It knows nothing of their bodies, and the extension knows
// nothing of the walk.
#pragma once

#include "validator/format.hpp"

namespace tracelint::jitdump {

// Follows the extension's records through one file and checks them.
class Extension {
  public:
    struct Record {
        uint32_t id;
        uint64_t index;       // counted from 0 over all records of the file
        uint64_t offset;      // in the file
        uint64_t total_size;  // bytes, record header included
        ByteOrder order;
        Bytes bytes;  // the whole record, or its first kFront bytes
    };
    static constexpr uint64_t kFront = 48;  // bytes; the whole record, if that is shorter

    virtual ~Extension() = default;

    // Whether record() needs the whole record. Otherwise, and above the record limit, it gets kFront bytes.
    virtual bool wants_body(uint32_t id) const = 0;
    // A complete record with an id of the extension. Its bytes are valid during the call only.
    virtual void record(const Record& record) = 0;
    // A DEBUG_INFO of any size.
    virtual void debug_info() = 0;
    // A LOAD, broken or not. `code_addr` is empty if the record is too small for it; `code_size` is empty unless name
    // and code fill the record exactly.
    struct Load {
        uint64_t offset = 0;  // in the file
        std::optional<uint64_t> code_addr{}, code_size{};
    };
    virtual void load(const Load& load) = 0;
    // A CLOSE of any size.
    virtual void close() = 0;
    // The end of the walk. `cut`: the walk stopped at an error, and the missing bytes may contain the awaited LOAD.
    virtual void end(bool cut) = 0;
};

// An extension as the base format sees it: data and a few functions.
struct ExtensionKind {
    const Grammar* grammar;
    std::span<const uint32_t> ids;
    std::unique_ptr<Extension> (*make)(ValidationContext& context);
    // The layout of a record with one of the ids, for showing it.
    const tracelint::Record& (*record_of)(uint32_t id, uint64_t total_size, const Settings& settings);

    constexpr bool owns(uint64_t id) const {
        for (const uint32_t own : ids)
            if (id == own) return true;
        return false;
    }
};

}  // namespace tracelint::jitdump
