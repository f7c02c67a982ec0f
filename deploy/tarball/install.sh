#!/bin/sh
# Installs rxwatchd from this directory below /usr/local, or a new version in place of one that was installed so:
#
#     ./install.sh              installs it, and starts the service again if it runs
#     ./install.sh --uninstall  removes it, except for the configuration and the state
set -eu
umask 022
cd "$(dirname "$0")"
manifest=/usr/local/share/rxwatchd/manifest

fail() { echo "install.sh: $1" >&2; exit 1; }
[ "$(id -u)" = 0 ] || fail 'run it as root'

if [ "${1-}" = --uninstall ]; then
    [ -e "$manifest" ] || fail 'rxwatchd is not installed from a tarball'
    systemctl disable --now rxwatchd 2>/dev/null || true
    grep -v '^/etc/' "$manifest" | while read -r file; do rm -f "$file"; done
    rm -rf /usr/local/lib/rxwatchd /usr/local/share/rxwatchd /usr/local/share/doc/rxwatchd
    systemctl daemon-reload
    echo 'Removed. The configuration is in /etc/rxwatchd, the state in /var/lib/rxwatchd.'
    exit
fi
[ $# = 0 ] || fail "unknown argument '$1'; see the first lines of this file"

systemd=$(systemctl --version 2>/dev/null | sed -n '1s/^systemd \([0-9]*\).*/\1/p')
[ "${systemd:-0}" -ge 252 ] || fail "systemd 252 or later is needed, this host has ${systemd:-none}"
output=$(files/usr/local/bin/rxwatchd --version 2>&1) || fail "the program does not run here: $output"

# A configuration that exists is never overwritten, and a program that runs keeps its file: each is replaced as a whole.
# Whoever unpacked the tarball owns the files here, but not those that root runs.
while read -r file; do
    case $file in /etc/*) [ ! -e "$file" ] || continue ;; esac
    mkdir -p "$(dirname "$file")"
    mode=644
    [ ! -x "files$file" ] || mode=755
    install -o root -g root -m "$mode" "files$file" "$file.new"
    mv -f "$file.new" "$file"
done <manifest
# Only then are the files removed that are not in the new version, and the list of them last: after a failure, the next
# installation and removal know of all.
if [ -e "$manifest" ]; then
    grep -v '^/etc/' "$manifest" | grep -vxF -f manifest | while read -r file; do rm -f "$file"; done || true
fi
install -o root -g root -m 644 manifest "$manifest.new"
mv -f "$manifest.new" "$manifest"

systemctl daemon-reload
journalctl --update-catalog
systemctl try-restart rxwatchd
echo "Installed $output. Edit /etc/rxwatchd/rxwatchd.yaml, then: systemctl enable --now rxwatchd"
