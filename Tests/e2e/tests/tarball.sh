# The tarball installs on a host without the libraries that the package depends on, in place of an earlier one, and is removed.
. "${0%/*}/../lib.sh"

tarball=$(ls "${DEB%/deb/*}"/tarball/*.tar.gz)
box bash -c 'rm -f /usr/lib/*/lib{jq,onig,curl,microhttpd,yaml-0,sqlite3}.so.*'
# Unpacked by a user, and installed by a root whose new files nobody else may read.
install() {
    box sh -c 'rm -rf /tmp/rx && setpriv --reuid=nobody --clear-groups mkdir /tmp/rx &&
        setpriv --reuid=nobody --clear-groups tar -C /tmp/rx --strip-components=1 -xz && umask 077 && /tmp/rx/install.sh' \
        <"$tarball" >"$SCRATCH/install.log" 2>&1 || fail "$(<"$SCRATCH/install.log")"
}

install
config | put /etc/rxwatchd/rxwatchd.yaml
box systemctl start rxwatchd
eventually 10 some '.RX_SEQUENCE == "1"' RX_KIND=event
box /usr/local/bin/rxwatchctl status heartbeat >/dev/null
box /usr/local/bin/rxwatchctl check >/dev/null
before=$(show MainPID)
equal "$(box sh -c 'while read -r file; do
    while stat -c "%u:%g %A %n" "$file" && [ "$file" != / ]; do file=$(dirname "$file"); done
done </usr/local/share/rxwatchd/manifest' | sort -u | grep -vE '^0:0 .r.xr.xr.x |^0:0 -rw-r--r-- |^0:0 lrwx' || true)" ''

# Again: the service continues with the new programs, and the configuration is the same.
install
eventually 10 is ActiveState active
[[ $(show MainPID) != "$before" ]] || fail 'the old program still runs'
equal "$(box cat /etc/rxwatchd/rxwatchd.yaml)" "$(config)"
box systemctl reload rxwatchd

box /tmp/rx/install.sh --uninstall >/dev/null
refuses 1 box test -e /usr/local/bin/rxwatchd -o -e /usr/local/lib/rxwatchd -o -e /usr/local/share/man/man8/rxwatchd.8
equal "$(show LoadState)" not-found
box test -e /etc/rxwatchd/rxwatchd.yaml -a -d /var/lib/rxwatchd
