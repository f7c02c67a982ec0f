# What clients of the control socket cost: one that follows a node without events, those that follow a thousand events a second,
# and the time of a request.
. "${0%/*}/lib.sh"
install_package
{
    echo 'sources:'
    echo '  quiet: { interval: 1h }'
    for n in {1..10}; do echo "  s$n: { interval: 10ms }"; done
    echo 'pipelines:'
    echo '  still: { from: quiet, to: [stdout] }'
    for n in {1..10}; do echo "  p$n: { from: s$n, steps: [map: .tick], to: [file: /var/lib/rxwatchd/ticks] }"; done
} | begin

# used SECONDS: prints the milliseconds of processor time that the daemon uses in a second.
used() {
    local before began
    before=$(cpu) began=${EPOCHREALTIME/./}
    while ((${EPOCHREALTIME/./} < began + $1 * 1000000)); do sleep 0.1; done
    jq -rn "($(cpu) - $before) * 1e9 / (${EPOCHREALTIME/./} - $began) | round"
}
# with WHAT ARGUMENT...: the same while a client follows events, and what it prints.
with() {
    local what=$1 client
    shift
    box timeout 60 rxwatchctl tap "$@" >"$SCRATCH/tap" &
    client=$!
    sleep 0.5
    figure "$what: $(used 10) ms a second; $(wc -l <"$SCRATCH/tap") lines printed"
    box pkill -f 'rxwatchctl tap' || true
    wait "$client" || true
}
sleep 1
figure "a thousand events a second: $(used 10) ms of processor time a second"
with 'a client that follows a node without events' still
with 'a client that follows one of ten pipelines' p1
with 'a client that follows all' --json
figure "again without clients: $(used 10) ms a second"

box sh -c 'for _ in $(seq 50); do rxwatchctl status >/dev/null; done'
began=${EPOCHREALTIME/./}
box sh -c 'for _ in $(seq 200); do rxwatchctl status >/dev/null; done'
figure "rxwatchctl status takes $(((${EPOCHREALTIME/./} - began) / 200)) us"
began=${EPOCHREALTIME/./}
box sh -c 'for _ in $(seq 200); do rxwatchctl --version >/dev/null; done'
figure "rxwatchctl --version takes $(((${EPOCHREALTIME/./} - began) / 200)) us"
