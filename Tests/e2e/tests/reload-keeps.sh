# A reload keeps what the configuration still says: its subscription, its state, its counts.
. "${0%/*}/../lib.sh"

install_package
# counting [EXPRESSION]: one pipeline that counts from 0, and another that EXPRESSION is for.
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
eventually 5 some '.MESSAGE == "count 5"' RX_PIPELINE=count
before=$(box rxwatchctl status --json | jq -c .details.resources.subscriptions)
for round in {1..100}; do
    counting ".tick + $round" | put "$SHIPPED"
    box systemctl reload rxwatchd
done
status=$(box rxwatchctl status --json)
equal "$(jq .details.generation <<<"$status")" 101
equal "$(jq -c .details.resources.subscriptions <<<"$status")" "$before"
# Every number from the first to the last, each once: nothing was lost or told twice, and nothing began anew.
eventually 5 some '.RX_GENERATION == "101"' RX_PIPELINE=count
records RX_PIPELINE=count RX_KIND=event | jq -es '[.[].MESSAGE | ltrimstr("count ") | tonumber]
    | . == [range(.[0]; .[-1] + 1)] and .[-1] > 20' >/dev/null || fail "$(records RX_PIPELINE=count | jq -r .MESSAGE | tr '\n' ' ')"
equal "$(records RX_KIND=source | jq -r .MESSAGE)" ''
equal "$(records RX_KIND=error | jq -r .MESSAGE)" ''
