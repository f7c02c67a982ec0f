# On a stop, the daemon releases everything, verifies that, and exits with status 0 within two seconds.
. "${0%/*}/../lib.sh"

install_package
config | put "$SHIPPED"

# stopped COUNT: succeeds if the daemon has recorded COUNT stops, each without live objects.
stopped() {
    [[ $(records RX_PHASE=stopped | jq -s 'map(select(.RX_RESOURCES_TOTAL == "0" and .RX_RESOURCES_BASELINE == "0"))
        | length') -eq $1 ]]
}

box systemctl stop rxwatchd # the one that the installation started
eventually 10 stopped 1
count=1
for signal in TERM INT; do
    box systemctl start rxwatchd
    pid=$(show MainPID)
    eventually 10 some '.RX_SEQUENCE == "2"' RX_KIND=event "_PID=$pid"
    began=${EPOCHREALTIME/./}
    if [[ $signal == TERM ]]; then box systemctl stop rxwatchd; else box systemctl kill -s "$signal" rxwatchd; fi
    eventually 10 is ActiveState inactive
    took=$((${EPOCHREALTIME/./} - began))
    ((took < 2000000)) || fail "SIG$signal took $took us"
    equal "$(show Result) $(show ExecMainCode) $(show ExecMainStatus) $(show NRestarts)" 'success 1 0 0'
    count=$((count + 1))
    eventually 10 stopped "$count"
    some true RX_PHASE=stopping "_PID=$pid" || fail 'no record of stopping'
done
equal "$(records RX_PHASE=stopped | wc -l)" "$count" 'a stop that left something alive'

# A stop at any moment of the start is not a failure.
for _ in {1..20}; do
    box systemctl reset-failed rxwatchd
    box systemctl start --no-block rxwatchd
    sleep "0.0$((RANDOM % 90 + 10))"
    box systemctl stop rxwatchd
    equal "$(show Result) $(show ActiveState)" 'success inactive' 'stopped while it starts'
done
count=$(records RX_PHASE=stopped | wc -l)
eventually 10 stopped "$count"

# In the first moments, too. Until the first lines of the program's main function block SIGTERM, the process can only end by
# the signal's default action, which the service manager counts as a clean exit. From then on, the process must stop
# in order, with status 0.
put /usr/local/bin/stopped-early <<'SH'
#!/bin/sh
# Becomes the daemon, which gets SIGTERM after $DELAY. Notes whether it has blocked the signal (bit 14) by then. The shell
# that it was before blocks signals for a moment, too, when it forks, as does the C library when it starts a thread: that
# blocks all signals.
({
    sleep "$DELAY"
    state=open
    while read -r name value; do
        case $name$value in
            Name:*) program=$value ;;
            SigBlk:00000000*[4567cdef]???) [ "$program" != rxwatchd ] || state=blocked ;;
        esac
    done </proc/$$/status
    echo "$state" >/var/lib/rxwatchd/sigterm
    kill $$
} &)
exec /usr/bin/rxwatchd
SH
box chmod 755 /usr/local/bin/stopped-early
drop_in early <<'CONF'
[Unit]
StartLimitIntervalSec=0
[Service]
ExecStart=
ExecStart=/usr/local/bin/stopped-early
Restart=no
CONF
# A start fails if the daemon ends before it is ready.
box sh >"$SCRATCH/early" <<'SH'
for number in $(seq 60); do
    delay=0.0$((number % 21 / 10))$((number % 21 % 10))
    systemctl set-environment "DELAY=$delay"
    systemctl start rxwatchd 2>/dev/null
    for _ in $(seq 500); do
        state=$(systemctl show -p ExecMainCode,ExecMainStatus,MainPID rxwatchd | sort | sed 's/.*=//' | xargs)
        [ "${state##* }" != 0 ] || break
    done
    echo "$delay $(cat /var/lib/rxwatchd/sigterm) $state"
    rm /var/lib/rxwatchd/sigterm
done
SH
# CLD_EXITED with status 0, or CLD_KILLED by SIGTERM; no process is left.
if grep -vE ' (blocked 1 0|open 1 0|open 2 15) 0$' "$SCRATCH/early"; then fail 'a start that ended in another way'; fi
in_order=$(grep -c ' 1 0 0$' "$SCRATCH/early")
((in_order > 0)) || fail 'no signal came after the first moments'
count=$((count + in_order))
echo "figure: $in_order of 60 starts that got SIGTERM within 20 ms stopped in order, and the others ended at once"
box rm /etc/systemd/system/rxwatchd.service.d/early.conf
box systemctl daemon-reload
eventually 10 stopped "$count"

# Also under load: within the drain time, with every event that it has accepted finished or counted.
put "$SHIPPED" <<'YAML'
daemon: { drain: 1s, resources: 1h }
sources: { tick: { interval: 1ms } }
pipelines:
  lines: { from: tick, to: [file: /var/lib/rxwatchd/ticks] }
  records: { from: tick, steps: [map: .tick], to: [journal: "tick {{.}}"] }
  runs: { from: tick, to: [command: { run: [sleep, "0.05"], queue: 50 }] }
YAML
box systemctl start rxwatchd
eventually 10 box sh -c '[ "$(wc -l </var/lib/rxwatchd/ticks)" -gt 1000 ]'
began=${EPOCHREALTIME/./}
box systemctl stop rxwatchd
took=$((${EPOCHREALTIME/./} - began))
((took < 3000000)) || fail "it took $took us"
equal "$(show Result) $(show ExecMainStatus)" 'success 0'
eventually 10 stopped "$((count + 1))"
equal "$(box cat /var/lib/rxwatchd/ticks | jq -s 'length - 1 - .[-1].tick')" 0 'lines that are missing'

# A command that is running when the service is stopped may finish: systemd signals the daemon alone.
put "$SHIPPED" <<'YAML'
daemon: { drain: 10s, resources: 1h }
sources: { once: { interval: { every: 1h, delay: 0s } } }
pipelines:
  slow:
    from: once
    to: [command: { run: [sh, -c, 'echo begun >>/var/lib/rxwatchd/slow; sleep 2; echo done >>/var/lib/rxwatchd/slow'] }]
YAML
from_now
box systemctl start rxwatchd
eventually 10 box grep -qx begun /var/lib/rxwatchd/slow
box systemctl stop rxwatchd
equal "$(box cat /var/lib/rxwatchd/slow)" $'begun\ndone'
equal "$(show Result) $(show ExecMainStatus)" 'success 0'
eventually 10 stopped 1
some '.MESSAGE | test("command done")' RX_KIND=sink RX_PIPELINE=slow || fail 'no record of the command'
if some '.RX_UNSETTLED' RX_PHASE=stopping; then fail 'the event of the command is unsettled'; fi
