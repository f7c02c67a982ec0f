# Expressions that could exhaust the memory, crash the daemon or never end are errors of their events.
. "${0%/*}/../lib.sh"

install_package
box sh -c 'mkdir -p /srv/bombs && awk "BEGIN { for (i = 0; i < 80000; i++) printf \"abcd \" }" >/srv/bombs/words &&
    awk "BEGIN { for (i = 0; i < 240000; i++) printf \"abcd \" }" >/srv/bombs/many'
put /etc/nginx/conf.d/bombs.conf <<'NGINX'
server { listen 127.0.0.1:8080; root /srv/bombs; default_type text/plain; }
NGINX
box systemctl restart nginx
shared=$(printf '[., .] | %.0s' {1..30})
put "$SHIPPED" <<YAML
daemon: { drain: 1s }
sources:
  tick: { interval: 100ms }
  slow: { interval: { every: 2s, delay: 0s } }
  words: { http: { url: "http://127.0.0.1:8080/words", every: 1s } }
  many: { http: { url: "http://127.0.0.1:8080/many", every: 5s, maxBody: 2MiB } }
  printed: { command: { run: [sh, -c, 'head -c 1000000 /dev/zero | tr "\\0" "["'], every: 1s } }
pipelines:
  beats: { from: tick, steps: [map: .tick], to: [journal: "beat {{.}}"] }
  scanned: { from: words, steps: [map: '[.body | scan("[a-z_]+")] | length'], to: [journal: "{{.}} words"] }
  searched: { from: many, steps: [map: '[.body | scan("[a-z_]+")] | length'], to: [journal: "{{.}} words"] }
  parsed: { from: printed, steps: [map: '.stdout | fromjson'], to: [stdout] }
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

# What ends an expression first depends on how fast the machine is.
ended='.MESSAGE | test("MiB of memory|did not return|all of its time")'
eventually 60 some "$ended" RX_KIND=error RX_PIPELINE=shared
eventually 60 some '.MESSAGE == "80000 words" or (.MESSAGE | test("stopped after"))' RX_PIPELINE=scanned
# A builtin that takes too long for 1.2 MB cannot be interrupted; the watchdog is answered all the time.
eventually 60 some '.MESSAGE == "240000 words" or (.MESSAGE | test("stopped after|MiB of memory|did not return"))' RX_PIPELINE=searched
eventually 60 some "$ended" RX_KIND=error RX_PIPELINE=ranged
eventually 60 some "$ended" RX_KIND=error RX_PIPELINE=repeated
eventually 60 some '.MESSAGE | test("nested too deep|MiB of memory|did not return|all of its time")' RX_KIND=error RX_PIPELINE=nested
eventually 60 some '.MESSAGE | test("did not return|all of its time")' RX_KIND=error RX_PIPELINE=endless
eventually 60 some '.MESSAGE | test("xceeds depth limit")' RX_KIND=error RX_PIPELINE=parsed
eventually 60 some '.MESSAGE | test("32 MiB of memory")' RX_KIND=error RX_PIPELINE=doubled

# While the others keep the evaluators busy, an expression may get none. From jq 1.7 on, jq does not abort.
box sed -i '/^  \(ranged\|repeated\|nested\|endless\|shared\|searched\): /d' "$SHIPPED"
box systemctl reload rxwatchd
eventually 60 some '.MESSAGE == "sliced" or (.MESSAGE | test("jq aborted"))' RX_PIPELINE=sliced

continues "$pid"
