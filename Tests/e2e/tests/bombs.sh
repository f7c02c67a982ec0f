# Data of a server or a command that could exhaust the memory or crash the daemon is an error of its event.
. "${0%/*}/../lib.sh"

install_package
box sh -c 'mkdir -p /srv/bombs && cd /srv/bombs
    objects() { awk -v n="$1" "BEGIN { printf \"[{}\"; for (i = 1; i < n; i++) printf \",{}\"; printf \"]\" }"; }
    objects 600000 | gzip -9 >objects.gz
    objects 340000 | gzip -9 >within.gz
    head -c 33554432 /dev/zero | tr "\0" x | gzip -9 >long.gz
    head -c 900000 /dev/zero | tr "\0" x >text
    head -c 100000 /dev/zero | tr "\0" "[" >nested
    awk "BEGIN { for (i = 0; i < 1500; i++) printf \"add_header F%d x;\n\", i }" >fields
    awk "BEGIN { for (i = 0; i < 900; i++) printf \"add_header Field-%d %0100d;\n\", i, 0 }" >header
    mkdir storm'
put /etc/nginx/conf.d/bombs.conf <<'NGINX'
server {
    listen 127.0.0.1:8080;
    root /srv/bombs;
    default_type text/plain;
    location ~ ^/(objects|within) { default_type application/json; add_header Content-Encoding gzip; try_files $uri.gz =404; }
    location /nested { default_type application/json; }
    location /fields { include /srv/bombs/fields; try_files /text =404; }
    location /header { include /srv/bombs/header; return 204; }
    location /long { add_header Content-Encoding gzip; try_files $uri.gz =404; }
}
NGINX
box systemctl restart nginx
put "$SHIPPED" <<YAML
daemon: { drain: 1s }
sources:
  tick: { interval: 100ms }
  burst: { interval: 100ms }
  slow: { interval: 1s }
  objects: { http: { url: "http://127.0.0.1:8080/objects", every: 500ms } }
  within: { http: { url: "http://127.0.0.1:8080/within", every: 500ms } }
  long: { http: { url: "http://127.0.0.1:8080/long", every: 500ms } }
  large: { http: { url: "http://127.0.0.1:8080/long", every: 500ms, maxBody: 64MiB } }
  fields: { http: { url: "http://127.0.0.1:8080/fields", every: 500ms } }
$(for number in {1..300}; do echo "  header$number: { http: { url: 'http://127.0.0.1:8080/header', every: 2s } }"; done)
  nested: { http: { url: "http://127.0.0.1:8080/nested", every: 500ms } }
  text: { http: { url: "http://127.0.0.1:8080/text", every: 100ms } }
  storm: { files: { paths: /srv/bombs/storm, events: created } }
pipelines:
  beats: { from: tick, steps: [map: .tick], to: [journal: "beat {{.}}"] }
  answers: { merge: [objects, within, long, large, fields], to: [journal: "{{\$event.source}} {{.ok}} {{.error.code}}"] }
  texts: { from: nested, to: [journal: "{{.ok}} {{.body | type}} {{.body | length}}"] }
  mapped: { from: burst, steps: [map: '"x" * 1000000'], to: [command: { run: [sleep, "1000"] }] }
  headers:
    merge: [$(printf 'header%s, ' {1..299})header300]
    steps: [filter: '.headers["field-899"]', throttle: 1s, map: '"\(.ok) \(.headers | length)"']
    to: [journal: "{{.}}"]
  logged: { from: slow, steps: [map: '("x" * 1000) as \$x | [range(1000)] | map({key: "F\(.)", value: \$x}) | from_entries'],
    to: [journal: { message: "{{.F1 | length}}", fields: { BOMB: "{{tojson}}" } }] }
  hung: { from: text, to: [command: { run: [sleep, "1000"] }] }
  catted: { from: storm, steps: [flatMap: { command: { run: [sh, -c, "cat /srv/bombs/text; sleep 2"], timeout: 10s } }], to: [journal: "{{.exit}} {{.truncated}}"] }
YAML
box systemctl restart rxwatchd
pid=$(show MainPID)
limit_memory

# Five hundred files at once, and a program with a large output for each.
box sh -c 'cd /srv/bombs/storm && for number in $(seq 500); do : >"$number"; done'
for answer in 'objects false bodyLimit' 'within false bodyLimit' 'long false bodyLimit' 'large true null' 'fields false headerLimit'; do
    eventually 20 some ".MESSAGE == \"$answer\"" RX_KIND=event RX_PIPELINE=answers
done
# What cannot be parsed is text.
eventually 20 some '.MESSAGE == "true string 100000"' RX_KIND=event RX_PIPELINE=texts
eventually 20 some '.MESSAGE | test("text: memory limit reached: .* MiB (is|are) unsettled")' RX_KIND=source RX_SOURCE=text
eventually 20 some '.MESSAGE | test("burst: memory limit reached: .* MiB (is|are) unsettled")' RX_KIND=source RX_SOURCE=burst
eventually 30 some '.MESSAGE | test("^0 (true|false)$")' RX_KIND=event RX_PIPELINE=catted
eventually 30 some '.MESSAGE | test("^true 90")' RX_KIND=event RX_PIPELINE=headers
eventually 30 some '.MESSAGE == "1000"' RX_KIND=event RX_PIPELINE=logged

continues "$pid"
