# The producers of Mono's profiler logs: C# programs of ours under several options of the log profiler. Sourced by
# scripts/record-corpus.
# shellcheck shell=bash disable=SC2034,SC2154

producers=(
    defaults legacy calls allocations domains heapshots sampling contention handles jit counters zip coverage
    interpreter aot names ends killed i386 s390x
)

# shellcheck source=scripts/record-corpus.d/shared.bash
source "$formats_dir/shared.bash"

# summarise FILE: buffers and threads, then the number of events of each kind.
summarise() {
    # gzip -cdf passes through what is not compressed, and writes what it has of a cut member
    (gzip -cdf "$1" 2>/dev/null || true) | perl -e '
        use strict;
        binmode STDIN;
        local $/;
        our ($bytes, $at, $end) = (<STDIN>, 0);
        # u: a number, b: a byte, z: a string; (...): as often as the number before says. All begin with a time.
        my $layouts = q{
            00 ALLOC uuu            10 ALLOC_BT uuuu(u)     11 GC_EVENT bb         21 GC_RESIZE u
            31 GC_MOVE u(u)         41 HANDLE_CREATED uuu   51 HANDLE_DESTROYED uu
            61 HANDLE_CREATED_BT uuuu(u)                    71 HANDLE_DESTROYED_BT uuu(u)
            81 FINALIZE_START -     91 FINALIZE_END -       a1 FINALIZE_OBJECT_START u  b1 FINALIZE_OBJECT_END u
            13 LEAVE u              23 ENTER u              33 EXC_LEAVE u         43 JIT uuuz
            04 THROW u              84 THROW_BT uu(u)       14 CLAUSE buuu         05 MONITOR bu
            85 MONITOR_BT buu(u)    06 HEAP_START -         16 HEAP_END -          26 HEAP_OBJECT uuubu(uu)
            36 HEAP_ROOT u(uu)      46 ROOT_REGISTER uubuz  56 ROOT_UNREGISTER u
            07 SAMPLE_HIT uu(u)u(u) 17 SAMPLE_USYM uuz      37 COUNTERS_DESC u(n)  47 COUNTERS c
            18 JITHELPER h          0a SYNC_POINT b         1a AOT_ID z
            02 METADATA m           22 METADATA m           42 METADATA m
        };
        my %layouts = map { (hex $_->[0]) => $_ } map { [split] } $layouts =~ /(\S\S \w+ [-\w()]+)/g;
        my @kinds = ("", qw(class image assembly domain thread context vtable));

        sub byte { die "cut\n" if $at >= $end; ord substr $bytes, $at++, 1 }
        sub number {
            my ($value, $shift, $byte) = (0, 0);
            do { $byte = byte(); $value |= ($byte & 127) << $shift; $shift += 7 } while $byte & 128;
            return $value;
        }
        sub text { my $zero = index $bytes, "\0", $at; die "cut\n" if $zero < 0 || $zero >= $end; $at = $zero + 1 }
        sub decode {
            my ($layout, $last) = @_;
            while ($layout =~ /\G(?:(\w)|\((\w+)\)|-)/g) {
                my ($kind, $list) = ($1 // "", $2);
                if (defined $list) { decode($list) for 1 .. $last }
                elsif ($kind eq "u") { $last = number() }
                elsif ($kind eq "b") { byte() }
                elsif ($kind eq "z") { text() }
                elsif ($kind eq "n") { text() if number() == 0x8000; decode("zuuuu") }
                elsif ($kind eq "h") { my $type = byte(); decode($type == 5 ? "uuz" : "uu") }
                elsif ($kind eq "c") {
                    while (number()) {
                        my $type = number();
                        if ($type == 5) { $at += 8 } elsif ($type != 6) { number() } elsif (byte()) { text() }
                    }
                }
            }
        }
        # The subtype is name 0, load 2 or unload 4.
        sub metadata {
            my $subtype = shift;
            my $kind = byte();
            number();
            my $name = $subtype ? "" : "z";
            decode(("", "uz", $subtype == 2 ? "zz" : "z", "uz", $name, $name, "u", "uu")[$kind]);
            return ("NAME", "", "LOAD", "", "UNLOAD")[$subtype] . " $kinds[$kind]";
        }

        my ($size, $buffers, %threads, %seen) = (length $bytes, 0);
        if ($size < 38) {
            print "none";
            exit;
        }
        $at = 38;
        $at += 4 + unpack "V", substr $bytes, $at, 4 for 1 .. 3;
        while ($at + 48 <= $size && substr($bytes, $at, 4) eq "\1LPM") {
            $buffers++;
            $threads{substr $bytes, $at + 32, 8}++;
            $end = $at + 48 + unpack "V", substr $bytes, $at + 4, 4;
            $at += 48;
            last if $end > $size;
            while ($at < $end) {
                my $op = byte();
                my (undef, $name, $layout) = @{$layouts{$op} // die sprintf "op %02x at %d\n", $op, $at - 1};
                number();
                if ($layout eq "m") { $name = metadata($op >> 4) } else { decode($layout) }
                $seen{$name}++;
            }
        }
        print "$buffers / " . keys(%threads) . ": " . join ", ", map { "$_ $seen{$_}" } sort keys %seen;
        print ", then a rest of ", $size - $at if $at != $size;
    '
}

version_of_mono() {
    dpkg-query -W -f '${Version}\n' libmono-profiler | sed -n '1s/^\([0-9]*\.[0-9]*\).*/\1/p'
}

# compile PROGRAM [FLAG...]
compile() {
    local name=$1
    shift
    # Without the last of them the runtime writes nothing, and says nothing.
    need mono-runtime mono-mcs libmono-profiler
    version=$(version_of_mono)
    program "$name.cs"
    run mcs -debug- "$@" "$name.cs"
}

# log VARIANT OPTIONS PROGRAM [ARGUMENT...]: $mono may say which runtime.
log() {
    local variant=$1 options=$2 name=$3
    shift 3
    run "${mono[@]:-mono}" "--profile=log:${options:+$options,}output=log.mlpd" "$name.exe" "$@"
    keep "$work/log.mlpd" "mono-$version-$variant.mlpd"
}

record_defaults() {
    compile Hello
    log hello "" Hello
    log hello-nodefaults nodefaults Hello
}

record_legacy() {
    compile Contend
    log legacy legacy Contend
}

record_calls() {
    compile Hello
    log calls-hello calls Hello
    compile Contend
    log calls calls Contend
    log calls-depth calls,calldepth=3 Contend
}

record_allocations() {
    compile Allocate
    log allocations alloc,gc,maxframes=4 Allocate 2 2
    log allocations-no-frames alloc,maxframes=0 Allocate 1 1
}

record_domains() {
    compile Domains
    log domains nodefaults,exception,maxframes=4 Domains
}

record_heapshots() {
    compile Allocate
    log heapshots heapshot,gcroot,gcmove Allocate 2 1
    log heapshots-3gc nodefaults,gc,gcmove,gcroot,heapshot=3gc Allocate 3 3
    compile Hello
    log heapshot-on-shutdown heapshot-on-shutdown Hello
}

record_sampling() {
    compile Spin
    log sample-500 sample=500 Spin 1
    log sample-real-1000 nodefaults,sample-real=1000 Spin 1
}

record_contention() {
    compile Contend
    log contention nodefaults,monitor,exception Contend
}

record_handles() {
    compile Allocate
    log handles nodefaults,gchandle,finalization Allocate 2 1
}

record_jit() {
    compile Hello
    log jit nodefaults,jit Hello
}

record_counters() {
    need libmono-system4.0-cil
    compile Counter -r:System.dll
    log counters nodefaults,counter Counter
}

record_zip() {
    compile Hello
    log zip zip,alloc Hello
}

# The profiler says that it has no coverage any more, and goes on as if nothing had been asked for.
record_coverage() {
    compile Hello
    log coverage coverage Hello
}

record_interpreter() {
    compile Contend
    local mono=(mono --interpreter)
    log interpreter legacy Contend
}

# Code that was compiled before the run.
record_aot() {
    need gcc binutils
    compile Hello
    run mono --aot Hello.exe
    log aot "" Hello
}

# Names beyond ASCII, and more threads than ids.
record_names() {
    compile Names
    log names nodefaults Names
}

record_ends() {
    need libmono-system4.0-cil
    compile End -r:System.dll
    log exit-with-thread "" End exit
    # What else ends a program leaves what was written up to then.
    run_to_status 1 mono --profile=log:output=log.mlpd End.exe exception
    keep "$work/log.mlpd" "mono-$version-unhandled-exception.mlpd"
    run_to_status 134 mono --profile=log:output=log.mlpd End.exe fail-fast
    keep "$work/log.mlpd" "mono-$version-fail-fast.mlpd"
    run_to_status 137 mono --profile=log:output=log.mlpd End.exe signal
    keep "$work/log.mlpd" "mono-$version-killed-early.mlpd"
}

# killed OPTIONS PROGRAM [ARGUMENT...]: ends the program before it would.
killed() {
    local options=$1 name=$2
    shift 2
    run_to_status 137 timeout -s KILL 3 mono "--profile=log:$options,output=log.mlpd" "$name.exe" "$@"
}

record_killed() {
    compile Spin
    killed sample=100 Spin 1 9
    keep "$work/log.mlpd" "mono-$version-killed.mlpd"
    # Compressed, it is written in pieces of 64 KiB.
    killed zip Spin 1 9
    keep_empty "$work/log.mlpd" "mono-$version-killed-zip-empty.mlpd"
    compile Domains
    killed zip Domains 9
    keep "$work/log.mlpd" "mono-$version-killed-zip.mlpd"
}

# ---- other machines -------------------------------------------------------------

# Debian's C# libraries are for all machines.
foreign_environment=(MONO_PATH=/usr/lib/mono/4.5)

record_i386() {
    need_foreign i386 libc6:i386 zlib1g:i386
    compile Hello
    compile Allocate
    compile Contend
    unpack_foreign i386 mono-runtime-sgen:i386 libmono-profiler:i386
    local mono=(env "${foreign_environment[@]}" LD_LIBRARY_PATH=i386/usr/lib i386/usr/bin/mono-sgen)
    log i386-hello "" Hello
    log i386-allocations alloc,gc,maxframes=4 Allocate 2 1
    log i386-heapshots nodefaults,gc,gcmove,gcroot,heapshot Allocate 2 1
    log i386-handles nodefaults,gchandle,finalization Allocate 2 1
    log i386-calls calls Contend
    log i386-legacy legacy Contend
}

# The one big-endian machine. Mono does not run under qemu, but begins its log before it crashes.
record_s390x() {
    need_foreign s390x libc6:s390x zlib1g:s390x qemu-user
    compile Hello
    unpack_foreign s390x mono-runtime-sgen:s390x libmono-profiler:s390x
    run_to_status 139 qemu-s390x -E "${foreign_environment[0]}" -E LD_LIBRARY_PATH=s390x/usr/lib \
        s390x/usr/bin/mono-sgen --profile=log:output=log.mlpd Hello.exe
    keep "$work/log.mlpd" "mono-$version-s390x-crashed.mlpd"
}
