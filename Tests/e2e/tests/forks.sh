# A command that starts processes without end is ended with all of them; the daemon and its other pipelines go on.
. "${0%/*}/../lib.sh"

install_package
put "$SHIPPED" <<'YAML'
daemon: { drain: 1s, resources: 1h }
sources:
  tick: { interval: 100ms }
  once: { interval: { every: 1h, delay: 500ms } }
pipelines:
  beats: { from: tick, steps: [map: .tick], to: [journal: "beat {{.}}"] }
  bomb:
    from: once
    steps: [flatMap: { command: { run: [sh, -c, 'trap "" TERM; f() { f & f & wait; }; f 2>/dev/null & exec sleep 100'], timeout: 2s } }]
    to: [journal: "bomb {{.timedOut}}"]
  other:
    from: tick
    steps: [flatMapFirst: { command: { run: [echo, fine] } }]
    to: [journal: "{{.stdout}}"]
YAML
box systemctl restart rxwatchd
pid=$(show MainPID)
limit_tasks
tasks() { if [[ -e $TASKS_GROUP/pids.current ]]; then cat "$TASKS_GROUP/pids.current"; else show TasksCurrent; fi; }
many() { (($(tasks) > 900)); }
few() { (($(tasks) < 100)); }
equal "$(show TasksMax)" 1024
eventually 10 many
began=${EPOCHREALTIME/./}
eventually 30 few
echo "figure: gone after $(((${EPOCHREALTIME/./} - began) / 1000)) ms, with a timeout of 2 s and 5 s to end"
from_now
eventually 10 some '.MESSAGE | test("^fine")' RX_KIND=event RX_PIPELINE=other
FROM=
eventually 10 some '.MESSAGE | test("^bomb true")' RX_KIND=event RX_PIPELINE=bomb
continues "$pid"
