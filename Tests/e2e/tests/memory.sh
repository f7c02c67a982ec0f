# A command that takes more than MemoryMax= is killed by the kernel; the daemon and its other pipelines continue.
. "${0%/*}/../lib.sh"

install_package
put "$SHIPPED" <<'YAML'
daemon: { drain: 1s, resources: 1h }
sources:
  tick: { interval: 100ms }
  polled: { command: { run: [perl, -e, 'my $all = "x" x (1 << 30); sleep 5'], every: 2s, delay: 1s } }
pipelines:
  beats: { from: tick, steps: [map: .tick], to: [journal: "beat {{.}}"] }
  killed: { from: polled, to: [journal: "{{.exit}} {{.signal}}"] }
  run: { from: tick, steps: [skip: 20, throttle: 1s], to: [command: { run: [perl, -e, 'my $all = "x" x (1 << 30); sleep 5'] }] }
YAML
box systemctl restart rxwatchd
pid=$(show MainPID)
# Under cgroup v1 the first has no effect here.
equal "$(show OOMPolicy) $(show MemoryMax) $(show MemoryHigh)" 'continue 536870912 infinity'
limit_memory
[[ ! -e $MEMORY_GROUP ]] || echo 'figure: OOMPolicy= was not tried, since memory is limited by a cgroup v1 of this host'
from_now
eventually 20 some '.MESSAGE == "null 9"' RX_KIND=event RX_PIPELINE=killed
eventually 20 some '.MESSAGE | test("command failed: .*signal 9")' RX_KIND=sink RX_PIPELINE=run
killed() { (($(records RX_KIND=event RX_PIPELINE=killed | wc -l) >= $1)); }
eventually 20 killed 3
every '.MESSAGE == "null 9"' RX_KIND=event RX_PIPELINE=killed

(($(longest) < 5000)) || fail "beats were $(longest) ms apart"
equal "$(show MainPID) $(show ActiveState) $(show NRestarts)" "$pid active 0"
box systemctl stop rxwatchd
equal "$(show Result) $(show ExecMainStatus)" 'success 0'
eventually 10 some '.MESSAGE | test("^stopped on SIGTERM: 0 live objects")' RX_PHASE=stopped
