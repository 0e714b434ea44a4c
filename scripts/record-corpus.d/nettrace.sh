# The event pipe of .NET, in programs from npm that bring their runtime: .NET 8 (nettrace), .NET Core 3.0 and 3.1 (nettrace and
# netperf). Sourced by scripts/record-corpus.
# shellcheck shell=bash disable=SC2034,SC2154

producers=(net8 net8-killed core3.1 core3.0)

# summarise FILE: its size without gzip.
summarise() {
    printf '%s bytes\n' "$(gzip -cdf "$1" | wc -c)"
}

tool=Sarif.Multitool
runtime=Microsoft-Windows-DotNETRuntime
sampler=Microsoft-DotNETCore-SampleProfiler

# Leaves the tool of the release in $work, and a file that it takes seconds to rewrite.
get_tool() {
    fetch_npm "@microsoft/sarif-multitool-linux@$1" "$tool"
    chmod +x "$work/$tool"
    program make_sarif.py
    run /usr/bin/python3 make_sarif.py in.sarif
}

rewrite=(rewrite in.sarif --output out.sarif --log ForceOverwrite)

# trace NAME [VARIABLE=VALUE...] -- ARGUMENT...: one run under .NET 8. STATUS is what it may end with.
trace() {
    local name=$1 settings=()
    shift
    while [[ $1 != -- ]]; do
        settings+=("DOTNET_$1")
        shift
    done
    shift
    run env DOTNET_EnableEventPipe=1 "DOTNET_EventPipeOutputPath=$work/$name.out" DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1 \
        "${settings[@]}" sh -c 'eval "$0 \"\$@\"" || [ $? -ge 124 ]' "${before[@]:+${before[*]} }./$tool" "$@"
    keep "$work/$name.out" "dotnet-8-$name.nettrace"
}

record_net8() {
    local before=()
    get_tool 5.7.0
    trace default -- --version
    trace unknown-provider EventPipeConfig=No-Such-Provider:1:1 EventPipeRundown=0 -- --version
    trace sampler "EventPipeConfig=$sampler:0:5" EventPipeRundown=0 -- --version
    trace no-stacks "EventPipeConfig=$runtime:0x8:4" EventPipeEnableStackwalk=0 EventPipeRundown=0 -- --version
    trace rundown "EventPipeConfig=$runtime:0x1:4" EventPipeCircularMB=1 -- --version
    trace large-buffers "EventPipeConfig=$runtime:0x1:5" EventPipeCircularMB=256 EventPipeRundown=0 -- --version
    trace gc "EventPipeConfig=$runtime:0x1:4" EventPipeRundown=0 -- "${rewrite[@]}"
    trace streaming "EventPipeConfig=$runtime:0x1:4" EventPipeOutputStreaming=1 EventPipeRundown=0 -- "${rewrite[@]}"
    trace counters EventPipeConfig=System.Runtime:0:5:EventCounterIntervalSec=1 EventPipeRundown=0 -- "${rewrite[@]}"
    trace private "EventPipeConfig=${runtime}Private:0x1:5" EventPipeRundown=0 -- "${rewrite[@]}"
    before=(timeout -s TERM 2)
    trace all-keywords-dropped "EventPipeConfig=$runtime:0xffffffffffffffff:5" EventPipeCircularMB=1 EventPipeRundown=0 -- "${rewrite[@]}"
    trace terminated "EventPipeConfig=$runtime:0x1:5" EventPipeOutputStreaming=1 EventPipeRundown=0 -- "${rewrite[@]}"
}

# Files without an end.
record_net8_killed() {
    local before=() seconds_of
    get_tool 5.7.0
    for seconds_of in 0.3 0.8 2; do
        before=(timeout -s KILL "$seconds_of")
        trace "killed-$seconds_of" "EventPipeConfig=$runtime:0x1:5" EventPipeOutputStreaming=1 EventPipeRundown=0 -- "${rewrite[@]}"
    done
    before=(timeout -s KILL 0.8)
    trace killed-buffered "EventPipeConfig=$runtime:0x1:5" EventPipeRundown=0 -- "${rewrite[@]}"
}

# core3 RELEASE NAME: .NET Core writes into a folder, and forms the name itself.
core3() {
    local ending
    get_tool "$1"
    mkdir "$work/out"
    for ending in nettrace netperf; do
        run env COMPlus_EnableEventPipe=1 "COMPlus_EventPipeOutputPath=$work/out" "DOTNET_BUNDLE_EXTRACT_BASE_DIR=$work/bundle" \
            DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1 "COMPlus_EventPipeConfig=$runtime:0x1:4,$sampler:0:5" \
            "COMPlus_EventPipeNetTraceFormat=$([[ $ending == nettrace ]] && echo 1 || echo 0)" sh -c '"$0" --version || [ $? -eq 1 ]' "./$tool"
        keep "$work"/out/*."$ending" "$2.$ending"
    done
}

record_core3_1() { core3 3.1.0 dotnet-core-3.1; }
record_core3_0() { core3 2.2.2 dotnet-core-3.0; }
