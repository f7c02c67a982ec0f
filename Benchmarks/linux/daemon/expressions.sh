# The time until a hundred pipelines with different expressions are ready, and what an expression costs in another process.
. "${0%/*}/lib.sh"
install_package
{
    echo 'sources: { tick: { interval: 1h } }'
    echo 'pipelines:'
    for n in {1..100}; do
        echo "  p$n: { from: tick, steps: [map: '{n: (.tick + $n), at: (.time | todate)}'], to: [stdout] }"
    done
} | begin
ready=$(ready)
figure "a hundred expressions: ready after $ready ms, $(memory VmRSS) KiB resident"
at_most 500 "$ready" 'ms until ready'

# cost EXPRESSION: sets `daemon` and `child` to the microseconds of processor time for an event of the expression, of the
# daemon and of the other processes, and `resident` to the KiB that these take.
cost() {
    local began used used_others
    {
        echo 'sources: { tick: { interval: 10ms } }'
        echo 'pipelines:'
        for n in {1..10}; do echo "  p$n: { from: tick, steps: [map: '$1', ignoreElements], to: [stdout] }"; done
    } | begin
    eventually 10 some true RX_PHASE=ready
    from_now
    # Both processes start with the first request.
    sleep 2
    mapfile -t others < <(box pgrep -P "$(show MainPID)")
    used=$(cpu) began=${EPOCHREALTIME/./} used_others=0
    ((${#others[@]} == 0)) || used_others=$(cpu "${others[@]}")
    while ((${EPOCHREALTIME/./} < began + 5000000)); do sleep 0.1; done
    per_event() { jq -rn "$1 * 1e6 / ((${EPOCHREALTIME/./} - $began) / 1e6 * 1000) | round"; }
    daemon=$(per_event "($(cpu) - $used)") child=0 resident=0
    ((${#others[@]} == 0)) || child=$(per_event "($(cpu "${others[@]}") - $used_others)")
    for other in "${others[@]}"; do
        resident=$((resident + $(box awk '$1 == "VmRSS:" {print $2}' "/proc/$other/status")))
    done
}
cost '{tick}'
figure "an expression in the daemon: $daemon us of its processor time for an event"
here=$daemon
cost 'last(limit(1; repeat({tick})))'
figure "an expression in another process: $daemon us of the daemon's and $child us of that process's; ${#others[@]} processes take $resident KiB"
((child > 0)) || fail 'the expression was evaluated in the daemon'
at_most $((here + 500)) "$daemon" 'us of the daemon for an event evaluated elsewhere'
