# A response as large as `maxBody:` allows, full of escapes, is searched for a credential: meanwhile the daemon continues.
. "${0%/*}/../lib.sh"

install_package
put /etc/credstore/rxwatchd.api-token <<<'s3cret-t0ken'
box chmod 600 /etc/credstore/rxwatchd.api-token
box install -D -m 644 -t /etc/systemd/system/rxwatchd.service.d /usr/share/rxwatchd/drop-ins/credential.conf
box systemctl daemon-reload
# The credential, and escapes in all encodings that are searched, also within each other.
box mkdir /srv/bodies
box perl -e 'my $line = q(\\u0070%25%2B+%5Cu0070\\\\u0025+\\"s3cret%2Dt0ken%5C%22) . "\n";
    for (1, 16, 60) {
        my $bytes = ($_ << 20) - 100;
        open my $file, ">", "/srv/bodies/$_" or die "open: $!";
        print $file substr($line x ($bytes / length($line) + 1), 0, $bytes);
    }'
put /etc/nginx/conf.d/bodies.conf <<'NGINX'
server { listen 127.0.0.1:8080; root /srv/bodies; default_type text/plain; }
NGINX
box systemctl restart nginx
for size in 1 16 60; do
    put "$SHIPPED" <<YAML
daemon: { drain: 2s, resources: 1h }
sources:
  tick: { interval: 100ms }
  body: { http: { url: "http://127.0.0.1:8080/$size", every: 1h, delay: 1s, maxBody: 64MiB, timeout: 30s, headers: { Authorization: "Bearer \${credential:api-token}" } } }
pipelines:
  beats: { from: tick, steps: [map: .tick], to: [journal: "beat {{.}}"] }
  bodies: { from: body, steps: [map: '{ok, length: (.body | length), error: .error.message}'], to: [journal: "{{.}}"] }
YAML
    from_now
    box systemctl restart rxwatchd
    pid=$(show MainPID)
    limit_memory
    # Either the events of the body, or an error, as of a body that needs too much memory.
    eventually 20 some '.MESSAGE | test("^{\"ok\":(true,\"length\":[1-9]|false)")' RX_KIND=event RX_PIPELINE=bodies
    equal "$(show MainPID) $(show ActiveState) $(show NRestarts)" "$pid active 0" "after a body of $size MiB"
    (($(longest) < 5000)) || fail "with a body of $size MiB, beats were $(longest) ms apart"
    [[ $size != 1 ]] || some '.MESSAGE | test("\"ok\":true")' RX_PIPELINE=bodies || fail 'refused'
    echo "figure: the daemon took up to $(($(box sed -n 's/VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$pid/status") >> 10)) MiB with a body of $size MiB"
    box systemctl stop rxwatchd
    equal "$(show Result) $(show ExecMainStatus)" 'success 0'
    eventually 10 some '.MESSAGE | test("^stopped on SIGTERM: 0 live objects")' RX_PHASE=stopped
done
if box journalctl -q --no-pager -o export | grep -aq s3cret-t0ken; then fail 'the journal has the credential'; fi
