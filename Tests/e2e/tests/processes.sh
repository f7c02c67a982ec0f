# No process that a command has started outlives it, whatever its session, its open files and its environment.
. "${0%/*}/../lib.sh"

install_package
put "$SHIPPED" <<'YAML'
daemon: { drain: 500ms, resources: 1h }
sources:
  once: { interval: { every: 1h, delay: 0s } }
pipelines:
  leaves:
    from: once
    to:
      - command:
          run:
            - sh
            - -c
            - |
              sleep 1001 &
              setsid sleep 1002 &
              (setsid sleep 1003 >/dev/null 2>&1 &)
              env -i setsid sh -c '(sleep 1004 &) >/dev/null 2>&1' &
              echo begun >/var/lib/rxwatchd/begun
              sleep 1
YAML
running() { box pgrep -c -f "^sleep 100[1-5]" || true; }
gone() { [[ $(running) == 0 ]]; }
box systemctl restart rxwatchd
eventually 10 box test -e /var/lib/rxwatchd/begun
all() { [[ $(running) == 4 ]]; }
eventually 10 all
# The processes keep its output open until the grace time is over.
eventually 10 some '.MESSAGE | test("command done")' RX_KIND=sink RX_PIPELINE=leaves
gone || fail 'something is left'
equal "$(show ActiveState) $(show NRestarts)" 'active 0'
# The daemon has no zombies, either.
zombies() { box ps -o stat= --ppid "$(show MainPID)" | grep -c ^Z || true; }
none() { [[ $(zombies) == 0 ]]; }
eventually 10 none

# At a stop, a command that ignores SIGTERM is killed after its grace time, with processes that have left its session.
put "$SHIPPED" <<'YAML'
daemon: { drain: 500ms, resources: 1h }
sources: { once: { interval: { every: 1h, delay: 0s } } }
pipelines:
  deaf:
    from: once
    to:
      - command:
          run:
            - sh
            - -c
            - trap '' TERM; echo deaf >/var/lib/rxwatchd/deaf; setsid sh -c 'sleep 1005; sleep 1005' & while :; do sleep 1; done
YAML
box systemctl restart rxwatchd
eventually 10 box test -e /var/lib/rxwatchd/deaf
stop_within 8
((TOOK > 5000000)) || fail "the stop took $TOOK us"
gone || fail 'something is left'
some '.RX_RESOURCES_TOTAL == "0"' RX_PHASE=stopped || fail 'the daemon did not wait for the end of the command'

# With `overlap: cancel`, a command begins when all processes of the cancelled one have ended, also those in other sessions.
put "$SHIPPED" <<'YAML'
daemon: { drain: 500ms, resources: 1h }
sources: { tick: { interval: { every: 1s, delay: 0s } } }
pipelines:
  cancelled:
    from: tick
    steps: [take: 3]
    to:
      - command:
          overlap: cancel
          run:
            - sh
            - -c
            - |
              cd /var/lib/rxwatchd
              for process in $(cat pids 2>/dev/null); do
                  ! kill -0 "$process" 2>/dev/null || echo "{{.tick}}: $process is running" >>overlaps
              done
              echo $$ >>pids
              setsid sh -c 'echo $$ >>pids; trap "sleep 0.5; exit" TERM; while :; do sleep 0.05; done' &
              sh -c 'echo $$ >>pids; trap "" TERM; sleep 1' &
              echo "{{.tick}}" >>ticks
              wait
YAML
from_now
box systemctl restart rxwatchd
eventually 15 box grep -qx 2 /var/lib/rxwatchd/ticks
equal "$(box cat /var/lib/rxwatchd/ticks)" $'0\n1\n2'
equal "$(box sh -c 'cat /var/lib/rxwatchd/overlaps 2>/dev/null || true')" ''
(($(box cat /var/lib/rxwatchd/pids | wc -l) >= 6)) || fail 'too few processes'
box systemctl stop rxwatchd
equal "$(show Result) $(show ExecMainStatus)" 'success 0'
eventually 10 some '.MESSAGE | test("^stopped on SIGTERM: 0 live objects")' RX_PHASE=stopped
