# A journal that hangs and one that dies, a full disk, one that nobody may write to, an expression without an end: the daemon goes on, and says so.
. "${0%/*}/../lib.sh"

install_package
box mkdir -m 777 /srv/small
box mount -t tmpfs -o size=16k,mode=777 tmpfs /srv/small
box mkdir -m 777 /srv/frozen
box mount -t tmpfs -o ro,size=16k,mode=777 tmpfs /srv/frozen
drop_in small <<'CONF'
[Service]
ReadWritePaths=/srv/small /srv/frozen
CONF
put "$SHIPPED" <<'YAML'
daemon: { resources: 200ms, drain: 1s }
sources:
  tick: { interval: 20ms }
  slow: { interval: 1s }
pipelines:
  beats: { from: tick, steps: [map: .tick], to: [journal: "beat {{.}}"] }
  lines: { from: tick, steps: [map: '{n: .tick, filling: ("x" * 100)}'], to: [file: /srv/small/lines] }
  frozen: { from: slow, to: [file: /srv/frozen/lines] }
  endless: { from: slow, steps: [map: 'if .tick == 1 then until(false; .) else .tick end'], to: [stdout] }
YAML
box systemctl restart rxwatchd
pid=$(show MainPID)
alive() { equal "$(show MainPID) $(show ActiveState) $(show NRestarts)" "$pid active 0"; }

# The disk is full after some hundred lines: said of each, but for those that are too many, counted, and over when there is room.
eventually 10 some '.MESSAGE | test("lines: file .*[Nn]o space")' RX_KIND=sink RX_PIPELINE=lines
from_now
eventually 5 some '.RX_DROPPED | tonumber > 5' RX_KIND=resources RX_PIPELINE=lines
(($(records RX_KIND=sink RX_PIPELINE=lines PRIORITY=3 | wc -l) <= 100)) || fail 'too many records of refused lines'
box sh -c ': >/srv/small/lines'
eventually 5 some '.MESSAGE | test("lines: file can be written to again")' RX_KIND=sink RX_PIPELINE=lines
eventually 5 box grep -q '"n":' /srv/small/lines

# The same where nobody may write.
FROM=
eventually 5 some '.MESSAGE | test("frozen: file .*[Rr]ead-only")' RX_KIND=sink RX_PIPELINE=frozen
eventually 5 some '.RX_DROPPED | tonumber > 3' RX_KIND=resources RX_PIPELINE=frozen

# The expression is named with its place, then stopped; its pipeline goes on, and nobody else was held up.
eventually 10 some '.MESSAGE | test("rxwatchd.yaml:9:.*")' RX_KIND=error RX_ERROR_TYPE=JQSlowRun RX_PIPELINE=endless
eventually 10 some '.MESSAGE | test("endless failed.*came to no end")' RX_KIND=error RX_CAUSE=slow:1
every '.MESSAGE | test("^beat [0-9]+$")' RX_KIND=event
alive

# While journald hangs nothing is lost that there is room for; when it dies, its next process gets what waits.
from_now
box systemctl kill --signal=STOP systemd-journald
eventually 10 box sh -c '[ "$(rxwatchctl status --json | sed "s/.*\"queued\":\([0-9]*\).*/\1/")" -gt 20 ]'
box systemctl kill --signal=CONT systemd-journald
eventually 10 box sh -c '[ "$(rxwatchctl status --json | sed "s/.*\"queued\":\([0-9]*\).*/\1/")" -lt 5 ]'
box systemctl kill --signal=KILL systemd-journald
eventually 10 box systemctl is-active systemd-journald
from_now
eventually 10 some '.MESSAGE | test("^beat ")' RX_KIND=event
alive
FROM=
numbers() { records RX_KIND=event RX_PIPELINE=beats | jq -es '[.[].MESSAGE | ltrimstr("beat ") | tonumber] | sort | unique | .[-1] + 1 - length'; }
(($(numbers) <= 5)) || fail "$(numbers) beats are missing"
box systemctl stop rxwatchd
equal "$(show ExecMainStatus)" 0
