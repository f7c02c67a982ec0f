# Every record has the fields that rxwatchd.journal-fields(7) promises.
. "${0%/*}/../lib.sh"

install_package
config | put "$SHIPPED"
box systemctl stop rxwatchd
from_now
box systemctl start rxwatchd
eventually 10 some '.RX_PIPELINE == "heartbeat"' RX_KIND=resources
eventually 10 some '.RX_SOURCE == "tick"' RX_KIND=resources
eventually 10 some '.RX_SEQUENCE == "3"' RX_KIND=event

every '.RX_KIND and .RX_GENERATION == "1" and .SYSLOG_IDENTIFIER == "rxwatchd"' _SYSTEMD_UNIT=rxwatchd.service

every '.MESSAGE_ID == "a9f9ceec45724414afdfd94a35495d85"' RX_KIND=lifecycle
for phase in starting ready; do some true RX_KIND=lifecycle "RX_PHASE=$phase" || fail "no $phase"; done

event='.MESSAGE_ID == "943618d354e64f088f6f8d2ba3c5db19" and .RX_PIPELINE == "heartbeat" and .RX_SINK
    and (.RX_CAUSE | test("^tick:[0-9]+$")) and .PRIORITY == "6"'
every "$event"' and (.MESSAGE | test("^beat [0-9]+$"))' RX_KIND=event

resources='.MESSAGE_ID == "48b916c3df4e47678cab100abf1ae2d6" and all(.RX_RESOURCES_TOTAL, .RX_OBSERVABLES,
    .RX_SUBSCRIPTIONS, .RX_DISPOSABLES, .RX_SUBJECTS, .RX_TIMERS; tonumber >= 0)'
whole='.RX_PIPELINE or .RX_SOURCE or all(.RX_WATCHES, .RX_QUEUED, .RX_SPOOLED, .RX_DROPPED, .RX_RSS_KIB, .RX_FDS; tonumber >= 0)'
every "$resources and ($whole)" RX_KIND=resources
# The total of the daemon is info, the numbers of a single node are debug.
every '.PRIORITY == if .RX_PIPELINE or .RX_SOURCE then "7" else "6" end' RX_KIND=resources
some '.RX_PIPELINE == null and .RX_SOURCE == null and all(.RX_RESOURCES_TOTAL, .RX_SUBSCRIPTIONS, .RX_TIMERS, .RX_RSS_KIB, .RX_FDS;
    tonumber > 0)' RX_KIND=resources || fail 'nothing is alive'
