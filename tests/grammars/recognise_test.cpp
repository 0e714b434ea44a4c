// How sure each format is that a file is its own, of 100, by the file's first bytes: each spec's section on
// identification, at its boundaries.
#include "validator/recognise.hpp"

#include <doctest/doctest.h>

#include "tests/support/corpus.hpp"
#include "tests/support/guarded_page.hpp"

namespace tracelint {
namespace {

struct Recognised {
    std::string_view format, what;
    int sure;
    std::string_view hex;
    std::string_view file_name = {};
};

// clang-format off
constexpr Recognised kRecognised[] = {
    {"perfmap", "a line", 40, "\"7f0000001000 1a3 Foo::bar(int)\" 0a"},
    {"perfmap", "with 0x and in capitals", 40, "\"0X7F0000001000 0x1A3 Foo\" 0a"},
    {"perfmap", "the lowest address that makes sense", 40, "\"100a 1 Foo\" 0a"},
    {"perfmap", "an address below it", 0, "\"fa1 1 Foo\" 0a"},
    {"perfmap", "a second line that is none", 0, "\"7f0000001000 1a3 Foo\" 0a \"total\" 0a"},
    {"perfmap", "a second line that is not whole", 40, "\"7f0000001000 1a3 Foo\" 0a \"total\""},
    {"perfmap", "without a line end", 0, "\"7f0000001000 1a3 Foo\""},
    {"perfmap", "two blanks", 0, "\"7f0000001000  1a3 Foo\" 0a"},
    {"perfmap", "a NUL in the line", 0, "\"7f0000001000 1a3 Foo\" 00 0a"},
    {"perfmap", "a NUL after it", 40, "\"7f0000001000 1a3 Foo\" 0a 00 \"total\" 0a"},
    {"perfmap", "no name", 0, "\"7f0000001000 1a3\" 0a"},
    {"perfmap", "a START of decimal digits, seven of them", 0, "\"7000000 1a3 Foo\" 0a"},
    {"perfmap", "eight of them", 40, "\"70000000 1a3 Foo\" 0a"},
    {"perfmap", "no letter in any number", 0, "\"70000000 143 Foo\" 0a"},
    {"perfmap", "a letter in START alone", 40, "\"7000a 143 Foo\" 0a"},
    {"perfmap", "a START of letters", 0, "\"abcdefab 143 Foo\" 0a"},
    {"perfmap", "a letter of 0x is none", 0, "\"0x7000000 0x143 Foo\" 0a"},
    {"perfmap", "a SIZE of letters", 0, "\"7000000a add Foo\" 0a"},
    {"perfmap", "the largest SIZE that is telling", 40, "\"7000000a 100000 Foo\" 0a"},
    {"perfmap", "a SIZE above it", 0, "\"7000000a 100001 Foo\" 0a"},
    {"perfmap", "a sixteenth of START", 40, "\"7001a 7001 Foo\" 0a"},
    {"perfmap", "a SIZE above that", 0, "\"7001a 7002 Foo\" 0a"},
    {"perfmap", "a name without a letter beyond F", 0, "\"7000000a 143 Dead-Beef 00 $\" 0a"},
    {"perfmap", "a name in other letters", 40, "\"7000000a 143 \xe5\x87\xbd\" 0a"},
    {"perfmap", "one letter and a name", 0, "\"7000000a 143 T main\" 0a"},
    {"perfmap", "two letters and a name", 40, "\"7000000a 143 Te main\" 0a"},
    {"perfmap", "a line of nm, of 64 bits", 0, "\"0000000000001129 A main\" 0a"},
    {"perfmap", "a line of nm, of 32 bits", 0, "\"00001129 d main\" 0a"},
    {"perfmap", "one of eight lines tells", 40, "\"7000000a 1 Foo\" 0a | \"1000 1 2\" 0a | \"1001 1 2\" 0a | \"1002 1 2\" 0a | \"1003 1 2\" 0a | \"9000000a 1 2\" 0a | \"a000000a 1 2\" 0a | \"b000000a 1 2\" 0a"},
    {"perfmap", "two of eight are followed closely", 40, "\"7000000a 1a3 Foo\" 0a \"8000000a 1a3 Foo\" 0a \"9000000a 1a3 Foo\" 0a \"a000000a 1a3 Foo\" 0a \"b000000a 1a3 Foo\" 0a \"c000000a 1a3 Foo\" 0a | \"c00001ad 1a3 Foo\" 0a | \"c0010350 1a3 Foo\" 0a"},
    {"perfmap", "one overlaps the next by a byte", 0, "\"7000000a 1a3 Foo\" 0a \"8000000a 1a3 Foo\" 0a \"9000000a 1a3 Foo\" 0a \"a000000a 1a3 Foo\" 0a \"b000000a 1a3 Foo\" 0a \"c000000a 1a3 Foo\" 0a | \"c00001ac 1a3 Foo\" 0a | \"c0010350 1a3 Foo\" 0a"},
    {"perfmap", "one is a byte too far", 0, "\"7000000a 1a3 Foo\" 0a \"8000000a 1a3 Foo\" 0a \"9000000a 1a3 Foo\" 0a \"a000000a 1a3 Foo\" 0a \"b000000a 1a3 Foo\" 0a \"c000000a 1a3 Foo\" 0a | \"c00001ad 1a3 Foo\" 0a | \"c0010351 1a3 Foo\" 0a"},
    {"perfmap", "seven far from each other", 40, "\"7000000a 1a3 Foo\" 0a \"8000000a 1a3 Foo\" 0a \"9000000a 1a3 Foo\" 0a \"a000000a 1a3 Foo\" 0a \"b000000a 1a3 Foo\" 0a \"c000000a 1a3 Foo\" 0a \"d000000a 1a3 Foo\" 0a"},
    {"perfmap", "a line as long as what is looked at", 40, "\"7000000a 1a3 g\" 66*4081 0a"},
    {"perfmap", "a longer one", 0, "\"7000000a 1a3 g\" 66*4082"},
    {"perfmap", "a blank line at the end of what is looked at", 0, "\"7000000a 1a3 g\" 66*4080 0a 0a"},
    {"perfmap", "CR LF", 40, "\"7000000a 1a3 Foo\" 0d 0a"},
    {"perfmap", "no name, and CR LF", 0, "\"7000000a 1a3 Foo\" 0a \"7000000a 1a3 \" 0d 0a"},
    {"perfmap", "the name of a perf map", 60, "", "perf-0123456789.map"},
    {"perfmap", "without a pid", 0, "", "perf-.map"},
    {"perfmap", "with a letter in it", 0, "", "perf-1a.map"},
    {"perfmap", "with something after it", 0, "", "perf-1.map.old"},
    {"perfmap", "with something in front", 0, "", "a-perf-1.map"},

    {"perfdata", "the little-endian magic", 100, "\"PERFILE2\""},
    {"perfdata", "the big-endian one", 100, "\"2ELIFREP\" 00*7 68"},
    {"perfdata", "that of version 1", 100, "\"PERFFILE\""},
    {"perfdata", "seven bytes of it", 0, "\"PERFILE\""},
    {"perfdata", "one bit of it is wrong", 0, "\"PERFILE3\""},

    {"jitdump", "a header of 40 bytes", 100, "44 54 69 4a | 01 00 00 00 | 28 00 00 00 | 3e 00 00 00 | 00*24"},
    {"jitdump", "in big-endian byte order", 100, "4a 69 54 44 | 00 00 00 01 | 00 00 00 28 | 00 00 00 3e | 00*24"},
    {"jitdump", "the newest version that makes sense", 100, "44 54 69 4a | 10 00 00 00 | 28 00 00 00 | 00*28"},
    {"jitdump", "a version above it", 90, "44 54 69 4a | 11 00 00 00 | 28 00 00 00 | 00*28"},
    {"jitdump", "a header of 39 bytes", 90, "44 54 69 4a | 01 00 00 00 | 27 00 00 00 | 00*28"},
    {"jitdump", "the longest header that makes sense", 100, "44 54 69 4a | 01 00 00 00 | 00 10 00 00 | 00*28"},
    {"jitdump", "one byte more", 90, "44 54 69 4a | 01 00 00 00 | 01 10 00 00 | 00*28"},
    {"jitdump", "39 bytes are there", 80, "44 54 69 4a | 01 00 00 00 | 28 00 00 00 | 00*27"},
    {"jitdump", "the magic word alone", 80, "44 54 69 4a"},
    {"jitdump", "three bytes of it", 0, "44 54 69"},
    {"jitdump", "one bit of it is wrong", 0, "44 54 69 4b | 01 00 00 00 | 28 00 00 00 | 00*28"},

    {"xray", "a profile's magic word", 100, "66 6f 72 70 79 61 72 78"},
    {"xray", "in big-endian byte order", 100, "78 72 61 79 70 72 6f 66"},
    {"xray", "seven bytes of it", 0, "66 6f 72 70 79 61 72"},
    {"xray", "one bit of it is wrong", 0, "66 6f 72 70 79 61 72 79"},
    {"xray", "four bytes of FDR, of the newest version", 80, "05 00 01 00"},
    {"xray", "of a version above it", 0, "06 00 01 00"},
    {"xray", "of version 0", 0, "00 00 01 00"},
    {"xray", "in big-endian byte order", 80, "00 05 00 01"},
    {"xray", "three bytes of FDR", 0, "05 00 01"},
    {"xray", "FDR without a frequency", 80, "05 00 01 00 00 00 00 00 | 00*8 | 00*16"},
    {"xray", "FDR with the least frequency that makes sense", 80, "05 00 01 00 00 00 00 00 | 40 42 0f 00 00 00 00 00 | 00*16"},
    {"xray", "FDR with a frequency below it", 0, "05 00 01 00 00 00 00 00 | 3f 42 0f 00 00 00 00 00 | 00*16"},
    {"xray", "FDR with the highest frequency that makes sense", 80, "05 00 01 00 00 00 00 00 | 00 e8 76 48 17 00 00 00 | 00*16"},
    {"xray", "FDR with a frequency above it", 0, "05 00 01 00 00 00 00 00 | 01 e8 76 48 17 00 00 00 | 00*16"},
    {"xray", "FDR without a frequency, and the extents of a buffer", 80, "05 00 01 00 00 00 00 00 | 00*8 | 00*16 | 0f"},
    {"xray", "FDR without a frequency, and the start of a buffer", 80, "01 00 01 00 00 00 00 00 | 00*8 | 00*16 | 01"},
    {"xray", "FDR without a frequency, big-endian, and the extents of a buffer", 80, "00 05 00 01 00 00 00 00 | 00*8 | 00*16 | 87"},
    {"xray", "FDR without a frequency, and another metadata record", 0, "05 00 01 00 00 00 00 00 | 00*8 | 00*16 | 03"},
    {"xray", "FDR without a frequency, and a zero", 0, "05 00 01 00 00 00 00 00 | 00*8 | 00*16 | 00"},
    {"xray", "a frequency of 1, and the extents of a buffer", 80, "05 00 01 00 00 00 00 00 | 01 00 00 00 00 00 00 00 | 00*16 | 0f"},
    {"xray", "a frequency of 1, and the start of a buffer", 80, "05 00 01 00 00 00 00 00 | 01 00 00 00 00 00 00 00 | 00*16 | 01"},
    {"xray", "a frequency of 1, and another metadata record", 0, "05 00 01 00 00 00 00 00 | 01 00 00 00 00 00 00 00 | 00*16 | 03"},
    {"xray", "a big-endian one, and the extents of a buffer", 80, "00 05 00 01 00 00 00 00 | 00 00 00 00 00 00 00 01 | 00*16 | 87"},
    {"xray", "FDR of version 6, the header alone", 0, "06 00 01 00 00 00 00 00 | 40 42 0f 00 00 00 00 00 | 00*16"},
    {"xray", "FDR of version 6, with extents and a buffer", 80, "06 00 01 00 00 00 00 00 | 40 42 0f 00 00 00 00 00 | 00*16 | 0f 00*15 | 01"},
    {"xray", "FDR of version 6, with extents and no buffer", 0, "06 00 01 00 00 00 00 00 | 40 42 0f 00 00 00 00 00 | 00*16 | 0f 00*15 | 03"},
    {"xray", "FDR of version 6, with extents at its end", 0, "06 00 01 00 00 00 00 00 | 40 42 0f 00 00 00 00 00 | 00*16 | 0f 00*15"},
    {"xray", "FDR of version 6, with a buffer and no extents", 0, "06 00 01 00 00 00 00 00 | 40 42 0f 00 00 00 00 00 | 00*16 | 01 00*15 | 01"},
    {"xray", "FDR of version 255, big-endian, whatever its frequency", 80, "00 ff 00 01 00 00 00 00 | 01 00*7 | 00*16 | 87 00*15 | 80"},
    {"xray", "FDR of version 256", 0, "00 01 01 00 00 00 00 00 | 00*8 | 00*16 | 0f 00*15 | 01"},
    {"xray", "type 2", 0, "01 00 02 00 00 00 00 00 | 40 42 0f 00 00 00 00 00 | 00*16"},
    {"xray", "a basic header alone", 70, "03 00 00 00 00 00 00 00 | 40 42 0f 00 00 00 00 00 | 00*16"},
    {"xray", "31 bytes of it", 0, "03 00 00 00 00 00 00 00 | 40 42 0f 00 00 00 00 00 | 00*15"},
    {"xray", "a basic header alone, without a frequency", 0, "03 00 00 00 00 00 00 00 | 00*8 | 00*16"},
    {"xray", "a basic header without a frequency, and an exit", 70, "03 00 00 00 00 00 00 00 | 00*8 | 00*16 | 00 00 02 01 | 01 00*3 | 01 00*7 | 00*16"},
    {"xray", "an entry with arguments, the last known action", 70, "03 00 00 00 00 00 00 00 | 00*8 | 00*16 | 00 00 02 03 | 01 00*3 | 01 00*7 | 00*16"},
    {"xray", "the first unknown action", 0, "03 00 00 00 00 00 00 00 | 00*8 | 00*16 | 00 00 02 04 | 01 00*3 | 01 00*7 | 00*16"},
    {"xray", "an argument", 70, "03 00 00 00 00 00 00 00 | 00*8 | 00*16 | 01 00 02 ff | 01 00*3 | 01 00*7 | 00*16"},
    {"xray", "an unknown type", 0, "03 00 00 00 00 00 00 00 | 00*8 | 00*16 | 02 00 02 01 | 01 00*3 | 01 00*7 | 00*16"},
    {"xray", "an unknown type, and a good record after it", 70, "03 00 00 00 00 00 00 00 | 00*8 | 00*16 | 02 00 02 01 | 00*28 | 00 00 02 01 | 01 00*3 | 01 00*7 | 00*16"},
    {"xray", "the record after it is cut", 0, "03 00 00 00 00 00 00 00 | 00*8 | 00*16 | 02 00 02 01 | 00*28 | 00 00 02 01 | 01 00*3 | 01 00*7 | 00*15"},
    {"xray", "no frequency, and a record of zeros", 0, "03 00 00 00 00 00 00 00 | 00*8 | 00*16 | 00*32"},
    {"xray", "no frequency, and a record without a function", 0, "03 00 00 00 00 00 00 00 | 00*8 | 00*16 | 00 00 02 01 | 00*4 | 01 00*7 | 00*16"},
    {"xray", "no frequency, and a record of a negative function", 0, "03 00 00 00 00 00 00 00 | 00*8 | 00*16 | 00 00 02 01 | ff*4 | 01 00*7 | 00*16"},
    {"xray", "no frequency, and a record without a time", 0, "03 00 00 00 00 00 00 00 | 00*8 | 00*16 | 00 00 02 01 | 01 00*3 | 00*8 | 01*16"},
    {"xray", "with a frequency, a record needs neither", 70, "03 00 00 00 00 00 00 00 | 40 42 0f 00 00 00 00 00 | 00*16 | 00*32"},
    {"xray", "a basic version above the known ones, with a frequency", 70, "04 00 00 00 00 00 00 00 | 40 42 0f 00 00 00 00 00 | 00*16 | 00 00 02 01 | 01 00*3 | 01 00*7 | 00*16"},
    {"xray", "a basic version above the known ones, without", 0, "04 00 00 00 00 00 00 00 | 00*8 | 00*16 | 00 00 02 01 | 01 00*3 | 01 00*7 | 00*16"},
    {"xray", "a basic version above the known ones, and a record without a time", 0, "04 00 00 00 00 00 00 00 | 40 42 0f 00 00 00 00 00 | 00*16 | 00 00 02 01 | 01 00*3 | 00*8 | 01*16"},
    {"xray", "the header of such a version alone", 0, "04 00 00 00 00 00 00 00 | 40 42 0f 00 00 00 00 00 | 00*16"},
    {"xray", "the last basic version that is recognised", 70, "05 00 00 00 00 00 00 00 | 40 42 0f 00 00 00 00 00 | 00*16 | 00 00 02 01 | 01 00*3 | 01 00*7 | 00*16"},
    {"xray", "a basic version above it", 0, "06 00 00 00 00 00 00 00 | 40 42 0f 00 00 00 00 00 | 00*16 | 00 00 02 01 | 01 00*3 | 01 00*7 | 00*16"},
    {"xray", "a frequency of 2^32 Hz; as 4-byte slots these are a profile's header with one bad slot", 70, "03 00 00 00 03 00 00 00 | 00 00 00 00 01 00 00 00 | 00*16 | 00 00 02 01 | 00*28"},
    {"xray", "a table of zeros after a length (unicode-ident, *.fst)", 0, "03 00 00 00 00 00 00 00 | 00*88"},
    {"xray", "a picture (Enhanced Metafile) with its origin at 0", 0, "01 00 00 00 6c 00 00 00 | 00*8 | 7f 02 00 00 df 01 00 00 | 00*8 | e3 41 00 00 6a 31 00 00 | \" EMF\" 00 00 01 00 | 34 02 00 00 0d 00 00 00 | 02 00 00 00 00*4 | 00*8 | 00 05 00 00 00 04 00 00 | a9 01 00 00 54 01 00 00 | 00*12 | 10 7d 06 00 20 30 05 00"},
    {"xray", "a firmware image; its words are version 16 and a frequency of 34 GHz", 0, "10 00 00 00 00 00 00 12 | 64 00 00 00 08 00 00 00 | 00*16 | 00 00 02 01 | 01 00*3 | 01 00*7 | 00*84"},
    {"xray", "a basic file of version 256, which is version 1 the other way round", 0, "00 01 00 00 00 00 00 00 | 40 42 0f 00 00 00 00 00 | 00*16"},
    {"xray", "a basic file of version 257, which is the same the other way round", 0, "01 01 00 00 00 00 00 00 | 40 42 0f 00 00 00 00 00 | 00*16"},
    {"xray", "four bytes of a basic header", 0, "03 00 00 00"},
    {"xray", "a frequency that makes no sense", 0, "03 00 00 00 00 00 00 00 | 01 00 00 00 00 00 00 00 | 00*16 | 00 00 02 01 | 00*28"},

    {"gperftools", "symbols around a profile", 100, "\"--- symbol\""},
    {"gperftools", "a word less", 0, "\"--- symbo\""},
    {"gperftools", "five good slots of 8 bytes", 100, "00*8 | 03 00*7 | 00*8 | 10 27 00*6 | 00*8"},
    {"gperftools", "in big-endian byte order", 100, "00*8 | 00*7 03 | 00*8 | 00*6 27 10 | 00*8"},
    {"gperftools", "five good slots of 4 bytes", 100, "00*4 | 03 00*3 | 00*4 | 10 27 00*2 | 00*4"},
    {"gperftools", "Java's version", 100, "00*4 | 03 00*3 | 01 00*3 | 10 27 00*2 | 00*4"},
    {"gperftools", "a version above it, and the end", 60, "00*4 | 03 00*3 | 02 00*3 | 10 27 00*2 | 00*4"},
    {"gperftools", "a version above it, and a record", 60, "00*4 | 03 00*3 | 02 00*3 | 10 27 00*2 | 00*4 | 05 00*3 | 01 00*3 | 44 33 22 11"},
    {"gperftools", "a version above it, and the trailer", 60, "00*4 | 03 00*3 | 02 00*3 | 10 27 00*2 | 00*4 | 00*4 | 01 00*3 | 00*4"},
    {"gperftools", "a version above it, and a record that is cut", 0, "00*4 | 03 00*3 | 02 00*3 | 10 27 00*2 | 00*4 | 05 00*3 | 01 00*3 | 44 33 22"},
    {"gperftools", "a version above it, and a record without PCs", 0, "00*4 | 03 00*3 | 02 00*3 | 10 27 00*2 | 00*4 | 05 00*3 | 00*4 | 44 33 22 11"},
    {"gperftools", "five good slots, and a record without PCs", 100, "00*4 | 03 00*3 | 00*4 | 10 27 00*2 | 00*4 | 05 00*3 | 00*4 | 44 33 22 11"},
    {"gperftools", "one slot more in the header, and a record after it", 60, "00*8 | 04 00*7 | 00*8 | 10 27 00*6 | 00*8 | ff*8 | 05 00*7 | 01 00*7 | 44 33 22 11 00*4"},
    {"gperftools", "an object file of Cray, in big-endian words of 32 bits", 0, "00 00 00 00 | 18 07 01 07 | 00 00 00 00 | 00 00 62 d7 | 00 00 00 00 | 00 00 27 2c | 00 00 00 00 | 00*36"},
    {"gperftools", "the longest period", 100, "00*4 | 03 00*3 | 00*4 | 00 ca 9a 3b | 00*4"},
    {"gperftools", "a period above it", 60, "00*4 | 03 00*3 | 00*4 | 01 ca 9a 3b | 00*4"},
    {"gperftools", "period 1", 100, "00*4 | 03 00*3 | 00*4 | 01 00*3 | 00*4"},
    {"gperftools", "period 0", 60, "00*4 | 03 00*3 | 00*4 | 00*4 | 00*4"},
    {"gperftools", "two bad slots", 0, "00*4 | 03 00*3 | 02 00*3 | 00*4 | 00*4"},
    {"gperftools", "zeros", 0, "00*80"},
    {"gperftools", "39 bytes of a header of 8-byte slots", 60, "00*8 | 03 00*7 | 00*8 | 10 27 00*6 | 00*7"},
    {"gperftools", "nine bytes of it", 60, "00*8 | 03"},
    {"gperftools", "eight bytes of it", 0, "00*8"},
    {"gperftools", "five bytes of 4-byte slots", 60, "00*4 | 03"},
    {"gperftools", "two big-endian slots of 4 bytes", 60, "00*4 | 00*3 03"},
    {"gperftools", "a byte less", 0, "00*4 | 00*3"},
    {"gperftools", "two big-endian slots of 8 bytes", 60, "00*8 | 00*7 03"},
    {"gperftools", "another number in a header that is cut", 0, "00*8 | 04"},
    {"gperftools", "another version in a header that is cut", 0, "00*8 | 03 00*7 | 02 00*7"},
    {"gperftools", "Java's version in a header that is cut", 60, "00*8 | 03 00*7 | 01 00*7"},
    {"gperftools", "no byte at all", 0, "", "a.dump"},
    {"gperftools", "no byte, but the name of a profile", 40, "", "cpu.prof"},
    {"gperftools", "a numbered name", 40, "", "cpu.prof.12"},
    {"gperftools", "the other way of numbers", 40, "", "cpu.prof_0"},
    {"gperftools", "digits without a point", 0, "", "cpu.prof12"},
    {"gperftools", "a name of digits", 0, "", "123"},
    {"gperftools", "a point, but no digits", 0, "", "cpu.prof."},

    {"mlpd", "a header of the newest version", 100, "01 5a 50 4d | 03 00 | 11 08"},
    {"mlpd", "of the oldest, with 4-byte pointers", 100, "01 5a 50 4d | 00 04 | 01 04"},
    {"mlpd", "a version above the newest", 80, "01 5a 50 4d | 03 00 | 12 08"},
    {"mlpd", "version 0", 80, "01 5a 50 4d | 03 00 | 00 08"},
    {"mlpd", "pointers of 3 bytes", 80, "01 5a 50 4d | 03 00 | 11 03"},
    {"mlpd", "pointers of 9 bytes", 80, "01 5a 50 4d | 03 00 | 11 09"},
    {"mlpd", "seven bytes", 80, "01 5a 50 4d | 03 00 | 11"},
    {"mlpd", "the magic word alone", 80, "01 5a 50 4d"},
    {"mlpd", "three bytes of it", 0, "01 5a 50"},
    {"mlpd", "one bit of it is wrong", 0, "00 5a 50 4d | 03 00 | 11 08"},
    {"mlpd", "the other byte order", 0, "4d 50 5a 01 | 00 03 | 11 08"},

    {"pprof", "three kinds: a type, a sample and a location", 30, "0a 04 08 01 10 02 | 12 05 08 01 12 01 01 | 22 04 08 01 18 01"},
    {"pprof", "two kinds", 0, "0a 04 08 01 10 02 | 0a 04 08 01 10 02 | 12 05 08 01 12 01 01"},
    {"pprof", "two kinds, and the first string", 30, "0a 04 08 01 10 02 | 12 05 08 01 12 01 01 | 32 00"},
    {"pprof", "one kind, and the first string", 30, "0a 04 08 01 10 02 | 32 00"},
    {"pprof", "a first string that is not empty", 0, "0a 04 08 01 10 02 | 32 01 61"},
    {"pprof", "three points", 0, "12 05 08 01 12 01 01 | 22 04 08 01 18 01 | 2a 02 08 01"},
    {"pprof", "an unknown field costs two", 0, "0a 04 08 01 10 02 | 32 00 | 80 01 00"},
    {"pprof", "many cost four", 30, "0a 04 08 01 10 02 | 0a 04 08 01 10 02 | 12 05 08 01 12 01 01 | 22 04 08 01 18 01 | 32 00 | 80 01 00 | 80 01 00 | 80 01 00 | 80 01 00"},
    {"pprof", "a wrong wire type costs two", 0, "0a 04 08 01 10 02 | 32 00 | 48 00 | 4a 00"},
    {"pprof", "a message with a fault costs two", 0, "0a 04 08 01 10 02 | 32 00 | 22 02 08 80"},
    {"pprof", "a message with an unknown field does not count", 0, "0a 04 08 01 10 02 | 32 01 61 | 12 05 08 01 12 01 01 | 22 07 08 01 18 01 80 01 00"},
    {"pprof", "the largest index of a type", 30, "0a 08 08 ff ff ff ff 07 10 02 | 32 00"},
    {"pprof", "an index above it", 0, "0a 08 08 80 80 80 80 08 10 02 | 32 00"},
    {"pprof", "a location without an id", 0, "0a 04 08 01 10 02 | 12 05 08 01 12 01 01 | 22 02 18 01"},
    {"pprof", "a sample without a value", 0, "0a 04 08 01 10 02 | 12 02 08 01 | 22 04 08 01 18 01"},
    {"pprof", "eight samples, one of three locations", 30, "0a 04 08 01 10 02 | 12 08 0a 03 01 02 03 12 01 01 | 12 05 08 01 12 01 01 | 12 05 08 01 12 01 01 | 12 05 08 01 12 01 01 | 12 05 08 01 12 01 01 | 12 05 08 01 12 01 01 | 12 05 08 01 12 01 01 | 12 05 08 01 12 01 01"},
    {"pprof", "seven of them", 0, "0a 04 08 01 10 02 | 12 08 0a 03 01 02 03 12 01 01 | 12 05 08 01 12 01 01 | 12 05 08 01 12 01 01 | 12 05 08 01 12 01 01 | 12 05 08 01 12 01 01 | 12 05 08 01 12 01 01 | 12 05 08 01 12 01 01"},
    {"pprof", "eight samples of two locations", 0, "0a 04 08 01 10 02 | 12 05 08 01 12 01 01 | 12 05 08 01 12 01 01 | 12 05 08 01 12 01 01 | 12 05 08 01 12 01 01 | 12 05 08 01 12 01 01 | 12 05 08 01 12 01 01 | 12 05 08 01 12 01 01 | 12 05 08 01 12 01 01"},
    {"pprof", "eight samples, one of two values", 0, "0a 04 08 01 10 02 | 12 08 0a 03 01 02 03 12 01 01 | 12 05 08 01 12 01 01 | 12 05 08 01 12 01 01 | 12 05 08 01 12 01 01 | 12 05 08 01 12 01 01 | 12 05 08 01 12 01 01 | 12 05 08 01 12 01 01 | 12 06 08 01 12 02 01 01"},
    {"pprof", "text", 0, "\"Hello, world\" 0a"},
    {"pprof", "the text of go tool preprofile", 0, "\"GO PREPROFILE V1\" 0a \"main.main\" 0a"},
    {"pprof", "no byte, but the name of a profile", 30, "", "a.pb.gz"},
    {"pprof", "another of its names", 30, "", "cpu.pprof"},
    {"pprof", "a name that goes on", 0, "", "a.pb.txt"},
};
// clang-format on

}  // namespace

TEST_CASE("each format is as sure of a file as its specification has it") {
    GuardedPage page;
    for (const Recognised& row : kRecognised) {
        Errors errors;
        const std::string bytes = read_hex(row.hex, "kRecognised", errors).bytes;
        CAPTURE(row.format);
        CAPTURE(row.what);
        REQUIRE(errors.empty());
        REQUIRE(bytes.size() <= page.size());
        uint8_t* const place = page.last(bytes.size());
        std::copy(bytes.begin(), bytes.end(), place);
        const Opening opening{Bytes(place, bytes.size()), row.file_name};
        const Format* format = find_format(row.format);
        CHECK(format->recognise(opening) == row.sure);
        // No other format is as sure, or sure at all.
        CHECK(recognise(formats(), opening) == (row.sure == 0 ? nullptr : format));
    }
}

}  // namespace tracelint
