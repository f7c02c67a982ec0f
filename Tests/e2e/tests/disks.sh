# Another disk than that of the root directory has a queue of its own in the service manager's store, and changes on both
# disks while the daemon is not running are emitted by the next process, also of a file that existed only meanwhile.
. "${0%/*}/../lib.sh"

install_package
box sh -ec 'test -e /dev/loop-control || mknod /dev/loop-control c 10 237
    for number in 0 1 2 3 4 5 6 7; do test -e "/dev/loop$number" || mknod "/dev/loop$number" b 7 "$number"; done
    mkdir -p /srv/disk /srv/local
    truncate -s 8M /srv/image && mkfs.ext4 -q /srv/image && mount -o loop /srv/image /srv/disk && chmod 755 /srv/disk'
put "$SHIPPED" <<'YAML'
daemon: { drain: 1s }
sources:
  disk: { files: { paths: [/srv/disk], events: [created, removed, moved] } }
  local: { files: { paths: [/srv/local], events: [created, removed, moved] } }
pipelines: { p: { merge: [disk, local], to: [journal: "{{.kind}} {{.path}}"] } }
YAML
drop_in slow <<'CONF'
[Service]
ExecStartPre=/bin/sh -c 'while [ -e /srv/hold ]; do :; done'
RestartSec=0
CONF
box systemctl restart rxwatchd
eventually 10 is NFileDescriptorStore 4
# away NAME COMMAND: restarts the service with COMMAND, and changes files before it has started.
away() {
    from_now
    box touch /srv/hold
    "${@:2}"
    eventually 10 is ActiveState activating
    for place in disk local; do
        box sh -ec "cd /srv/$place && touch $1 && mv $1 $1.moved && touch $1.short && rm $1.short"
    done
    box rm /srv/hold
    eventually 10 is ActiveState active
    for place in disk local; do
        # After a crash, the move may be emitted as the creation that a comparison finds.
        eventually 10 some ".MESSAGE | test(\"^(created|moved) /srv/$place/$1.moved$\")" RX_KIND=event
        for event in created removed; do
            eventually 10 some ".MESSAGE == \"$event /srv/$place/$1.short\"" RX_KIND=event
        done
    done
    equal "$(show NFileDescriptorStore)" 4
}
away restarted box systemctl restart --no-block rxwatchd
for place in disk local; do
    eventually 10 some ".MESSAGE == \"created /srv/$place/restarted\"" RX_KIND=event
    eventually 10 some ".MESSAGE == \"moved /srv/$place/restarted.moved\"" RX_KIND=event
done
equal "$(records RX_KIND=event | wc -l)" 8 "the number of events: $(records RX_KIND=event | jq -r .MESSAGE)"
away crashed box systemctl kill --signal=KILL rxwatchd

# From the saved snapshots, after a stop: what exists is found.
box systemctl stop rxwatchd
from_now
box touch /srv/disk/stopped /srv/local/stopped
box systemctl start rxwatchd
for place in disk local; do eventually 10 some ".MESSAGE == \"created /srv/$place/stopped\"" RX_KIND=event; done
equal "$(records RX_KIND=event | wc -l)" 2
box systemctl stop rxwatchd
box umount /srv/disk
