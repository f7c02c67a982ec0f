# Journal sources that read everything do not feed each other, nor themselves by standard output or a command.
. "${0%/*}/../lib.sh"

install_package
box install -D -m 644 -t /etc/systemd/system/rxwatchd.service.d /usr/share/rxwatchd/drop-ins/read-journal.conf
box systemctl daemon-reload
put "$SHIPPED" <<'YAML'
daemon: { resources: 200ms }
sources:
  all: { journal: {} }
  others: { journal: { match: { PRIORITY: ["0", "1", "2", "3", "4", "5", "6", "7"] } } }
  own: { journal: { match: { _SYSTEMD_UNIT: rxwatchd.service } } }
  errors: { journal: { match: { RX_KIND: event } } }
pipelines:
  one: { from: all, to: [journal: "one {{.MESSAGE}}", stdout, command: { run: [logger, -t, echoed, "{{.MESSAGE}}"] }] }
  two: { from: others, to: [journal: "two {{.MESSAGE}}", stdout] }
  three: { from: own, to: [journal: { message: "three", fields: { SEEN: "{{.MESSAGE}}" } }, stdout] }
  four: { from: errors, to: [journal: { message: "four", fields: { SEEN: "{{.MESSAGE}}" } }] }
YAML
box systemctl restart rxwatchd
from_now
box logger -t note 'noted here'
eventually 10 some '.MESSAGE == "one noted here"' RX_KIND=event RX_PIPELINE=one
eventually 10 some '.MESSAGE == "two noted here"' RX_KIND=event RX_PIPELINE=two
# Its resource records are written five times a second, and only the source that matches them reads them.
eventually 10 some '.MESSAGE == "three"' RX_KIND=event RX_PIPELINE=three
count() { records RX_KIND=event RX_PIPELINE="$1" | grep -c 'noted here' || true; }
settled() { [[ $(records RX_KIND=resources | wc -l) -gt 40 ]]; }
eventually 10 settled
equal "$(count one) $(count two) $(count four)" '1 1 0' 'a loop'
equal "$(show ActiveState) $(show NRestarts)" 'active 0'
