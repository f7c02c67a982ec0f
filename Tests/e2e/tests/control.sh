# rxwatchctl reloads the daemon and shows its status, for root alone.
. "${0%/*}/../lib.sh"

install_package
config | put "$SHIPPED"
equal "$(box rxwatchctl reload)" "reloaded /etc/rxwatchd, /run/rxwatchd, /usr/lib/rxwatchd: 1 source, 1 pipeline; restarted tick, heartbeat, heartbeat/journal; daemon.resources: 1s in place of 30s; daemon.drain: 2s in place of 5s"

eventually 10 some true RX_KIND=event
status=$(box rxwatchctl status --json)
jq -e '.exit == 0 and .details.generation == 2 and .details.resources.total > 0
    and (.details.pipelines | keys) == ["heartbeat"] and (.details.sources | keys) == ["tick"]' >/dev/null <<<"$status" ||
    fail "$status"
box rxwatchctl status | grep -q '^  pipeline heartbeat: running, last event .* (tick:[0-9]*), .*[1-9] live objects' ||
    fail "$(box rxwatchctl status)"
box rxwatchctl status heartbeat | grep -q '^  last value: {"beat":' || fail "$(box rxwatchctl status heartbeat)"

# What happened to the last event, from the journal, and the tests of the examples.
id=$(records RX_KIND=event | tail -n 1 | jq -r .RX_EVENT_ID)
equal "$(box rxwatchctl why "$id" | head -n 1)" "event $id"
box rxwatchctl why --json "$id" | jq -e '.details.records[0].RX_PIPELINE == "heartbeat"' >/dev/null || fail "no record of $id"
box sh -c 'for file in /usr/share/rxwatchd/examples/*.yaml; do rxwatchctl test "$file" || exit 1; done' >/dev/null ||
    fail 'the tests of an example fail'
box rxwatchctl graph | grep -q '^  pipeline heartbeat: [1-9][0-9]* subscriptions' || fail "$(box rxwatchctl graph)"
box rxwatchctl graph --dot | grep -qF '"tick" -> "heartbeat";' || fail "$(box rxwatchctl graph --dot)"

# The completion of bash finds the names in these answers; Tests/e2e/completions has more of it. bash-completion, which would
# split the words, is not in the box.
offered() {
    # shellcheck disable=SC2016 # the box's shell expands these
    box bash -c '_get_comp_words_by_ref() { words=("${COMP_WORDS[@]}") cword=$COMP_CWORD cur=${words[-1]} prev=${words[-2]}; }
        . /usr/share/bash-completion/completions/rxwatchctl
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _rxwatchctl
        echo "${COMPREPLY[*]}"' bash "$@"
}
equal "$(offered rxwatchctl status '')" 'tick heartbeat heartbeat/journal'
equal "$(offered rxwatchctl tap --control /run/rxwatchd/control h)" heartbeat
equal "$(offered rxwatchctl tap --control /run/rxwatchd/other '')" ''
put /run/rxwatchd/rxwatchd.d/waits.yaml <<<'pipelines: { waits: { from: tick, to: [http: http://127.0.0.1:9] } }'
box rxwatchctl reload
waits() { [[ $(offered rxwatchctl spool show '') == waits/http ]]; }
eventually 10 waits
equal "$(offered rxwatchctl spool drop --control /run/rxwatchd/other '')" ''
box rm -r /run/rxwatchd/rxwatchd.d
box rxwatchctl reload
generation=$(box rxwatchctl status --json | jq .details.generation)

config | sed 's/every/evry/' | put "$SHIPPED"
refuses 78 box rxwatchctl reload
grep -q "^$SHIPPED:3:23: " "$SCRATCH/output" || fail "$(<"$SCRATCH/output")"
equal "$(box rxwatchctl status --json | jq .details.generation)" "$generation"

