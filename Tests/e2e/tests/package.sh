# An upgrade keeps the configuration and the state, and runs the new version; a removal keeps both; a purge keeps nothing.
. "${0%/*}/../lib.sh"

# Files of dpkg and systemd, logs, and the directory that systemd creates for the first DynamicUser= of a machine.
files() {
    box find / -xdev \( -path /var/lib/dpkg -o -path /var/log -o -path /tmp -o -path /var/tmp -o -path /run \) -prune \
        -o -print | grep -vxE '/var/lib/private|/var/cache/ldconfig.*|/etc/ld.so.cache' | sort
}
files >"$SCRATCH/before"
install_package
eventually 10 is ActiveState active

box tee -a "$SHIPPED" >/dev/null <<<'# edited'
box touch /var/lib/rxwatchd/state
pid=$(show MainPID)
dpkg-deb -R "$DEB" "$SCRATCH/next"
sed -i 's/^Version: .*/&+next/' "$SCRATCH/next/DEBIAN/control"
dpkg-deb --root-owner-group -Znone -b "$SCRATCH/next" "$SCRATCH/next.deb" >/dev/null
install_package "$SCRATCH/next.deb"
[[ $(box dpkg-query -W -f '${Version}' rxwatchd) == *+next ]] || fail 'not upgraded'
eventually 10 is ActiveState active
[[ $(show MainPID) != "$pid" ]] || fail 'not restarted'
box grep -q '# edited' "$SHIPPED"
box test -e /var/lib/rxwatchd/state

box dpkg --remove rxwatchd >/dev/null
refuses 1 box systemctl cat rxwatchd
refuses 1 box pgrep -x rxwatchd
box test -e /var/lib/rxwatchd/state -a -e "$SHIPPED"

box dpkg --purge rxwatchd >/dev/null
files >"$SCRATCH/after"
diff "$SCRATCH/before" "$SCRATCH/after" || fail 'purge left something, or took too much'
refuses 2 box getent passwd rxwatchd
equal "$(box systemctl --failed --no-legend)" ''
