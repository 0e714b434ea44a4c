# The producers of perf.data. They need root, and a kernel that lets perf record; no hardware counters. Sourced by
# scripts/record-corpus.
# shellcheck shell=bash disable=SC2034,SC2154

producers=(
    plain compressed pipe pipe-compressed dwarf events group wide system tracepoint buildid-mmap overwrite
    stat killed node php injected
)

source "$formats_dir/shared.bash"

# summarise FILE: the number of records of each type, on the level of the file.
summarise() {
    # gzip -cdf passes through what is not compressed
    gzip -cdf "$1" | perl -e '
        use strict;
        binmode STDIN;
        local $/;
        my $bytes = <STDIN>;
        my %names = (1 => "MMAP", 2 => "LOST", 3 => "COMM", 4 => "EXIT", 7 => "FORK", 9 => "SAMPLE", 10 => "MMAP2",
            14 => "SWITCH", 16 => "NAMESPACES", 17 => "KSYMBOL", 19 => "CGROUP", 64 => "ATTR", 66 => "TRACING_DATA",
            68 => "ROUND", 69 => "ID_INDEX", 73 => "THREAD_MAP", 74 => "CPU_MAP", 75 => "STAT_CONFIG", 76 => "STAT",
            77 => "STAT_ROUND", 78 => "EVENT_UPDATE", 79 => "TIME_CONV", 80 => "FEATURE", 81 => "COMPRESSED");
        my ($size, $at, $length) = (unpack("x8 Q<", $bytes), unpack("x40 Q< Q<", $bytes));
        ($at, $length) = (16, length($bytes) - 16) if $size == 16;
        $length ||= length($bytes) - $at;
        my ($end, %seen) = ($at + $length);
        while ($at + 8 <= $end) {
            my ($type, $misc, $taken) = unpack "L< S< S<", substr $bytes, $at, 8;
            last if $taken < 8;
            $seen{$type}++;
            $taken += (unpack("x8 L<", substr $bytes, $at, 12) + 7) & ~7 if $type == 66;
            $at += $taken;
        }
        print join ", ", map { ($names{$_} // "type $_") . " $seen{$_}" } sort { $a <=> $b } keys %seen;
    '
}

# ---- perf --------------------------------------------------------------------

# find_perf: sets $version; skips where perf may not record.
find_perf() {
    need linux-perf
    ((EUID == 0)) || skip "needs root"
    program neutral.sh
    program busy.sh
    version=$(perf --version | sed 's/^perf version \([0-9]*\.[0-9]*\).*/\1/')
    (cd "$work" && perf record -e cpu-clock -o probe true >probe.log 2>&1) || skip "perf may not record here"
    rm "$work/probe"
}

# neutral COMMAND...: a run without the name and the processes of this machine.
neutral() { run unshare --uts --mount --pid --fork --mount-proc sh neutral.sh "$@"; }

# keep_data FILE NAME: a recording, from which the local part of the kernel's release is erased.
keep_data() {
    local release=$(uname -r)
    RELEASE=$release perl -pi -e '
        BEGIN { $release = $ENV{RELEASE}; ($short = $release) =~ s/-.*//; $short .= "\0" x (length($release) - length $short) }
        s/\Q$release\E/$short/g' "$work/$1"
    for path in "$(hostname)" /root /home; do
        ! grep -qaF -e "$path/" "$work/$1" || fail "$2 names $path"
    done
    keep "$work/$1" "perf-$version-$2.data"
}

# record_shape NAME OPTION...: perf record of the busy script, with options.
record_shape() {
    local name=$1
    shift
    find_perf
    neutral perf record -o perf.data -F 299 "$@" sh busy.sh
    keep_data perf.data "$name"
}

record_plain() { record_shape plain -e cpu-clock -g; }
record_compressed() { record_shape compressed -e cpu-clock -g -z; }
record_dwarf() { record_shape dwarf -e cpu-clock --call-graph dwarf,1024; }
record_events() { record_shape events -e cpu-clock,page-faults,context-switches; }
record_group() { record_shape group -e '{cpu-clock,page-faults}:S'; }
record_wide() {
    record_shape wide -e cpu-clock -d -W --phys-data --code-page-size --data-page-size --all-cgroups --switch-events \
        --namespaces -I -T -P
}
record_buildid_mmap() { record_shape buildid-mmap -e cpu-clock --buildid-mmap -k mono; }
record_overwrite() { record_shape overwrite -e cpu-clock --overwrite -k monotonic_raw; }

# What goes to standard output is a stream.
record_pipe() {
    find_perf
    neutral sh -c 'exec perf record -e cpu-clock -F 299 -g -o - sh busy.sh >perf.data 2>perf.log'
    keep_data perf.data pipe
}

record_pipe_compressed() {
    find_perf
    neutral sh -c 'exec perf record -e cpu-clock -F 299 -g -z -o - sh busy.sh >perf.data 2>perf.log'
    keep_data perf.data pipe-compressed
}

# The kernel tells of what other processes map, whatever the namespace. Where they are busy, no try is free of them.
record_system() {
    find_perf
    local try
    for try in {1..20}; do
        neutral perf record -a -e cpu-clock -F 299 -o perf.data sleep 0.01
        if ! grep -aoE '/[a-z]+/[[:alnum:]]+' "$work/perf.data" | grep -qv '^/usr/'; then
            keep_data perf.data system
            return
        fi
    done
    skip "other processes of this machine are in every recording"
}

record_tracepoint() {
    find_perf
    neutral perf record -e sched:sched_process_exec,sched:sched_process_exit -o perf.data sh -c 'true; /bin/true'
    keep_data perf.data tracepoint
}

record_stat() {
    find_perf
    neutral perf stat record -e task-clock,page-faults -o perf.data sh busy.sh
    keep_data perf.data stat
}

# perf writes the size of the data when it ends.
record_killed() {
    find_perf
    # shellcheck disable=SC2016
    neutral sh -c 'perf record -e cpu-clock -F 299 -m 1 -o perf.data sh -c "while :; do :; done" &
        until [ "$(wc -c <perf.data)" -gt 6000 ]; do sleep 0.1; done
        kill -9 $!; wait $!; true' 2>/dev/null
    keep_data perf.data killed
}

# A runtime that writes a dump, and what perf inject makes of both. The images of the functions are not kept.
record_with_dump() {
    find_perf
    need php8.2-cli php8.2-opcache
    program jitdump/t.php
    neutral perf record -k mono -e cpu-clock -F 299 -o perf.data \
        php8.2 -n -d zend_extension=opcache -d opcache.enable_cli=1 -d opcache.huge_code_pages=0 \
        -d opcache.jit_buffer_size=32M -d opcache.jit_debug=0x20 -d opcache.file_update_protection=0 \
        -d opcache.jit=tracing t.php
}

# PHP writes its dump to /tmp, whatever the folder.
remove_dump() { rm -f "$(grep -aoE '/tmp/jit-[0-9]+\.dump' "$work/perf.data" | head -n 1)"; }

record_php() {
    record_with_dump
    remove_dump
    keep_data perf.data php-8.2
}

record_injected() {
    record_with_dump
    mv "$work/perf.data" "$work/recorded.data"
    run perf inject -j -i recorded.data -o perf.data
    remove_dump
    keep_data perf.data injected
}

record_node() {
    find_perf
    [[ $(node --version 2>/dev/null) == v20.* ]] || skip "needs Node 20"
    program jitdump/app.js
    neutral sh -c 'exec perf record -k mono -e cpu-clock -F 299 -o perf.data node --perf-prof - <app.js'
    keep_data perf.data node-20
}
