# Data of a server, a command or an expression that could exhaust the memory or crash the daemon is an error of its event.
. "${0%/*}/../lib.sh"

install_package
box sh -c 'mkdir -p /srv/bombs && cd /srv/bombs
    objects() { awk -v n="$1" "BEGIN { printf \"[{}\"; for (i = 1; i < n; i++) printf \",{}\"; printf \"]\" }"; }
    objects 600000 | gzip -9 >objects.gz
    objects 340000 | gzip -9 >within.gz
    head -c 33554432 /dev/zero | tr "\0" x | gzip -9 >long.gz
    head -c 900000 /dev/zero | tr "\0" x >text
    awk "BEGIN { for (i = 0; i < 80000; i++) printf \"abcd \" }" >words
    mkdir storm'
put /etc/nginx/conf.d/bombs.conf <<'NGINX'
server {
    listen 127.0.0.1:8080;
    root /srv/bombs;
    default_type text/plain;
    location ~ ^/(objects|within) { default_type application/json; add_header Content-Encoding gzip; try_files $uri.gz =404; }
    location /long { add_header Content-Encoding gzip; try_files $uri.gz =404; }
}
NGINX
box systemctl restart nginx
shared=$(printf '[., .] | %.0s' {1..30})
put "$SHIPPED" <<YAML
daemon: { drain: 1s }
sources:
  tick: { interval: 100ms }
  slow: { interval: { every: 2s, delay: 0s } }
  burst: { interval: 100ms }
  objects: { http: { url: "http://127.0.0.1:8080/objects", every: 500ms } }
  within: { http: { url: "http://127.0.0.1:8080/within", every: 500ms } }
  long: { http: { url: "http://127.0.0.1:8080/long", every: 500ms } }
  large: { http: { url: "http://127.0.0.1:8080/long", every: 500ms, maxBody: 64MiB } }
  text: { http: { url: "http://127.0.0.1:8080/text", every: 100ms } }
  words: { http: { url: "http://127.0.0.1:8080/words", every: 1s } }
  storm: { files: { paths: /srv/bombs/storm, events: created } }
  printed: { command: { run: [sh, -c, 'head -c 1000000 /dev/zero | tr "\\0" "["'], every: 1s } }
pipelines:
  beats: { from: tick, steps: [map: .tick], to: [journal: "beat {{.}}"] }
  answers: { merge: [objects, within, long, large], to: [journal: "{{\$event.source}} {{.ok}} {{.error.code}}"] }
  mapped: { from: burst, steps: [map: '"x" * 1000000'], to: [command: { run: [sleep, "1000"] }] }
  hung: { from: text, to: [command: { run: [sleep, "1000"] }] }
  scanned: { from: words, steps: [map: '[.body | scan("[a-z_]+")] | length'], to: [journal: "{{.}} words"] }
  parsed: { from: printed, steps: [map: '.stdout | fromjson'], to: [stdout] }
  catted: { from: storm, steps: [flatMap: { command: { run: [sh, -c, "cat /srv/bombs/text; sleep 2"], timeout: 10s } }], to: [journal: "{{.exit}} {{.truncated}}"] }
  ranged: { from: slow, steps: [map: '[range(1e9)]'], to: [stdout] }
  repeated: { from: slow, steps: [map: '[repeat("x" * 1000000)]'], to: [stdout] }
  nested: { from: slow, steps: [map: 'reduce range(1e7) as \$i (0; [.])'], to: [stdout] }
  sliced: { from: slow, steps: [map: '[1] | .[nan:]'], to: [journal: sliced] }
  endless: { from: slow, steps: [map: 'last(repeat(.))'], to: [stdout] }
  shared: { from: slow, steps: [map: '$shared tojson'], to: [stdout] }
  doubled: { from: tick, steps: [scan: { seed: [1], next: '[\$state, \$state]' }], to: [stdout] }
YAML
box systemctl restart rxwatchd
pid=$(show MainPID)
limit_memory

# Five hundred files at once, and a program with a large output for each.
box sh -c 'cd /srv/bombs/storm && for number in $(seq 500); do : >"$number"; done'
for answer in 'objects false bodyLimit' 'within false bodyLimit' 'long false bodyLimit' 'large true null'; do
    eventually 20 some ".MESSAGE == \"$answer\"" RX_KIND=event RX_PIPELINE=answers
done
eventually 20 some '.MESSAGE | test("text: inFlight reached: .* MiB are unsettled")' RX_KIND=source RX_SOURCE=text
eventually 20 some '.MESSAGE | test("burst: inFlight reached: .* MiB are unsettled")' RX_KIND=source RX_SOURCE=burst
# What ends an expression first depends on how fast the machine is.
ended='.MESSAGE | test("MiB of memory|did not return|all of the time")'
eventually 40 some "$ended" RX_KIND=error RX_PIPELINE=shared
eventually 30 some '.MESSAGE == "80000 words" or (.MESSAGE | test("stopped after"))' RX_PIPELINE=scanned
eventually 40 some '.MESSAGE | test("MiB of memory")' RX_KIND=error RX_PIPELINE=ranged
eventually 40 some "$ended" RX_KIND=error RX_PIPELINE=repeated
eventually 40 some '.MESSAGE | test("nested too deep|MiB of memory")' RX_KIND=error RX_PIPELINE=nested
# From jq 1.7 on, jq does not abort.
eventually 40 some '.MESSAGE == "sliced" or (.MESSAGE | test("makes jq abort"))' RX_PIPELINE=sliced
eventually 40 some '.MESSAGE | test("did not return|all of the time")' RX_KIND=error RX_PIPELINE=endless
eventually 60 some '.MESSAGE | test("32 MiB of memory")' RX_KIND=error RX_PIPELINE=doubled

eventually 30 some '.MESSAGE | test("^0 (true|false)$")' RX_KIND=event RX_PIPELINE=catted

# Meanwhile no other pipeline was delayed for long.
from_now
eventually 5 some '.MESSAGE | test("^beat ")' RX_KIND=event RX_PIPELINE=beats
FROM=
(($(longest) < 2000)) || fail "the beats were $(longest) ms apart"
equal "$(show MainPID) $(show ActiveState) $(show NRestarts)" "$pid active 0"
echo "figure: the daemon took up to $(($(box sed -n 's/VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$pid/status") >> 10)) MiB"
[[ ! -e $MEMORY_GROUP/memory.max_usage_in_bytes ]] || echo "figure: with what it started, $(($(<"$MEMORY_GROUP/memory.max_usage_in_bytes") >> 20)) MiB"
box systemctl stop rxwatchd
equal "$(show ExecMainStatus)" 0
