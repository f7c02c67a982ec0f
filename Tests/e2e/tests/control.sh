# rxwatchctl talks to the daemon, as root alone.
. "${0%/*}/../lib.sh"

install_package
config | put "$SHIPPED"
equal "$(box rxwatchctl reload)" "reloaded /etc/rxwatchd, /run/rxwatchd, /usr/lib/rxwatchd: 1 source, 1 pipeline"

status=$(box rxwatchctl status --json)
jq -e '.exit == 0 and .details.generation == 2 and .details.resources.total > 0
    and (.details.pipelines | keys) == ["heartbeat"] and (.details.sources | keys) == ["tick"]' >/dev/null <<<"$status" ||
    fail "$status"
box rxwatchctl status | grep -q '^  pipeline heartbeat: [1-9]' || fail "$(box rxwatchctl status)"

config | sed 's/every/evry/' | put "$SHIPPED"
refuses 78 box rxwatchctl reload
grep -q "^$SHIPPED:3:23: " "$SCRATCH/output" || fail "$(<"$SCRATCH/output")"
equal "$(box rxwatchctl status --json | jq .details.generation)" 2

refuses 1 box setpriv --reuid 12345 --regid 12345 --clear-groups rxwatchctl status
grep -q "^permission denied: " "$SCRATCH/output" || fail "$(<"$SCRATCH/output")"

# What is no request is answered as such, and the daemon goes on.
box systemctl is-active rxwatchd
box systemctl stop rxwatchd
refuses 1 box rxwatchctl status
grep -q 'is rxwatchd running?' "$SCRATCH/output" || fail "$(<"$SCRATCH/output")"
