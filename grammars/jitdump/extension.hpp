// The seam for records that are not of the base format. The walk hands each of them to the extension, then
// tells it of the LOAD that ends its wait; it knows nothing of their bodies. The extension knows nothing of
// the walk.
#pragma once

#include "validator/format.hpp"

namespace tracelint::jitdump {

// What follows the extension's records through one file, and judges them.
class Extension {
  public:
    struct Record {
        uint32_t id;
        uint64_t index;   // among all records
        uint64_t offset;  // in the file
        uint64_t total_size;
        ByteOrder order;
        Bytes bytes;  // the whole record, or its first `kFront` bytes
    };
    static constexpr uint64_t kFront = 48;  // or the whole record, if that is shorter

    virtual ~Extension() = default;

    // Whether record() is to see all of such a record, if the record limit lets it; else kFront bytes.
    virtual bool wants_body(uint32_t id) const = 0;
    // A complete record of one of the extension's ids. Its bytes are valid during the call only.
    virtual void record(const Record& record) = 0;
    // A DEBUG_INFO, of any size.
    virtual void debug_info() = 0;
    // A LOAD, also a broken one. `code_addr` is empty below 57 bytes; `code_size` unless name and code fill
    // the record exactly.
    struct Load {
        uint64_t offset = 0;  // in the file
        std::optional<uint64_t> code_addr{}, code_size{};
    };
    virtual void load(const Load& load) = 0;
    // A CLOSE, of any size.
    virtual void close() = 0;
    // The walk is over. `cut`: by an error, so that the missing bytes may hold the LOAD.
    virtual void end(bool cut) = 0;
};

// The extension as the base format sees it: data and a few functions.
struct ExtensionKind {
    const Grammar* grammar;
    std::span<const uint32_t> ids;
    std::unique_ptr<Extension> (*make)(ValidationContext& context);
    // The table of a record of one of the ids, for looking at it.
    const tracelint::Record& (*record_of)(uint32_t id, uint64_t total_size, const Settings& settings);

    constexpr bool owns(uint64_t id) const {
        for (const uint32_t own : ids)
            if (id == own) return true;
        return false;
    }
};

}  // namespace tracelint::jitdump
