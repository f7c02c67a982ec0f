# What happens to files while the daemon is away is told when it is back: each change once, with the store of the service
# manager after a restart, and without it from what was saved. After a crash, what came last may be told again.
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
# told: how often each file was told of, as "COUNT KIND PATH" in order of the paths.
told() { records RX_KIND=event | jq -r .MESSAGE | sort | uniq -c | sed 's/^ *//'; }
# away COMMAND: what starts the service anew; meanwhile the files of a shell command on standard input change.
away() {
    box touch /srv/hold
    "$@"
    eventually 5 is ActiveState activating
    box sh
    box rm /srv/hold
    eventually 10 is ActiveState active
}
expect() { equal "$(told)" "$(cat)" "what was told"; }

box touch /srv/watched/before
eventually 5 some '.MESSAGE == "created /srv/watched/before"' RX_KIND=event

away box systemctl restart --no-block rxwatchd <<'SH'
mkdir -p /srv/watched/deep/er && touch /srv/watched/deep/er/restarted
SH
eventually 5 some '.MESSAGE == "created /srv/watched/deep/er/restarted"' RX_KIND=event
expect <<'TOLD'
1 created /srv/watched/before
1 created /srv/watched/deep
1 created /srv/watched/deep/er
1 created /srv/watched/deep/er/restarted
TOLD

away box systemctl kill --signal=KILL rxwatchd <<'SH'
touch /srv/watched/deep/er/crashed && rm /srv/watched/before
SH
eventually 5 some '.MESSAGE == "created /srv/watched/deep/er/crashed"' RX_KIND=event
eventually 5 some '.MESSAGE == "removed /srv/watched/before"' RX_KIND=event

# Stopped for good, the service manager keeps nothing: the saved table has to do.
box systemctl stop rxwatchd
from_now
box touch /srv/watched/stopped
box systemctl start rxwatchd
eventually 5 some '.MESSAGE == "created /srv/watched/stopped"' RX_KIND=event
expect <<'TOLD'
1 created /srv/watched/stopped
TOLD
