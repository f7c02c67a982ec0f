# Each drop-in of the package is valid, the service starts with it, and gets the right that its comment names.
. "${0%/*}/../lib.sh"

install_package

# use NAME: installs one drop-in as the README says, and no other.
use() {
    box rm -rf /etc/systemd/system/rxwatchd.service.d
    box install -D -m 644 -t /etc/systemd/system/rxwatchd.service.d "/usr/share/rxwatchd/drop-ins/$1.conf"
    box systemctl daemon-reload
    equal "$(box systemd-analyze verify --man=no rxwatchd.service 2>&1)" '' "$1"
    # More restarts than systemd allows in so short a time.
    box systemctl reset-failed rxwatchd
    box systemctl restart rxwatchd
    pid=$(show MainPID)
}
member() { box grep ^Groups: "/proc/$pid/status" | grep -qw "$(box getent group "$1" | cut -d: -f3)"; }

put /etc/credstore/rxwatchd.api-token <<<'s3cret'
use credential
equal "$(box nsenter -t "$pid" --mount cat /run/credentials/rxwatchd.service/api-token)" s3cret

use read-journal
member systemd-journal || fail 'not in systemd-journal'

use read-logs
member adm || fail 'not in adm'

box install -D -m 600 /dev/null /home/someone/file
use watch-homes
box grep -qx $'CapEff:\t0000000000000004' "/proc/$pid/status" || fail 'not just CAP_DAC_READ_SEARCH'
box nsenter -t "$pid" --mount cat /home/someone/file

use log-namespace
logged() { [[ -n $(box journalctl -q --no-pager --namespace=rxwatchd -o cat "_PID=$pid" RX_PHASE=ready) ]]; }
eventually 10 logged
# The records of an event are found there, too.
put "$SHIPPED" <<'YAML'
sources: { tick: { interval: 100ms } }
pipelines:
  writes: { from: tick, to: [journal: "beat {{.tick}}"] }
  runs: { from: tick, to: [command: { run: ["true"] }] }
YAML
box systemctl reload rxwatchd
# event KIND PIPELINE: sets $id to the event of the latest such record in the journal of the namespace.
event() {
    id=$(box journalctl -q --no-pager --namespace=rxwatchd -o json -n 1 "_PID=$pid" "RX_KIND=$1" "RX_PIPELINE=$2" |
        jq -r '.RX_EVENT_ID // empty') && [[ $id ]]
}
# found KIND PIPELINE: `rxwatchctl why` finds such a record of the event.
found() {
    box rxwatchctl why --json "$id" |
        jq -e "any(.details.records[]?; .RX_KIND == \"$1\" and .RX_PIPELINE == \"$2\" and .RX_EVENT_ID == \"$id\")"
}
for of in 'event writes' 'sink runs'; do
    # shellcheck disable=SC2086 # two words
    eventually 10 event $of
    # shellcheck disable=SC2086
    found $of >/dev/null || fail "no record of $id, of $of: $(box rxwatchctl why "$id" 2>&1)"
    equal "$(box rxwatchctl why "$id" | head -n 1)" "event $id"
done
# What the source has emitted, and what was run.
why=$(box rxwatchctl why "$id")
grep -qE 'emitted by tick: \{"tick":[0-9]+' <<<"$why" || fail "$why"
grep -q ' done: exited with 0: true$' <<<"$why" || fail "$why"

# The profile is not loaded here.
use apparmor
equal "$(show ActiveState)" active

# With a permanent user the service can use the bus. The other restrictions remain.
box rm -rf /etc/systemd/system/rxwatchd.service.d
ping='busctl call org.freedesktop.systemd1 /org/freedesktop/systemd1 org.freedesktop.DBus.Peer Ping'
drop_in ping <<<$'[Service]\nExecStartPost='"$ping"
box install -D -m 644 /usr/share/rxwatchd/drop-ins/units.sysusers /etc/sysusers.d/rxwatchd.conf
box systemctl stop rxwatchd
box systemd-sysusers
box systemctl start rxwatchd
box systemd-analyze security --threshold=11 rxwatchd.service >/dev/null

# The members of its group may ask the daemon, and no other user.
put /etc/sysusers.d/people.conf <<<$'u operator -\nu guest -\nm operator rxwatchd'
box systemd-sysusers
answer() { box setpriv --reuid "$1" --regid "$1" --init-groups rxwatchctl status; }
answer operator >/dev/null
refuses 1 answer guest
# However many of their clients follow events, root's are answered.
follow() { box setpriv --reuid operator --regid operator --init-groups timeout "$1" rxwatchctl tap; }
for number in {1..16}; do
    follow 60 >"$SCRATCH/tap-$number" 2>&1 &
    eventually 10 grep -q '^[0-9].* tick' "$SCRATCH/tap-$number"
done
refuses 1 follow 10
equal "$(<"$SCRATCH/output")" '16 clients of this user follow events already; end one of them'
refuses 124 box timeout 1 rxwatchctl tap
box pkill -u operator
wait
# Another group that the daemon runs as, such as one that all users share, gives its members no access.
drop_in group <<<$'[Service]\nUser=operator\nGroup=guest'
box systemctl restart rxwatchd
refuses 1 answer guest
# Not even if somebody has changed the permissions of the socket.
box chmod 755 /run/rxwatchd/daemon
box chmod 666 /run/rxwatchd/daemon/control
refuses 1 answer guest
grep -q '^permission denied to use the control socket: connect as root or as the user that the daemon runs as$' "$SCRATCH/output" ||
    fail "$(<"$SCRATCH/output")"
box rxwatchctl status >/dev/null

# Every drop-in is tested above: add new ones here, too.
equal "$(box sh -c 'cd /usr/share/rxwatchd/drop-ins && echo *.conf')" \
    'apparmor.conf credential.conf log-namespace.conf read-journal.conf read-logs.conf watch-homes.conf'
