// Generates files from the tables, and decodes files into record values.
#include "validator/generator/generator.hpp"

#include <new>

#include "validator/generator/edit.hpp"
#include "validator/memory/limits.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint {
namespace {

constexpr unsigned kDraws = 16;  // attempts to find a value that passes all checks of its field

bool obeys_all(const Field& field, uint64_t value) {
    return std::all_of(field.checks.begin(), field.checks.end(),
                       [&](const Check& c) { return obeys(field, c, value); });
}

// A value that passes one check.
uint64_t passing_value(const Field& field, const Check& check, Random& random) {
    switch (check.must) {
        case Check::Must::equal: return check.value;
        case Check::Must::be_at_most: return check.value == kNone ? random() : below(random, check.value + 1);
        case Check::Must::be_at_least: return between(random, check.value, kNone);
        case Check::Must::be_within_mask: return random() & check.value;
        case Check::Must::be_known: return pick_of(random, field.names).value;
        default: return random();
    }
}

unsigned bits_of(const Field& field, const Layout& layout) {
    if (field.type == Type::bits) return field.bit_width;
    if (!field.is_leb()) return 8 * width_of(field, layout);
    return field.base != 0 ? 8u * layout.word_size : 64;
}

uint64_t draw_number(const Field& field, const Layout& layout, Random& random) {
    const unsigned bits = bits_of(field, layout);
    std::vector<const Check*> demands;
    for (const Check& check : field.checks)
        if (check.must != Check::Must::nothing) demands.push_back(&check);
    if (demands.empty()) return edge_number(random, bits) >> field.shift << field.shift;
    for (unsigned i = 0; i < kDraws; ++i) {
        const uint64_t value = passing_value(field, *demands[i % demands.size()], random);
        if (obeys_all(field, value)) return value;
    }
    for (const Check* check : demands)
        for (const uint64_t value : {check->value, check->value - 1, check->value + 1})
            if (obeys_all(field, value)) return value;
    return 0;
}

std::string draw_text(Random& random) {
    std::string text;
    for (uint64_t left = below(random, 12); left > 0; --left)
        text.push_back(static_cast<char>(between(random, ' ', '~')));
    return text + '\0';
}

// Generates records: each value is drawn from what the table allows, then the model may replace it.
class Writer {
  public:
    Writer(Model& model, Random& random) : model_(model), random_(random) {}

    RecordValues write(const Record& record) {
        RecordValues made;
        made.record = &record;
        made.layout = model_.layout();
        append(made, record, nullptr, kNone, 0);
        update_sizes(made);
        return made;
    }

  private:
    void append(RecordValues& record, const Record& part, const Field* list, uint64_t element, size_t depth) {
        for (const Field& field : part.fields()) {
            if (!field.exists_in(model_.layout().version) || !is_there(record, field, element)) continue;
            Value value;
            value.leaf.record = &part;
            value.leaf.field = &field;
            value.leaf.list = list;
            value.leaf.element = element;
            value.leaf.depth = depth;
            if (field.type == Type::list)
                append_list(record, std::move(value));
            else
                append_value(record, std::move(value));
        }
    }

    // Whether an optional field is present. The field that decides it is in the same element: the last one of its name,
    // as elements of nested lists share their numbers.
    static bool is_there(const RecordValues& record, const Field& field, uint64_t element) {
        if (!field.is_optional()) return true;
        const auto decides = std::find_if(record.values.rbegin(), record.values.rend(), [&](const Value& value) {
            return value.leaf.element == element && value.leaf.field->name == field.condition.field;
        });
        return decides != record.values.rend() && field.condition.holds_for(decides->leaf.number);
    }

    void append_list(RecordValues& record, Value value) {
        const Field& field = *value.leaf.field;
        const size_t depth = value.leaf.depth;
        const uint64_t count = model_.size_of(field, record);
        value.leaf.kind = Leaf::Kind::list;
        value.leaf.number = field.counter.empty() ? kNone : count;  // as decode() has it
        record.values.push_back(value);
        for (uint64_t i = 0; i < count; ++i) append(record, *field.element, &field, i, depth + 1);
        if (!field.sizer.empty()) append_padding(record, std::move(value));
    }

    // As decode() represents bytes after the last element.
    void append_padding(RecordValues& record, Value value) {
        value.text = model_.padding_of(*value.leaf.field, record);
        value.leaf.kind = Leaf::Kind::raw;
        if (!value.text.empty()) record.values.push_back(std::move(value));
    }

    void append_value(RecordValues& record, Value value) {
        const Field& field = *value.leaf.field;
        if (field.type == Type::bytes)
            value.text = random_bytes(random_, field.width != 0 ? field.width : model_.size_of(field, record));
        else if (field.type == Type::string)
            value.text = draw_text(random_);
        else if (field.type == Type::string16)
            value.text = utf16_of(draw_text(random_));
        else
            value.leaf.number = draw_number(field, model_.layout(), random_);
        model_.fill(value, record);
        record.values.push_back(std::move(value));
    }

