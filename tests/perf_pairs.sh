#!/usr/bin/env bash
# Breaks one thing at a time between a recording of perf and the dump of a small runtime, and compares what perf inject
# and perf report make of the two with what tracelint says. Then checks that pairs of real runtimes are healthy.
# Usage: perf_pairs.sh TRACELINT SOURCE
#   SOURCE  the root of the sources
# Prints a table. Exits with 77 where perf may not record, or is not the version that was measured.
set -euo pipefail
tracelint=$(readlink -f "$1")
writer=$(readlink -f "$2")/scripts/record-corpus.d/siblings/writer.c
script=$(readlink -f "$2")/scripts/record-corpus.d/jitdump/app.js

skip() {
    echo "skipped: $*"
    exit 77
}
[[ $(uname -sm) == 'Linux x86_64' ]] || skip "the small runtime is for Linux on x86-64"
command -v perf >/dev/null || skip "there is no perf"
[[ $(perf --version) == 'perf version 6.1.'* ]] || skip "measured with perf 6.1, not $(perf --version)"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export HOME=$work  # perf inject copies images to ~/.debug
perf record -e cpu-clock:u -o probe true >probe.log 2>&1 || skip "perf may not record here"
cc -O1 -o writer "$writer"

failures=0
wrong() {
    echo "  wrong: $*"
    failures=$((failures + 1))
}

# What perf makes of recorded.data, in $verdict: the status of perf inject if it fails, else whether perf report names
# most of the samples, some or none.
ask_perf() {
    local status=0 named all
    timeout 60 perf inject -j -i recorded.data -o injected.data >inject.log 2>&1 || status=$?
    if ((status != 0)); then
        verdict=$status
        return
    fi
    all=$({ timeout 60 perf script -i injected.data -F ip 2>script.log || true; } | wc -l)
    named=$({ timeout 60 perf script -i injected.data -F ip,sym 2>script.log || true; } | grep -c 'function[0-7]$') || true
    if ((all == 0)); then
        verdict=unreadable
    elif ((10 * named > 9 * all)); then
        verdict=named
    else
        verdict=$( ((named > 0)) && echo "some" || echo "none")
    fi
}

# row WHAT FAULT PERF RULE OPTION...: the verdict of perf, or several with slashes between them, and the rule of
# tracelint that are expected; "-": no error and no warning. An OPTION of perf record, but for "pipe", "container" and
# "inside".
row() {
    local what=$1 fault=$2 expected=$3 rule=$4 output=(-o recorded.data) command=(./writer "$2") verdict= found= status=0
    local inside=()
    shift 4
    [[ ${1:-} != inside ]] || { shift; inside=(unshare --pid --fork --mount-proc); }
    rm -rf recorded.data injected.data ./*.dump ./jitted-* .debug
    [[ ${1:-} != container ]] || { shift; command=(unshare --pid --fork ./writer "$fault"); }
    if [[ ${1:-} == pipe ]]; then
        shift
        perf record -e cpu-clock:u -F 499 "$@" -o - "${command[@]}" >recorded.data 2>record.log
    else
        "${inside[@]}" perf record -e cpu-clock:u -F 499 "$@" "${output[@]}" "${command[@]}" >record.log 2>&1
    fi
    "$tracelint" --no-config --notes --output concise --with recorded.data ./*.dump >found.txt || status=$?
    ((status < 2)) || wrong "tracelint ended with $status"
    found=$(grep -oE '(error|warning): .*\[siblings/[a-z-]+\]$' found.txt |
        sed -E 's/^(error|warning): .*\[siblings\/(.*)\]$/\1 \2/' | sort -u | paste -sd ';') || true
    ask_perf
    printf '%-28s  %-10s  %s\n' "$what" "$verdict" "${found:--}"
    [[ /$expected/ == *"/$verdict/"* ]] || wrong "perf was measured to say $expected"
    [[ ";$found;" == *"$rule;"* || $rule == note\ * || ($rule == - && -z $found) ]] || wrong "expected $rule"
    [[ $rule != note\ * ]] || grep -q "note: .*\[siblings/${rule#note }\]" found.txt || wrong "expected $rule"
    [[ $rule != note\ * || -z $found ]] || wrong "expected notes alone"
}

printf '%-28s  %-10s  %s\n' break perf tracelint
row "nothing" "" named - -k mono
row "the clock of the kernel" "" 255 "error clock-not-monotonic"
row "-k raw" "" 255 "error clock-not-monotonic" -k raw
row "-k realtime" "" 255 "error clock-not-monotonic" -k realtime
row "ARCH_TIMESTAMP set" arch-timestamp 255 "error arch-timestamp-without-time-conv" -k mono
row "no times in samples" "" named/some "warning no-time-in-records" -k mono --no-timestamp
row "dump not mapped" no-marker none "error no-marker-mmap" -k mono
row "dump mapped with PROT_READ" marker-not-executable none "error no-marker-mmap" -k mono
row "the same, with -d" marker-not-executable named "warning marker-not-executable" -k mono -d
row "dump with another name" renamed none "error marker-name" -k mono
row "pid of the header" header-pid named "warning header-pid" -k mono
row "pid of the functions" load-pid none "error pid-unknown" -k mono
row "wall clock in the dump" wall-clock none "error no-common-time" -k mono
row "stamped after they ran" late none "error loads-late" -k mono
row "dump cut after two" cut some "warning samples-in-no-code" -k mono
row "file mapped over the code" file-over-code none "error code-covered-by-later-mmap" -k mono
row "anonymous memory over it" anonymous-over-code named "note code-covered-by-anonymous-mmap" -k mono
row "compressed recording" "" none "warning compressed-not-injected" -k mono -z
row "recording of a pipe" "" unreadable "note pipe-not-injected" pipe -k mono
if ((EUID == 0)); then
    row "container" "" none "error marker-pid" container -k mono
    row "container, and perf in it" "" named - inside -k mono
fi
# perf script has a line for each entry of a chain.
row "call graph of dwarf" "" some "warning no-unwinding" -k mono --call-graph dwarf,1024
row "three events" "" named - -k mono -e task-clock:u -e dummy:u
row "a group of events" "" named - -k mono -e '{cpu-clock:u,task-clock:u}:S'
# How many samples are in functions depends on what else runs.
row "all processes" "" named/some - -k mono -a
row "build ids in mappings" "" named - -k mono --buildid-mmap

# healthy NAME COMMAND...: a pair of a real runtime, whose dump is in this folder or where the recording says.
healthy() {
    local name=$1 dump status=0
    shift
    rm -rf recorded.data ./*.dump
    perf record -k mono -e cpu-clock:u -F 499 -o recorded.data "$@" >record.log 2>&1 || {
        wrong "$name cannot be recorded: $(tail -n 1 record.log)"
        return
    }
    dump=$(grep -aoE '/[ -~]*/jit-[0-9]+\.dump' recorded.data | head -n 1) || true
    if [[ ! -e $dump ]]; then
        printf '%-28s  no dump\n' "$name"
        return
    fi
    mv "$dump" . 2>/dev/null || true
    "$tracelint" --no-config --select siblings/ --min-severity warning --output concise --with recorded.data ./jit-*.dump \
        >found.txt || status=$?
    printf '%-28s  %s\n' "$name" "$(grep -c . found.txt || true) errors and warnings"
    ((status == 0)) && [[ ! -s found.txt ]] || wrong "$(head -n 3 found.txt)"
}

