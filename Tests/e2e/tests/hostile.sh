# The daemon continues, and records it, when the journal hangs or dies, a disk is full or read-only, or an expression does not end.
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
  endless: { from: slow, steps: [map: 'if .tick == 1 then (("a" * 3000 | explode) as $e | last($e[] as $a | $e[] as $b | $e[] as $c | 1)) else .tick end'], to: [stdout] }
YAML
box systemctl restart rxwatchd
pid=$(show MainPID)
alive() { equal "$(show MainPID) $(show ActiveState) $(show NRestarts)" "$pid active 0"; }

# The disk is full after some hundred lines: each refused line is recorded, up to the limit, and counted, until there is room.
eventually 10 some '.MESSAGE | test("lines: file .*[Nn]o space")' RX_KIND=sink RX_PIPELINE=lines
from_now
eventually 10 some '.RX_DROPPED | tonumber > 5' RX_KIND=resources RX_PIPELINE=lines
(($(records RX_KIND=sink RX_PIPELINE=lines PRIORITY=3 | wc -l) <= 100)) || fail 'too many records of refused lines'
box sh -c ': >/srv/small/lines'
eventually 10 some '.MESSAGE | test("lines: file works again")' RX_KIND=sink RX_PIPELINE=lines
eventually 10 box grep -q '"n":' /srv/small/lines

# The same on a read-only disk.
FROM=
eventually 10 some '.MESSAGE | test("frozen: file .*[Rr]ead-only")' RX_KIND=sink RX_PIPELINE=frozen
eventually 10 some '.RX_DROPPED | tonumber > 3' RX_KIND=resources RX_PIPELINE=frozen

# The expression is recorded with its place, then stopped; its pipeline continues, and no other was delayed.
eventually 10 some '.MESSAGE | test("rxwatchd.yaml:9:.*")' RX_KIND=error RX_ERROR_TYPE=JQSlowRun RX_PIPELINE=endless
eventually 10 some '.MESSAGE | test("endless failed.*did not return")' RX_KIND=error RX_CAUSE=slow:1
every '.MESSAGE | test("^beat [0-9]+$")' RX_KIND=event
alive

# While journald hangs, no record is lost for which there is room; when it dies, its next process gets the queued records.
from_now
box systemctl kill --signal=STOP systemd-journald
queued() { box rxwatchctl status --json | jq .details.queued; }
many_queued() { (($(queued) > 20)); }
few_queued() { (($(queued) < 5)); }
eventually 10 many_queued
box systemctl kill --signal=CONT systemd-journald
eventually 10 few_queued
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
