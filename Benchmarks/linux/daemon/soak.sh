# SOAK seconds (default: 600) of every source, of most sinks, a spool, reloads and a client under load: memory, descriptors,
# watches and subscriptions do not grow.
. "${BASH_SOURCE[0]%/*}/lib.sh"
install_package
box mkdir -m 755 /srv/watched
put /etc/nginx/conf.d/api.conf <<'NGINX'
server { listen 127.0.0.1:8080; location / { default_type application/json; return 200 '{"load": 3}'; } }
NGINX
box systemctl restart nginx
box sh -c 'cd /usr/share/rxwatchd/drop-ins && install -D -m 644 read-journal.conf -t /etc/systemd/system/rxwatchd.service.d &&
    systemctl stop rxwatchd && install -D -m 644 units.sysusers /etc/sysusers.d/rxwatchd.conf && systemd-sysusers && systemctl daemon-reload'
begin <<'YAML'
daemon: { resources: 5s, drain: 1s }
sources:
  tick: { interval: 5ms }
  made: { files: { paths: [/srv/watched], recursive: true } }
  api: { http: { url: "http://127.0.0.1:8080/load", every: 20ms } }
  nginx: { unit: nginx.service }
  notes: { journal: { match: { SYSLOG_IDENTIFIER: note } } }
  date: { command: { run: [date, "+%Y"], every: 100ms } }
pipelines:
  changes: { from: made, to: [journal: "{{.kind}} {{.path}}", file: { path: /var/lib/rxwatchd/changes.jsonl }] }
  ticks: { from: tick, steps: [map: .tick, scan: { seed: 0, next: $state + 1 }, filter: . % 20 == 0], to: [journal, stdout] }
  loads: { from: api, steps: [map: .body.load?, pairwise], to: [http: { url: "http://127.0.0.1:8080/sink", method: POST }] }
  kept: { from: loads, to: [file: { path: /var/lib/rxwatchd/loads.jsonl, queue: { disk: 1MiB } }] }
  units: { from: nginx, to: [journal] }
  noted: { from: notes, steps: [throttle: 100ms], to: [command: { run: ["true"], overlap: latest }] }
  years: { combineLatest: [date, nginx], steps: [groupBy: { key: ".[0].exit", steps: [debounce: 10ms] }], to: [stdout] }
  asks: { from: tick, steps: [throttle: 100ms, flatMapLatest: { http: { url: "http://127.0.0.1:8080/{{.tick}}" } }], to: [stdout] }
YAML
limit_memory
box bash -c 'n=0; while [ ! -e /srv/stop ]; do echo 1 >"/srv/watched/$((n++ % 50))"; echo note | systemd-cat -t note; done' &
load=$!
box bash -c 'while [ ! -e /srv/stop ]; do rxwatchctl tap ticks loads | head -n 100 >/srv/tapped; done' &
client=$!
sample() {
    box rxwatchctl status --json | jq -c '.details | [.resources.subscriptions, .watches, .fds]'
}
length=${SOAK:-600} began=$SECONDS
for tenth in {1..10}; do
    until ((SECONDS >= began + length * tenth / 10)); do sleep 1; done
    # Another text of a pipeline: a reload replaces it.
    box sed -i "s/throttle: [0-9]*ms\\]/throttle: $((100 + tenth))ms]/" "$SHIPPED"
    box rxwatchctl reload >/dev/null
    anonymous=$(memory RssAnon)
    counts=$(sample)
    ((tenth == 5)) && half=$anonymous half_counts=$counts
    figure "after $((SECONDS - began)) s: subscriptions, watches, descriptors $counts; $(memory VmRSS) KiB resident, $anonymous anonymous"
done
box touch /srv/stop
wait "$load" "$client"
box test -s /srv/tapped || fail 'the client has got no line'
figure "$(box rxwatchctl status --json | jq -r '.details | "\(.queued) queued, \(.dropped) dropped"')"
# Some commands and requests are running at any moment.
jq -ne --argjson half "$half_counts" --argjson last "$counts" \
    'all(range($half | length); $last[.] <= $half[.] * 1.1 + 10)' >/dev/null ||
    fail "subscriptions, watches, descriptors $counts, and $half_counts half the time before"
at_most "$((half * 11 / 10 + 1024))" "$anonymous" 'KiB anonymous, where half the time took them'
equal "$(records RX_KIND=error | jq -r .MESSAGE)" ''
