# Without free descriptors, sources and sinks record that they fail or wait; the daemon continues, and recovers.
. "${0%/*}/../lib.sh"

install_package
put "$SHIPPED" <<'YAML'
daemon: { resources: 200ms }
sources:
  tick: { interval: 50ms }
  date: { command: { run: [date], every: 100ms } }
pipelines:
  beats: { from: tick, steps: [map: .tick], to: [journal: "beat {{.}}"] }
  dates: { from: date, to: [journal: "date {{.error}}{{.stdout}}"] }
  runs: { from: tick, steps: [throttle: 100ms], to: [command: { run: [sh, -c, 'echo >>/var/lib/rxwatchd/runs'] }] }
YAML
box systemctl restart rxwatchd
pid=$(show MainPID)
allow() { box prlimit --pid "$pid" --nofile="$1:"; }
runs() { box cat /var/lib/rxwatchd/runs | wc -l; }
more_runs() { (($(runs) > before)); }
eventually 10 some true RX_KIND=event RX_PIPELINE=dates
eventually 10 box test -e /var/lib/rxwatchd/runs

# Limit the descriptors to the number of those that are open.
from_now
allow "$(($(box sh -c "ls /proc/$pid/fd | sort -n | tail -n 1") + 1))"
eventually 10 some '.MESSAGE | test("[Tt]oo many open files; retrying")' RX_KIND=sink RX_PIPELINE=runs
eventually 10 some '.MESSAGE | test("^date .*[Tt]oo many open files")' RX_KIND=event RX_PIPELINE=dates
eventually 10 some true RX_KIND=event RX_PIPELINE=beats
equal "$(show MainPID) $(show ActiveState) $(show NRestarts)" "$pid active 0"

allow 1024
before=$(runs)
from_now
eventually 10 more_runs
eventually 10 some '.MESSAGE | test("^date null[A-Z]")' RX_KIND=event RX_PIPELINE=dates
equal "$(show MainPID) $(show NRestarts)" "$pid 0"
box systemctl stop rxwatchd
equal "$(show ExecMainStatus)" 0
