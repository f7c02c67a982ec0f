# The installed unit is valid, its exposure is at most 1.1, and the running process has its restrictions.
. "${0%/*}/../lib.sh"

install_package
unit=/lib/systemd/system/rxwatchd.service
equal "$(box systemd-analyze verify --man=no $unit 2>&1)" ''
# In tenths, on systemd 252.
box systemd-analyze security --threshold=11 rxwatchd.service >"$SCRATCH/table" || fail "$(tail -n 1 "$SCRATCH/table")"

pid=$(show MainPID)
status=$(box cat "/proc/$pid/status")
for expected in $'CapEff:\t0000000000000000' $'CapBnd:\t0000000000000000' $'NoNewPrivs:\t1' $'Seccomp:\t2'; do
    grep -qx "$expected" <<<"$status" || fail "not $expected"
done
[[ $(box stat -c %U "/proc/$pid") == rxwatchd ]] || fail 'not a user of its own'

inside() { box nsenter -t "$pid" --mount "$@"; }
refuses 1 inside touch /etc/written /usr/written
equal "$(inside ls /home /root 2>&1)" $'/home:\n\n/root:'

# `check` warns of a path that the unit hides, until a drop-in makes it visible.
put "$SHIPPED" <<'YAML'
sources: { home: { files: /home/someone/inbox } }
pipelines: { p: { from: home, to: [file: /srv/out, file: /var/lib/rxwatchd/out, command: { run: [/tmp/script] }] } }
YAML
box rxwatchctl check >"$SCRATCH/check"
grep -q ':1:27: warning: source home: /home/someone/inbox: ProtectHome=yes hides it' "$SCRATCH/check" || fail "$(<"$SCRATCH/check")"
grep -q ':2:42: warning: pipeline p: /srv/out: ProtectSystem=strict makes it read-only' "$SCRATCH/check" || fail "$(<"$SCRATCH/check")"
grep -q ':2:[0-9]*: warning: pipeline p: /tmp/script: with PrivateTmp=yes' "$SCRATCH/check" || fail "$(<"$SCRATCH/check")"
drop_in open <<'CONF'
[Service]
ProtectHome=read-only
ReadWritePaths=-/srv
CONF
warned() { box rxwatchctl check --json | jq -c '[.details.warnings[].message | split(":")[1]]'; }
equal "$(warned)" '[" /srv/out"," /tmp/script"]'
box rxwatchctl check | grep -q 'not allowed to write in /srv, which has mode 0755' || fail "$(box rxwatchctl check)"
box chmod 1777 /srv
equal "$(warned)" '[" /tmp/script"]'
box rm -r /etc/systemd/system/rxwatchd.service.d
box systemctl daemon-reload

# It names the drop-in of the package that gives the service's user access to a file, and the journal.
box install -m 640 -g adm /dev/null /var/log/auth.log
put "$SHIPPED" <<'YAML'
sources: { log: { files: /var/log/auth.log }, journal: { journal: {} } }
pipelines: { p: { merge: [log, journal] } }
YAML
# The members of adm may read the journal, too.
for name in read-journal read-logs; do
    box rxwatchctl check | grep -q "/usr/share/rxwatchd/drop-ins/$name.conf adds that group" || fail "$(box rxwatchctl check)"
    box install -D -m 644 -t /etc/systemd/system/rxwatchd.service.d "/usr/share/rxwatchd/drop-ins/$name.conf"
    box systemctl daemon-reload
done
equal "$(warned)" '[]'
box rm -r /etc/systemd/system/rxwatchd.service.d

# The daemon can still read the limits of inotify.
inside cat /proc/sys/fs/inotify/max_user_watches >/dev/null
