# A credential of the service manager reaches its request, and no record, answer or file shows it.
. "${0%/*}/../lib.sh"

install_package
put /etc/credstore/rxwatchd.api-token <<<'s3cret-t0ken'
box chmod 600 /etc/credstore/rxwatchd.api-token
put /etc/nginx/conf.d/api.conf <<'NGINX'
server {
    listen 127.0.0.1:8080;
    location / { if ($http_authorization != "Bearer s3cret-t0ken") { return 401; } default_type text/plain; return 200 'got $http_authorization'; }
}
NGINX
box systemctl restart nginx
put "$SHIPPED" <<'YAML'
sources:
  api: { http: { url: "http://127.0.0.1:8080/${HOST_NAME:-x}", every: 200ms, timeout: 100ms, headers: { Authorization: "Bearer ${credential:api-token}" } } }
pipelines:
  p: { from: api, steps: [map: "{status, body}", distinctUntilChanged], to: [journal, stdout] }
YAML
refuses 1 box systemctl restart rxwatchd
warned() { box rxwatchctl check --json | jq -r '.details.warnings[] | "\(.line) \(.message)"'; }
drop_in=/usr/share/rxwatchd/drop-ins/credential.conf
equal "$(warned)" "2 rxwatchd.service does not pass the credential 'api-token'; $drop_in passes it"
eventually 10 some '.MESSAGE | test("yaml:2:[0-9]+: there is no credential .api-token.")' PRIORITY=3
box sh -c 'install -D -m 644 /usr/share/rxwatchd/drop-ins/credential.conf -t /etc/systemd/system/rxwatchd.service.d && systemctl daemon-reload'
equal "$(warned)" ''
box mv /etc/credstore/rxwatchd.api-token /etc/credstore/moved
equal "$(warned)" "2 rxwatchd.service reads the credential 'api-token' from /etc/credstore/rxwatchd.api-token, which does not \
exist: create it, or change LoadCredential= with a drop-in"
box mv /etc/credstore/moved /etc/credstore/rxwatchd.api-token
box systemctl reset-failed rxwatchd
from_now
box systemctl restart rxwatchd
eventually 10 some '.MESSAGE == "{\"status\":200,\"body\":\"got Bearer ${credential:api-token}\"}"' RX_KIND=event
box rxwatchctl status >/dev/null
[[ $(box journalctl -q --no-pager -o export) != *s3cret-t0ken* ]] || fail 'the journal has the credential'
[[ $(box rxwatchctl check) == *'not checked, since only the service has them: ${credential:api-token}'* ]] || fail "$(box rxwatchctl check)"
