# The daemon's processor time for a poll, with a thousand endpoints at nginx that are polled every second.
. "${0%/*}/lib.sh"
install_package
put /etc/nginx/conf.d/api.conf <<'NGINX'
server { listen 127.0.0.1:8080; keepalive_requests 1000000; access_log off; location / { default_type application/json; return 200 '{"load": 3}'; } }
NGINX
box sed -i 's/worker_connections .*/worker_connections 4096;/' /etc/nginx/nginx.conf
box systemctl restart nginx
{
    echo 'daemon: { resources: 1s }'
    echo 'sources:'
    for n in {1..1000}; do echo "  s$n: { http: { url: 'http://127.0.0.1:8080/$n', every: 1s, timeout: 900ms } }"; done
    echo 'pipelines:'
    for n in {1..1000}; do echo "  p$n: { from: s$n, steps: [filter: .ok | not], to: [journal: 's$n {{.error.message}}'] }"; done
} | begin
eventually 20 some true RX_PHASE=ready
used=$(cpu) began=${EPOCHREALTIME/./}
while ((${EPOCHREALTIME/./} < began + 20000000)); do sleep 0.2; done
figure "a poll, with its event and a step: $(jq -rn "($(cpu) - $used) * 1e3 / ((${EPOCHREALTIME/./} - $began) / 1e6 * 1000) * 1000 | round / 1000") ms of processor time"
figure "a thousand endpoints: ready after $(ready) ms, $(memory VmRSS) KiB resident, $(memory RssAnon) anonymous"
equal "$(records RX_KIND=event | wc -l)" 0 'polls that failed'
