# The daemon's processor time for an event, by kind of step.
. "${0%/*}/lib.sh"
install_package

# pipelines STEPS SINKS: prints a configuration with forty such pipelines, from a source that ticks 500 times a second.
pipelines() {
    echo 'sources: { tick: { interval: 2ms } }'
    echo 'pipelines:'
    for n in {1..40}; do echo "  p$n: { from: tick, steps: [$1], to: [$2] }"; done
}

# cost STEPS SINKS: prints the microseconds of the daemon's processor time for an event of one pipeline.
cost() {
    pipelines "$1" "$2" | begin
    local used began
    used=$(cpu) began=${EPOCHREALTIME/./}
    from_now
    while ((${EPOCHREALTIME/./} < began + 5000000)); do sleep 0.1; done
    jq -rn "($(cpu) - $used) * 1e6 / ((${EPOCHREALTIME/./} - $began) / 1e6 * 500 * 40) * 100 | round / 100"
}

base=$(cost ignoreElements stdout)
figure "an event without other steps: $base us"
for step in 'map: "{tick}"' 'filter: .tick >= 0' 'scan: { seed: 0, next: $state + 1 }' distinctUntilChanged 'debounce: 1ms' pairwise; do
    three=$(cost "$step, $step, $step, ignoreElements" stdout)
    figure "${step%%:*}: $(jq -rn "($three - $base) / 3 * 100 | round / 100") us each"
done
figure "journal: $(jq -rn "$(cost '' journal) - $base | . * 100 | round / 100") us"
