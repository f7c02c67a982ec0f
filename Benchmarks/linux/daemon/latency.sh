# The time from a change of a file to its journal record, and to the command that it starts, at 1,000 changes a second.
. "${0%/*}/lib.sh"
install_package
box mkdir -m 755 /srv/watched

# changes COUNT: as many files as that, one a millisecond, each named after the microsecond of its making. It sleeps in
# between: a busy loop would take one of two cores from the daemon.
changes() {
    box bash -c 'exec {never}<> <(:)
        start=${EPOCHREALTIME/./}
        for ((n = 0; n < $1; n++)); do
            while ((${EPOCHREALTIME/./} < start + n * 1000)); do read -r -t 0.0003 -u "$never"; done
            : >"/srv/watched/${EPOCHREALTIME/./}"
        done' bash "$1"
}

begin <<'YAML'
sources: { made: { files: { paths: [/srv/watched], events: [created] } } }
pipelines: { p: { from: made, to: [journal: "{{.path}}"] } }
YAML
from_now
changes 10000
eventually 20 box sh -c '[ "$(journalctl -q -u rxwatchd -o cat RX_KIND=event | wc -l)" -ge 10000 ]'
read -r median p99 worst < <(records RX_KIND=event |
    jq '(._SOURCE_REALTIME_TIMESTAMP | tonumber) - (.MESSAGE | split("/")[-1] | tonumber)' | percentiles)
figure "change to journal record: median $median us, p99 $p99 us, worst $worst us"
at_most 5000 "$p99" 'us at the 99th of 100'

box sh -c 'rm -r /srv/watched && mkdir -m 755 /srv/watched'
begin <<'YAML'
sources: { made: { files: { paths: [/srv/watched], events: [created] } } }
pipelines:
  # One change in ten: an event that waits for the previous command would not show how soon a command starts.
  p: { from: made, steps: [filter: '.path[-4:-3] == "0"'], to: [command: { run: [logger, --tag, started, "{{.path}}"] }] }
YAML
from_now
changes 10000
started() { box journalctl -q --no-pager -t started -o json --since="${FROM#--since=}"; }
eventually 20 box sh -c '[ "$(journalctl -q -t started -o cat | wc -l)" -ge 500 ]'
read -r median p99 worst < <(started |
    jq '(._SOURCE_REALTIME_TIMESTAMP | tonumber) - (.MESSAGE | split("/")[-1] | tonumber)' | percentiles)
figure "change to command: $(started | wc -l) started, median $median us, p99 $p99 us, worst $worst us"

# The same without a change to detect: the time that the program itself takes to start and to write to the journal.
changes 5000 &
load=$!
from_now
box bash -c 'for ((n = 0; n < 400; n++)); do logger --tag alone "${EPOCHREALTIME/./}"; sleep 0.01; done'
wait "$load"
read -r alone worst_alone _ < <(box journalctl -q --no-pager -t alone -o json --since="${FROM#--since=}" |
    jq '(._SOURCE_REALTIME_TIMESTAMP | tonumber) - (.MESSAGE | tonumber)' | percentiles)
figure "the command alone, started by bash beside as many changes: median $alone us, p99 $worst_alone us"
at_most 5000 "$((p99 - alone))" 'us at the 99th of 100, without the start of the command itself'
