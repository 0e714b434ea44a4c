# Recordings of perf with the dumps and perf maps that the recorded processes wrote, a folder for each run. They need
# root, and a kernel that lets perf record; no hardware counters. Sourced by scripts/record-corpus.
# shellcheck shell=bash disable=SC2034,SC2154

# shellcheck source=scripts/record-corpus.d/shared.bash
source "$formats_dir/shared.bash"

producers=(
    c-writer c-writer-pipe c-writer-compressed c-writer-untimed c-writer-injected c-writer-dwarf c-writer-events
    c-writer-group c-writer-system php-8.2 php-8.2-code mono-6.8 erlang-25-map java-17 node-20 node-20-map lli-19
)

# summarise FILE: what it is.
summarise() {
    case "$(gzip -cdf "$1" | head -c 4 | tr -d '\0')" in
        PERF) echo "recording" ;;
        DTiJ) echo "dump" ;;
        *) echo "map of $(gzip -cdf "$1" | wc -l) lines" ;;
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
    ! grep -qaP -e "(?<!\w)\Q$(hostname)\E/" "$work/perf.data" || fail "$1 names this machine"
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

# All processes of a group of processes, in one recording: without the group, those of the machine would be in it.
record_c_writer_system() {
    start
    need gcc
    program siblings/writer.c
    run gcc -O1 -o writer writer.c
    # shellcheck disable=SC2016
    neutral sh -c 'set -e
        mkdir /tmp/groups
        mount -t cgroup -o perf_event none /tmp/groups
        mkdir /tmp/groups/recorded
        perf record -k mono -e cpu-clock:u -F 299 -a -G recorded -o perf.data \
            sh -c "echo 0 >/tmp/groups/recorded/cgroup.procs; ./writer & ./writer; wait"
        rmdir /tmp/groups/recorded'
    keep_run c-writer-system
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

# with_php DEBUG SCRIPT: the bits of opcache.jit_debug say what is written.
with_php() {
    start
    need php8.2-cli php8.2-opcache
    program "$2"
    neutral perf record -k mono -e cpu-clock:u -F 299 -o perf.data \
        php8.2 -n -d zend_extension=opcache -d opcache.enable_cli=1 -d opcache.huge_code_pages=0 \
        -d opcache.jit_buffer_size=32M -d "opcache.jit_debug=$1" -d opcache.file_update_protection=0 \
        -d opcache.jit=function "${2##*/}"
}

# A dump and a map. The program ends too soon for a sample in its code.
record_php_8_2() {
    with_php 0x30 jitdump/t.php
    keep_run php-8.2
}

record_php_8_2_code() {
    with_php 0x20 siblings/spin.php
    keep_run php-8.2-code
}

record_mono_6_8() {
    start
    need mono-runtime mono-mcs
    program mlpd/Hello.cs
    run mcs -out:Hello.exe Hello.cs
    neutral perf record -k mono -e cpu-clock:u -F 299 -o perf.data mono --jitmap Hello.exe
    keep_run mono-6.8
}

# A map: the dump of the smallest start has 1 MB.
record_erlang_25_map() {
    start
    need erlang-base
    program siblings/t.erl
    boot_small_erlang
    neutral perf record -k mono -e cpu-clock:u -F 299 -o perf.data erl +JPperf map +S 1 -boot ./small -noshell
    keep_run erlang-25-map
}

record_java_17() {
    start
    unpack_agent
    build_agent -O0
    rm -rf "$work/linux"
    program siblings/Spin.java
    run "$java_17/bin/javac" Spin.java
    # shellcheck disable=SC2016
    neutral sh -c 'export JITDUMPDIR=/tmp/run
        perf record -k mono -e cpu-clock:u -F 299 -o perf.data "$1/bin/java" \
            -agentpath:/tmp/run/libperf-jvmti.so -XX:TieredStopAtLevel=1 -cp . Spin &&
        find /tmp/run/.debug -name "jit-*.dump" -exec mv {} . \;' sh "$java_17"
    keep_run java-17
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
