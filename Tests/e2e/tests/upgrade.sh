# An upgrade of the package, in place, while files are created and a sink is behind: every file is reported once, and every
# event that waited on disk is delivered once, in order.
. "${0%/*}/../lib.sh"

# The version before is this one with a lower number, or with the programs of an earlier one in the directory BEFORE.
dpkg-deb -R "$DEB" "$SCRATCH/before"
[[ -z ${BEFORE:-} ]] || install -t "$SCRATCH/before/usr/bin" "$BEFORE"/{rxwatchd,rxwatchctl}
sed -i 's/^Version: .*/Version: 0.0.9/' "$SCRATCH/before/DEBIAN/control"
dpkg-deb --root-owner-group -Znone -b "$SCRATCH/before" "$SCRATCH/before.deb" >/dev/null
install_package "$SCRATCH/before.deb"
box mkdir -m 755 /srv/watched
put "$SHIPPED" <<'YAML'
sources:
  made: { files: { paths: [/srv/watched], events: [created], settle: 0s } }
pipelines:
  said: { from: made, to: [journal: "{{.path}}"] }
  slow:
    from: made
    to:
      - command: { run: [sh, -c, 'sleep 0.02; echo "$1" >>/var/lib/rxwatchd/done', sh, "{{.path}}"], queue: { disk: 1MiB } }
YAML
box systemctl restart rxwatchd
eventually 10 is ActiveState active
from_now
pid=$(show MainPID)

# One after the other, as fast as a shell does it: some are created while nothing runs.
box sh -c 'for number in $(seq 1000 1399); do : >"/srv/watched/$number"; sleep 0.01; done' &
writer=$!
eventually 10 some '.MESSAGE == "/srv/watched/1050"' RX_KIND=event
install_package
[[ $(show MainPID) != "$pid" ]] || fail 'not restarted'
wait "$writer"
eventually 20 is ActiveState active
eventually 10 some '.MESSAGE == "/srv/watched/1399"' RX_KIND=event RX_PIPELINE=said
delivered() { [[ $(box sh -c 'wc -l </var/lib/rxwatchd/done') == 400 ]]; }
eventually 30 delivered

seq -f '/srv/watched/%.0f' 1000 1399 >"$SCRATCH/expected"
records RX_KIND=event RX_PIPELINE=said | jq -r .MESSAGE | sort >"$SCRATCH/said"
diff "$SCRATCH/expected" "$SCRATCH/said" || fail 'not each file was reported once'
box cat /var/lib/rxwatchd/done >"$SCRATCH/done"
diff "$SCRATCH/expected" "$SCRATCH/done" || fail 'not each event was delivered once, in order'
equal "$(box dpkg-query -W -f '${Version}' rxwatchd)" "$(dpkg-deb -f "$DEB" Version)"
