// nettrace, section 2: recognition; section 3.1: the headers of objects.
#include "grammars/nettrace/nettrace.hpp"
#include "validator/tables/view.hpp"

namespace tracelint::nettrace {
namespace {

constexpr ObjectName kNettraceObjects[] = {{kTraceName, Kind::trace},
                                           {kEventBlockName, Kind::events},
                                           {kMetadataBlockName, Kind::metadata},
                                           {kStackBlockName, Kind::stacks},
                                           {kSequencePointName, Kind::sequence_point}};
constexpr ObjectName kNetperfObjects[] = {
    {kTraceName, Kind::trace}, {kEventBlockName, Kind::events}, {kFileName, Kind::trace}};

constexpr uint64_t kNetperfHeader = fixed_size(kHeader, {.version = kNetperf3});

}  // namespace

std::span<const ObjectName> object_names(bool is_nettrace) {
    if (is_nettrace) return kNettraceObjects;
    return kNetperfObjects;
}

const ObjectName* known_name(Bytes bytes, bool is_nettrace) {
    for (const ObjectName& known : object_names(is_nettrace)) {
        const size_t length = known.name.size();
        if (bytes.size() > length && as_text(bytes.first(length)) == known.name && bytes[length] == kEndObject)
            return &known;
    }
    return nullptr;
}

std::optional<ObjectHeader> undamaged_header(Bytes bytes, bool is_nettrace) {
    const uint8_t begin = is_nettrace ? kBeginNettrace : kBeginNetperf;
    if (bytes.size() <= kFixedHeader || bytes[0] != begin || bytes[1] != begin || bytes[2] != kNullReference) return {};
    const ObjectName* const known = known_name(bytes.subspan(kFixedHeader), is_nettrace);
    const View<kObject> header(bytes.data(), 0, ByteOrder::little, 0);
    if (known == nullptr || header.get<"name_length">() != known->name.size()) return {};
    return ObjectHeader{kFixedHeader + known->name.size() + 1, known->kind, known->name == kFileName};
}

int recognise(const Opening& opening) {
    const Bytes bytes = opening.bytes;
    if (as_text(bytes).starts_with(kMagic)) return 100;
    // The files of other programs begin with the same signature: the first object decides.
    if (bytes.size() < kNetperfHeader || as_text(bytes.subspan(4, kSignatureLength)) != kSignature) return 0;
    const Bytes object = bytes.subspan(kNetperfHeader);
    const bool is_sound = undamaged_header(object, false).has_value();
    if (load(bytes.data(), 4, ByteOrder::little) == kSignatureLength && is_sound) {
        const std::string_view name = as_text(object.subspan(kFixedHeader));
        return name.starts_with(kTraceName) || name.starts_with(kFileName) ? 100 : 0;
    }
    return 0;
}

}  // namespace tracelint::nettrace
