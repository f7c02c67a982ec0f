# A redirect sends nothing to another server that is meant for the first one, and is not followed from https to http: neither that of
# a source nor that of a sink. No record shows what requests were sent with, nor the path and query of an address.
. "${0%/*}/../lib.sh"

install_package
(cd "$SCRATCH" && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key -out certificate -days 2 \
    -subj /CN=own.test -addext subjectAltName=DNS:own.test) 2>/dev/null
put /srv/tls/key <"$SCRATCH/key"
put /srv/tls/certificate <"$SCRATCH/certificate"
put /srv/tls/bearer <<<'b3arer-T0ken'
box sh -c 'chmod 755 /srv/tls; chmod 644 /srv/tls/*; echo "127.0.0.1 own.test other.test" >>/etc/hosts'

# The log of the port that a request has reached. What is sent to /taken is in it, with the body.
put /etc/nginx/conf.d/redirects.conf <<'NGINX'
log_format sent escape=none '$request_method $request_uri [$http_authorization $http_x_key $http_content_type $request_body]';
server {
    listen 127.0.0.1:8080;
    location ~ ^/(?<code>30[12378])/ { set $target http://other.test:8081; include /srv/tls/redirects; }
    location ~ ^/back(?<code>30[12378])/ { set $target http://own.test:8080; include /srv/tls/redirects; }
    location /taken { access_log /var/log/nginx/own.log sent; proxy_pass http://127.0.0.1:8082/; }
    location /plain { access_log /var/log/nginx/plain.log sent; return 204; }
}
server {
    listen 127.0.0.1:8081;
    location / { access_log /var/log/nginx/other.log sent; proxy_pass http://127.0.0.1:8082/; }
}
server { listen 127.0.0.1:8082; access_log off; location / { return 204; } }
server {
    listen 127.0.0.1:8443 ssl;
    ssl_certificate /srv/tls/certificate;
    ssl_certificate_key /srv/tls/key;
    location /down { return 302 http://own.test:8080/plain/l0cation-s3cret; }
    location /back307 { return 307 https://own.test:8443/taken; }
    location /taken { access_log /var/log/nginx/tls.log sent; proxy_pass http://127.0.0.1:8082/; }
}
NGINX
{
    for status in 301 302 303 307 308; do
        # The query is that of the request, so that the log names the request.
        echo "if (\$code = $status) { return $status \$target/taken/l0cation-s3cret?\$args; }"
    done
} | put /srv/tls/redirects
box systemctl restart nginx

secret='p4th-s3cret'
own='bearerFile: /srv/tls/bearer, headers: { X-Key: h3ader-s3cret }'
{
    echo 'sources:'
    echo '  once: { interval: { every: 1h, delay: 0s } }'
    for status in 301 302 303 307 308; do
        for way in '' back; do
            echo "  source-$way$status: { http: { url: 'http://own.test:8080/$way$status/$secret?source-$way$status', every: 1h, $own } }"
        done
    done
    echo "  none: { http: { url: 'http://own.test:8080/307/$secret?none', every: 1h, redirects: 0, $own } }"
    echo "  down: { http: { url: 'https://own.test:8443/down/$secret', ca: /srv/tls/certificate, every: 1h, $own } }"
    echo 'pipelines:'
    printf '  answers: { merge: [none, down'
    for status in 301 302 303 307 308; do printf ', source-%s, source-back%s' "$status" "$status"; done
    # shellcheck disable=SC2016 # a template
    echo '], to: [journal: "{{$event.source}} {{.ok}} {{.status}} {{.error.code}} {{.error.message}}"] }'
    echo '  failed: { from: onError, to: [journal: "failed {{.pipeline}} {{.error}}"] }'
    sink() { echo "  sink-$1: { from: once, onError: { to: failed }, to: [http: { url: '$2/$secret?sink-$1', body: b0dy-s3cret, retry: { times: 0 }, $3, $own }] }"; }
    for status in 301 302 303 307 308; do
        sink "$status" "http://own.test:8080/$status" 'redirects: 1'
        sink "back$status" "http://own.test:8080/back$status" 'redirects: 1'
    done
    sink none http://own.test:8080/307 'redirects: 0'
    sink down https://own.test:8443/down 'ca: /srv/tls/certificate'
    sink same https://own.test:8443/back307 'ca: /srv/tls/certificate'
} | put "$SHIPPED"
box systemctl restart rxwatchd
# said TEXT: waits for a record of an event that begins so. done_by NAME: waits until that pipeline has sent its event.
said() { eventually 10 some ".MESSAGE | test(\"^$1\")" RX_KIND=event; }
done_by() { eventually 10 some '.MESSAGE | test("http done")' RX_KIND=sink RX_PIPELINE="$1"; }
sent='\[Bearer b3arer-T0ken h3ader-s3cret '
log() { box cat "/var/log/nginx/$1.log"; }
logged() { log "$1" | grep -x "$2" >/dev/null || fail "$1: no line $2: $(log "$1")"; }
for status in 301 302 303 307 308; do
    said "source-$status true 204"
    logged other "GET /taken/l0cation-s3cret?source-$status \[   \]"
    said "source-back$status true 204"
    logged own "GET /taken/l0cation-s3cret?source-back$status $sent \]"
    done_by "sink-back$status"
    if ((status == 303)); then
        done_by "sink-$status"
        logged other 'GET /taken/l0cation-s3cret?sink-303 \[   \]'
        logged own "GET /taken/l0cation-s3cret?sink-back303 $sent \]"
    else
        said "failed sink-$status .*redirects to http://other.test:8081, which does not get the body"
        logged own "POST /taken/l0cation-s3cret?sink-back$status $sent.* b0dy-s3cret\]"
    fi
done
said 'none true 307'
said 'failed sink-none .*307'
equal "$(log other | grep -c .)" 6 "requests of another server: $(log other)"

said 'down false null redirects .*from https to http://own.test:8080'
said 'failed sink-down .*from https to http://own.test:8080'
done_by sink-same
logged tls "POST /taken $sent.* b0dy-s3cret\]"
if log plain 2>/dev/null | grep .; then fail 'followed from https to http'; fi

box rxwatchctl status --json >"$SCRATCH/output"
box systemctl stop rxwatchd
equal "$(show ExecMainStatus)" 0
box journalctl -q --no-pager -o json >>"$SCRATCH/output"
for text in b3arer-t0ken h3ader-s3cret b0dy-s3cret p4th-s3cret l0cation-s3cret; do
    if grep -aiq "$text" "$SCRATCH/output"; then fail "shown: $(grep -aio ".\{0,200\}$text.\{0,50\}" "$SCRATCH/output" | head -3)"; fi
done
