# What the tests of examples run on: an sshd and a Slurm of one node, on ports of their own, with all files below $scratch.
# Sourced. What was started is ended when the shell exits.
started=()
end_started() {
    local process
    for process in "${started[@]}"; do kill "$process" 2>/dev/null || true; done
    for process in "${started[@]}"; do
        for _ in {1..50}; do kill -0 "$process" 2>/dev/null || break; sleep 0.1; done
        kill -9 "$process" 2>/dev/null || true
    done
}
trap end_started EXIT

# A free TCP port.
free_port() { /usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# await SECONDS COMMAND...
await() {
    local tries=$(($1 * 10))
    shift
    while ! "$@" >/dev/null 2>&1; do
        [ $((tries -= 1)) -gt 0 ] || return 1
        sleep 0.1
    done
}

# Hosts one and two, which are sshd on this machine. Sets SSH.
start_sshd() {
    local port
    port=$(free_port)
    mkdir -p "$scratch/ssh" /run/sshd
    chmod 700 "$scratch/ssh"
    ssh-keygen -q -t ed25519 -N '' -f "$scratch/ssh/host"
    ssh-keygen -q -t ed25519 -N '' -f "$scratch/ssh/user"
    cp "$scratch/ssh/user.pub" "$scratch/ssh/authorized"
    cat >"$scratch/ssh/sshd_config" <<EOF
ListenAddress 127.0.0.1
Port $port
HostKey $scratch/ssh/host
AuthorizedKeysFile $scratch/ssh/authorized
PidFile none
StrictModes no
UsePAM no
MaxStartups 100
PermitRootLogin prohibit-password
EOF
    cat >"$scratch/ssh/config" <<EOF
Host one two
HostName 127.0.0.1
Port $port
User $(id -un)
IdentityFile $scratch/ssh/user
IdentitiesOnly yes
UserKnownHostsFile $scratch/ssh/known
StrictHostKeyChecking accept-new
LogLevel ERROR
EOF
    /usr/sbin/sshd -D -f "$scratch/ssh/sshd_config" -E "$scratch/ssh/log" &
    started+=($!)
    export SSH="ssh -F $scratch/ssh/config"
    await 20 $SSH one true || { cat "$scratch/ssh/log" >&2; return 1; }
}

# A cluster of one node. Sets SLURM_CONF.
start_slurm() {
    local node=$scratch/slurmd
    mkdir -p "$node/state" "$node/spool"
    chmod 755 "$scratch" "$node"  # munged demands it of the folders of its socket
    head -c 128 /dev/urandom >"$node/key"
    chmod 600 "$node/key"
    /usr/sbin/munged --foreground --key-file="$node/key" --socket="$node/munge" --pid-file="$node/munge.pid" \
        --seed-file="$node/munge.seed" --log-file="$node/munge.log" >/dev/null 2>&1 &
    started+=($!)
    cat >"$node/slurm.conf" <<EOF
ClusterName=tracelint
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$node/munge
CredType=cred/munge
StateSaveLocation=$node/state
SlurmdSpoolDir=$node/spool
SlurmctldPidFile=$node/slurmctld.pid
SlurmdPidFile=$node/slurmd.pid
SlurmctldLogFile=$node/slurmctld.log
SlurmdLogFile=$node/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
ReturnToService=1
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
EOF
    export SLURM_CONF=$node/slurm.conf
    await 20 test -S "$node/munge" || { cat "$node/munge.log" >&2; return 1; }
    /usr/sbin/slurmctld -D >/dev/null 2>&1 &
    started+=($!)
    /usr/sbin/slurmd -D >/dev/null 2>&1 &
    started+=($!)
    await 60 sh -c 'sinfo -h -o %T | grep -qx idle' || { tail "$node"/*.log >&2; return 1; }
}
