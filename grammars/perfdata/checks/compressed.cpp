// perf.data, section 3.9: the records inside of COMPRESSED and COMPRESSED2 records.
#include "grammars/perfdata/checks/compressed.hpp"

#include <cstring>

namespace tracelint::perfdata {
namespace {

constexpr Rule kCompressedNoFrame{
    .id = "perfdata/compressed-no-frame",
    .severity = Severity::error,
    .statement = "the first payload begins a zstd frame",
    .message = "the first payload does not begin with the magic number of a zstd frame, 28 b5 2f fd",
    .why = "perf cannot decompress the records: it shows nothing of the file. What the records hold is not checked",
    .spec = "3.9 Compressed records",
    .since = "0.2.0",
};

constexpr Rule kCompressedCorrupt{
    .id = "perfdata/compressed-corrupt",
    .severity = Severity::error,
    .statement = "the payloads are one zstd stream",
    .message = "the payload of {0 byte|bytes} cannot be decompressed",
    .why =
        "perf says: couldn't decompress data, and shows nothing; samply stops. What further records hold is not "
        "checked",
    .spec = "3.9 Compressed records",
    .since = "0.2.0",
};

constexpr Rule kCompressedTail{
    .id = "perfdata/compressed-tail",
    .severity = Severity::error,
    .statement = "the compressed records end at the end of a record",
    .message = "{0 byte|bytes} of a record are left at the end of the compressed data",
    .why = "readers silently lose the record; a payload is missing, or perf was killed",
    .spec = "3.9 Compressed records",
    .since = "0.2.0",
    .about_end = true,
};

constexpr size_t kLargestRecord = 0xffff;
constexpr size_t kPlain = 2 * (kLargestRecord + 1);  // bytes; a record that is not whole yet leaves half of them free

constexpr std::string_view kNoZstd =
    "this tracelint was built without zstd, so what compressed records hold is not checked";
constexpr std::string_view kTooLarge = "the compressed records become larger than tracelint decompresses";

}  // namespace

void CompressedRecords::note(const RecordInFile& record) {
    if (first_) return;
    first_ = record;
    first_->bytes = {};
}

void CompressedRecords::give_up(const RecordInFile& record) {
    note(record);
    is_blind_ = true;
}

void CompressedRecords::add(const RecordInFile& record, uint64_t at, uint64_t length) {
    note(record);
    if (is_blind_ || length == 0) return;
    const Bytes payload = record.bytes.subspan(at, length);
    if (!decoder_ && !begin(record, payload, at)) {
        is_blind_ = true;
        return;
    }
    decompress(record, payload, at);
}

// The first payload. False: it cannot be read.
bool CompressedRecords::begin(const RecordInFile& record, Bytes payload, uint64_t at) {
    if (payload.size() < kZstdMagic.size() || !std::equal(kZstdMagic.begin(), kZstdMagic.end(), payload.begin())) {
        state_.report.add<kCompressedNoFrame>(
            record.place(at, std::min<uint64_t>(payload.size(), kZstdMagic.size()), "payload"));
        return false;
    }
    if (!has_zstd()) {
        state_.hit_limit(record.whole(), kNoZstd);
        return false;
    }
    if (!plain_.reserve(kPlain)) {
        state_.hit_limit(record.whole());
        return false;
    }
    for (size_t i = 0; i < kPlain; ++i)
        if (!plain_.push_back(0)) return false;
    decoder_.emplace(state_.context.budget);
    return true;
}

void CompressedRecords::decompress(const RecordInFile& record, Bytes payload, uint64_t at) {
    Bytes rest = payload;
    size_t got = 0;
    state_.context.work.add(payload.size());
    if (const Inflation* outer = state_.context.inflation; outer != nullptr)
        decoder_->allow(outer->limit_at(record.offset));
    do {
        got = decoder_->decode(rest, &plain_[filled_], kPlain - filled_);
        if (got != 0 && filled_ == 0) begun_ = record;
        filled_ += got;
        state_.context.inflated += got;
        if (!take_records(record)) {
            is_blind_ = true;
            return;
        }
    } while (got > 0 || (decoder_->fault() == ZstdDecoder::Fault::none && !rest.empty()));
    if (begun_) begun_->bytes = {};
    if (decoder_->fault() != ZstdDecoder::Fault::none) judge_fault(record, payload, at);
}

void CompressedRecords::judge_fault(const RecordInFile& record, Bytes payload, uint64_t at) {
    is_blind_ = true;
    const ZstdDecoder::Fault fault = decoder_->fault();
    if (fault == ZstdDecoder::Fault::budget) return state_.hit_limit(record.whole());
    if (fault == ZstdDecoder::Fault::too_large) return state_.hit_limit(record.whole(), kTooLarge);
    Diagnostic finding{.rule = &kCompressedCorrupt, .place = record.place(at, payload.size(), "payload")};
    finding.numbers = {payload.size()};
    finding.hint = decoder_->reason();
    state_.report.add(finding);
}

// Takes the whole records of the plain bytes. False: the next one cannot be found.
bool CompressedRecords::take_records(const RecordInFile& record) {
    size_t at = 0;
    while (filled_ - at >= kPrefixSize) {
        const uint8_t* const start = &plain_[at];
        const auto size = static_cast<size_t>(load(start + 6, 2, state_.order));
        if (size >= kPrefixSize && size > filled_ - at) break;
        RecordInFile plain = *begun_;
        plain.bytes = {start, std::max<size_t>(size, kPrefixSize)};
        plain.is_inside = true;
        if (!taker_.take_plain(plain)) return false;
        at += size;
        begun_ = record;
    }
    if (at == 0) return true;
    filled_ -= at;
    std::memmove(&plain_[0], &plain_[0] + at, filled_);
    return true;
}

void CompressedRecords::end(bool is_cut) {
    if (is_cut || is_blind_ || filled_ == 0) return;
    state_.report.add<kCompressedTail>(begun_->whole(), {filled_});
}

constinit const RuleList kCompressedRules = rules<&kCompressedNoFrame, &kCompressedCorrupt, &kCompressedTail>;

}  // namespace tracelint::perfdata
