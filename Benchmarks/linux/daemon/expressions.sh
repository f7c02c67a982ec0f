# The time until a hundred pipelines with different expressions are ready.
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
