# A reload keeps the subscriptions, the state and the counts of nodes that the configuration has not changed.
. "${0%/*}/../lib.sh"

install_package
# counting [EXPRESSION]: prints a configuration with a pipeline that counts from 0, and another one with EXPRESSION.
counting() {
    cat <<YAML
daemon: { resources: 1s, drain: 1s }
sources:
  tick: { interval: { every: 50ms } }
pipelines:
  count: { from: tick, steps: [scan: { seed: -1, next: \$state + 1 }], to: [journal: "count {{.}}"] }
  other: { from: tick, steps: [map: '${1:-.tick}'], to: [stdout] }
YAML
}
counting | put "$SHIPPED"
box systemctl restart rxwatchd
from_now
eventually 10 some '.MESSAGE == "count 5"' RX_PIPELINE=count
# The number of subscriptions, once two answers a second apart agree: those of a start or a reload are disposed a moment later.
subscriptions() {
    local last='' now
    while now=$(box rxwatchctl status --json | jq -c .details.resources.subscriptions) && [[ $now != "$last" ]]; do
        last=$now
        sleep 1
    done
    echo "$now"
}
before=$(subscriptions)
for round in {1..100}; do
    counting ".tick + $round" | put "$SHIPPED"
    box systemctl reload rxwatchd
done
status=$(box rxwatchctl status --json)
equal "$(jq .details.generation <<<"$status")" 101
equal "$(subscriptions)" "$before"
# Every number from the first to the last, each once: no event was lost or repeated, and no count began anew.
eventually 10 some '.RX_GENERATION == "101"' RX_PIPELINE=count
records RX_PIPELINE=count RX_KIND=event | jq -es '[.[].MESSAGE | ltrimstr("count ") | tonumber]
    | . == [range(.[0]; .[-1] + 1)] and .[-1] > 20' >/dev/null || fail "$(records RX_PIPELINE=count | jq -r .MESSAGE | tr '\n' ' ')"
equal "$(records RX_KIND=source | jq -r .MESSAGE)" ''
equal "$(records RX_KIND=error | jq -r .MESSAGE)" ''
