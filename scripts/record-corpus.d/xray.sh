# The producers of XRay traces: LLVM's runtime in small programs of ours. Sourced by scripts/record-corpus.
# shellcheck shell=bash disable=SC2034,SC2154

producers=(
    fdr-clang-14 fdr-clang-19 fdr-clang-19-events fdr-clang-19-real-tsc
    basic-clang-14 basic-clang-19 profile-clang-14 profile-clang-19
)

# summarise FILE: the number of records of each kind; of a profile, of blocks and paths.
summarise() {
    # gzip -cdf passes through what is not compressed
    gzip -cdf "$1" | perl -e '
        use strict;
        binmode STDIN;
        local $/;
        my $bytes = <STDIN>;
        my ($at, $end, %seen) = (32, length $bytes);
        my @actions = ("Entry", "Exit", "Tail_Exit", "Entry_Args");
        my @kinds = qw(NewBuffer EndOfBuffer NewCPUId TSCWrap WallClock CustomEvent CallArgument BufferExtents
                       TypedEvent Pid);
        if ($bytes =~ /^forpyarx/) {
            while ($at + 16 <= $end) {
                $seen{block}++;
                my $next = $at + unpack "V", substr $bytes, $at, 4;
                for ($at += 16; $at < $next; $at += 16) {
                    $seen{path}++;
                    while (unpack "V", substr $bytes, $at, 4) { $at += 4 }
                    $at += 4;
                }
            }
        } elsif (unpack("v", substr $bytes, 2, 2) == 0) {
            for (; $at + 32 <= $end; $at += 32) {
                my ($type, undef, $action) = unpack "vCC", substr $bytes, $at, 4;
                $seen{$type ? "argument" : $actions[$action]}++;
            }
        } else {
            # Over the borders of buffers: the extents of one that holds typed events are wrong.
            while ($at < $end) {
                my $first = ord substr $bytes, $at, 1;
                my $size = $first & 1 ? 16 : 8;
                my $name = $first & 1 ? $kinds[$first >> 1] : $actions[$first >> 1 & 7];
                last if !defined $name || $at + $size > $end;
                $size += unpack "V", substr $bytes, $at + 1, 4 if $name =~ /Event/;
                $seen{$name}++;
                $at += $size;
            }
        }
        print join(", ", map { "$_ $seen{$_}" } sort keys %seen) || "none";
        print ", then a rest" if $at != $end;
    '
}

# compile VERSION PROGRAM [FLAG...]
compile() {
    local version=$1 name=$2
    shift 2
    need "clang-$version" "libclang-rt-$version-dev"
    program recording.hpp
    program work.hpp
    program "$name.cpp"
    run "clang++-$version" -std=c++17 -O1 -fxray-instrument -fxray-instruction-threshold=1 \
        "$@" "$name.cpp" -o "$name" -pthread
}

# keep_log NAME: the one log that the last run left.
keep_log() {
    keep "$(find "$work" -maxdepth 1 -name 'xray-log.*')" "$1.xray"
}

# ---- FDR mode ----------------------------------------------------------------

# Without this threshold the runtime takes back calls that last less than 5 us.
all_calls=func_duration_threshold_us=0
room=buffer_size=4096:buffer_max=8

# fdr NAME OPTIONS PROGRAM [ARGUMENT...]: XRAY_OPTIONS alone starts no FDR log, so the program does.
fdr() {
    local name=$1 options=$2 program=$3
    shift 3
    run "./$program" xray-fdr "$options" "$@"
    keep_log "$name"
}

