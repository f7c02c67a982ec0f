# A file system that does not answer, below a watched path, delays neither the start, nor other sources, nor the stop.
. "${0%/*}/../lib.sh"

install_package
box systemctl stop rxwatchd
box mkdir -p /srv/fuse /srv/automount /srv/late /srv/local
box mknod -m 666 /dev/fuse c 10 229

# mount_fuse PATH: mounts a FUSE file system whose server answers no request. Without `-i`, mount(8) would run a helper.
mount_fuse() {
    box sh -c 'exec 9<>/dev/fuse &&
        mount -i -t fuse -o fd=9,rootmode=40000,user_id=0,group_id=0,allow_other silent "$1" &&
        exec sleep 1000' sh "$1" </dev/null >/dev/null 2>&1 &
    eventually 10 box grep -q " $1 fuse " /proc/mounts
}
# mount_automount PATH: makes an automount point whose manager mounts nothing: an access waits, except by the manager's process
# group, here that of PID 1.
mount_automount() {
    box sh -c 'mkfifo /run/automount && exec 9<>/run/automount &&
        mount -i -t autofs -o fd=9,pgrp=1,minproto=5,maxproto=5,direct silent "$1" &&
        exec sleep 1000' sh "$1" </dev/null >/dev/null 2>&1 &
    eventually 10 box grep -q " $1 autofs " /proc/mounts
}
mount_fuse /srv/fuse
mount_automount /srv/automount
put "$SHIPPED" <<'YAML'
daemon: { drain: 1s }
sources:
  fuse: { files: { paths: /srv/fuse/tree, recursive: true } }
  automount: { files: { paths: /srv/automount/tree, recursive: true } }
  above: { files: { paths: /srv, recursive: true } }
  late: { files: { paths: /srv/late, recursive: true } }
  local: { files: { paths: /srv/local } }
  entries: { journal: { directory: /srv/fuse/journal } }
  tick: { interval: 100ms }
pipelines:
  hung: { merge: [fuse, automount, above, late, entries], to: [stdout] }
  changes: { from: local, to: [journal: "{{.kind}} {{.path}}"] }
  ticks: { from: tick, to: [file: /srv/fuse/ticks, journal: "tick {{.tick}}"] }
YAML
from_now
box systemctl start rxwatchd
pid=$(show MainPID)
took=$(($(show ActiveEnterTimestampMonotonic) - $(show ExecMainStartTimestampMonotonic)))
((took < 3000000)) || fail "ready only after $took us"
for source in fuse automount above entries; do
    eventually 10 some '.MESSAGE | test("does not answer")' RX_KIND=source "RX_SOURCE=$source"
done

# A change of another path is emitted, and so are ticks, although one of their sinks is blocked.
seen() {
    box touch "/srv/local/$1"
    eventually 10 some ".MESSAGE == \"created /srv/local/$1\"" RX_KIND=event RX_PIPELINE=changes
    from_now
    eventually 10 some '.MESSAGE | test("^tick ")' RX_KIND=event RX_PIPELINE=ticks
}
seen a
# The same for a file system that is mounted while its path is watched.
mount_fuse /srv/late
eventually 10 some '.MESSAGE | test("/srv/late is on a file system that does not answer")' RX_KIND=source RX_SOURCE=late
seen b
box rxwatchctl status >/dev/null
equal "$(show MainPID) $(show NRestarts)" "$pid 0"

stop_within 9
echo "figure: stopped after $((TOOK / 1000)) ms"
eventually 10 some '.PRIORITY == "4" and (.MESSAGE | contains("leaked") | not)' RX_PHASE=stopped
for work in 'watching files on /srv/automount' 'watching files on /srv/fuse' 'watching files on /srv/late' \
    'reading the journal in' 'appending to'; do
    some ".MESSAGE | contains(\"$work\")" RX_PHASE=stopped || fail "not named: $work: $(records RX_PHASE=stopped | jq -r .MESSAGE)"
done