# Only root, the daemon's user and members of its group, which has none unless it is made permanent, can connect.
refuses 1 box setpriv --reuid 12345 --regid 12345 --clear-groups rxwatchctl status
grep -q "Permission denied; connect as root or as a member of the group rxwatchd, see 'units.sysusers' in /usr/share/rxwatchd/drop-ins/README" "$SCRATCH/output" || fail "$(<"$SCRATCH/output")"
equal "$(box stat -L -c '%A %U' /run/rxwatchd/control)" 'srw-rw---- rxwatchd'
equal "$(box stat -c '%A %U' /run/rxwatchd /run/rxwatchd/daemon)" $'drwxr-xr-x root\ndrwx--x--- rxwatchd'
# The daemon itself refuses others, too.
box chmod 755 /run/rxwatchd/daemon
box chmod 666 /run/rxwatchd/daemon/control
refuses 1 box setpriv --reuid 12345 --regid 12345 --clear-groups rxwatchctl status
grep -q "^permission denied to use the control socket: connect as root or as a member of the group rxwatchd, see 'units.sysusers' in " "$SCRATCH/output" ||
    fail "$(<"$SCRATCH/output")"

# Without a directory for sockets, a daemon that is started by hand says why rxwatchctl cannot connect.
box setpriv --reuid 12345 --regid 12345 --clear-groups rxwatchd --config /usr/share/rxwatchd/examples/demo.yaml \
    >"$SCRATCH/output" 2>&1 &
client=$!
eventually 10 grep -q 'no control socket: .* since XDG_RUNTIME_DIR is not set' "$SCRATCH/output"
box pkill -u 12345
wait "$client" || true

# Configuration of root in /run is read, and survives a restart; a file that another user could write is an error.
config | sed 's/evry/every/' | put "$SHIPPED"
put /run/rxwatchd/rxwatchd.d/more.yaml <<<'sources: { more: { interval: 1s } }'
equal "$(box rxwatchctl reload)" "reloaded /etc/rxwatchd, /run/rxwatchd, /usr/lib/rxwatchd: 2 sources, 1 pipeline; 3 kept; started more"
box systemctl restart rxwatchd
equal "$(box rxwatchctl status --json | jq -c '.details.sources | keys')" '["more","tick"]'
box chown 12345 /run/rxwatchd/rxwatchd.d/more.yaml
refuses 78 box rxwatchctl reload
grep -q '^/run/rxwatchd/rxwatchd.d/more.yaml:1:1: .*must belong to root' "$SCRATCH/output" ||
    fail "$(<"$SCRATCH/output")"
box rm -r /run/rxwatchd/rxwatchd.d

# An invalid request gets an error as its answer, and the daemon continues.
ask() { box perl -MIO::Socket::UNIX -e 'my $socket = IO::Socket::UNIX->new(Peer => "/run/rxwatchd/control") or die $!;
    print $socket $ARGV[0]; $socket->shutdown(1); print <$socket>' "$1"; }
for request in $'{"request": \n' $'nonsense\n' $'{"request": "destroy"}\n' $'{}\n'; do
    answer=$(ask "$request")
    jq -e '.exit != 0 and (.message | length > 0)' >/dev/null <<<"$answer" || fail "$request: $answer"
done
equal "$(box rxwatchctl status --json | jq .exit)" 0
box systemctl is-active rxwatchd

# What follows events ends with the daemon, and says so.
box rxwatchctl tap heartbeat >"$SCRATCH/events" 2>"$SCRATCH/errors" &
client=$!
eventually 10 grep -q 'heartbeat  {"beat":' "$SCRATCH/events"
box systemctl stop rxwatchd
refuses 1 wait "$client"
grep -qx 'rxwatchctl: the daemon at /run/rxwatchd/control has stopped' "$SCRATCH/errors" || fail "$(<"$SCRATCH/errors")"
refuses 1 box rxwatchctl status
grep -q "start the daemon with 'systemctl start rxwatchd'" "$SCRATCH/output" || fail "$(<"$SCRATCH/output")"
