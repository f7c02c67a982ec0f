# A start that takes longer than TimeoutStartSec= succeeds as long as there is progress: the daemon asks for more time.
. "${0%/*}/../lib.sh"

install_package
box systemctl stop rxwatchd
# It takes about a second to watch so many directories, some tens of microseconds for each.
# shellcheck disable=SC2016 # perl expands these
box perl -e 'for my $outer (1..300) {
    mkdir "/srv/$outer" or die "mkdir: $!";
    mkdir "/srv/$outer/$_" or die "mkdir: $!" for 1..300;
}'
put "$SHIPPED" <<'YAML'
daemon: { drain: 1s }
sources: { tree: { files: { paths: [/srv], recursive: true, events: [created] } } }
pipelines: { p: { from: tree, to: [journal: "{{.path}}"] } }
YAML
drop_in short <<'CONF'
[Service]
TimeoutStartSec=7s
Restart=no
CONF

# The daemon looks at its progress every five seconds. Its process is stopped, except for the time in which it finds the first
# directories, and for that in which it asks for more time, until the unit's own limit is over.
box systemctl log-level debug
from_now
box systemctl start --no-block rxwatchd
starting() { [[ $(show MainPID) != 0 ]]; }
eventually 10 starting
pid=$(show MainPID)
began=${EPOCHREALTIME/./}
watching() { box grep -q ^inotify -r "/proc/$pid/fdinfo"; }
eventually 10 watching
box kill -STOP "$pid"
elapsed() { ((${EPOCHREALTIME/./} - began >= $1 * 100000)); }
eventually 10 elapsed 52
equal "$(show ActiveState)" activating
box kill -CONT "$pid"
# The service manager notes each message at this level.
asked() { box journalctl -q --no-pager -o cat "$FROM" _PID=1 | grep -q 'EXTEND_TIMEOUT_USEC='; }
eventually 10 asked
box kill -STOP "$pid"
box systemctl log-level info
eventually 10 elapsed 85
equal "$(show ActiveState) $(show MainPID)" "activating $pid" 'after TimeoutStartSec='
box kill -CONT "$pid"
eventually 20 is ActiveState active
took=$(($(show ActiveEnterTimestampMonotonic) - $(show ExecMainStartTimestampMonotonic)))
((took > 7500000)) || fail "ready after $took us"
equal "$(show MainPID) $(show Result)" "$pid success"
box touch /srv/300/300/file
eventually 10 some '.MESSAGE == "/srv/300/300/file"' RX_KIND=event
box systemctl stop rxwatchd
equal "$(show Result) $(show ExecMainStatus)" 'success 0'
eventually 10 some '.MESSAGE | test("^stopped on SIGTERM: 0 live objects")' RX_PHASE=stopped
