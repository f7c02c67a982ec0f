# How many events a second get through three steps into the journal, from up to forty sources.
. "${0%/*}/lib.sh"
install_package
{
    echo 'sources:'
    for n in {1..40}; do echo "  s$n: { interval: 1ms }"; done
    echo 'pipelines:'
    for n in {1..40}; do
        echo "  p$n: { from: s$n, steps: [map: '{tick}', filter: .tick >= 0, distinctUntilChanged], to: [journal: '{{.tick}}'] }"
    done
} | begin
used=$(cpu) began=${EPOCHREALTIME/./}
while ((${EPOCHREALTIME/./} < began + 5000000)); do sleep 0.1; done
used=$(jq -rn "($(cpu) - $used) * 1e6 / (${EPOCHREALTIME/./} - $began) * 100 | round")
dropped=$(box rxwatchctl status --json | jq .details.dropped)
box systemctl stop rxwatchd
# The journal keeps the last of them only.
rate=$(records RX_KIND=event | jq -rs 'map(.__REALTIME_TIMESTAMP | tonumber) | sort | (length - 1) * 1e6 / (.[-1] - .[0]) | round')
figure "$rate records a second of 40000 ticks; $dropped dropped; the daemon took $used % of a core"
