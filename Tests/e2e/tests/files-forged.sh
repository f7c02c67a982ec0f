# A saved snapshot of watched files that is larger than MemoryMax=, with a valid checksum, does not keep the daemon from
# starting.
. "${0%/*}/../lib.sh"

install_package
config | put "$SHIPPED"
box systemctl stop rxwatchd
state=/var/lib/rxwatchd
# A gigabyte of zeros, which is a hole in the file, with its checksum.
box rm -f $state/files.table
box perl -e 'print pack "a8L<L<Q<Q<Q<", "rxfiles", 3, 1, 4096, 1 << 30, 18138289501258098767' | put $state/files.table
box truncate -s 2G $state/files.table
box chown --reference=$state/ $state/files.table
# Waits until the memory of the process is limited.
drop_in limited <<'CONF'
[Service]
ExecStart=
ExecStart=/bin/sh -c 'while [ -e /srv/hold ]; do sleep 0.02; done; exec /usr/bin/rxwatchd'
CONF
from_now
box touch /srv/hold
box systemctl start --no-block rxwatchd
starting() { [[ $(show MainPID) != 0 ]]; }
eventually 10 starting
pid=$(show MainPID)
limit_memory
box rm /srv/hold
settled() { [[ $(show ActiveState) != activating || $(show NRestarts) != 0 ]]; }
eventually 25 settled
equal "$(show MainPID) $(show ActiveState) $(show NRestarts)" "$pid active 0"
eventually 10 some '.MESSAGE | test("^beat ")' RX_KIND=event
box systemctl stop rxwatchd
equal "$(show Result) $(show ExecMainStatus)" 'success 0'
eventually 10 some '.MESSAGE | test("^stopped on SIGTERM: 0 live objects")' RX_PHASE=stopped
