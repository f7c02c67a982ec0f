# The watchdog kills a daemon with a step that never returns, or a stopped process, and the service is restarted.
. "${0%/*}/../lib.sh"

# watchdog COUNT: succeeds if the watchdog has killed the daemon COUNT times.
watchdog() { [[ $(box journalctl -q --no-pager -o json -u rxwatchd UNIT_RESULT=watchdog | wc -l) -ge $1 ]]; }

install_package
drop_in quick <<<$'[Unit]\nStartLimitIntervalSec=0\n[Service]\nWatchdogSec=1s\nRestartSec=50ms'
box systemctl restart rxwatchd
equal "$(show WatchdogUSec)" 1s

box systemctl kill -s STOP rxwatchd
eventually 10 watchdog 1
eventually 10 is NRestarts 1
eventually 10 is ActiveState active

# An idle pipeline is not killed: its next event is far away, for a time of several timeouts.
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

# With the error corrected, the next start keeps running.
config | put "$SHIPPED"
from_now
eventually 10 some '.RX_SEQUENCE == "5"' RX_KIND=event
equal "$(show ActiveState)" active
