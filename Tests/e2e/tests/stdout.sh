# When the reader of standard output does not read, a record says that the source is held back, and no other pipeline waits.
. "${0%/*}/../lib.sh"

install_package
box mkfifo /srv/lines
# A reader that reads nothing.
box sh -c 'exec 9<>/srv/lines; exec sleep 1000' </dev/null >/dev/null 2>&1 &
drop_in blocked <<'CONF'
[Service]
StandardOutput=file:/srv/lines
StandardError=journal
CONF
put "$SHIPPED" <<'YAML'
daemon: { drain: 1s, resources: 200ms }
sources:
  fast: { interval: { every: 1ms, inFlight: 500 } }
  tick: { interval: 100ms }
pipelines:
  lines: { from: fast, steps: [map: '{tick, filling: ("x" * 1000)}'], to: [stdout] }
  beats: { from: tick, steps: [map: .tick], to: [journal: "beat {{.}}", file: /var/lib/rxwatchd/beats] }
YAML
from_now
box systemctl restart rxwatchd
pid=$(show MainPID)
eventually 10 some '.MESSAGE | test("fast: inFlight reached")' RX_KIND=source RX_SOURCE=fast PRIORITY=4
eventually 10 some '.MESSAGE == "the reader of standard output does not read: lines of stdout sinks wait"' RX_KIND=error PRIORITY=4
from_now
eventually 10 some '.RX_UNSETTLED | tonumber >= 500' RX_KIND=resources RX_SOURCE=fast
eventually 10 some '.MESSAGE | test("^beat ")' RX_KIND=event RX_PIPELINE=beats
lines() { box cat /var/lib/rxwatchd/beats | wc -l; }
before=$(lines)
more_lines() { (($(lines) > before)); }
eventually 10 more_lines
box rxwatchctl reload >/dev/null
equal "$(show MainPID) $(show NRestarts)" "$pid 0"

# A stop does not wait for the reader.
stop_within 3
eventually 10 some '(.RX_UNSETTLED // "0" | tonumber) >= 500' RX_PHASE=stopping
eventually 10 some '.MESSAGE | test("^stopped on SIGTERM: 0 live objects")' RX_PHASE=stopped

# The lines that are not written are delivered again by the next start: the reader gets each line once.
from_now
box sh -c 'echo $$ >/run/reader; exec cat /srv/lines' >"$SCRATCH/lines" &
box systemctl start rxwatchd
read_lines() { (($(wc -l <"$SCRATCH/lines") > 600)); }
eventually 10 read_lines
box systemctl stop rxwatchd
equal "$(head -n 500 "$SCRATCH/lines" | jq -s 'map(.tick) == [range(500)]')" true 'the lines 0 to 499'
equal "$(show Result) $(show ExecMainStatus)" 'success 0'
eventually 10 some '.MESSAGE | test("^stopped on SIGTERM: 0 live objects")' RX_PHASE=stopped

# Without the second setting, standard error is the same file, and the records are printed there: they wait, too.
box sh -c 'kill "$(cat /run/reader)"'
drop_in blocked <<'CONF'
[Service]
StandardOutput=file:/srv/lines
ExecStart=
ExecStart=/usr/bin/rxwatchd --resources
CONF
box systemctl start rxwatchd
pid=$(show MainPID)
full() { box sh -c 'timeout 0.1 sh -c "echo x >/srv/lines"; [ $? = 124 ]'; }
eventually 10 full
before=$(lines)
eventually 10 more_lines
box rxwatchctl status >/dev/null
equal "$(show MainPID) $(show NRestarts)" "$pid 0"
began=${EPOCHREALTIME/./}
box systemctl stop rxwatchd
took=$((${EPOCHREALTIME/./} - began))
((took < 5000000)) || fail "the stop took $took us"
equal "$(show Result) $(show ExecMainStatus)" 'success 0'
