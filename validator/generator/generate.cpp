// The generator's loops over the tables, and the way back: a file taken apart into drafts.
#include "validator/generator/generate.hpp"

#include "validator/generator/random.hpp"

namespace tracelint {
namespace {

constexpr unsigned kDraws = 16;  // until a value obeys the checks of its field

bool obeys_all(const Field& field, uint64_t value) {
    return std::all_of(field.checks.begin(), field.checks.end(),
                       [&](const Check& c) { return obeys(field, c, value); });
}

// A value that one check asks for.
uint64_t obedient(const Field& field, const Check& check, Random& random) {
    switch (check.must) {
        case Check::Must::equal: return check.value;
        case Check::Must::be_at_most: return check.value == kNone ? random() : below(random, check.value + 1);
        case Check::Must::be_at_least: return between(random, check.value, kNone);
        case Check::Must::lie_in_mask: return random() & check.value;
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
        const uint64_t value = obedient(field, *demands[i % demands.size()], random);
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

// Fills drafts record by record: first what the table allows, then what the model knows better.
class Writer {
  public:
    Writer(Model& model, Random& random) : model_(model), random_(random) {}

    RecordValues write(const Record& record) {
        RecordValues draft;
        draft.record = &record;
        draft.layout = model_.layout();
        append(draft, record, nullptr, kNone, 0);
        settle(draft);
        return draft;
    }

  private:
    void append(RecordValues& draft, const Record& record, const Field* list, uint64_t element, size_t depth) {
        for (const Field& field : record.fields()) {
            if (!field.exists_in(model_.layout().version) || !is_there(draft, field, element)) continue;
            Value value;
            value.leaf.record = &record;
            value.leaf.field = &field;
            value.leaf.list = list;
            value.leaf.element = element;
            value.leaf.depth = depth;
            if (field.type == Type::list)
                append_list(draft, std::move(value));
            else
                append_value(draft, std::move(value));
        }
    }

    // What decides is in the same element.
    static bool is_there(const RecordValues& draft, const Field& field, uint64_t element) {
        const Value* decides = field.is_optional() ? draft.find(field.condition.field, element) : nullptr;
        return !field.is_optional() || (decides != nullptr && field.condition.holds_for(decides->leaf.number));
    }

    void append_list(RecordValues& draft, Value value) {
        const Field& field = *value.leaf.field;
        const size_t depth = value.leaf.depth;
        const uint64_t count = model_.size_of(field, draft);
        value.leaf.kind = Leaf::Kind::list;
        value.leaf.number = field.counter.empty() ? kNone : count;  // as decode() has it
        draft.values.push_back(value);
        for (uint64_t i = 0; i < count; ++i) append(draft, *field.element, &field, i, depth + 1);
        if (!field.sizer.empty()) append_padding(draft, std::move(value));
    }

    // What decode() makes of bytes behind the elements.
    void append_padding(RecordValues& draft, Value value) {
        value.text = model_.padding_of(*value.leaf.field, draft);
        value.leaf.kind = Leaf::Kind::raw;
        if (!value.text.empty()) draft.values.push_back(std::move(value));
    }

    void append_value(RecordValues& draft, Value value) {
        const Field& field = *value.leaf.field;
        if (field.type == Type::bytes)
            value.text = random_bytes(random_, field.width != 0 ? field.width : model_.size_of(field, draft));
        else if (field.type == Type::string)
            value.text = draw_text(random_);
        else
            value.leaf.number = draw_number(field, model_.layout(), random_);
        model_.fill(value, draft);
        draft.values.push_back(std::move(value));
    }

    Model& model_;
    Random& random_;
};

// A draft of one value: bytes that nothing explains.
RecordValues unexplained(Bytes bytes) {
    RecordValues draft;
    Value value;
    value.leaf.kind = Leaf::Kind::raw;
    value.leaf.length = bytes.size();
    value.text = as_text(bytes);
    draft.values.push_back(std::move(value));
    return draft;
}

}  // namespace

FileRecords generate(const Format& format, const GenerateOptions& options) {
    return generate(generator_of(format), options);
}

FileRecords generate(const Generator& generator, const GenerateOptions& options) {
    Random random(options.seed);
    const std::unique_ptr<Model> model = generator.model(random, options.model);
    Writer writer(*model, random);
    FileRecords file;
    uint64_t written = 0;
    while (const Record* record = model->next(written, options.size)) {
        RecordValues draft = writer.write(*record);
        model->written(draft);
        std::string bytes;
        encode(draft, bytes);
        written += bytes.size();
        file.push_back(std::move(draft));
    }
    model->finished(file);
    return file;
}

RecordValues generate_record(Model& model, Random& random, const Record& record) {
    return Writer(model, random).write(record);
}

std::string bytes_of(const FileRecords& drafts, std::vector<uint64_t>* offsets) {
    std::string bytes;
    for (const RecordValues& draft : drafts) {
        if (offsets != nullptr) offsets->push_back(bytes.size());
        encode(draft, bytes);
    }
    return bytes;
}

FileRecords take_apart(const Format& format, Bytes file) {
    FileRecords parts;
    const std::unique_ptr<Framer> framer = format.framer({});
    while (!file.empty()) {
        const Framer::Frame frame = framer->next_of_all(file);
        if (frame.record == nullptr || frame.length == 0) break;
        // A record that the input cuts keeps the fields that are there, and a raw value for the rest.
        const Bytes bytes = file.first(std::min<uint64_t>(frame.length, file.size()));
        parts.push_back(decode_values(*frame.record, bytes, framer->layout(), true));
        file = file.subspan(bytes.size());
    }
    if (!file.empty()) parts.push_back(unexplained(file));
    return parts;
}

void forget_leb_sizes(FileRecords& drafts) {
    for (RecordValues& draft : drafts) {
        std::string before;
        encode(draft, before);
        for (Value& value : draft.values) {
            if (!value.is_number() || !value.leaf.field->is_leb()) continue;
            const uint64_t length = std::exchange(value.leaf.length, 0);
            std::string after;
            encode(draft, after);
            if (after != before) value.leaf.length = length;
        }
    }
}

}  // namespace tracelint
