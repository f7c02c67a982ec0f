# Each sink reacts: a command, a webhook at nginx, a file, a unit that polkit lets the daemon manage, the journal.
. "${0%/*}/../lib.sh"

install_package
box systemctl stop rxwatchd
box sh -c 'cd /usr/share/rxwatchd/drop-ins && install -D -m 644 units.sysusers /etc/sysusers.d/rxwatchd.conf && systemd-sysusers &&
    install -D -m 644 units.rules /etc/polkit-1/rules.d/50-rxwatchd.rules'
put /etc/nginx/conf.d/hook.conf <<'NGINX'
log_format body escape=none '$request_method $http_x_cause $request_body';
server {
    listen 127.0.0.1:8080;
    location /hook { access_log /var/log/nginx/hook.log body; proxy_pass http://127.0.0.1:8080/taken; }
    location /taken { access_log off; return 204; }
    location /refuse { return 403; }
}
NGINX
box systemctl restart nginx
box mkdir -m 755 /srv/watched
put /etc/rxwatchd/rxwatchd.d/sinks.yaml <<'YAML'
sources: { made: { files: { paths: [/srv/watched], events: [created] } } }
pipelines:
  p:
    from: made
    steps: [map: "{name: (.path | split(\"/\")[-1])}"]
    to:
      - command: { run: [sh, -c, 'read event; echo "{{.name}} $event $RX_CAUSE" >>/var/lib/rxwatchd/commands'] }
      - command: { run: [sh, -c, 'echo went wrong >&2; exit 7'] }
      - http: { url: "http://127.0.0.1:8080/hook", headers: { X-Cause: "{{$event.cause}}" } }
      - http: { url: "http://127.0.0.1:8080/refuse" }
      - file: { path: /var/lib/rxwatchd/events.jsonl }
      - journal: { priority: notice, message: "seen {{.name}}", fields: { SEEN_NAME: "{{.name}}" } }
      - stdout
  restarts: { from: made, steps: [take: 1], to: [unit: { restart: nginx.service }, unit: { restart: cron.service }] }
YAML
from_now
before=$(box systemctl show -P MainPID nginx)
box systemctl start rxwatchd
box touch /srv/watched/a
eventually 10 box grep -qx 'a {"name":"a"} made:0' /var/lib/rxwatchd/commands
eventually 10 some '.MESSAGE | test("command-2 failed: .*7.*went wrong")' RX_KIND=sink RX_SINK=command-2 RX_CAUSE=made:0
eventually 10 box grep -qx 'POST made:0 {"name":"a"}' /var/log/nginx/hook.log
eventually 10 some '.MESSAGE | test("403")' RX_KIND=sink RX_SINK=http-2 RX_CAUSE=made:0
eventually 10 some '.MESSAGE == "seen a" and .PRIORITY == "5"' SEEN_NAME=a RX_CAUSE=made:0
eventually 10 box grep -qx '{"name":"a"}' /var/lib/rxwatchd/events.jsonl
restarted() { [[ $(box systemctl show -P MainPID nginx) != "$before" ]]; }
eventually 10 restarted
# Only the units in the rule may be managed.
eventually 10 some '.MESSAGE | test("cron.service")' RX_KIND=sink RX_SINK=unit-2 RX_CAUSE=made:0

# A file that is moved away is created again, and no line is lost or cut.
box mv /var/lib/rxwatchd/events.jsonl /var/lib/rxwatchd/events.jsonl.1
box touch /srv/watched/b
eventually 10 box grep -qx '{"name":"b"}' /var/lib/rxwatchd/events.jsonl

box systemctl stop rxwatchd
equal "$(show ExecMainStatus)" 0
some '.MESSAGE | test("^stopped on SIGTERM: 0 live objects")' RX_PHASE=stopped || fail 'something was left'
