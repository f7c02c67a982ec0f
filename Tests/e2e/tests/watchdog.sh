# A step that never returns, or a process that does not run, is killed by the watchdog and started again.
. "${0%/*}/../lib.sh"

# watchdog COUNT: so many times was it killed by the watchdog.
watchdog() { [[ $(box journalctl -q --no-pager -o json -u rxwatchd UNIT_RESULT=watchdog | wc -l) -ge $1 ]]; }

install_package
drop_in quick <<<$'[Unit]\nStartLimitIntervalSec=0\n[Service]\nWatchdogSec=1s\nRestartSec=50ms'
box systemctl restart rxwatchd
equal "$(show WatchdogUSec)" 1s

box systemctl kill -s STOP rxwatchd
eventually 5 watchdog 1
eventually 5 is NRestarts 1
eventually 5 is ActiveState active

# An idle pipeline is no reason to be killed: here is one whose next event is far away, for a few timeouts' time.
config | sed 's/100ms/1h/; s/resources: 1s/resources: 500ms/' | put "$SHIPPED"
box systemctl restart rxwatchd
pid=$(show MainPID)
counted() { (($(records RX_KIND=resources RX_PIPELINE=heartbeat "_PID=$pid" | wc -l) >= $1)); }
eventually 10 counted 6
equal "$(show MainPID)" "$pid"

config 'last(range(0; infinite))' | put "$SHIPPED"
box systemctl restart --no-block rxwatchd
eventually 10 watchdog 2
eventually 10 watchdog 3

# Once it is put right, the next start stays up.
config | put "$SHIPPED"
from_now
eventually 10 some '.RX_SEQUENCE == "5"' RX_KIND=event
equal "$(show ActiveState)" active