record_fdr() {
    local version=$1 name=fdr-clang-$1
    compile "$version" threads
    fdr "$name-threads" "$all_calls:$room" threads 8
    # Far more calls than the buffers hold: the oldest are written over.
    fdr "$name-ring" "$all_calls:buffer_size=1024:buffer_max=8" threads 200
    fdr "$name-default-threshold" "$room" threads 8
    local program
    for program in exceptions thread-exit sleep; do
        compile "$version" "$program"
        fdr "$name-$program" "$all_calls:$room" "$program"
    done
    compile "$version" tail -O2
    fdr "$name-tail-exits-o2" "$all_calls:$room" tail
    # The preamble fills 64 bytes: the one record after it lies in the next buffer.
    fdr "$name-tiny-buffers" "$all_calls:buffer_size=64:buffer_max=4" tail
    compile "$version" fork
    mkdir "$work/child"
    fdr "$name-fork-parent" "$all_calls:$room" fork
    mv "$work"/child/xray-log.* "$work"
    keep_log "$name-fork-child"
}

record_fdr_clang_14() { record_fdr 14; }

record_fdr_clang_19() {
    record_fdr 19
    # Clang 14 makes no tail calls at this level.
    compile 19 tail -O1
    fdr fdr-clang-19-tail-exits-o1 "$all_calls:$room" tail
}

# Payloads that bring the records after them to odd offsets.
event_sizes=(1 2 3 5 8 13 100 1000)

# Only from 19 on: Clang 14 ends with an internal error where it should compile an event.
record_fdr_clang_19_events() {
    compile 19 events
    fdr fdr-clang-19-custom-events "$all_calls:$room" events "${event_sizes[@]}"
    # The runtime writes what its own library refuses to read,
    fdr fdr-clang-19-empty-event "$all_calls:$room" events 8 0 8
    # writes past its buffer,
    fdr fdr-clang-19-oversize-event "$all_calls:buffer_size=1024:buffer_max=8" events 8 2000 8
    # and counts for a typed event the payload without the record.
    compile 19 typed
    fdr fdr-clang-19-typed-events-short-extents "$all_calls:$room" typed
}

# Where the kernel does not tell the CPU's frequency, as in most virtual machines, the runtime writes the time of day
# and CPU 0. It believes a file in that place; the real frequency does not matter to what it writes.
record_fdr_clang_19_real_tsc() {
    ((EUID == 0)) || skip "only root can mount"
    local cpu=/sys/devices/system/cpu/cpu0
    need util-linux mount
    unshare --mount mount -t tmpfs none $cpu 2>/dev/null || skip "cannot mount"
    cat >"$work/with-frequency" <<SCRIPT
mount -t tmpfs none $cpu
echo 2600000 >$cpu/tsc_freq_khz
exec "\$@"
SCRIPT
    local in_namespace=(unshare --mount sh -e with-frequency) mode=(xray-fdr "$all_calls:$room")
    compile 19 events
    run "${in_namespace[@]}" ./events "${mode[@]}" "${event_sizes[@]}"
    keep_log fdr-clang-19-custom-events-real-tsc
    compile 19 sleep
    run "${in_namespace[@]}" ./sleep "${mode[@]}"
    keep_log fdr-clang-19-sleep-real-tsc
}

# ---- basic mode --------------------------------------------------------------

# basic NAME OPTIONS: three threads.
basic() {
    run env "XRAY_OPTIONS=patch_premain=true xray_mode=xray-basic" "XRAY_BASIC_OPTIONS=$2" ./threads 4
    keep_log "$1"
}

record_basic() {
    local version=$1 name=basic-clang-$1
    compile "$version" threads
    basic "$name-threads" "$all_calls"
    # The limit keeps calls out of the log, but not their arguments.
    basic "$name-orphan-arguments" "$all_calls max_stack_depth=1"
    # Started by the program, basic mode does not write what the main thread did.
    compile "$version" tail
    run ./tail xray-basic "$all_calls"
    keep_log "$name-header-only"
}

record_basic_clang_14() { record_basic 14; }
record_basic_clang_19() { record_basic 19; }

# ---- profiling mode ----------------------------------------------------------

record_profile() {
    compile "$1" threads -fxray-modes=xray-profiling
    run ./threads xray-profiling "" 8
    keep_log "profile-clang-$1"
}

record_profile_clang_14() { record_profile 14; }
record_profile_clang_19() { record_profile 19; }
