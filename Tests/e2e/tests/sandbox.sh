# The installed unit is valid, its exposure is at most 1.1, and the process really runs closed off.
. "${0%/*}/../lib.sh"

install_package
unit=/lib/systemd/system/rxwatchd.service
equal "$(box systemd-analyze verify --man=no $unit 2>&1)" ''
# (tenths, on systemd 252)
box systemd-analyze security --threshold=11 rxwatchd.service >"$SCRATCH/table" || fail "$(tail -n 1 "$SCRATCH/table")"

pid=$(show MainPID)
status=$(box cat "/proc/$pid/status")
for expected in $'CapEff:\t0000000000000000' $'CapBnd:\t0000000000000000' $'NoNewPrivs:\t1' $'Seccomp:\t2'; do
    grep -qx "$expected" <<<"$status" || fail "not $expected"
done
[[ $(box stat -c %U "/proc/$pid") == rxwatchd ]] || fail 'not a user of its own'

inside() { box nsenter -t "$pid" --mount "$@"; }
refuses 1 inside touch /etc/written /usr/written
equal "$(inside ls /home /root 2>&1)" $'/home:\n\n/root:'
# What the daemon needs to see all the same: the limits of inotify.
inside cat /proc/sys/fs/inotify/max_user_watches >/dev/null
