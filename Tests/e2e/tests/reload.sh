# A reload runs the new configuration, or, if that has errors, changes nothing.
. "${0%/*}/../lib.sh"

install_package
pid=$(show MainPID)
config | put "$SHIPPED"
box systemctl reload rxwatchd
# The new configuration is running when the reload has returned.
equal "$(box rxwatchctl status --json | jq .details.generation)" 2
eventually 10 some '.RX_GENERATION == "2"' RX_KIND=reload
eventually 10 some '.MESSAGE | test("^beat [0-9]+$")' RX_KIND=event RX_GENERATION=2

config | sed 's/every/evry/' | put "$SHIPPED"
refuses 1 box systemctl reload rxwatchd
eventually 10 some ".MESSAGE | startswith(\"$SHIPPED:3:23: \")" RX_KIND=reload PRIORITY=3
from_now
eventually 10 some '.RX_GENERATION == "2"' RX_KIND=event

config | put "$SHIPPED"
box systemctl reload rxwatchd
eventually 10 some '.RX_GENERATION == "3"' RX_KIND=event
equal "$(show MainPID) $(show ActiveState) $(show NRestarts)" "$pid active 0"

# Failures of kept nodes are recorded with their places in the new configuration.
kept() {
    printf '%b' "$1"
    cat <<'YAML'
sources: { tick: { interval: 100ms } }
pipelines:
  odd: { from: tick, steps: [filter: .tick % 2 == 1], to: [journal: "{{.tick | error(\"no\")}}"] }
YAML
}
kept '' | put "$SHIPPED"
box systemctl reload rxwatchd
eventually 10 some ".MESSAGE | test(\"$SHIPPED:3:\")" RX_PIPELINE=odd PRIORITY=3
kept '# one\n# two\n# three\n' | put "$SHIPPED"
box systemctl reload rxwatchd
eventually 10 some ".MESSAGE | test(\"$SHIPPED:6:\")" RX_PIPELINE=odd PRIORITY=3
