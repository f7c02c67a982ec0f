# A hundred reloads while files change and clocks tick: the same number of objects is alive afterwards.
. "${0%/*}/lib.sh"
install_package
box mkdir -m 755 /srv/watched
# varied N: prints a configuration in which two sources and one pipeline depend on N.
varied() {
    cat <<YAML
daemon: { resources: 1s, drain: 1s }
sources:
  tick: { interval: 10ms }
  varied: { interval: $((10 + $1 % 2))ms }
  made: { files: { paths: [/srv/watched], recursive: true } }
  other: { files: { paths: [/srv/watched], exclude: ["*.$1"] } }
pipelines:
  kept: { from: tick, steps: [scan: { seed: 0, next: \$state + 1 }, filter: . % 100 == 0], to: [journal] }
  changes: { from: made, steps: [debounce: 100ms], to: [journal] }
  varied-pipeline: { combineLatest: [varied, other], steps: [map: '. + [$1]', throttle: 1s], to: [stdout] }
YAML
}
# alive: prints the numbers of live objects, watches and descriptors.
alive() {
    box rxwatchctl status --json | jq -c '.details | [.resources.total, .resources.subscriptions, .resources.timers, .watches, .fds]'
}
varied 0 | begin
box bash -c 'while [ ! -e /srv/stop ]; do echo 1 >/srv/watched/a; mv /srv/watched/a /srv/watched/b; done' &
load=$!
for n in {1..10}; do varied "$n" | put "$SHIPPED" && box systemctl reload rxwatchd; done
before=$(alive) memory=$(memory RssAnon)
for n in {11..110}; do varied "$n" | put "$SHIPPED" && box systemctl reload rxwatchd; done
figure "a hundred reloads under load: anonymous memory from $memory to $(memory RssAnon) KiB"
settled() { [[ $(alive) == "$before" ]]; }
eventually 10 settled
figure "live, subscriptions, timers, watches, descriptors: $before before and after"
box touch /srv/stop
wait "$load"
equal "$(records RX_KIND=error | jq -r .MESSAGE)" ''
