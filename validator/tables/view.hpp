// Access by name to the fields of one record in memory. Names are checked and turned into constant offsets at compile
// time. The place of a finding comes from the same table, so no check computes offsets by hand.
#pragma once

#include "validator/tables/describe.hpp"
#include "validator/tables/place.hpp"

#ifdef TRACELINT_AGREEMENT
#include "validator/tables/decode.hpp"
#endif

namespace tracelint {

// R: the record's table. L: the layout as far as it is known at compile time (version, word size). The byte order is a
// run-time value that the optimiser can propagate.
template <const auto& R, Layout L = Layout{}>
class View {
  public:
    // `data` must hold the fields that are read. `offset`: of its first byte, in bytes from the start of the file.
    View(const uint8_t* data, uint64_t offset, ByteOrder order, uint64_t record_index)
        : data_(data), offset_(offset), index_(record_index), order_(order) {}

    // Element number `element` of `list`, a field of record number `record_index`.
    View(const uint8_t* data, uint64_t offset, ByteOrder order, uint64_t record_index, const Field& list,
         uint64_t element)
        : data_(data), offset_(offset), index_(record_index), list_(&list), element_(element), order_(order) {}

    template <FixedName Name>
    static constexpr const Field& field() {
        constexpr const Field* found = R.find(Name.view());
        static_assert(found != nullptr, "no field of this name in the record");
        return *found;
    }

    // Offset of the field in the record, in bytes.
    template <FixedName Name>
    static constexpr uint64_t offset_of() {
        constexpr uint64_t found = fixed_offset(R, Name.view(), L);
        static_assert(found != kNone, "no field of this name at a fixed offset of the record");
        return found;
    }

    // Flattened it is one load; g++ does not always inline what it calls.
    template <FixedName Name>
    [[gnu::flatten]] uint64_t get() const {
        constexpr uint64_t at = offset_of<Name>();
        constexpr const Field& described = field<Name>();
        static_assert(described.is_fixed(), "only fields of fixed width can be read by name");
        const uint64_t value = read_fixed(described, {order_, L.word_size, L.version, {}}, data_ + at);
#ifdef TRACELINT_AGREEMENT
        agree(interpreted(R, Name.view(), {order_, L.word_size, L.version, {}}, data_), value);
#endif
        return value;
    }

    template <FixedName Name>
    Place place() const {
        constexpr const Field& described = field<Name>();
        Place place = whole(width_of(described, L));
        place.offset += offset_of<Name>();
        place.field = &described;
        return place;
    }

    // A place inside the field, whose offset need not be fixed. `at`: bytes from the start of the record.
    template <FixedName Name>
    Place place(uint64_t at, uint64_t length) const {
        Place place = part(at, length);
        place.field = &field<Name>();
        return place;
    }

    // `length` bytes at `at` from the start of the record that are not those of a single field.
    Place part(uint64_t at, uint64_t length) const {
        Place place = whole(length);
        place.offset += at;
        return place;
    }

    // The first `length` bytes of the record.
    Place whole(uint64_t length) const { return {offset_, length, &R, nullptr, list_, index_, element_}; }

    uint64_t offset() const { return offset_; }
    uint64_t record_index() const { return index_; }
    ByteOrder order() const { return order_; }
    const uint8_t* data() const { return data_; }

  private:
    const uint8_t* data_;
    uint64_t offset_;
    uint64_t index_;
    const Field* list_ = nullptr;
    uint64_t element_ = kNone;
    ByteOrder order_;
};

}  // namespace tracelint
