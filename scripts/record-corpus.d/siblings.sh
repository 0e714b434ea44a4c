# Recordings of perf with the dumps and perf maps that the recorded processes wrote, a folder for each run. They need
# root, and a kernel that lets perf record; no hardware counters. Sourced by scripts/record-corpus.
# shellcheck shell=bash disable=SC2034,SC2154

producers=(
    c-writer c-writer-pipe c-writer-compressed c-writer-untimed c-writer-injected c-writer-dwarf c-writer-events
    c-writer-group php-8.2 mono-6.8 node-20 node-20-map lli-19
)

# summarise FILE: what it is.
summarise() {
    case "$(head -c 4 "$1" | tr -d '\0')" in
        PERF) echo "recording" ;;
        DTiJ) echo "dump" ;;
        *) echo "map of $(wc -l <"$1") lines" ;;
    esac
}

# start: skips where perf may not record.
start() {
    need linux-perf
    ((EUID == 0)) || skip "needs root"
    program siblings/neutral.sh
    (cd "$work" && perf record -e cpu-clock:u -o probe true >probe.log 2>&1) || skip "perf may not record here"
    rm "$work/probe"
}

# The command runs where it has process id 4 or so, in every recording.
neutral() { run unshare --uts --mount --pid --fork --mount-proc sh neutral.sh "$@"; }

# keep_run FOLDER: keeps the recording, and what belongs to it, in a folder.
keep_run() {
    local release=$(uname -r) path
    RELEASE=$release perl -pi -e '
        BEGIN { $release = $ENV{RELEASE}; ($short = $release) =~ s/-.*//; $short .= "\0" x (length($release) - length $short) }
        s/\Q$release\E/$short/g' "$work/perf.data"
    ! grep -qaF -e "$(hostname)/" "$work/perf.data" || fail "$1 names this machine"
    mkdir -p "$into/$1"
    rm -f "$into/$1"/*
    for path in "$work"/perf.data "$work"/jit-*.dump "$work"/perf-*.map; do
        [[ ! -e $path ]] || keep "$path" "$1/${path##*/}"
    done
}

# ---- a small runtime ---------------------------------------------------------

# with_writer OPTION...: perf record of siblings/writer.c.
with_writer() {
    start
    need gcc
    program siblings/writer.c
    run gcc -O1 -o writer writer.c
    neutral perf record -k mono -e cpu-clock:u -F 299 "$@" ./writer
}

record_c_writer() {
    with_writer -o perf.data
    keep_run c-writer
}

record_c_writer_compressed() {
    with_writer -z -o perf.data
    keep_run c-writer-compressed
}

record_c_writer_untimed() {
    with_writer --no-timestamp -o perf.data
    keep_run c-writer-untimed
}

record_c_writer_injected() {
    with_writer -o recorded.data
    neutral perf inject -j -i recorded.data -o perf.data
    keep_run c-writer-injected
}

# Call chains are made of copies of the stack, and data mappings are recorded as well.
record_c_writer_dwarf() {
    with_writer -F 99 --call-graph dwarf,256 -o perf.data
    keep_run c-writer-dwarf
}

record_c_writer_events() {
    with_writer -F 99 -e task-clock:u -e dummy:u -o perf.data
    keep_run c-writer-events
}

# One event is sampled, and reads the other.
record_c_writer_group() {
    with_writer -F 99 -e '{cpu-clock:u,task-clock:u}:S' -o perf.data
    keep_run c-writer-group
}

# What goes to standard output is a stream.
record_c_writer_pipe() {
    start
    need gcc
    program siblings/writer.c
    run gcc -O1 -o writer writer.c
    neutral sh -c 'exec perf record -k mono -e cpu-clock:u -F 299 -o - ./writer >perf.data 2>perf.log'
    keep_run c-writer-pipe
}

# ---- real ones ---------------------------------------------------------------

record_php_8_2() {
    start
    need php8.2-cli php8.2-opcache
    program jitdump/t.php
    neutral perf record -k mono -e cpu-clock:u -F 299 -o perf.data \
        php8.2 -n -d zend_extension=opcache -d opcache.enable_cli=1 -d opcache.huge_code_pages=0 \
        -d opcache.jit_buffer_size=32M -d opcache.jit_debug=0x30 -d opcache.file_update_protection=0 \
        -d opcache.jit=function t.php
    keep_run php-8.2
}

record_mono_6_8() {
    start
    need mono-runtime mono-mcs
    program mlpd/Hello.cs
    run mcs -out:Hello.exe Hello.cs
    neutral perf record -k mono -e cpu-clock:u -F 299 -o perf.data mono --jitmap Hello.exe
    keep_run mono-6.8
}

# MCJIT: the default engine of lli writes no dump.
record_lli_19() {
    start
    need llvm-19-runtime
    program jitdump/x.ll
    # shellcheck disable=SC2016
    neutral sh -c 'JITDUMPDIR=/tmp perf record -k mono -e cpu-clock:u -F 5000 -o perf.data lli-19 -jit-kind=mcjit x.ll &&
        find /tmp/.debug -name "jit-*.dump" -exec mv {} . \;'
    keep_run lli-19
}

# with_node OPTION...: a program that is compiled while it runs.
with_node() {
    start
    [[ $(node --version 2>/dev/null) == v20.* ]] || skip "needs Node 20"
    program jitdump/app.js
    neutral sh -c 'exec perf record -k mono -e cpu-clock:u -F 299 -o perf.data node "$@" - <app.js' sh "$@"
}

# The second option keeps the dump small.
record_node_20() {
    with_node --perf-prof --perf-basic-prof-only-functions
    keep_run node-20
}

record_node_20_map() {
    with_node --perf-basic-prof-only-functions
    keep_run node-20-map
}