# options NAME RULE OPTION...: the same with options of perf record. RULE: the one that is expected; "-": none.
options() {
    local name=$1 rule=$2 dump found
    shift 2
    rm -rf recorded.data injected.data ./*.dump
    perf record -k mono -e cpu-clock:u -F 499 -o recorded.data "$@" ./writer "" >record.log 2>&1
    perf inject -j -i recorded.data -o injected.data >inject.log 2>&1
    dump=$(ls ./jit-*.dump)
    "$tracelint" --no-config --select siblings/ --min-severity warning --output concise --with injected.data "$dump" \
        >found.txt || wrong "$name: tracelint ended with $?"
    found=$(grep -oE '\[siblings/[a-z-]+\]$' found.txt | sort -u | paste -sd ';') || true
    printf '%-28s  %s\n' "$name" "${found:--}"
    [[ ${found:--} == "$rule" ]] || wrong "$(head -n 3 found.txt)"
}

echo
options "injected" -
options "injected, dwarf" "[siblings/no-unwinding]" --call-graph dwarf,1024
options "injected, three events" - -e task-clock:u -e dummy:u
if command -v lli-19 >/dev/null; then healthy "LLVM 19" lli-19 -jit-kind=mcjit "${script%/*}/x.ll"; fi
if [[ $(node --version 2>/dev/null) == v20.* ]]; then
    # By path, the warnings of jitdump/ about its names are V8's (grammars/jitdump/spec.md, 3.5.1).
    healthy "Node 20" node --perf-prof "$script"
    healthy "Node 20, interpreted frames" node --perf-prof --interpreted-frames-native-stack "$script"
fi
if command -v php8.2 >/dev/null; then
    healthy "PHP 8.2" php8.2 -d opcache.enable_cli=1 -d opcache.jit_buffer_size=32M -d opcache.jit_debug=0x20 \
        -d opcache.jit=function -r 'function f($n) { return $n < 2 ? $n : f($n - 1) + f($n - 2); } f(27);'
fi
if command -v erl >/dev/null; then
    healthy "Erlang" erl +JPperf dump -noshell -eval 'lists:foldl(fun(X, S) -> X * S rem 7 end, 1, lists:seq(1, 3000000)), halt().'
fi
((failures == 0))
