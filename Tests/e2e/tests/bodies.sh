# A body with millions of values, which a sink sends on as text, is not parsed: the daemon stays far below its limit.
. "${0%/*}/../lib.sh"

install_package
box sh -c 'mkdir -p /srv/bodies && cd /srv/bodies &&
    awk "BEGIN { printf \"[[0]\"; for (i = 1; i < 3500000; i++) printf \",[0]\"; printf \"]\" }" | gzip -9 >lists.gz'
put /etc/nginx/conf.d/bodies.conf <<'NGINX'
server {
    listen 127.0.0.1:8080;
    root /srv/bodies;
    default_type text/plain;
    client_max_body_size 0;
    location /lists { add_header Content-Encoding gzip; try_files $uri.gz =404; }
    location /sent { return 204; }
}
NGINX
box systemctl restart nginx
put "$SHIPPED" <<'YAML'
daemon: { drain: 1s }
sources:
  tick: { interval: 100ms }
  lists: { http: { url: "http://127.0.0.1:8080/lists", every: 1s, maxBody: 16MiB } }
pipelines:
  beats: { from: tick, steps: [map: .tick], to: [journal: "beat {{.}}"] }
  sent: { from: lists, steps: [filter: .ok], to: [http: { url: "http://127.0.0.1:8080/sent", body: "{{.body}}" }] }
YAML
box systemctl restart rxwatchd
pid=$(show MainPID)
limit_memory
sent() { (($(records RX_KIND=sink RX_PIPELINE=sent | jq -s 'map(select(.MESSAGE | test("http done:"))) | length') >= 3)); }
eventually 30 sent
peak=$(($(box sed -n 's/VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$pid/status") >> 10))
((peak < 300)) || fail "the daemon took $peak MiB"
continues "$pid"
