// What makes files of a format: its model, its planted faults, and the functions that use them.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "validator/format.hpp"
#include "validator/generator/record_values.hpp"

namespace tracelint {

// What a generator knows about a format beyond its tables.

// Knowledge that spans records, which tables cannot hold: produces a meaningful file record by record. Everything
// the model leaves open is drawn from the tables.
class Model {
  public:
    virtual ~Model() = default;
    virtual const Layout& layout() const = 0;
    // The record to write next; null ends the file. `written` and `wanted` are sizes of the file in bytes.
    virtual const Record* next(uint64_t written, uint64_t wanted) = 0;
    // Sets the value's number or text, or leaves it as drawn from the table.
    virtual void fill(Value& value, const RecordValues& so_far) = 0;
    // The number of elements of a list, or of bytes of a field.
    virtual uint64_t size_of(const Field& field, const RecordValues& so_far) = 0;
    // The bytes between the last element of a list and its end, for lists whose size is given in bytes.
    virtual std::string padding_of(const Field& list, const RecordValues& so_far) {
        (void)list, (void)so_far;
        return {};
    }
    // Called with each finished record, after its counts and sizes are set.
    virtual void written(RecordValues& record) { (void)record; }
    // Called with the finished file, to fill in what earlier records say about later ones.
    virtual void finished(FileRecords& file) { (void)file; }
    // Whether finished() changes records; if not, they need not be kept until then.
    virtual bool changes_finished() const { return false; }
};

// Choices that a test can fix; those left empty are drawn.
struct ModelOptions {
    std::optional<ByteOrder> byte_order;
    // Whether the file has records of the format's extensions: at least one, or none.
    std::optional<bool> extensions;
};

// Planted faults: ways to break a valid file in one known place. A grammar's generator states each as one FaultRow.

// Where the finding of a planted fault must be. Offsets and lengths are in bytes.
struct Planted {
    size_t record;             // index in the file; the header is record 0
    std::string_view field;    // the finding is at this field; empty: relative to the start of the record
    uint64_t element = kNone;  // index of the list element that has the field
    uint64_t offset = 0;       // added to the offset of the field, or of the record
    uint64_t length = 0;       // of the finding; 0: that of the field
    std::vector<std::string_view> consequences;  // ids of other rules that the same fault may break
};

// Breaks `file` and returns where the finding must be, or nothing if the file has no place for the fault.
using PlantFunction = std::optional<Planted> (*)(FileRecords& file, Random& random);

// One fault. The rule is named by its id, so a fault need not include the rule.
struct FaultRow {
    std::string_view rule;
    PlantFunction plant;
};

// The faults stated by one source file of a grammar's generator.
using FaultList = std::span<const FaultRow>;

// A fault whose rule has been looked up.
struct PlantedFault {
    const Rule* rule;
    // Null: the tables say all there is to say, and a value that breaks the check which raises the rule is the fault.
    PlantFunction plant;
    void (*settle)(FileRecords&) = nullptr;  // the generator's
};

// What generates files of a format: a model for valid files, and faults to plant in them. grammars/generators.hpp
// lists all generators.

struct Generator {
    const Format* format;
    std::unique_ptr<Model> (*model)(Random& random, const ModelOptions& options);
    // One list for each source file that states faults. A rule that a check of the tables raises needs none.
    std::span<const FaultList* const> faults;
    // Brings the sizes of a file up to date once a number in it has another length; null if none has.
    void (*settle)(FileRecords& file) = nullptr;
};

// The generator of a format, or null if it has none.
const Generator* find_generator(const Format& format);
// The generator of a format that has one.
const Generator& generator_of(const Format& format);

// All faults that can be planted in a file of the format: those stated, then those of the tables whose rule none of
// them breaks. None if the format has no generator.
std::vector<PlantedFault> faults_of(const Generator& generator);
std::vector<PlantedFault> faults_of(const Format& format);

// Generates valid files from a format's tables. The format's model decides which record comes next and what ties
// records together; all other values are drawn from what the tables allow.

struct GenerateOptions {
    uint64_t seed = 1;
    uint64_t size = 4096;     // bytes wanted; the file ends with the first record that reaches it
    uint64_t memory = kNone;  // bytes that the records and their encoded form may take
    ModelOptions model;
};

// Throws std::bad_alloc if there is too little memory.
FileRecords generate(const Generator& generator, const GenerateOptions& options);
// For a format in the list of generators.
FileRecords generate(const Format& format, const GenerateOptions& options);
// The bytes of the same file. Most models need no memory for its records then.
std::string generate_bytes(const Generator& generator, const GenerateOptions& options);

// Generates a single record. Values that the model leaves open are drawn from the record's table.
RecordValues generate_record(Model& model, Random& random, const Record& record);

// Encodes the records. `offsets`, if given, receives the offset at which each record starts, in bytes.
std::string bytes_of(const FileRecords& file, std::vector<uint64_t>* offsets = nullptr);

// Decodes a whole file, record by record, with the format's framer. Bytes that belong to no record become one raw
// value at the end, so bytes_of() reproduces any input.
FileRecords decode_file(const Format& format, Bytes file);

// Discards the lengths that LEB128 numbers were read with, so that they are encoded in as few bytes as possible.
// Numbers whose bytes would change stay as they are.
void reset_leb_lengths(FileRecords& file);

// Plants faults in valid files.

// A file with one planted fault. The rule must be reported at exactly `offset` and `length`, in bytes.
struct PlantedFile {
    std::string bytes;
    const Rule* rule = nullptr;
    uint64_t offset = 0;
    uint64_t length = 0;
    std::vector<std::string_view> consequences;  // ids of other rules that may also be reported
};

// Plants the fault in a generated file; nothing if that file has no place for it.
std::optional<PlantedFile> plant(const Generator& generator, const PlantedFault& fault, const GenerateOptions& options);

// The records of a file in which faults can be planted; nothing if a check finds an error or a warning in it. Faults
// rely on what the format demands, so that in other files they would look for records that are not there; and a file
// that is already broken would not have one fault.
std::optional<FileRecords> sound_records(const Format& format, Bytes file);

// Plants the fault in a decoded file; nothing if the file has no place for it. The file must have been generated or
// recorded without errors, or come from sound_records().
std::optional<PlantedFile> plant(const PlantedFault& fault, FileRecords file, uint64_t seed);

}  // namespace tracelint
