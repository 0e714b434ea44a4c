// Which texts are perf maps, whatever their names: maps in the manner of each producer, and texts of others that have
// lines alike.
#include <doctest/doctest.h>

#include "validator/recognise.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

struct Text {
    std::string_view what, text;
};

constexpr Text kMaps[] = {
    {"V8", "3f2c81a04d2e 5 Eval:~ file:///srv/app.mjs:1:1\n3f2c81a04e4e 5c JS:~run file:///srv/app.mjs:10:4\n"},
    {"V8, built-in code at low addresses", "2b40000 300 Builtin:RecordWrite\n2b40340 30a Builtin:Adapter\n"},
    {"V8, interpreted frames",
     "7f31a0002a40 44 Function:*total /srv/sum.js:3:9\n7f31a0002b00 80 BytecodeHandler:Ldar\n"},
    {"perf-map-agent", "7fb1d10009a0 140 Interpreter\n7fb1d1021d20 2a0 Ljava/lang/String;::hashCode\n"},
    {"OpenJDK",
     "0x00007f5c2c4e71c0 0x0000000000000270 int App.fib(int)\n"
     "0x00007f5c2c4e7640 0x0000000000000130 A App.get()\n"},
    {".NET",
     "00007F32C10A5E80 18 stub<1> AllocateTemporaryEntryPoints\n"
     "00007F32C10B0040 77 int32 [App] App.Program::Fib(int32)[Tier0]\n"},
    {"Erlang", "0x7fdd9f819000 68 $global::apply_shared\n0x7fdd9f819068 90 lists:map/2\n"},
    {"PHP", "558602000000 8b JIT$$handler\n558602000090 8 JIT$$undef\n5586020000a0 24 TRACE-1$fib$3\n"},
    {"CPython",
     "7f9e0b7a3000 b py::<module>:/srv/a.py\n7f9e0b7a3010 b py::main:/srv/a.py\n7f9e0b7a3020 b py::f1:/srv/a.py\n"
     "7f9e0b7a3030 b py::f2:/srv/a.py\n7f9e0b7a3040 b py::f3:/srv/a.py\n7f9e0b7a3050 b py::f4:/srv/a.py\n"
     "7f9e0b7a3060 b py::f5:/srv/a.py\n7f9e0b7a3070 b py::f6:/srv/a.py\n"},
    {"Ruby", "5581c9d6e000 9d Object#fib@app.rb:1 (entry 0)\n5581c9d6e09d c1 Integer#times@<internal:numeric>:237\n"},
    {"Mono", "41ff2000 db breakpoint_trampoline\n41ff2200 257 App:Main (string[])\n"},
    {"LuaJIT", "5567f0a1ff40 c4 TRACE_1::app.lua:12\n"},
    {"wasmtime", "7f0f3c2e9000 1f3 wasm[0]::function[4]::fib\n7f0f3c2e9200 84 wasm[0]::function[5]\n"},
    {"Julia", "7f1a2b3c4000 2d0 julia_fib_119\n7f1a2b3c42d0 70 jfptr_fib_120\n"},
    {"names that are not ASCII", "7f31a0002a40 44 \xd1\x81\xd1\x83\xd0\xbc\xd0\xbc\xd0\xb0\n"},
    {"a function of size 0", "7f31a0002a40 44 main\n7f31a0002b00 0 stub\n"},
    {"an address in place of the size", "7f31a0002a40 44 main\n7f31a0002b00 7f31a0002b40 next\n"},
    {"a name of one byte", "7f31a0002a40 44 main\n7f31a0002b00 40 f\n"},
    {"a last line that is cut", "7f31a0002a40 44 main\n7f31a0"},
    {"lines with CR LF", "7f31a0002a40 44 main\r\n7f31a0002b00 40 next\r\n"},
};

