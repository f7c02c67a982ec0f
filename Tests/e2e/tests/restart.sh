# Changes of files while the daemon was not running are emitted by the next process, each once: after a restart with the
# descriptors that the service manager keeps, without them from the saved snapshot of watched files. After
# a crash, the last changes may be emitted again.
. "${0%/*}/../lib.sh"

install_package
box mkdir -m 755 /srv/watched
put "$SHIPPED" <<'YAML'
daemon: { drain: 1s }
sources: { made: { files: { paths: [/srv/watched], recursive: true, events: [created, removed] } } }
pipelines: { p: { from: made, to: [journal: "{{.kind}} {{.path}}"] } }
YAML
drop_in slow <<'CONF'
[Service]
ExecStartPre=/bin/sh -c 'while [ -e /srv/hold ]; do :; done'
RestartSec=0
CONF
box systemctl restart rxwatchd
from_now
# emitted: prints how often each change was emitted, as "COUNT KIND PATH" in the order of the paths.
emitted() { records RX_KIND=event | jq -r .MESSAGE | sort | uniq -c | sed 's/^ *//'; }
# away COMMAND: restarts the service with COMMAND, and runs the shell script on standard input before it has started.
away() {
    box touch /srv/hold
    "$@"
    eventually 10 is ActiveState activating
    box sh
    box rm /srv/hold
    eventually 10 is ActiveState active
}
expect() { equal "$(emitted)" "$(cat)" "what was emitted"; }

box touch /srv/watched/before
eventually 10 some '.MESSAGE == "created /srv/watched/before"' RX_KIND=event

away box systemctl restart --no-block rxwatchd <<'SH'
mkdir -p /srv/watched/deep/er && touch /srv/watched/deep/er/restarted
SH
eventually 10 some '.MESSAGE == "created /srv/watched/deep/er/restarted"' RX_KIND=event
expect <<'EVENTS'
1 created /srv/watched/before
1 created /srv/watched/deep
1 created /srv/watched/deep/er
1 created /srv/watched/deep/er/restarted
EVENTS

away box systemctl kill --signal=KILL rxwatchd <<'SH'
touch /srv/watched/deep/er/crashed && rm /srv/watched/before
SH
eventually 10 some '.MESSAGE == "created /srv/watched/deep/er/crashed"' RX_KIND=event
eventually 10 some '.MESSAGE == "removed /srv/watched/before"' RX_KIND=event

# After a stop the service manager keeps no descriptors: the daemon continues from the saved snapshot of watched files.
box systemctl stop rxwatchd
from_now
box touch /srv/watched/stopped
box systemctl start rxwatchd
eventually 10 some '.MESSAGE == "created /srv/watched/stopped"' RX_KIND=event
expect <<'EVENTS'
1 created /srv/watched/stopped
EVENTS

# Without the descriptors, a crash loses no change either, nor one in a directory that was replaced at the same time.
drop_in storeless <<'CONF'
[Unit]
StartLimitIntervalSec=0
[Service]
FileDescriptorStoreMax=0
CONF
box systemctl restart rxwatchd
equal "$(show FileDescriptorStoreMax)" 0
box sh -c 'mkdir /srv/watched/swapped && touch /srv/watched/swapped/one'
eventually 10 some '.MESSAGE == "created /srv/watched/swapped/one"' RX_KIND=event
# Killed at once after a change.
box touch /srv/watched/last
away box systemctl kill --signal=KILL rxwatchd <<'SH'
rm /srv/watched/stopped
mv /srv/watched/swapped /srv/gone && mkdir /srv/watched/swapped && touch /srv/watched/swapped/two
SH
for change in created\ {last,swapped/two} removed\ {stopped,swapped/one}; do
    eventually 10 some ".MESSAGE == \"${change/ / /srv/watched/}\"" RX_KIND=event
done
