# `journalctl -x` explains every kind of record.
. "${0%/*}/../lib.sh"

install_package
for id in $(sed -n 's/^-- //p' "$E2E/../../deploy/catalog/rxwatchd.catalog"); do
    box journalctl --list-catalog "$id" | grep -q 'rxwatchd: ' || fail "$id is not in the catalog"
done
eventually 10 some true RX_PHASE=ready
box journalctl -q --no-pager -x -u rxwatchd RX_PHASE=ready | grep -q -- 'Subject: rxwatchd is ready' ||
    fail 'journalctl -x does not explain'

# Conversely, there is no record without an explanation.
eventually 10 some true RX_KIND=resources
for id in $(records _SYSTEMD_UNIT=rxwatchd.service | jq -r .MESSAGE_ID | sort -u); do
    box journalctl --list-catalog "$id" | grep -q 'rxwatchd: ' || fail "$id is not explained"
done
