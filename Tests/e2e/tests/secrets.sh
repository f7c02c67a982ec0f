# No record shows what HTTP requests are sent with, or the path and query of their address, whatever the server does with them.
. "${0%/*}/../lib.sh"

install_package
box mkdir -m 755 /srv/secrets
put /srv/secrets/bearer <<<'b3arer-T0ken-1'
put /srv/secrets/password <<<'passw0rd-file'
put /etc/credstore/rxwatchd.api-token <<<'cr3dential-T0ken'
box sh -c 'chmod 644 /srv/secrets/*; chmod 600 /etc/credstore/rxwatchd.api-token
    install -D -m 644 /usr/share/rxwatchd/drop-ins/credential.conf -t /etc/systemd/system/rxwatchd.service.d; systemctl daemon-reload'
put /etc/nginx/conf.d/echo.conf <<'NGINX'
map $http_authorization $token { "~ (?<last>[A-Za-z0-9-]+)=*$" $last; default none; }
server {
    listen 127.0.0.1:8080;
    default_type text/plain;
    add_header X-Echo "$http_authorization $http_x_key" always;
    location /echo { return 403 "got $http_authorization $http_x_key"; }
    location /away { return 302 http://$token.invalid/; }
    location /kind { return 302 $token://x/; }
    location /loop { return 307 http://127.0.0.1:8080$request_uri; }
    location /break { return 444; }
}
NGINX
box systemctl restart nginx
secret='p4th-s3cret?key=qu3ry-s3cret'
auth='bearerFile: /srv/secrets/bearer'
{
    echo 'sources:'
    echo '  tick: { interval: 300ms }'
    for way in echo away kind loop break; do
        echo "  $way: { http: { url: 'http://127.0.0.1:8080/$way/$secret', every: 300ms, $auth } }"
    done
    echo "  file: { http: { url: 'http://127.0.0.1:8080/echo', every: 300ms, user: root, passwordFile: /srv/secrets/password } }"
    echo "  text: { http: { url: 'http://127.0.0.1:8080/echo', every: 300ms, user: root, password: t3xt-passw0rd } }"
    echo "  own: { http: { url: 'http://127.0.0.1:8080/echo', every: 300ms, headers: { Authorization: 'Bearer h3ader-T0ken' } } }"
    echo "  key: { http: { url: 'http://127.0.0.1:8080/echo', every: 300ms, headers: { X-Key: '\${credential:api-token}' } } }"
    echo "  refused: { http: { url: 'http://127.0.0.1:1/$secret', every: 300ms, $auth } }"
    echo 'pipelines:'
    echo '  answers: { merge: [echo, away, kind, loop, break, file, text, own, key, refused], steps: [map: "{body, headers, error, source: $event.source}"], to: [journal: { message: "{{.source}} {{.body}} {{.error.message}}", fields: { ECHO: "{{.headers}}" } }, stdout] }'
    echo '  failed: { from: onError, to: [journal: "failed {{.sink}} {{.error}}", stdout] }'
    echo '  sent:'
    echo '    from: tick'
    echo '    onError: { to: failed }'
    echo '    to:'
    for way in echo away kind loop break; do
        echo "      - http: { url: 'http://127.0.0.1:8080/$way/$secret', method: GET, retry: { times: 1, delay: 10ms }, $auth }"
    done
    echo "      - http: { url: 'http://127.0.0.1:1/$secret', retry: { times: 1, delay: 10ms }, headers: { X-Key: h3ader-value }, $auth }"
    echo "      - http: { url: 'http://127.0.0.1:8080/away', method: GET, user: root, password: t3xt-passw0rd, retry: { times: 1, delay: 10ms } }"
} | put "$SHIPPED"
box systemctl restart rxwatchd
said() { eventually 10 some ".MESSAGE | test(\"$1\")" RX_KIND=event; }
all_said() {
    said '^echo got Bearer <content of /srv/secrets/bearer> '
    said '^away .*cannot find the address'
    said '^kind .*the server redirects to a URL of'
    said '^loop .*more than 10 redirects'
    said '^break '
    said '^file got Basic .*<content of /srv/secrets/password>'
    said '^text got Basic .*<password>'
    said '^own got Bearer <password>'
    said '^key got  \\$\\{credential:api-token\\}'
    said '^refused '
    for sink in http http-2 http-3 http-4 http-5 http-6 http-7; do said "^failed $sink "; done
}
all_said

# Another token from now on; the old one is known for the requests that have it.
put /srv/secrets/bearer <<<'b3arer-T0ken-2'
from_now
all_said
FROM=
box rxwatchctl status --json >"$SCRATCH/output"
box systemctl stop rxwatchd
equal "$(show ExecMainStatus)" 0

box journalctl -q --no-pager -o json >>"$SCRATCH/output"
box journalctl -q --no-pager -o export >>"$SCRATCH/output"
for text in b3arer-t0ken passw0rd-file t3xt-passw0rd h3ader-t0ken h3ader-value cr3dential-t0ken p4th-s3cret qu3ry-s3cret; do
    if grep -aiq "$text" "$SCRATCH/output"; then fail "shown: $(grep -aio ".\{0,200\}$text.\{0,50\}" "$SCRATCH/output" | head -3)"; fi
done
# The state directory has the text of the configuration, but nothing that a request has read.
box sh -c 'cat /var/lib/private/rxwatchd/*' >"$SCRATCH/state" 2>/dev/null || true
[[ -s $SCRATCH/state ]] || fail 'no state was saved'
if grep -aiEq 'b3arer-t0ken|passw0rd-file' "$SCRATCH/state"; then fail 'stored'; fi
for text in root:passw0rd-file root:t3xt-passw0rd; do
    # Without the user, and without the bits that depend on what follows.
    text=$(printf %s "$text" | base64)
    if grep -aFiq "${text:8:12}" "$SCRATCH/output"; then fail "shown in base64: $text"; fi
done
