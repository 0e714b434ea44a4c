# Runs a command in this folder as /tmp/run, where neither the name of the machine nor its other processes nor the files
# of others in /tmp get into what it records. What the command leaves in /tmp comes back to the folder.
#   unshare --uts --mount --pid --fork --mount-proc sh neutral.sh COMMAND...
hostname build
mount --bind . /mnt
mount -t tmpfs none /tmp
mkdir /tmp/run
mount --move /mnt /tmp/run
cd /tmp/run || exit
"$@"
status=$?
find /tmp -maxdepth 1 -type f \( -name 'jit-*.dump' -o -name 'perf-*.map' \) -exec mv {} . \;
exit $status
