// The file header (sections 2 and 3.1).
#include "grammars/jitdump/checks/header.hpp"

#include "grammars/jitdump/samply/samply.hpp"

namespace tracelint::jitdump {
namespace {

// Machines that exist in one byte order only (section 3.1.1).
constexpr uint64_t kLittleOnly[] = {3, 62, 243, 258};
constexpr uint64_t kBigOnly[] = {2, 18, 22, 43};
// Machines with 8-byte absolute pointers, without those that exist in both widths.
constexpr uint64_t kWide[] = {21, 43, 50, 62, 183, 247, 0x9026};
// Machines for which some writer reads a counter of the architecture.
constexpr uint64_t kWithCounter[] = {3, 62, 183};

bool is_among(std::span<const uint64_t> values, uint64_t value) {
    return std::find(values.begin(), values.end(), value) != values.end();
}

// Whether the base name is jit-<digits>.dump and the digits, of any number, are another process id.
bool names_other_pid(std::string_view file_name, uint64_t pid) {
    constexpr std::string_view before = "jit-", after = ".dump";
    file_name.remove_prefix(file_name.rfind('/') + 1);
    if (!file_name.starts_with(before) || !file_name.ends_with(after) ||
        file_name.size() <= before.size() + after.size())
        return false;
    const std::string_view digits = file_name.substr(before.size(), file_name.size() - before.size() - after.size());
    if (digits.find_first_not_of("0123456789") != std::string_view::npos) return false;
    const size_t first = digits.find_first_not_of('0');
    return (first == std::string_view::npos ? "" : digits.substr(first)) != std::to_string(pid);
}

// Every check of the field table that has a rule.
void check_fields(State& state, const View<kHeader>& header) {
    uint64_t at = 0;
    for (const Field& field : kHeader.fields()) {
        const uint64_t value = read_fixed(field, {header.order(), 8, 0, {}}, header.data() + at);
        for (const Check& check : field.checks) {
            if (check.rule == nullptr || obeys(field, check, value)) continue;
            Place place = header.part(at, field.width);
            place.field = &field;
            state.report.add(*check.rule, place, {value});
        }
        at += field.width;
    }
}

}  // namespace

std::optional<ByteOrder> order_of_magic(Bytes bytes) {
    if (bytes.size() < 4) return std::nullopt;
    for (const ByteOrder order : {ByteOrder::little, ByteOrder::big})
        if (load(bytes.data(), 4, order) == kMagic) return order;
    return std::nullopt;
}

bool proves_other_order(Bytes header, ByteOrder order) {
    const View<kHeader> other(header.data(), 0, opposite(order), kNone);
    return other.get<"version">() == 1 && other.get<"total_size">() == fixed_size(kHeader);
}

std::optional<ByteOrder> order_of_file(Bytes opening) {
    const std::optional<ByteOrder> order = order_of_magic(opening);
    return order && proves_other_order(opening, *order) ? opposite(*order) : order;
}

bool is_plausible_prefix(Bytes bytes, ByteOrder order) {
    if (bytes.size() < fixed_size(kPrefix)) return false;
    const View<kPrefix> prefix(bytes.data(), 0, order, 0);
    const uint64_t id = prefix.get<"id">(), size = prefix.get<"total_size">();
    for (const Record* record : kRecords)
        if (record->tag == id) return size >= minimum_size(*record);
    return samply::kExtension.owns(id) && size >= fixed_size(kPrefix);
}

constexpr Rule kMagicByteOrder{
    .id = "jitdump/magic-byte-order",
    .severity = Severity::error,
    .statement = "the magic number and the rest of the file have the same byte order",
    .message = "the magic number is in one byte order, but version and total_size prove the other",
    .why =
        "readers trust the magic number and misread every number after it; JavaScriptCore wrote such files on "
        "big-endian hosts",
    .spec = "2.1 Magic number and byte order",
    .since = "0.1.0",
};

constexpr Rule kElfMachineEndian{
    .id = "jitdump/elf-machine-endian",
    .severity = Severity::warning,
    .statement = "elf_mach is a machine that exists in the byte order of the file",
    .message = "elf_mach is {0}, a machine that only exists in the other byte order",
    .why = "the machine or the byte order is wrong, and readers disassemble the code for the wrong one",
    .spec = "3.1.1 ELF machines",
    .since = "0.1.0",
    .depends_on = {.byte_order = true},
};

constexpr Rule kFileNamePid{
    .id = "jitdump/file-name-pid",
    .severity = Severity::warning,
    .statement = "a file named jit-<pid>.dump has that pid in its header",
    .message = "the header's pid is {0}, but the file name contains another process id",
    .why = "perf looks the process up by the number in the file name, samply by the header",
    .spec = "2.2 File names",
    .since = "0.1.0",
};

constexpr Rule kArchTimestampSuspect{
    .id = "jitdump/arch-timestamp-suspect",
    .severity = Severity::note,
    .statement = "ARCH_TIMESTAMP is set only on machines where the writer can read a counter",
    .message = "flags has ARCH_TIMESTAMP set, but no known writer reads a counter on machine {0}",
    .why = "perf treats nanoseconds as counter values and misplaces them; libxsmm wrote such files",
    .spec = "3.1 Jitdump file header",
    .since = "0.1.0",
};

void check_header(State& state, const View<kHeader>& header, std::string_view file_name) {
    if (header.get<"magic">() != kMagic) state.report.add<kMagicByteOrder>(header.place<"magic">());
    check_fields(state, header);
    const uint64_t machine = header.get<"elf_mach">(), pid = header.get<"pid">();
    const auto& wrong_order = header.order() == ByteOrder::little ? kBigOnly : kLittleOnly;
    if (is_among(wrong_order, machine)) state.report.add<kElfMachineEndian>(header.place<"elf_mach">(), {machine});
    if (pid != 0 && names_other_pid(file_name, pid)) state.report.add<kFileNamePid>(header.place<"pid">(), {pid});
    const Field& machines = View<kHeader>::field<"elf_mach">();
    const bool known = std::any_of(machines.names.begin(), machines.names.end(),
                                   [=](const NamedValue& n) { return n.value == machine; });
    if (header.get<"flags">() == 1 && known && !is_among(kWithCounter, machine))
        state.report.add<kArchTimestampSuspect>(header.place<"flags">(), {machine});
}

unsigned pointer_width_of(uint64_t elf_mach) { return is_among(kWide, elf_mach) ? 8 : 4; }

constinit const RuleList kHeaderRules =
    rules<&kMagicByteOrder, &kElfMachineEndian, &kFileNamePid, &kArchTimestampSuspect>;

}  // namespace tracelint::jitdump