// All of them are written by programs, or by people, who know nothing of perf.
constexpr Text kOthers[] = {
    {"nm", "0000000000001060 T _start\n0000000000001149 T main\n"},
    {"nm, data of kinds that are hexadecimal digits", "0000000000004010 B __bss_start\n0000000000004000 D data\n"},
    {"nm -S", "0000000000001060 0000000000000026 T _start\n0000000000001149 000000000000001a T main\n"},
    {"nm -S, of 32 bits", "080490c0 0000002a T main\n0804a020 00000004 D count\n"},
    {"nm -S, some symbols without a size", "000000000000401a B __bss_start\n000000000000402a 0000000000000008 B out\n"},
    {"nm -S, demangled",
     "00000000000012a0 000000000000001f W std::max(int)\n00000000000012c0 000000000000001f W f(A b)\n"},
    {"System.map", "0000000000000000 D __per_cpu_start\n000000000001a000 D gdt_page\nffffffff81000000 T _text\n"},
    {"/proc/kallsyms", "0000000000000000 A fixed_percpu_data\n000000000000a000 A cpu_tss\n"},
    {"/proc/kallsyms of a user", "0000000000000000 A fixed_percpu_data\n0000000000000000 A gdt_page\n"},
    {"/proc/PID/maps", "55d0a1c00000-55d0a1c02000 r--p 00000000 fe:01 1234 /usr/bin/cat\n"},
    {"/proc/PID/statm", "1557 489 405 11 0 110 0\n"},
    {"/proc/PID/stat", "4711 (cat) R 4700 4711 4700 34816 4711 4194304 101 0\n"},
    {"/proc/iomem", "00001000-0009fbff : System RAM\n"},
    {"/proc/interrupts", "           CPU0       CPU1\n  0:         35          0   IO-APIC   2-edge\n"},
    {"/proc/net/unix", "ffff8a3c4d5e6000: 00000002 00000000 00010000 0001 01 21345 /run/a.sock\n"},
    {"cpu.max of a cgroup", "300000 100000\n"},
    {"cpu.max and a burst", "300000 100000 500\n"},
    {"cksum", "2871456902 75 letter.txt\n3344556677 1820 other.txt\n"},
    {"sum", "12345 10 letter.txt\n"},
    {"md5sum", "d41d8cd98f00b204e9800998ecf8427e  empty\n"},
    {"sha1sum", "da39a3ee5e6b4b0d3255bfef95601890afd80709  empty\n"},
    {"CRC-32, size and name of many files",
     "1c291ca3 1820 a.txt\n9b3f70e1 75 b.txt\n40d06116 412 c.txt\nf2b5ee7a 9001 d.txt\n7710acf2 33 e.txt\n"
     "c8a9f001 120 f.txt\n2e80bd47 64 g.txt\n68e3f2d9 7 h.txt\n"},
    {"a contest's input", "100000 200000 7\n1 2 3\n4 5 6\n"},
    {"a METIS graph", "4096 8192 11\n1 2 5 3 1\n"},
    {"PLINK .fam", "1001 1002 0 0 1 -9\n1001 1003 0 0 2 1\n"},
    {"PLINK .fam with families of letters", "a101 b202 0 0 1 NA\n"},
    {"a weighted edge list", "1001 1002 0.5\n1003 1002 0.25\n"},
    {"an edge list with labels", "1001 1002 knows\n1003 1002 likes\n"},
    {"edges between numbers in hexadecimal", "c3d4 a1b2 knows\na1b2 c3d4 likes\n"},
    {"year, month, day", "2024 10 15 12.5 cloudy\n2024 10 16 13.0 clear\n"},
    {"seconds and a size", "1732800000 1024 GET /index.html\n1732800001 512 GET /a.css\n"},
    {"a log of numbers", "2048 1048576 8 LOG - -\n2048 2097152 8 LOG - -\n"},
    {"git log --oneline", "4f2c1a9 Add a reader\n1b2c3d4 Fix the writer\n"},
    {"git log --oneline of words that are hexadecimal", "4f2c1a9 add a reader\n1b2c3d4 add tests\n"},
    {"git log --oneline of many",
     "4f2c1a9 add a reader\n1b2c3d4 add tests\n9f8e7d6 add a case\n0c1d2e3 add rules\n7a6b5c4 add a limit\n"
     "d4c3b2a add a row\nb5a6978 add text\n2e1f0d9 add links\n"},
    {"nm of many data",
     "000000000000401a B a_start\n000000000000402a D a_table\n000000000000403a D b_table\n000000000000404a B b_start\n"
     "000000000000405a D c_table\n000000000000406a B c_start\n000000000000407a D d_table\n000000000000408a B "
     "d_start\n"},
    {"git log --format='%h %ct %s'", "4f2c1a9 1732800000 Say why\n1b2c3d4 1732700000 Fix the writer\n"},
    {"git log --format='%h %p %s'", "4f2c1a9 1b2c3d4 Say why\n1b2c3d4 0a9b8c7 Fix the writer\n"},
    {"git ls-tree", "100644 blob 8ab686eafeb1f44702738c8b0f24f2567c36da6d\tREADME\n"},
    {"prose that begins with words of digits", "Added a README and more\n"},
    {"prose of two such lines", "Added a README and more\nFaded a bit\n"},
    {"a commit message", "Added a README and more\n\nsecond line\n"},
    {"ranges of characters", "1F600 1F64F Emoticons\n1F680 1F6FF Transport and Map Symbols\n"},
    {"a table of characters",
     "81a1 25a0 BLACK SQUARE\n81a2 25b3 WHITE UP-POINTING TRIANGLE\n81a3 25b2 BLACK UP-POINTING TRIANGLE\n"
     "81a4 25bd WHITE DOWN-POINTING TRIANGLE\n81a5 25bc BLACK DOWN-POINTING TRIANGLE\n81a6 203b REFERENCE MARK\n"
     "81a7 3012 POSTAL MARK\n81a8 2192 RIGHTWARDS ARROW\n"},
    {"od -x", "0000000 457f 464c 0102 0001 0000 0000 0000 0000\n"},
    {"a part of od -A x -x", "0a1000 457f 464c 0102 0001\n0a1010 0003 003e 0001 0000\n"},
    {"hexdump -C", "0000a000  7f 45 4c 46 02 01 01 00  |.ELF....|\n"},
    {"xxd", "0000a000: 7f45 4c46 0201 0100  .ELF....\n"},
    {"objdump -d", "  40112a:\t55                   \tpush   %rbp\n"},
    {"objdump -t", "000000000000a010 l    d  .interp 0000000000000000 .interp\n"},
    {"readelf -s", "     1: 000000000000a149    26 FUNC    GLOBAL DEFAULT   14 main\n"},
    {"a map of GNU ld", "                0x000000000000a149       0x1a main.o\n"},
    {"a map of Apple's ld", "0x100003F50\t0x0000001A\t[  1] _main\n"},
    {"symbols of Breakpad", "FUNC a149 1a 0 main\na149 4 3 1\n"},
    {"symbols of Breakpad, lines alone", "a149 4 3 1\na14d 9 4 1\n"},
    {"collapsed stacks", "main;run 12\n"},
    {"a map, but one line", "7f31a0002a40 44 main\ntotal 1\n"},
    {"a map, but one blank line", "7f31a0002a40 44 main\n\n7f31a0002b00 40 next\n"},
    {"a text without a line end", "7f31a0002a40 44 main"},
};

std::string_view recognised_as(std::string_view text, std::string_view path) {
    const Format* format = recognise(formats(), opening_of(as_bytes(text), path));
    return format == nullptr ? "none" : format->id;
}

}  // namespace

TEST_CASE("a map of any producer is a perf map, whatever its name") {
    for (const Text& row : kMaps) {
        CAPTURE(row.what);
        CHECK(recognised_as(row.text, "out/jit.map") == "perfmap");
        CHECK(recognised_as(row.text, "") == "perfmap");
    }
}

TEST_CASE("other texts are perf maps only by their name") {
    for (const Text& row : kOthers) {
        CAPTURE(row.what);
        CHECK(recognised_as(row.text, "notes.txt") == "none");
        CHECK(recognised_as(row.text, "/tmp/perf-4711.map") == "perfmap");
    }
}

}  // namespace tracelint
