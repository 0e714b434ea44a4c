# Runs a command where neither the name of the machine nor its other processes get into what it records.
#   unshare --uts --mount --pid --fork --mount-proc sh neutral.sh COMMAND...
hostname build
mount -t tracefs none /sys/kernel/tracing 2>/dev/null
exec "$@"
