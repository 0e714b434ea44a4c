// Oracles for what precedes the format: recognition and containers.
#include <algorithm>
#include <functional>

#include "fuzz/chunked_source.hpp"
#include "fuzz/containers.hpp"
#include "fuzz/findings.hpp"
#include "validator/generator/record_values.hpp"
#include "validator/input/gzip.hpp"
#include "validator/input/input_rules.hpp"
#include "validator/input/zstd.hpp"

namespace tracelint {
namespace {

std::string name_of(const Format* format) { return std::string(format == nullptr ? "no format" : format->id); }

// The format that recognises the bytes with the highest confidence, or null. A tie is a complaint.
struct Claim {
    const Format* format = nullptr;
    Complaint complaint{};
};

Claim claim_of(Bytes opening) {
    Claim claim;
    int surest = 0;
    for (const Format* format : formats()) {
        const int sure = format->recognise({opening, {}});
        if (sure < 0 || sure > 100)
            return {nullptr, name_of(format) + " returns the confidence " + std::to_string(sure)};
        if (sure != format->recognise({opening, {}}))
            return {nullptr, name_of(format) + " returns another confidence the second time"};
        if (sure == 0 || sure < surest) continue;
        claim.complaint.reset();
        if (sure == surest)
            claim.complaint =
                name_of(claim.format) + " and " + name_of(format) + " claim the file with the same confidence";
        claim.format = format;
        surest = sure;
    }
    return claim;
}

Complaint same_format(std::string_view how, const Outcome& outcome, const Format* claims) {
    if (outcome.format != claims)
        return std::string(how) + ": recognised as " + name_of(outcome.format) + ", but claimed by " + name_of(claims);
    uint64_t unknown = 0;
    for (const Rule* rule : {&kUnknownFormat, &kEmptyInput, &kGitLfsPointer}) unknown += outcome.report().count(*rule);
    if (unknown != (claims == nullptr ? 1 : 0))
        return std::string(how) + ": input/unknown-format contradicts the recognised format";
    return std::nullopt;
}

bool is_of_container(const Diagnostic& diagnostic) { return diagnostic.rule->of_container; }

// `expected` must be the only finding about the container itself.
Complaint expect_only(std::string_view what, const Outcome& outcome, const Violation& expected) {
    const Findings found = findings_of(outcome, is_of_container);
    if (found == Findings{expected}) return std::nullopt;
    return std::string(what) + ": found " + text_of(found) + " instead of " + text_of(expected);
}

// One of the containers: how its parts are made, and how its faults are called.
struct Packer {
    Container container;
    size_t magic;  // bytes
    const Rule& truncated;
    const Rule& trailing_data;
    std::function<std::string(std::string_view)> pack;
    std::string_view padding;  // that may follow the last part; empty: none may
};

Complaint cut_container(const Packer& packer, const std::string& member, const Input& input, uint64_t at) {
    const Outcome outcome = check_all({as_bytes(member).first(at), input.format, input.settings});
    return expect_only("cut at " + hex(at), outcome, {at, packer.truncated.id, 0});
}

Complaint followed_container(const Packer& packer, std::string member, const Input& input, Random& random) {
    const uint64_t end = member.size();
    member.push_back(packer.padding.empty() && one_in(random, 2) ? '\0' : 'x');
    return expect_only("followed by a byte", check_all({as_bytes(member), input.format, input.settings}),
                       {end, packer.trailing_data.id, 1});
}

Complaint whole_container(const Packer& packer, const std::string& file, const Input& input) {
    Outcome plain = check_all(input);
    const Outcome packed = check_all({as_bytes(file), input.format, input.settings});
    if (packed.container != packer.container) return std::string(to_string(packer.container)) + " is not recognised";
    if (!packed.size) plain.size.reset();
    if (transcript(packed) == transcript(plain)) return std::nullopt;
    return "in a container: " + transcript(packed) + "\nwithout: " + transcript(plain);
}

// Members or frames that follow each other hold one file, wherever it was divided; some may be empty.
Complaint joined_container(const Packer& packer, const Input& input, Random& random) {
    const std::string_view all = as_text(input.bytes);
    std::string file;
    size_t at = 0;
    for (uint64_t left = between(random, 1, 4); left > 0; --left) {
        const size_t piece = below(random, all.size() - at + 1);
        file += packer.pack(all.substr(at, piece));
        at += piece;
    }
    file += packer.pack(all.substr(at));
    file += packer.padding.substr(0, below(random, packer.padding.size() + 1));
    return whole_container(packer, file, input);
}

// Some bits have no effect: of gzip the time, the operating system, and the padding in the last byte of the deflate
// data; of zstd the size of the window.
Complaint flipped_container(std::string member, const Input& input, uint64_t bit) {
    member[bit / 8] = static_cast<char>(member[bit / 8] ^ (1 << bit % 8));
    const Outcome outcome = check_all({as_bytes(member), input.format, input.settings});
    if (!findings_of(outcome, is_of_container).empty()) return std::nullopt;
    if (!outcome.size) return std::nullopt;  // no longer a trace
    const std::string flipped = transcript(outcome), plain = transcript(check_all(input));
    if (flipped == plain) return std::nullopt;
    return "flipped at " + hex(bit / 8) + ", the data changed but the container has no finding: " + flipped +
           "\nagainst: " + plain;
}

Packer packer_for(Random& random) {
    if (has_zstd() && one_in(random, 2)) {
        const int level = pick(random, {-1, 1, 3});
        const bool has_size = one_in(random, 2);
        const auto pack = [=](std::string_view data) {
            return zstd_frame(data, {.level = level, .has_checksum = true, .has_size = has_size});
        };
        return {Container::zstd, kZstdMagic.size(), kZstdTruncated, kZstdTrailingData, pack, {}};
    }
    const int level = pick(random, {0, 1, 6});
    const int window = static_cast<int>(between(random, 9, 12));
    const auto pack = [=](std::string_view data) { return gzip_member(data, {level, window, 1}); };
    return {Container::gzip, kGzipMagic.size(), kGzipTruncated, kGzipTrailingData, pack, std::string_view("\0\0", 2)};
}

}  // namespace

Complaint recognition(Bytes file, uint64_t seed) {
    if (is_container(file)) return std::nullopt;
    const Bytes opening = file.first(std::min(file.size(), kDetectionBytes));
    const auto [claims, complaint] = claim_of(opening);
    if (complaint) return complaint;
    const Outcome whole = check_all({file, nullptr});
    if (const Complaint other = same_format("in one piece", whole, claims)) return other;

    Random random(seed);
    ChunkedSource pieces(file, {.seed = random() | 1, .seekable = one_in(random, 2)});
    if (const Complaint other = same_format("in pieces", check_source(pieces, {file, nullptr}), claims)) return other;

    // Bytes after the opening must not matter.
    if (opening.size() < kDetectionBytes) return std::nullopt;
    const std::string changed = std::string(as_text(opening)) + random_bytes(random, below(random, 64));
    return same_format("with other bytes after the opening", check_all({as_bytes(changed), nullptr}), claims);
}

bool is_container(Bytes file) { return is_gzip(file) || (has_zstd() && begins_zstd_frame(file)); }

Complaint container(const Input& input, uint64_t seed) {
    if (is_container(input.bytes)) return std::nullopt;  // nested containers: only the outer one is opened
    Random random(seed);
    Packer packer = packer_for(random);
    const std::string member = packer.pack(as_text(input.bytes));
    const Outcome whole = check_all({as_bytes(member), input.format, input.settings});
    if (whole.format != nullptr && whole.format->refuses_gzip_padding) packer.padding = {};
    switch (below(random, whole.size.has_value() ? 5 : 2)) {
        case 0: return whole_container(packer, member, input);
        case 1: return joined_container(packer, input, random);
        case 2: return cut_container(packer, member, input, between(random, packer.magic, member.size() - 1));
        case 3: return followed_container(packer, member, input, random);
        default: return flipped_container(member, input, between(random, 8 * packer.magic, 8 * member.size() - 1));
    }
}

}  // namespace tracelint
