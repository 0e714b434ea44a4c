// Streams a gzip file through zlib, which checks headers, deflate data, checksums and lengths. This file joins members,
// names a fault, locates it, and judges what follows the last member.
#include "validator/input/gzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <new>

#include "validator/input/input_rules.hpp"

namespace tracelint {
namespace {

constexpr size_t kInput = size_t{64} << 10;  // compressed bytes read at a time
constexpr int kGzipOnly = 16 + MAX_WBITS;    // zlib's flag: accept gzip, not zlib's own container or raw deflate data
constexpr uint64_t kHeaderSize = 10;         // of a member without optional fields
constexpr uint64_t kTrailerField = 4;        // CRC-32, and the length modulo 2^32
constexpr size_t kShownOfTrailing = 16;      // bytes that gzip/trailing-data marks

struct Explanation {
    std::string_view from_zlib;
    uint64_t length;  // bytes of the invalid field, the last ones that zlib consumed
    std::string_view hint;
    bool is_data_whole = false;  // zlib compares the CRC-32 of the data before their length
};

// zlib's messages; any other is about the deflate data.
constexpr Explanation kExplanations[] = {
    {"incorrect data check", kTrailerField, "the stored CRC-32 does not match the data"},
    {"incorrect length check", kTrailerField, "the stored length does not match the data", true},
    {"incorrect header check", 1, "a member's header is corrupt"},
    {"unknown compression method", 1, "a member's header names an unknown compression method"},
    {"unknown header flags set", 1, "a member's header has reserved flags set"},
    {"header crc mismatch", 1, "the CRC-16 of a member's header does not match"},
};

Explanation explain(std::string_view from_zlib) {
    for (const Explanation& known : kExplanations)
        if (known.from_zlib == from_zlib) return known;
    return {from_zlib, 1, "the deflate data cannot be decoded"};
}

}  // namespace

GzipSource::GzipSource(Source& compressed, uint64_t largest)
    : ContainerSource(kLargestInflationRatio),
      compressed_(compressed),
      input_(kInput),
      inflater_(std::make_unique<z_stream>()),
      largest_(largest) {
    if (inflateInit2(inflater_.get(), kGzipOnly) != Z_OK) throw std::bad_alloc();
}

GzipSource::~GzipSource() { inflateEnd(inflater_.get()); }

size_t GzipSource::read(uint8_t* to, size_t bytes) {
    while (bytes > 0 && step_ != Step::over) {
        if (step_ == Step::after_member) {
            go_on_after_member();
            continue;
        }
        // At the limit, try to decompress one more byte: if there is one, the limit is exceeded.
        const uint64_t allowed = std::max<uint64_t>(1, saturating_sub(limit(), given_));
        const size_t got = inflate_to(to, inflation_.at_once(std::min<uint64_t>(bytes, allowed)));
        if (given_ > limit()) {
            given_ -= got;
            end_with(kGzipTooLarge, 0, kHeaderSize);
        } else if (got > 0) {
            inflation_.note(given_, taken());
            return got;
        }
    }
    return 0;
}

// The size that the data may have by now. The ratio detects a decompression bomb long before it is large.
uint64_t GzipSource::limit() const { return std::min(largest_, inflated_at_most(taken(), kLargestInflationRatio)); }

// One step of zlib. Returns the number of bytes it produced, and advances step_ when the member or the input ends.
size_t GzipSource::inflate_to(uint8_t* to, size_t bytes) {
    const bool more = hold(1);  // at the end of the input, zlib may still have data buffered
    const auto asked = static_cast<uInt>(std::min(bytes, kWindow));
    inflater_->next_out = to;
    inflater_->avail_out = asked;
    const int result = inflate(inflater_.get(), Z_NO_FLUSH);
    const size_t got = asked - inflater_->avail_out;
    given_ += got;
    take_result(result);
    if (more || got > 0 || step_ != Step::member) return got;
    step_ = Step::over;
    if (failure().empty()) end_with(kGzipTruncated, taken(), 0);
    return 0;
}

void GzipSource::take_result(int result) {
    switch (result) {
        case Z_OK:
        case Z_BUF_ERROR: return;  // no progress without more input or output space; the next step has both
        case Z_STREAM_END: step_ = Step::after_member; return;
        case Z_MEM_ERROR: throw std::bad_alloc();
        default: end_corrupt();
    }
}

void GzipSource::go_on_after_member() {
    if (!begins_member()) return judge_trailing_bytes();
    inflateReset(inflater_.get());
    step_ = Step::member;
}

// Whether a member begins at the next byte. It need not be a sound one.
bool GzipSource::begins_member() { return hold(kGzipMagic.size()) && is_gzip(held()); }

// Zeros up to the end of the file are padding to a block size. As with gzip(1), anything else is not part of the trace,
// and neither is a member after padding.
void GzipSource::judge_trailing_bytes() {
    step_ = Step::over;
    uint64_t padding = kLargestPadding;
    if (!hold(1)) return;
    surplus_ = trailing_data();
    surplus_->is_overridden = true;
    while (hold(1)) {
        const Bytes rest = held().first(std::min<uint64_t>(held().size(), padding));
        const auto data = std::find_if(rest.begin(), rest.end(), [](uint8_t byte) { return byte != 0; });
        const auto zeros = static_cast<size_t>(data - rest.begin());
        pass(zeros);
        padding -= zeros;
        if (zeros == rest.size() && zeros > 0) continue;
        fault_ = trailing_data();
        return;
    }
}

// From the next byte on.
Diagnostic GzipSource::trailing_data() {
    hold(kShownOfTrailing);
    return finding(kGzipTrailingData, taken(), std::min(held().size(), kShownOfTrailing));
}

// Buffers at least `bytes` compressed bytes. False: the input ends before.
bool GzipSource::hold(size_t bytes) {
    while (inflater_->avail_in < bytes) {
        const Bytes rest = held();
        std::copy(rest.begin(), rest.end(), input_.begin());
        const size_t got = compressed_.read(input_.data() + rest.size(), input_.size() - rest.size());
        inflater_->next_in = input_.data();
        inflater_->avail_in = static_cast<uInt>(rest.size() + got);
        input_end_ += got;
        if (got == 0) return false;
    }
    return true;
}

// The compressed bytes that are buffered and not consumed.
Bytes GzipSource::held() const { return {inflater_->next_in, inflater_->avail_in}; }

// Consumes buffered bytes that are not part of a member.
void GzipSource::pass(size_t bytes) {
    inflater_->next_in += bytes;
    inflater_->avail_in -= static_cast<uInt>(bytes);
}

// The number of compressed bytes consumed.
uint64_t GzipSource::taken() const { return input_end_ - inflater_->avail_in; }

void GzipSource::end_with(const Rule& rule, uint64_t offset, uint64_t length, std::string_view hint) {
    step_ = Step::over;
    cut_ = true;
    fault_ = finding(rule, offset, length);
    fault_->hint = hint;
}

Diagnostic GzipSource::finding(const Rule& rule, uint64_t offset, uint64_t length) const {
    Diagnostic found;
    found.rule = &rule;
    found.place.offset = offset;
    found.place.length = length;
    found.numbers = {given_};
    return found;
}

// zlib stops at the byte that reveals the fault, but consumes a trailer as a whole before it checks it.
void GzipSource::end_corrupt() {
    const Explanation why = explain(inflater_->msg == nullptr ? "" : inflater_->msg);
    const uint64_t length = std::min(why.length, taken());
    end_with(kGzipCorrupt, taken() - length, length, why.hint);
    // A wrong length does not explain why the data end where they do, unless a member follows that is not read.
    if (why.is_data_whole) cut_ = begins_member();
}

}  // namespace tracelint