    Model& model_;
    Random& random_;
};

// Adds records to a file within a budget.
class GrowingFile {
  public:
    explicit GrowingFile(uint64_t memory) : budget_(memory) {}

    void add(RecordValues record, uint64_t bytes) {
        if (file_.size() == file_.capacity()) grow();
        uint64_t cost = allocation_cost(record.values.capacity() * sizeof(Value));
        for (const Value& value : record.values)
            if (value.text.capacity() > kInline) cost += allocation_cost(value.text.capacity() + 1);
        take(cost + kEncoded * bytes);
        file_.push_back(std::move(record));
    }
    FileRecords& records() { return file_; }

  private:
    static const size_t kInline;             // bytes of a string that are not allocated
    static constexpr uint64_t kEncoded = 3;  // a string that grows: its old bytes, and room for twice as many
    static constexpr size_t kFewest = 1024;  // records

    void grow() {
        const size_t before = file_.capacity(), room = std::max(kFewest, 2 * before);
        take(room * sizeof(RecordValues));
        file_.reserve(room);
        budget_.give_back(before * sizeof(RecordValues));
    }
    void take(uint64_t bytes) {
        if (!budget_.take(bytes)) throw std::bad_alloc();
    }

    Budget budget_;
    FileRecords file_;
};

const size_t GrowingFile::kInline = std::string().capacity();

// The same, but only for the bytes.
class GrowingBytes {
  public:
    explicit GrowingBytes(uint64_t memory) : budget_(memory) {}

    void add(const std::string& more) {
        if (more.size() > bytes_.capacity() - bytes_.size()) grow(bytes_.size() + more.size());
        bytes_ += more;
    }
    std::string& bytes() { return bytes_; }

  private:
    void grow(size_t wanted) {
        const size_t before = bytes_.capacity(), room = std::max(wanted, 2 * before);
        if (!budget_.take(room)) throw std::bad_alloc();
        bytes_.reserve(room);
        budget_.give_back(before);
    }

    Budget budget_;
    std::string bytes_;
};

// Calls `take` with each record of a file, and with its bytes.
template <class Take>
void write_records(Model& model, Random& random, uint64_t size, Take take) {
    Writer writer(model, random);
    uint64_t written = 0;
    while (const Record* record = model.next(written, size)) {
        RecordValues made = writer.write(*record);
        model.written(made);
        const std::string bytes = bytes_of(made);
        written += bytes.size();
        take(std::move(made), bytes);
    }
}

}  // namespace

FileRecords generate(const Format& format, const GenerateOptions& options) {
    return generate(generator_of(format), options);
}

FileRecords generate(const Generator& generator, const GenerateOptions& options) {
    Random random(options.seed);
    const std::unique_ptr<Model> model = generator.model(random, options.model);
    GrowingFile file(options.memory);
    write_records(*model, random, options.size,
                  [&](RecordValues made, const std::string& bytes) { file.add(std::move(made), bytes.size()); });
    model->finished(file.records());
    return std::move(file.records());
}

std::string generate_bytes(const Generator& generator, const GenerateOptions& options) {
    Random random(options.seed);
    const std::unique_ptr<Model> model = generator.model(random, options.model);
    if (model->changes_finished()) return bytes_of(generate(generator, options));
    GrowingBytes file(options.memory);
    write_records(*model, random, options.size,
                  [&](const RecordValues&, const std::string& bytes) { file.add(bytes); });
    return std::move(file.bytes());
}

RecordValues generate_record(Model& model, Random& random, const Record& record) {
    return Writer(model, random).write(record);
}

std::string bytes_of(const FileRecords& file, std::vector<uint64_t>* offsets) {
    std::string bytes;
    for (const RecordValues& record : file) {
        if (offsets != nullptr) offsets->push_back(bytes.size());
        encode(record, bytes);
    }
    return bytes;
}

FileRecords decode_file(const Format& format, Bytes file) {
    FileRecords records;
    const std::unique_ptr<Framer> framer = format.framer({});
    while (!file.empty()) {
        const Framer::Frame frame = framer->next_of_all(file);
        if (frame.record == nullptr || frame.length == 0) break;
        // A record cut off by the end of the input keeps the fields that are there, and a raw value for the rest.
        const Bytes bytes = file.first(std::min<uint64_t>(frame.length, file.size()));
        records.push_back(decode_values(*frame.record, bytes, framer->layout(), true));
        file = file.subspan(bytes.size());
    }
    if (!file.empty()) records.push_back(raw_record(std::string(as_text(file))));
    return records;
}

void reset_leb_lengths(FileRecords& file) {
    for (RecordValues& record : file) {
        const std::string before = bytes_of(record);
        for (Value& value : record.values) {
            if (!value.is_number() || !value.leaf.field->is_leb()) continue;
            const uint64_t length = std::exchange(value.leaf.length, 0);
            if (bytes_of(record) != before) value.leaf.length = length;
        }
    }
}

}  // namespace tracelint
