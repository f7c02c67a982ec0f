# Each source emits what happens on the host: files, nginx as an endpoint, units, the journal, a command.
. "${0%/*}/../lib.sh"

install_package
box sh -c 'cd /usr/share/rxwatchd/drop-ins && install -D -m 644 read-journal.conf -t /etc/systemd/system/rxwatchd.service.d &&
    systemctl stop rxwatchd && install -D -m 644 units.sysusers /etc/sysusers.d/rxwatchd.conf && systemd-sysusers'
box mkdir -p /srv/watched
put /etc/nginx/conf.d/api.conf <<'NGINX'
server { listen 127.0.0.1:8080; location / { default_type application/json; return 200 '{"load": 3}'; } }
NGINX
box systemctl restart nginx
put "$SHIPPED" <<'YAML'
daemon: { drain: 1s }
sources:
  files: { files: { paths: [/srv/watched], recursive: true, settle: 500ms } }
  api: { http: { url: "http://127.0.0.1:8080/load", every: 200ms, timeout: 100ms } }
  nginx: { unit: nginx.service }
  notes: { journal: { match: { SYSLOG_IDENTIFIER: note } } }
  date: { command: { run: [date, "+%Y"], every: 200ms } }
pipelines:
  changes: { from: files, to: [journal: "{{.kind}} {{.path}}"] }
  load: { from: api, steps: [map: "{ok, status, load: (.body.load? // null)}", distinctUntilChanged], to: [journal: "{{.}}"] }
  state: { from: nginx, steps: [map: .active, distinctUntilChanged], to: [journal: "nginx is {{.}}"] }
  notes-here: { from: notes, to: [journal: "noted: {{.MESSAGE}}"] }
  year: { from: date, steps: [map: '{exit, year: (.stdout | rtrimstr("\n"))}', distinctUntilChanged], to: [journal: "{{.}}"] }
YAML
from_now
box systemctl daemon-reload
box systemctl start rxwatchd

# said PIPELINE TEXT: succeeds if the pipeline has written a record with this text.
said() { some ".MESSAGE == \"${2//\"/\\\"}\"" RX_KIND=event "RX_PIPELINE=$1"; }

eventually 10 said load '{"ok":true,"status":200,"load":3}'
eventually 10 said state 'nginx is active'
eventually 10 said year "{\"exit\":0,\"year\":\"$(date +%Y)\"}"

box sh -c 'mkdir -p /srv/watched/a/b && echo 1 >/srv/watched/a/b/c.new && mv /srv/watched/a/b/c.new /srv/watched/a/b/c'
eventually 10 said changes 'created /srv/watched/a/b/c'
# Not before: what is in a directory that moves while it is being found is found under the new name alone.
box mv /srv/watched/a /srv/watched/z
eventually 10 said changes 'moved /srv/watched/z'
box sh -c 'echo 2 >>/srv/watched/z/b/c'
eventually 10 said changes 'modified /srv/watched/z/b/c'

echo 'hello there' | box systemd-cat -t note
eventually 10 said notes-here 'noted: hello there'

box systemctl stop nginx
eventually 10 said state 'nginx is inactive'
eventually 10 said load '{"ok":false,"status":null,"load":null}'
every '.RX_CAUSE | test("^(files|api|nginx|notes|date):[0-9]+$")' RX_KIND=event

box systemctl stop rxwatchd
equal "$(show ExecMainStatus)" 0
